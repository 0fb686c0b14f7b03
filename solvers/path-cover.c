/* SPDX-License-Identifier: GPL-3.0-or-later */
/* path-cover: buffers that follow one another in time form groups; the groups
 * are stacked one after the other on a skyline.
 *
 * By begin (ties: input order) each buffer joins a group whose last member has
 * ended, else opens one.  That makes as few groups as the width, which is the
 * fewest vertex-disjoint paths that cover the graph with an edge i -> j where
 * end[i] <= begin[j].  The groups' members, group after group, then go on top
 * of the highest buffer below them in time:
 *
 *     offset    |   B B D D            groups: A C, B D
 *             0 | A A C C
 *               +----------- step
 *
 * Source: Maeda (LeapMind), "Buffer allocation as a path cover problem", blog
 * article in Japanese, 15 July 2021.
 * O(n log n); the article's heights cost O(n x steps).
 * Guarantee: peak <= width x max_size (alignment 1), so <= 2 W max_size under
 * the article's conditions (lib/judge/bounds.h).
 * Differences: the article takes "any" free group; `choice` says which, and
 * `first` is the simplest reading.  A start is rounded up to the buffer's
 * alignment; the article has none.  */
#include <config.h>

#include "lib/place/path_groups.h"
#include "solvers/solver.h"

static const struct param params[] = {
    PARAM_ENUM("choice", "first",
               "the free group that takes a buffer: opened first, opened last, or nearest in size",
               {"first", GROUP_FIRST}, {"last", GROUP_LAST}, {"best", GROUP_BEST}),
    PARAM_END,
};

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    path_groups_place(instance, params_choice(env->params, "choice"), plan);
    return OUTCOME_FEASIBLE;
}

const struct solver solver_path_cover = {
    .name = "path-cover",
    .title = "Path cover",
    .source = "LeapMind 2021",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_FIRST_PLAN,
    .layout = LAYOUT_ARENA,
    .params = params,
    .solve = solve,
};
