/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/sections/lanes.h"

#include <string.h>

#include "lib/base/check.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/weights.h"
#include "planner/sections/lanes_private.h"

/* Numbers in rows of one kind, at most: 8 MiB.  */
#define MOST_NUMBERS ((size_t)1 << 22)
/* As in section_state.c: hardly any fixpoint takes as many looks.  */
#define MOST_LOOKS 16

struct lanes_change {
    uint32_t index; /* buffer or block */
    lane_number value;
    uint8_t kind;
    bool floats;
};

static void write_starts(struct lane_state *lanes, size_t b, lane_number start)
{
    const struct section_classes *problem = lanes->problem;
    const size_t first = problem->first[b], last = problem->last[b];

    for (size_t k = first / LANES_BLOCK; k <= last / LANES_BLOCK; k++) {
        lane_vector *here = &lanes_cells(lanes, k)[lanes->lane[b]].start;

        *here = lanes_choose(lanes_within(k, first, last), lanes_all(start), *here);
    }
}

static void touch(struct lane_state *lanes, size_t k)
{
    lanes->dirty[k / 64] |= (uint64_t)1 << k % 64;
}

static bool floats(const struct lane_state *lanes, size_t b)
{
    return (lanes->floating[b / 64] >> b % 64 & 1) != 0;
}

