/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solve: one solver on one instance; its plan as CSV.  */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "harness/cli/certify.h"
#include "harness/cli/commands.h"
#include "harness/cli/input.h"
#include "harness/io/options.h"
#include "harness/io/output.h"
#include "harness/io/plan_json.h"
#include "harness/io/table.h"
#include "harness/io/vigil.h"
#include "harness/run/runner.h"
#include "lib/base/error.h"
#include "lib/base/file.h"
#include "lib/base/people.h"
#include "lib/graph/network.h"
#include "lib/lifetimes/origin.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan_csv.h"
#include "solvers/solver.h"
#include "workloads/workload.h"

/* --- what goes on meanwhile --- */

struct solving {
    struct vigil vigil;
    const struct instance *instance;
    struct contestant *contestant;
    struct run_view view;
};

static void show_best(void *context, struct status_line *line)
{
    const struct solving *solving = context;
    const struct run_view *view = &solving->view;
    char best[40] = "no plan yet";

    if (view->has_plan)
        snprintf(best, sizeof best, "best peak %" PRId64, view->peak);
    status_line_show(line, "%s  %s, lower bound %" PRId64 "  %.120s on %.120s", line->elapsed, best,
                     view->lower_bound, solving->contestant->label, solving->instance->name);
}

static void show_proof(void *context, struct status_line *line)
{
    const struct solving *solving = context;

    status_line_show(line, "%s  certificate of %.120s", line->elapsed, solving->instance->name);
}

/* --- what comes out --- */

static void print_summary(const struct instance *instance, const struct contestant *contestant,
                          const struct run_result *result)
{
    people_print(stderr, "%s on %s: %s", contestant->label, instance->name,
                 outcome_name(result->outcome));
    if (result->plan != NULL)
        people_print(stderr, ", peak %" PRId64, result->plan->peak);
    if (result->outcome != OUTCOME_SKIPPED)
        people_print(stderr, ", lower bound %" PRId64 ", load %" PRId64 ", %.6f s",
                     result->lower_bound, instance->load, result->time_s);
    if (result->reason[0] != '\0')
        people_print(stderr, " (%s)", result->reason);
    fputc('\n', stderr);
}

/* How what the solver counted is shown.  */
struct counting {
    bool wanted, beside; /* on standard output, or beside the plan that is there */
    enum table_format format;
};

static bool show_statistics(const struct counting *counting,
                            const struct search_statistics *statistics)
{
    struct table *table;

    if (!counting->wanted)
        return true;
    table = table_named("statistic value: unit title");
    for (size_t s = 0; s < STATISTICS; s++) {
        const struct search_statistic_row *row = &search_statistic_table[s];

        if (statistics->count[s] == 0)
            continue;
        table_texts(table, row->name);
        table_ints(table, statistics->count[s]);
        table_texts(table, row->unit, row->title);
    }
    if (!counting->beside)
        return table_finish(table, counting->format) == STATUS_DONE;
    table_print(table, stderr, counting->format);
    table_free(table);
    return true;
}

/* How the plan is written, which the name of its file says.  */
struct plan_file {
    struct output output;
    bool json;
};

static bool open_plan(struct plan_file *file, const char *path, struct error *error)
{
    file->json = path != NULL && file_is_called(path, ".json");
    return output_open(&file->output, path, error);
}

/* Closes FILE; without a plan none is made.  */
static bool write_plan(const struct instance *instance, const struct plan *plan,
                       struct plan_file *file)
{
    struct output *output = &file->output;
    struct error error = {""};

    if (plan != NULL && file->json)
        plan_json_write(output->file, instance, plan);
    else if (plan != NULL)
        plan_csv_write(output->file, instance, plan); /* closing sees what went wrong */
    if (!output_close(output, plan != NULL, &error) && plan != NULL)
        return complain("solve: %s", error.text);
    return plan != NULL;
}

