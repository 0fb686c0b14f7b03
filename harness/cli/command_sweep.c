/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep: runs experiments into a results directory.  */
#include <config.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/cli/commands.h"
#include "harness/cli/sweep_tasks.h"
#include "harness/io/options.h"
#include "harness/io/table.h"
#include "harness/store/store.h"
#include "harness/sweep/experiment_adhoc.h"
#include "harness/sweep/provenance.h"
#include "harness/sweep/sweep.h"
#include "lib/base/error.h"
#include "lib/base/memory.h"
#include "lib/base/people.h"
#include "lib/base/real_inputs.h"
#include "lib/problem/plan.h"
#include "solvers/solver.h"

/* Experiments, or with solvers one of instances.  */
struct request {
    struct sweep_options options;
    bool full, dry_run;
    enum table_format format; /* of the table of tasks, or of what came out */
    struct text_list solvers;
    const char *shard; /* "I/N", or NULL */
    struct experiment_adhoc adhoc;
};

static int fail(const struct error *error, int status)
{
    return complain_as(status, "sweep: %s", error->text);
}

/* Reads the experiments that ARGUMENT names, without one all of them.  NULL
 * with a message; *COUNT receives their number.  */
static struct experiment **read_experiments(char *const *argument, int arguments, size_t *count,
                                            struct error *error)
{
    struct text_list names = {0};
    struct experiment **experiment;
    bool done = true;

    for (int i = 0; i < arguments; i++)
        text_list_add(&names, argument[i]);
    if (arguments == 0)
        done = experiment_names(&names, error);
    experiment = memory_zalloc(names.n, sizeof(struct experiment *));
    for (*count = 0; done && *count < names.n; ++*count) {
        experiment[*count] = experiment_read(names.text[*count], error);
        done = experiment[*count] != NULL;
        for (size_t i = 0; done && i < *count; i++)
            done = strcmp(experiment[i]->name, experiment[*count]->name) != 0 ||
                   error_set(error, "%s: there are two experiments named '%s'", names.text[*count],
                             experiment[i]->name);
        if (!done)
            break;
    }
    if (!done) {
        for (size_t i = 0; i < names.n; i++)
            experiment_free(experiment[i]);
        free(experiment);
        experiment = NULL;
    }
    text_list_clear(&names);
    return experiment;
}

/* --- before --- */

/* A solver or a kernel; of programs of the user's own one may have changed and another not.  */
static const char *what_changed(const struct sweep_task *task)
{
    const struct contestant *contestant = task->contestant;

    if (contestant != NULL && (contestant->entry->solver->capabilities & SOLVER_RAW_PARAMETER) != 0)
        return contestant->label;
    return sweep_task_name(task);
}

static bool is_changed(const struct sweep_task *task, const char *name)
{
    return task->changed && strcmp(what_changed(task), name) == 0;
}

/* "12 tasks run again: glpk changed": one line for each contestant.  */
static void tell_changes(const struct sweep *sweep)
{
    for (size_t t = 0; t < sweep->n_tasks; t++) {
        const char *name = what_changed(&sweep->task[t]);
        size_t first = 0, count = 0;

        if (!sweep->task[t].changed)
            continue;
        while (!is_changed(&sweep->task[first], name))
            first++;
        if (first < t)
            continue;
        for (size_t i = t; i < sweep->n_tasks; i++)
            count += is_changed(&sweep->task[i], name);
        complain("%zu task%s run again: %s changed", count, count == 1 ? "" : "s", name);
    }
}

static void tell_forced(const struct sweep *sweep)
{
    size_t count = 0;

    for (size_t t = 0; t < sweep->n_tasks; t++)
        count += sweep->task[t].forced;
    if (sweep->options.force != NULL)
        complain("%zu task%s run again: forced", count, count == 1 ? "" : "s");
}

/* Tells the store where what follows comes from.  */
static void tell_provenance(const struct sweep *sweep, int argc, char **argv)
{
    struct provenance provenance;

    provenance_collect(&provenance, argc, argv);
    provenance_add(&provenance, "size", "%s", experiment_size_name(sweep->options.size));
    provenance_add(&provenance, "jobs", "%d", sweep->options.jobs);
    if (sweep->options.shard.count > 0)
        provenance_add_shard(&provenance, sweep);
    for (size_t e = 0; e < sweep->n_experiments; e++) {
        const struct experiment_set *set = &sweep->experiment[e]->set[sweep->options.size];
        char *name = memory_printf("limits of %s", sweep->experiment[e]->name);
        char memory[32] = "half of the memory / jobs";

        if (set->limits.memory_bytes != 0)
            snprintf(memory, sizeof memory, "%" PRId64 " bytes", set->limits.memory_bytes);
        provenance_add(&provenance, name,
                       "time %g s, processor time %g s, memory %s, work %" PRId64,
                       set->limits.time_s, set->limits.cpu_s, memory, set->limits.work);
        free(name);
    }
    store_begin_sweep(sweep->store, provenance.pair, provenance.n);
    provenance_clear(&provenance);
}

