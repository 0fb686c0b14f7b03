/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/support/fixed_case.h"

#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "tests/support/instances.h"

/* Whether buffers A and B, at their fixed offsets, share a step and a byte.  */
static bool meet(const struct instance *instance, const struct buffer *a, const struct buffer *b)
{
    for (size_t i = 0; i < a->pieces; i++)
        for (size_t k = 0; k < b->pieces; k++) {
            const struct piece *p = &instance->piece[a->first_piece + i];
            const struct piece *q = &instance->piece[b->first_piece + k];

            if (p->begin < q->end && q->begin < p->end && a->fixed + p->lo < b->fixed + q->hi &&
                b->fixed + q->lo < a->fixed + p->hi)
                return true;
        }
    return false;
}

/* Whether buffer B, which is fixed, overlaps another fixed one.  */
static bool overlaps(const struct instance *instance, size_t b)
{
    for (size_t a = 0; a < instance->n; a++)
        if (a != b && instance->buffer[a].fixed >= 0 &&
            meet(instance, &instance->buffer[a], &instance->buffer[b]))
            return true;
    return false;
}

bool fixed_case_overlaps(const struct instance *instance)
{
    for (size_t b = 0; b < instance->n; b++)
        if (instance->buffer[b].fixed >= 0 && overlaps(instance, b))
            return true;
    return false;
}

void fixed_case_fix(struct rng *rng, struct instance *instance, size_t most, int64_t high)
{
    for (size_t i = 0; i < most && instance->n > 0; i++) {
        size_t b = (size_t)rng_range(rng, 0, (int64_t)instance->n - 1);
        int64_t before = instance->buffer[b].fixed;

        if (before >= 0)
            continue;
        instance_fix(instance, b, rng_range(rng, 0, high));
        for (int tries = 0; tries < 20 && overlaps(instance, b); tries++)
            instance_fix(instance, b, rng_range(rng, 0, high));
        if (overlaps(instance, b))
            instance->buffer[b].fixed = before;
    }
}

struct instance *fixed_case_of_plan(struct rng *rng, const struct instance *instance,
                                    const struct plan *plan)
{
    struct instance *copy = instance_new(instance->name);
    int64_t every = rng_range(rng, 2, 6), elsewhere = rng_range(rng, 0, 1);

    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];

        instance_add(copy, buffer->id, buffer->begin, buffer->end, buffer->size, buffer->alignment);
        if (rng_range(rng, 1, every) == 1)
            instance_fix(copy, b, plan->offset[b]);
    }
    fixed_case_fix(rng, copy, (size_t)elsewhere, plan->peak / 2);
    return sealed(copy);
}

static struct instance *copy_of(const struct instance *instance)
{
    struct instance *copy = instance_new(instance->name);

    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];

        instance_add_pieces(copy, buffer->id, &instance->piece[buffer->first_piece], buffer->pieces,
                            buffer->alignment);
        if (buffer->fixed >= 0)
            instance_fix(copy, b, buffer->fixed);
    }
    return copy;
}

struct instance *fixed_case_moved(struct rng *rng, const struct instance *instance, size_t *moved)
{
    struct instance *copy = copy_of(instance);
    int64_t before, now;

    do
        *moved = (size_t)rng_range(rng, 0, (int64_t)copy->n - 1);
    while (copy->buffer[*moved].fixed < 0);
    before = copy->buffer[*moved].fixed;
    do
        now = rng_range(rng, -1, before + 2);
    while (now == before);
    copy->buffer[*moved].fixed = now;
    if (!fixed_case_overlaps(copy))
        return sealed(copy);
    instance_free(copy);
    return NULL;
}

struct instance *fixed_case_random(struct rng *rng, bool pieces)
{
    struct instance *instance = instance_new("fixed");
    size_t n = (size_t)rng_range(rng, 2, pieces ? 5 : 7);
    int64_t alignments = rng_range(rng, 1, 3);

    for (size_t b = 0; b < n; b++) {
        size_t count = pieces ? (size_t)rng_range(rng, 1, 3) : 1;
        struct piece piece[3];

        for (size_t i = 0; i < count; i++) {
            int64_t begin = rng_range(rng, 0, 4), lo = pieces ? rng_range(rng, 0, 2) : 0;

            piece[i] = (struct piece){begin, rng_range(rng, begin + 1, 5), lo,
                                      rng_range(rng, lo + 1, pieces ? 3 : 4), false};
        }
        add_shape(instance, piece, count, rng_range(rng, 1, alignments));
    }
    fixed_case_fix(rng, instance, (size_t)rng_range(rng, 1, 3), 6);
    return sealed(instance);
}
