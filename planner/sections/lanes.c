/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/sections/lanes.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "lib/base/check.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/weights.h"

/* Numbers in rows of one kind, at most: more do not stay in a cache.  */
#define MOST_NUMBERS ((size_t)1 << 22)
/* Looks at a block between two moves, on average: starts rise no more then, as in
 * section_state.c.  */
#define MOST_LOOKS 16

enum { CHANGE_START, CHANGE_TOP, CHANGE_PLACED, CHANGE_LOOK };

struct lanes_change {
    uint32_t index; /* buffer, section or block */
    lane_number value;
    uint8_t kind;
    bool floats;
};

/* --- vectors --- */

static inline lane_vector all(int64_t number)
{
    return (lane_vector){0} + (lane_number)number;
}

static inline lane_vector choose(lane_vector mask, lane_vector yes, lane_vector no)
{
    return (mask & yes) | (~mask & no);
}

/* What compilers do not find in plain C.  */
#ifdef __SSE2__
static inline bool any(lane_vector mask)
{
    return _mm_movemask_epi8((__m128i)mask) != 0;
}

static inline lane_vector lower(lane_vector a, lane_vector b)
{
    return (lane_vector)_mm_min_epi16((__m128i)a, (__m128i)b);
}

static inline lane_vector higher(lane_vector a, lane_vector b)
{
    return (lane_vector)_mm_max_epi16((__m128i)a, (__m128i)b);
}
#else
static inline bool any(lane_vector mask)
{
    union {
        lane_vector vector;
        uint64_t half[2];
    } bits = {mask};

    return (bits.half[0] | bits.half[1]) != 0;
}

static inline lane_vector lower(lane_vector a, lane_vector b)
{
    return choose(a < b, a, b);
}

static inline lane_vector higher(lane_vector a, lane_vector b)
{
    return choose(a > b, a, b);
}
#endif

static inline lane_number lowest(lane_vector vector)
{
    lane_number least = vector[0];

    for (size_t i = 1; i < LANES_BLOCK; i++)
        least = vector[i] < least ? vector[i] : least;
    return least;
}

/* The sections of block K that are among [FIRST, LAST], of which it has one.  */
static inline lane_vector within(size_t k, size_t first, size_t last)
{
    static const lane_vector index = {0, 1, 2, 3, 4, 5, 6, 7};
    const size_t begin = k * LANES_BLOCK, end = begin + LANES_BLOCK - 1;

    return (index >= (lane_number)(first > begin ? first - begin : 0)) &
           (index <= (lane_number)((last < end ? last : end) - begin));
}

/* --- rows --- */

static inline lane_vector *starts_of(const struct lanes *lanes, size_t lane)
{
    return lanes->start_row + lane * lanes->blocks;
}

static inline const lane_vector *sizes_of(const struct lanes *lanes, size_t lane)
{
    return lanes->size_row + lane * lanes->blocks;
}

/* The buffer of LANE in section S.  */
static inline size_t buffer_in(const struct lanes *lanes, size_t lane, size_t s)
{
    return lanes->buffer_row[lane * lanes->blocks * LANES_BLOCK + s];
}

/* For each LANE that has an unplaced buffer in block K.  */
#define FOR_ALIVE(lanes, k, lane)                                                     \
    for (size_t word = 0; word < (lanes)->words; word++)                              \
        for (uint64_t left = (lanes)->alive[(k) * (lanes)->words + word], lane;       \
             left != 0 && (lane = 64 * word + (uint64_t)__builtin_ctzll(left), true); \
             left &= left - 1)

static void write_starts(struct lanes *lanes, size_t b, lane_number start)
{
    const struct section_classes *problem = lanes->problem;
    lane_vector *row = starts_of(lanes, lanes->lane[b]);

    for (size_t k = problem->first[b] / LANES_BLOCK; k <= problem->last[b] / LANES_BLOCK; k++)
        row[k] = choose(within(k, problem->first[b], problem->last[b]), all(start), row[k]);
}

