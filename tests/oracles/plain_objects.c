/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "tests/oracles/plain_planners.h"
#include "tests/oracles/plain_tflite.h"

#define NONE SIZE_MAX

static void start(const struct instance *instance, struct plan *plan)
{
    plan_use_objects(plan, LAYOUT_OBJECTS);
    plan->objects = 0;
    for (size_t b = 0; b < instance->n; b++)
        plan->object[b] = NONE;
}

static void join(const struct instance *instance, struct plan *plan, size_t b, size_t o)
{
    int64_t size = instance->buffer[b].size;

    if (o == plan->objects)
        plan->object_size[plan->objects++] = size;
    plan->object[b] = o;
    plan->object_size[o] = max64(plan->object_size[o], size);
}

/* No tenant of object O meets buffer B.  */
static bool takes(const struct instance *instance, const struct plan *plan, size_t o, size_t b)
{
    for (size_t i = 0; i < instance->n; i++)
        if (plan->object[i] == o &&
            buffers_overlap_in_time(&instance->buffer[i], &instance->buffer[b]))
            return false;
    return true;
}

/* --- in time --- */

/* The objects in use, and the free ones in the order in which they became free.  */
struct pools {
    int64_t *end; /* of each object's last tenant; INT64_MAX: it is free */
    size_t *free_object;
    size_t free_count;
};

static void free_ended(struct pools *pools, size_t objects, int64_t now)
{
    for (;;) {
        size_t first = NONE;

        for (size_t o = 0; o < objects; o++)
            if (pools->end[o] <= now && (first == NONE || pools->end[o] < pools->end[first]))
                first = o;
        if (first == NONE)
            return;
        pools->end[first] = INT64_MAX;
        pools->free_object[pools->free_count++] = first;
    }
}

/* An index in free_object, or NONE.  */
typedef size_t pool_rule(const struct pools *pools, const struct plan *plan, int64_t size);

static size_t last_equal(const struct pools *pools, const struct plan *plan, int64_t size)
{
    for (size_t i = pools->free_count; i-- > 0;)
        if (plan->object_size[pools->free_object[i]] == size)
            return i;
    return NONE;
}

static size_t nearest(const struct pools *pools, const struct plan *plan, int64_t size)
{
    size_t above = NONE, below = NONE;

    for (size_t i = 0; i < pools->free_count; i++) {
        size_t o = pools->free_object[i];
        int64_t has = plan->object_size[o];

        if (has >= size) {
            if (above == NONE || has < plan->object_size[pools->free_object[above]] ||
                (has == plan->object_size[pools->free_object[above]] &&
                 o < pools->free_object[above]))
                above = i;
        } else if (below == NONE || has > plan->object_size[pools->free_object[below]] ||
                   (has == plan->object_size[pools->free_object[below]] &&
                    o > pools->free_object[below])) {
            below = i;
        }
    }
    if (above == NONE || below == NONE)
        return above == NONE ? below : above;
    return size - plan->object_size[pools->free_object[below]] <
                   plan->object_size[pools->free_object[above]] - size
               ? below
               : above;
}

static void in_time(const struct instance *instance, struct plan *plan, pool_rule *rule)
{
    size_t *order = plain_order(instance, plain_earlier, false);
    struct pools pools = {memory_alloc(instance->n, sizeof(int64_t)),
                          memory_alloc(instance->n, sizeof(size_t)), 0};

    start(instance, plan);
    for (size_t i = 0; i < instance->n; i++) {
        size_t b = order[i], o = plan->objects, chosen;

        free_ended(&pools, plan->objects, instance->buffer[b].begin);
        chosen = rule(&pools, plan, instance->buffer[b].size);
        if (chosen != NONE) {
            o = pools.free_object[chosen];
            pools.free_count--;
            for (size_t j = chosen; j < pools.free_count; j++)
                pools.free_object[j] = pools.free_object[j + 1];
        }
        join(instance, plan, b, o);
        pools.end[o] = instance->buffer[b].end;
    }
    plan_stack_objects(instance, plan);
    free(pools.end);
    free(pools.free_object);
    free(order);
}

void plain_gpu_equality(const struct instance *instance, struct plan *plan)
{
    in_time(instance, plan, last_equal);
}

void plain_gpu_in_order(const struct instance *instance, struct plan *plan)
{
    in_time(instance, plan, nearest);
}

/* --- by breadth --- */

struct task {
    int64_t step, breadth;
};

