/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A planted optimum with the sizes and lifetimes of something real: a plan of another instance
 * is cut off at a height and the holes below it are filled.
 *
 *   height +---+-------+----+     of a first-fit plan, the largest first, what is above the
 *          | a |   c   |////|     height is cut off, and the free room between what is left
 *          |   +-------+////|     becomes buffers, too (hatched): from the lowest hole of
 *          +---+///////| d  |     the first step on, each as long as it stays as high,
 *          |  b  |/////|    |     and cut again at random where it is large.
 *          +-----+-----+----+
 *
 * With slack=P the smallest of the fillings are left out, P per cent of the area at most, but
 * none that are alive at one step, which stays full.  So load = optimum = height.  A buffer
 * of the other instance counts as its bounding rectangle.  The buffers come in random order.  */
#include <config.h>

#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "workloads/area.h"
#include "workloads/copies.h"
#include "workloads/draw.h"
#include "workloads/workload.h"

static const struct param filled_params[] = {
    COPIES_PARAM_OF,
    {"keep", PARAM_INT, "80", NULL, 1, 100, "height in per cent of the peak of the other plan"},
    {"parts", PARAM_INT, "2", NULL, 1, 100, "a filling is cut into so many at most"},
    {"slack", PARAM_INT, "0", NULL, 0, 50, "per cent of the area that is left out"},
    DRAW_PARAM_SEED,
    PARAM_END,
};

/* Fillings are found in time that grows with the square of the buffers.  */
enum { MOST_BUFFERS = 20000 };

/* A placed buffer, or a filling.  */
struct block {
    int64_t begin, end, low, high;
};

struct packing {
    struct block *block;
    size_t n, capacity, kept; /* KEPT: those before the fillings */
    int64_t length, height;
};

static void add_block(struct packing *packing, struct block block)
{
    packing->block =
        memory_grow(packing->block, &packing->capacity, packing->n + 1, sizeof *packing->block);
    packing->block[packing->n++] = block;
}

static int by_size(const void *a, const void *b)
{
    const struct block *one = a, *other = b;
    int order = ORDER(other->high, one->high);

    if (order == 0)
        order = ORDER(one->begin, other->begin);
    return order != 0 ? order : ORDER(one->end, other->end);
}

static int by_low(const void *a, const void *b)
{
    const struct block *one = a, *other = b;

    return ORDER(one->low, other->low);
}

static bool meets(const struct block *block, int64_t begin, int64_t end)
{
    return block->begin < end && begin < block->end;
}

/* The blocks that meet [BEGIN, END), by their low ends, which no two alive at one step share;
 * ALIVE has room for all.  */
static size_t find_alive(const struct packing *packing, int64_t begin, int64_t end,
                         struct block *alive)
{
    size_t count = 0;

    for (size_t i = 0; i < packing->n; i++)
        if (meets(&packing->block[i], begin, end))
            alive[count++] = packing->block[i];
    qsort(alive, count, sizeof *alive, by_low);
    return count;
}

/* First fit, the largest first.  */
static void place_all(struct packing *packing, const struct copy *copy)
{
    size_t n = copy->source->n;
    struct block *block = memory_alloc(n, sizeof *block), *alive = memory_alloc(n, sizeof *alive);

    for (size_t b = 0; b < n; b++) {
        copy_lifetime(copy, b, &block[b].begin, &block[b].end);
        block[b].low = 0;
        block[b].high = copy->source->buffer[b].size;
    }
    qsort(block, n, sizeof *block, by_size);
    for (size_t b = 0; b < n; b++) {
        size_t count = find_alive(packing, block[b].begin, block[b].end, alive);
        int64_t low = 0;

        for (size_t i = 0; i < count && alive[i].low - low < block[b].high; i++)
            low = max64(low, alive[i].high);
        block[b].low = low;
        block[b].high += low;
        packing->height = max64(packing->height, block[b].high);
        add_block(packing, block[b]);
    }
    free(block);
    free(alive);
}

/* What is above KEEP per cent of the height goes.  */
static void cut_off(struct packing *packing, int64_t keep)
{
    size_t left = 0;

    packing->height = max64(1, (int64_t)area_per_cent(area_of(packing->height, 1), keep).low);
    for (size_t i = 0; i < packing->n; i++) {
        struct block block = packing->block[i];

        block.high = min64(block.high, packing->height);
        if (block.low < block.high)
            packing->block[left++] = block;
    }
    packing->n = packing->kept = left;
}

/* Adds BLOCK in up to PARTS parts, side by side or one above the other.  */
static void add_filling(struct packing *packing, struct rng *rng, struct block block, int64_t parts)
{
    for (int64_t left = rng_range(rng, 1, parts); left > 1; left--) {
        bool in_time = rng_range(rng, 0, 1) == 1;
        struct block part = block;

        if (in_time && block.end - block.begin > 1)
            part.end = block.begin = rng_range(rng, block.begin + 1, block.end - 1);
        else if (!in_time && block.high - block.low > 1)
            part.high = block.low = rng_range(rng, block.low + 1, block.high - 1);
        else
            continue;
        add_block(packing, part);
    }
    add_block(packing, block);
}