/* --- after --- */

static bool summarise(struct sweep *sweep, const size_t *run_now, enum table_format format,
                      struct error *error)
{
    static const struct table_column columns[] = {
        {"experiment", NULL}, {"tasks", ""},    {"done before", ""}, {"run now", ""},
        {"optimal", ""},      {"feasible", ""}, {"measured", ""},    {"timeout", ""},
        {"memout", ""},       {"crashed", ""},  {"skipped", ""},     {"invalid", ""},
        {"used_s", ""},       {"budget_s", ""}};
    static const enum outcome shown[] = {OUTCOME_OPTIMAL, OUTCOME_FEASIBLE, OUTCOME_MEASURED,
                                         OUTCOME_TIMEOUT, OUTCOME_MEMOUT,   OUTCOME_CRASHED,
                                         OUTCOME_SKIPPED, OUTCOME_INVALID};
    struct table *table = table_new(columns, sizeof columns / sizeof columns[0]);
    bool done = true;

    for (size_t e = 0; done && e < sweep->n_experiments; e++) {
        int64_t count[OUTCOME_SKIPPED + 1];
        double used;

        done = sweep_count(sweep, e, count, error) && sweep_used(sweep, e, &used, error);
        if (!done)
            break;
        table_texts(table, sweep->experiment[e]->name);
        table_ints(table, (int64_t)sweep_tasks_here(sweep, e), (int64_t)sweep->done_before[e],
                   (int64_t)run_now[e]);
        for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++)
            table_ints(table, count[shown[i]]);
        table_real(table, "%.1f", used);
        table_real(table, "%g", sweep->experiment[e]->set[sweep->options.size].budget_s);
    }
    if (done)
        table_print(table, stdout, format);
    table_free(table);
    return done;
}

static void tell_skipped(const struct sweep *sweep, FILE *out)
{
    char *folder = real_inputs_folder();
    size_t skipped = 0;

    for (size_t e = 0; e < sweep->n_experiments; e++)
        skipped += sweep->experiment[e]->set[sweep->options.size].skipped.n;
    if (skipped > 0)
        people_print(out, "%zu workload%s skipped: %s\n", skipped, skipped == 1 ? "" : "s",
                     real_inputs_reason());
    /* Without a folder it is all of them.  */
    for (size_t e = 0; e < sweep->n_experiments && folder != NULL; e++) {
        const struct text_list *list = &sweep->experiment[e]->set[sweep->options.size].skipped;

        for (size_t i = 0; i < list->n; i++)
            people_print(out, "  %s: %s\n", sweep->experiment[e]->name, list->text[i]);
    }
    free(folder);
}

/* The report says which libraries are not there, and why.  */
static void tell_unbuilt(const struct sweep *sweep, FILE *out)
{
    for (size_t e = 0; e < sweep->n_experiments; e++) {
        const struct text_list *list = &sweep->experiment[e]->set[sweep->options.size].unbuilt;

        for (size_t i = 0; i < list->n; i++)
            people_print(out, "%s: left out, as its kernel is not built in: %s\n",
                         sweep->experiment[e]->name, list->text[i]);
    }
}

/* What is no table goes beside one that a program reads.  */
static int conclude(struct sweep *sweep, const size_t *run_now, enum table_format format,
                    struct error *error)
{
    FILE *out = format == TABLE_TEXT ? stdout : stderr;
    size_t violations = 0, total = 0;

    for (size_t e = 0; e < sweep->n_experiments; e++) {
        size_t count;

        if (!sweep_violations(sweep, e, &count, error))
            return fail(error, STATUS_FAILED);
        violations += count;
        total += run_now[e];
    }
    if (!summarise(sweep, run_now, format, error))
        return fail(error, STATUS_FAILED);
    tell_skipped(sweep, out);
    tell_unbuilt(sweep, out);
    if (total == 0)
        fputs("nothing left to do\n", out);
    people_print(out, "results in %s\n", sweep->options.output);
    if (violations > 0)
        complain("sweep: %zu result%s invalid or above a bound", violations,
                 violations == 1 ? " is" : "s are");
    if (sweep->lost > 0)
        complain("sweep: %zu task%s no result, as bounds of the workload could not be worked out:"
                 " %s; the next sweep tries again",
                 sweep->lost, sweep->lost == 1 ? " has" : "s have", sweep->loss.text);
    return violations == 0 && sweep->lost == 0 ? STATUS_DONE : STATUS_FAILED;
}

