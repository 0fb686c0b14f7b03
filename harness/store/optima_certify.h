/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bounds in the table of known optima (optima.h) of which a certificate has been checked.  */
#ifndef ARENABENCH_HARNESS_STORE_OPTIMA_CERTIFY_H
#define ARENABENCH_HARNESS_STORE_OPTIMA_CERTIFY_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/error.h"

struct optima;

/* No plan of the instance with CHECKSUM has a peak below BOUND, by a certificate: its entry says
 * so, if the bound is no lower than what is there, and is not the load.  False with a message, and
 * nothing changed, where there is no such entry, or a plan with a lower peak.  */
bool optima_certify(struct optima *optima, uint64_t checksum, int64_t bound, struct error *error);

/* The same in the table in the file PATH.  */
bool optima_certify_file(const char *path, uint64_t checksum, int64_t bound, struct error *error);

#endif
