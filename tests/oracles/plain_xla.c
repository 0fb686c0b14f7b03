/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/oracles/plain_xla.h"

#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"

/* A value, as the simulator sorts them: by start, end and id.  */
struct hlo_value {
    int64_t start, last; /* steps, both inclusive */
    size_t id;
};

static int by_start_end_id(const void *a, const void *b)
{
    const struct hlo_value *x = a, *y = b;

    return ORDER(x->start, y->start) ?: ORDER(x->last, y->last) ?: ORDER(x->id, y->id);
}

void plain_xla_clock(const struct instance *instance, int64_t *start, int64_t *end)
{
    size_t n = instance->n;
    struct hlo_value *value = memory_alloc(n, sizeof *value);
    int64_t now = 0, step;

    for (size_t b = 0; b < n; b++)
        value[b] = (struct hlo_value){instance->buffer[b].begin, instance->buffer[b].end - 1, b};
    if (n > 0)
        qsort(value, n, sizeof *value, by_start_end_id);
    step = n > 0 ? value[0].start : 0;
    for (size_t freed = 0; freed < n;) {
        int64_t next = INT64_MAX;

        for (size_t i = 0; i < n; i++)
            if (value[i].start == step)
                start[value[i].id] = now++;
        for (size_t i = 0; i < n; i++)
            if (value[i].last == step) {
                end[value[i].id] = now++;
                freed++;
            }
        for (size_t i = 0; i < n; i++) {
            if (value[i].start > step && value[i].start < next)
                next = value[i].start;
            if (value[i].last > step && value[i].last < next)
                next = value[i].last;
        }
        step = next;
    }
    free(value);
}

struct interval {
    unsigned __int128 first, second; /* the largest goes first */
    size_t buffer;
};

static int decreasing(const void *a, const void *b)
{
    const struct interval *x = a, *y = b;

    return ORDER(y->first, x->first) ?: ORDER(y->second, x->second) ?: ORDER(x->buffer, y->buffer);
}

void plain_xla(const struct instance *instance, enum plain_xla order, plain_fit *fit,
               struct plan *plan)
{
    size_t n = instance->n, *sorted = memory_alloc(n, sizeof *sorted);
    int64_t *start = memory_alloc(n, sizeof *start), *end = memory_alloc(n, sizeof *end);
    struct interval *interval = memory_alloc(n, sizeof *interval);

    plain_xla_clock(instance, start, end);
    for (size_t b = 0; b < n; b++) {
        uint64_t size = (uint64_t)instance->buffer[b].size,
                 duration = (uint64_t)(end[b] - start[b]);

        interval[b] = order == PLAIN_XLA_SPATIAL    ? (struct interval){size, duration, b}
                      : order == PLAIN_XLA_TEMPORAL ? (struct interval){duration, size, b}
                                                    : (struct interval){size, 0, b};
        if (order == PLAIN_XLA_AREA)
            interval[b].first *= duration;
    }
    if (n > 0)
        qsort(interval, n, sizeof *interval, decreasing);
    for (size_t i = 0; i < n; i++)
        sorted[i] = interval[i].buffer;
    plain_place(instance, sorted, fit, plan);
    free(interval);
    free(start);
    free(end);
    free(sorted);
}
