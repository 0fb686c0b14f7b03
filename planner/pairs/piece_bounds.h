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
 * Offsets are multiples of their alignment, and differences lie in no gap of their pair
 * (piece_problem.h): bounds are moved up to the next value that can be.  What the rules
 * say of all packings, before anything is chosen, is the root, and is on no trail.  */
#ifndef ARENABENCH_PLANNER_PAIRS_PIECE_BOUNDS_H
#define ARENABENCH_PLANNER_PAIRS_PIECE_BOUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "planner/pairs/piece_problem.h"

/* Why a bound has risen; piece_rules.h explains the rules.  */
enum piece_rule {
    PIECE_CHOICE,
    PIECE_SUM,       /* of the bounds FIRST and SECOND */
    PIECE_CLAUSE,    /* FIRST */
    PIECE_NOT_FIRST, /* task FIRST, section SECOND, latest end TO */
    PIECE_PILE,      /* task FIRST, section SECOND, least start FROM */
    PIECE_EDGE,      /* task FIRST above task THIRD, section SECOND, FROM, TO */
    PIECE_OVERLOAD,  /* section SECOND, FROM, TO; only of conflicts */
    PIECE_CYCLE,     /* buffer FIRST; only of conflicts */
};

struct piece_reason {
    enum piece_rule rule;
    unsigned side; /* 0; 1: of the packing turned upside down */
    size_t first, second, third;
    int64_t from, to;
};

struct piece_literal {
    size_t index;
    int64_t least;
};

struct piece_rise {
    size_t index;
    int64_t old, now;
    size_t before; /* the rise of the same bound before it, SIZE_MAX: none */
    struct piece_reason reason;
};

/* Literals that hold and together refute what was chosen.  */
struct piece_literals {
    struct piece_literal *literal;
    size_t n, capacity;
};

struct piece_bounds {
    const struct piece_problem *problem;
    size_t count; /* of bounds */
    int64_t *bound;
    size_t *last; /* rise of each bound, SIZE_MAX: none */
    struct piece_rise *rise;
    size_t rises, rise_capacity;
    size_t *level; /* the rises there were before each choice */
    size_t levels, level_capacity;

    /* A conflict: CLASH could be raised to what contradicts bound CLASH.index ^ 1, for
     * this REASON; with an index of SIZE_MAX the reason alone is the contradiction.  */
    struct piece_literal clash;
    struct piece_reason reason;
};

void piece_bounds_init(struct piece_bounds *bounds, const struct piece_problem *problem);
void piece_bounds_clear(struct piece_bounds *bounds);

/* Everything open within CAPACITY: no rise, no choice.  False: a buffer is larger.  */
bool piece_bounds_reset(struct piece_bounds *bounds, int64_t capacity);

/* What has risen becomes the root.  Only without choices.  */
void piece_bounds_root(struct piece_bounds *bounds);

/* The least T for which (INDEX, T) implies (INDEX, LEAST): none other can be.  */
int64_t piece_bounds_weakest(const struct piece_bounds *bounds, size_t index, int64_t least);

/* Bound INDEX is VALUE at least.  False: that is a conflict, and noted.  */
bool piece_bounds_raise(struct piece_bounds *bounds, size_t index, int64_t value,
                        const struct piece_reason *reason);

/* REASON alone contradicts what is known.  Returns false.  */
bool piece_bounds_fail(struct piece_bounds *bounds, const struct piece_reason *reason);

/* Opens a level.  */
void piece_bounds_choose(struct piece_bounds *bounds);

/* Back to the first RISES rises; levels are left as they are.  */
void piece_bounds_undo(struct piece_bounds *bounds, size_t rises);

/* Back to the end of level LEVELS.  */
void piece_bounds_back(struct piece_bounds *bounds, size_t levels);

/* The level of rise R, from 1.  */
size_t piece_bounds_level(const struct piece_bounds *bounds, size_t r);

/* The rise that made (INDEX, LEAST) true; SIZE_MAX: the root.  */
static inline size_t piece_bounds_rise(const struct piece_bounds *bounds, size_t index,
                                       int64_t least)
{
    size_t r = bounds->last[index];

    while (r != SIZE_MAX && bounds->rise[r].old >= least)
        r = bounds->rise[r].before;
    return r;
}

/* Least start, and latest end, of TASK, on SIDE: with side 1, in the packing turned
 * upside down around 0.  */
static inline int64_t piece_task_lo(const struct piece_task *task, unsigned side)
{
    return side == 0 ? task->lo : -task->hi;
}

static inline int64_t piece_task_hi(const struct piece_task *task, unsigned side)
{
    return side == 0 ? task->hi : -task->lo;
}

static inline size_t piece_task_index(const struct piece_task *task, unsigned side)
{
    return 2 * task->buffer + side;
}

#endif
