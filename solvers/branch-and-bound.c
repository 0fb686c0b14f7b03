/* SPDX-License-Identifier: GPL-3.0-or-later */
/* branch-and-bound: optimal offsets by searching section by section.
 *
 * The planner section-first (planner/dives/section_plan.h) makes the first plan; most
 * instances end there, at the load.  Otherwise each part of the time axis
 * (lib/place/part_runs.h) has a lower bound, at first its load, and an upper bound, at
 * first that plan or the best greedy one.  They are closed by searches in turn
 * (planner/sections/section_minimise.h): some look for packings, others refute capacities.
 *
 * A part with buffers of several pieces, which may interlock, is decided by the orders of
 * its pairs alone.
 *
 * Fixed offsets are least and latest starts to all of these (METHOD.md says why that is sound).
 *
 * A limit ends it with both bounds as they are: a limit refutes nothing.
 *
 * Source: this project.  Section first with failure weights is dom/wdeg (Boussemart,
 * Hemery, Lecoutre and Sais 2004) on the cliques of the interval graph; starts, ends
 * and not-first are those of scheduling a disjunctive resource (Carlier and Pinson
 * 1989), an address being a time.  It minimises what Moffitt's MiniMalloc (2023)
 * decides for one capacity.
 * Complexity: exponential; memory linear in the incidences of buffers and sections.  With a limit,
 * parts of more than a million incidences are left to the planner, which may reach the load.
 * Guarantee: none on time; what it calls optimal is.  */
#include <config.h>

#include "lib/problem/solver_env.h"
#include "solvers/library/library_run.h"
#include "solvers/solver.h"

/* Of a limit, since searches look at the clock now and then, and have to clear up after.  */
#define TIME_SHARE 0.98

/* The switches among the parameters.  */
static const struct {
    const char *name;
    uint32_t without;
} techniques[] = {
    {"planner", WITHOUT_PLANNER},
    {"learning", WITHOUT_LEARNING},
    {"notfirst", WITHOUT_NOT_FIRST},
    {"subset", WITHOUT_SUBSETS},
    {"decomposition", WITHOUT_DECOMPOSITION},
    {"disjunctive", WITHOUT_DISJUNCTIVE},
};

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    struct arenaplan_options options = ARENAPLAN_OPTIONS;
    struct prove_extras extras = {.nogoods = (size_t)params_int(env->params, "nogoods")};

    for (size_t t = 0; t < sizeof techniques / sizeof *techniques; t++)
        if (!params_on(env->params, techniques[t].name))
            extras.without |= techniques[t].without;
    options.work = env->work_limit;
    options.seconds = TIME_SHARE * env->time_limit;
    return library_run(instance, env, &options, &extras, plan);
}

static const struct param params[] = {
    PARAM_SWITCH("planner", "on", "begin with section-first's plan, go on with its dives"),
    PARAM_SWITCH("learning", "on", "nogoods, backjumping (refuting)"),
    PARAM_SWITCH("notfirst", "on", "a member that can't be the lowest lies above another"),
    PARAM_SWITCH("subset", "on", "not-first by subsets of the others (refuting)"),
    PARAM_SWITCH("decomposition", "on", "parts of time that share no unplaced buffer, one by one"),
    PARAM_SWITCH("disjunctive", "on",
                 "disjunctive search: decide which of two is below, pair by pair"),
    {"nogoods", PARAM_INT, "200", NULL, 0.0, 1000000.0, "kept in the database"},
    PARAM_END,
};

const struct solver solver_branch_and_bound = {
    .name = "branch-and-bound",
    .title = "Section search, exact",
    .source = "this project",
    .kind = SOLVER_EXACT,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SEED | SOLVER_SHAPES | SOLVER_FIXED | SOLVER_PAIRS,
    .layout = LAYOUT_ARENA,
    .params = params,
    .solve = solve,
};
