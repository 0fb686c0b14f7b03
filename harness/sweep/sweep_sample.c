/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/sweep/sweep_sample.h"

#include <math.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/io/kernel_workspace.h"
#include "harness/run/runner.h"
#include "harness/store/rows.h"
#include "harness/sweep/experiment_fits.h"
#include "harness/sweep/experiment_layers.h"
#include "harness/sweep/planning.h"
#include "harness/sweep/sweep.h"
#include "harness/sweep/sweep_execution.h"
#include "kernels/isa.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "workloads/workload.h"

/* Each task once, as one of the first experiment that has it; what no experiment refers to any more
 * was superseded.  Tasks of one workload follow each other.  A command's name stands behind its
 * solver's, and among its parameters; kernels are named as an experiment of runs does.  */
static const char tasks_sql[] =
    "with chosen as (select experiment, iif(max(size = 'full'), 'full', max(size)) as size"
    "  from experiment_task group by experiment),"
    " place as (select task, min(experiment) as experiment, size"
    "  from experiment_task join chosen using (experiment, size) group by task),"
    " named as (select *, substr(contestant, 1, instr(contestant || ':', ':') - 1)"
    "  || iif(params = '', '', ':' || params) as spec from task)"
    "select p.experiment, coalesce(e.timing, 0) as timing, t.*, k.key, w.label, x.isa, x.threads,"
    " x.groups, x.kernels, x.kernels || ':threads=' || x.threads"
    "  || iif(x.groups, ',groups=on', '') as kernel_spec,"
    " coalesce(t.timed, 0) or t.outcome in ('timeout', 'memout') as cut,"
    " dense_rank() over (order by t.kind = 'fit', t.spec) - 1 as solver, f.memories"
    " from place p join named t on t.id = p.task join workload w on w.id = t.workload"
    " join task_key k on k.task = t.id left join execution x on x.task = t.id"
    " left join split f on f.task = t.id"
    " left join experiment e on e.name = p.experiment and e.size = p.size"
    " order by timing, p.experiment, w.id, t.id";

/* Times are not compared, so a run is short.  */
enum { ROUNDS = 3 };

struct sampling {
    struct sample *sample;
    struct rows task;
    struct planning planning;
};

static const char *text(const struct sampling *s, size_t task, const char *name)
{
    return rows_named(&s->task, task, name);
}

static int64_t number(const struct sampling *s, size_t task, const char *name)
{
    return strtoll(text(s, task, name), NULL, 10);
}

static bool is_run(const struct sampling *s, size_t task)
{
    return strcmp(text(s, task, "kind"), "run") == 0;
}

static bool is_fit(const struct sampling *s, size_t task)
{
    return strcmp(text(s, task, "kind"), "fit") == 0;
}

/* --- which tasks --- */

/* The solver of a task, ready to be run; NULL where it is not here.  */
static struct contestant *find_contestant(struct sampling *s, size_t task)
{
    struct contestant *contestant = &s->sample->set.solvers.item[number(s, task, "solver")];
    struct error *why = &s->sample->absence;

    if (contestant->entry == NULL &&
        (!(is_fit(s, task) ? experiment_find_splitter(contestant, text(s, task, "spec"), why)
                           : contestant_parse(contestant, text(s, task, "spec"), why)) ||
         !contestant_identify(contestant, why)))
        contestant_clear(contestant);
    return contestant->entry == NULL ? NULL : contestant;
}

/* The memories of a task on several; NULL where they are none.  They move when others are added. */
static const struct experiment_memories *find_memories(struct sampling *s, size_t task)
{
    struct experiment_set *set = &s->sample->set;
    const char *memories = text(s, task, "memories");

    if (experiment_add_memories(set, memories, &s->sample->absence))
        for (size_t m = 0; m < set->fits.n_memories; m++)
            if (strcmp(set->fits.memories[m].text, memories) == 0)
                return &set->fits.memories[m];
    return NULL;
}

