/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/support/piece_case.h"

#include <stdbool.h>
#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "tests/support/instances.h"

/* Whether piece P at X and piece Q at Y share a step and a byte.  */
static bool meet(const struct piece *p, int64_t x, const struct piece *q, int64_t y)
{
    return p->begin < q->end && q->begin < p->end && x + p->lo < y + q->hi && y + q->lo < x + p->hi;
}

static bool fits(const struct instance *instance, const int64_t *offset, size_t b)
{
    const struct buffer *own = &instance->buffer[b];

    for (size_t a = 0; a < b; a++) {
        const struct buffer *other = &instance->buffer[a];

        for (size_t i = 0; i < own->pieces; i++)
            for (size_t k = 0; k < other->pieces; k++)
                if (meet(&instance->piece[own->first_piece + i], offset[b],
                         &instance->piece[other->first_piece + k], offset[a]))
                    return false;
    }
    return true;
}

static void try_all(const struct instance *instance, int64_t *offset, size_t b, int64_t peak,
                    int64_t *least);

/* The same with buffer B at OFFSET[B].  */
static void try_one(const struct instance *instance, int64_t *offset, size_t b, int64_t peak,
                    int64_t *least)
{
    int64_t top = offset[b] + instance->buffer[b].size;

    if (fits(instance, offset, b))
        try_all(instance, offset, b + 1, top > peak ? top : peak, least);
}

/* The least peak of buffers B and up, with the others at OFFSET.  */
static void try_all(const struct instance *instance, int64_t *offset, size_t b, int64_t peak,
                    int64_t *least)
{
    if (b == instance->n) {
        *least = peak < *least ? peak : *least;
        return;
    }
    if (instance->buffer[b].fixed >= 0) {
        offset[b] = instance->buffer[b].fixed;
        try_one(instance, offset, b, peak, least);
        return;
    }
    for (offset[b] = 0; offset[b] + instance->buffer[b].size < *least;
         offset[b] += instance->buffer[b].alignment)
        try_one(instance, offset, b, peak, least);
}

int64_t piece_case_optimum(const struct instance *instance)
{
    int64_t *offset = memory_alloc(instance->n, sizeof *offset);
    int64_t least = instance->total + instance->load + 1; /* above whatever is fixed */

    for (size_t b = 0; b < instance->n; b++)
        least += instance->buffer[b].alignment;
    try_all(instance, offset, 0, 0, &least);
    free(offset);
    return least;
}

struct instance *piece_case_random(struct rng *rng)
{
    struct instance *instance = instance_new("pieces");
    size_t n = (size_t)rng_range(rng, 2, 4);
    int64_t alignment = rng_range(rng, 1, 4) == 1 ? 2 : 1;

    for (size_t b = 0; b < n; b++) {
        size_t count = (size_t)rng_range(rng, 1, 3);
        struct piece piece[3];

        for (size_t i = 0; i < count; i++) {
            int64_t begin = rng_range(rng, 0, 3), lo = rng_range(rng, 0, 2);

            piece[i] = (struct piece){begin, rng_range(rng, begin + 1, 4), lo,
                                      rng_range(rng, lo + 1, 3), false};
        }
        add_shape(instance, piece, count, alignment);
    }
    return sealed(instance);
}
