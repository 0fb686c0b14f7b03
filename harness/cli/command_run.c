/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run: a network, for real, in its planned arena.  */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "harness/cli/commands.h"
#include "harness/cli/input.h"
#include "harness/cli/memory_input.h"
#include "harness/cli/run_beside.h"
#include "harness/cli/run_files.h"
#include "harness/cli/run_lengths.h"
#include "harness/cli/run_memories.h"
#include "harness/cli/run_moves.h"
#include "harness/cli/run_table.h"
#include "harness/io/expand.h"
#include "harness/io/kernel_workspace.h"
#include "harness/io/options.h"
#include "harness/io/output.h"
#include "harness/io/table.h"
#include "harness/run/runner.h"
#include "harness/timing/execution.h"
#include "harness/timing/execution_kernel.h"
#include "kernels/isa.h"
#include "kernels/kernel.h"
#include "lib/base/error.h"
#include "lib/base/people.h"
#include "lib/judge/verify.h"
#include "lib/lifetimes/origin.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "workloads/workload.h"

/* What the user asked for.  */
struct wish {
    const char *network, *solver, *plan, *kernels, *isa, *times, *beside, *outputs;
    struct text_list inputs;
    struct memory_wish memories;
    int64_t threads, rounds, seed;
    double time_s;
    bool wide, profile, groups, moves;
    enum table_format format;
};

/* --- what is run --- */

static struct instance *runnable(const char *spec, struct error *error)
{
    struct workload workload;
    struct instance *instance;

    if (!workload_parse(&workload, spec, error))
        return NULL;
    workload.kernels = kernel_workspace;
    instance = workload_runnable(&workload, error);
    workload_clear(&workload);
    if (instance == NULL)
        return NULL;
    if (run_check(instance->origin->network, error))
        return instance;
    error_prefix(error, "%s", spec);
    instance_free(instance);
    return NULL;
}

static bool run_options_of(const struct wish *wish, struct run_options *options,
                           struct error *error)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    struct execution_kernel kernel;

    *options = (struct run_options){.threads = (int)wish->threads, .groups = wish->groups};
    if (wish->threads > processors)
        return error_set(error, "--threads %" PRId64 ": there are %ld processors", wish->threads,
                         processors);
    if (!execution_kernel_find(wish->kernels, &kernel, error))
        return false;
    if (kernel.absent != NULL)
        return error_set(error, "--kernels %s: %s", wish->kernels, kernel.absent);
    if (kernel.entry != NULL)
        options->kernel = kernel.entry->kernel;
    return wish->isa == NULL ? isa_default(&options->isa, error)
                             : isa_parse(wish->isa, &options->isa, error);
}

/* --- its plan --- */

/* The plan that the solver makes; NULL after a message.  */
static struct plan *solve(const struct wish *wish, const struct instance *instance)
{
    const struct run_limits limits = {.time_s = wish->time_s,
                                      .memory_bytes = run_default_memory(1),
                                      .native = input_native(wish->network)};
    struct contestant contestant;
    struct run_result result;
    struct plan *plan = NULL;
    struct error error;

    if (!contestant_parse(&contestant, wish->solver, &error)) {
        complain("run: %s", error.text);
        return NULL;
    }
    run_solver(instance, &contestant, (uint32_t)wish->seed, &limits, &result);
    if (result.plan != NULL && result.outcome != OUTCOME_INVALID) {
        plan = result.plan;
        result.plan = NULL;
    } else {
        complain("run: %s has no plan of %s: %s%s%s", contestant.label, instance->name,
                 outcome_name(result.outcome), result.reason[0] != '\0' ? ", " : "", result.reason);
    }
    run_result_clear(&result);
    contestant_clear(&contestant);
    return plan;
}

/* A given plan is judged as any other.  */
static struct plan *given_plan(const struct wish *wish, const struct instance *instance)
{
    struct plan *plan = input_plan("run", wish->plan, instance);
    struct error error;

    if (plan == NULL || verify_plan(instance, plan, &error))
        return plan;
    complain("run: %s: %s", wish->plan, error.text);
    plan_free(plan);
    return NULL;
}

/* --- the command --- */

static void note_others(const struct execution *execution)
{
    const struct run_facts *facts = &execution->facts;

    if (facts->others > 0)
        complain("run: %zu convolution%s not on the kernel: %s", facts->others,
                 facts->others == 1 ? " is" : "s are", facts->reason);
}

/* The summary, and the row of what runs beside.  */
static struct table *rows(const struct wish *wish, const struct instance *instance,
                          const struct run_options *options, const struct execution *execution)
{
    const struct run_row row = {
        .instance = instance,
        .planner = wish->plan != NULL ? wish->plan : wish->solver,
        .options = options,
        .execution = execution,
    };
    struct table *table = run_summary(&row);
    const struct run_beside beside = {
        .program = wish->beside,
        .spec = wish->network,
        .instance = instance,
        .execution = execution,
        .threads = options->threads,
        .given = options->given,
        .limits = {.time_s = wish->time_s, .memory_bytes = run_default_memory(1)},
    };

    if (wish->beside != NULL)
        run_beside(&beside, table);
    return wish->format == TABLE_TEXT ? table_turned(table) : table;
}

