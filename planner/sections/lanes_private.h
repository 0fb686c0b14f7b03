/* SPDX-License-Identifier: Apache-2.0 */
/* What lanes.c and lanes_rules.c share: vectors of numbers, and the rows that they are from.  */
#ifndef ARENABENCH_PLANNER_SECTIONS_LANES_PRIVATE_H
#define ARENABENCH_PLANNER_SECTIONS_LANES_PRIVATE_H

#include "planner/sections/lanes.h"

enum { CHANGE_START, CHANGE_PLACED, CHANGE_LOOK };

/* --- vectors --- */

static inline lane_vector lanes_all(int64_t number)
{
    return (lane_vector){0} + (lane_number)number;
}

static inline lane_vector lanes_choose(lane_vector mask, lane_vector yes, lane_vector no)
{
    return (mask & yes) | (~mask & no);
}

/* What GCC 12 does not find in plain C: a fifth of the time.  */
#if defined __SSE2__ && !defined __clang__
/* Bits that are set where MASK is, LANES_MASK_BITS for each number.  */
static inline uint64_t lanes_bits(lane_vector mask)
{
    typedef char bytes __attribute__((vector_size(16)));

    return (uint32_t)__builtin_ia32_pmovmskb128((bytes)mask);
}
#define LANES_MASK_BITS 2

static inline bool lanes_any(lane_vector mask)
{
    return lanes_bits(mask) != 0;
}

static inline lane_vector lanes_lower(lane_vector a, lane_vector b)
{
    return __builtin_ia32_pminsw128(a, b);
}

static inline lane_vector lanes_higher(lane_vector a, lane_vector b)
{
    return __builtin_ia32_pmaxsw128(a, b);
}
#else
static inline uint64_t lanes_bits(lane_vector mask)
{
    uint64_t bits = 0;

    for (size_t i = 0; i < LANES_BLOCK; i++)
        bits |= (uint64_t)(mask[i] & 1) << i;
    return bits;
}
#define LANES_MASK_BITS 1

static inline bool lanes_any(lane_vector mask)
{
    union {
        lane_vector vector;
        uint64_t half[2];
    } bits = {mask};

    return (bits.half[0] | bits.half[1]) != 0;
}

static inline lane_vector lanes_lower(lane_vector a, lane_vector b)
{
    return lanes_choose(a < b, a, b);
}

static inline lane_vector lanes_higher(lane_vector a, lane_vector b)
{
    return lanes_choose(a > b, a, b);
}
#endif

static inline lane_number lanes_lowest(lane_vector vector)
{
    lane_number least = vector[0];

    for (size_t i = 1; i < LANES_BLOCK; i++)
        least = vector[i] < least ? vector[i] : least;
    return least;
}

/* The sections of block K that are among [FIRST, LAST], of which it has one.  */
static inline lane_vector lanes_within(size_t k, size_t first, size_t last)
{
    static const lane_vector index = {0, 1, 2, 3, 4, 5, 6, 7};
    const size_t begin = k * LANES_BLOCK, end = begin + LANES_BLOCK - 1;

    return (index >= lanes_all(first > begin ? (int64_t)(first - begin) : 0)) &
           (index <= lanes_all((int64_t)((last < end ? last : end) - begin)));
}

/* For each number I that MASK has.  */
#define FOR_SECTIONS(mask, i)                                                        \
    for (uint64_t bits = lanes_any(mask) ? lanes_bits(mask) : 0, i;                  \
         bits != 0 && (i = (uint64_t)__builtin_ctzll(bits) / LANES_MASK_BITS, true); \
         bits &= ~((((uint64_t)1 << LANES_MASK_BITS) - 1) << i * LANES_MASK_BITS))

/* --- rows --- */

/* That of lane 0 in block K; those of the other lanes follow.  */
static inline struct lanes_cell *lanes_cells(const struct lane_state *lanes, size_t k)
{
    return lanes->cell + k * lanes->lanes;
}

/* The buffer of LANE in section S.  */
static inline size_t lanes_buffer(const struct lane_state *lanes, size_t lane, size_t s)
{
    return lanes->buffer[(s / LANES_BLOCK * lanes->lanes + lane) * LANES_BLOCK + s % LANES_BLOCK];
}

/* For each LANE that has an unplaced buffer in block K.  */
#define FOR_ALIVE(lanes, k, lane)                                                     \
    for (size_t word = 0; word < (lanes)->words; word++)                              \
        for (uint64_t left = (lanes)->alive[(k) * (lanes)->words + word], lane;       \
             left != 0 && (lane = 64 * word + (uint64_t)__builtin_ctzll(left), true); \
             left &= left - 1)

/* The start of B rises to START or the next one that can be, says section S; B RESTS on what is
 * placed there.  `failed` is S where that is too late.  */
void lanes_raise(struct lane_state *lanes, size_t b, int64_t start, bool rests, size_t s);

/* An entry of the trail; BEFORE and FLOATS are of a buffer.  */
void lanes_record(struct lane_state *lanes, uint8_t kind, size_t index, lane_number before,
                  bool floats);

#endif
