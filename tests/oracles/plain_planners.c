/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/oracles/plain_planners.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"

int64_t *plain_times(const struct instance *instance, size_t *count)
{
    int64_t *time = memory_alloc(2 * instance->n, sizeof *time);
    size_t kept = 0;

    for (size_t b = 0; b < instance->n; b++) {
        time[2 * b] = instance->buffer[b].begin;
        time[2 * b + 1] = instance->buffer[b].end;
    }
    qsort(time, 2 * instance->n, sizeof *time, compare64);
    for (size_t i = 0; i < 2 * instance->n; i++)
        if (kept == 0 || time[kept - 1] != time[i])
            time[kept++] = time[i];
    *count = kept;
    return time;
}

static void merge(const struct instance *instance, plain_before *before, size_t *order,
                  size_t *spare, size_t count)
{
    size_t half = count / 2, left = 0, right = half;

    if (count < 2)
        return;
    merge(instance, before, order, spare, half);
    merge(instance, before, order + half, spare, count - half);
    for (size_t i = 0; i < count; i++) {
        if (right == count || (left < half && !before(instance, order[right], order[left])))
            spare[i] = order[left++];
        else
            spare[i] = order[right++];
    }
    memcpy(order, spare, count * sizeof *order);
}

size_t *plain_order(const struct instance *instance, plain_before *before, bool reversed)
{
    size_t *order = memory_alloc(instance->n, sizeof *order);
    size_t *spare = memory_alloc(instance->n, sizeof *spare);

    for (size_t b = 0; b < instance->n; b++)
        order[b] = reversed ? instance->n - 1 - b : b;
    if (before != NULL)
        merge(instance, before, order, spare, instance->n);
    free(spare);
    return order;
}

bool plain_larger(const struct instance *instance, size_t a, size_t b)
{
    return instance->buffer[a].size > instance->buffer[b].size;
}

static bool longer(const struct buffer *a, const struct buffer *b)
{
    return a->end - a->begin > b->end - b->begin;
}

bool plain_larger_then_longer(const struct instance *instance, size_t a, size_t b)
{
    const struct buffer *x = &instance->buffer[a], *y = &instance->buffer[b];

    return x->size != y->size ? x->size > y->size : longer(x, y);
}

bool plain_longer_then_larger(const struct instance *instance, size_t a, size_t b)
{
    const struct buffer *x = &instance->buffer[a], *y = &instance->buffer[b];

    return longer(x, y) || (!longer(y, x) && x->size > y->size);
}

bool plain_earlier(const struct instance *instance, size_t a, size_t b)
{
    return instance->buffer[a].begin < instance->buffer[b].begin;
}

static int64_t scan(const struct instance *instance, const struct plan *plan, const size_t *placed,
                    size_t count, size_t b, bool first_fit)
{
    const struct buffer *buffer = &instance->buffer[b];
    int64_t previous = 0, best_offset = -1, best_gap = INT64_MAX;

    for (size_t i = 0; i < count; i++) {
        const struct buffer *other = &instance->buffer[placed[i]];
        int64_t offset = plan->offset[placed[i]];

        if (offset >= previous) {
            int64_t gap = offset - previous;

            if (gap >= buffer->size && gap < best_gap && !(first_fit && best_offset >= 0)) {
                best_gap = gap;
                best_offset = previous;
            }
        }
        previous = max64(previous, align_up(offset + other->size, buffer->alignment));
    }
    return best_offset >= 0 ? best_offset : previous;
}

int64_t plain_best(const struct instance *instance, const struct plan *plan, const size_t *placed,
                   size_t count, size_t b)
{
    return scan(instance, plan, placed, count, b, false);
}

int64_t plain_first(const struct instance *instance, const struct plan *plan, const size_t *placed,
                    size_t count, size_t b)
{
    return scan(instance, plan, placed, count, b, true);
}

int64_t plain_top(const struct instance *instance, const struct plan *plan, const size_t *placed,
                  size_t count, size_t b)
{
    int64_t height = 0;

    for (size_t i = 0; i < count; i++)
        height = max64(height, plan->offset[placed[i]] + instance->buffer[placed[i]].size);
    return align_up(height, instance->buffer[b].alignment);
}

void plain_place(const struct instance *instance, const size_t *order, plain_fit *fit,
                 struct plan *plan)
{
    size_t *placed = memory_alloc(instance->n, sizeof *placed);
    size_t *met = memory_alloc(instance->n, sizeof *met);

    plan->peak = 0;
    for (size_t i = 0; i < instance->n; i++) {
        size_t b = order[i], count = 0, at = i;
        const struct buffer *buffer = &instance->buffer[b];

        for (size_t j = 0; j < i; j++)
            if (buffers_overlap_in_time(&instance->buffer[placed[j]], buffer))
                met[count++] = placed[j];
        plan->offset[b] = fit(instance, plan, met, count, b);
        plan->peak = max64(plan->peak, plan->offset[b] + buffer->size);
        for (; at > 0 && plan->offset[placed[at - 1]] > plan->offset[b]; at--)
            placed[at] = placed[at - 1];
        placed[at] = b;
    }
    free(met);
    free(placed);
}