/* How a network with several memories is run.  */
struct apart {
    const struct run_split *split;
    const struct run_moves *moves; /* NULL: nothing moves */
};

static int show_apart(const struct wish *wish, const struct apart *apart,
                      const struct execution *execution)
{
    struct table *table = apart->moves != NULL ? run_moves_table(apart->moves, execution)
                                               : run_split_table(apart->split, execution);
    int status = table_finish(table, wish->format);

    if (status == STATUS_DONE &&
        !(apart->moves != NULL ? run_moves_agrees(apart->moves, execution)
                               : run_split_agrees(apart->split, execution)))
        return STATUS_FAILED;
    if (status == STATUS_DONE && wish->format == TABLE_TEXT && execution->differs == NULL)
        people_print(stdout, "The outputs are those of a run with each value in memory of its own, "
                             "byte for byte; bytes are as modelled.\n");
    if (status == STATUS_DONE && wish->format == TABLE_TEXT && apart->moves != NULL)
        people_print(stdout, "%zu copies.\n", apart->moves->plan.copies);
    return status;
}

/* APART as in execute.  */
static int show(const struct wish *wish, const struct instance *instance,
                const struct run_options *options, const struct apart *apart,
                const struct execution *execution, struct output *times)
{
    int status = STATUS_DONE;
    struct error error;

    note_others(execution);
    if (wish->profile)
        status = table_finish(run_profile(instance, execution), wish->format);
    else if (apart != NULL)
        status = show_apart(wish, apart, execution);
    else
        status = table_finish(rows(wish, instance, options, execution), wish->format);
    if (wish->times != NULL) {
        run_write_times(instance, execution, times->file);
        if (!output_close(times, true, &error))
            status = complain_as(STATUS_FAILED, "run: %s", error.text);
    }
    if (wish->outputs != NULL &&
        !run_files_write(wish->outputs, instance->origin->network, execution->output, &error))
        status = complain_as(STATUS_FAILED, "run: %s", error.text);
    if (!execution_right(execution, &error))
        status = complain_as(STATUS_FAILED, "run: %s: %s", instance->name, error.text);
    return status;
}

/* With PLAN, or as APART has it where that is not NULL.  */
static int execute(const struct wish *wish, const struct instance *instance,
                   const struct plan *plan, const struct apart *apart,
                   const struct run_options *options)
{
    const struct execution_request request = {
        .instance = instance,
        .plan = plan,
        .places = apart == NULL          ? NULL
                  : apart->moves != NULL ? &apart->moves->places
                                         : &apart->split->places,
        .options = *options,
        .rounds = wish->rounds,
        .wide = wish->wide,
    };
    struct execution execution;
    struct output times = {NULL};
    struct error error;
    int status;

    if (wish->times != NULL && !output_open(&times, wish->times, &error))
        return complain_as(STATUS_USAGE, "run: %s", error.text);
    if (!execution_make(&execution, &request, &error)) {
        if (wish->times != NULL)
            output_close(&times, false, NULL);
        return complain_as(STATUS_USAGE, "run: %s: %s", instance->name, error.text);
    }
    status = show(wish, instance, options, apart, &execution, &times);
    execution_clear(&execution);
    return status;
}

static bool beside_possible(const struct wish *wish, struct error *error)
{
    if (wish->beside == NULL)
        return true;
    if (wish->profile)
        return error_set(error, "--profile has no place for what --beside shows");
    return run_beside_check(wish->beside, wish->network, error);
}

static int plan_and_execute(const struct wish *wish, const struct instance *instance,
                            const struct run_options *options)
{
    struct plan *plan = wish->plan != NULL ? given_plan(wish, instance) : solve(wish, instance);
    int status = wish->plan == NULL ? STATUS_FAILED : STATUS_USAGE;

    if (plan != NULL)
        status = execute(wish, instance, plan, NULL, options);
    plan_free(plan);
    return status;
}

static int move_and_execute(const struct wish *wish, const struct instance *instance,
                            const struct run_split *split, struct run_options options)
{
    struct run_moves moves;
    int status = run_moves_make(&moves, split, wish->time_s);

    if (status != STATUS_DONE)
        return status;
    options.kernel = NULL; /* whose layouts are those of values that stay */
    options.hooks = &moves.hooks;
    status = execute(wish, instance, NULL, &(struct apart){split, &moves}, &options);
    run_moves_clear(&moves);
    return status;
}

/* With an arena for each memory.  */
static int split_and_execute(const struct wish *wish, const struct instance *instance,
                             const struct run_options *options)
{
    struct run_split split;
    int status;

    if (wish->groups || wish->beside != NULL ||
        (instance->origin->stream != NULL && options->threads > 1))
        return complain_as(STATUS_USAGE, "run: several memories: expected one operator after the "
                                         "other, and nothing beside");
    status = run_split_make(&split, &wish->memories, instance, wish->plan, wish->time_s);
    if (status != STATUS_DONE)
        return status;
    status = wish->moves ? move_and_execute(wish, instance, &split, *options)
                         : execute(wish, instance, NULL, &(struct apart){&split, NULL}, options);
    run_split_clear(&split);
    return status;
}

