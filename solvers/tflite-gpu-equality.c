/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tflite-gpu-equality: the GPU delegate's shared objects, only for equal sizes.
 *
 * Buffers come by begin, ties in input order.  Before each one, objects whose tenant
 * has ended become free, by end, those of one end by number.  A buffer takes a free
 * object of exactly its size, of several the one that became free last; where there
 * is none a new one is opened.
 *
 *     a [0, 2) and b [0, 3) of 8 bytes open objects 0 and 1; c [4, 5) of 8 bytes takes
 *     object 1, which became free after object 0; d [4, 5) of 7 bytes opens object 2
 *
 * Source: TensorFlow Lite, delegates/gpu/common/memory_management,
 * equality_assignment (EQUALITY).  O(n log n), here too.  Guarantee: optimal among
 * object plans where all sizes are equal; else none but peak <= sum of the sizes plus
 * padding.
 * Differences: as for tflite-gpu-in-order.  */
#include <config.h>

#include <stdlib.h>

#include "lib/place/time_walk.h"
#include "lib/problem/instance.h"
#include "solvers/fit/alignment.h"
#include "solvers/fit/free_blocks.h"
#include "solvers/fit/ties.h"
#include "solvers/solver.h"

static const struct param params[] = {TIES_PARAM, PARAM_END};

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    size_t *equal = ties_order(env, instance->n, TIES_FIRST), b, old;
    struct free_blocks objects = {0}; /* the free ones; of equal sizes the last is the newest */
    struct time_walk walk;

    plan_use_objects(plan, LAYOUT_OBJECTS);
    time_walk_init(&walk, instance, equal);
    while (time_walk_next(&walk, &b)) {
        int64_t size = instance->buffer[b].size;
        size_t above;

        while (time_walk_ended(&walk, &old))
            free_blocks_add(&objects,
                            (struct free_block){instance->buffer[old].size,
                                                instance->buffer[old].end, plan->object[old]});
        above = free_blocks_find(&objects, size + 1);
        if (above > 0 && objects.entry[above - 1].size == size) {
            plan->object[b] = objects.entry[above - 1].block;
            free_blocks_remove(&objects, objects.entry[above - 1]);
        } else {
            plan->object[b] = plan->objects++;
        }
    }
    plan_stack_objects(instance, plan);
    free_blocks_clear(&objects);
    time_walk_clear(&walk);
    free(equal);
    return OUTCOME_FEASIBLE;
}

const struct solver solver_tflite_gpu_equality = {
    .name = "tflite-gpu-equality",
    .title = "TFLite GPU, equality",
    .source = "TFLite GPU delegate, EQUALITY",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SHIPPED,
    .layout = LAYOUT_OBJECTS,
    .params = params,
    .applicable = alignment_applicable,
    .solve = solve,
};
