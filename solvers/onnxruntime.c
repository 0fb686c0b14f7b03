/* SPDX-License-Identifier: GPL-3.0-or-later */
/* onnxruntime: ONNX Runtime's memory pattern, a best fit over one run's trace.
 *
 * The allocations and frees of a run are replayed in time.  At each step what ended
 * is freed first, then what begins is allocated, in input order: in the smallest
 * gap that is large enough, the lowest of equal ones, also that between the last live
 * block and the highest top so far; where there is none, on top of the last live block.
 *
 *   step 0: a at 0, 4 bytes; b at 4, 2 bytes; c at 6, 5 bytes; d at 11, 1 byte
 *   step 1: a and c have ended; e of 4 bytes goes to [0, 4), not to [6, 11)
 *   step 2: b and d have ended; f of 8 bytes goes on top of e, at 4
 *
 * Earlier versions looked only at the gaps below the last live block: top=append.
 * (There f is the same; but a buffer of 1 byte goes to a gap of 2 bytes below where 1
 * byte is left at the top.)
 *
 * Source: ONNX Runtime, core/framework/mem_pattern_planner.h; its execution frame
 * rounds sizes up to 256 bytes.  Published as O(n blocks).  A buffer that is placed
 * in the order of begins meets exactly the blocks that are alive when it begins, so
 * the index over lifetimes (lib/place/gap_index.c) gives the same plan, near O(n log n)
 * where the width is bounded.  Guarantee: none is known.
 * Differences: what ends at a step is freed before what begins there, so the order
 * of frees does not matter; ties (buffers that begin together) in input order, as a
 * trace has them.  Sharing a buffer of the same shape, which upstream decides
 * before, is the instance's business.  An alignment moves the start of a gap up.
 *
 * The best fit of MLIR's static memory planning (Bufferization, StaticMemoryPlanning.cpp, under
 * review in 2026 as llvm-project's pull request 207403) is the same: the space below the high-water
 * mark competes as a finite gap.  Its companion `trivial` reuses nothing.  */
#include <config.h>

#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/place/gap_index.h"
#include "lib/problem/instance.h"
#include "solvers/fit/ties.h"
#include "solvers/solver.h"

enum { TOP_APPEND, TOP_FIT };

static const struct param params[] = {
    PARAM_ENUM("top", "fit",
               "what is free below the highest top so far: a last resort, or a gap like others",
               {"append", TOP_APPEND}, {"fit", TOP_FIT}),
    TIES_PARAM,
    PARAM_END,
};

/* CONTEXT is the plan, whose peak is the highest top so far.  */
static int64_t with_top(const struct span_list *gaps, const struct buffer *buffer,
                        const void *context)
{
    const struct plan *plan = context;
    int64_t offset = 0, least = INT64_MAX;

    for (size_t i = 0; i < gaps->count; i++) {
        bool last = i + 1 == gaps->count;
        int64_t start = align_up(gaps->span[i].lo, buffer->alignment);
        int64_t length = (last ? plan->peak : gaps->span[i].hi) - start;

        if ((length >= buffer->size && length < least) || (last && least == INT64_MAX)) {
            least = length;
            offset = start;
        }
    }
    return offset;
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    struct order_key *key = ties_sort(instance, env, TIES_FIRST, BY_BEGIN, BY_NOTHING);

    if (params_choice(env->params, "top") == TOP_FIT)
        gap_place_by(instance, key, with_top, plan, plan);
    else
        gap_place(instance, key, FIT_BEST, plan);
    free(key);
    return OUTCOME_FEASIBLE;
}

const struct solver solver_onnxruntime = {
    .name = "onnxruntime",
    .title = "ONNX Runtime, memory pattern",
    .source = "ONNX Runtime, mem_pattern_planner.h",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SHIPPED | SOLVER_ONLINE | SOLVER_PAIRS,
    .layout = LAYOUT_ARENA,
    .native = {.size = 256},
    .params = params,
    .solve = solve,
};