static void touch(struct lanes *lanes, size_t k)
{
    lanes->dirty[k / 64] |= (uint64_t)1 << k % 64;
}

static void set_floats(struct lanes *lanes, size_t b, bool floats)
{
    uint64_t bit = (uint64_t)1 << b % 64;

    lanes->floats[b] = floats;
    if (floats)
        lanes->floating[b / 64] |= bit;
    else
        lanes->floating[b / 64] &= ~bit;
}

/* --- memory --- */

bool lanes_fit(const struct section_classes *problem, int64_t capacity)
{
    size_t width = 0;

    for (size_t s = 0; s < problem->sections; s++) {
        size_t members = problem->start[s + 1] - problem->start[s];

        width = members > width ? members : width;
    }
    for (size_t b = 0; b < problem->n; b++)
        if (problem->alignment[b] > LANES_NONE)
            return false;
    return !problem->any_fixed && capacity < LANES_NONE && width < (size_t)LANES_NONE &&
           width <= MOST_NUMBERS / (problem->sections + LANES_BLOCK);
}

/* Each buffer has the first lane that is free; buffers are numbered by their first section.  */
static void find_lanes(struct lanes *lanes)
{
    const struct section_classes *problem = lanes->problem;
    uint32_t *end = memory_alloc(problem->n, sizeof *end); /* of each lane */

    for (size_t b = 0; b < problem->n; b++) {
        size_t lane = 0;

        while (lane < lanes->lanes && end[lane] > problem->first[b])
            lane++;
        lanes->lanes = lane == lanes->lanes ? lane + 1 : lanes->lanes;
        end[lane] = problem->last[b] + 1;
        lanes->lane[b] = (uint32_t)lane;
    }
    memory_free(end);
}

static void fill_rows(struct lanes *lanes)
{
    const struct section_classes *problem = lanes->problem;
    const size_t width = lanes->blocks * LANES_BLOCK;

    for (size_t i = 0; i < lanes->lanes * lanes->blocks; i++)
        lanes->start_row[i] = all(LANES_NONE);
    for (size_t b = 0; b < problem->n; b++)
        for (size_t s = problem->first[b]; s <= problem->last[b]; s++) {
            const size_t row = lanes->lane[b] * lanes->blocks;

            lanes->size_row[row + s / LANES_BLOCK][s % LANES_BLOCK] = (lane_number)problem->size[b];
            lanes->buffer_row[lanes->lane[b] * width + s] = (uint32_t)b;
        }
}

void lanes_init(struct lanes *lanes, const struct section_classes *problem)
{
    const size_t blocks = (problem->sections + LANES_BLOCK - 1) / LANES_BLOCK;
    size_t numbers;

    *lanes = (struct lanes){
        .problem = problem,
        .blocks = blocks,
        .lane = memory_alloc(problem->n, sizeof *lanes->lane),
        .look = memory_alloc(blocks, sizeof *lanes->look),
        .limit = memory_zalloc(blocks, sizeof *lanes->limit),
        .count = memory_zalloc(blocks, sizeof *lanes->count),
        .top = memory_alloc(problem->sections, sizeof *lanes->top),
        .crossing = memory_alloc(problem->sections, sizeof *lanes->crossing),
        .weight = memory_alloc(problem->sections, sizeof *lanes->weight),
        .dirty = memory_zalloc(blocks / 64 + 1, sizeof *lanes->dirty),
        .start = memory_alloc(problem->n, sizeof *lanes->start),
        .floats = memory_alloc(problem->n, sizeof *lanes->floats),
        .placed = memory_alloc(problem->n, sizeof *lanes->placed),
        .floating = memory_alloc(problem->n / 64 + 1, sizeof *lanes->floating),
        .increment = 1.0,
    };
    find_lanes(lanes);
    numbers = lanes->lanes * blocks;
    lanes->words = (lanes->lanes + 63) / 64;
    lanes->start_row = memory_alloc(numbers, sizeof *lanes->start_row);
    lanes->size_row = memory_zalloc(numbers, sizeof *lanes->size_row);
    lanes->buffer_row = memory_zalloc(numbers * LANES_BLOCK, sizeof *lanes->buffer_row);
    lanes->members = memory_alloc(numbers, sizeof *lanes->members);
    lanes->alive = memory_alloc(blocks * lanes->words, sizeof *lanes->alive);
    fill_rows(lanes);
    for (size_t b = 0; b < problem->n; b++)
        lanes->padding = max64(lanes->padding, problem->alignment[b] - 1);
    for (size_t s = 0; s < problem->sections; s++)
        lanes->weight[s] = 1.0;
}