/* The kernel of a run, as an index, and the instruction set; false where one is not here.  */
static bool find_kernel(struct sampling *s, size_t task, size_t *kernel, enum isa *isa)
{
    struct experiment_set *set = &s->sample->set;
    const struct experiment_kernel *k;
    struct error *why = &s->sample->absence;

    /* One with more threads than there are processors is left out without an error.  */
    if (isa_parse(text(s, task, "isa"), isa, NULL) && isa_available(*isa) &&
        experiment_add_run_kernels(set, text(s, task, "kernel_spec"), why))
        for (*kernel = 0, k = set->runs.kernel; *kernel < set->runs.n_kernels; ++*kernel, k++)
            if (strcmp(k->name, text(s, task, "kernels")) == 0 &&
                k->threads == number(s, task, "threads") &&
                k->groups == (number(s, task, "groups") != 0))
                return true;
    return error_set(why, "kernel %s on %s with %s threads", text(s, task, "kernels"),
                     text(s, task, "isa"), text(s, task, "threads"));
}

/* Whether what would run it now is what ran it then: that stands last in its key.  */
static bool is_same_version(const struct sampling *s, size_t task,
                            const struct contestant *contestant, size_t kernel)
{
    const char *then = strrchr(text(s, task, "key"), '=');
    char *now = is_run(s, task)
                    ? sweep_execution_build(contestant, &s->sample->set.runs.kernel[kernel])
                    : memory_strdup(contestant->build);
    bool same = then != NULL && strcmp(then + 1, now) == 0;

    free(now);
    return same;
}

static enum sample_fate fate_of(struct sampling *s, size_t task)
{
    const struct contestant *contestant;
    size_t kernel = 0;
    enum isa isa;

    if (strcmp(text(s, task, "kind"), "conv") == 0)
        return SAMPLE_KERNEL;
    if (number(s, task, "cut") != 0)
        return SAMPLE_CUT;
    contestant = find_contestant(s, task);
    if (contestant == NULL || (is_run(s, task) && !find_kernel(s, task, &kernel, &isa)) ||
        (is_fit(s, task) && find_memories(s, task) == NULL))
        return SAMPLE_ABSENT;
    if (!s->sample->any_version && !is_same_version(s, task, contestant, kernel))
        return SAMPLE_VERSION;
    return SAMPLE_ELIGIBLE;
}

/* Draws from the eligible tasks as many as the share says, and at least one: rows of s->task, in
 * their order, which the caller frees.  */
static size_t *draw(struct sampling *s)
{
    struct sample *sample = s->sample;
    struct rng *rng = rng_new(sample->seed);
    size_t *task = memory_alloc(s->task.count, sizeof *task), eligible, wanted;

    for (size_t t = 0; t < s->task.count; t++) {
        enum sample_fate fate = fate_of(s, t);

        if (fate == SAMPLE_ELIGIBLE)
            task[sample->count[SAMPLE_ELIGIBLE]] = t;
        sample->count[fate]++;
    }
    eligible = sample->count[SAMPLE_ELIGIBLE];
    wanted = (size_t)ceil(sample->share * (double)eligible);
    for (size_t i = 0; i < eligible; i++)
        if (rng_range(rng, 1, (int64_t)(eligible - i)) <= (int64_t)(wanted - sample->drawn))
            task[sample->drawn++] = task[i];
    rng_free(rng);
    return task;
}

/* --- as a sweep --- */

/* That of the task drawn before, where it is the same.  */
static void find_experiment(struct sampling *s, size_t task)
{
    struct sweep *sweep = s->planning.sweep;
    const char *name = text(s, task, "experiment");
    struct experiment *experiment;

    if (sweep->n_experiments > 0 &&
        strcmp(sweep->experiment[sweep->n_experiments - 1]->name, name) == 0)
        return;
    experiment = memory_zalloc(1, sizeof *experiment);
    experiment->name = memory_strdup(name);
    experiment->kind = is_run(s, task)   ? EXPERIMENT_RUN
                       : is_fit(s, task) ? EXPERIMENT_FIT
                                         : EXPERIMENT_PLAN;
    experiment->timing = number(s, task, "timing") != 0;
    sweep->first_place[sweep->n_experiments] = sweep->n_places;
    sweep->experiment[sweep->n_experiments++] = experiment;
}

