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
#include "harness/sweep/experiment_runs.h"
#include "harness/sweep/planning.h"
#include "harness/sweep/sweep.h"
#include "harness/sweep/sweep_execution.h"
#include "kernels/isa.h"
#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "lib/base/rng.h"
#include "workloads/workload.h"

static const char specs_sql[] = "select distinct contestant, params from task"
                                " where kind in ('plan', 'run') order by contestant, params";

/* As an experiment of runs names them.  */
static const char kernels_sql[] =
    "select distinct kernels || ':threads=' || threads || iif(groups, ',groups=on', '')"
    " from execution order by 1";

/* What no experiment refers to any more was superseded.  */
static const char tasks_sql[] =
    "select t.id, t.key, t.kind, w.label, w.checksum, t.contestant, t.params, t.seed,"
    " t.repetition, t.time_limit_s, t.memory_limit, t.work_limit,"
    " coalesce(t.timed, 0) or t.outcome in ('timeout', 'memout') as cut,"
    " x.kernels, x.isa, x.threads, x.groups from task t"
    " join workload w on w.id = t.workload left join execution x on x.task = t.id"
    " where t.kind in ('plan', 'run')"
    " and exists (select 1 from experiment_task e where e.task = t.id)"
    " order by t.kind, w.id, t.id";

static const char others_sql[] =
    "select count(*) from task t where t.kind = 'conv'"
    " and exists (select 1 from experiment_task e where e.task = t.id)";

/* Tasks of planners and runs are two experiments: a sweep's worker is of one.  */
enum { PLANS, RUNS, EXPERIMENTS };

/* Times are not compared, so a run is short.  */
enum { ROUNDS = 3 };

struct rerunning {
    const struct rerun_request *request;
    struct rerun *rerun;
    struct rows spec, task;
    struct contestant **contestant;             /* of each spec; NULL: it is not here */
    size_t *drawn;                              /* rows of task, in their order */
    struct experiment *experiment[EXPERIMENTS]; /* the sweep frees them */
    struct sweep sweep;
    struct planning planning;
    struct error *error;
};

static void note_absent(struct rerun *rerun, const struct error *why)
{
    rerun->absent++;
    rerun->absence = *why;
}

/* Workloads and contestants of both are in that of the planners.  */
static struct experiment_set *set_of(const struct rerunning *run, int experiment)
{
    return &run->experiment[experiment]->set[EXPERIMENT_QUICK];
}

