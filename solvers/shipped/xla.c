/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "solvers/shipped/xla.h"

#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/base/order.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "solvers/fit/ties.h"

void xla_durations(const struct instance *instance, const size_t *numbered, uint64_t *duration)
{
    size_t n = instance->n, allocated = 0, freed = 0;
    struct order_key *alloc = memory_alloc(n, sizeof *alloc);
    struct order_key *end = memory_alloc(n, sizeof *end);

    for (size_t i = 0; i < n; i++) {
        const struct buffer *buffer = &instance->buffer[numbered[i]];
        uint64_t begin_key = key_ascending(buffer->begin), end_key = key_ascending(buffer->end);

        alloc[i] = (struct order_key){begin_key, end_key, numbered[i]};
        end[i] = (struct order_key){end_key, begin_key, numbered[i]};
    }
    order_sort(alloc, n);
    order_sort(end, n);
    for (uint64_t tick = 0; freed < n; tick++)
        if (allocated < n && alloc[allocated].major < end[freed].major)
            duration[alloc[allocated++].index] = tick;
        else
            duration[end[freed].index] = tick - duration[end[freed].index], freed++;
    free(alloc);
    free(end);
}

/* The product of A and B in 128 bits: *HIGH and the result.  */
static uint64_t multiply(uint64_t a, uint64_t b, uint64_t *high)
{
    uint64_t low_mask = UINT32_MAX, a0 = a & low_mask, a1 = a >> 32, b0 = b & low_mask;
    uint64_t b1 = b >> 32, middle = a1 * b0 + (a0 * b0 >> 32);
    uint64_t other = a0 * b1 + (middle & low_mask);

    *high = a1 * b1 + (middle >> 32) + (other >> 32);
    return a * b;
}

static struct order_key key_of(const struct buffer *buffer, uint64_t duration, enum xla_order order,
                               size_t b)
{
    uint64_t size = (uint64_t)buffer->size, high, low;

    switch (order) {
    case XLA_SPATIAL:
        return (struct order_key){~size, ~duration, b};
    case XLA_TEMPORAL:
        return (struct order_key){~duration, ~size, b};
    case XLA_AREA:
        break;
    }
    low = multiply(size, duration, &high);
    return (struct order_key){~high, ~low, b};
}

void xla_place(const struct instance *instance, const struct solver_env *env, enum xla_order order,
               enum gap_fit fit, struct plan *plan)
{
    size_t n = instance->n, *numbered = ties_order(env, n, TIES_FIRST);
    uint64_t *duration = memory_alloc(n, sizeof *duration);
    struct order_key *key = memory_alloc(n, sizeof *key);

    xla_durations(instance, numbered, duration);
    for (size_t i = 0; i < n; i++) {
        size_t b = numbered[i];

        key[i] = key_of(&instance->buffer[b], duration[b], order, b);
    }
    free(duration);
    free(numbered);
    order_sort(key, n);
    gap_place(instance, key, fit, plan);
    free(key);
}
