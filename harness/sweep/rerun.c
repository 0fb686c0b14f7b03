/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/sweep/rerun.h"

#include <inttypes.h>
#include <math.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/io/kernel_workspace.h"
#include "harness/run/runner.h"
#include "harness/store/store.h"
#include "harness/sweep/planning.h"
#include "harness/sweep/sweep.h"
#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "lib/base/rng.h"
#include "workloads/workload.h"

static const char specs_sql[] =
    "select distinct contestant, params from task where kind = 'plan' order by contestant, params";

/* What no experiment refers to any more was superseded.  */
static const char tasks_sql[] =
    "select t.id, t.key, w.label, w.checksum, t.contestant, t.params, t.contestant_checksum,"
    " t.seed, t.repetition, t.time_limit_s, t.memory_limit, t.work_limit,"
    " coalesce(t.timed, 0) or t.outcome in ('timeout', 'memout') as cut from task t"
    " join workload w on w.id = t.workload where t.kind = 'plan'"
    " and exists (select 1 from experiment_task e where e.task = t.id) order by w.id, t.id";

static const char others_sql[] =
    "select count(*) from task t where t.kind <> 'plan'"
    " and exists (select 1 from experiment_task e where e.task = t.id)";

struct rerunning {
    const struct rerun_request *request;
    struct rerun *rerun;
    struct rows spec, task;
    struct contestant **contestant; /* of each spec; NULL: it is not here */
    size_t *drawn;                  /* rows of task, in their order */
    struct experiment *experiment;  /* the only one; the sweep frees it */
    struct sweep sweep;
    struct planning planning;
    struct error *error;
};

static void note_absent(struct rerun *rerun, const struct error *why)
{
    rerun->absent++;
    rerun->absence = *why;
}

static int64_t number(const struct rows *rows, size_t row, const char *name)
{
    return strtoll(rows_named(rows, row, name), NULL, 10);
}

/* --- which tasks --- */

/* The contestant of a row of task or spec, ready to be run; false where it is not here.  A
 * command's name stands behind its solver's, and among its parameters.  */
static bool make_contestant(struct contestant *contestant, const struct rows *rows, size_t row,
                            struct error *error)
{
    const char *name = rows_named(rows, row, "contestant");
    const char *params = rows_named(rows, row, "params");
    char *spec = memory_printf("%.*s%s%s", (int)strcspn(name, ":"), name,
                               params[0] == '\0' ? "" : ":", params);
    bool made = contestant_parse(contestant, spec, error);

    if (made && !contestant_identify(contestant, error)) {
        contestant_clear(contestant);
        made = false;
    }
    free(spec);
    return made;
}

/* The spec of a row of task.  */
static size_t spec_of(const struct rerunning *run, size_t task)
{
    size_t s = 0;

    while (strcmp(rows_named(&run->spec, s, "contestant"),
                  rows_named(&run->task, task, "contestant")) != 0 ||
           strcmp(rows_named(&run->spec, s, "params"), rows_named(&run->task, task, "params")) != 0)
        s++;
    return s;
}

static bool is_eligible(struct rerunning *run, const struct error *why, size_t task)
{
    const size_t s = spec_of(run, task);

    if (number(&run->task, task, "cut") != 0)
        run->rerun->cut_then++;
    else if (run->contestant[s] == NULL)
        note_absent(run->rerun, &why[s]);
    else if (!run->request->any_version &&
             strcmp(run->contestant[s]->build,
                    rows_named(&run->task, task, "contestant_checksum")) != 0)
        run->rerun->other_version++;
    else
        return true;
    return false;
}