void lanes_clear(struct lanes *lanes)
{
    memory_free(lanes->lane);
    memory_free(lanes->start_row);
    memory_free(lanes->size_row);
    memory_free(lanes->buffer_row);
    memory_free(lanes->look);
    memory_free(lanes->limit);
    memory_free(lanes->count);
    memory_free(lanes->top);
    memory_free(lanes->crossing);
    memory_free(lanes->weight);
    memory_free(lanes->members);
    memory_free(lanes->alive);
    memory_free(lanes->dirty);
    memory_free(lanes->start);
    memory_free(lanes->floats);
    memory_free(lanes->placed);
    memory_free(lanes->floating);
    memory_free(lanes->change);
    memory_free(lanes->seen);
    *lanes = (struct lanes){0};
}

/* --- changes --- */

static void record(struct lanes *lanes, uint8_t kind, size_t index, lane_number value, bool floats)
{
    if (lanes->changes == lanes->change_capacity)
        lanes->change = memory_grow(lanes->change, &lanes->change_capacity, lanes->changes + 1,
                                    sizeof *lanes->change);
    lanes->change[lanes->changes++] = (struct lanes_change){(uint32_t)index, value, kind, floats};
}

/* An unplaced buffer more, or less, in the sections of B.  */
static void count_member(struct lanes *lanes, size_t b, int more)
{
    const struct section_classes *problem = lanes->problem;
    const size_t lane = lanes->lane[b], first = problem->first[b], last = problem->last[b];
    const uint64_t bit = (uint64_t)1 << lane % 64;
    const lane_number size = (lane_number)problem->size[b];

    for (size_t s = first; s < last; s++)
        lanes->crossing[s] += (uint32_t)more;
    for (size_t k = first / LANES_BLOCK; k <= last / LANES_BLOCK; k++) {
        const lane_vector mask = within(k, first, last);
        uint64_t *alive = &lanes->alive[k * lanes->words + lane / 64];

        lanes->count[k] += mask & all(more);
        lanes->limit[k] -= mask & all(more * size);
        lanes->members[k * lanes->lanes + lane] += (uint32_t)more;
        *alive = lanes->members[k * lanes->lanes + lane] > 0 ? *alive | bit : *alive & ~bit;
    }
}

bool lanes_reset(struct lanes *lanes, int64_t capacity)
{
    const struct section_classes *problem = lanes->problem;
    bool fits = true;

    lanes->capacity = (lane_number)capacity;
    lanes->changes = lanes->n_seen = lanes->n_placed = 0;
    lanes->failed = SIZE_MAX;
    memset(lanes->members, 0, lanes->lanes * lanes->blocks * sizeof *lanes->members);
    memset(lanes->alive, 0, lanes->blocks * lanes->words * sizeof *lanes->alive);
    memset(lanes->floating, 0, (problem->n / 64 + 1) * sizeof *lanes->floating);
    memset(lanes->crossing, 0, problem->sections * sizeof *lanes->crossing);
    memset(lanes->top, 0, problem->sections * sizeof *lanes->top);
    for (size_t k = 0; k < lanes->blocks; k++) {
        lanes->limit[k] = all(capacity);
        lanes->count[k] = all(0);
        touch(lanes, k);
    }
    for (size_t b = 0; b < problem->n; b++) {
        lanes->start[b] = 0;
        lanes->floats[b] = lanes->placed[b] = false;
        write_starts(lanes, b, 0);
        count_member(lanes, b, 1);
        fits = fits && problem->size[b] <= capacity;
    }
    return fits;
}

