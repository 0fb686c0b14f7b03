/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of the offsets of buffers and of the differences of pairs, as bounds that
 * only rise, with a trail of the rises and their reasons.
 *
 * Every quantity q (the offset x of a buffer, the difference d = x_b - x_a of a pair) has
 * two bounds: its least value, and the least value of -q.  So upper bounds rise, too, and a
 * rule and its mirror image are one rule on a pair of indices I and I ^ 1.
 *
 *      index 2 b            x_b >= bound        index 2 n + 2 p        d_p >= bound
 *      index 2 b + 1       -x_b >= bound        index 2 n + 2 p + 1   -d_p >= bound
 *
 * A literal (I, T) says that bound I is T or more.  Its negation is (I ^ 1, 1 - T).
 *
 * Sizes may be so large that sums of two bounds don't fit: rules clip them to 64 bits, which
 * changes no answer, as no bound passes the capacity.
 *
 * Offsets are multiples of their alignment, and differences lie in no gap of their pair
 * (pairs_problem.h): bounds are moved up to the next value that can be.  What the rules
 * say of all packings, before anything is chosen, is the root, and is on no trail.  */
#ifndef ARENABENCH_PLANNER_DISJUNCTIVE_PAIRS_BOUNDS_H
#define ARENABENCH_PLANNER_DISJUNCTIVE_PAIRS_BOUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "planner/disjunctive/pairs_problem.h"

/* Why a bound has risen; pairs_rules.h explains the rules.  */
enum pairs_rule {
    PAIRS_CHOICE,
    PAIRS_SUM,       /* of the bounds FIRST and SECOND */
    PAIRS_CLAUSE,    /* FIRST */
    PAIRS_NOT_FIRST, /* task FIRST, section SECOND, latest end TO */
    PAIRS_PILE,      /* task FIRST, section SECOND, least start FROM */
    PAIRS_EDGE,      /* task FIRST above task THIRD, section SECOND, FROM, TO */
    PAIRS_OVERLOAD,  /* section SECOND, FROM, TO; only of conflicts */
    PAIRS_CYCLE,     /* buffer FIRST; only of conflicts */
};

struct pairs_reason {
    enum pairs_rule rule;
    unsigned side; /* 0; 1: of the packing turned upside down */
    size_t first, second, third;
    int64_t from, to;
};

struct pairs_literal {
    size_t index;
    int64_t least;
};

struct pairs_rise {
    size_t index;
    int64_t old, now;
    size_t before; /* the rise of the same bound before it, SIZE_MAX: none */
    struct pairs_reason reason;
};

/* Literals that hold and together refute what was chosen.  */
struct pairs_literals {
    struct pairs_literal *literal;
    size_t n, capacity;
};

struct pairs_bounds {
    const struct pairs_problem *problem;
    size_t count; /* of bounds */
    int64_t *bound;
    size_t *last; /* rise of each bound, SIZE_MAX: none */
    struct pairs_rise *rise;
    size_t rises, rise_capacity;
    size_t *level; /* the rises there were before each choice */
    size_t levels, level_capacity;

    /* A conflict: CLASH could be raised to what contradicts bound CLASH.index ^ 1, for
     * this REASON; with an index of SIZE_MAX the reason alone is the contradiction.  */
    struct pairs_literal clash;
    struct pairs_reason reason;
};

void pairs_bounds_init(struct pairs_bounds *bounds, const struct pairs_problem *problem);
void pairs_bounds_clear(struct pairs_bounds *bounds);

/* For builds with checks: the bounds are what the trail says; and once all has been followed
 * (pairs_rules.h), what the orders of pairs mean for the starts.  */
void pairs_bounds_check(const struct pairs_bounds *bounds);
void pairs_bounds_check_orders(const struct pairs_bounds *bounds);

/* Everything open within CAPACITY, but for what is fixed: no rise, no choice.  False: a buffer is
 * larger, or fixed above it.  */
bool pairs_bounds_reset(struct pairs_bounds *bounds, int64_t capacity);

/* What has risen becomes the root.  Only without choices.  */
void pairs_bounds_root(struct pairs_bounds *bounds);

/* The least T for which (INDEX, T) implies (INDEX, LEAST): none other can be.  */
int64_t pairs_bounds_weakest(const struct pairs_bounds *bounds, size_t index, int64_t least);

/* Bound INDEX is VALUE at least.  False: that is a conflict, and noted.  */
bool pairs_bounds_raise(struct pairs_bounds *bounds, size_t index, int64_t value,
                        const struct pairs_reason *reason);

/* REASON alone contradicts what is known.  Returns false.  */
bool pairs_bounds_fail(struct pairs_bounds *bounds, const struct pairs_reason *reason);

/* Opens a level.  */
void pairs_bounds_choose(struct pairs_bounds *bounds);

/* Back to the first RISES rises; levels are left as they are.  */
void pairs_bounds_undo(struct pairs_bounds *bounds, size_t rises);

/* The rises up to RISES again, which were undone and after which there was no other.  */
void pairs_bounds_redo(struct pairs_bounds *bounds, size_t rises);

/* Back to the end of level LEVELS.  */
void pairs_bounds_back(struct pairs_bounds *bounds, size_t levels);

/* The level of rise R, from 1.  */
size_t pairs_bounds_level(const struct pairs_bounds *bounds, size_t r);

/* The rise that made (INDEX, LEAST) true; SIZE_MAX: the root.  */
static inline size_t pairs_bounds_rise(const struct pairs_bounds *bounds, size_t index,
                                       int64_t least)
{
    size_t r = bounds->last[index];

    while (r != SIZE_MAX && bounds->rise[r].old >= least)
        r = bounds->rise[r].before;
    return r;
}

/* Least start, and latest end, of TASK, on SIDE: with side 1, in the packing turned
 * upside down around 0.  */
static inline int64_t pairs_task_lo(const struct pairs_task *task, unsigned side)
{
    return side == 0 ? task->lo : -task->hi;
}

static inline int64_t pairs_task_hi(const struct pairs_task *task, unsigned side)
{
    return side == 0 ? task->hi : -task->lo;
}

static inline size_t pairs_task_index(const struct pairs_task *task, unsigned side)
{
    return 2 * task->buffer + side;
}

#endif