/* The model file that the plan is to be written into a copy of.  */
struct model_copy {
    const char *path; /* NULL: none */
    struct workload model;
    struct output output;
};

static bool open_copy(struct model_copy *copy, const char *spec, struct error *error)
{
    if (copy->path == NULL)
        return true;
    if (!workload_parse(&copy->model, spec, error))
        return false;
    if (!workload_holds_plan(&copy->model))
        error_set(error, "--export: %s is not a model file that can hold a plan", spec);
    else if (output_open(&copy->output, copy->path, error))
        return true;
    workload_clear(&copy->model);
    return false;
}

/* What the runtime has to do or may refuse: it is no fault of the plan, but easily overlooked.  */
static void note_export(const char *path, const struct instance *instance, const struct plan *plan)
{
    const struct origin *origin = instance->origin;
    size_t left = 0, odd = 0;

    for (size_t v = 0; v < origin->network->n_values; v++) {
        enum value_role role = origin->network->value[v].role;

        left += origin->buffer[v] == SIZE_MAX && (role == VALUE_INPUT || role == VALUE_ACTIVATION);
    }
    for (size_t b = 0; b < plan->n; b++)
        odd += plan->offset[b] % 16 != 0;
    if (left > 0)
        complain("solve: %s: %zu tensor%s left to the runtime (-1); io=both plans the network's "
                 "inputs and outputs too",
                 path, left, left == 1 ? " is" : "s are");
    if (odd > 0)
        complain("solve: %s: %zu offset%s not a multiple of 16, which TFLite Micro asks for: "
                 "give alignment=16",
                 path, odd, odd == 1 ? " is" : "s are");
}

static bool close_copy(struct model_copy *copy, const struct instance *instance,
                       const struct plan *plan)
{
    struct error error = {""};
    bool good = plan != NULL;

    if (copy->path == NULL)
        return true;
    if (good && !workload_write_plan(&copy->model, instance, plan, copy->output.file, &error))
        good = complain("solve: %s", error.text);
    if (!output_close(&copy->output, good, &error) && good)
        good = complain("solve: %s", error.text);
    if (good)
        note_export(copy->path, instance, plan);
    workload_clear(&copy->model);
    return good;
}

/* The certificate that no plan is better.  */
struct proof {
    const char *path; /* NULL: none */
    struct output output;
    FILE *log; /* of the solver's own run; NULL: no room for one */
};

static bool open_proof(struct proof *proof, struct contestant *contestant, struct error *error)
{
    if (proof->path == NULL)
        return true;
    if (!output_open(&proof->output, proof->path, error))
        return false;
    contestant->proof = proof->log = tmpfile();
    return true;
}

static bool close_proof(struct proof *proof, struct solving *solving, const struct plan *plan,
                        const struct run_limits *limits)
{
    struct error error = {""};
    bool good, kept, taken = false;

    if (proof->path == NULL)
        return true;
    solving->vigil.show = show_proof;
    good = plan != NULL && certify(solving->instance, plan->peak, proof->log, limits,
                                   &solving->vigil.watch, &proof->output, &taken, &error);
    status_line_clear(&solving->vigil.line);
    if (proof->log != NULL)
        fclose(proof->log);
    kept = output_close(&proof->output, good, &error) && good;
    if (!kept && plan != NULL)
        complain("solve: no certificate: %s", error.text);
    if (kept)
        people_print(stderr, "certificate: %s\n",
                     taken ? "the solver's own proof, checked" : "made after the run");
    return kept;
}

/* An interrupt ends the run as its limit does: the best plan so far is written.  */
static int solve(struct solving *solving, uint32_t seed, const struct run_limits *limits,
                 const struct counting *counting, struct plan_file *file, struct model_copy *copy,
                 struct proof *proof)
{
    const struct instance *instance = solving->instance;
    struct vigil *vigil = &solving->vigil;
    struct run_result result;
    const struct plan *plan;
    bool good;

