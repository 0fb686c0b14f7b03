/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include <stdbool.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "tests/oracles/plain_planners.h"
#include "tests/oracles/plain_pools.h"

struct rounded {
    int64_t size, level, loose;
    int colour;
};

/* Bytes in levels below TOP at step T, of the buffers ORDER[0..count).  */
static int64_t below(const struct instance *instance, const struct rounded *rounded,
                     const size_t *order, size_t count, int64_t t, int64_t top)
{
    int64_t sum = 0;

    for (size_t i = 0; i < count; i++) {
        const struct buffer *buffer = &instance->buffer[order[i]];

        if (buffer->begin <= t && t < buffer->end)
            sum += max64(0, min64(rounded[order[i]].size, top - rounded[order[i]].level));
    }
    return sum;
}

/* Bytes change at begins only.  */
static bool level_serves(const struct instance *instance, const struct rounded *rounded,
                         const size_t *order, size_t count, int64_t level)
{
    const struct buffer *buffer = &instance->buffer[order[count]];
    int64_t top = level + rounded[order[count]].size;

    for (size_t i = 0; i <= count; i++) {
        int64_t t = max64(instance->buffer[order[i]].begin, buffer->begin);

        if (t < buffer->end && below(instance, rounded, order, count, t, top) > level)
            return false;
    }
    return true;
}

/* By size, the largest first, ties by index; then rounded sizes descend too.  */
static void sort_rounded(size_t *order, const struct instance *instance, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t at = i;

        for (; at > 0 && instance->buffer[order[at - 1]].size < instance->buffer[i].size; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

static int free_colour(const struct instance *instance, const struct rounded *rounded,
                       const size_t *order, size_t count)
{
    const struct rounded *mine = &rounded[order[count]];

    for (int colour = 0;; colour++) {
        bool taken = false;

        for (size_t i = 0; i < count; i++) {
            const struct rounded *other = &rounded[order[i]];

            taken |= other->colour == colour && other->level < mine->level + mine->size &&
                     mine->level < other->level + other->size &&
                     buffers_overlap_in_time(&instance->buffer[order[i]],
                                             &instance->buffer[order[count]]);
        }
        if (!taken)
            return colour;
    }
}

static void sort_loose(size_t *order, const struct rounded *rounded, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t b = order[i], at = i;

        for (; at > 0 && rounded[order[at - 1]].loose > rounded[b].loose; at--)
            order[at] = order[at - 1];
        order[at] = b;
    }
}

void plain_kierstead(const struct instance *instance, struct plan *plan, int *colours)
{
    size_t n = instance->n, *order = memory_alloc(n, sizeof *order);
    struct rounded *rounded = memory_zalloc(n, sizeof *rounded);
    int64_t base = 0;

    *colours = 0;
    for (size_t b = 0; b < n; b++)
        for (rounded[b].size = 1;
             rounded[b].size * instance->max_alignment < instance->buffer[b].size;)
            rounded[b].size *= 2;
    sort_rounded(order, instance, n);
    for (size_t i = 0; i < n; i++) {
        struct rounded *mine = &rounded[order[i]];

        while (!level_serves(instance, rounded, order, i, mine->level))
            mine->level += mine->size;
        mine->colour = free_colour(instance, rounded, order, i);
        *colours = mine->colour < *colours ? *colours : mine->colour + 1;
    }
    for (int colour = 0; colour < *colours; colour++) {
        int64_t top = base;

        for (size_t b = 0; b < n; b++)
            if (rounded[b].colour == colour) {
                rounded[b].loose = base + rounded[b].level;
                top = max64(top, rounded[b].loose + rounded[b].size);
            }
        base = top;
    }
    sort_loose(order, rounded, n);
    plain_place(instance, order, plain_first, plan);
    free(rounded);
    free(order);
}
