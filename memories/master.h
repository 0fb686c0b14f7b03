/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The master of exact.h: unsplittable flow on a path, with what was learned.  */
#ifndef ARENABENCH_MEMORIES_MASTER_H
#define ARENABENCH_MEMORIES_MASTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "memories/exact.h"

/* A lower bound that takes no program: at one step the bytes that do not fit into a memory go to
 * the next cheapest one, those first that pay least for a byte, the last of them in part.  */
int64_t master_step_bound(const struct split_problem *problem);

enum master_result { MASTER_OPTIMAL, MASTER_LIMIT, MASTER_INFEASIBLE };

/* Solves it, as an integer program or relaxed.  BOUND (thousandths) is proven in each case that has
 * one, and never decreases: it is the caller's from before.  MEMORY[b], where not NULL, is where
 * buffer b is; VALUE[b] how much of it in its cheapest memory.  MASTER_LIMIT: there may be no
 * solution in these.  */
enum master_result master_solve(const struct split_problem *problem, const struct split_cuts *cuts,
                                bool relaxed, double deadline, int64_t *bound, size_t *memory,
                                double *value);

#endif