    run_solver_watched(instance, solving->contestant, seed, limits, &vigil->watch, &solving->view,
                       &result);
    interrupt_take(&vigil->interrupt); /* while the plan was verified */
    status_line_clear(&vigil->line);
    print_summary(instance, solving->contestant, &result);
    plan = result.outcome == OUTCOME_INVALID ? NULL : result.plan;
    good = write_plan(instance, plan, file);
    good = show_statistics(counting, &result.statistics) && good;
    good = close_copy(copy, instance, plan) && good;
    good = close_proof(proof, solving, plan, limits) && good;
    if (vigil->interrupt.signal != 0)
        complain("solve: interrupted%s", plan == NULL ? " before there was a plan" : "");
    run_result_clear(&result);
    return good ? STATUS_DONE : STATUS_FAILED;
}

/* Everything that can be refused is looked at before the run.  */
static int open_and_solve(struct solving *solving, const char *spec, uint32_t seed,
                          const struct run_limits *limits, const struct counting *counting,
                          const char *path, struct model_copy *copy, struct proof *proof)
{
    struct plan_file file;
    struct error error;

    if (!open_copy(copy, spec, &error))
        return complain_as(STATUS_USAGE, "solve: %s", error.text);
    if (open_plan(&file, path, &error)) {
        if (open_proof(proof, solving->contestant, &error))
            return solve(solving, seed, limits, counting, &file, copy, proof);
        output_close(&file.output, false, NULL);
    }
    close_copy(copy, solving->instance, NULL);
    return complain_as(STATUS_USAGE, "solve: %s", error.text);
}

static int prepare_and_solve(const char *spec, const char *solver, uint32_t seed,
                             struct run_limits *limits, const struct counting *counting,
                             const char *path, struct model_copy *copy, struct proof *proof)
{
    struct contestant contestant;
    struct instance *instance;
    struct solving solving = {.contestant = &contestant};
    struct error error;
    int status = STATUS_USAGE;

    if (!contestant_parse(&contestant, solver, &error))
        return complain_as(STATUS_USAGE, "solve: %s", error.text);
    instance = input_instance("solve", spec);
    limits->native = input_native(spec);
    solving.instance = instance;
    if (instance != NULL && vigil_begin(&solving.vigil, show_best, &solving, &error))
        status = vigil_end(&solving.vigil, open_and_solve(&solving, spec, seed, limits, counting,
                                                          path, copy, proof));
    else if (instance != NULL)
        status = complain_as(STATUS_FAILED, "solve: %s", error.text);
    instance_free(instance);
    contestant_clear(&contestant);
    return status;
}

/* --- the model instead of a plan --- */

static bool format_of(const char *path, enum model_format *format)
{
    *format = file_is_called(path, ".mps") ? MODEL_MPS : MODEL_LP;
    return *format == MODEL_MPS || file_is_called(path, ".lp");
}

static int write_model(const struct solver *solver, const struct params *params, const char *spec,
                       const char *path)
{
    struct instance *instance;
    enum model_format format;
    struct output output;
    struct error error;
    bool done;

    if (!format_of(path, &format))
        return complain_as(STATUS_USAGE,
                           "solve: --export-model %s: expected a name that ends in .lp or .mps",
                           path);
    if (solver->write_model == NULL)
        return complain_as(STATUS_USAGE,
                           "solve: --export-model: %s has no model that could be written; glpk has",
                           solver->name);
    instance = input_instance("solve", spec);
    if (instance == NULL)
        return STATUS_USAGE;
    if (instance->fixed > 0) {
        instance_free(instance);
        return complain_as(STATUS_USAGE, "solve: --export-model: models can't keep fixed offsets");
    }
    done = output_open(&output, path, &error);
    if (done) {
        done = output.temporary != NULL
                   ? solver->write_model(instance, params, format, output.temporary, &error)
                   : error_set(&error, "%s is not a regular file", path);
        done = output_close(&output, done, &error) && done;
    }
    if (!done)
        complain("solve: %s", error.text);
    instance_free(instance);
    return done ? STATUS_DONE : STATUS_FAILED;
}

