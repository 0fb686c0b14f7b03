/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What sets of buffers that can't be together prove.  It shares nothing with who found them but the
 * planner of one arena, which says of each set that it can't be placed, and GLPK.  */
#ifndef ARENABENCH_MEMORIES_CUTS_CHECK_H
#define ARENABENCH_MEMORIES_CUTS_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/error.h"
#include "memories/exact.h"

/* Whether each of CUTS holds; then BOUND is a cost (thousandths) that no split of PROBLEM is below,
 * by an integer program with a row for each buffer, each step and each cut.  SPLIT_NEVER: there is
 * no split.  False with a message, also where DEADLINE was too early to say.  */
bool cuts_check(const struct split_problem *problem, const struct split_cuts *cuts, double deadline,
                int64_t *bound, struct error *error);

#endif
