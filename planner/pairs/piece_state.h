/* Where buffers of several pieces can still be, and the rules that narrow it down, each step
 * of which can be written down for a checker (piece_refute.h).  The search that is for speed
 * has bounds and rules of its own (piece_rules.h).
 *
 * Each buffer has a least and a latest start; each pair has a least and a largest
 * difference d = x_b - x_a.  The rules, until none of them changes anything:
 *
 * Difference.  d >= x_b's least start - x_a's latest, and the like from above; starts
 *   follow from differences in turn.  A least difference inside a gap moves up to the
 *   gap's end, a largest one down to its begin.
 * Overload.  In a section, the parts that start at R or above and end at D or below have
 *   no room where their heights together exceed D - R.
 *
 * Every rule leaves all packings in.  With PLAIN only the first two are used, in which
 * each step can be written down for a checker (piece_refute.h).  */
#ifndef ARENABENCH_PLANNER_PAIRS_PIECE_STATE_H
#define ARENABENCH_PLANNER_PAIRS_PIECE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "planner/pairs/piece_problem.h"

struct piece_change {
    size_t index; /* in value */
    int64_t old;
};

/* Why there is no packing left: a section (SIZE_MAX: starts and differences alone), whose
 * parts from RELEASE to DEADLINE are too high.  */
struct piece_conflict {
    size_t section;
    int64_t release, deadline;
};

/* A task of the section at hand: its least start, latest end and height.  */
struct piece_reach {
    size_t buffer;
    int64_t lo, hi, least, latest, height;
};

struct piece_state {
    const struct piece_problem *problem;
    int64_t capacity;
    int64_t *value;             /* all that is undone: */
    int64_t *least, *latest;    /* starts of buffers */
    int64_t *difference, *most; /* least and largest differences of pairs */
    struct piece_change *trail;
    size_t changes, trail_capacity;
    size_t *queue; /* buffers whose starts changed, a ring of n + 1 */
    size_t head, tail;
    bool *queued;
    size_t *dirty; /* sections to look at */
    size_t dirties;
    bool *is_dirty;
    struct piece_reach *span; /* room for the largest section */
    size_t *by_latest;
    double *pair_weight, *buffer_weight; /* of failures */
    double increment;
    size_t *raises;                 /* of each buffer's least start in one propagation */
    size_t *raiser;                 /* the pair that did the last of them */
    bool aligned;                   /* some alignment counts */
    struct piece_conflict conflict; /* the last one */

    /* Told of each gap that a least or largest difference crosses by rule; may be NULL.  */
    void (*forced)(void *context, size_t pair, size_t gap, bool above);
    void *context;
};

void piece_state_init(struct piece_state *state, const struct piece_problem *problem);
void piece_state_clear(struct piece_state *state);

/* Everything open, within CAPACITY.  False: there is no packing.  */
bool piece_state_reset(struct piece_state *state, int64_t capacity);

/* Decides on one side of a gap of a pair.  False: no packing has it there.  */
bool piece_state_post(struct piece_state *state, size_t pair, size_t gap, bool above);

static inline size_t piece_state_mark(const struct piece_state *state)
{
    return state->changes;
}

/* Back to what was at MARK.  */
void piece_state_undo(struct piece_state *state, size_t mark);

#endif
