/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include <stdbool.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "tests/oracles/plain_pools.h"

/* Heights between the moments at which something begins or ends.  */
struct heights {
    int64_t *moment; /* cell c is [moment[c], moment[c + 1]) */
    size_t cells;
    int64_t *height;
};

static void heights_init(struct heights *heights, const struct instance *instance)
{
    size_t count = 0;

    heights->moment = memory_alloc(2 * instance->n + 1, sizeof *heights->moment);
    for (size_t b = 0; b < instance->n; b++) {
        heights->moment[count++] = instance->buffer[b].begin;
        heights->moment[count++] = instance->buffer[b].end;
    }
    qsort(heights->moment, count, sizeof *heights->moment, compare64);
    heights->cells = 0;
    for (size_t i = 1; i < count; i++)
        if (heights->moment[i] != heights->moment[heights->cells])
            heights->moment[++heights->cells] = heights->moment[i];
    heights->height = memory_zalloc(heights->cells, sizeof *heights->height);
}

/* The first of the lowest stretches of equal height: the cells [*from, *to).  */
static void lowest(const struct heights *heights, size_t *from, size_t *to)
{
    *from = 0;
    for (size_t c = 1; c < heights->cells; c++)
        if (heights->height[c] < heights->height[*from])
            *from = c;
    for (*to = *from; *to < heights->cells && heights->height[*to] == heights->height[*from];)
        ++*to;
}

static void raise_to(struct heights *heights, int64_t begin, int64_t end, int64_t height)
{
    for (size_t c = 0; c < heights->cells; c++)
        if (heights->moment[c] >= begin && heights->moment[c] < end)
            heights->height[c] = height;
}

/* Of the buffers that are not placed the longest-lived one within [begin, end).  */
static size_t longest(const struct instance *instance, const bool *placed, int64_t begin,
                      int64_t end)
{
    size_t found = SIZE_MAX;

    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *x = &instance->buffer[b], *y = &instance->buffer[found];

        if (!placed[b] && x->begin >= begin && x->end <= end &&
            (found == SIZE_MAX || x->end - x->begin > y->end - y->begin))
            found = b;
    }
    return found;
}

void plain_sekiyama(const struct instance *instance, struct plan *plan)
{
    bool *placed = memory_zalloc(instance->n, sizeof *placed);
    struct heights heights;

    heights_init(&heights, instance);
    for (size_t left = instance->n; left > 0;) {
        size_t from, to, b;

        lowest(&heights, &from, &to);
        b = longest(instance, placed, heights.moment[from], heights.moment[to]);
        if (b == SIZE_MAX) {
            int64_t before = from > 0 ? heights.height[from - 1] : INT64_MAX;
            int64_t after = to < heights.cells ? heights.height[to] : INT64_MAX;

            raise_to(&heights, heights.moment[from], heights.moment[to], min64(before, after));
            continue;
        }
        plan->offset[b] = align_up(heights.height[from], instance->buffer[b].alignment);
        raise_to(&heights, instance->buffer[b].begin, instance->buffer[b].end,
                 plan->offset[b] + instance->buffer[b].size);
        placed[b] = true;
        left--;
    }
    plan->peak = plan_peak(instance, plan);
    free(heights.moment);
    free(heights.height);
    free(placed);
}
