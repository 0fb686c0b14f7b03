/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/lifetimes/origin.h"

#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/problem/instance.h"

static void free_origin(struct origin *origin)
{
    network_free(origin->network);
    schedule_free(origin->schedule);
    free(origin->value);
    free(origin->buffer);
    free(origin->place);
    free(origin->stream);
    free(origin->after);
    free(origin);
}

void instance_set_origin(struct instance *instance, struct network *network,
                         struct schedule *schedule, size_t *value)
{
    struct origin *origin = memory_alloc(1, sizeof *origin);

    *origin = (struct origin){
        .network = network,
        .schedule = schedule,
        .value = value,
        .buffer = memory_alloc(network->n_values, sizeof *origin->buffer),
        .place = memory_zalloc(network->n_values, sizeof *origin->place),
    };
    instance->origin = origin;
    instance->origin_free = free_origin;
    for (size_t v = 0; v < network->n_values; v++)
        origin->buffer[v] = SIZE_MAX;
    for (size_t b = 0; b < instance->n; b++)
        origin->buffer[value[b]] = b;
}

void instance_set_places(struct instance *instance, size_t *buffer, int64_t *place)
{
    free(instance->origin->buffer);
    free(instance->origin->place);
    instance->origin->buffer = buffer;
    instance->origin->place = place;
}
