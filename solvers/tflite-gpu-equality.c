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

#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "solvers/fit/alignment.h"
#include "solvers/fit/busy_objects.h"
#include "solvers/fit/ties.h"
#include "solvers/solver.h"

static const struct param params[] = {TIES_PARAM, PARAM_END};

/* Free objects: a stack for each size, as lists.  */
struct stacks {
    size_t *rank;  /* of each buffer's size among the sizes */
    size_t *top;   /* of each rank; SIZE_MAX: none */
    size_t *below; /* of each object */
};

static void stacks_init(struct stacks *stacks, const struct instance *instance)
{
    struct order_key *key = memory_zalloc(instance->n, sizeof *key);
    size_t rank = 0;

    stacks->rank = memory_alloc(instance->n, sizeof *stacks->rank);
    stacks->top = memory_alloc(instance->n, sizeof *stacks->top);
    stacks->below = memory_alloc(instance->n, sizeof *stacks->below);
    for (size_t b = 0; b < instance->n; b++) {
        key[b].index = b;
        ties_by_size(&instance->buffer[b], NULL, &key[b]);
        stacks->top[b] = SIZE_MAX;
    }
    order_sort(key, instance->n);
    for (size_t i = 0; i < instance->n; i++) {
        rank += i > 0 && key[i].major != key[i - 1].major;
        stacks->rank[key[i].index] = rank;
    }
    free(key);
}

static void stacks_clear(struct stacks *stacks)
{
    free(stacks->rank);
    free(stacks->top);
    free(stacks->below);
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    struct order_key *key = ties_sort(instance, env, TIES_FIRST, ties_by_begin, NULL);
    size_t *rank = memory_alloc(instance->n, sizeof *rank); /* of each object */
    struct busy_objects busy = {0};
    struct stacks stacks;

    stacks_init(&stacks, instance);
    plan_use_objects(plan, LAYOUT_OBJECTS);
    for (size_t i = 0; i < instance->n; i++) {
        size_t b = key[i].index, o;

        while (busy_objects_take(&busy, instance->buffer[b].begin, &o)) {
            stacks.below[o] = stacks.top[rank[o]];
            stacks.top[rank[o]] = o;
        }
        o = stacks.top[stacks.rank[b]];
        if (o != SIZE_MAX) {
            stacks.top[rank[o]] = stacks.below[o];
        } else {
            o = plan->objects++;
            rank[o] = stacks.rank[b];
        }
        plan->object[b] = o;
        busy_objects_add(&busy, instance->buffer[b].end, o);
    }
    plan_stack_objects(instance, plan);
    stacks_clear(&stacks);
    busy_objects_clear(&busy);
    free(rank);
    free(key);
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
