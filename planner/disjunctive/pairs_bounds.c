/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/disjunctive/pairs_bounds.h"

#include "lib/base/bisect.h"
#include "lib/base/check.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"

void pairs_bounds_init(struct pairs_bounds *bounds, const struct pairs_problem *problem)
{
    size_t count = 2 * (problem->n + problem->pairs);

    *bounds = (struct pairs_bounds){
        .problem = problem,
        .count = count,
        .bound = memory_alloc(count, sizeof *bounds->bound),
        .last = memory_alloc(count, sizeof *bounds->last),
    };
}

void pairs_bounds_clear(struct pairs_bounds *bounds)
{
    memory_free(bounds->bound);
    memory_free(bounds->last);
    memory_free(bounds->rise);
    memory_free(bounds->level);
}

bool pairs_bounds_reset(struct pairs_bounds *bounds, int64_t capacity)
{
    const struct pairs_problem *problem = bounds->problem;

    for (size_t b = 0; b < problem->n; b++) {
        int64_t latest = capacity - problem->size[b];

        if (latest < max64(0, problem->fixed[b]))
            return false;
        bounds->bound[2 * b] = 0;
        bounds->bound[2 * b + 1] = latest % problem->alignment[b] - latest;
        if (problem->fixed[b] >= 0) {
            bounds->bound[2 * b] = problem->fixed[b];
            bounds->bound[2 * b + 1] = -problem->fixed[b];
        }
    }
    for (size_t i = 2 * problem->n; i < bounds->count; i++)
        bounds->bound[i] = -capacity;
    pairs_bounds_root(bounds);
    return true;
}

void pairs_bounds_root(struct pairs_bounds *bounds)
{
    for (size_t i = 0; i < bounds->count; i++)
        bounds->last[i] = SIZE_MAX;
    bounds->rises = bounds->levels = 0;
}

/* The next multiple of A from VALUE on, which may be negative.  */
static int64_t next_multiple(int64_t value, int64_t a)
{
    int64_t rest = value % a;

    return rest == 0 ? value : clipped_add(value - rest, rest > 0 ? a : 0);
}

/* The gap of a difference that holds VALUE of bound INDEX, as (*BELOW, *ABOVE) in terms of
 * this bound.  */
static bool find_gap(const struct pairs_problem *problem, size_t index, int64_t value,
                     int64_t *below, int64_t *above)
{
    const struct pairs_pair *pair = &problem->pair[index / 2 - problem->n];

    for (size_t g = pair->gap; g < pair->gap + pair->gaps; g++) {
        const struct pairs_gap *gap = &problem->gap[g];

        *below = index % 2 == 0 ? gap->below : -gap->above;
        *above = index % 2 == 0 ? gap->above : -gap->below;
        if (*below < value && value <= *above)
            return true;
    }
    return false;
}

int64_t pairs_bounds_weakest(const struct pairs_bounds *bounds, size_t index, int64_t least)
{
    const struct pairs_problem *problem = bounds->problem;
    int64_t below, above;

    if (index >= 2 * problem->n)
        return find_gap(problem, index, least, &below, &above) ? below + 1 : least;
    return next_multiple(least, problem->alignment[index / 2]) - problem->alignment[index / 2] + 1;
}

static int64_t next_value(const struct pairs_problem *problem, size_t index, int64_t value)
{
    int64_t below, above;

    if (index >= 2 * problem->n)
        return find_gap(problem, index, value, &below, &above) ? above : value;
    return next_multiple(value, problem->alignment[index / 2]);
}

bool pairs_bounds_fail(struct pairs_bounds *bounds, const struct pairs_reason *reason)
{
    bounds->clash = (struct pairs_literal){SIZE_MAX, 0};
    bounds->reason = *reason;
    return false;
}

bool pairs_bounds_raise(struct pairs_bounds *bounds, size_t index, int64_t value,
                        const struct pairs_reason *reason)
{
    if (value <= bounds->bound[index])
        return true;
    value = next_value(bounds->problem, index, value);
    if (value > -bounds->bound[index ^ 1]) {
        bounds->clash = (struct pairs_literal){index, value};
        bounds->reason = *reason;
        return false;
    }
    bounds->rise =
        memory_grow(bounds->rise, &bounds->rise_capacity, bounds->rises + 1, sizeof *bounds->rise);
    bounds->rise[bounds->rises] =
        (struct pairs_rise){index, bounds->bound[index], value, bounds->last[index], *reason};
    bounds->last[index] = bounds->rises++;
    bounds->bound[index] = value;
    CHECK_INVARIANT(pairs_bounds_check(bounds));
    return true;
}

void pairs_bounds_choose(struct pairs_bounds *bounds)
{
    bounds->level = memory_grow(bounds->level, &bounds->level_capacity, bounds->levels + 1,
                                sizeof *bounds->level);
    bounds->level[bounds->levels++] = bounds->rises;
}

void pairs_bounds_undo(struct pairs_bounds *bounds, size_t rises)
{
    while (bounds->rises > rises) {
        const struct pairs_rise *rise = &bounds->rise[--bounds->rises];

        bounds->bound[rise->index] = rise->old;
        bounds->last[rise->index] = rise->before;
    }
    CHECK_INVARIANT(pairs_bounds_check(bounds));
}

void pairs_bounds_redo(struct pairs_bounds *bounds, size_t rises)
{
    while (bounds->rises < rises) {
        const struct pairs_rise *rise = &bounds->rise[bounds->rises];

        bounds->bound[rise->index] = rise->now;
        bounds->last[rise->index] = bounds->rises++;
    }
    CHECK_INVARIANT(pairs_bounds_check(bounds));
}

void pairs_bounds_back(struct pairs_bounds *bounds, size_t levels)
{
    if (levels >= bounds->levels)
        return;
    pairs_bounds_undo(bounds, bounds->level[levels]);
    bounds->levels = levels;
}

size_t pairs_bounds_level(const struct pairs_bounds *bounds, size_t r)
{
    return BISECT(level, 0, bounds->levels, bounds->level[level] <= r);
}
