/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tflite-arena: what TensorFlow Lite's interpreter runs with on a processor.
 *
 * Buffers that live during the whole run come first, in input order; then sizes
 * descending, then begins ascending; further ties, which an unstable sort leaves
 * open upstream, in input order.  Each goes into the tightest gap between the
 * placed buffers that live at a common step, or on top of them.
 *
 * Its comparison of gaps is uneven: a gap counts without the padding below its
 * aligned start, but is remembered with it.  With alignment 64, a buffer of 10 bytes
 * and two free gaps:
 *
 *     gap            aligned start   compared   remembered
 *     [ 50, 128)            64           64         78
 *     [192, 256)           192           64         64      64 < 78: taken
 *
 * so of equal gaps the higher one wins, and where alignments differ a worse one can.
 * comparison=corrected remembers what it compared.  With alignment 1 the two are one.
 *
 * Source: TensorFlow Lite (now LiteRT), arena_planner.cc and
 * simple_memory_arena.cc.  Published as O(n^2); here near O(n log n) where the
 * width is bounded (lib/place/gap_index.c), with the same plan.  Guarantee: none is
 * known but peak <= sum of the sizes plus padding.
 * Differences: lifetimes are half-open (theirs include the last node).  Theirs
 * never frees graph inputs, outputs and variables; an instance does not say what
 * these are, so a buffer counts as alive during the whole run when its lifetime
 * is that of all buffers together.  A second arena for persistent tensors, the
 * sharing of an operator's input with its output and planning for a part of the
 * nodes are left out: they are the instance's business.  An alignment belongs to
 * the buffer that is placed.  */
#include <config.h>

#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/place/gap_index.h"
#include "lib/problem/instance.h"
#include "solvers/fit/ties.h"
#include "solvers/solver.h"

static const struct param params[] = {
    PARAM_ENUM("comparison", "published", "how two gaps are compared when alignment pads them",
               {"published", FIT_UNEVEN}, {"corrected", FIT_BEST}),
    TIES_PARAM,
    PARAM_END,
};

/* Moves the buffers that live during the whole run to the front of KEY[0..n), in input order.  */
static void whole_run_first(const struct instance *instance, struct order_key *key)
{
    int64_t begin = INT64_MAX, end = INT64_MIN;

    for (size_t b = 0; b < instance->n; b++) {
        begin = min64(begin, instance->buffer[b].begin);
        end = max64(end, instance->buffer[b].end);
    }
    for (size_t i = 0; i < instance->n; i++) {
        const struct buffer *buffer = &instance->buffer[key[i].index];

        key[i].major = buffer->begin > begin || buffer->end < end;
        key[i].minor = key[i].major == 0 ? key[i].index : 0;
    }
    order_sort(key, instance->n); /* stable */
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    struct order_key *key = ties_sort(instance, env, TIES_FIRST, BY_SIZE, BY_BEGIN);

    whole_run_first(instance, key);
    gap_place(instance, key, params_choice(env->params, "comparison"), plan);
    free(key);
    return OUTCOME_FEASIBLE;
}

const struct solver solver_tflite_arena = {
    .name = "tflite-arena",
    .title = "TFLite memory arena",
    .source = "TensorFlow Lite, arena_planner.cc",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SHIPPED | SOLVER_PAIRS,
    .layout = LAYOUT_ARENA,
    .native = {.offset = 64},
    .params = params,
    .solve = solve,
};
