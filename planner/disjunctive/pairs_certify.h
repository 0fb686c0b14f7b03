/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Certificates (lib/judge/certificate.h) of what the disjunctive search refutes.  */
#ifndef ARENABENCH_PLANNER_DISJUNCTIVE_PAIRS_CERTIFY_H
#define ARENABENCH_PLANNER_DISJUNCTIVE_PAIRS_CERTIFY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/base/error.h"

struct instance;

/* Writes to OUT, a file that can be cut, why no plan of INSTANCE has a peak below PEAK bytes; what
 * it could not take is the caller's to find.  False with the reason, and nothing in it that is
 * whole, where there is such a plan, or timer_now passes DEADLINE.  */
bool pairs_certify(const struct instance *instance, int64_t peak, double deadline, FILE *out,
                   struct error *error);

#endif