/* How long [LOW, HIGH), which is free at step BEGIN, stays so.  */
static int64_t free_until(const struct packing *packing, int64_t begin, int64_t low, int64_t high)
{
    int64_t end = packing->length;

    for (size_t i = 0; i < packing->n; i++) {
        const struct block *block = &packing->block[i];

        if (block->low < high && low < block->high && block->begin > begin)
            end = min64(end, block->begin);
    }
    return end;
}

/* All room that is free at step BEGIN.  */
static void fill_at(struct packing *packing, struct rng *rng, int64_t begin, int64_t parts)
{
    struct block *alive = memory_alloc(packing->n + 1, sizeof *alive);
    size_t count = find_alive(packing, begin, begin + 1, alive);
    int64_t top = 0;

    alive[count] = (struct block){begin, begin + 1, packing->height, packing->height};
    for (size_t i = 0; i <= count; i++) {
        if (alive[i].low > top)
            add_filling(packing, rng,
                        (struct block){begin, free_until(packing, begin, top, alive[i].low), top,
                                       alive[i].low},
                        parts);
        top = alive[i].high;
    }
    free(alive);
}

/* A filling ends where the first block begins in its way: what is left of its room beside that
 * is free again.  */
static void fill(struct packing *packing, struct rng *rng, int64_t parts)
{
    size_t count = 0;
    int64_t *time = memory_alloc(2 * packing->kept + 1, sizeof *time);

    time[count++] = 0;
    for (size_t i = 0; i < packing->kept; i++) {
        time[count++] = packing->block[i].begin;
        time[count++] = packing->block[i].end;
    }
    qsort(time, count, sizeof *time, compare64);
    for (size_t i = 0; i < count && time[i] < packing->length; i++)
        if (i == 0 || time[i] != time[i - 1])
            fill_at(packing, rng, time[i], parts);
    free(time);
}

static struct area area(const struct block *block)
{
    return area_of(block->end - block->begin, block->high - block->low);
}

static int by_area(const void *a, const void *b)
{
    const struct block *one = a, *other = b;
    int order = area_order(area(one), area(other));

    if (order == 0)
        order = ORDER(one->begin, other->begin);
    return order != 0 ? order : ORDER(one->low, other->low);
}

static void leave_out(struct packing *packing, struct rng *rng, int64_t slack)
{
    struct area spare = area_per_cent(area_of(packing->height, packing->length), slack);
    int64_t full = rng_range(rng, 0, packing->length - 1);
    size_t left = packing->kept;

    qsort(packing->block + left, packing->n - left, sizeof *packing->block, by_area);
    for (size_t i = packing->kept; i < packing->n; i++) {
        struct block *block = &packing->block[i];

        if (!meets(block, full, full + 1) && area_order(area(block), spare) <= 0)
            spare = area_sub(spare, area(block));
        else
            packing->block[left++] = *block;
    }
    packing->n = left;
}

static struct instance *finish(struct packing *packing, struct rng *rng, struct error *error)
{
    struct draw_buffer *buffer = memory_alloc(packing->n, sizeof *buffer);

    for (size_t i = 0; i < packing->n; i++) {
        const struct block *block = &packing->block[i];

        buffer[i] = (struct draw_buffer){block->begin, block->end, block->high - block->low};
    }
    return draw_finish_list("filled", buffer, packing->n, true, rng, error);
}

static struct instance *filled(const struct params *params, struct error *error)
{
    struct packing packing = {0};
    struct instance *instance = NULL;
    struct sources sources;
    struct copy *copy;
    struct rng *rng;
    size_t count;

    if (!sources_read(&sources, params_text(params, "of"), error)) {
        sources_clear(&sources);
        return NULL;
    }
    rng = draw_rng(params);
    copy = copies_draw(&sources, 1, rng, &count);
    if (copy->source->n > MOST_BUFFERS) {
        error_set(error, "%zu buffers are too many to be filled (at most %d)", copy->source->n,
                  MOST_BUFFERS);
        rng_free(rng);
    } else {
        packing.length = copy->length;
        place_all(&packing, copy);
        cut_off(&packing, params_int(params, "keep"));
        fill(&packing, rng, params_int(params, "parts"));
        leave_out(&packing, rng, params_int(params, "slack"));
        instance = finish(&packing, rng, error);
    }
    free(packing.block);
    free(copy);
    sources_clear(&sources);
    return instance;
}

const struct generator generator_filled = {
    .name = "filled",
    .title = "a plan of another instance cut off and its holes filled: the optimum is the height",
    .source = "arenabench",
    .params = filled_params,
    .instance = filled,
};