static int export_model(const char *spec, const char *solver, const char *path)
{
    struct contestant contestant;
    struct error error;
    int status;

    if (!contestant_parse(&contestant, solver != NULL ? solver : "glpk", &error))
        return complain_as(STATUS_USAGE, "solve: %s", error.text);
    status = write_model(contestant.entry->solver, &contestant.params, spec, path);
    contestant_clear(&contestant);
    return status;
}

int command_solve(int argc, char **argv)
{
    const char *solver = NULL, *path = NULL, *model = NULL;
    int64_t memory_mib = 0, seed = 1;
    struct model_copy copy = {.path = NULL};
    struct proof proof = {.path = NULL};
    struct counting counting = {.wanted = false};
    struct run_limits limits = {.time_s = 60};
    const struct option_spec options[] = {
        {"solver", OPTION_TEXT, &solver, "NAME", "the solver, with parameters: NAME:KEY=VALUE,...",
         0, 0},
        {"time-limit", OPTION_SECONDS, &limits.time_s, "SECONDS", "for the solver; 0: none", 0,
         1e9},
        {"memory-limit", OPTION_MIB, &memory_mib, "MIB", "0: half of the memory", 0, 1 << 30},
        {"cpu-limit", OPTION_SECONDS, &limits.cpu_s, "SECONDS",
         "processor time of all its processes; 0: none", 0, 1e9},
        {"work-limit", OPTION_INT, &limits.work, "N", "nodes or iterations; 0: none", 0, 1e18},
        {"seed", OPTION_INT, &seed, "N", "for solvers that draw random numbers", 1, UINT32_MAX},
        {"output", OPTION_TEXT, &path, "FILE",
         "write the plan there; as JSON if its name ends in .json", 0, 0},
        {"export", OPTION_TEXT, &copy.path, "FILE",
         "write there a copy of the model file INSTANCE that has the plan in it", 0, 0},
        {"certificate", OPTION_TEXT, &proof.path, "FILE",
         "write there a proof that no plan has a lower peak, for verify", 0, 0},
        {"statistics", OPTION_FLAG, &counting.wanted, NULL,
         "show what the solver counted, beside the plan or, with --output, in its place", 0, 0},
        {"format", OPTION_FORMAT, &counting.format, "FORMAT", "of the statistics: " FORMAT_HELP, 0,
         0},
        {"export-model", OPTION_TEXT, &model, "FILE",
         "write the integer program of glpk there (.lp, .mps) and solve nothing", 0, 0},
        {NULL, OPTION_FLAG, NULL, NULL, NULL, 0, 0}};
    const struct command_usage usage = {
        "solve",
        "INSTANCE --solver NAME",
        "Runs one solver and writes its verified plan as CSV (id,lower,upper,size,offset).\n"
        "A line on standard error says how it ended.  An interrupt (Ctrl-C) ends the search as a\n"
        "limit does, with status 130; a second one ends the program at once.\n"
        "Exit status 0: there is a verified plan, even if a limit ended the search; 1: there is\n"
        "none.",
        options,
        1,
        1};
    char **arguments;
    int count, status = options_parse(&usage, argc, argv, &arguments, &count);

    if (status >= 0)
        return status;
    counting.beside = path == NULL;
    if (model != NULL)
        return export_model(arguments[0], solver, model);
    if (solver == NULL)
        return complain_as(STATUS_USAGE,
                           "solve: --solver NAME is missing (`arenabench list solvers` "
                           "shows them all)");
    limits.memory_bytes = memory_mib > 0 ? memory_mib << 20 : run_default_memory(1);
    return prepare_and_solve(arguments[0], solver, (uint32_t)seed, &limits, &counting, path, &copy,
                             &proof);
}
