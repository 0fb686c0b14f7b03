/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/sections/section_finder.h"

#include "lib/base/memory.h"
#include "lib/problem/search_statistics.h"

/* Placements in lanes that take as long as one on lists.  */
#define LANES_FOR_ONE 6
/* Runs of each way before one is called the better.  */
#define LEAST_RUNS 16
/* One placement of so many is the other's.  */
#define OTHERS_PART 4

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

/* The way that has placed more buffers at once; FINDER_WAYS while there were too few runs.  */
static size_t better_way(const struct section_finder *finder)
{
    const struct lane_search *plain = &finder->way[0], *slack = &finder->way[1];

    if (plain->restarts < LEAST_RUNS || slack->restarts < LEAST_RUNS)
        return FINDER_WAYS;
    return slack->guide_placed > plain->guide_placed ? 1 : 0;
}

/* How many of NODES placements are for WAY, where BETTER is the better one.  */
static int64_t share_of(size_t way, size_t better, int64_t nodes)
{
    if (better == FINDER_WAYS)
        return (nodes + 1) / FINDER_WAYS;
    return way == better ? nodes - nodes / OTHERS_PART : nodes / OTHERS_PART;
}

enum search_result section_finder_run(struct section_finder *finder, int64_t capacity,
                                      int64_t nodes, double deadline, int64_t *used)
{
    const size_t better = better_way(finder);
    int64_t placed = 0;
    enum search_result result = SEARCH_STOPPED;

    for (size_t way = 0; way < FINDER_WAYS && result == SEARCH_STOPPED; way++) {
        struct lane_search *search = &finder->way[way];
        int64_t before = search->nodes, share = share_of(way, better, LANES_FOR_ONE * nodes);

        result = lane_search_run(search, capacity, share, deadline);
        placed += search->nodes - before;
        for (size_t b = 0; result == SEARCH_SOLVED && b < search->lanes.problem->n; b++)
            finder->start[b] = search->lanes.start[b];
    }
    *used = (placed + LANES_FOR_ONE - 1) / LANES_FOR_ONE;
    finder->used += *used;
    return result;
}
