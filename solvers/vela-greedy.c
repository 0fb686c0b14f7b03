/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vela-greedy: best fit by begin, of those that begin together the longest life first.
 *
 * Begins ascending, then ends descending, then sizes ascending, then input order.  The smallest
 * gap between the buffers that are alive takes a buffer, measured from its aligned start, the
 * lowest of equal ones; where none is large enough it goes on top of them.
 *
 *   offset 6 | a         a [0, 1), b [0, 3), c [0, 1), d [1, 2) have 4, 3, 3 and 3 bytes: b goes
 *          3 | c d       first, as it lives longest, and c before a, as it is smaller.
 *          0 | b b b
 *
 * Source: Vela, the compiler for Arm's Ethos-U, ethosu/vela/greedy_allocation.py and live_range.py.
 * Published as O(n x buffers alive); here near O(n log n) where the width is bounded
 * (lib/place/gap_index.c), with the same plan.  Guarantee: none is known but peak <= sum of
 * the rounded sizes.
 * Differences: lifetimes are half-open (theirs include the last step).  The last key is the
 * tensor's name there.  A gap has to hold the size rounded up to the alignment, which is 16 bytes
 * there, and the buffer's own here.  */
#include <config.h>

#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/place/gap_index.h"
#include "lib/problem/instance.h"
#include "solvers/fit/ties.h"
#include "solvers/solver.h"

enum { ETHOS_ALIGNMENT = 16 };

static int64_t best_gap(const struct span_list *gaps, const struct buffer *buffer,
                        const void *context)
{
    int64_t size = align_up(buffer->size, buffer->alignment), least = INT64_MAX;
    int64_t offset = align_up(gaps->span[gaps->count - 1].lo, buffer->alignment);

    (void)context;
    for (size_t i = 0; i + 1 < gaps->count; i++) {
        int64_t start = align_up(gaps->span[i].lo, buffer->alignment);
        int64_t length = gaps->span[i].hi - start;

        if (length < size || length >= least)
            continue;
        least = length;
        offset = start;
    }
    return offset;
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    struct order_key *key = ties_sort(instance, env, TIES_FIRST, BY_NOTHING, BY_NOTHING);

    for (size_t i = 0; i < instance->n; i++)
        key[i].major = (uint64_t)instance->buffer[key[i].index].size;
    order_sort(key, instance->n);
    for (size_t i = 0; i < instance->n; i++) {
        const struct buffer *buffer = &instance->buffer[key[i].index];

        key[i].major = key_ascending(buffer->begin);
        key[i].minor = key_descending(buffer->end);
    }
    order_sort(key, instance->n);
    gap_place_by(instance, key, best_gap, NULL, plan);
    free(key);
    return OUTCOME_FEASIBLE;
}

static const struct param params[] = {TIES_PARAM, PARAM_END};

const struct solver solver_vela_greedy = {
    .name = "vela-greedy",
    .title = "Vela, greedy",
    .source = "Vela, greedy_allocation.py",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SHIPPED | SOLVER_PAIRS,
    .layout = LAYOUT_ARENA,
    .native = {.offset = ETHOS_ALIGNMENT},
    .params = params,
    .solve = solve,
};
