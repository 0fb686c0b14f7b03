/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tflite-gpu-in-order: the GPU delegate's shared objects, taken as time goes on.
 *
 * Buffers come by begin, ties in input order.  Before each one, objects whose tenant
 * has ended become free.  Of the free ones it looks at the smallest that is large
 * enough (of equal ones the first that was opened) and the largest that is too small
 * (the last), and takes the one nearer in size, the large enough one where both are
 * as near; an object that is too small grows.  A free object is always used, however
 * badly it fits; only where none is free a new one is opened.
 *
 *     free objects of 16, 40 and 64 bytes; a buffer of 48 bytes takes the one of 40
 *     (8 bytes away, which then has 48), not the one of 64 (16 away)
 *
 * Source: TensorFlow Lite, delegates/gpu/common/memory_management,
 * greedy_in_order_assignment (GREEDY_IN_ORDER).  O(n log n) there; here a change of
 * the free objects costs their number, which the width bounds, with a small constant.
 * Guarantee: no more objects than the width, so peak <= width * max_size plus padding.
 * Differences: lifetimes are half-open (theirs include the last task).  The delegate
 * assumes that its records come in the order of their first tasks; here they are
 * sorted so.  Its graph of allowed reuse and its textures of two or three dimensions
 * do not exist in our instances.  The objects are stacked in the order in which they
 * were opened, each at a multiple of its tenants' alignments.  */
#include <config.h>

#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/place/time_walk.h"
#include "lib/problem/instance.h"
#include "solvers/fit/alignment.h"
#include "solvers/fit/free_blocks.h"
#include "solvers/fit/ties.h"
#include "solvers/solver.h"

static const struct param params[] = {TIES_PARAM, PARAM_END};

/* Which of the free objects a buffer of SIZE bytes takes; there are some.  */
static size_t choose(const struct free_blocks *free_objects, int64_t size)
{
    size_t fits = free_blocks_find(free_objects, size);

    if (fits == free_objects->count)
        return fits - 1;
    if (fits > 0 &&
        size - free_objects->entry[fits - 1].size < free_objects->entry[fits].size - size)
        return fits - 1;
    return fits;
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    size_t *equal = ties_order(env, instance->n, TIES_FIRST), b, old, o;
    struct free_blocks free_objects = {0};
    struct time_walk walk;

    plan_use_objects(plan, LAYOUT_OBJECTS);
    time_walk_init(&walk, instance, equal);
    while (time_walk_next(&walk, &b)) {
        const struct buffer *buffer = &instance->buffer[b];

        while (time_walk_ended(&walk, &old)) {
            o = plan->object[old];
            free_blocks_add(&free_objects,
                            (struct free_block){plan->object_size[o], (int64_t)o, o});
        }
        if (free_objects.count == 0) {
            o = plan->objects++;
            plan->object_size[o] = buffer->size;
        } else {
            struct free_block taken = free_objects.entry[choose(&free_objects, buffer->size)];

            free_blocks_remove(&free_objects, taken);
            o = taken.block;
            plan->object_size[o] = max64(plan->object_size[o], buffer->size);
        }
        plan->object[b] = o;
    }
    plan_stack_objects(instance, plan);
    free_blocks_clear(&free_objects);
    time_walk_clear(&walk);
    free(equal);
    return OUTCOME_FEASIBLE;
}

const struct solver solver_tflite_gpu_in_order = {
    .name = "tflite-gpu-in-order",
    .title = "TFLite GPU, in order",
    .source = "TFLite GPU delegate, GREEDY_IN_ORDER",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SHIPPED | SOLVER_ONLINE,
    .layout = LAYOUT_OBJECTS,
    .params = params,
    .applicable = alignment_applicable,
    .solve = solve,
};