/* --- in between --- */

static int run_experiments(struct sweep *sweep, size_t *run_now, struct error *error)
{
    for (size_t e = 0; e < sweep->n_experiments; e++) {
        int caught = 0;
        bool done = sweep_run_noted(sweep, e, &caught, error);

        run_now[e] = sweep_done_here(sweep, e) - sweep->done_before[e];
        done = done && sweep_write_csv(sweep, e, error);
        if (!done)
            return fail(error, STATUS_FAILED);
        if (caught != 0) {
            complain("sweep: interrupted; run it again to go on");
            return 128 + caught;
        }
    }
    return STATUS_DONE;
}

static int run_sweep(struct sweep *sweep, enum table_format format, int argc, char **argv,
                     struct error *error)
{
    size_t *run_now = memory_zalloc(sweep->n_experiments, sizeof *run_now);
    int status;

    tell_changes(sweep);
    tell_forced(sweep);
    tell_provenance(sweep, argc, argv);
    if (!sweep_forget_forced(sweep, error) || !sweep_register(sweep, error))
        status = fail(error, STATUS_FAILED);
    else
        status = run_experiments(sweep, run_now, error);
    if (status == STATUS_DONE)
        status = conclude(sweep, run_now, format, error);
    free(run_now);
    return status;
}

/* Opens the store, for which a dry run makes nothing: NULL in *STORE where
 * there are no results.  */
static bool open_store(const char *output, bool dry_run, struct store **store, struct error *error)
{
    char *file = memory_printf("%s/results.db", output);
    bool there = access(file, F_OK) == 0;

    free(file);
    *store = NULL;
    if (dry_run && !there)
        return true;
    *store = store_open(output, !dry_run, error);
    return *store != NULL;
}

/* Everything that can be wrong with the input is found before anything is
 * written.  */
static int sweep_into(const struct request *request, struct experiment **experiment, size_t count,
                      int argc, char **argv)
{
    const struct sweep_options *options = &request->options;
    bool dry_run = request->dry_run;
    struct store *store = NULL;
    struct sweep sweep;
    struct error error;
    int status;

    bool planned = sweep_plan(&sweep, options, experiment, count, &error);

    if (planned && options->shard.count > 0)
        sweep_shard(&sweep, options->shard);
    if (!planned || !open_store(options->output, dry_run, &store, &error) ||
        (store != NULL && !sweep_look_up(&sweep, store, &error)) ||
        (options->force != NULL && !sweep_force(&sweep, options->force, &error)))
        status = fail(&error, STATUS_USAGE);
    else if (dry_run)
        status = sweep_tasks_print(&sweep, request->format);
    else
        status = run_sweep(&sweep, request->format, argc, argv, &error);
    sweep_clear(&sweep);
    store_close(store);
    return status;
}

/* --- what is asked for --- */

static bool check_adhoc(const struct request *request)
{
    const char *only = request->adhoc.name != NULL       ? "name"
                       : !isnan(request->adhoc.time_s)   ? "time-limit"
                       : request->adhoc.cpu_s > 0        ? "cpu-limit"
                       : request->adhoc.seeds != 1       ? "seeds"
                       : request->adhoc.repetitions != 1 ? "repetitions"
                                                         : NULL;

    if (request->solvers.n == 0)
        return only == NULL ||
               complain(
                   "sweep: --%s is for instances, with --solvers; an experiment says it itself",
                   only);
    if (request->full)
        return complain("sweep: --full is for experiments, not for instances with --solvers");
    return request->adhoc.workloads > 0 ||
           complain("sweep: --solvers: expected instances; see 'arenabench sweep --help'");
}

static struct experiment **read_adhoc(struct request *request, size_t *count, struct error *error)
{
    struct experiment **experiment = memory_alloc(1, sizeof(struct experiment *));

    if (request->adhoc.name == NULL)
        request->adhoc.name = "adhoc";
    if (isnan(request->adhoc.time_s))
        request->adhoc.time_s = 10.0;
    request->adhoc.solvers = &request->solvers;
    *experiment = experiment_adhoc(&request->adhoc, error);
    *count = 1;
    if (*experiment != NULL)
        return experiment;
    free(experiment);
    return NULL;
}

/* results/quick or results/full; results/NAME of one experiment that is the user's own, with or
 * without a file; of a shard with -I-of-N behind it.  The caller frees it.  */