void lanes_undo(struct lanes *lanes, size_t mark)
{
    while (lanes->changes > mark) {
        const struct lanes_change *change = &lanes->change[--lanes->changes];
        const size_t index = change->index;

        switch (change->kind) {
        case CHANGE_START:
            lanes->start[index] = change->value;
            set_floats(lanes, index, change->floats);
            write_starts(lanes, index, change->value);
            break;
        case CHANGE_TOP:
            lanes->top[index] = change->value;
            break;
        case CHANGE_PLACED:
            lanes->placed[index] = false;
            lanes->n_placed--;
            set_floats(lanes, index, change->floats);
            write_starts(lanes, index, lanes->start[index]);
            count_member(lanes, index, 1);
            break;
        case CHANGE_LOOK:
            lanes->look[index] = lanes->seen[--lanes->n_seen];
            break;
        }
    }
    memset(lanes->dirty, 0, (lanes->blocks / 64 + 1) * sizeof *lanes->dirty);
    lanes->failed = SIZE_MAX;
}

/* Buffer B can't start below START, says section S.  What a look found is as it was in a section
 * where the start was neither the least nor one of those that can be the lowest, nor its end one of
 * the two least.  */
static void raise_start(struct lanes *lanes, size_t b, int64_t start, bool floats, size_t s)
{
    const struct section_classes *problem = lanes->problem;
    const lane_vector before = all(lanes->start[b]), end = all(lanes_end(lanes, b));
    lane_vector *row = starts_of(lanes, lanes->lane[b]), after;

    start = section_classes_next(problem, b, start);
    if (start > lanes->capacity - problem->size[b]) {
        lanes->failed = s;
        return;
    }
    record(lanes, CHANGE_START, b, lanes->start[b], lanes->floats[b]);
    after = all(start);
    lanes->start[b] = (lane_number)start;
    set_floats(lanes, b, floats);
    for (size_t k = problem->first[b] / LANES_BLOCK; k <= problem->last[b] / LANES_BLOCK; k++) {
        const lane_vector mask = within(k, problem->first[b], problem->last[b]);
        const struct lanes_look *look = &lanes->look[k];

        row[k] = choose(mask, after, row[k]);
        if (any(mask & ((before == look->least_start) | (end <= look->end_2) |
                        ((before <= lanes->limit[k]) & (after > lanes->limit[k])))))
            touch(lanes, k);
    }
}

/* What C, placed, does to the buffers above it in the sections of block K that MASK has.  */
static void lift(struct lanes *lanes, size_t c, size_t k, lane_vector mask)
{
    const struct section_classes *problem = lanes->problem;
    const int64_t end = lanes_end(lanes, c);
    const lane_vector most = all(end + lanes->padding);

    FOR_ALIVE (lanes, k, lane) {
        lane_vector near = mask & (starts_of(lanes, lane)[k] <= most);

        if (!any(near))
            continue;
        for (size_t i = 0; i < LANES_BLOCK; i++) {
            size_t s = k * LANES_BLOCK + i, b;

            if (near[i] == 0)
                continue;
            b = buffer_in(lanes, lane, s);
            if (lanes->start[b] < end) {
                raise_start(lanes, b, end, false, s);
            } else if (lanes->floats[b] &&
                       lanes->start[b] == section_classes_next(problem, b, end)) {
                record(lanes, CHANGE_START, b, lanes->start[b], true);
                set_floats(lanes, b, false);
            }
            i += problem->last[b] - s;
        }
    }
}

