/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "memories/splitter.h"

#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/timer.h"
#include "lib/problem/instance.h"
#include "memories/heuristics.h"
#include "memories/moves_solve.h"
#include "memories/split.h"

/* --- ours --- */

static bool complete(bool all, const struct split *split, struct error *reason)
{
    return (all && split->cost != SPLIT_NEVER) ||
           error_set(reason, "a buffer finds no room in any memory, or the limit ended it");
}

static bool by_saving(const struct split_problem *problem, const struct split_limits *limits,
                      struct split *split, struct split_result *result, struct error *reason)
{
    size_t *order = split_by_saving(problem);
    const bool all = split_in_order(problem, order, limits, split);

    (void)result;
    memory_free(order);
    return complete(all, split, reason);
}

static bool by_relaxation(const struct split_problem *problem, const struct split_limits *limits,
                          struct split *split, struct split_result *result, struct error *reason)
{
    double *value = memory_zalloc(problem->instance->n, sizeof *value);
    bool all = false;

    result->bound = 0;
    if (split_relax(problem, limits->deadline, &result->bound, value)) {
        size_t *order = split_by_value(problem, value);

        all = split_in_order(problem, order, limits, split);
        memory_free(order);
    }
    memory_free(value);
    return complete(all, split, reason);
}

static bool exchange(const struct split_problem *problem, const struct split_limits *limits,
                     struct split *split, struct split_result *result, struct error *reason)
{
    if (!by_saving(problem, limits, split, result, reason))
        return false;
    split_exchange(problem, limits, split);
    return true;
}

static const struct splitter splitter_by_saving = {
    .name = "by-saving",
    .title = "Most saved for a byte and step first",
    .source = "Dantzig 1957, greedy rule of knapsacks",
    .kind = SPLITTER_HEURISTIC,
    .solve = by_saving,
};
static const struct splitter splitter_lp_rounding = {
    .name = "lp-rounding",
    .title = "What the linear relaxation takes first",
    .source = "relaxed unsplittable flow on a path",
    .kind = SPLITTER_HEURISTIC,
    .solve = by_relaxation,
};
static const struct splitter splitter_exchange = {
    .name = "exchange",
    .title = "by-saving, then one in and as many out as it takes",
    .source = "local search",
    .kind = SPLITTER_HEURISTIC,
    .solve = exchange,
};

/* --- exact --- */

static bool benders(const struct split_problem *problem, const struct split_limits *limits,
                    struct split *split, struct split_result *result, struct error *reason)
{
    struct split_cuts cuts = {0};
    char *why;

    *result = split_solve(problem, limits, &cuts, split);
    if (result->outcome == SPLIT_INFEASIBLE) {
        why = split_why_not(problem, &cuts);
        error_set(reason, "%s", why);
        memory_free(why);
    } else if (split->cost == SPLIT_NEVER) {
        error_set(reason, "the limit ended it");
    }
    split_cuts_clear(&cuts);
    return split->cost != SPLIT_NEVER;
}

static const struct splitter splitter_benders = {
    .name = "benders",
    .title = "Logic-based Benders decomposition, exact",
    .source = "Hooker and Ottosson 2003",
    .kind = SPLITTER_EXACT,
    .solve = benders,
};

/* --- moves --- */

/* Half of the time is for the split.  */
static bool with_moves(const struct split_problem *problem, const struct split_limits *limits,
                       struct split *split, struct split_result *result, struct error *reason)
{
    const double now = timer_now();
    const struct split_limits half = {limits->work, now + (limits->deadline - now) / 2.0};
    struct moves_problem moves;
    struct moves_result moved;
    struct move_plan plan;
    bool good;

    if (!benders(problem, &half, split, result, reason) ||
        !moves_problem_init(&moves, problem, reason))
        return false;
    move_plan_init(&plan, &moves);
    moved = moves_solve(&moves, split, limits, &plan);
    good = moves_verify(&moves, &plan, reason);
    result->moves_cost = plan.cost;
    result->moves_bound = moved.bound;
    move_plan_clear(&plan);
    moves_problem_clear(&moves);
    return good;
}

static const struct splitter splitter_moves = {
    .name = "moves",
    .title = "The exact one, then buffers that move between accesses",
    .source = "Belady 1966, integer program",
    .kind = SPLITTER_MOVES,
    .solve = with_moves,
};

/* --- by name --- */

const struct splitter *const splitters[] = {
    &splitter_executorch,
    &splitter_tvm_size,
    &splitter_tvm_size_upstream,
    &splitter_tvm_conflicts,
    &splitter_tvm_conflicts_upstream,
    &splitter_tvm_hill_climb,
    &splitter_vela,
    &splitter_by_saving,
    &splitter_lp_rounding,
    &splitter_exchange,
    &splitter_moves,
    &splitter_benders,
};
const size_t splitter_count = sizeof splitters / sizeof splitters[0];

/* What the build finds all of them by (build-aux/contestant-files).  */
extern const struct splitter_set splitter_set_splitters;
const struct splitter_set splitter_set_splitters = {splitters, &splitter_count};

const struct splitter *splitter_find(const char *name)
{
    for (size_t i = 0; i < splitter_count; i++)
        if (strcmp(splitters[i]->name, name) == 0)
            return splitters[i];
    return NULL;
}

const struct splitter *splitter_named(const char *name, const char *more, struct error *error)
{
    const struct splitter *splitter = splitter_find(name);
    const char **known = memory_alloc(splitter_count, sizeof *known);

    for (size_t i = 0; i < splitter_count; i++)
        known[i] = splitters[i]->name;
    if (splitter == NULL)
        error_unknown(error, "planner for several memories", name, known, splitter_count, more);
    memory_free(known);
    return splitter;
}

const char *splitter_kind_name(enum splitter_kind kind)
{
    static const char *const name[] = {[SPLITTER_HEURISTIC] = "heuristic",
                                       [SPLITTER_SHIPPED] = "shipped",
                                       [SPLITTER_EXACT] = "exact",
                                       [SPLITTER_MOVES] = "moves"};

    return name[kind];
}

/* What is shipped knows no memory without its bottom.  */
static bool is_for(const struct splitter *splitter, const struct split_problem *problem,
                   struct error *reason)
{
    for (size_t m = 0; m < problem->memories && splitter->kind == SPLITTER_SHIPPED; m++)
        if (problem->memory[m].n_reserved > 0)
            return error_set(reason, "it knows no reserved ranges (memory '%s')",
                             problem->memory[m].name);
    return true;
}

bool splitter_run(const struct splitter *splitter, const struct split_problem *problem,
                  const struct split_limits *limits, struct split *split,
                  struct split_result *result, bool *invalid, struct error *reason)
{
    *result = (struct split_result){.outcome = SPLIT_UNKNOWN};
    *invalid = false;
    if (!is_for(splitter, problem, reason) ||
        !splitter->solve(problem, limits, split, result, reason))
        return false;
    *invalid = !split_verify(problem, split, reason);
    if (splitter->kind != SPLITTER_EXACT && splitter->kind != SPLITTER_MOVES)
        result->outcome = SPLIT_FEASIBLE;
    return !*invalid;
}
