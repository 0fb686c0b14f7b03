/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "solvers/library/library_run.h"

#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "lib/problem/search_statistics.h"
#include "lib/problem/solver_env.h"
#include "planner/library/prove_logged.h"
#include "planner/pairs/proof_file.h"
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
    const struct search_statistics more = {{
        [STATISTIC_PLACEMENTS] = counted->placements,
        [STATISTIC_CONFLICTS] = counted->conflicts,
        [STATISTIC_RESTARTS] = counted->restarts,
        [STATISTIC_NOGOODS] = counted->nogoods,
        [STATISTIC_NOGOOD_HITS] = counted->nogood_hits,
        [STATISTIC_MEMO_HITS] = counted->memo_hits,
        [STATISTIC_WINDOWS] = counted->windows,
        [STATISTIC_CAPACITIES] = counted->capacities,
        [STATISTIC_DIVES] = counted->dives,
        [STATISTIC_DIVE_PLACEMENTS] = counted->dive_placements,
        [STATISTIC_DIVE_FAILURES] = counted->dive_failures,
        [STATISTIC_PAIR_CHOICES] = counted->pair_choices,
        [STATISTIC_PAIR_CONFLICTS] = counted->pair_conflicts,
        [STATISTIC_PAIR_RESTARTS] = counted->pair_restarts,
        [STATISTIC_PAIR_NOGOODS] = counted->pair_nogoods,
    }};

    search_statistics_join(sum, &more);
}

static enum arenaplan_status ask(const struct instance *instance, const struct solver_env *env,
                                 enum library_layer layer, const struct arenaplan_options *options,
                                 int64_t *offset, struct arenaplan_result *result)
{
    struct callers_problem given;
    struct proof_file proof;
    enum arenaplan_status status;

    callers_problem_init(&given, instance);
    if (env->proof != NULL)
        proof_file_init(&proof, instance, env->proof);
    status = layer == LIBRARY_PLAN
                 ? arenaplan_plan(&given.problem, options, offset, result)
                 : arenaplan_prove_logged(&given.problem, options,
                                          env->proof != NULL ? &proof.sink : NULL, offset, result);
    callers_problem_clear(&given);
    return status;
}

enum outcome library_run(const struct instance *instance, const struct solver_env *env,
                         enum library_layer layer, const struct arenaplan_options *options,
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
    asked.bound = layer == LIBRARY_PROVE ? bound : NULL;
    status = ask(instance, env, layer, &asked, offset, &result);
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
