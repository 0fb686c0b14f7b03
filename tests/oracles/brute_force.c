/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exhaustive search over the orders in which buffers are put down.
 *
 * Putting buffers down in an order means: each goes to the lowest aligned
 * offset that is not below the top of any buffer that was put down before and
 * lives at a common step.
 *
 * Why the best order gives the optimum.  Take an optimal plan whose sum of
 * offsets is least.  Let b be a buffer at offset x, and t the highest top of
 * the buffers that conflict with b and lie below it (0 if there is none).  The
 * bytes between t and x are free during b's life, and x >= align_up(t), since
 * x is aligned and x >= t.  So b could move down to align_up(t); as the sum is
 * least, x = align_up(t).  Now put the buffers down by (offset in that plan,
 * index).  When b's turn comes, the conflicting buffers put down before it are
 * exactly those below it, so b goes to align_up(t) = x: the order reproduces
 * the plan.
 *
 * The same argument allows what the search leaves out: only orders in which
 * (offset, index) grows are needed.  Then all that is still to come lies above
 * whatever it conflicts with and not below the last offset, which gives the
 * bound in `hopeless`.  */
#include <config.h>

#include "tests/oracles/brute_force.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

#include "lib/base/checked.h"
#include "lib/problem/instance.h"

enum { MOST_BUFFERS = 16 };

struct search {
    const struct instance *instance;
    int64_t offset[MOST_BUFFERS];
    bool down[MOST_BUFFERS];
    size_t count; /* buffers that are down */
    int64_t best;
};

static int64_t lowest_offset(const struct search *search, size_t b)
{
    const struct buffer *buffer = search->instance->buffer;
    int64_t top = 0;

    for (size_t i = 0; i < search->instance->n; i++)
        if (search->down[i] && buffers_overlap_in_time(&buffer[i], &buffer[b]))
            top = max64(top, search->offset[i] + buffer[i].size);
    return align_up(top, buffer[b].alignment);
}

/* At step STEP, those still to come stand on one another above all that is
 * down there, and not below FLOOR: does that reach the best peak?  The largest
 * sets of buffers that live together are found at steps where one begins.  */
static bool hopeless_at(const struct search *search, int64_t step, int64_t floor)
{
    int64_t bottom = floor, sum = 0;

    for (size_t i = 0; i < search->instance->n; i++) {
        const struct buffer *buffer = &search->instance->buffer[i];

        if (step < buffer->begin || step >= buffer->end)
            continue;
        if (search->down[i])
            bottom = max64(bottom, search->offset[i] + buffer->size);
        else
            sum += buffer->size;
    }
    return sum > 0 && bottom + sum >= search->best;
}

static bool hopeless(const struct search *search, int64_t floor)
{
    for (size_t i = 0; i < search->instance->n; i++)
        if (hopeless_at(search, search->instance->buffer[i].begin, floor))
            return true;
    return false;
}

/* LAST was put down last, at FLOOR; TOP is the peak so far.  */
static void extend(struct search *search, size_t last, int64_t floor, int64_t top)
{
    const struct instance *instance = search->instance;

    if (search->count == instance->n) {
        search->best = min64(search->best, top);
        return;
    }
    if (top >= search->best || hopeless(search, floor))
        return;
    for (size_t b = 0; b < instance->n; b++) {
        int64_t offset;

        if (search->down[b])
            continue;
        offset = lowest_offset(search, b);
        if (offset < floor || (offset == floor && search->count > 0 && b < last))
            continue;
        search->down[b] = true;
        search->offset[b] = offset;
        search->count++;
        extend(search, b, offset, max64(top, offset + instance->buffer[b].size));
        search->count--;
        search->down[b] = false;
    }
}

int64_t brute_force_optimum(const struct instance *instance)
{
    struct search search = {.instance = instance, .best = INT64_MAX};

    assert(instance->n <= MOST_BUFFERS);
    extend(&search, 0, 0, 0);
    return search.best;
}
