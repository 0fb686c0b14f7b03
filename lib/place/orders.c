/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "lib/place/orders.h"

#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"

static uint64_t product(uint64_t a, uint64_t b)
{
    uint64_t result;

    return __builtin_mul_overflow(a, b, &result) ? UINT64_MAX : result;
}

/* What is sorted ascending; MET are the buffers alive beside this one.  */
static uint64_t measured(const struct buffer *buffer, size_t met, enum greedy_measure measure)
{
    uint64_t size = (uint64_t)buffer->size;

    switch (measure) {
    case BY_SIZE:
        return ~size;
    case BY_LENGTH:
        return ~lifetime_length(buffer);
    case BY_AREA:
        return ~product(lifetime_length(buffer), size);
    case BY_BEGIN:
        return key_ascending(buffer->begin);
    case BY_END:
        return key_ascending(buffer->end);
    case BY_MET:
        return ~(uint64_t)met;
    case BY_CROWD:
        return ~product(met, size);
    case BY_NOTHING:
        break;
    }
    return 0;
}

void greedy_order(const struct instance *instance, enum greedy_measure major,
                  enum greedy_measure minor, const size_t *equal, struct order_key *key)
{
    size_t *met = NULL;

    if (major == BY_MET || major == BY_CROWD)
        met = instance_conflicts(instance);
    for (size_t i = 0; i < instance->n; i++) {
        size_t b = equal == NULL ? i : equal[i], others = met == NULL ? 0 : met[b];
        const struct buffer *buffer = &instance->buffer[b];

        key[i] =
            (struct order_key){measured(buffer, others, major), measured(buffer, others, minor), b};
    }
    memory_free(met);
    order_sort(key, instance->n);
}

size_t fixed_first(const struct instance *instance, struct order_key *key, struct plan *plan)
{
    struct order_key *rest;
    size_t fixed = 0, others = 0;

    if (instance->fixed == 0)
        return 0;
    rest = memory_alloc(instance->n, sizeof *rest);
    for (size_t i = 0; i < instance->n; i++) {
        size_t b = key[i].index;

        if (instance->buffer[b].fixed < 0) {
            rest[others++] = key[i];
            continue;
        }
        plan->offset[b] = instance->buffer[b].fixed;
        key[fixed++] = key[i];
    }
    for (size_t i = 0; i < others; i++)
        key[fixed + i] = rest[i];
    memory_free(rest);
    return fixed;
}