/* The workload of a task, as an index.  */
static bool find_workload(struct sampling *s, size_t task, size_t *index)
{
    struct experiment_set *set = &s->sample->set;
    struct workload *workload = &set->workload[set->n_workloads];

    if (!workload_parse(workload, text(s, task, "label"), s->planning.error))
        return false;
    set->n_workloads++;
    workload->kernels = kernel_workspace;
    workload->quiet = true;
    return planning_add_workload(&s->planning, workload, index) &&
           s->planning.sweep->workload[*index].workload != NULL;
}

/* The limit of processor time stands in the key alone, behind the last word of memory: a label or a
 * command may hold the same (sweep_plan.c).  */
static double cpu_limit_of(const char *key)
{
    double limit_s = 0.0;

    while ((key = strstr(key, " memory=")) != NULL)
        if (sscanf(key++, " memory=%*s cpu=%lf", &limit_s) != 1)
            limit_s = 0.0;
    return limit_s;
}

static void add_task(struct sampling *s, size_t task, size_t workload)
{
    struct sweep *sweep = s->planning.sweep;
    struct sweep_task new = {
        .key = memory_strdup(text(s, task, "key")),
        .workload = workload,
        .contestant = find_contestant(s, task),
        .seed = (uint32_t)number(s, task, "seed"),
        .repetition = number(s, task, "repetition"),
        .limits = {.time_s = strtod(text(s, task, "time_limit_s"), NULL),
                   .cpu_s = cpu_limit_of(text(s, task, "key")),
                   .memory_bytes = number(s, task, "memory_limit"),
                   .work = number(s, task, "work_limit")},
    };
    size_t kernel;
    enum isa isa;

    if (is_run(s, task) && find_kernel(s, task, &kernel, &isa)) {
        new.kernel = sweep_execution_kernel(new.contestant, &s->sample->set.runs, kernel);
        new.kernel.isa = isa;
        new.rounds = ROUNDS;
    }
    if (is_fit(s, task))
        new.memories = find_memories(s, task);
    find_experiment(s, task);
    planning_task(&s->planning, &new, sweep->n_experiments - 1);
    sweep->first_place[sweep->n_experiments] = sweep->n_places;
}

bool sweep_plan_sample(struct sweep *sweep, struct sample *sample, struct store *store, int jobs,
                       struct error *error)
{
    struct sampling s = {.sample = sample, .planning = {sweep, .error = &sample->absence}};
    struct experiment_set *set = &sample->set;
    bool done = rows_query(&s.task, store, tasks_sql, NULL, 0, error);
    size_t *drawn, workload;

    *sweep = (struct sweep){.options = {.size = EXPERIMENT_QUICK, .jobs = jobs}};
    set->solvers =
        (struct contestants){s.task.count, memory_zalloc(s.task.count, sizeof *set->solvers.item)};
    drawn = draw(&s);
    set->workload = memory_zalloc(sample->drawn, sizeof *set->workload);
    sweep->experiment = memory_alloc(sample->drawn, sizeof(struct experiment *));
    sweep->first_place = memory_zalloc(sample->drawn + 1, sizeof *sweep->first_place);
    sweep->done_before = memory_zalloc(sample->drawn, sizeof *sweep->done_before);
    for (size_t i = 0; i < sample->drawn; i++)
        if (find_workload(&s, drawn[i], &workload))
            add_task(&s, drawn[i], workload);
        else
            sample->count[SAMPLE_ABSENT]++;
    tdestroy(s.planning.workloads, free);
    tdestroy(s.planning.tasks, free);
    rows_clear(&s.task);
    free(drawn);
    return done;
}

void sample_clear(struct sample *sample)
{
    experiment_set_clear(&sample->set);
}
