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
#include "lib/place/orders.h"
#include "lib/place/time_walk.h"
#include "lib/problem/instance.h"
#include "solvers/fit/alignment.h"
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
    struct order_key *key = memory_alloc(instance->n, sizeof *key);
    size_t rank = 0;

    stacks->rank = memory_alloc(instance->n, sizeof *stacks->rank);
    stacks->top = memory_alloc(instance->n, sizeof *stacks->top);
    stacks->below = memory_alloc(instance->n, sizeof *stacks->below);
    greedy_order(instance, BY_SIZE, BY_NOTHING, NULL, key);
    for (size_t i = 0; i < instance->n; i++) {
        rank += i > 0 && key[i].major != key[i - 1].major;
        stacks->rank[key[i].index] = rank;
        stacks->top[i] = SIZE_MAX;
    }
    free(key);
}

static void stacks_clear(struct stacks *stacks)
{
    free(stacks->rank);
    free(stacks->top);
    free(stacks->below);
}

/* The objects of what has ended become free, by end, then by number.  ENDED is scratch.  */
static void free_objects(struct stacks *stacks, struct time_walk *walk, const struct plan *plan,
                         struct order_key *ended)
{
    size_t count = 0, old;

    while (time_walk_ended(walk, &old))
        ended[count++] = (struct order_key){key_ascending(walk->instance->buffer[old].end),
                                            plan->object[old], old};
    order_sort(ended, count);
    for (size_t i = 0; i < count; i++) {
        size_t object = plan->object[ended[i].index], rank = stacks->rank[ended[i].index];

        stacks->below[object] = stacks->top[rank];
        stacks->top[rank] = object;
    }
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    struct order_key *ended = memory_alloc(instance->n, sizeof *ended);
    size_t *equal = ties_order(env, instance->n, TIES_FIRST), b;
    struct time_walk walk;
    struct stacks stacks;

    stacks_init(&stacks, instance);
    plan_use_objects(plan, LAYOUT_OBJECTS);
    time_walk_init(&walk, instance, equal);
    while (time_walk_next(&walk, &b)) {
        size_t *top = &stacks.top[stacks.rank[b]];

        free_objects(&stacks, &walk, plan, ended);
        plan->object[b] = *top == SIZE_MAX ? plan->objects++ : *top;
        if (*top != SIZE_MAX)
            *top = stacks.below[*top];
    }
    plan_stack_objects(instance, plan);
    time_walk_clear(&walk);
    stacks_clear(&stacks);
    free(equal);
    free(ended);
    return OUTCOME_FEASIBLE;
}

const struct solver solver_tflite_gpu_equality = {
    .name = "tflite-gpu-equality",
    .title = "TFLite GPU, equality",
    .source = "TFLite GPU delegate, EQUALITY",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SHIPPED | SOLVER_ONLINE,
    .layout = LAYOUT_OBJECTS,
    .params = params,
    .applicable = alignment_applicable,
    .solve = solve,
};