static void set_floats(struct lane_state *lanes, size_t b, bool yes)
{
    uint64_t bit = (uint64_t)1 << b % 64, *word = &lanes->floating[b / 64];

    *word = yes ? *word | bit : *word & ~bit;
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
static void find_lanes(struct lane_state *lanes)
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

static void fill_rows(struct lane_state *lanes)
{
    const struct section_classes *problem = lanes->problem;

    for (size_t i = 0; i < lanes->lanes * lanes->blocks; i++)
        lanes->cell[i].start = lanes_all(LANES_NONE);
    for (size_t b = 0; b < problem->n; b++)
        for (size_t s = problem->first[b]; s <= problem->last[b]; s++) {
            const size_t cell = s / LANES_BLOCK * lanes->lanes + lanes->lane[b];

            lanes->cell[cell].size[s % LANES_BLOCK] = (lane_number)problem->size[b];
            lanes->buffer[cell * LANES_BLOCK + s % LANES_BLOCK] = (uint32_t)b;
        }
}

void lanes_init(struct lane_state *lanes, const struct section_classes *problem)
{
    const size_t blocks = (problem->sections + LANES_BLOCK - 1) / LANES_BLOCK;
    size_t numbers;

    *lanes = (struct lane_state){
        .problem = problem,
        .blocks = blocks,
        .lane = memory_alloc(problem->n, sizeof *lanes->lane),
        .look = memory_alloc(blocks, sizeof *lanes->look),
        .limit = memory_zalloc(blocks, sizeof *lanes->limit),
        .count = memory_zalloc(blocks, sizeof *lanes->count),
        .crossing = memory_alloc(problem->sections, sizeof *lanes->crossing),
        .weight = memory_alloc(problem->sections, sizeof *lanes->weight),
        .increment = 1.0,
        .dirty = memory_zalloc(blocks / 64 + 1, sizeof *lanes->dirty),
        .start = memory_alloc(problem->n, sizeof *lanes->start),
        .placed = memory_alloc(problem->n, sizeof *lanes->placed),
        .floating = memory_alloc(problem->n / 64 + 1, sizeof *lanes->floating),
        .most_looks = MOST_LOOKS,
    };
    find_lanes(lanes);
    numbers = lanes->lanes * blocks;
    lanes->words = (lanes->lanes + 63) / 64;
    lanes->cell = memory_zalloc(numbers, sizeof *lanes->cell);
    lanes->buffer = memory_zalloc(numbers * LANES_BLOCK, sizeof *lanes->buffer);
    lanes->members = memory_alloc(numbers, sizeof *lanes->members);
    lanes->alive = memory_alloc(blocks * lanes->words, sizeof *lanes->alive);
    fill_rows(lanes);
    for (size_t s = 0; s < problem->sections; s++)
        lanes->weight[s] = 1.0;
}

void lanes_clear(struct lane_state *lanes)
{
    memory_free(lanes->lane);
    memory_free(lanes->cell);
    memory_free(lanes->buffer);
    memory_free(lanes->look);
    memory_free(lanes->limit);
    memory_free(lanes->count);
    memory_free(lanes->crossing);
    memory_free(lanes->weight);
    memory_free(lanes->members);
    memory_free(lanes->alive);
    memory_free(lanes->dirty);
    memory_free(lanes->start);
    memory_free(lanes->placed);
    memory_free(lanes->floating);
    memory_free(lanes->change);
    memory_free(lanes->seen);
    *lanes = (struct lane_state){0};
}

/* --- changes --- */

void lanes_record(struct lane_state *lanes, uint8_t kind, size_t index, lane_number value,
                  bool floats)
{
    if (lanes->changes == lanes->change_capacity)
        lanes->change = memory_grow(lanes->change, &lanes->change_capacity, lanes->changes + 1,
                                    sizeof *lanes->change);
    lanes->change[lanes->changes++] = (struct lanes_change){(uint32_t)index, value, kind, floats};
}

/* An unplaced buffer more, or less, in the sections of B.  */
static void count_member(struct lane_state *lanes, size_t b, int more)
{
    const struct section_classes *problem = lanes->problem;
    const size_t lane = lanes->lane[b], first = problem->first[b], last = problem->last[b];
    const uint64_t bit = (uint64_t)1 << lane % 64;
    const lane_number size = (lane_number)problem->size[b];

    for (size_t s = first; s < last; s++)
        lanes->crossing[s] += (uint32_t)more;
    for (size_t k = first / LANES_BLOCK; k <= last / LANES_BLOCK; k++) {
        const lane_vector mask = lanes_within(k, first, last);
        uint64_t *alive = &lanes->alive[k * lanes->words + lane / 64];

        lanes->count[k] += mask & lanes_all(more);
        lanes->limit[k] -= mask & lanes_all(more * size);
        lanes->members[k * lanes->lanes + lane] += (uint32_t)more;
        *alive = lanes->members[k * lanes->lanes + lane] > 0 ? *alive | bit : *alive & ~bit;
    }
}

bool lanes_reset(struct lane_state *lanes, int64_t capacity)
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
    for (size_t k = 0; k < lanes->blocks; k++) {
        lanes->limit[k] = lanes_all(capacity);
        lanes->count[k] = lanes_all(0);
        touch(lanes, k);
    }
    for (size_t b = 0; b < problem->n; b++) {
        lanes->start[b] = 0;
        lanes->placed[b] = false;
        write_starts(lanes, b, 0);
        count_member(lanes, b, 1);
        fits = fits && problem->size[b] <= capacity;
    }
    return fits;
}

void lanes_undo(struct lane_state *lanes, size_t mark)
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
void lanes_raise(struct lane_state *lanes, size_t b, int64_t start, bool rests, size_t s)
{
    const struct section_classes *problem = lanes->problem;
    const size_t first = problem->first[b], last = problem->last[b];
    const lane_vector before = lanes_all(lanes->start[b]), end = lanes_all(lanes_end(lanes, b));
    lane_vector after;

    start = section_classes_next(problem, b, start);
    if (start > lanes->capacity - problem->size[b]) {
        lanes->failed = s;
        return;
    }
    lanes_record(lanes, CHANGE_START, b, lanes->start[b], floats(lanes, b));
    after = lanes_all(start);
    lanes->start[b] = (lane_number)start;
    set_floats(lanes, b, !rests);
    for (size_t k = first / LANES_BLOCK; k <= last / LANES_BLOCK; k++) {
        const lane_vector mask = lanes_within(k, first, last);
        const struct lanes_look *look = &lanes->look[k];
        lane_vector *here = &lanes_cells(lanes, k)[lanes->lane[b]].start;

        *here = lanes_choose(mask, after, *here);
        if (lanes_any(mask & ((before == look->least_start) | (end <= look->end_2) |
                              ((before <= lanes->limit[k]) & (after > lanes->limit[k])))))
            touch(lanes, k);
    }
}