void lanes_place(struct lanes *lanes, size_t c)
{
    const struct section_classes *problem = lanes->problem;
    const size_t first = problem->first[c], last = problem->last[c];

    CHECK_INVARIANT(CHECK(!lanes->placed[c], "lanes", "what is placed was not"));
    for (size_t s = first; s <= last; s++) {
        record(lanes, CHANGE_TOP, s, lanes->top[s], false);
        lanes->top[s] = (lane_number)lanes_end(lanes, c);
    }
    record(lanes, CHANGE_PLACED, c, 0, lanes->floats[c]);
    lanes->placed[c] = true;
    lanes->n_placed++;
    set_floats(lanes, c, false);
    write_starts(lanes, c, LANES_NONE);
    count_member(lanes, c, -1);
    for (size_t k = first / LANES_BLOCK; k <= last / LANES_BLOCK; k++) {
        lift(lanes, c, k, within(k, first, last));
        touch(lanes, k);
    }
}

void lanes_postpone(struct lanes *lanes, size_t b, int64_t start)
{
    raise_start(lanes, b, start, true, lanes->problem->first[b]);
}

void lanes_grow(struct lanes *lanes, double factor)
{
    if (!weights_grow(&lanes->increment, factor))
        return;
    lanes->increment = weights_lower(lanes->increment);
    for (size_t s = 0; s < lanes->problem->sections; s++)
        lanes->weight[s] = weights_lower(lanes->weight[s]);
}

void lanes_neighbours(const struct lanes *lanes, size_t c, int64_t *least_start, int64_t *least_end)
{
    const size_t first = lanes->problem->first[c], last = lanes->problem->last[c];
    lane_vector start = all(LANES_NONE), end = all(LANES_NONE);

    for (size_t k = first / LANES_BLOCK; k <= last / LANES_BLOCK; k++) {
        const lane_vector mask = within(k, first, last);

        FOR_ALIVE (lanes, k, lane) {
            lane_vector here;

            if (lane == lanes->lane[c])
                continue;
            here = choose(mask, starts_of(lanes, lane)[k], all(LANES_NONE));
            start = lower(start, here);
            end = lower(end, here + sizes_of(lanes, lane)[k]);
        }
    }
    *least_start = lowest(start);
    *least_end = lowest(end);
}

/* --- rules --- */

/* Starts and ends of the unplaced members of the sections of block K.  */
static void look_at(struct lanes *lanes, size_t k)
{
    const lane_vector limit = lanes->limit[k];
    lane_vector least = all(LANES_NONE), candidates = all(0), end_1 = least, end_2 = least;
    lane_vector holder = all(0);

    record(lanes, CHANGE_LOOK, k, 0, false);
    if (lanes->n_seen == lanes->seen_capacity)
        lanes->seen =
            memory_grow(lanes->seen, &lanes->seen_capacity, lanes->n_seen + 1, sizeof *lanes->seen);
    lanes->seen[lanes->n_seen++] = lanes->look[k];
    FOR_ALIVE (lanes, k, lane) {
        lane_vector start = starts_of(lanes, lane)[k], end = start + sizes_of(lanes, lane)[k];
        lane_vector first = end < end_1;

        least = lower(least, start);
        candidates -= start <= limit;
        end_2 = lower(end_2, higher(end_1, end));
        end_1 = lower(end_1, end);
        holder = choose(first, all((int64_t)lane), holder);
    }
    lanes->look[k] = (struct lanes_look){least, candidates, end_1, end_2, holder};
}

/* The end of the only candidate of each section of block K that ONE has; -1 elsewhere.  */
static lane_vector only_ends(const struct lanes *lanes, size_t k, lane_vector one)
{
    lane_vector ends = all(-1);

    FOR_ALIVE (lanes, k, lane) {
        lane_vector start = starts_of(lanes, lane)[k];

        ends = choose(one & (start <= lanes->limit[k]), start + sizes_of(lanes, lane)[k], ends);
    }
    return ends;
}

