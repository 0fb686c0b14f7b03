/* SPDX-License-Identifier: Apache-2.0 */
/* A partial packing from the bottom up, for one capacity: which buffers are
 * placed, and how early each of the others can start.  What follows is found by
 * section_rules.h, which is to be asked after each change.
 *
 * A section keeps the top of what is placed in it and the total of what is not;
 * its slack limit is capacity - total: some unplaced member has to be the lowest
 * one there and can't start above that.
 *
 * Every change is on a trail and undone in reverse order.  The trail says of each
 * start that rose by which rule it did: what section_explain.h reads backward.  */
#ifndef ARENABENCH_PLANNER_SECTIONS_SECTION_STATE_H
#define ARENABENCH_PLANNER_SECTIONS_SECTION_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "planner/dives/section_classes.h"

/* What is known of a section; count is 0 where all members are placed.  */
struct section {
    int64_t top, total;
    int64_t least_start;  /* of the unplaced members */
    int64_t end_1, end_2; /* the two least ends of the unplaced members */
    size_t holder;        /* whose end end_1 is */
    size_t candidates;    /* members that can be the lowest */
    size_t count;         /* unplaced members: member[start .. start + count) */
    size_t crossing;      /* unplaced members that are in the next section too */
    double weight;        /* grows with its failures */
    bool dirty;           /* to be looked at */
};

/* Why a start rose.  */
enum section_rule {
    RULE_FLOOR,     /* a neighbour was placed below */
    RULE_NOT_FIRST, /* it can't be the lowest of its section */
    RULE_ONLY,      /* another one, OTHER, has to be the lowest of their section */
    RULE_POSTPONED, /* it was refuted at its least start; OTHER: where the reason is kept */
};

/* An entry of the trail, half a cache line: there are many.  */
struct section_change {
    uint8_t kind;            /* private */
    uint8_t rule;            /* enum section_rule; it and what follows VALUE are of starts */
    uint32_t index;          /* buffer or section */
    int64_t value;           /* before */
    uint32_t section, count; /* where the rule held, and of how many unplaced members */
    uint32_t other;
    uint32_t previous; /* the entry of the same start before; NO_CHANGE: none */
};
#define NO_CHANGE UINT32_MAX

/* What made the state fail; what does not apply is SIZE_MAX.  No member of SECTION can be
 * its lowest; or BUFFER can't start early enough.  */
struct section_conflict {
    size_t section, buffer;
};

struct section_state {
    const struct section_classes *problem;
    int64_t capacity;
    struct section *section;
    uint32_t *member;  /* as problem->member, the unplaced ones first */
    size_t *incidence; /* where the member lists of buffer b keep it: incidence[slot[b] + i] */
    size_t *slot;
    int64_t *start; /* of each buffer: the least possible one, or where it is placed or fixed */
    bool *placed;
    size_t n_placed;
    double increment; /* of the weight of a section that fails */

    bool no_not_first;   /* that rule is left out */
    size_t most_looks;   /* at each section, on average; then starts rise no more */
    bool cut_off;        /* that many were taken since the last change from outside */
    bool subsets;        /* not-first looks at subsets of the others; lists are sorted by end */
    int64_t *sorted_end; /* scratch: ends of the section that is looked at */

    size_t *dirty; /* stack of sections */
    size_t n_dirty;
    struct section_change *change; /* trail */
    size_t changes, change_capacity;
    uint32_t *last_change; /* of each buffer's start; NO_CHANGE: none */
    struct section_conflict conflict;
};

void section_state_init(struct section_state *state, const struct section_classes *problem);
void section_state_clear(struct section_state *state);

/* For builds with checks: all that is kept of sections and buffers, between two moves.  */
void section_state_check(const struct section_state *state);

/* Nothing is placed, with this CAPACITY; weights stay.  */
void section_state_reset(struct section_state *state, int64_t capacity);

/* Places buffer C, which is unplaced, where it can start at the earliest, below all
 * unplaced members of its sections.  */
void section_state_place(struct section_state *state, size_t c);

/* Buffer B starts at START or later; REASON is kept for who asks why.  */
void section_state_postpone(struct section_state *state, size_t b, int64_t start, size_t reason);

/* Raises the start of B, which is unplaced, to START or the next one that can be: RULE
 * holds in section S as it is, or was kept as OTHER.  For the rules.  */
void section_state_raise(struct section_state *state, size_t b, int64_t start,
                         enum section_rule rule, size_t s, size_t other);

/* Marks section S as to be looked at.  */
void section_state_touch(struct section_state *state, size_t s);

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

/* The start that buffer B had when the trail had CHANGES entries; it was unplaced
 * then.  */
int64_t section_state_start_at(const struct section_state *state, size_t b, size_t changes);

/* Where B can start at the latest, before any rule.  */
static inline int64_t section_state_last_start(const struct section_state *state, size_t b)
{
    int64_t last = state->capacity - state->problem->size[b];
    int64_t fixed = state->problem->fixed[b];

    return fixed >= 0 && fixed < last ? fixed : last;
}

/* What the placed buffers alone say about the start of B: where it is placed, or the
 * largest top of its sections, or where it is fixed, and then the next start that can be.  */
int64_t section_state_floor(const struct section_state *state, size_t b);

/* Over the unplaced neighbours of C: the least start, and the least end.
 * INT64_MAX without any.  */
void section_state_neighbours(const struct section_state *state, size_t c, int64_t *least_start,
                              int64_t *least_end);

#endif
