/* SPDX-License-Identifier: Apache-2.0 */
/* The ways to search that take turns in section_plan.c, with what they share: the best plan so far
 * and the limits.  Rectangles and pieces have dives of their own; the disjunctive search
 * (pair_turns.h) is for both, or for alignments, evictions (evictions.h) for these and for large
 * packings.  */
#ifndef ARENABENCH_PLANNER_DIVES_PLAN_WAYS_H
#define ARENABENCH_PLANNER_DIVES_PLAN_WAYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/checked.h"
#include "planner/dives/evictions.h"
#include "planner/dives/incumbent.h"
#include "planner/dives/pair_turns.h"
#include "planner/dives/section_dives.h"
#include "planner/dives/section_plan.h"
#include "planner/dives/shape_dives.h"

/* Peeled, merged, and dived for (rectangle_dives.c).  */
struct rectangles {
    size_t *order, kept;
    struct section_classes *classes; /* NULL: none of this */
    struct section_dives dives;
    bool small; /* buffers are many, and small parts of the load */
    uint64_t rounds;
    int64_t staged;                   /* dives */
    int64_t middle_next, middle_wait; /* the next one from the middle, and dives till then */
};

/* In their own geometry (piece_dives.c).  */
struct pieces {
    struct shape_sections *shapes; /* NULL: none of this */
    struct shape_dives dives;
    uint64_t staged;
    int64_t *guide; /* the best plan, in units */
};

struct planner {
    struct incumbent best;
    const struct section_plan_limits *limits;
    int64_t nodes; /* that there are for all of them */
    int64_t load;  /* the goal, in units */
    double begun;  /* with searching, by timer_now */
    bool compared; /* with greedy plans */
    bool staging;  /* searches at the load had their first rounds, so there is a plan */
    struct rectangles rectangles;
    struct pieces pieces;
    struct pair_turns pairs;
    struct evictions evictions;
};

static inline bool planner_is_done(const struct planner *planner)
{
    return incumbent_is_done(&planner->best);
}

static inline int64_t planner_upper(const struct planner *planner)
{
    return incumbent_upper(&planner->best);
}

/* Placements of dives, and of all ways.  */
static inline int64_t planner_dived(const struct planner *planner)
{
    return planner->rectangles.dives.nodes + planner->pieces.dives.nodes;
}

static inline int64_t planner_spent(const struct planner *planner)
{
    return planner_dived(planner) + planner->pairs.nodes + planner->evictions.nodes;
}

static inline int64_t planner_left(const struct planner *planner)
{
    return max64(0, planner->nodes - planner_spent(planner));
}

/* Once: no plan is to be above a greedy one for which there was time.  */
void planner_compare_greedy(struct planner *planner);

/* Peels and merges; where nothing is left the plan is made.  BACKWARDS: time runs the other way. */
void rectangles_begin(struct planner *planner, bool backwards);
void rectangles_end(struct planner *planner);

/* A search at the load, and staged dives after it; for the latter there has to be a plan, so the
 * first of them begin with greedy ones.  */
void rectangles_turn(struct planner *planner);

void pieces_begin(struct planner *planner);
void pieces_end(struct planner *planner);

/* A staged dive.  */
void pieces_turn(struct planner *planner);

/* The best greedy plan that knows pieces.  */
void pieces_take_greedy(struct planner *planner);

/* Takes over a packing, START in units, and what it falls to: all are placed again, each where it
 * fits, in the order of their starts.  */
void pieces_take_packing(struct planner *planner, const int64_t *start);

#endif
