/* Upstream keeps the distance of every buffer to every object.  Here only the best one
 * of each buffer is kept; what an object's tenants make of any other is looked up in
 * the tenants, which do not overlap and stand in the order of time.  */
#include <config.h>

#include "solvers/common/delegate_objects.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/checked.h"
#include "lib/instance.h"
#include "lib/memory.h"
#include "lib/plan.h"
#include "solvers/common/order.h"
#include "solvers/common/ties.h"

#define NO_DISTANCE INT64_MAX

struct tenants {
    size_t *b;
    size_t count, capacity;
};

/* A buffer without an object.  */
struct waiting {
    size_t b, rank;
    size_t position;  /* among the positional maxima */
    int64_t distance; /* to the nearest object that can take it, */
    size_t object;    /* this one; NO_DISTANCE: none can */
};

struct run {
    const struct instance *instance;
    struct plan *plan;
    struct tenants *object;
    struct waiting *waiting;
    size_t count; /* waiting */
};

/* Steps from the last one of the earlier buffer to the first one of the later.  */
static int64_t distance(const struct buffer *a, const struct buffer *b)
{
    if (buffers_overlap_in_time(a, b))
        return NO_DISTANCE;
    return a->begin < b->begin ? b->begin - a->end + 1 : a->begin - b->end + 1;
}

/* The first tenant that begins after BUFFER has ended.  */
static size_t first_after(const struct run *run, const struct tenants *tenants,
                          const struct buffer *buffer)
{
    size_t low = 0, high = tenants->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (run->instance->buffer[tenants->b[middle]].begin >= buffer->end)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static int64_t distance_to_object(const struct run *run, size_t o, const struct buffer *buffer)
{
    const struct tenants *tenants = &run->object[o];
    size_t after = first_after(run, tenants, buffer);
    int64_t nearest = NO_DISTANCE;

    if (after > 0) {
        nearest = distance(&run->instance->buffer[tenants->b[after - 1]], buffer);
        if (nearest == NO_DISTANCE)
            return NO_DISTANCE;
    }
    if (after < tenants->count)
        nearest = min64(nearest, distance(&run->instance->buffer[tenants->b[after]], buffer));
    return nearest;
}

static void look_again(const struct run *run, struct waiting *waiting)
{
    const struct buffer *buffer = &run->instance->buffer[waiting->b];

    waiting->distance = NO_DISTANCE;
    for (size_t o = 0; o < run->plan->objects && waiting->distance > 1; o++) {
        int64_t found = distance_to_object(run, o, buffer);

        if (found < waiting->distance) {
            waiting->distance = found;
            waiting->object = o;
        }
    }
}

static bool goes_before(const struct run *run, const struct waiting *a, const struct waiting *b)
{
    int64_t size_a = run->instance->buffer[a->b].size, size_b = run->instance->buffer[b->b].size;

    if (a->position != b->position)
        return a->position < b->position;
    if (a->distance != b->distance)
        return a->distance < b->distance;
    return size_a != size_b ? size_a > size_b : a->rank < b->rank;
}

static void add_tenant(struct run *run, size_t o, size_t b)
{
    struct tenants *tenants = &run->object[o];
    size_t at = first_after(run, tenants, &run->instance->buffer[b]);

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
    for (size_t i = 0; i < run->count; i++) {
        struct waiting *waiting = &run->waiting[i];
        const struct buffer *buffer = &run->instance->buffer[waiting->b];
        int64_t to_tenant = distance(&run->instance->buffer[b], buffer);

        if (to_tenant == NO_DISTANCE) {
            if (waiting->distance != NO_DISTANCE && waiting->object == o)
                look_again(run, waiting);
        } else if (to_tenant < waiting->distance &&
                   distance_to_object(run, o, buffer) != NO_DISTANCE) {
            waiting->distance = to_tenant;
            waiting->object = o;
        }
    }
}

/* Writes the maximum over the steps of the k-th largest size alive to MOST[k].  An
 * arrival moves only those behind it, so it is enough to look at these.  */
static void positional_maxima(const struct instance *instance, int64_t *most)
{
    struct order_key *begin = memory_alloc(instance->n, sizeof *begin);
    struct order_key *end = memory_alloc(instance->n, sizeof *end);
    int64_t *live = memory_alloc(instance->n, sizeof *live); /* descending */
    size_t count = 0, ended = 0;

    for (size_t b = 0; b < instance->n; b++) {
        begin[b] = (struct order_key){key_ascending(instance->buffer[b].begin), 0, b};
        end[b] = (struct order_key){key_ascending(instance->buffer[b].end), 0, b};
        most[b] = 0;
    }
    order_sort(begin, instance->n);
    order_sort(end, instance->n);
    for (size_t i = 0; i < instance->n; i++) {
        int64_t size = instance->buffer[begin[i].index].size;
        size_t at;

        for (; end[ended].major <= begin[i].major; ended++) {
            for (at = 0; live[at] != instance->buffer[end[ended].index].size;)
                at++;
            memmove(live + at, live + at + 1, (--count - at) * sizeof *live);
        }
        for (at = count++; at > 0 && live[at - 1] < size; at--)
            live[at] = live[at - 1];
        live[at] = size;
        for (; at < count; at++)
            most[at] = max64(most[at], live[at]);
    }
    free(live);
    free(end);
    free(begin);
}

/* The last positional maximum that is at least SIZE.  */
static size_t position_of(const int64_t *most, size_t n, int64_t size)
{
    size_t low = 0, high = n;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (most[middle] >= size)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void run_init(struct run *run, const struct instance *instance, const struct solver_env *env,
                     struct plan *plan)
{
    int64_t *most = memory_alloc(instance->n, sizeof *most);
    size_t *rank = ties_ranks(env, instance->n, TIES_FIRST);

    *run = (struct run){.instance = instance, .plan = plan, .count = instance->n};
    run->object = memory_zalloc(instance->n, sizeof *run->object);
    run->waiting = memory_alloc(instance->n, sizeof *run->waiting);
    plan_use_objects(plan, LAYOUT_OBJECTS);
    plan->objects = 0;
    positional_maxima(instance, most);
    for (size_t b = 0; b < instance->n; b++)
        run->waiting[b] = (struct waiting){
            b, rank[b], position_of(most, instance->n, instance->buffer[b].size), NO_DISTANCE, 0};
    free(rank);
    free(most);
}

void delegate_by_size_distance(const struct instance *instance, const struct solver_env *env,
                               struct plan *plan)
{
    struct run run;

    run_init(&run, instance, env, plan);
    while (run.count > 0) {
        struct waiting next;
        size_t first = 0;

        for (size_t i = 1; i < run.count; i++)
            if (goes_before(&run, &run.waiting[i], &run.waiting[first]))
                first = i;
        next = run.waiting[first];
        run.waiting[first] = run.waiting[--run.count];
        if (next.distance == NO_DISTANCE)
            next.object = plan->objects++;
        add_tenant(&run, next.object, next.b);
        update(&run, next.object, next.b);
    }
    plan_stack_objects(instance, plan);
    for (size_t o = 0; o < plan->objects; o++)
        free(run.object[o].b);
    free(run.object);
    free(run.waiting);
}
