/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/sections/section_windows.h"

#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"
#include "planner/sections/section_problem.h"
#include "planner/sections/section_search.h"

enum { NARROWEST = 2, LAST_STEP_OF_ONE = 8 };

/* Placements in each window of the first pass, how many times more in the next, and in
 * the window that refuted last, than that took.  */
enum { FIRST_NODES = 200, NODES_GROWTH = 4, RETRY_FACTOR = 4 };

void section_windows_init(struct section_windows *windows, const struct section_problem *problem,
                          const struct section_options *options, bool full_width, size_t memo_bytes,
                          uint32_t seed)
{
    *windows = (struct section_windows){
        .problem = problem,
        .options = options,
        .full_width = full_width,
        .memo_bytes = memo_bytes,
        .seed = seed,
        .feasible = memory_zalloc(problem->sections, sizeof *windows->feasible),
        .capacity = -1,
        .map = memory_alloc(problem->n, sizeof *windows->map),
    };
}

void section_windows_clear(struct section_windows *windows)
{
    memory_free(windows->feasible);
    memory_free(windows->map);
    *windows = (struct section_windows){0};
}

static void begin_pass(struct section_windows *windows, int64_t each)
{
    windows->each = each;
    windows->from = 0;
    windows->width = NARROWEST;
    windows->nodes_before = windows->nodes;
}

/* What is feasible stays so at larger capacities only.  */
static void begin(struct section_windows *windows, int64_t capacity)
{
    if (capacity < windows->feasible_capacity)
        memset(windows->feasible, 0, windows->problem->sections * sizeof *windows->feasible);
    windows->feasible_capacity = windows->capacity = capacity;
    windows->retried = false;
    begin_pass(windows, FIRST_NODES);
}

static void note_feasible(struct section_windows *windows, size_t from, size_t to)
{
    for (size_t s = from; s < to && windows->feasible[s] < to; s++)
        windows->feasible[s] = to;
}

/* Whether the window [FROM, TO) refutes the capacity within NODES placements.  */
static bool refutes(struct section_windows *windows, size_t from, size_t to, int64_t nodes,
                    double deadline)
{
    struct section_problem *window;
    struct section_search search;
    enum search_result result;
    int64_t removed = 0;

    if (windows->feasible[from] >= to)
        return false;
    window = section_problem_window(windows->problem, from, to, windows->map,
                                    windows->full_width ? &removed : NULL);
    section_search_init(&search, window, windows->options, windows->memo_bytes, windows->seed);
    result = section_search_run(&search, windows->capacity - removed, nodes, deadline);
    windows->nodes += search.nodes;
    windows->statistics.count[STATISTIC_WINDOWS]++;
    section_search_count(&search, &windows->statistics);
    if (result == SEARCH_REFUTED) {
        windows->last_from = from;
        windows->last_to = to;
        windows->last_nodes = search.nodes;
    } else if (result == SEARCH_SOLVED) {
        note_feasible(windows, from, to);
    }
    section_search_clear(&search);
    section_problem_free(window);
    return result == SEARCH_REFUTED;
}

/* The next window of the pass, or the first of the next pass.  False when there was
 * nothing to search in this one: all windows are feasible.  */
static bool advance(struct section_windows *windows)
{
    size_t width = windows->width;
    bool searched;

    windows->from += width / 4 > 0 ? width / 4 : 1;
    if (windows->from + width <= windows->problem->sections)
        return true;
    windows->from = 0;
    windows->width += width < LAST_STEP_OF_ONE ? 1 : width / 4;
    if (windows->width < windows->problem->sections)
        return true;
    searched = windows->nodes > windows->nodes_before;
    begin_pass(windows, searched ? NODES_GROWTH * windows->each : windows->each);
    return searched;
}

bool section_windows_refute(struct section_windows *windows, int64_t capacity, int64_t nodes,
                            int64_t most, double deadline)
{
    int64_t share = windows->nodes + nodes, limit = windows->nodes + most;

    if (windows->problem->sections <= NARROWEST)
        return false;
    if (capacity != windows->capacity)
        begin(windows, capacity);
    if (!windows->retried && windows->last_from < windows->last_to) {
        windows->retried = true;
        if (refutes(windows, windows->last_from, windows->last_to,
                    min64(most, RETRY_FACTOR * max64(windows->last_nodes, FIRST_NODES)), deadline))
            return true;
    }
    while (windows->nodes < share && windows->nodes < limit && timer_now() < deadline) {
        if (refutes(windows, windows->from, windows->from + windows->width,
                    min64(windows->each, limit - windows->nodes), deadline))
            return true;
        if (!advance(windows))
            return false;
    }
    return false;
}
