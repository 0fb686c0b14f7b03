/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plan with moves, and how far from the least it is.  */
#ifndef ARENABENCH_MEMORIES_MOVES_SOLVE_H
#define ARENABENCH_MEMORIES_MOVES_SOLVE_H

#include <stdbool.h>
#include <stdint.h>

#include "memories/exact.h"
#include "memories/moves.h"

struct moves_result {
    enum split_outcome outcome;
    int64_t bound;       /* no plan costs less */
    bool program_proven; /* the integer program was solved: the bound is its optimum or higher */
};

/* PLAN, which move_plan_init made, receives the best of: SPLIT (it costs no more than that, if it
 * is whole), visits, and what the integer program has where it can be placed.  Without a split at
 * hand there may be none: the cost stays SPLIT_NEVER.  */
struct moves_result moves_solve(const struct moves_problem *problem, const struct split *split,
                                const struct split_limits *limits, struct move_plan *plan);

#endif
