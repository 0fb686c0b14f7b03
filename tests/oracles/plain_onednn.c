/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "tests/oracles/plain_planners.h"
#include "tests/oracles/plain_shipped.h"

/* A chunk with its history, which moves and extends what it came from at once.  */
struct piece_of_memory {
    struct piece_of_memory *part_of, *joined[3];
    size_t n_joined;
    bool upper, free;
    int64_t start, size;
    int64_t freed, listed; /* the event, and how many were listed before it */
};

struct memory {
    bool hot;
    struct piece_of_memory *now[10000], *made[10000]; /* by address; all */
    size_t count, all;
    int64_t event, listed;
};

static struct piece_of_memory *make(struct memory *memory, int64_t start, int64_t size)
{
    struct piece_of_memory *chunk = memory_zalloc(1, sizeof *chunk);

    chunk->start = start;
    chunk->size = size;
    return memory->made[memory->all++] = chunk;
}

static int64_t start_of(const struct piece_of_memory *chunk)
{
    if (chunk->part_of != NULL)
        return start_of(chunk->part_of) + (chunk->upper ? chunk->part_of->size - chunk->size : 0);
    return chunk->n_joined > 0 ? start_of(chunk->joined[0]) : chunk->start;
}

static void move_up(struct piece_of_memory *chunk, int64_t by)
{
    if (chunk->part_of != NULL && !chunk->upper)
        move_up(chunk->part_of, by);
    for (size_t i = 0; i < chunk->n_joined; i++)
        move_up(chunk->joined[i], by);
    chunk->start += by; /* of an origin */
}

static void extend(struct piece_of_memory *chunk, int64_t by)
{
    chunk->size += by;
    if (chunk->part_of != NULL)
        extend(chunk->part_of, by);
    else if (chunk->n_joined > 0)
        extend(chunk->joined[chunk->n_joined - 1], by);
}

static void put_at(struct memory *memory, size_t at, struct piece_of_memory *chunk)
{
    for (size_t i = memory->count++; i > at; i--)
        memory->now[i] = memory->now[i - 1];
    memory->now[at] = chunk;
}

static void list(struct memory *memory, struct piece_of_memory *chunk)
{
    chunk->free = true;
    chunk->listed = memory->listed++;
}

static float heat(const struct memory *memory, const struct piece_of_memory *chunk, int64_t size)
{
    float distance = (float)llabs(chunk->size - size) / (float)max64(chunk->size, size);
    float score = -distance + (size <= chunk->size ? 1.0F : 0.0F);

    return score + (1.0F - fminf((float)(memory->event - chunk->freed) / 10.0F, 1.0F));
}

/* Whether A comes before B among free chunks.  */
static bool earlier(const struct memory *memory, const struct piece_of_memory *a,
                    const struct piece_of_memory *b)
{
    int64_t x = memory->hot ? a->freed : a->size, y = memory->hot ? b->freed : b->size;

    return x != y ? x < y : a->listed < b->listed;
}

/* Whether A is a better choice than B for SIZE bytes.  */
static bool better(const struct memory *memory, int64_t size, const struct piece_of_memory *a,
                   const struct piece_of_memory *b)
{
    if (!memory->hot && (a->size >= size) != (b->size >= size))
        return a->size >= size;
    if (!memory->hot)
        return a->size >= size ? earlier(memory, a, b) : earlier(memory, b, a);
    return heat(memory, a, size) > heat(memory, b, size) ||
           (heat(memory, a, size) == heat(memory, b, size) && earlier(memory, a, b));
}

/* The place of the free chunk for SIZE bytes; count: none is free.  */
static size_t choose(const struct memory *memory, int64_t size)
{
    size_t best = memory->count, last = memory->count;

    for (size_t i = 0; i < memory->count; i++) {
        if (!memory->now[i]->free)
            continue;
        if (best == memory->count || better(memory, size, memory->now[i], memory->now[best]))
            best = i;
        if (last == memory->count || earlier(memory, memory->now[last], memory->now[i]))
            last = i;
    }
    if (memory->hot && best < memory->count &&
        heat(memory, memory->now[last], size) == heat(memory, memory->now[best], size))
        return last;
    return best;
}

static struct piece_of_memory *take(struct memory *memory, int64_t size)
{
    size_t at = choose(memory, size);
    struct piece_of_memory *chunk, *upper;
    int64_t top = 0;

    if (at == memory->count) {
        for (size_t i = 0; i < memory->count; i++)
            top += memory->now[i]->size;
        put_at(memory, at, make(memory, top, size));
        return memory->now[at];
    }
    chunk = memory->now[at];
    chunk->free = false;
    if (chunk->size < size) {
        for (size_t i = at + 1; i < memory->count; i++)
            move_up(memory->now[i], size - chunk->size);
        extend(chunk, size - chunk->size);
    }
    if (chunk->size == size)
        return chunk;
    memory->now[at] = make(memory, 0, size);
    upper = make(memory, 0, chunk->size - size);
    memory->now[at]->part_of = upper->part_of = chunk;
    upper->upper = true;
    upper->freed = chunk->freed;
    put_at(memory, at + 1, upper);
    list(memory, upper);
    return memory->now[at];
}

static void give_back(struct memory *memory, struct piece_of_memory *chunk)
{
    size_t from = 0, to;

    while (memory->now[from] != chunk)
        from++;
    to = from + 1;
    while (from > 0 && memory->now[from - 1]->free)
        from--;
    while (to < memory->count && memory->now[to]->free)
        to++;
    if (to - from > 1) {
        chunk = make(memory, 0, 0);
        for (size_t i = from; i < to; i++) {
            memory->now[i]->free = false;
            chunk->joined[chunk->n_joined++] = memory->now[i];
            chunk->size += memory->now[i]->size;
        }
        memory->now[from] = chunk;
        for (size_t i = to; i < memory->count; i++)
            memory->now[from + 1 + i - to] = memory->now[i];
        memory->count -= to - from - 1;
    }
    chunk->freed = memory->event;
    list(memory, chunk);
}

static void replay(const struct instance *instance, bool hot, struct plan *plan)
{
    size_t n = instance->n, times;
    int64_t *time = plain_times(instance, &times);
    struct memory *memory = memory_zalloc(1, sizeof *memory);
    struct piece_of_memory **of = memory_alloc(n, sizeof *of);

    memory->hot = hot;
    for (size_t t = 0; t < times; t++)
        for (size_t e = 0; e < 2 * n; e++) {
            const struct buffer *buffer = &instance->buffer[e % n];

            if ((e < n ? buffer->end : buffer->begin) != time[t])
                continue;
            memory->event++;
            if (e < n)
                give_back(memory, of[e]);
            else
                of[e - n] = take(memory, align_up(buffer->size, instance->max_alignment));
        }
    for (size_t b = 0; b < n; b++)
        plan->offset[b] = start_of(of[b]);
    plan->peak = plan_peak(instance, plan);
    for (size_t i = 0; i < memory->all; i++)
        free(memory->made[i]);
    free(memory);
    free(of);
    free(time);
}

void plain_onednn(const struct instance *instance, struct plan *plan)
{
    replay(instance, false, plan);
}

void plain_onednn_hot(const struct instance *instance, struct plan *plan)
{
    replay(instance, true, plan);
}
