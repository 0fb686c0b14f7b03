#include <config.h>

#include "solvers/common/section_windows.h"

#include <stdlib.h>

#include "lib/memory.h"
#include "lib/timer.h"
#include "solvers/common/section_problem.h"
#include "solvers/common/section_search.h"

enum { NARROWEST = 2, LAST_STEP_OF_ONE = 8 };

void section_windows_init(struct section_windows *windows, const struct section_problem *problem,
                          const struct section_options *options, bool full_width, size_t memo_bytes,
                          uint32_t seed)
{
    *windows = (struct section_windows){
        .problem = problem,
        .options = options,
        .full_width = full_width,
        .map = memory_alloc(problem->n, sizeof *windows->map),
        .memo_bytes = memo_bytes,
        .seed = seed,
    };
}

void section_windows_clear(struct section_windows *windows)
{
    free(windows->feasible);
    free(windows->map);
    *windows = (struct section_windows){0};
}

static bool known_feasible(const struct section_windows *windows, size_t from, size_t to,
                           int64_t capacity)
{
    for (size_t i = 0; i < windows->n_feasible; i++) {
        const struct feasible_window *known = &windows->feasible[i];

        if (known->from <= from && to <= known->to && known->capacity <= capacity)
            return true;
    }
    return false;
}

static bool refutes(struct section_windows *windows, size_t from, size_t to, int64_t capacity,
                    int64_t nodes, double deadline)
{
    struct section_problem *window;
    struct section_search search;
    enum search_result result;
    int64_t removed = 0;

    if (known_feasible(windows, from, to, capacity))
        return false;
    window = section_problem_window(windows->problem, from, to, windows->map,
                                    windows->full_width ? &removed : NULL);
    section_search_init(&search, window, windows->options, windows->memo_bytes, windows->seed);
    result = section_search_run(&search, capacity - removed, nodes, deadline);
    windows->nodes += search.nodes;
    section_search_clear(&search);
    section_problem_free(window);
    if (result == SEARCH_REFUTED) {
        windows->last_from = from;
        windows->last_to = to;
    } else if (result == SEARCH_SOLVED) {
        windows->feasible = memory_grow(windows->feasible, &windows->feasible_capacity,
                                        windows->n_feasible + 1, sizeof *windows->feasible);
        windows->feasible[windows->n_feasible++] = (struct feasible_window){from, to, capacity};
    }
    return result == SEARCH_REFUTED;
}

bool section_windows_refute(struct section_windows *windows, int64_t capacity, int64_t nodes,
                            double deadline)
{
    size_t sections = windows->problem->sections;

    if (windows->last_from < windows->last_to &&
        refutes(windows, windows->last_from, windows->last_to, capacity, nodes, deadline))
        return true;
    for (size_t width = NARROWEST; width < sections;
         width = width < LAST_STEP_OF_ONE ? width + 1 : width + width / 4) {
        size_t step = width / 4 > 0 ? width / 4 : 1;

        for (size_t from = 0; from + width <= sections; from += step) {
            if (refutes(windows, from, from + width, capacity, nodes, deadline))
                return true;
            if (timer_now() >= deadline)
                return false;
        }
    }
    return false;
}