static int by_breadth(const void *a, const void *b)
{
    const struct task *x = a, *y = b;

    return ORDER(y->breadth, x->breadth) ?: ORDER(x->step, y->step);
}

static bool lives(const struct buffer *buffer, int64_t step)
{
    return buffer->begin <= step && step < buffer->end;
}

/* All steps at which what lives may differ from the step before, sorted.  */
static struct task *tasks_of(const struct instance *instance)
{
    struct task *task = memory_alloc(2 * instance->n, sizeof *task);

    for (size_t i = 0; i < 2 * instance->n; i++) {
        const struct buffer *buffer = &instance->buffer[i / 2];

        task[i].step = i % 2 == 0 ? buffer->begin : buffer->end;
        task[i].breadth = 0;
        for (size_t b = 0; b < instance->n; b++)
            if (lives(&instance->buffer[b], task[i].step))
                task[i].breadth += instance->buffer[b].size;
    }
    qsort(task, 2 * instance->n, sizeof *task, by_breadth);
    return task;
}

static size_t best_object(const struct instance *instance, const struct plan *plan, size_t b)
{
    int64_t size = instance->buffer[b].size;
    size_t best = NONE;

    for (size_t o = 0; o < plan->objects; o++) {
        if (!takes(instance, plan, o, b))
            continue;
        if (best == NONE ||
            (plan->object_size[best] < size && plan->object_size[o] > plan->object_size[best]) ||
            (plan->object_size[best] >= size && plan->object_size[o] < plan->object_size[best] &&
             plan->object_size[o] >= size))
            best = o;
    }
    return best == NONE ? plan->objects : best;
}

void plain_gpu_breadth(const struct instance *instance, struct plan *plan)
{
    size_t *order = plain_order(instance, plain_larger, false);
    struct task *task = tasks_of(instance);

    start(instance, plan);
    for (size_t i = 0; i < 2 * instance->n; i++)
        for (size_t j = 0; j < instance->n; j++) {
            size_t b = order[j];

            if (lives(&instance->buffer[b], task[i].step) && plan->object[b] == NONE)
                join(instance, plan, b, best_object(instance, plan, b));
        }
    plan_stack_objects(instance, plan);
    free(task);
    free(order);
}

/* --- by size and distance --- */

#define APART INT64_MAX /* cannot be put together */

struct priority {
    size_t position;
    int64_t *distance; /* to each object */
    int64_t best_distance;
    size_t best_object;
};

static int compare_down(const void *a, const void *b)
{
    return -compare64(a, b);
}

/* The positional maxima; *COUNT of them.  */
static int64_t *maxima(const struct instance *instance, size_t *count)
{
    int64_t *most = memory_zalloc(instance->n, sizeof *most);
    int64_t *live = memory_alloc(instance->n, sizeof *live);

    *count = 0;
    for (size_t i = 0; i < instance->n; i++) {
        size_t alive = 0;

        for (size_t b = 0; b < instance->n; b++)
            if (lives(&instance->buffer[b], instance->buffer[i].begin))
                live[alive++] = instance->buffer[b].size;
        qsort(live, alive, sizeof *live, compare_down);
        for (size_t k = 0; k < alive; k++)
            most[k] = max64(most[k], live[k]);
        *count = alive > *count ? alive : *count;
    }
    free(live);
    return most;
}

static struct priority *priorities(const struct instance *instance)
{
    struct priority *priority = memory_alloc(instance->n, sizeof *priority);
    size_t count;
    int64_t *most = maxima(instance, &count);

    for (size_t b = 0; b < instance->n; b++) {
        size_t position = 0;

        while (position < count && most[position] >= instance->buffer[b].size)
            position++;
        priority[b] = (struct priority){position - 1, memory_alloc(instance->n, sizeof(int64_t)),
                                        APART, NONE};
    }
    free(most);
    return priority;
}

static size_t next_one(const struct instance *instance, const struct plan *plan,
                       const struct priority *priority)
{
    size_t best = NONE;

    for (size_t b = 0; b < instance->n; b++) {
        const struct priority *x = &priority[b], *y = &priority[best == NONE ? 0 : best];

        if (plan->object[b] != NONE)
            continue;
        if (best == NONE || x->position < y->position ||
            (x->position == y->position &&
             (x->best_distance < y->best_distance ||
              (x->best_distance == y->best_distance &&
               instance->buffer[b].size > instance->buffer[best].size))))
            best = b;
    }
    return best;
}

