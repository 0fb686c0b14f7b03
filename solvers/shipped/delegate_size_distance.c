/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Upstream keeps the distance of every buffer to every object.  Here only the best one
 * of each buffer is kept, and a bit for each object that can't take it.  When a new
 * tenant rules the best one out, the next is looked for in the tenants of the objects
 * that are left, which do not overlap and stand in the order of time.  */
#include <config.h>

#include "solvers/shipped/delegate_objects.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/bisect.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/order.h"
#include "lib/place/time_walk.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "solvers/fit/ties.h"

#define NO_DISTANCE INT64_MAX

struct tenants {
    size_t *b;
    size_t count, capacity;
};

/* A buffer without an object; its lifetime is here for speed.  */
struct waiting {
    int64_t begin, end;
    int64_t distance; /* to the nearest object that can take it, */
    size_t object;    /* this one; NO_DISTANCE: none can */
    size_t b, rank;
    size_t position; /* among the positional maxima */
};

struct run {
    const struct instance *instance;
    struct plan *plan;
    struct tenants *object;
    struct waiting *waiting; /* those from FIRST on, by position */
    size_t first;
    uint64_t *ruled_out; /* ROW words a buffer, a bit an object: a tenant meets the buffer */
    size_t row;
};

static uint64_t *ruled_out(const struct run *run, size_t b)
{
    return &run->ruled_out[b * run->row];
}

/* Room for the bits of one more object.  */
static void widen_rows(struct run *run)
{
    struct run wider = *run;

    if (run->plan->objects < run->row * 64)
        return;
    wider.row = 2 * run->row;
    wider.ruled_out = memory_zalloc(run->instance->n, wider.row * sizeof *wider.ruled_out);
    for (size_t b = 0; b < run->instance->n; b++)
        memcpy(ruled_out(&wider, b), ruled_out(run, b), run->row * sizeof *run->ruled_out);
    free(run->ruled_out);
    run->ruled_out = wider.ruled_out;
    run->row = wider.row;
}

/* The first tenant that begins at END or later.  */
static size_t first_after(const struct run *run, const struct tenants *tenants, int64_t end)
{
    return BISECT(i, 0, tenants->count, run->instance->buffer[tenants->b[i]].begin < end);
}

/* From WAITING to the nearest tenant of an object that can take it.  */
static int64_t distance_to(const struct run *run, size_t o, const struct waiting *waiting)
{
    const struct tenants *tenants = &run->object[o];
    size_t after = first_after(run, tenants, waiting->end);
    int64_t nearest = NO_DISTANCE;

    if (after > 0)
        nearest = waiting->begin - run->instance->buffer[tenants->b[after - 1]].end + 1;
    if (after < tenants->count)
        nearest = min64(nearest, run->instance->buffer[tenants->b[after]].begin - waiting->end + 1);
    return nearest;
}

/* Finds the nearest object that can take WAITING, the first of equally near ones.  */
static void look_again(const struct run *run, struct waiting *waiting)
{
    const uint64_t *row = ruled_out(run, waiting->b);

    waiting->distance = NO_DISTANCE;
    for (size_t first = 0; first < run->plan->objects; first += 64)
        for (uint64_t left = ~row[first / 64]; left != 0; left &= left - 1) {
            size_t o = first + (size_t)__builtin_ctzll(left);
            int64_t found;

            if (o >= run->plan->objects || waiting->distance == 1)
                return;
            found = distance_to(run, o, waiting);
            if (found < waiting->distance) {
                waiting->distance = found;
                waiting->object = o;
            }
        }
}

static bool goes_before(const struct run *run, const struct waiting *a, const struct waiting *b)
{
    int64_t size_a = run->instance->buffer[a->b].size, size_b = run->instance->buffer[b->b].size;

    if (a->distance != b->distance)
        return a->distance < b->distance;
    return size_a != size_b ? size_a > size_b : a->rank < b->rank;
}

static void add_tenant(struct run *run, size_t o, size_t b)
{
    struct tenants *tenants = &run->object[o];
    size_t at = first_after(run, tenants, run->instance->buffer[b].end);

    tenants->b =
        memory_grow(tenants->b, &tenants->capacity, tenants->count + 1, sizeof *tenants->b);
    memmove(tenants->b + at + 1, tenants->b + at, (tenants->count - at) * sizeof *tenants->b);
    tenants->b[at] = b;
    tenants->count++;
    run->plan->object[b] = o;
}

