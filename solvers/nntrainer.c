/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nntrainer: a stack whose inner places serve equal sizes alone (v1), or first fit (v3).
 *
 * By begin, then end, then input order.  v1 keeps a stack of places, each above the one before.
 * What has ended on top of it is taken off; then a buffer takes the uppermost place whose tenant
 * has ended and was exactly as large, or is put on top.  What has ended inside is lost to all other
 * sizes until what is above it has ended too.
 *
 *   offset 5 |   c c     a [0, 1), b [0, 3), c [1, 3), d [2, 3), e [3, 4) have 2, 3, 1, 2 and 6
 *          2 | b b b     bytes: c goes on top, d takes a's place, e takes all off and goes to 0.
 *          0 | a   d e
 *
 * v3 puts each into the lowest gap between those that are alive, in the same order.
 *
 * Source: NNTrainer, nntrainer/tensor/optimized_v1_planner.cpp, optimized_v3_planner.cpp. Published
 * as O(n x stack); here O(n log n) with a sorted array of the places that have ended, and near that
 * where the width is bounded (lib/place/gap_index.c), with the same plans.
 * Guarantee: none is known but peak <= sum of the sizes plus padding.
 * Differences: upstream sorts with std::sort, which leaves equal begins and ends to the library;
 * here the first in the input goes first.  It has no alignments; here v1 puts
 * a buffer on top, too, where the place that it would take is not aligned for it.
 * optimized_v2_planner.cpp is v1 for all but the gradients of weights, which it lays above the rest
 * by tests that miss some overlaps: 177 of 200 plans would be invalid with every other buffer such
 * a gradient.  It is left out, as instances do not say which buffers are.  */
#include <config.h>

#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/place/gap_index.h"
#include "lib/place/time_walk.h"
#include "lib/problem/instance.h"
#include "solvers/fit/alignment.h"
#include "solvers/fit/free_blocks.h"
#include "solvers/fit/ties.h"
#include "solvers/solver.h"

enum { PLANNER_V1, PLANNER_V3 };

static const struct param params[] = {
    PARAM_ENUM("planner", "v1", "a stack with places for equal sizes, or first fit by begin",
               {"v1", PLANNER_V1}, {"v3", PLANNER_V3}),
    TIES_PARAM,
    PARAM_END,
};

struct stack {
    const struct instance *instance;
    struct plan *plan;
    size_t *tenant; /* of each place, the last one */
    bool *ended;    /* whether it has ended */
    size_t count;
    size_t *place_of;          /* of each buffer */
    struct free_blocks unused; /* places whose tenant has ended: by size, the uppermost first */
};

static struct free_block key_of(const struct stack *stack, size_t place)
{
    return (struct free_block){stack->instance->buffer[stack->tenant[place]].size, -(int64_t)place,
                               place};
}

static void end(struct stack *stack, size_t b)
{
    size_t place = stack->place_of[b];

    stack->ended[place] = true;
    free_blocks_add(&stack->unused, key_of(stack, place));
}

/* Whether buffer B may begin where the last tenant of PLACE did.  */
static bool is_aligned(const struct stack *stack, size_t place, size_t b)
{
    return stack->plan->offset[stack->tenant[place]] % stack->instance->buffer[b].alignment == 0;
}

static void begin(struct stack *stack, size_t b)
{
    const struct buffer *buffer = stack->instance->buffer;
    size_t place = stack->count, found;
    int64_t top = 0;

    for (; place > 0 && stack->ended[place - 1]; place--)
        free_blocks_remove(&stack->unused, key_of(stack, place - 1));
    stack->count = place;
    found = free_blocks_find(&stack->unused, buffer[b].size);
    if (found < stack->unused.count && stack->unused.entry[found].size == buffer[b].size &&
        is_aligned(stack, stack->unused.entry[found].block, b)) {
        place = stack->unused.entry[found].block;
        free_blocks_remove(&stack->unused, stack->unused.entry[found]);
        stack->plan->offset[b] = stack->plan->offset[stack->tenant[place]];
    } else {
        if (place > 0)
            top = stack->plan->offset[stack->tenant[place - 1]] +
                  buffer[stack->tenant[place - 1]].size;
        stack->plan->offset[b] = align_up(top, buffer[b].alignment);
        stack->count++;
    }
    stack->tenant[place] = b;
    stack->ended[place] = false;
    stack->place_of[b] = place;
}

/* KEY: by begin and end.  */
static void place_on_stack(const struct instance *instance, const struct order_key *key,
                           struct plan *plan)
{
    size_t n = instance->n, b, old, *equal = memory_alloc(n, sizeof *equal);
    struct stack stack = {.instance = instance,
                          .plan = plan,
                          .tenant = memory_alloc(n, sizeof *stack.tenant),
                          .ended = memory_alloc(n, sizeof *stack.ended),
                          .place_of = memory_alloc(n, sizeof *stack.place_of)};
    struct time_walk walk;

    for (size_t i = 0; i < n; i++)
        equal[i] = key[i].index;
    time_walk_init(&walk, instance, equal);
    while (time_walk_next(&walk, &b)) {
        while (time_walk_ended(&walk, &old))
            end(&stack, old);
        begin(&stack, b);
    }
    time_walk_clear(&walk);
    plan->peak = plan_peak(instance, plan);
    free_blocks_clear(&stack.unused);
    free(stack.tenant);
    free(stack.ended);
    free(stack.place_of);
    free(equal);
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    struct order_key *key = ties_sort(instance, env, TIES_FIRST, BY_BEGIN, BY_END);

    if (params_choice(env->params, "planner") == PLANNER_V1)
        place_on_stack(instance, key, plan);
    else
        gap_place(instance, key, FIT_FIRST, plan);
    free(key);
    return OUTCOME_FEASIBLE;
}

const struct solver solver_nntrainer = {
    .name = "nntrainer",
    .title = "NNTrainer, memory planner",
    .source = "NNTrainer, optimized_v1_planner.cpp",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SHIPPED,
    .layout = LAYOUT_ARENA,
    .params = params,
    .applicable = alignment_applicable,
    .solve = solve,
};
