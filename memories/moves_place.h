/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the stays of a plan with moves lie, and plans that are found fast.  */
#ifndef ARENABENCH_MEMORIES_MOVES_PLACE_H
#define ARENABENCH_MEMORIES_MOVES_PLACE_H

#include <stddef.h>

#include "lib/base/error.h"
#include "memories/heuristics.h"
#include "memories/memory.h"
#include "memories/moves.h"
#include "memories/placing.h"
#include "memories/split.h"

/* Stays as buffers of a problem of their own, which read and write nothing.  */
struct stay_problem {
    struct instance *instance;
    struct memories memories; /* as of the problem that they come from */
    struct split_problem split;
};

bool stay_problem_init(struct stay_problem *stays, const struct moves_problem *problem,
                       const struct move_stay *stay, size_t count, struct error *error);
void stay_problem_clear(struct stay_problem *stays);

/* Asks the library for offsets of all stays of PLAN in memory M.  In one without a limit they get
 * some in each case.  */
enum placing_answer moves_place(const struct moves_problem *problem, size_t m,
                                const struct split_limits *limits, struct move_plan *plan);

/* Visits: each buffer has a home, and is at each access at home or on a visit to a cheaper memory,
 * from one access to a later one.  Those that save most for a byte and step are placed first.  */
enum visit_way {
    VISITS_BESIDE_SPLIT, /* homes are where a split has the buffers */
    VISITS_BY_SAVING,    /* homes are in the cheapest memory without a limit, if there is one */
    /* The same, and first what stays in the first memory by the rule of the furthest next use
     * (Belady, A study of replacement algorithms for a virtual-storage computer, 1966): the one
     * that goes takes most bytes times steps until then.  */
    VISITS_BY_NEXT_USE,
    VISIT_WAYS,
};

/* PLAN becomes one that is whole, if it costs less than what it was.  SPLIT is whole.  */
void moves_by_visits(const struct moves_problem *problem, const struct split *split,
                     enum visit_way way, const struct split_limits *limits, struct move_plan *plan);

#endif
