/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Only steps at which a buffer begins are looked at: what lives at another step is a
 * part of what lives at such a step before it, so that one is wider and has assigned
 * all of it.  One index holds what has no object yet, to find what a step still has to
 * assign; one holds the rest, to find the objects whose tenants meet a buffer.  */
#include <config.h>

#include "solvers/shipped/delegate_objects.h"

#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "solvers/fit/free_blocks.h"
#include "solvers/fit/interval_index.h"
#include "solvers/fit/ties.h"

struct run {
    const struct instance *instance;
    struct plan *plan;
    struct interval_index waiting, placed;
    struct free_blocks objects; /* all of them, by size, then number */
    size_t *round;              /* of each object: when a tenant met the buffer at hand */
    size_t *found;              /* scratch */
};

/* The steps of the axis, the widest first, of equal ones the earliest.  */
static struct order_key *steps_by_breadth(const struct instance *instance)
{
    struct order_key *key = memory_alloc(instance->steps, sizeof *key);
    int64_t *change = memory_zalloc(instance->steps + 1, sizeof *change), live = 0;

    for (size_t b = 0; b < instance->n; b++) {
        change[instance->buffer[b].first] += instance->buffer[b].size;
        change[instance->buffer[b].last + 1] -= instance->buffer[b].size;
    }
    for (size_t s = 0; s < instance->steps; s++) {
        live += change[s];
        key[s] = (struct order_key){key_descending(live), 0, s};
    }
    free(change);
    order_sort(key, instance->steps);
    return key;
}

/* The smallest object that is large enough and free; else the largest that is free;
 * of equal ones the first.  An index in objects; their number when none is free.  */
static size_t choose(const struct run *run, int64_t size, size_t round)
{
    const struct free_blocks *objects = &run->objects;
    size_t fits = free_blocks_find(objects, size), largest = objects->count;

    for (size_t i = fits; i < objects->count; i++)
        if (run->round[objects->entry[i].block] != round)
            return i;
    for (size_t i = fits; i-- > 0;) {
        if (largest < objects->count && objects->entry[i].size < objects->entry[largest].size)
            break;
        if (run->round[objects->entry[i].block] != round)
            largest = i;
    }
    return largest;
}

/* ROUND is above 0 and another one for each call.  */
static void assign(struct run *run, size_t b, size_t round)
{
    const struct buffer *buffer = &run->instance->buffer[b];
    size_t met = interval_index_find(&run->placed, buffer->first, buffer->last, run->found);
    struct free_block object;
    size_t i;

    for (size_t j = 0; j < met; j++)
        run->round[run->plan->object[run->found[j]]] = round;
    i = choose(run, buffer->size, round);
    if (i == run->objects.count) {
        object.block = run->plan->objects++;
        object.tie = (int64_t)object.block;
        object.size = buffer->size;
    } else {
        object = run->objects.entry[i];
        free_blocks_remove(&run->objects, object);
        object.size = max64(object.size, buffer->size);
    }
    free_blocks_add(&run->objects, object);
    run->plan->object[b] = object.block;
    interval_index_remove(&run->waiting, b);
    interval_index_add(&run->placed, b);
}

/* The buffers that live at STEP and have no object yet, the largest first.  */
static size_t at_step(struct run *run, size_t step, const size_t *tie, struct order_key *key)
{
    size_t count = interval_index_find(&run->waiting, step, step, run->found);

    /* Equal sizes by their places in the order of ties.  */
    for (size_t i = 0; i < count; i++) {
        size_t b = run->found[i];

        key[i] = (struct order_key){key_descending(run->instance->buffer[b].size), tie[b], b};
    }
    order_sort(key, count);
    return count;
}

static void run_init(struct run *run, const struct instance *instance, struct plan *plan)
{
    *run = (struct run){.instance = instance, .plan = plan};
    interval_index_init(&run->waiting, instance);
    interval_index_init(&run->placed, instance);
    run->round = memory_zalloc(instance->n, sizeof *run->round);
    run->found = memory_alloc(instance->n, sizeof *run->found);
    for (size_t b = 0; b < instance->n; b++)
        interval_index_add(&run->waiting, b);
    plan_use_objects(plan, LAYOUT_OBJECTS);
    plan->objects = 0;
}

static void run_clear(struct run *run)
{
    interval_index_clear(&run->waiting);
    interval_index_clear(&run->placed);
    free_blocks_clear(&run->objects);
    free(run->round);
    free(run->found);
}

void delegate_by_breadth(const struct instance *instance, const struct solver_env *env,
                         struct plan *plan)
{
    struct run run;
    size_t round = 0;
    struct order_key *step = steps_by_breadth(instance);
    struct order_key *key = memory_alloc(instance->n, sizeof *key);
    size_t *tie = ties_ranks(env, instance->n, TIES_FIRST);

    run_init(&run, instance, plan);
    for (size_t s = 0; s < instance->steps; s++) {
        size_t count = at_step(&run, step[s].index, tie, key);

        for (size_t i = 0; i < count; i++)
            assign(&run, key[i].index, ++round);
    }
    plan_stack_objects(instance, plan);
    run_clear(&run);
    free(tie);
    free(key);
    free(step);
}
