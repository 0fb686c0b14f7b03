/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/run/random_rows.h"

#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"

struct row {
    size_t index;
    int64_t begin, end, size, alignment;
};

static int64_t draw_bound(struct rng *rng)
{
    static const int64_t bounds[] = {3, 8, 100, 100000, 10000000};

    return bounds[rng_range(rng, 0, sizeof bounds / sizeof bounds[0] - 1)];
}

/* A power of two from 2 on, if MOST allows it.  */
static int64_t draw_alignment(struct rng *rng, int64_t most)
{
    int64_t powers = 0;

    for (int64_t left = most; left > 1; left /= 2)
        powers++;
    return powers == 0 ? 1 : INT64_C(1) << rng_range(rng, 1, powers);
}

/* Most lives are short, some go on to the end.  */
static void draw_life(struct rng *rng, int64_t steps, struct row *row)
{
    row->begin = rng_range(rng, 0, steps - 1);
    row->end = rng_range(rng, 0, 3) == 0 ? rng_range(rng, row->begin + 1, steps)
                                         : row->begin + rng_range(rng, 1, 4);
}

static int by_begin(const void *a, const void *b)
{
    const struct row *x = a, *y = b;

    return ORDER(x->begin, y->begin) ?: ORDER(x->index, y->index);
}

static struct instance *make(const struct row *row, size_t n, int64_t index)
{
    char *name = memory_printf("instance %lld", (long long)index);
    struct instance *instance = instance_new(name);
    struct error error;

    for (size_t i = 0; i < n; i++) {
        char *id = memory_printf("b%02zu", i);

        instance_add(instance, id, row[i].begin, row[i].end, row[i].size, row[i].alignment);
        free(id);
    }
    free(name);
    if (!instance_seal(instance, NULL, &error))
        abort(); /* few buffers of small sizes: sums can't overflow */
    return instance;
}

struct instance *random_rows_draw(const struct random_rows *rows, struct rng *rng, int64_t index)
{
    size_t n = (size_t)rng_range(rng, min64(2, rows->buffers), rows->buffers);
    int64_t steps = rng_range(rng, 1, 2 * (int64_t)n);
    int64_t bound = draw_bound(rng), common = draw_alignment(rng, rows->alignment);
    bool own_bounds = rng_range(rng, 0, 3) == 0;
    bool one_alignment = index % 8 == 2 || index % 8 == 5, mixed = index % 8 == 7;
    struct row *row = memory_alloc(n, sizeof *row);
    struct instance *instance;

    for (size_t i = 0; i < n; i++) {
        row[i].index = i;
        draw_life(rng, steps, &row[i]);
        row[i].size = rng_range(rng, 1, own_bounds ? draw_bound(rng) : bound);
        row[i].alignment = one_alignment ? common : 1;
        if (mixed && rng_range(rng, 0, 1) == 0)
            row[i].alignment = draw_alignment(rng, rows->alignment);
    }
    if (index % 2 == 0)
        qsort(row, n, sizeof *row, by_begin);
    instance = make(row, n, index);
    free(row);
    return instance;
}