static bool is_run(const struct rerunning *run, size_t task)
{
    return strcmp(rows_named(&run->task, task, "kind"), "run") == 0;
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

/* The kernel of a run, as an index, and the instruction set; false where one is not here.  */
static bool find_kernel(const struct rerunning *run, size_t task, size_t *kernel, enum isa *isa)
{
    const struct experiment_runs *runs = &set_of(run, RUNS)->runs;
    const struct rows *rows = &run->task;

    if (!isa_parse(rows_named(rows, task, "isa"), isa, NULL) || !isa_available(*isa))
        return false;
    for (*kernel = 0; *kernel < runs->n_kernels; ++*kernel) {
        const struct experiment_kernel *k = &runs->kernel[*kernel];

        if (strcmp(k->name, rows_named(rows, task, "kernels")) == 0 &&
            k->threads == number(rows, task, "threads") &&
            k->groups == (number(rows, task, "groups") != 0))
            return true;
    }
    return false;
}

/* Whether what would run it now is what ran it then: that stands last in its key.  */
static bool is_same_version(const struct rerunning *run, size_t task, size_t kernel)
{
    const char *then = strrchr(rows_named(&run->task, task, "key"), '=');
    const struct contestant *contestant = run->contestant[spec_of(run, task)];
    char *now = is_run(run, task)
                    ? sweep_execution_build(contestant, &set_of(run, RUNS)->runs.kernel[kernel])
                    : memory_strdup(contestant->build);
    bool same = then != NULL && strcmp(then + 1, now) == 0;

    free(now);
    return same;
}

static bool is_eligible(struct rerunning *run, const struct error *why, size_t task)
{
    const size_t s = spec_of(run, task);
    struct error no_kernel;
    size_t kernel = 0;
    enum isa isa;

    if (number(&run->task, task, "cut") != 0) {
        run->rerun->cut_then++;
    } else if (run->contestant[s] == NULL) {
        note_absent(run->rerun, &why[s]);
    } else if (is_run(run, task) && !find_kernel(run, task, &kernel, &isa)) {
        error_set(&no_kernel, "kernel %s on %s with %s threads",
                  rows_named(&run->task, task, "kernels"), rows_named(&run->task, task, "isa"),
                  rows_named(&run->task, task, "threads"));
        note_absent(run->rerun, &no_kernel);
    } else if (!run->request->any_version && !is_same_version(run, task, kernel)) {
        run->rerun->other_version++;
    } else {
        return true;
    }
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

/* Those that are not here are missed by the runs that want them.  */
static bool add_kernels(struct rerunning *run, struct store *old)
{
    struct rows kernels = {0};
    struct error absent;
    bool done = rows_query(&kernels, old, kernels_sql, NULL, 0, run->error);

    for (size_t k = 0; done && k < kernels.count; k++)
        experiment_add_run_kernels(set_of(run, RUNS), rows_text(&kernels, k, 0), &absent);
    rows_clear(&kernels);
    return done;
}

static bool choose(struct rerunning *run, struct store *old)
{
    struct rows others = {0};
    bool done = rows_query(&run->spec, old, specs_sql, NULL, 0, run->error) &&
                rows_query(&run->task, old, tasks_sql, NULL, 0, run->error) &&
                rows_query(&others, old, others_sql, NULL, 0, run->error) && add_kernels(run, old);
    struct contestants *solvers = &set_of(run, PLANS)->solvers;
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

/* The limit of processor time stands in the key alone, behind that of memory (sweep_plan.c).  */
static double cpu_limit_of(const char *key)
{
    static const char memory[] = " memory=", cpu[] = " cpu=";
    const char *last = NULL, *at;

    /* A label or a command before it may hold the same word.  */
    for (at = key; (at = strstr(at, memory)) != NULL; at += sizeof memory - 1)
        last = at;
    if (last == NULL)
        return 0;
    at = last + 1 + strcspn(last + 1, " ");
    return strncmp(at, cpu, sizeof cpu - 1) == 0 ? strtod(at + sizeof cpu - 1, NULL) : 0;
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
                   .cpu_s = cpu_limit_of(rows_named(rows, task, "key")),
                   .memory_bytes = number(rows, task, "memory_limit"),
                   .work = number(rows, task, "work_limit")},
    };
    const int experiment = is_run(run, task) ? RUNS : PLANS;
    size_t kernel;
    enum isa isa;

    if (experiment == RUNS && find_kernel(run, task, &kernel, &isa)) {
        new.kernel = sweep_execution_kernel(new.contestant, &set_of(run, RUNS)->runs, kernel);
        new.kernel.isa = isa;
        new.rounds = ROUNDS;
    }
    planning_task(&run->planning, &new, (size_t)experiment);
    /* Those of planners come first.  */
    for (int e = experiment; e < EXPERIMENTS; e++)
        run->sweep.first_place[e + 1] = run->sweep.n_places;
}

/* The workload of a row of task: that of the row before, where it is the same.  */
static bool find_workload(struct rerunning *run, size_t task, size_t *index, struct error *why)
{
    struct experiment_set *set = set_of(run, PLANS);
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
    struct experiment_set *set = set_of(run, PLANS);
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
    return true;
}

static void make_sweep(struct rerunning *run, struct store *new)
{
    static const enum experiment_kind kinds[] = {
        [PLANS] = EXPERIMENT_PLAN, [RUNS] = EXPERIMENT_RUN};
    struct sweep *sweep = &run->sweep;

    *sweep = (struct sweep){.options = {.size = EXPERIMENT_QUICK, .jobs = run->request->jobs},
                            .store = new,
                            .n_experiments = EXPERIMENTS};
    sweep->experiment = memory_alloc(EXPERIMENTS, sizeof(struct experiment *));
    for (int e = 0; e < EXPERIMENTS; e++) {
        run->experiment[e] = memory_zalloc(1, sizeof *run->experiment[e]);
        run->experiment[e]->name = memory_strdup("rerun");
        run->experiment[e]->kind = kinds[e];
        sweep->experiment[e] = run->experiment[e];
    }
    sweep->first_place = memory_zalloc(EXPERIMENTS + 1, sizeof *sweep->first_place);
    sweep->done_before = memory_zalloc(EXPERIMENTS, sizeof *sweep->done_before);
    run->planning = (struct planning){.sweep = sweep};
}

static bool run_and_compare(struct rerunning *run, struct store *new)
{
    const struct store_pair nobody = {"command", "rerun"};
    struct rerun *rerun = run->rerun;

    store_begin_sweep(new, &nobody, 1);
    for (size_t e = 0; e < EXPERIMENTS && rerun->signal == 0; e++)
        if (!sweep_run(&run->sweep, e, &rerun->signal, run->error))
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
            store_unsummed(old, &rerun->unsummed, error) && choose(&run, old) &&
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
    rows_clear(&rerun->unsummed);
    rows_clear(&rerun->difference);
}
