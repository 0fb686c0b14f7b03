#include <config.h>

#include "solvers/common/piece_minimise.h"

#include <stdlib.h>

#include "lib/checked.h"
#include "lib/instance.h"
#include "lib/memory.h"
#include "lib/timer.h"
#include "solvers/common/part_runs.h"
#include "solvers/common/piece_search.h"
#include "solvers/common/shape_fit.h"
#include "solvers/solver.h"

struct run {
    struct part_runs *runs;
    struct part_instance part;
    struct piece_problem *problem;
    struct piece_search search;
};

bool piece_part(const struct part_runs *runs, size_t part)
{
    struct part_instance at;
    bool shapes;

    if (!runs->instance->shapes)
        return false;
    part_instance_begin(&at, runs, part);
    shapes = at.instance->shapes;
    part_instance_end(&at);
    return shapes;
}

/* Plans that know the pieces, where rectangles do not reach the bound.  */
static void place_pieces(struct run *at)
{
    struct plan *plan = plan_new(at->part.instance);

    shape_place_best(at->part.instance, plan);
    part_runs_offer(at->runs, &at->part, plan->offset, plan->peak);
    plan_free(plan);
}

static void take_packing(struct run *at)
{
    const struct instance *instance = at->part.instance;
    int64_t *offset = memory_alloc(instance->n, sizeof *offset), peak = 0;

    for (size_t b = 0; b < instance->n; b++) {
        offset[b] = at->search.state.least[b] * at->part.unit;
        peak = max64(peak, offset[b] + instance->buffer[b].size);
    }
    part_runs_offer(at->runs, &at->part, offset, peak);
    free(offset);
}

static enum piece_result decide(struct run *at, int64_t capacity)
{
    struct part_runs *runs = at->runs;
    int64_t limit = runs->env->work_limit;
    int64_t nodes =
        limit > 0 ? max64(0, limit - runs->plan->nodes - at->search.nodes) : INT64_MAX / 2;
    enum piece_result result = piece_search_run(&at->search, capacity, nodes, runs->deadline);

    if (result == PIECES_STOPPED && timer_now() >= runs->deadline)
        runs->timed_out = true;
    return result;
}

/* BOUND is proven for the part, in units.  After refutations the steps double, but go no
 * further than half way; after a packing they begin with the bound again.  */
static enum piece_result close_bounds(struct run *at, int64_t bound)
{
    struct part_runs *runs = at->runs;
    size_t part = at->part.part;
    enum piece_result result = PIECES_PACKED;
    int64_t step = 1;

    while (result != PIECES_STOPPED && runs->peak[part] > bound * at->part.unit &&
           runs->peak[part] > runs->bound) {
        int64_t high = (runs->peak[part] - 1) / at->part.unit;
        int64_t capacity = min64(bound + (step - 1), bound + (high - bound) / 2);

        result = decide(at, capacity);
        if (result == PIECES_PACKED) {
            take_packing(at);
            step = 1;
        } else if (result == PIECES_REFUTED) {
            bound = capacity + 1;
            part_runs_raise_bound(runs, bound * at->part.unit);
            step *= 2;
        }
    }
    return result;
}

bool piece_minimise(struct part_runs *runs, size_t part)
{
    struct run at = {.runs = runs};
    enum piece_result result;

    part_instance_begin(&at.part, runs, part);
    place_pieces(&at);
    at.problem = piece_problem_new(at.part.instance, at.part.unit);
    piece_search_init(&at.search, at.problem);
    result = close_bounds(&at, runs->bound / at.part.unit);
    runs->plan->nodes += at.search.nodes;
    piece_search_clear(&at.search);
    piece_problem_free(at.problem);
    part_instance_end(&at.part);
    return result != PIECES_STOPPED;
}