/* Raises the members of the sections ACTIVE of block K that can't be the lowest.  */
static void raise_members(struct lanes *lanes, size_t k, lane_vector active)
{
    const struct lanes_look look = lanes->look[k];
    const lane_vector limit = lanes->limit[k], one = active & (look.candidates == 1);
    lane_vector others = all(-1), holders = others;

    if (lanes->not_first) {
        others = look.end_1;
        holders = look.end_2;
    }
    if (any(one)) {
        lane_vector ends = only_ends(lanes, k, one);

        others = higher(others, ends);
        holders = higher(holders, ends);
    }
    FOR_ALIVE (lanes, k, lane) {
        lane_vector start = starts_of(lanes, lane)[k];
        lane_vector least = choose(look.holder == (lane_number)lane, holders, others);
        lane_vector rises = active & (start > limit) & (start < least);

        if (!any(rises))
            continue;
        for (size_t i = 0; i < LANES_BLOCK; i++) {
            size_t s = k * LANES_BLOCK + i, b;

            if (rises[i] == 0)
                continue;
            b = buffer_in(lanes, lane, s);
            if (lanes->start[b] < least[i])
                raise_start(lanes, b, least[i], true, s);
            if (lanes->failed != SIZE_MAX)
                return;
        }
    }
}

/* The rules on block K, once; starts RISE or not.  */
static void apply(struct lanes *lanes, size_t k, bool rise)
{
    lane_vector candidates, count = lanes->count[k], none, active;

    look_at(lanes, k);
    candidates = lanes->look[k].candidates;
    none = (candidates == 0) & (count > 0);
    active = (count > 0) & ((candidates < count) | (candidates == 1));
    if (any(none)) {
        lanes->failed = k * LANES_BLOCK;
        while (none[lanes->failed % LANES_BLOCK] == 0)
            lanes->failed++;
    } else if (rise && any(active)) {
        raise_members(lanes, k, active);
    }
}

/* The support rule on buffer B, which floats.  */
static void support(struct lanes *lanes, size_t b)
{
    const struct section_classes *problem = lanes->problem;
    const size_t first = problem->first[b], last = problem->last[b];
    lane_vector end = all(LANES_NONE);

    for (size_t k = first / LANES_BLOCK; k <= last / LANES_BLOCK; k++) {
        const struct lanes_look *look = &lanes->look[k];
        lane_vector least =
            choose(look->holder == (lane_number)lanes->lane[b], look->end_2, look->end_1);

        end = lower(end, choose(within(k, first, last), least, all(LANES_NONE)));
    }
    if (lanes->start[b] < lowest(end))
        raise_start(lanes, b, lowest(end), true, first);
}

static void support_all(struct lanes *lanes)
{
    for (size_t word = 0; word <= lanes->problem->n / 64; word++)
        for (uint64_t left = lanes->floating[word]; left != 0; left &= left - 1) {
            support(lanes, 64 * word + (size_t)__builtin_ctzll(left));
            if (lanes->failed != SIZE_MAX)
                return;
        }
}

/* Looks at the blocks that are dirty, and at those that become so, until none is or a rule
 * failed.  */
static void apply_all(struct lanes *lanes, size_t *left)
{
    for (bool some = true; some && lanes->failed == SIZE_MAX;) {
        some = false;
        for (size_t word = 0; word <= lanes->blocks / 64; word++)
            while (lanes->dirty[word] != 0 && lanes->failed == SIZE_MAX) {
                size_t k = 64 * word + (size_t)__builtin_ctzll(lanes->dirty[word]);

                lanes->dirty[word] &= lanes->dirty[word] - 1;
                apply(lanes, k, *left > 0);
                *left -= *left > 0;
                some = true;
            }
    }
}

bool lanes_apply(struct lanes *lanes, bool supported)
{
    size_t left = MOST_LOOKS * lanes->blocks, before;

    do {
        apply_all(lanes, &left);
        before = lanes->changes;
        if (supported && left > 0 && lanes->failed == SIZE_MAX)
            support_all(lanes);
    } while (lanes->failed == SIZE_MAX && lanes->changes > before);
    if (lanes->failed == SIZE_MAX)
        return true;
    lanes->weight[lanes->failed] += lanes->increment;
    return false;
}
