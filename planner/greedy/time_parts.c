/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/greedy/time_parts.h"

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "planner/greedy/order.h"

size_t time_parts(const struct instance *instance, size_t *part)
{
    struct order_key *key = memory_alloc(instance->n, sizeof *key);
    size_t parts = 0;
    int64_t last_end = 0;

    for (size_t b = 0; b < instance->n; b++)
        key[b] = (struct order_key){key_ascending(instance->buffer[b].begin), 0, b};
    order_sort(key, instance->n);
    for (size_t i = 0; i < instance->n; i++) {
        const struct buffer *buffer = &instance->buffer[key[i].index];

        if (parts == 0 || buffer->begin >= last_end) {
            parts++;
            last_end = buffer->end;
        }
        last_end = max64(last_end, buffer->end);
        part[key[i].index] = parts - 1;
    }
    memory_free(key);
    return parts;
}

void time_parts_peaks(const struct instance *instance, const size_t *part, size_t parts,
                      const struct plan *plan, int64_t *peak)
{
    for (size_t p = 0; p < parts; p++)
        peak[p] = 0;
    for (size_t b = 0; b < instance->n; b++)
        peak[part[b]] = max64(peak[part[b]], plan->offset[b] + instance->buffer[b].size);
}