/* Object O has the new tenant B: what that is for the ones that still wait.  */
static void update(struct run *run, size_t o, size_t b)
{
    int64_t begin = run->instance->buffer[b].begin, end = run->instance->buffer[b].end;

    for (size_t i = run->first; i < run->instance->n; i++) {
        struct waiting *waiting = &run->waiting[i];
        int64_t before = waiting->begin - end, after = begin - waiting->end; /* one is below 0 */
        int64_t distance = max64(before, after) + 1;

        if (distance <= 0) {
            ruled_out(run, waiting->b)[o / 64] |= UINT64_C(1) << o % 64;
            if (waiting->distance != NO_DISTANCE && waiting->object == o)
                look_again(run, waiting);
        } else if (distance < waiting->distance &&
                   (ruled_out(run, waiting->b)[o / 64] >> o % 64 & 1) == 0) {
            waiting->distance = distance;
            waiting->object = o;
        }
    }
}

/* Writes the maximum over the steps of the k-th largest size alive to MOST[k].  An
 * arrival moves only those behind it, so it is enough to look at these.  */
static void positional_maxima(const struct instance *instance, int64_t *most)
{
    int64_t *live = memory_alloc(instance->n, sizeof *live); /* descending */
    size_t count = 0, b, old, at;
    struct time_walk walk;

    for (b = 0; b < instance->n; b++)
        most[b] = 0;
    time_walk_init(&walk, instance, NULL);
    while (time_walk_next(&walk, &b)) {
        int64_t size = instance->buffer[b].size;

        while (time_walk_ended(&walk, &old)) {
            for (at = 0; live[at] != instance->buffer[old].size;)
                at++;
            memmove(live + at, live + at + 1, (--count - at) * sizeof *live);
        }
        for (at = count++; at > 0 && live[at - 1] < size; at--)
            live[at] = live[at - 1];
        live[at] = size;
        for (; at < count; at++)
            most[at] = max64(most[at], live[at]);
    }
    time_walk_clear(&walk);
    free(live);
}

/* The last positional maximum that is at least SIZE.  */
static size_t position_of(const int64_t *most, size_t n, int64_t size)
{
    return BISECT(i, 1, n, most[i] >= size) - 1;
}

static void run_init(struct run *run, const struct instance *instance, struct plan *plan)
{
    size_t n = instance->n;

    *run = (struct run){.instance = instance, .plan = plan};
    run->object = memory_zalloc(n, sizeof *run->object);
    run->waiting = memory_alloc(n, sizeof *run->waiting);
    run->row = 1;
    run->ruled_out = memory_zalloc(n, sizeof *run->ruled_out);
    plan_use_objects(plan, LAYOUT_OBJECTS);
    plan->objects = 0;
}

static void run_clear(struct run *run)
{
    for (size_t o = 0; o < run->plan->objects; o++)
        free(run->object[o].b);
    free(run->object);
    free(run->waiting);
    free(run->ruled_out);
}

/* All wait, by position.  */
static void all_wait(struct run *run, const struct solver_env *env)
{
    const struct instance *instance = run->instance;
    int64_t *most = memory_alloc(instance->n, sizeof *most);
    struct order_key *key = memory_alloc(instance->n, sizeof *key);
    size_t *rank = ties_ranks(env, instance->n, TIES_FIRST);

    positional_maxima(instance, most);
    for (size_t b = 0; b < instance->n; b++)
        key[b] = (struct order_key){position_of(most, instance->n, instance->buffer[b].size),
                                    rank[b], b};
    order_sort(key, instance->n);
    for (size_t i = 0; i < instance->n; i++) {
        const struct buffer *buffer = &instance->buffer[key[i].index];

        run->waiting[i] = (struct waiting){.begin = buffer->begin,
                                           .end = buffer->end,
                                           .distance = NO_DISTANCE,
                                           .b = key[i].index,
                                           .rank = rank[key[i].index],
                                           .position = key[i].major};
    }
    free(rank);
    free(key);
    free(most);
}

/* Takes out the one that goes next, of those with the least position.  */
static struct waiting take_next(struct run *run)
{
    size_t best = run->first;
    struct waiting next;

    for (size_t i = best + 1;
         i < run->instance->n && run->waiting[i].position == run->waiting[run->first].position; i++)
        if (goes_before(run, &run->waiting[i], &run->waiting[best]))
            best = i;
    next = run->waiting[best];
    run->waiting[best] = run->waiting[run->first++];
    return next;
}

void delegate_by_size_distance(const struct instance *instance, const struct solver_env *env,
                               struct plan *plan)
{
    struct run run;

    run_init(&run, instance, plan);
    all_wait(&run, env);
    while (run.first < instance->n) {
        struct waiting next = take_next(&run);

        if (next.distance == NO_DISTANCE) {
            widen_rows(&run);
            next.object = plan->objects++;
        }
        add_tenant(&run, next.object, next.b);
        update(&run, next.object, next.b);
    }
    plan_stack_objects(instance, plan);
    run_clear(&run);
}
