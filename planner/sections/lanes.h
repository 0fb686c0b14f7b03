/* SPDX-License-Identifier: Apache-2.0 */
/* A partial packing from the bottom up, for one capacity, as section_state.h has it, in rows of
 * numbers: what looks for packings and learns nothing places several times as many buffers a second
 * with it.
 *
 * Buffers that are never alive together share a lane, as few lanes as the width.  A lane is a row
 * with a number for each section: the start of its buffer there, or LANES_NONE where there is none
 * or it is placed.  So the sections of a block, LANES_BLOCK neighbours, are looked at together,
 * lane by lane, with vectors.  What a look found is kept: a start that rises in a section asks for
 * another look only if it counted for that, and undoing brings the looks back, too.
 *
 * The rules are those of section_rules.h but not-first, and the support rule: a buffer that
 * starts above all that is placed below it rests on an unplaced one, in the packing with the least
 * sum of offsets, so it starts at the least end of its unplaced neighbours or later.  */
#ifndef ARENABENCH_PLANNER_SECTIONS_LANES_H
#define ARENABENCH_PLANNER_SECTIONS_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "planner/dives/section_classes.h"

/* Of 16 bits: eight of them are a vector of the least x86-64 and ARMv8 processors.  */
typedef int16_t lane_number;
typedef lane_number lane_vector __attribute__((vector_size(16), aligned(8))); /* as malloc may */

#define LANES_BLOCK (sizeof(lane_vector) / sizeof(lane_number))
#define LANES_NONE ((lane_number)(1 << 14))

/* What is known of the sections of a block.  */
struct lanes_look {
    lane_vector least_start;  /* of the unplaced members; LANES_NONE without any */
    lane_vector candidates;   /* members that can be the lowest */
    lane_vector end_1, end_2; /* the two least ends of the unplaced members */
};

/* The buffers of a lane in the sections of a block: LANES_NONE and no size where there is none.  */
struct lanes_cell {
    lane_vector start, size;
};

struct lanes_change;

struct lane_state {
    const struct section_classes *problem;
    lane_number capacity;
    size_t blocks, lanes, words; /* of 64 lanes */
    uint32_t *lane;              /* of each buffer */

    struct lanes_cell *cell;    /* of block and lane: a look goes through those of a block */
    uint32_t *buffer;           /* of block, lane and section */
    struct lanes_look *look;    /* of each block */
    lane_vector *limit, *count; /* capacity - total of the unplaced members, and how many */
    uint32_t *crossing;         /* unplaced members that are in the next section, too */
    double *weight;             /* grows with the failures of the section */
    double increment;           /* by so much */
    uint32_t *members;          /* of block and lane: its unplaced ones, */
    uint64_t *alive;            /* and where there are any, a bit */
    uint64_t *dirty;            /* blocks to be looked at */

    lane_number *start; /* of each buffer: the least possible one, or where it is placed */
    bool *placed;
    uint64_t *floating; /* a bit for each: it starts above all that is placed below it */
    size_t n_placed;

    size_t most_looks; /* at a block between two moves, on average; then starts rise no more */
    size_t failed;     /* section that a rule failed in; SIZE_MAX: none did */
    struct lanes_change *change; /* trail */
    size_t changes, change_capacity;
    struct lanes_look *seen; /* looks of before, of the trail */
    size_t n_seen, seen_capacity;
};

/* Whether PROBLEM can be had in rows, for any capacity up to CAPACITY units: nothing is fixed,
 * capacity and alignments are below LANES_NONE, and rows are not too many and long.  */
bool lanes_fit(const struct section_classes *problem, int64_t capacity);

/* Of a PROBLEM that fits, with one copy of each class.  */
void lanes_init(struct lane_state *lanes, const struct section_classes *problem);
void lanes_clear(struct lane_state *lanes);

/* Nothing is placed, with this CAPACITY; weights stay.  False when a buffer is higher.  */
bool lanes_reset(struct lane_state *lanes, int64_t capacity);

/* Places buffer C, which is unplaced, where it can start at the earliest.  */
void lanes_place(struct lane_state *lanes, size_t c);

/* Buffer B starts at START or later.  */
void lanes_postpone(struct lane_state *lanes, size_t b, int64_t start);

/* Applies the rules until nothing follows, SUPPORT as well.  False when there is no packing; the
 * weight of the section that failed has grown then.  */
bool lanes_apply(struct lane_state *lanes, bool support);

/* Failures from now on raise weights by FACTOR times as much as before.  */
void lanes_grow(struct lane_state *lanes, double factor);

/* Over the unplaced neighbours of C: the least start, and the least end; LANES_NONE or more without
 * any.  */
void lanes_neighbours(const struct lane_state *lanes, size_t c, int64_t *least_start,
                      int64_t *least_end);

/* A moment to go back to, at which the rules had been applied.  */
static inline size_t lanes_mark(const struct lane_state *lanes)
{
    return lanes->changes;
}
void lanes_undo(struct lane_state *lanes, size_t mark);

/* One number of a row, or of what is kept in blocks.  */
static inline lane_number lanes_at(const lane_vector *row, size_t s)
{
    return row[s / LANES_BLOCK][s % LANES_BLOCK];
}

static inline int64_t lanes_end(const struct lane_state *lanes, size_t b)
{
    return lanes->start[b] + lanes->problem->size[b];
}

#endif
