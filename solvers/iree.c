/* iree: TFLite's memory arena without its order.
 *
 * Buffers are placed as they come in the input, each into the tightest gap between
 * the placed ones that live at a common step, or on top of them, with the uneven
 * comparison of gaps that tflite-arena's head explains.
 *
 * Source: IREE, Stream/Transforms/LayoutSlices.cpp, which takes the slices of
 * static size in the order of the operation that packs them; 16 bytes for size and
 * offset are the constraints of its host target.  Published as O(n^2); here near
 * O(n log n) where the width is bounded (planner/greedy/gap_index.c), with the same plan.
 * Upstream puts a slice before placed ones with an equal offset and TFLite behind
 * them; what is free does not depend on it, so no plan does.  Guarantee: none is
 * known but peak <= sum of the sizes plus padding.
 * Differences: lifetimes are half-open (theirs include the last step); an alignment
 * belongs to the buffer that is placed; slices of dynamic size do not exist in our
 * instances; the total is not rounded up.  */
#include <config.h>

#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "planner/greedy/gap_index.h"
#include "solvers/solver.h"

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    struct order_key *key = memory_zalloc(instance->n, sizeof *key);

    (void)env;
    for (size_t b = 0; b < instance->n; b++)
        key[b].index = b;
    gap_place(instance, key, FIT_UNEVEN, plan);
    free(key);
    return OUTCOME_FEASIBLE;
}

const struct solver solver_iree = {
    .name = "iree",
    .title = "IREE, layout of slices",
    .source = "IREE, LayoutSlices.cpp",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_INPUT_ORDER,
    .layout = LAYOUT_ARENA,
    .native = {.size = 16, .offset = 16},
    .solve = solve,
};