static int run(const struct wish *wish)
{
    struct run_options options;
    struct elements **given;
    struct instance *instance;
    struct error error;
    int status = STATUS_USAGE;

    if (!run_options_of(wish, &options, &error) || !beside_possible(wish, &error) ||
        (instance = runnable(wish->network, &error)) == NULL)
        return complain_as(STATUS_USAGE, "run: %s", error.text);
    if (!run_lengths_find(&instance, wish->network, runnable, &wish->inputs, &options, &error)) {
        instance_free(instance);
        return complain_as(STATUS_USAGE, "run: %s", error.text);
    }
    given = run_files_read(&wish->inputs, instance->origin->network, &error);
    options.given = given;
    if (given == NULL || (wish->outputs != NULL && !output_folder(wish->outputs, &error)))
        complain("run: %s", error.text);
    else if (wish->moves && !memory_wished(&wish->memories))
        complain("run: --moves: expected --memory or --chip");
    else if (memory_wished(&wish->memories))
        status = split_and_execute(wish, instance, &options);
    else
        status = plan_and_execute(wish, instance, &options);
    run_files_free(given, instance->origin->network);
    instance_free(instance);
    return status;
}

int command_run(int argc, char **argv)
{
    struct wish wish = {
        .solver = "section-first", .kernels = "mgemm", .threads = 1, .seed = 1, .time_s = 60.0};
    const struct option_spec options[] = {
        {"solver", OPTION_TEXT, &wish.solver, "NAME",
         "the planner, with parameters: NAME:KEY=VALUE,...", 0, 0},
        {"plan", OPTION_TEXT, &wish.plan, "FILE", "a plan instead, as solve writes it", 0, 0},
        MEMORY_OPTIONS(&wish.memories),
        {"moves", OPTION_FLAG, &wish.moves, NULL,
         "with memories: buffers move between them, and kernels are not used", 0, 0},
        {"kernels", OPTION_TEXT, &wish.kernels, "NAME",
         "of convolutions: mgemm, im2col, onednn, ... (list kernels), or none", 0, 0},
        {"isa", OPTION_TEXT, &wish.isa, "NAME",
         "instruction set of the kernels; other operators take the processor's best", 0, 0},
        {"threads", OPTION_INT, &wish.threads, "N",
         "threads that share a kernel's work, and operators on its blocks", 1, 1024},
        {"groups", OPTION_FLAG, &wish.groups, NULL,
         "run the operators of a step (groups=) at once, each on one of the threads", 0, 0},
        {"input", OPTION_LIST, &wish.inputs, "NAME=FILE",
         "an input from a file, NumPy's (npy) or its bytes; else it is random", 0, 0},
        {"outputs", OPTION_TEXT, &wish.outputs, "DIR", "write each output to DIR/NAME.npy", 0, 0},
        {"rounds", OPTION_INT, &wish.rounds, "N",
         "timed rounds; 0: as many as take a second, at least 7", 0, 100000},
        {"double", OPTION_FLAG, &wish.wide, NULL,
         "compare the outputs with those of a run in double precision", 0, 0},
        {"profile", OPTION_FLAG, &wish.profile, NULL, "a table of the operators instead", 0, 0},
        {"beside", OPTION_TEXT, &wish.beside, "PROGRAM",
         "run an ONNX file with onnxruntime, opencv, pytorch or a command too (PROGRAMS.md)", 0, 0},
        {"times", OPTION_TEXT, &wish.times, "FILE",
         "write each operator's time there, for schedule --times", 0, 0},
        {"time-limit", OPTION_SECONDS, &wish.time_s, "SECONDS",
         "for the planner, and for what runs beside; 0: none", 0, 1e9},
        {"seed", OPTION_INT, &wish.seed, "N", "for planners that draw random numbers", 1,
         UINT32_MAX},
        {"format", OPTION_FORMAT, &wish.format, "FORMAT", FORMAT_HELP, 0, 0},
        {NULL, OPTION_FLAG, NULL, NULL, NULL, 0, 0}};
    const struct command_usage usage = {
        "run",
        "NETWORK|MODEL",
        "Runs the network: every value lies where the plan puts it.  Times the run, and compares\n"
        "the outputs byte for byte with a run in which every value has its own memory.\n"
        "With several memories each is an arena, and a plan is a split (fit): shows the bytes\n"
        "that are read and written in each, counted and as modelled.\n"
        "Exit status 0: they are the same; 1: they differ, or there is no plan; 2: the network\n"
        "can't be run.",
        options,
        1,
        1};
    char **arguments;
    int count, status = options_parse(&usage, argc, argv, &arguments, &count);

    if (status < 0) {
        wish.network = arguments[0];
        status = run(&wish);
    }
    text_list_clear(&wish.inputs);
    text_list_clear(&wish.memories.texts);
    return status;
}
