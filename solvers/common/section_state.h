/* A partial packing from the bottom up, for one capacity: which buffers are
 * placed, how early each of the others can start, and what follows.
 *
 * A section keeps the top of what is placed in it and the total of what is not;
 * its slack limit is capacity - total: some unplaced member has to be the lowest
 * one there and can't start above that.  What follows is found section by section
 * until nothing changes:
 *
 *   - no member can be the lowest: the state fails, and the section's weight grows;
 *   - not first: a member that can't be the lowest starts no earlier than the
 *     least end of the others (it lies above one of them);
 *   - the only member that can be the lowest is it: the others start at its end or
 *     later;
 *   - a member that can't start early enough to end within the capacity: fails.
 *
 * Ends and starts are the least possible ones, so each rule holds in every
 * completion.  Every change is undone in reverse order.  */
#ifndef ARENABENCH_SOLVERS_COMMON_SECTION_STATE_H
#define ARENABENCH_SOLVERS_COMMON_SECTION_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "solvers/common/section_problem.h"

/* What is known of a section; count is 0 where all members are placed.  */
struct section {
    int64_t top, total;
    int64_t least_start;  /* of the unplaced members */
    int64_t end_1, end_2; /* the two least ends of the unplaced members */
    size_t holder;        /* whose end end_1 is */
    size_t candidates;    /* members that can be the lowest */
    size_t count;         /* unplaced members: member[start .. start + count) */
    double weight;        /* grows with its failures */
    bool dirty;           /* to be looked at */
};

struct section_change; /* private */

struct section_state {
    const struct section_problem *problem;
    int64_t capacity;
    struct section *section;
    size_t *member;    /* as problem->member, the unplaced ones first */
    size_t *incidence; /* where the member lists of buffer b keep it: incidence[slot[b] + i] */
    size_t *slot;
    int64_t *start; /* of each buffer: the least possible one, or where it is placed */
    bool *placed;
    size_t n_placed;
    double increment; /* of the weight of a section that fails */

    size_t *dirty; /* stack of sections */
    size_t n_dirty;
    struct section_change *change; /* trail */
    size_t changes, change_capacity;
};

void section_state_init(struct section_state *state, const struct section_problem *problem);
void section_state_clear(struct section_state *state);

/* Nothing is placed, with this CAPACITY; weights stay.  False when that is
 * refuted at once.  */
bool section_state_reset(struct section_state *state, int64_t capacity);

/* Places buffer C, which is unplaced, where it can start at the earliest, below all
 * unplaced members of its sections, and finds out what follows.  False when the
 * state fails; it has to be undone in either case.  */
bool section_state_place(struct section_state *state, size_t c);

/* Buffer B starts at START or later.  Likewise.  */
bool section_state_postpone(struct section_state *state, size_t b, int64_t start);

/* Failures from now on raise weights by FACTOR times as much as before.  */
void section_state_grow(struct section_state *state, double factor);

/* A moment to go back to.  */
static inline size_t section_state_mark(const struct section_state *state)
{
    return state->changes;
}
void section_state_undo(struct section_state *state, size_t mark);

static inline int64_t section_state_end(const struct section_state *state, size_t b)
{
    return state->start[b] + state->problem->size[b];
}

/* Over the unplaced neighbours of C: the least start, and the least end.
 * INT64_MAX without any.  */
void section_state_neighbours(const struct section_state *state, size_t c, int64_t *least_start,
                              int64_t *least_end);

#endif
