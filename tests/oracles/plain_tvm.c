/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/oracles/plain_tvm.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"

struct planning {
    const struct instance *instance;
    size_t *conflicts; /* of each buffer: their number, */
    size_t **conflict; /* and which they are */
    size_t *order;     /* the buffers as they are placed, */
    size_t *position;  /* and where each stands */
    bool *placed;
};

static void planning_init(struct planning *planning, const struct instance *instance)
{
    size_t n = instance->n;

    planning->instance = instance;
    planning->conflicts = memory_zalloc(n, sizeof *planning->conflicts);
    planning->conflict = memory_zalloc(n, sizeof *planning->conflict);
    planning->order = memory_alloc(n, sizeof *planning->order);
    planning->position = memory_alloc(n, sizeof *planning->position);
    planning->placed = memory_alloc(n, sizeof *planning->placed);
    for (size_t a = 0; a < n; a++) {
        planning->conflict[a] = memory_alloc(n, sizeof *planning->conflict[a]);
        for (size_t b = 0; b < n; b++)
            if (a != b && buffers_overlap_in_time(&instance->buffer[a], &instance->buffer[b]))
                planning->conflict[a][planning->conflicts[a]++] = b;
    }
}

static void planning_clear(struct planning *planning)
{
    for (size_t a = 0; a < planning->instance->n; a++)
        free(planning->conflict[a]);
    free(planning->conflicts);
    free(planning->conflict);
    free(planning->order);
    free(planning->position);
    free(planning->placed);
}

static bool goes_first(const struct planning *planning, bool by_size, size_t a, size_t b)
{
    const struct buffer *x = &planning->instance->buffer[a], *y = &planning->instance->buffer[b];
    size_t conflicts_x = planning->conflicts[a], conflicts_y = planning->conflicts[b];

    if (by_size && x->size != y->size)
        return x->size > y->size;
    if (conflicts_x != conflicts_y)
        return conflicts_x > conflicts_y;
    if (x->size != y->size)
        return x->size > y->size;
    return strcmp(x->id, y->id) > 0;
}

static void sort_order(struct planning *planning, bool by_size)
{
    for (size_t i = 0; i < planning->instance->n; i++) {
        size_t at = i;

        for (; at > 0 && goes_first(planning, by_size, i, planning->order[at - 1]); at--)
            planning->order[at] = planning->order[at - 1];
        planning->order[at] = i;
    }
    for (size_t i = 0; i < planning->instance->n; i++)
        planning->position[planning->order[i]] = i;
}

/* The end of B, rounded up to B's alignment.  */
static int64_t after(const struct planning *planning, const struct plan *plan, size_t b)
{
    const struct buffer *buffer = &planning->instance->buffer[b];

    return align_up(plan->offset[b] + buffer->size, buffer->alignment);
}

static void on_top(struct planning *planning, struct plan *plan)
{
    memset(planning->placed, 0, planning->instance->n * sizeof *planning->placed);
    for (size_t i = 0; i < planning->instance->n; i++) {
        size_t b = planning->order[i];

        plan->offset[b] = 0;
        for (size_t c = 0; c < planning->conflicts[b]; c++) {
            size_t other = planning->conflict[b][c];

            if (planning->placed[other])
                plan->offset[b] = max64(plan->offset[b], after(planning, plan, other));
        }
        planning->placed[b] = true;
    }
    plan->peak = plan_peak(planning->instance, plan);
}

static void greedy(const struct instance *instance, bool by_size, struct plan *plan)
{
    struct planning planning;

    planning_init(&planning, instance);
    sort_order(&planning, by_size);
    on_top(&planning, plan);
    planning_clear(&planning);
}

void plain_tvm_size(const struct instance *instance, struct plan *plan)
{
    greedy(instance, true, plan);
}

void plain_tvm_conflicts(const struct instance *instance, struct plan *plan)
{
    greedy(instance, false, plan);
}

/* The hill climb's own placement.  */
static void place_all(struct planning *planning, struct plan *plan)
{
    size_t n = planning->instance->n, *list = memory_alloc(n, sizeof *list);

    memset(planning->placed, 0, n * sizeof *planning->placed);
    for (size_t i = 0; i < n; i++) {
        size_t b = planning->order[i], count = 0;
        int64_t candidate = 0;

        for (size_t c = 0; c < planning->conflicts[b]; c++) {
            size_t other = planning->conflict[b][c], at = count;

            if (!planning->placed[other])
                continue;
            for (; at > 0 && plan->offset[list[at - 1]] > plan->offset[other]; at--)
                list[at] = list[at - 1];
            list[at] = other;
            count++;
        }
        for (size_t c = 0; c < count; c++) {
            int64_t next = after(planning, plan, list[c]);

            if (next > candidate &&
                candidate + planning->instance->buffer[b].size > plan->offset[list[c]])
                candidate = next;
        }
        plan->offset[b] = candidate;
        planning->placed[b] = true;
    }
    plan->peak = plan_peak(planning->instance, plan);
    free(list);
}

