/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From experiments to tasks with keys.
 *
 * A key says all that a result depends on: workload and its checksum, solver,
 * parameters, seed, limits, repetition, and last the checksum of the sources
 * that make the solver, and of the files that its command names.  A limit that the experiment does
 * not state is `auto` in it: it depends on the machine and the number of jobs, and a sweep that
 * goes on with other jobs must find its tasks again.  */
#include <config.h>

#include <inttypes.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/store/store.h"
#include "harness/sweep/experiment_layers.h"
#include "harness/sweep/planning.h"
#include "harness/sweep/sweep_execution.h"
#include "harness/sweep/sweep_fit.h"
#include "lib/base/memory.h"
#include "solvers/solver.h"

static char *make_key(const struct sweep *sweep, const struct sweep_task *task, bool memory_stated,
                      bool alone)
{
    const struct sweep_workload *workload = &sweep->workload[task->workload];
    char memory[64] = "auto";
    size_t length;

    if (memory_stated)
        snprintf(memory, sizeof memory, "%" PRId64, task->limits.memory_bytes);
    /* Keys of tasks without this limit are as they were before there was one.  */
    length = strlen(memory);
    if (task->limits.cpu_s > 0)
        snprintf(memory + length, sizeof memory - length, " cpu=%.17g", task->limits.cpu_s);
    if (sweep_task_executes(task))
        return sweep_execution_key(workload, task, memory);
    if (sweep_task_fits(task))
        return sweep_fit_key(workload, task, memory);
    return memory_printf("plan %s %016" PRIx64 " %s seed=%" PRIu32 " time=%.17g memory=%s"
                         " work=%" PRId64 " repetition=%" PRId64 "%s build=%s",
                         workload->label, workload->checksum, task->contestant->spec, task->seed,
                         task->limits.time_s, memory, task->limits.work, task->repetition,
                         alone ? " alone" : "", task->contestant->build);
}

/* What a task has beside its solver: nothing, in a run a kernel, the memories of one that knows
 * several.  */
struct beside {
    const struct experiment_runs *runs;
    size_t kernel;
    const struct experiment_memories *memories;
};

/* All tasks of one solver on one workload, with what is beside it.  */
static void add_runs(struct planning *planning, size_t experiment, size_t workload,
                     const struct contestant *contestant, struct beside beside)
{
    const struct sweep_options *options = &planning->sweep->options;
    const struct experiment_set *set = &planning->sweep->experiment[experiment]->set[options->size];
    bool seeded = contestant_takes_seed(contestant);
    bool memory_stated = set->limits.memory_bytes != 0;

    for (size_t s = 0; s < (seeded ? set->n_seeds : 1); s++)
        for (int64_t r = 1; r <= set->repetitions; r++) {
            struct sweep_task task = {
                .workload = workload,
                .contestant = contestant,
                .seed = set->seed[s],
                .repetition = r,
                .limits = contestant_limits(contestant, &set->limits),
            };

            if (beside.runs != NULL) {
                task.kernel = sweep_execution_kernel(contestant, beside.runs, beside.kernel);
                task.rounds = beside.runs->rounds;
            } else if (beside.memories != NULL) {
                task.memories = beside.memories;
                task.kernel.label =
                    memory_printf("%s, %s", contestant->label, beside.memories->text);
            }
            if (!memory_stated)
                task.limits.memory_bytes = run_default_memory(options->jobs);
            task.key = make_key(planning->sweep, &task, memory_stated,
                                planning->sweep->experiment[experiment]->timing);
            planning_task(planning, &task, experiment);
        }
}

/* All tasks of one solver on one workload.  */
static void add_all_runs(struct planning *planning, size_t experiment, size_t workload,
                         size_t solver)
{
    const struct sweep *sweep = planning->sweep;
    const struct experiment *e = sweep->experiment[experiment];
    const struct experiment_set *set = &e->set[sweep->options.size];

    const struct contestant *contestant = &set->solvers.item[solver];

    if (e->kind == EXPERIMENT_PLAN)
        add_runs(planning, experiment, workload, contestant, (struct beside){.runs = NULL});
    for (size_t k = 0; k < set->runs.n_kernels; k++)
        if (experiment_has_pair(set, solver, k))
            add_runs(planning, experiment, workload, contestant,
                     (struct beside){.runs = &set->runs, .kernel = k});
    for (size_t m = 0; m < set->fits.n_memories; m++)
        add_runs(planning, experiment, workload, contestant,
                 (struct beside){.memories = &set->fits.memories[m]});
}

