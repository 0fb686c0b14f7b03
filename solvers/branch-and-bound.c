/* SPDX-License-Identifier: GPL-3.0-or-later */
/* branch-and-bound: optimal offsets by searching section by section.
 *
 * The planner section-first (planner/dives/section_plan.h) makes the first plan; most
 * instances end there, at the load.  Otherwise each part of the time axis
 * (lib/place/part_runs.h) has a lower bound, at first its load, and an upper bound, at
 * first that plan or the best greedy one.  They are closed by searches in turn, on one thread
 * or two (planner/sections/section_minimise.h): some look for packings, others refute
 * capacities.
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
 * Complexity: exponential; memory linear in the incidences of buffers and sections,
 * beside the memo, which is bounded.  With a limit, parts of more than a million incidences
 * are left to the planner, which may reach the load.
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
    {"planner", ARENAPLAN_WITHOUT_PLANNER},     {"windows", ARENAPLAN_WITHOUT_WINDOWS},
    {"learning", ARENAPLAN_WITHOUT_LEARNING},   {"notfirst", ARENAPLAN_WITHOUT_NOT_FIRST},
    {"subset", ARENAPLAN_WITHOUT_SUBSETS},      {"mirror", ARENAPLAN_WITHOUT_MIRROR},
    {"memo", ARENAPLAN_WITHOUT_MEMO},           {"decomposition", ARENAPLAN_WITHOUT_DECOMPOSITION},
    {"orders", ARENAPLAN_WITHOUT_ORDERS},       {"guide", ARENAPLAN_WITHOUT_GUIDE},
    {"portfolio", ARENAPLAN_WITHOUT_PORTFOLIO}, {"fullwidth", ARENAPLAN_WITHOUT_FULL_WIDTH},
};

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    struct arenaplan_options options = ARENAPLAN_OPTIONS;
    int64_t nogoods = params_int(env->params, "nogoods");

    for (size_t t = 0; t < sizeof techniques / sizeof *techniques; t++)
        if (!params_on(env->params, techniques[t].name))
            options.without |= techniques[t].without;
    options.nogoods = nogoods == 0 ? UINT32_MAX : (uint32_t)nogoods;
    options.threads = (uint32_t)params_int(env->params, "threads");
    options.work = env->work_limit;
    options.seconds = TIME_SHARE * env->time_limit;
    return library_run(instance, env, LIBRARY_PROVE, &options, plan);
}

static const struct param params[] = {
    PARAM_SWITCH("planner", "on", "begin with section-first's plan, go on with its dives"),
    PARAM_SWITCH("windows", "on", "refute capacities by time windows"),
    PARAM_SWITCH("learning", "on", "nogoods, backjumping (refuting)"),
    PARAM_SWITCH("notfirst", "on", "a member that can't be the lowest lies above another"),
    PARAM_SWITCH("subset", "on", "not-first by subsets of the others (refuting)"),
    PARAM_SWITCH("mirror", "on", "a large buffer lies in the lower half (refuting)"),
    PARAM_SWITCH("memo", "on", "a table of refuted states (without learning)"),
    PARAM_SWITCH("decomposition", "on", "parts of time that share no unplaced buffer, one by one"),
    PARAM_SWITCH("orders", "on", "decide the orders of pairs, one by one"),
    PARAM_SWITCH("guide", "on", "look for packings below the best peak that follow the best one"),
    PARAM_SWITCH("portfolio", "on",
                 "other tie orders, section rules and the other direction of time in turn"),
    PARAM_SWITCH("fullwidth", "on", "cut buffers that span a window out of it"),
    {"nogoods", PARAM_INT, "200", NULL, 0.0, 1000000.0, "kept in the database"},
    {"threads", PARAM_INT, "1", NULL, 1.0, 2.0, "with 2, plan and time differ from run to run"},
    PARAM_END,
};

const struct solver solver_branch_and_bound = {
    .name = "branch-and-bound",
    .title = "Section search, exact",
    .source = "this project",
    .kind = SOLVER_EXACT,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SEED | SOLVER_SHAPES | SOLVER_FIXED,
    .layout = LAYOUT_ARENA,
    .params = params,
    .solve = solve,
};