/* Buffer JOINED is in object O now; NEW: as the first one.  */
static void spread(const struct instance *instance, const struct plan *plan, size_t joined,
                   size_t o, bool new, struct priority *priority)
{
    for (size_t b = 0; b < instance->n; b++) {
        struct priority *waiting = &priority[b];
        const struct buffer *x = &instance->buffer[b], *y = &instance->buffer[joined];
        int64_t distance = APART;

        if (plan->object[b] != NONE || (!new && waiting->distance[o] == APART))
            continue;
        if (x->end - 1 < y->begin)
            distance = y->begin - (x->end - 1);
        else if (y->end - 1 < x->begin)
            distance = x->begin - (y->end - 1);
        if (new || distance == APART || distance < waiting->distance[o])
            waiting->distance[o] = distance;
        if (distance == APART && waiting->best_object == o) {
            waiting->best_distance = APART;
            waiting->best_object = NONE;
            for (size_t i = 0; i < plan->objects; i++)
                if (waiting->distance[i] < waiting->best_distance) {
                    waiting->best_distance = waiting->distance[i];
                    waiting->best_object = i;
                }
        }
        if (distance < waiting->best_distance) {
            waiting->best_distance = distance;
            waiting->best_object = o;
        }
    }
}

void plain_gpu_size_distance(const struct instance *instance, struct plan *plan)
{
    struct priority *priority = priorities(instance);

    start(instance, plan);
    for (size_t i = 0; i < instance->n; i++) {
        size_t b = next_one(instance, plan, priority);
        bool new = priority[b].best_distance == APART;
        size_t o = new ? plan->objects : priority[b].best_object;

        join(instance, plan, b, o);
        spread(instance, plan, b, o, new, priority);
    }
    plan_stack_objects(instance, plan);
    for (size_t b = 0; b < instance->n; b++)
        free(priority[b].distance);
    free(priority);
}

static int64_t sum_of_objects(const struct plan *plan)
{
    int64_t sum = 0;

    for (size_t o = 0; o < plan->objects; o++)
        sum += plan->object_size[o];
    return sum;
}

void plain_gpu_best(const struct instance *instance, struct plan *plan)
{
    struct plan *breadth = plan_new(instance);

    plain_gpu_size_distance(instance, plan);
    plain_gpu_breadth(instance, breadth);
    if (sum_of_objects(breadth) < sum_of_objects(plan))
        plan_copy(plan, breadth);
    plan_free(breadth);
}

/* --- ExecuTorch --- */

/* The top of the tenants of object O that meet buffer B; 0: none does.  */
static int64_t top_of_met(const struct instance *instance, const struct plan *plan, size_t o,
                          size_t b)
{
    int64_t top = 0;

    for (size_t i = 0; i < instance->n; i++)
        if (plan->object[i] == o &&
            buffers_overlap_in_time(&instance->buffer[i], &instance->buffer[b]))
            top = max64(top, plan->offset[i] + instance->buffer[i].size);
    return top;
}

/* Uses the plan's objects for its own; they never grow.  */
static void pick(const struct instance *instance, struct plan *plan, size_t b)
{
    const struct buffer *buffer = &instance->buffer[b];

    for (size_t o = 0; o < plan->objects; o++)
        if (takes(instance, plan, o, b)) {
            plan->offset[b] = 0;
            plan->object[b] = o;
            return;
        }
    for (size_t o = 0; o < plan->objects; o++) {
        int64_t top = align_up(top_of_met(instance, plan, o, b), buffer->alignment);

        if (top + buffer->size <= plan->object_size[o]) {
            plan->offset[b] = top;
            plan->object[b] = o;
            return;
        }
    }
    plan->offset[b] = 0;
    join(instance, plan, b, plan->objects);
}

void plain_executorch(const struct instance *instance, struct plan *plan)
{
    size_t *order = plain_order(instance, plain_larger, true);
    struct plan *slots = plan_new(instance);
    int64_t base = 0;

    start(instance, slots);
    for (size_t i = 0; i < instance->n; i++)
        pick(instance, slots, order[i]);
    for (size_t o = 0; o < slots->objects; o++) {
        int64_t alignment = 1;

        for (size_t b = 0; b < instance->n; b++)
            if (slots->object[b] == o)
                alignment = max64(alignment, instance->buffer[b].alignment);
        base = align_up(base, alignment);
        for (size_t b = 0; b < instance->n; b++)
            if (slots->object[b] == o)
                plan->offset[b] = base + slots->offset[b];
        base += slots->object_size[o];
    }
    plan->peak = plan_peak(instance, plan);
    plan_free(slots);
    free(order);
}