static void swap_places(struct planning *planning, int p, int q)
{
    size_t one, other;

    if (p == q)
        return;
    one = planning->order[p];
    other = planning->order[q];
    planning->order[p] = other;
    planning->order[q] = one;
    planning->position[one] = (size_t)q;
    planning->position[other] = (size_t)p;
}

/* A growing list of buffers, sorted by place.  */
struct level {
    size_t *buffer, count, capacity;
};

static void level_add(struct level *level, const struct planning *planning, size_t b)
{
    size_t at = level->count++;

    level->buffer = memory_grow(level->buffer, &level->capacity, level->count, sizeof b);
    for (; at > 0 && planning->position[level->buffer[at - 1]] > planning->position[b]; at--)
        level->buffer[at] = level->buffer[at - 1];
    level->buffer[at] = b;
}

static size_t drawn(unsigned *seed, size_t below)
{
    return (size_t)rand_r(seed) % below;
}

/* The two buffers to swap, or false.  */
static bool draw_swap(const struct level *first, const struct level *second, unsigned *seed,
                      size_t pair[2])
{
    if (first->count == 0)
        return false;
    pair[0] = pair[1] = first->buffer[drawn(seed, first->count)];
    while (pair[1] == pair[0]) {
        pair[1] = second->count > 0 && drawn(seed, 100) > 25
                      ? second->buffer[drawn(seed, second->count)]
                      : first->buffer[drawn(seed, first->count)];
        if (second->count < 2 && first->count < 2)
            break;
    }

    return pair[0] != pair[1];
}

/* Moves on from the accepted PLAN; SWAP keeps what it had when nothing moves.  */
static void move(struct planning *planning, const struct plan *plan, unsigned *seed, int swap[2])
{
    struct level highest = {0}, first = {0}, second = {0};
    const size_t *position = planning->position;
    size_t node, pair[2];

    for (size_t b = 0; b < planning->instance->n; b++)
        if (plan->offset[b] + planning->instance->buffer[b].size == plan->peak)
            level_add(&highest, planning, b);
    node = highest.buffer[drawn(seed, highest.count)];
    for (size_t i = 0; i < planning->conflicts[node]; i++) {
        size_t c = planning->conflict[node][i];

        if (position[node] > position[c])
            level_add(&first, planning, c);
        for (size_t j = 0; j < planning->conflicts[c]; j++)
            if (position[c] > position[planning->conflict[c][j]])
                level_add(&second, planning, planning->conflict[c][j]);
    }
    if (draw_swap(&first, &second, seed, pair)) {
        swap[0] = (int)position[pair[0]];
        swap[1] = (int)position[pair[1]];
        swap_places(planning, swap[0], swap[1]);
    }
    free(highest.buffer);
    free(first.buffer);
    free(second.buffer);
}

void plain_tvm_hill_climb(const struct instance *instance, int attempts, unsigned seed,
                          struct plan *plan, int64_t *first, int64_t *best)
{
    struct plan *trial = plan_new(instance);
    struct planning planning;
    uint64_t total_size = 0;
    int swap[2] = {-1, -1};

    planning_init(&planning, instance);
    sort_order(&planning, true);
    *first = *best = 0;
    for (int attempt = 0; attempt < attempts && instance->n > 0; attempt++) {
        uint64_t total;

        place_all(&planning, trial);
        total = (uint64_t)trial->peak;
        if (total_size == 0 || total_size > total ||
            rand_r(&seed) % 100 < (int)(50 * (total - total_size) / total / (uint64_t)attempt)) {
            plan_copy(plan, trial);
            *first = attempt == 0 ? plan->peak : *first;
            *best = attempt == 0 ? plan->peak : min64(*best, plan->peak);
            total_size = total;
            if (trial->peak <= instance->load)
                break;
        } else {
            swap_places(&planning, swap[1], swap[0]);
        }
        move(&planning, plan, &seed, swap);
    }
    planning_clear(&planning);
    plan_free(trial);
}