static int compare_indices(const void *a, const void *b)
{
    const size_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* Draws from the rows that can be compared: as many as the share says, and at least one.  */
static void draw(struct rerunning *run, const struct error *why)
{
    struct rng *rng = rng_new(run->request->seed);
    struct rerun *rerun = run->rerun;

    run->drawn = memory_alloc(run->task.count, sizeof *run->drawn);
    for (size_t t = 0; t < run->task.count; t++)
        if (is_eligible(run, why, t))
            run->drawn[rerun->eligible++] = t;
    rerun->drawn = (size_t)ceil(run->request->share * (double)rerun->eligible);
    rng_shuffle(rng, run->drawn, rerun->eligible, sizeof *run->drawn);
    if (rerun->drawn > 0)
        qsort(run->drawn, rerun->drawn, sizeof *run->drawn, compare_indices);
    rng_free(rng);
}

static bool choose(struct rerunning *run, struct store *old)
{
    struct rows others = {0};
    bool done = rows_query(&run->spec, old, specs_sql, NULL, 0, run->error) &&
                rows_query(&run->task, old, tasks_sql, NULL, 0, run->error) &&
                rows_query(&others, old, others_sql, NULL, 0, run->error);
    struct contestants *solvers = &run->experiment->set[EXPERIMENT_QUICK].solvers;
    struct error *why;

    if (done) {
        run->rerun->others = strtoul(rows_text(&others, 0, 0), NULL, 10);
        why = memory_zalloc(run->spec.count, sizeof *why);
        run->contestant = memory_zalloc(run->spec.count, sizeof(struct contestant *));
        solvers->item = memory_zalloc(run->spec.count, sizeof *solvers->item);
        for (size_t s = 0; s < run->spec.count; s++)
            if (make_contestant(&solvers->item[solvers->count], &run->spec, s, &why[s]))
                run->contestant[s] = &solvers->item[solvers->count++];
        draw(run, why);
        free(why);
    }
    rows_clear(&others);
    return done;
}

/* --- as a sweep --- */

/* That the instance of a row of task is another one is known before anything is run.  */
static bool note_other_instance(struct rerunning *run, struct store *new, size_t task,
                                uint64_t checksum)
{
    char now[17];
    const char *const values[] = {rows_named(&run->task, task, "id"),
                                  rows_named(&run->task, task, "checksum"), now};

    snprintf(now, sizeof now, "%016" PRIx64, checksum);
    return rows_query(NULL, new,
                      "insert into difference values (cast(?1 as integer), 'instance', ?2, ?3)",
                      values, 3, run->error);
}

static void add_task(struct rerunning *run, size_t task, size_t workload)
{
    const struct rows *rows = &run->task;
    struct sweep_task new = {
        .key = memory_strdup(rows_named(rows, task, "key")),
        .workload = workload,
        .contestant = run->contestant[spec_of(run, task)],
        .seed = (uint32_t)number(rows, task, "seed"),
        .repetition = number(rows, task, "repetition"),
        .limits = {.time_s = strtod(rows_named(rows, task, "time_limit_s"), NULL),
                   .memory_bytes = number(rows, task, "memory_limit"),
                   .work = number(rows, task, "work_limit")},
    };

    planning_task(&run->planning, &new, 0);
}

/* The workload of a row of task: that of the row before, where it is the same.  */
static bool find_workload(struct rerunning *run, size_t task, size_t *index, struct error *why)
{
    struct experiment_set *set = &run->experiment->set[EXPERIMENT_QUICK];
    struct workload *workload = &set->workload[set->n_workloads];
    const char *label = rows_named(&run->task, task, "label");

    if (set->n_workloads > 0 && strcmp(workload[-1].label, label) == 0) {
        workload--;
    } else {
        if (!workload_parse(workload, label, why))
            return false;
        set->n_workloads++;
        workload->kernels = kernel_workspace;
        workload->quiet = true;
    }
    run->planning.error = why;
    return planning_add_workload(&run->planning, workload, index) &&
           run->sweep.workload[*index].workload != NULL;
}

static bool add_drawn(struct rerunning *run, struct store *new)
{
    struct experiment_set *set = &run->experiment->set[EXPERIMENT_QUICK];
    struct error why = {""};

    set->workload = memory_zalloc(run->rerun->drawn, sizeof *set->workload);
    for (size_t i = 0; i < run->rerun->drawn; i++) {
        const size_t task = run->drawn[i];
        char checksum[17];
        size_t w;

        if (!find_workload(run, task, &w, &why)) {
            note_absent(run->rerun, &why);
            continue;
        }
        snprintf(checksum, sizeof checksum, "%016" PRIx64, run->sweep.workload[w].checksum);
        if (strcmp(checksum, rows_named(&run->task, task, "checksum")) == 0)
            add_task(run, task, w);
        else if (!note_other_instance(run, new, task, run->sweep.workload[w].checksum))
            return false;
    }
    run->sweep.first_place[1] = run->sweep.n_places;
    return true;
}

static void make_sweep(struct rerunning *run, struct store *new)
{
    struct sweep *sweep = &run->sweep;

    run->experiment = memory_zalloc(1, sizeof *run->experiment);
    run->experiment->name = memory_strdup("rerun");
    run->experiment->kind = EXPERIMENT_PLAN;
    *sweep = (struct sweep){.options = {.size = EXPERIMENT_QUICK, .jobs = run->request->jobs},
                            .store = new,
                            .n_experiments = 1};
    sweep->experiment = memory_alloc(1, sizeof(struct experiment *));
    sweep->experiment[0] = run->experiment;
    sweep->first_place = memory_zalloc(2, sizeof *sweep->first_place);
    sweep->done_before = memory_zalloc(1, sizeof *sweep->done_before);
    run->planning = (struct planning){.sweep = sweep};
}

static bool run_and_compare(struct rerunning *run, struct store *new)
{
    const struct store_pair nobody = {"command", "rerun"};
    struct rerun *rerun = run->rerun;

    store_begin_sweep(new, &nobody, 1);
    if (!sweep_run(&run->sweep, 0, &rerun->signal, run->error))
        return false;
    for (size_t t = 0; t < run->sweep.n_tasks; t++)
        rerun->lost += run->sweep.task[t].done == 0;
    return rerun->signal != 0 || rerun_compare(new, run->request->dir, rerun, run->error);
}

bool rerun_run(const struct rerun_request *request, struct rerun *rerun, struct error *error)
{
    struct rerunning run = {.request = request, .rerun = rerun, .error = error};
    struct store *old = store_open(request->dir, false, error), *new = NULL;
    bool done = old != NULL;

    *rerun = (struct rerun){.drawn = 0};
    if (done) {
        new = store_open_memory(error);
        done = new != NULL;
    }
    if (done) {
        make_sweep(&run, new);
        done =
            choose(&run, old) &&
            rows_query(NULL, new, "create temp table difference (task integer, what, was, is_now)",
                       NULL, 0, error) &&
            add_drawn(&run, new);
    }
    store_close(old);
    done = done && run_and_compare(&run, new);
    tdestroy(run.planning.workloads, free);
    tdestroy(run.planning.tasks, free);
    sweep_clear(&run.sweep);
    store_close(new);
    free(run.contestant);
    free(run.drawn);
    rows_clear(&run.task);
    rows_clear(&run.spec);
    return done;
}

void rerun_clear(struct rerun *rerun)
{
    rows_clear(&rerun->difference);
}
