/* SPDX-License-Identifier: GPL-3.0-or-later */
/* iree: TFLite's memory arena without its order.
 *
 * Buffers are placed by begin and end, each into the tightest gap between the placed
 * ones that live at a common step, or on top of them, with the uneven comparison of
 * gaps that tflite-arena's head explains.
 *
 * Source: IREE, Stream/Transforms/LayoutSlices.cpp, which takes the slices of
 * static size in the order of the operation that packs them: StreamOpFolders.cpp
 * sorts them by begin and end.  rows=given is LayoutSlices.cpp alone.  64 bytes for size
 * and offset are the constraints of its host target (StreamTypes.cpp).  Published as O(n^2); here
 * near O(n log n) where the width is bounded (lib/place/gap_index.c), with the same plan.
 * Upstream puts a slice before placed ones with an equal offset and TFLite behind
 * them; what is free does not depend on it, so no plan does.  Guarantee: none is
 * known but peak <= sum of the sizes plus padding.
 * Differences: lifetimes are half-open (theirs include the last step); an alignment
 * belongs to the buffer that is placed; slices of dynamic size do not exist in our
 * instances; the total is not rounded up.  */
#include <config.h>

#include <stdlib.h>

#include "lib/place/gap_index.h"
#include "solvers/fit/ties.h"
#include "solvers/solver.h"

enum { ROWS_SORTED, ROWS_GIVEN };

static const struct param params[] = {
    PARAM_ENUM("rows", "sorted", "the order of placing: by begin and end, or that of the input",
               {"sorted", ROWS_SORTED}, {"given", ROWS_GIVEN}),
    TIES_PARAM,
    PARAM_END,
};

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    bool given = params_choice(env->params, "rows") == ROWS_GIVEN;
    struct order_key *key = ties_sort(instance, env, TIES_FIRST, given ? BY_NOTHING : BY_BEGIN,
                                      given ? BY_NOTHING : BY_END);

    gap_place(instance, key, FIT_UNEVEN, plan);
    free(key);
    return OUTCOME_FEASIBLE;
}

const struct solver solver_iree = {
    .name = "iree",
    .title = "IREE, layout of slices",
    .source = "IREE, LayoutSlices.cpp",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SHIPPED | SOLVER_FIRST_PLAN | SOLVER_PAIRS,
    .layout = LAYOUT_ARENA,
    .native = {.size = 64, .offset = 64},
    .params = params,
    .solve = solve,
};