static bool plan_experiment(struct planning *planning, size_t experiment)
{
    struct sweep *sweep = planning->sweep;
    const struct experiment_set *set = &sweep->experiment[experiment]->set[sweep->options.size];

    if (!sweep->experiment[experiment]->has[sweep->options.size])
        return error_set(planning->error, "experiment %s has no %s size",
                         sweep->experiment[experiment]->name,
                         experiment_size_name(sweep->options.size));
    if (sweep->experiment[experiment]->kind == EXPERIMENT_CONV) {
        planning_layers(planning, experiment);
        return true;
    }
    for (size_t s = 0; s < set->solvers.count; s++)
        if (!contestant_identify(&set->solvers.item[s], planning->error))
            return error_prefix(planning->error, "%s", sweep->experiment[experiment]->name);
    for (size_t w = 0; w < set->n_workloads; w++) {
        size_t workload = 0;

        if (!planning_add_workload(planning, &set->workload[w], &workload))
            return error_prefix(planning->error, "%s", sweep->experiment[experiment]->name);
        for (size_t s = 0; s < set->solvers.count; s++)
            add_all_runs(planning, experiment, workload, s);
    }
    return true;
}

/* Those that run alone go last; the order is kept otherwise.  */
static void order_experiments(struct sweep *sweep, struct experiment **experiment, size_t count)
{
    sweep->experiment = memory_alloc(count, sizeof(struct experiment *));
    for (int timing = 0; timing < 2; timing++)
        for (size_t i = 0; i < count; i++)
            if (experiment[i]->timing == (timing == 1))
                sweep->experiment[sweep->n_experiments++] = experiment[i];
}

bool sweep_plan(struct sweep *sweep, const struct sweep_options *options,
                struct experiment **experiment, size_t count, struct error *error)
{
    struct planning planning = {.sweep = sweep, .error = error};
    bool done = true;

    *sweep = (struct sweep){.options = *options};
    order_experiments(sweep, experiment, count);
    sweep->first_place = memory_zalloc(count + 1, sizeof *sweep->first_place);
    sweep->done_before = memory_zalloc(count, sizeof *sweep->done_before);
    for (size_t e = 0; done && e < count; e++) {
        sweep->first_place[e] = sweep->n_places;
        done = plan_experiment(&planning, e);
        sweep->first_place[e + 1] = sweep->n_places;
    }
    tdestroy(planning.workloads, free);
    tdestroy(planning.tasks, free);
    return done;
}

void sweep_clear(struct sweep *sweep)
{
    for (size_t e = 0; e < sweep->n_experiments; e++)
        experiment_free(sweep->experiment[e]);
    for (size_t t = 0; t < sweep->n_tasks; t++)
        planning_clear_task(&sweep->task[t]);
    free(sweep->experiment);
    free(sweep->first_place);
    free(sweep->done_before);
    for (size_t w = 0; w < sweep->n_workloads; w++)
        free(sweep->workload[w].fact);
    free(sweep->workload);
    free(sweep->task);
    free(sweep->place);
    *sweep = (struct sweep){0};
}

const char *sweep_task_label(const struct sweep_task *task)
{
    return task->kernel.label != NULL ? task->kernel.label : task->contestant->label;
}

bool sweep_task_executes(const struct sweep_task *task)
{
    return task->contestant != NULL && task->kernel.kernel != NULL;
}

bool sweep_task_waits(const struct sweep_task *task)
{
    return task->done == 0 && !task->elsewhere;
}

static size_t count_here(const struct sweep *sweep, size_t experiment, bool done)
{
    size_t count = 0;

    for (size_t p = sweep->first_place[experiment]; p < sweep->first_place[experiment + 1]; p++) {
        const struct sweep_task *task = &sweep->task[sweep->place[p].task];

        count += !task->elsewhere && (!done || task->done != 0);
    }
    return count;
}

