/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "solvers/fit/events.h"

#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "solvers/fit/ties.h"

struct order_key *events_sort(const struct instance *instance, const struct solver_env *env)
{
    size_t *equal = ties_order(env, instance->n, TIES_FIRST);
    struct order_key *event = memory_alloc(2 * instance->n, sizeof *event);

    for (size_t i = 0; i < instance->n; i++) {
        const struct buffer *buffer = &instance->buffer[equal[i]];

        event[2 * i] = (struct order_key){key_ascending(buffer->end), 0, 2 * equal[i]};
        event[2 * i + 1] = (struct order_key){key_ascending(buffer->begin), 1, 2 * equal[i] + 1};
    }
    order_sort(event, 2 * instance->n);
    free(equal);
    return event;
}
