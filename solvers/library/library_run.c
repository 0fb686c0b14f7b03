/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "solvers/library/library_run.h"

#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "lib/problem/search_statistics.h"
#include "lib/problem/solver_env.h"
#include "planner/disjunctive/proof_file.h"
#include "solvers/library/callers_problem.h"

struct run {
    const struct solver_env *env;
    struct plan *plan;
};

static void take_plan(struct run *run, const int64_t *offset, int64_t peak)
{
    for (size_t b = 0; b < run->plan->n; b++)
        run->plan->offset[b] = offset[b];
    run->plan->peak = peak;
}

static void better(void *context, const int64_t *offset, size_t count, int64_t peak)
{
    struct run *run = context;

    (void)count;
    take_plan(run, offset, peak);
    if (run->env->incumbent != NULL)
        run->env->incumbent(run->env->context, run->plan);
}

static void bound(void *context, int64_t lower_bound)
{
    struct run *run = context;

    run->plan->lower_bound = lower_bound;
    if (run->env->bound != NULL)
        run->env->bound(run->env->context, lower_bound);
}

static void add_statistics(struct search_statistics *sum,
                           const struct arenaplan_statistics *counted)
{
#define COUNT(constant, name, ...) [STATISTIC_##constant] = counted->name,
    const struct search_statistics more = {{SEARCH_STATISTICS_OF_LIBRARY(COUNT)}};
#undef COUNT

    search_statistics_join(sum, &more);
}

static enum arenaplan_status ask(const struct instance *instance, const struct solver_env *env,
                                 const struct arenaplan_options *options,
                                 const struct prove_extras *extras, int64_t *offset,
                                 struct arenaplan_result *result)
{
    struct callers_problem given;
    struct prove_extras asked;
    struct proof_file proof;
    enum arenaplan_status status;

    callers_problem_init(&given, instance);
    if (extras != NULL) {
        asked = *extras;
        if (env->proof != NULL) {
            proof_file_init(&proof, instance, env->proof);
            asked.sink = &proof.sink;
        }
        status = arenaplan_prove_with(&given.problem, options, asked, offset, result);
    } else {
        status = arenaplan_plan(&given.problem, options, offset, result);
    }
    callers_problem_clear(&given);
    return status;
}

enum outcome library_run(const struct instance *instance, const struct solver_env *env,
                         const struct arenaplan_options *options, const struct prove_extras *extras,
                         struct plan *plan)
{
    struct run run = {env, plan};
    struct arenaplan_options asked = *options;
    struct arenaplan_result result = ARENAPLAN_RESULT;
    int64_t *offset = memory_alloc(instance->n, sizeof *offset);
    enum arenaplan_status status;

    asked.seed = env->seed;
    asked.context = &run;
    asked.better = better;
    asked.bound = extras != NULL ? bound : NULL;
    status = ask(instance, env, &asked, extras, offset, &result);
    if (status == ARENAPLAN_NO_MEMORY) {
        memory_free(offset);
        memory_exhausted();
    }
    if (status <= ARENAPLAN_FEASIBLE)
        take_plan(&run, offset, result.peak);
    memory_free(offset);
    plan->lower_bound = result.lower_bound;
    plan->nodes = result.work;
    add_statistics(env->statistics, &result.statistics);
    if (status == ARENAPLAN_OPTIMAL)
        return OUTCOME_OPTIMAL;
    if (status != ARENAPLAN_FEASIBLE)
        return OUTCOME_CRASHED; /* a sealed instance is a problem, and there always is a plan */
    return asked.seconds > 0.0 && result.seconds >= asked.seconds ? OUTCOME_TIMEOUT
                                                                  : OUTCOME_FEASIBLE;
}
