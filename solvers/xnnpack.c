/* SPDX-License-Identifier: GPL-3.0-or-later */
/* xnnpack: XNNPACK's planner of a subgraph's values.
 *
 * Sizes descending, ties in input order (upstream leaves them to qsort).  Of the
 * gaps between the placed buffers that live at a common step the smallest one that
 * is large enough takes the buffer, the lowest of equal ones; where there is none
 * it goes on top of them.  Until July 2026 the gap below the lowest of them did not
 * count (leading=skip).  Inclusive lifetimes:
 *
 *     a  100  [0, 1]  at 0
 *     b   80  [1, 2]  at 100
 *     c   60  [2, 3]  at 0; with leading=skip at 180, above b
 *
 * Source: XNNPACK, src/memory-planner.c, and its issue 10800 for the example;
 * leading=use is what pull request 10801 made of it and the default.  Published as
 * O(n^2 log n); here near O(n log n) where the width is bounded
 * (lib/place/gap_index.c), with the same plan.  Guarantee: none is known but peak <=
 * sum of the sizes plus padding.
 * Differences: lifetimes are half-open (theirs include the last node); an alignment
 * moves the start of a gap up, upstream rounds sizes up instead (since 2023): to 64 bytes on
 * x86, which align=native takes on any machine, so that results do not hang on it, and to
 * 16 on ARM.  An operator that writes over its input is the instance's business.  */
#include <config.h>

#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/place/gap_index.h"
#include "lib/problem/instance.h"
#include "solvers/fit/ties.h"
#include "solvers/solver.h"

enum { LEADING_USE, LEADING_SKIP };

static const struct param params[] = {
    PARAM_ENUM("leading", "use",
               "the gap below the lowest live buffer: as since July 2026, as before",
               {"use", LEADING_USE}, {"skip", LEADING_SKIP}),
    TIES_PARAM,
    PARAM_END,
};

static int64_t between_only(const struct span_list *gaps, const struct buffer *buffer,
                            const void *context)
{
    int64_t offset = align_up(gaps->span[gaps->count - 1].lo, buffer->alignment);
    int64_t least = INT64_MAX;

    (void)context;
    for (size_t i = 0; i + 1 < gaps->count; i++) {
        int64_t start = align_up(gaps->span[i].lo, buffer->alignment);
        int64_t length = gaps->span[i].hi - start;

        /* Only the gap below all that is live starts at 0.  */
        if (start == 0 || length < buffer->size || length >= least)
            continue;
        least = length;
        offset = start;
    }
    return offset;
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    struct order_key *key = ties_sort(instance, env, TIES_FIRST, BY_SIZE, BY_NOTHING);

    if (params_choice(env->params, "leading") == LEADING_SKIP)
        gap_place_by(instance, key, between_only, NULL, plan);
    else
        gap_place(instance, key, FIT_BEST, plan);
    free(key);
    return OUTCOME_FEASIBLE;
}

const struct solver solver_xnnpack = {
    .name = "xnnpack",
    .title = "XNNPACK",
    .source = "XNNPACK, memory-planner.c",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SHIPPED | SOLVER_PAIRS,
    .layout = LAYOUT_ARENA,
    .native = {.size = 64},
    .params = params,
    .solve = solve,
};
