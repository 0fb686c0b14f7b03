/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/sweep/experiment_adhoc.h"

#include "harness/run/contestants.h"
#include "harness/sweep/experiment.h"
#include "lib/base/memory.h"

static bool fill(const struct experiment_adhoc *request, struct experiment_set *set,
                 struct error *error)
{
    for (int i = 0; i < request->workloads; i++)
        if (!experiment_add_workloads(set, request->workload[i], error))
            return false;
    for (size_t i = 0; i < request->solvers->n; i++)
        if (!contestants_add_list(&set->solvers, request->solvers->text[i], error))
            return false;
    set->n_seeds = (size_t)request->seeds;
    set->seed = memory_alloc(set->n_seeds, sizeof *set->seed);
    for (size_t s = 0; s < set->n_seeds; s++)
        set->seed[s] = (uint32_t)s + 1;
    set->repetitions = request->repetitions;
    set->limits.time_s = request->time_s;
    set->limits.cpu_s = request->cpu_s;
    return experiment_check_tasks(set, error);
}

struct experiment *experiment_adhoc(const struct experiment_adhoc *request, struct error *error)
{
    struct experiment *experiment = memory_zalloc(1, sizeof *experiment);

    experiment->kind = EXPERIMENT_PLAN;
    experiment->has[EXPERIMENT_QUICK] = true;
    if (!experiment_check_name(request->name, error) ||
        !fill(request, &experiment->set[EXPERIMENT_QUICK], error)) {
        experiment_free(experiment);
        return NULL;
    }
    experiment->name = memory_strdup(request->name);
    experiment->title = memory_strdup(request->name);
    experiment->description = memory_strdup("Named on the command line.");
    experiment_add_figures(experiment->kind, &experiment->figures);
    return experiment;
}