/* Raises the buffers that C, placed, is below, in the sections of block K that MASK has.  */
static void lift(struct lane_state *lanes, size_t c, size_t k, lane_vector mask)
{
    const int64_t end = lanes_end(lanes, c);
    const lane_vector ends = lanes_all(end);
    const struct lanes_cell *cell = lanes_cells(lanes, k);

    FOR_ALIVE (lanes, k, lane) {
        const lane_vector low = mask & (cell[lane].start < ends);

        FOR_SECTIONS(low, i)
        {
            const size_t s = k * LANES_BLOCK + i, b = lanes_buffer(lanes, lane, s);

            if (lanes->start[b] < end)
                lanes_raise(lanes, b, end, true, s);
        }
    }
}

/* What floats where C, placed, ends rests on it now.  */
static void let_rest(struct lane_state *lanes, size_t c)
{
    const struct section_classes *problem = lanes->problem;
    const int64_t end = lanes_end(lanes, c);

    for (size_t word = 0; word <= problem->n / 64; word++)
        for (uint64_t left = lanes->floating[word]; left != 0; left &= left - 1) {
            const size_t b = 64 * word + (size_t)__builtin_ctzll(left);

            if (!section_classes_meet(problem, b, c) ||
                lanes->start[b] != section_classes_next(problem, b, end))
                continue;
            lanes_record(lanes, CHANGE_START, b, lanes->start[b], true);
            set_floats(lanes, b, false);
        }
}

void lanes_place(struct lane_state *lanes, size_t c)
{
    const struct section_classes *problem = lanes->problem;
    const size_t first = problem->first[c], last = problem->last[c];

    CHECK_INVARIANT(CHECK(!lanes->placed[c], "lanes", "what is placed was not"));
    lanes_record(lanes, CHANGE_PLACED, c, 0, floats(lanes, c));
    lanes->placed[c] = true;
    lanes->n_placed++;
    set_floats(lanes, c, false);
    write_starts(lanes, c, LANES_NONE);
    count_member(lanes, c, -1);
    for (size_t k = first / LANES_BLOCK; k <= last / LANES_BLOCK; k++) {
        lift(lanes, c, k, lanes_within(k, first, last));
        touch(lanes, k);
    }
    let_rest(lanes, c);
}

void lanes_postpone(struct lane_state *lanes, size_t b, int64_t start)
{
    lanes_raise(lanes, b, start, false, lanes->problem->first[b]);
}

void lanes_grow(struct lane_state *lanes, double factor)
{
    if (!weights_grow(&lanes->increment, factor))
        return;
    lanes->increment = weights_lower(lanes->increment);
    for (size_t s = 0; s < lanes->problem->sections; s++)
        lanes->weight[s] = weights_lower(lanes->weight[s]);
}

void lanes_neighbours(const struct lane_state *lanes, size_t c, int64_t *least_start,
                      int64_t *least_end)
{
    const size_t first = lanes->problem->first[c], last = lanes->problem->last[c];
    lane_vector start = lanes_all(LANES_NONE), end = lanes_all(LANES_NONE);

    for (size_t k = first / LANES_BLOCK; k <= last / LANES_BLOCK; k++) {
        const lane_vector mask = lanes_within(k, first, last);
        const struct lanes_cell *cell = lanes_cells(lanes, k);

        FOR_ALIVE (lanes, k, lane) {
            lane_vector here;

            if (lane == lanes->lane[c])
                continue;
            here = lanes_choose(mask, cell[lane].start, lanes_all(LANES_NONE));
            start = lanes_lower(start, here);
            end = lanes_lower(end, here + cell[lane].size);
        }
    }
    *least_start = lanes_lowest(start);
    *least_end = lanes_lowest(end);
}
