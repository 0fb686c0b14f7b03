/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/greedy/fixed_first.h"

#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"

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