size_t sweep_tasks_here(const struct sweep *sweep, size_t experiment)
{
    return count_here(sweep, experiment, false);
}

size_t sweep_done_here(const struct sweep *sweep, size_t experiment)
{
    return count_here(sweep, experiment, true);
}

const char *sweep_task_name(const struct sweep_task *task)
{
    return task->contestant != NULL ? task->contestant->name : task->kernel.kernel->name;
}

/* Asks the store whether the task is done, or was by an earlier build.  */
static bool look_up(const struct sweep *sweep, struct sweep_task *task, struct error *error)
{
    enum outcome outcome;
    char name[32], *prefix;
    bool done;

    if (!store_find_task(sweep->store, task->key, &task->done, name, error))
        return false;
    if (task->done != 0) {
        if (sweep->options.retry && !task->elsewhere && outcome_from_name(name, &outcome) &&
            (outcome == OUTCOME_CRASHED || outcome == OUTCOME_MEMOUT ||
             outcome == OUTCOME_INVALID ||
             (outcome == OUTCOME_TIMEOUT && task->kernel.kernel != NULL)))
            task->done = 0;
        return true;
    }
    if (task->elsewhere)
        return true;
    /* The build stands last in the key.  */
    prefix = memory_strdup(task->key);
    strrchr(prefix, '=')[1] = '\0';
    done = store_has_prefix(sweep->store, prefix, &task->changed, error);
    free(prefix);
    return done;
}

bool sweep_look_up(struct sweep *sweep, struct store *store, struct error *error)
{
    bool done = true;

    sweep->store = store;
    for (size_t w = 0; done && w < sweep->n_workloads; w++) {
        struct sweep_workload *row = &sweep->workload[w];

        done = store_find_workload(store, row->label, row->checksum, &row->row, error);
    }
    for (size_t t = 0; done && t < sweep->n_tasks; t++)
        done = look_up(sweep, &sweep->task[t], error);
    for (size_t e = 0; e < sweep->n_experiments; e++)
        sweep->done_before[e] = sweep_done_here(sweep, e);
    return done;
}

static bool register_experiment(struct sweep *sweep, size_t e, struct error *error)
{
    const struct experiment *experiment = sweep->experiment[e];
    const struct experiment_set *set = &experiment->set[sweep->options.size];
    size_t first = sweep->first_place[e], end = sweep->first_place[e + 1], count = 0;
    struct store_place *place = memory_alloc(end - first, sizeof *place);
    char *figures = memory_strdup("");
    char *checksum = memory_printf("%016" PRIx64, sweep_tasks_checksum(sweep, e));
    struct store_experiment row = {
        .name = experiment->name,
        .size = experiment_size_name(sweep->options.size),
        .title = experiment->title,
        .description = experiment->description,
        .timing = experiment->timing,
        .budget_s = set->budget_s,
        .tasks = (int64_t)(end - first),
        .skipped = (int64_t)set->skipped.n,
        .tasks_checksum = checksum,
    };
    bool done;

    for (size_t i = 0; i < experiment->figures.n; i++)
        figures = memory_append(figures, "%s%s", i == 0 ? "" : " ", experiment->figures.text[i]);
    row.figures = figures;
    for (size_t p = first; p < end; p++)
        if (sweep->task[sweep->place[p].task].done != 0)
            place[count++] =
                (struct store_place){sweep->place[p].seq, sweep->task[sweep->place[p].task].done};
    done = store_put_experiment(sweep->store, &row, place, count, error);
    free(checksum);
    free(figures);
    free(place);
    return done;
}

bool sweep_register(struct sweep *sweep, struct error *error)
{
    for (size_t e = 0; e < sweep->n_experiments; e++)
        if (!register_experiment(sweep, e, error))
            return false;
    for (size_t w = 0; w < sweep->n_workloads; w++) {
        const struct sweep_workload *row = &sweep->workload[w];

        if (row->row != 0 && !store_put_facts(sweep->store, row->row, row->fact, row->facts, error))
            return false;
    }
    return true;
}
