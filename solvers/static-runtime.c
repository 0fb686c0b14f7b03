/* SPDX-License-Identifier: GPL-3.0-or-later */
/* static-runtime: a stack of free objects; what was freed last is taken first, whatever its size.
 *
 * At each step the objects of what has ended are pushed on the stack, in input order, then what
 * begins takes the object on top of it, or a new one where it is empty.  An object is as large
 * as its largest tenant.
 *
 *   step   begins            stack, top last   object
 *   0      a [0, 1)  8       -                 new: 0
 *   0      b [0, 1)  2       -                 new: 1
 *   1      c [1, 3)  9       0 1               1, which grows to 9
 *   2      d [2, 3)  1       0                 0
 *
 * Source: PyTorch, torch/csrc/jit/runtime/static/memory_planner.cpp, Static Runtime's
 * assignStorageToManagedTensors.  Sizes, which upstream knows no earlier than in the first run,
 * play no part in the choice.  O(n log n).
 * Guarantee: none; no more objects than buffers alive at once, but of any size: up to 13 times the
 * load on MiniMalloc's instances.
 * Differences: tensors that one node uses last are pushed in the order of their values there, in
 * input order here.  Upstream rounds sizes up to 64 bytes, which align=native does; here objects
 * start at multiples of their tenants' alignments.  */
#include <config.h>

#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "solvers/fit/events.h"
#include "solvers/fit/ties.h"
#include "solvers/solver.h"

enum { ALLOCATOR_ALIGNMENT = 64 };

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    size_t depth = 0;
    size_t *stack = memory_alloc(instance->n, sizeof *stack);
    struct order_key *event = events_sort(instance, env);

    plan_use_objects(plan, LAYOUT_OBJECTS);
    for (size_t e = 0; e < 2 * instance->n; e++) {
        size_t b = event_buffer(event[e]);

        if (!event_begins(event[e]))
            stack[depth++] = plan->object[b];
        else
            plan->object[b] = depth > 0 ? stack[--depth] : plan->objects++;
    }
    plan_stack_objects(instance, plan);
    free(event);
    free(stack);
    return OUTCOME_FEASIBLE;
}

static const struct param params[] = {TIES_PARAM, PARAM_END};

const struct solver solver_static_runtime = {
    .name = "static-runtime",
    .title = "PyTorch Static Runtime",
    .source = "PyTorch, jit/runtime/static/memory_planner.cpp",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_INPUT_ORDER | SOLVER_SHIPPED | SOLVER_ONLINE,
    .layout = LAYOUT_OBJECTS,
    .native = {.size = ALLOCATOR_ALIGNMENT},
    .params = params,
    .solve = solve,
};
