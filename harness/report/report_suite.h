/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The suite for figures and tables.  */
#ifndef ARENABENCH_HARNESS_REPORT_REPORT_SUITE_H
#define ARENABENCH_HARNESS_REPORT_REPORT_SUITE_H

#include <stdbool.h>

#include "lib/base/error.h"

struct store;

/* The project's suite in the temporary table suite of STORE: checksum (text, of the instance),
 * name, class, place (of the class among them, from 1), best_known (peak in bytes); an empty one
 * where there is no suite.  */
bool report_add_suite(struct store *store, struct error *error);

#endif
