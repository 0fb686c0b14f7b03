/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/support/random_instances.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "tests/support/instances.h"

static void draw_lifetime(struct rng *rng, enum random_kind kind, size_t i, size_t n,
                          struct buffer *buffer)
{
    int64_t horizon = (int64_t)(2 * n);

    switch (kind) {
    case RANDOM_CHAIN:
        buffer->begin = (int64_t)i;
        buffer->end = buffer->begin + 2;
        if (rng_range(rng, 0, 4) == 0)
            buffer->end += rng_range(rng, 1, horizon / 4 + 1);
        return;
    case RANDOM_TIES:
        buffer->begin = rng_range(rng, 0, 5);
        buffer->end = buffer->begin + rng_range(rng, 1, 3);
        return;
    case RANDOM_TOUCHING:
        buffer->begin = 10 * rng_range(rng, 0, horizon / 4);
        buffer->end = buffer->begin + 10 * rng_range(rng, 1, 4);
        return;
    case RANDOM_NEGATIVE:
        buffer->begin = rng_range(rng, 0, 1) * -1000000007 + rng_range(rng, -horizon, horizon);
        buffer->end = buffer->begin + rng_range(rng, 1, horizon);
        return;
    default:
        buffer->begin = rng_range(rng, 0, horizon);
        buffer->end = buffer->begin + rng_range(rng, 1, horizon / 2 + 1);
        return;
    }
}

static void draw_size(struct rng *rng, enum random_kind kind, size_t n, struct buffer *buffer)
{
    static const int64_t alignments[] = {1, 1, 3, 4, 10, 64};

    buffer->alignment = 1;
    switch (kind) {
    case RANDOM_TIES:
        buffer->size = rng_range(rng, 1, 3);
        return;
    case RANDOM_EQUAL:
        buffer->size = 7;
        return;
    case RANDOM_ALIGNED:
        buffer->alignment = 64;
        buffer->size = rng_range(rng, 1, 300);
        return;
    case RANDOM_MIXED:
        buffer->alignment = alignments[rng_range(rng, 0, 5)];
        buffer->size = rng_range(rng, 1, 200);
        return;
    case RANDOM_HUGE:
        buffer->size = INT64_MAX / 2 / (int64_t)n - rng_range(rng, 0, INT64_MAX / 4 / (int64_t)n);
        return;
    default:
        buffer->size = rng_range(rng, 1, 1000);
        return;
    }
}

struct instance *random_instance(struct rng *rng, enum random_kind kind, size_t n)
{
    struct instance *instance = instance_new(random_kind_name(kind));

    for (size_t i = 0; i < n; i++) {
        struct buffer buffer;

        draw_lifetime(rng, kind, i, n, &buffer);
        draw_size(rng, kind, n, &buffer);
        add_buffer(instance, buffer.begin, buffer.end, buffer.size, buffer.alignment);
    }
    return sealed(instance);
}

const char *random_kind_name(enum random_kind kind)
{
    static const char *const names[] = {"uniform", "chain",    "ties",     "equal", "aligned",
                                        "mixed",   "touching", "negative", "huge"};

    return names[kind];
}

struct instance *tight_instance(struct rng *rng, size_t most, int64_t steps, int64_t cap)
{
    struct instance *instance = instance_new("tight");
    int64_t *used = memory_zalloc((size_t)steps, sizeof *used);

    for (int misses = 0; misses < 30 && instance->n < most;) {
        int64_t begin = rng_range(rng, 0, steps - 1), end = rng_range(rng, begin + 1, steps);
        int64_t room = cap, size;

        for (int64_t t = begin; t < end; t++)
            room = min64(room, cap - used[t]);
        if (room == 0) {
            misses++;
            continue;
        }
        size = rng_range(rng, 1, 3) == 1 ? room : rng_range(rng, 1, room);
        for (int64_t t = begin; t < end; t++)
            used[t] += size;
        add_buffer(instance, begin, end, size, 1);
    }
    free(used);
    return sealed(instance);
}

struct instance *gadget_and_others(struct rng *rng, int64_t others)
{
    struct instance *instance = instance_new("gadget and others");
    int64_t scale = rng_range(rng, 1, 4);

    add_gadget(instance, 0, 0, scale);
    for (int64_t i = 0; i < others; i++) {
        int64_t begin = rng_range(rng, 0, 4);
        char id[40];

        snprintf(id, sizeof id, "other%" PRId64, i);
        instance_add(instance, id, begin, rng_range(rng, begin + 1, 5), rng_range(rng, 1, scale),
                     1);
    }
    return sealed(instance);
}

struct instance *random_alignments(struct rng *rng, const struct instance *plain)
{
    static const int64_t alignments[] = {1, 1, 1, 2, 4, 3};
    struct instance *instance = instance_new("aligned");

    for (size_t b = 0; b < plain->n; b++)
        instance_add(instance, plain->buffer[b].id, plain->buffer[b].begin, plain->buffer[b].end,
                     plain->buffer[b].size, alignments[rng_range(rng, 0, 5)]);
    return sealed(instance);
}
