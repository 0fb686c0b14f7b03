/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/sections/lanes.h"

#include "lib/base/memory.h"
#include "planner/sections/lanes_private.h"

/* Starts and ends of the unplaced members of the sections of block K.  */
static void look_at(struct lane_state *lanes, size_t k)
{
    const lane_vector limit = lanes->limit[k];
    lane_vector least = lanes_all(LANES_NONE), candidates = lanes_all(0), end_1 = least,
                end_2 = least;
    const struct lanes_cell *cell = lanes_cells(lanes, k);

    lanes_record(lanes, CHANGE_LOOK, k, 0, false);
    if (lanes->n_seen == lanes->seen_capacity)
        lanes->seen =
            memory_grow(lanes->seen, &lanes->seen_capacity, lanes->n_seen + 1, sizeof *lanes->seen);
    lanes->seen[lanes->n_seen++] = lanes->look[k];
    FOR_ALIVE (lanes, k, lane) {
        lane_vector start = cell[lane].start, end = start + cell[lane].size;

        least = lanes_lower(least, start);
        candidates -= start <= limit;
        end_2 = lanes_lower(end_2, lanes_higher(end_1, end));
        end_1 = lanes_lower(end_1, end);
    }
    lanes->look[k] = (struct lanes_look){least, candidates, end_1, end_2};
}

/* The end of the only candidate of each section of block K that ONE has; -1 elsewhere.  */
static lane_vector only_ends(const struct lane_state *lanes, size_t k, lane_vector one)
{
    const struct lanes_cell *cell = lanes_cells(lanes, k);
    lane_vector ends = lanes_all(-1);

    FOR_ALIVE (lanes, k, lane) {
        lane_vector start = cell[lane].start;

        ends = lanes_choose(one & (start <= lanes->limit[k]), start + cell[lane].size, ends);
    }
    return ends;
}

/* Raises the members above the only candidate of the sections of block K that ONE has.  */
static void raise_others(struct lane_state *lanes, size_t k, lane_vector one)
{
    const lane_vector limit = lanes->limit[k], ends = only_ends(lanes, k, one);
    const struct lanes_cell *cell = lanes_cells(lanes, k);

    FOR_ALIVE (lanes, k, lane) {
        lane_vector start = cell[lane].start;
        lane_vector rises = (start > limit) & (start < ends);

        FOR_SECTIONS(rises, i)
        {
            const size_t s = k * LANES_BLOCK + i, b = lanes_buffer(lanes, lane, s);

            if (lanes->start[b] < ends[i])
                lanes_raise(lanes, b, ends[i], false, s);
            if (lanes->failed != SIZE_MAX)
                return;
        }
    }
}

/* The rules on block K, once; starts RISE or not.  */
static void apply(struct lane_state *lanes, size_t k, bool rise)
{
    lane_vector candidates, none, one;

    look_at(lanes, k);
    candidates = lanes->look[k].candidates;
    none = (candidates == 0) & (lanes->count[k] > 0);
    one = candidates == 1;
    if (lanes_any(none)) {
        lanes->failed = k * LANES_BLOCK;
        while (none[lanes->failed % LANES_BLOCK] == 0)
            lanes->failed++;
    } else if (rise && lanes_any(one)) {
        raise_others(lanes, k, one);
    }
}

/* The support rule on buffer B, which floats.  Where the least end is its own, that of a neighbour
 * is the next one, which is as low if a neighbour ends there too.  */
static void support(struct lane_state *lanes, size_t b)
{
    const struct section_classes *problem = lanes->problem;
    const size_t first = problem->first[b], last = problem->last[b];
    const lane_vector own = lanes_all(lanes_end(lanes, b));
    lane_vector end = lanes_all(LANES_NONE);

    for (size_t k = first / LANES_BLOCK; k <= last / LANES_BLOCK; k++) {
        const struct lanes_look *look = &lanes->look[k];
        lane_vector least = lanes_choose(look->end_1 == own, look->end_2, look->end_1);

        end = lanes_lower(end,
                          lanes_choose(lanes_within(k, first, last), least, lanes_all(LANES_NONE)));
    }
    if (lanes->start[b] < lanes_lowest(end))
        lanes_raise(lanes, b, lanes_lowest(end), false, first);
}

static void support_all(struct lane_state *lanes)
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
static void apply_all(struct lane_state *lanes, size_t *left)
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

bool lanes_apply(struct lane_state *lanes, bool supported)
{
    size_t left = lanes->most_looks * lanes->blocks, before;

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
