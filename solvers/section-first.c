/* SPDX-License-Identifier: GPL-3.0-or-later */
/* section-first: what the section search finds in a given time or number of
 * placements.
 *
 * Not the buffers are in an order, but a section is chosen first: a maximal set of
 * buffers alive together, the one with the fewest members that can still be its
 * lowest, divided by how often it has failed.  Its member with the lowest start is
 * placed, ties to the longest lifetime.  A failure takes the last placements back;
 * about thirty of them end a dive, and the next one knows which sections are hard.
 *
 *   capacity 4 . . . . . . .      {a, b} must fill 4 and {b, c} only 3, so the
 *            3 +---+---+---+      first section is chosen, and of its members
 *              | a |   |          b, which lives longer, lies below.
 *            1 +---+---+---+
 *              | b   b   b | ...
 *            0 +---+---+---+
 *
 * Dives at the load prove it when they come to the end; staged dives, which raise
 * their capacity a little whenever they are stuck, always end with a plan
 * (planner/dives/section_plan.h has the whole of it, METHOD.md the reasons).
 * Buffers of several pieces are planned by dives of their own (planner/dives/shape_dives.h), which
 * also plan around fixed offsets.
 *
 * Source: this project.
 * Complexity: memory linear in the incidences of buffers and sections; a dive is O(n (w
 * + s)) for w buffers alive together and s sections, less where both are local.
 * Guarantee: a peak equal to the load is optimal; without a deadline never worse than the greedy
 * plans of lib/place/best_greedy.h, of all sizes equal the optimum at once.
 * Deterministic by `nodes`; a deadline is not.  */
#include <config.h>

#include <string.h>

#include "lib/base/checked.h"
#include "lib/problem/instance.h"
#include "planner/dives/section_plan.h"
#include "solvers/library/library_run.h"
#include "solvers/solver.h"

/* Of a limit, since the plan has to be handed over within it.  */
#define TIME_SHARE 0.95

static const struct param parameters[] = {
    {"nodes", PARAM_INT, "0", NULL, 0, PARAM_NO_LIMIT,
     "placements to spend; 0: as many as suit the size, or no limit with a deadline"},
    {"deadline", PARAM_TEXT, "0", NULL, 0, 0,
     "time to spend, as in 10ms or 2s; 0: no limit but that of placements"},
    PARAM_END,
};

/* Seconds; 0: none.  */
static bool read_deadline(const char *text, double *seconds)
{
    char number[32];
    size_t length = strlen(text), unit = strcspn(text, "ms");
    double scale;

    if (strcmp(text + unit, "ms") == 0)
        scale = 1e-3;
    else if (strcmp(text + unit, "s") == 0 || strcmp(text, "0") == 0)
        scale = 1.0;
    else
        return false;
    if (unit >= sizeof number || length == 0)
        return false;
    memcpy(number, text, unit);
    number[unit] = '\0';
    if (!parse_real(number, 0.0, 1e9, seconds))
        return false;
    *seconds *= scale;
    return true;
}

static bool applicable(const struct instance *instance, const struct params *params,
                       struct error *reason)
{
    const char *text = params_text(params, "deadline");
    double seconds;

    (void)instance;
    return read_deadline(text, &seconds) ||
           error_set(reason, "deadline=%s: expected a time in ms or s, as in 10ms", text);
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    struct arenaplan_options options = ARENAPLAN_OPTIONS;
    double deadline = 0.0;

    read_deadline(params_text(env->params, "deadline"), &deadline);
    options.work = params_int(env->params, "nodes");
    if (options.work == 0)
        options.work = deadline > 0.0 ? INT64_MAX : section_plan_nodes(instance->n);
    if (env->work_limit > 0)
        options.work = min64(options.work, env->work_limit);
    options.seconds = deadline;
    if (env->time_limit > 0.0 && (deadline == 0.0 || TIME_SHARE * env->time_limit < deadline))
        options.seconds = TIME_SHARE * env->time_limit;
    return library_run(instance, env, &options, NULL, plan);
}

const struct solver solver_section_first = {
    .name = "section-first",
    .title = "Section first, dives",
    .source = "this project",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SEED | SOLVER_SHAPES | SOLVER_FIXED |
                    SOLVER_INPUT_ORDER | SOLVER_PAIRS,
    .layout = LAYOUT_ARENA,
    .params = parameters,
    .applicable = applicable,
    .solve = solve,
};
