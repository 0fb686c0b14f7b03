/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pairs of buffers beside an instance, as CSV: kind,a,b,cost, where the kind is apart, exclusive,
 * together, or reuse, which alone has a cost.  */
#ifndef ARENABENCH_HAZARDS_PAIRS_CSV_H
#define ARENABENCH_HAZARDS_PAIRS_CSV_H

#include <stdbool.h>
#include <stdio.h>

#include "hazards/problem.h"
#include "lib/base/error.h"

/* Adds the pairs and costs in IN, which messages call PATH, to PROBLEM, whose buffers are there.
 * False with a message that has a place and names both buffers.  */
bool pairs_csv_read(FILE *in, const char *path, struct hazard_problem *problem,
                    struct error *error);

/* What pairs_csv_read reads as the same.  False: it could not be written.  */
bool pairs_csv_write(FILE *out, const struct hazard_problem *problem);

#endif
