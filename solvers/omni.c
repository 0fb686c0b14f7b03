/* SPDX-License-Identifier: GPL-3.0-or-later */
/* omni: first fit in seven orders, the least peak.
 *
 * The orders are, in turn: the input's; by size; by length of life; by size times length;
 * by conflicts, the buffers that are alive at a common step, then size; by conflicts times
 * size, then size; by begin, then size.  All but begin descend, and what is equal then comes
 * in input order.  The first plan of the least peak is taken.
 *
 * An example, where only the sixth order reaches the load: a lives in [2,4) and has 4 bytes,
 * b [3,4) 5, c [0,3) 2, d [1,2) 6. Conflicts times size are 8, 5, 4, 6, so a, d, b, c:
 *
 *     offset 9             +---+
 *            8 +---+---+---+ b |    The others leave 11 or 12.
 *            6 | c   c   c |   |
 *              +---+---+---+   |
 *            4     | d +---+---+
 *            0     |   | a   a |
 *                  +---+-------+
 *
 * Source: OmniMalloc (fpedd/omnimalloc, Apache-2.0), its allocator omni, from a description
 * that names sizes, lifetimes, areas and conflicts.  The rest is what its recorded answers say
 * (tests/upstream): the input's order and that by begin, the product, and which orders break
 * ties by size.  Where recorded plans don't tell two of the last orders apart, the sequence is
 * ours.
 * Complexity: seven runs of first fit (planner/greedy/gap_index.c).  It stops at the first
 * that reaches the load: none could be better.  Guarantee: none above first fit by size.
 * Differences: products beyond 64 bits count as equal; an alignment, which upstream does not
 * have, moves the start of a gap up.  */
#include <config.h>

#include <stdbool.h>
#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "planner/greedy/gap_index.h"
#include "solvers/fit/conflicts.h"
#include "solvers/fit/ties.h"
#include "solvers/fit/turns.h"
#include "solvers/solver.h"

enum order { BY_INPUT, BY_SIZE, BY_LENGTH, BY_AREA, BY_CONFLICTS, BY_CROWD, BY_BEGIN, ORDERS };

static uint64_t product(uint64_t a, uint64_t b)
{
    uint64_t result;

    return __builtin_mul_overflow(a, b, &result) ? UINT64_MAX : result;
}

static struct order_key key_of(const struct buffer *buffer, uint64_t conflicts, enum order order)
{
    uint64_t size = (uint64_t)buffer->size;

    switch (order) {
    case BY_SIZE:
        return (struct order_key){.major = ~size};
    case BY_LENGTH:
        return (struct order_key){.major = ~lifetime_length(buffer)};
    case BY_AREA:
        return (struct order_key){.major = ~product(size, lifetime_length(buffer))};
    case BY_CONFLICTS:
        return (struct order_key){~conflicts, ~size, 0};
    case BY_CROWD:
        return (struct order_key){~product(conflicts, size), ~size, 0};
    case BY_BEGIN:
        return (struct order_key){key_ascending(buffer->begin), ~size, 0};
    default:
        return (struct order_key){.major = 0};
    }
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    size_t n = instance->n, *equal = ties_order(env, n, TIES_FIRST);
    size_t *conflicts = conflict_counts(instance);
    struct order_key *key = memory_alloc(n, sizeof *key);
    struct plan *trial = plan_new(instance);
    struct turns turns = turns_under(env);
    bool timed_out = false;

    for (enum order order = BY_INPUT; order < ORDERS; order++) {
        timed_out = !turns_next(&turns);
        if (timed_out || (order > BY_INPUT && plan->peak == instance->load))
            break;
        for (size_t i = 0; i < n; i++) {
            key[i] = key_of(&instance->buffer[equal[i]], conflicts[equal[i]], order);
            key[i].index = equal[i];
        }
        order_sort(key, n);
        gap_place(instance, key, FIT_FIRST, trial);
        if (order == BY_INPUT || trial->peak < plan->peak) {
            plan_copy(plan, trial);
            if (env->incumbent != NULL)
                env->incumbent(env->context, plan);
        }
    }
    plan_free(trial);
    free(key);
    free(conflicts);
    free(equal);
    return timed_out ? OUTCOME_TIMEOUT : OUTCOME_FEASIBLE;
}

static const struct param params[] = {TIES_PARAM, PARAM_END};

const struct solver solver_omni = {
    .name = "omni",
    .title = "OmniMalloc, best of seven",
    .source = "OmniMalloc, allocators/omni",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_INPUT_ORDER,
    .layout = LAYOUT_ARENA,
    .params = params,
    .solve = solve,
};
