/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/sections/section_finder.h"

#include "lib/base/memory.h"
#include "lib/problem/search_statistics.h"

/* Placements in lanes that take as long as one on lists.  */
#define LANES_FOR_ONE 6
/* Of so many placements one is the plain way's and the others are the slack's: where the plain way
 * finds a packing at all it needs fewer of them (doc/tried.md).  */
#define PLAIN_OF 3

void section_finder_init(struct section_finder *finder, const struct section_classes *problem,
                         bool parts, uint32_t seed)
{
    finder->used = 0;
    finder->start = memory_alloc(problem->n, sizeof *finder->start);
    for (size_t way = 0; way < FINDER_WAYS; way++) {
        const struct lane_options chosen = {.slack = way == 1, .parts = parts};

        lane_search_init(&finder->way[way], problem, &chosen, seed);
    }
}

void section_finder_clear(struct section_finder *finder)
{
    memory_free(finder->start);
    for (size_t way = 0; way < FINDER_WAYS; way++)
        lane_search_clear(&finder->way[way]);
}

void section_finder_count(const struct section_finder *finder, struct search_statistics *sum)
{
    for (size_t way = 0; way < FINDER_WAYS; way++)
        lane_search_count(&finder->way[way], sum);
    search_statistics_add(sum, STATISTIC_PLACEMENTS, finder->used);
}

/* How many of NODES placements are for WAY.  */
static int64_t share_of(size_t way, int64_t nodes)
{
    const int64_t plain = (nodes + PLAIN_OF - 1) / PLAIN_OF;

    return way == 0 ? plain : nodes - plain;
}

enum search_result section_finder_run(struct section_finder *finder, int64_t capacity,
                                      int64_t nodes, double deadline, int64_t *used)
{
    int64_t placed = 0;
    enum search_result result = SEARCH_STOPPED;

    for (size_t way = 0; way < FINDER_WAYS && result == SEARCH_STOPPED; way++) {
        struct lane_search *search = &finder->way[way];
        int64_t before = search->nodes, share = share_of(way, LANES_FOR_ONE * nodes);

        result = lane_search_run(search, capacity, share, deadline);
        placed += search->nodes - before;
        for (size_t b = 0; result == SEARCH_SOLVED && b < search->lanes.problem->n; b++)
            finder->start[b] = search->lanes.start[b];
    }
    *used = (placed + LANES_FOR_ONE - 1) / LANES_FOR_ONE;
    finder->used += *used;
    return result;
}