static char *results_folder(const struct request *request, struct experiment *const *experiment,
                            size_t count)
{
    bool own =
        request->solvers.n > 0 || (count == 1 && request->adhoc.workloads == 1 &&
                                   strcmp(request->adhoc.workload[0], experiment[0]->name) != 0);

    const char *name = own ? experiment[0]->name : request->full ? "full" : "quick";
    const struct shard *shard = &request->options.shard;

    if (request->options.output != NULL)
        return memory_strdup(request->options.output);
    if (shard->count == 0)
        return memory_printf("results/%s", name);
    return memory_printf("results/%s-%" PRId64 "-of-%" PRId64, name, shard->index, shard->count);
}

static int sweep_request(struct request *request, int argc, char **argv)
{
    struct experiment **experiment;
    struct error error;
    size_t count;
    char *folder;
    int status;

    if (!check_adhoc(request))
        return STATUS_USAGE;
    if (request->shard != NULL && !shard_parse(request->shard, &request->options.shard, &error))
        return fail(&error, STATUS_USAGE);
    experiment =
        request->solvers.n > 0
            ? read_adhoc(request, &count, &error)
            : read_experiments(request->adhoc.workload, request->adhoc.workloads, &count, &error);
    if (experiment == NULL)
        return fail(&error, STATUS_USAGE);
    folder = results_folder(request, experiment, count);
    request->options.output = folder;
    request->options.size = request->full ? EXPERIMENT_FULL : EXPERIMENT_QUICK;
    status = sweep_into(request, experiment, count, argc, argv);
    free(folder);
    free(experiment);
    return status;
}

int command_sweep(int argc, char **argv)
{
    struct request request = {.adhoc = {.time_s = NAN, .seeds = 1, .repetitions = 1}};
    int64_t jobs = sysconf(_SC_NPROCESSORS_ONLN);
    const struct option_spec options[] = {
        {"output", OPTION_TEXT, &request.options.output, "DIR",
         "where the results go (default results/quick or results/full; of your own: "
         "results/NAME)",
         0, 0},
        {"full", OPTION_FLAG, &request.full, NULL, "the paper's size, not the quick one", 0, 0},
        {"jobs", OPTION_INT, &jobs, "N", "tasks that run at once", 1, 1024},
        {"dry-run", OPTION_FLAG, &request.dry_run, NULL, "list the tasks and what is done", 0, 0},
        {"retry-failed", OPTION_FLAG, &request.options.retry, NULL,
         "run again what crashed, ran out of memory or was invalid", 0, 0},
        {"force", OPTION_MAYBE, &request.options.force, "PATTERN",
         "run again what is done, of an experiment, workload or contestant", 0, 0},
        {"shard", OPTION_TEXT, &request.shard, "I/N",
         "run the I-th of N parts of the tasks, the same on every machine", 0, 0},
        {"solvers", OPTION_LIST, &request.solvers, "A,B:KEY=VALUE,...",
         "run these on INSTANCEs, without an experiment's file", 0, 0},
        {"name", OPTION_TEXT, &request.adhoc.name, "NAME", "of such an experiment (default adhoc)",
         0, 0},
        {"time-limit", OPTION_SECONDS, &request.adhoc.time_s, "SECONDS",
         "of a task (default 10); 0: none", 0, 1e6},
        {"cpu-limit", OPTION_SECONDS, &request.adhoc.cpu_s, "SECONDS",
         "processor time of a task; 0: none", 0, 1e9},
        {"seeds", OPTION_INT, &request.adhoc.seeds, "N",
         "from 1 on, for its solvers that draw random numbers", 1, 1e6},
        {"repetitions", OPTION_INT, &request.adhoc.repetitions, "N", "of each of its tasks", 1,
         1e6},
        {"format", OPTION_FORMAT, &request.format, "FORMAT", FORMAT_HELP, 0, 0},
        {NULL, OPTION_FLAG, NULL, NULL, NULL, 0, 0},
    };
    const struct command_usage usage = {
        "sweep",
        "[EXPERIMENT | INSTANCE]...",
        "Runs experiments and keeps their results; without arguments, it runs all of them.  An\n"
        "interrupted sweep continues where it stopped.  An EXPERIMENT is a name from\n"
        "'arenabench list experiments' or a .cfg file.  With --solvers (as in compare) the\n"
        "arguments are instances instead; braces stand for several.  Their results go to\n"
        "results/adhoc, and 'arenabench report' draws them.",
        options,
        0,
        -1,
    };
    char **argument;
    int status = options_parse(&usage, argc, argv, &argument, &request.adhoc.workloads);

    if (status < 0) {
        request.adhoc.workload = argument;
        request.options.jobs = (int)jobs;
        status = sweep_request(&request, argc, argv);
    }
    text_list_clear(&request.solvers);
    return status;
}
