#include <config.h>

#include "planner/pairs/piece_bounds.h"

#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"

void piece_bounds_init(struct piece_bounds *bounds, const struct piece_problem *problem)
{
    size_t count = 2 * (problem->n + problem->pairs);

    *bounds = (struct piece_bounds){
        .problem = problem,
        .count = count,
        .bound = memory_alloc(count, sizeof *bounds->bound),
        .last = memory_alloc(count, sizeof *bounds->last),
    };
}

void piece_bounds_clear(struct piece_bounds *bounds)
{
    free(bounds->bound);
    free(bounds->last);
    free(bounds->rise);
    free(bounds->level);
}

bool piece_bounds_reset(struct piece_bounds *bounds, int64_t capacity)
{
    const struct piece_problem *problem = bounds->problem;

    for (size_t b = 0; b < problem->n; b++) {
        int64_t latest = capacity - problem->size[b];

        if (latest < 0)
            return false;
        bounds->bound[2 * b] = 0;
        bounds->bound[2 * b + 1] = latest % problem->alignment[b] - latest;
    }
    for (size_t i = 2 * problem->n; i < bounds->count; i++)
        bounds->bound[i] = -capacity;
    piece_bounds_root(bounds);
    return true;
}

void piece_bounds_root(struct piece_bounds *bounds)
{
    for (size_t i = 0; i < bounds->count; i++)
        bounds->last[i] = SIZE_MAX;
    bounds->rises = bounds->levels = 0;
}

/* The next multiple of A from VALUE on, which may be negative.  */
static int64_t next_multiple(int64_t value, int64_t a)
{
    int64_t rest = value % a;

    return rest == 0 ? value : value - rest + (rest > 0 ? a : 0);
}

/* The gap of a difference that holds VALUE of bound INDEX, as (*BELOW, *ABOVE) in terms of
 * this bound.  */
static bool find_gap(const struct piece_problem *problem, size_t index, int64_t value,
                     int64_t *below, int64_t *above)
{
    const struct piece_pair *pair = &problem->pair[index / 2 - problem->n];

    for (size_t g = pair->gap; g < pair->gap + pair->gaps; g++) {
        const struct piece_gap *gap = &problem->gap[g];

        *below = index % 2 == 0 ? gap->below : -gap->above;
        *above = index % 2 == 0 ? gap->above : -gap->below;
        if (*below < value && value <= *above)
            return true;
    }
    return false;
}

int64_t piece_bounds_weakest(const struct piece_bounds *bounds, size_t index, int64_t least)
{
    const struct piece_problem *problem = bounds->problem;
    int64_t below, above;

    if (index >= 2 * problem->n)
        return find_gap(problem, index, least, &below, &above) ? below + 1 : least;
    return next_multiple(least, problem->alignment[index / 2]) - problem->alignment[index / 2] + 1;
}

static int64_t next_value(const struct piece_problem *problem, size_t index, int64_t value)
{
    int64_t below, above;

    if (index >= 2 * problem->n)
        return find_gap(problem, index, value, &below, &above) ? above : value;
    return next_multiple(value, problem->alignment[index / 2]);
}

bool piece_bounds_fail(struct piece_bounds *bounds, const struct piece_reason *reason)
{
    bounds->clash = (struct piece_literal){SIZE_MAX, 0};
    bounds->reason = *reason;
    return false;
}

bool piece_bounds_raise(struct piece_bounds *bounds, size_t index, int64_t value,
                        const struct piece_reason *reason)
{
    if (value <= bounds->bound[index])
        return true;
    value = next_value(bounds->problem, index, value);
    if (value > -bounds->bound[index ^ 1]) {
        bounds->clash = (struct piece_literal){index, value};
        bounds->reason = *reason;
        return false;
    }
    bounds->rise =
        memory_grow(bounds->rise, &bounds->rise_capacity, bounds->rises + 1, sizeof *bounds->rise);
    bounds->rise[bounds->rises] =
        (struct piece_rise){index, bounds->bound[index], value, bounds->last[index], *reason};
    bounds->last[index] = bounds->rises++;
    bounds->bound[index] = value;
    return true;
}

void piece_bounds_choose(struct piece_bounds *bounds)
{
    bounds->level = memory_grow(bounds->level, &bounds->level_capacity, bounds->levels + 1,
                                sizeof *bounds->level);
    bounds->level[bounds->levels++] = bounds->rises;
}

void piece_bounds_undo(struct piece_bounds *bounds, size_t rises)
{
    while (bounds->rises > rises) {
        const struct piece_rise *rise = &bounds->rise[--bounds->rises];

        bounds->bound[rise->index] = rise->old;
        bounds->last[rise->index] = rise->before;
    }
}

void piece_bounds_back(struct piece_bounds *bounds, size_t levels)
{
    if (levels >= bounds->levels)
        return;
    piece_bounds_undo(bounds, bounds->level[levels]);
    bounds->levels = levels;
}

size_t piece_bounds_level(const struct piece_bounds *bounds, size_t r)
{
    size_t low = 0, high = bounds->levels;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (bounds->level[middle] <= r)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
