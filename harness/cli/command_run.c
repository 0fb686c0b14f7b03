/* run: a network, for real, in its planned arena.  */
#include <config.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/cli/commands.h"
#include "harness/cli/input.h"
#include "harness/cli/run_beside.h"
#include "harness/io/format.h"
#include "harness/io/kernel_workspace.h"
#include "harness/io/options.h"
#include "harness/io/output.h"
#include "harness/run/runner.h"
#include "harness/timing/execution.h"
#include "kernels/isa.h"
#include "kernels/kernel.h"
#include "lib/base/error.h"
#include "lib/base/memory.h"
#include "lib/base/statistics.h"
#include "lib/graph/network.h"
#include "lib/judge/verify.h"
#include "lib/lifetimes/origin.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "workloads/workload.h"

/* What the user asked for.  */
struct wish {
    const char *network, *solver, *plan, *kernels, *isa, *times, *beside;
    int64_t threads, rounds, seed;
    double time_s;
    bool wide, profile;
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

/* "none", a kernel's name, or what that begins with up to a hyphen.  */
static bool find_kernel(const char *name, const struct conv_kernel **kernel, struct error *error)
{
    const char *names[64];
    size_t count = 0, length = strlen(name);

    *kernel = strcmp(name, "none") == 0 ? NULL : conv_kernel_find(name);
    if (*kernel != NULL || strcmp(name, "none") == 0)
        return true;
    names[count++] = "none";
    for (size_t k = 0; conv_kernel_registry[k].kernel != NULL && count < 64; k++) {
        const struct conv_kernel *other = conv_kernel_registry[k].kernel;

        names[count++] = other->name;
        if (*kernel == NULL && strncmp(other->name, name, length) == 0 &&
            other->name[length] == '-')
            *kernel = other;
    }
    for (const struct conv_peer *peer = conv_peers; *kernel == NULL && peer->name != NULL; peer++)
        if (strcmp(peer->name, name) == 0 && peer->absent != NULL)
            return error_set(error, "--kernels %s: %s", name, peer->absent);
    if (*kernel == NULL)
        error_unknown(error, "kernel", name, names, count, "");
    return *kernel != NULL;
}

static bool run_options_of(const struct wish *wish, struct run_options *options,
                           struct error *error)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);

    *options = (struct run_options){.threads = (int)wish->threads};
    if (wish->threads > processors)
        return error_set(error, "--threads %" PRId64 ": there are %ld processors", wish->threads,
                         processors);
    return find_kernel(wish->kernels, &options->kernel, error) &&
           (wish->isa == NULL ? isa_default(&options->isa, error)
                              : isa_parse(wish->isa, &options->isa, error));
}

/* --- its plan --- */

/* The plan that the solver makes; NULL after a message.  */
static struct plan *solve(const struct wish *wish, const struct instance *instance)
{
    const struct run_limits limits = {.time_s = wish->time_s,
                                      .memory_bytes = run_default_memory(1)};
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
        plan = plan_new(instance);
        plan_copy(plan, result.plan);
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

/* --- what comes out --- */

struct median {
    double value;
    struct interval interval; /* endless where there are too few values for one */
};

static struct median median_of(const double *value, size_t count)
{
    struct median median = {statistics_median(value, count), {0.0, INFINITY}};

    statistics_median_interval(value, count, &median.interval);
    return median;
}

static void cell_of_interval(struct table *table, const struct interval *interval)
{
    if (isinf(interval->high)) {
        table_cell(table, "%s", "");
        table_cell(table, "%s", "");
        return;
    }
    table_cell(table, "%.6g", interval->low);
    table_cell(table, "%.6g", interval->high);
}

static const struct table_column columns[] = {{"network", NULL},
                                              {"planner", NULL},
                                              {"kernels", NULL},
                                              {"threads", ""},
                                              {"time_s", ""},
                                              {"low_s", ""},
                                              {"high_s", ""},
                                              {"rounds", ""},
                                              {"arena_bytes", ""},
                                              {"own_bytes", ""},
                                              {"stored_bytes", ""},
                                              {"packed_bytes", ""},
                                              {"scratch_bytes", ""},
                                              {"workspace_bytes", ""},
                                              {"resident_bytes", ""},
                                              {"copied_bytes", ""},
                                              {"operators", ""},
                                              {"idle", ""},
                                              {"on_kernel", ""},
                                              {"other_convolutions", ""},
                                              {"same_as_plain", NULL},
                                              {"distance", ""},
                                              {"bound", ""}};

static const char *kernel_name(const struct run_options *options)
{
    return options->kernel == NULL ? "none" : options->kernel->name;
}

static void add_sizes(struct table *table, const struct execution *execution)
{
    const struct run_facts *facts = &execution->facts;

    table_cell(table, "%" PRId64, execution->arena_bytes);
    table_cell(table, "%" PRId64, execution->own_bytes);
    table_cell(table, "%" PRId64, execution->stored_bytes);
    table_cell(table, "%" PRId64, facts->weight_bytes);
    table_cell(table, "%" PRId64, facts->scratch_bytes);
    table_cell(table, "%" PRId64, facts->workspace_bytes);
    if (execution->resident_bytes > 0)
        table_cell(table, "%" PRId64, execution->resident_bytes);
    else
        table_cell(table, "%s", "");
    table_cell(table, "%" PRId64, facts->copied_bytes);
}

static struct table *summary(const struct wish *wish, const struct instance *instance,
                             const struct run_options *options, const struct execution *execution)
{
    struct table *table = table_new(columns, sizeof columns / sizeof columns[0]);
    struct median time = median_of(execution->round, execution->rounds);

    table_cell(table, "%s", instance->name);
    table_cell(table, "%s", wish->plan != NULL ? wish->plan : wish->solver);
    table_cell(table, "%s", kernel_name(options));
    table_cell(table, "%d", options->threads);
    table_cell(table, "%.6g", time.value);
    cell_of_interval(table, &time.interval);
    table_cell(table, "%zu", execution->rounds);
    add_sizes(table, execution);
    table_cell(table, "%zu", execution->facts.operators);
    table_cell(table, "%zu", execution->facts.idle);
    table_cell(table, "%zu", execution->facts.convolutions);
    table_cell(table, "%zu", execution->facts.others);
    table_cell(table, "%s", execution->differs == NULL ? "yes" : "no");
    if (isnan(execution->distance) && !wish->wide) {
        table_cell(table, "%s", "");
        table_cell(table, "%s", "");
    } else {
        table_cell(table, "%.3g", execution->distance);
        table_cell(table, "%.3g", execution->bound);
    }
    return table;
}

static const struct table_column profile_columns[] = {
    {"operator", NULL}, {"type", NULL}, {"how", NULL},   {"macs", ""},   {"time_s", ""},
    {"low_s", ""},      {"high_s", ""}, {"share_%", ""}, {"gflops", ""}, {"copied_bytes", ""}};

struct operator_time {
    size_t index;
    struct median time;
};

static int by_time(const void *a, const void *b)
{
    const struct operator_time *x = a, *y = b;

    if (x->time.value != y->time.value)
        return x->time.value < y->time.value ? 1 : -1;
    return (x->index > y->index) - (x->index < y->index);
}

/* Of all operators, in the network's order; the caller frees it.  */
static struct operator_time *times_of(const struct execution *execution)
{
    struct operator_time *times = memory_alloc(execution->operators, sizeof *times);

    for (size_t o = 0; o < execution->operators; o++) {
        double *seconds = execution_operator(execution, o);

        times[o] = (struct operator_time){o, median_of(seconds, execution->rounds)};
        free(seconds);
    }
    return times;
}

/* The operators, those first that take longest.  */
static struct table *profile(const struct instance *instance, const struct execution *execution)
{
    struct table *table =
        table_new(profile_columns, sizeof profile_columns / sizeof profile_columns[0]);
    struct operator_time *times = times_of(execution);
    double sum = 0.0;

    qsort(times, execution->operators, sizeof *times, by_time);
    for (size_t i = 0; i < execution->operators; i++)
        sum += times[i].time.value;
    for (size_t i = 0; i < execution->operators; i++) {
        const struct network_op *op = &instance->origin->network->op[times[i].index];
        const struct run_operator *how = &execution->how[times[i].index];
        double seconds = times[i].time.value;

        table_cell(table, "%s", op->name);
        table_cell(table, "%s", op->type);
        table_cell(table, "%s", how->how);
        table_cell(table, "%" PRId64, op->macs);
        table_cell(table, "%.6g", seconds);
        cell_of_interval(table, &times[i].time.interval);
        table_cell(table, "%.2f", 100.0 * seconds / sum);
        if (op->macs > 0 && seconds > 0.0)
            table_cell(table, "%.3g", 2e-9 * (double)op->macs / seconds);
        else
            table_cell(table, "%s", "");
        table_cell(table, "%" PRId64, how->copied_bytes);
    }
    free(times);
    return table;
}

/* Measured times as `schedule --times` takes them.  */
static bool write_times(const struct instance *instance, const struct execution *execution,
                        FILE *out)
{
    static const struct table_column time_columns[] = {
        {"operator", NULL}, {"time_s", ""}, {"low_s", ""}, {"high_s", ""}};
    struct table *table = table_new(time_columns, 4);
    struct operator_time *times = times_of(execution);
    bool good;

    for (size_t o = 0; o < execution->operators; o++) {
        table_cell(table, "%s", instance->origin->network->op[o].name);
        table_cell(table, "%.6g", times[o].time.value);
        cell_of_interval(table, &times[o].time.interval);
    }
    good = table_print(table, out, TABLE_CSV);
    free(times);
    table_free(table);
    return good;
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
    struct table *table = summary(wish, instance, options, execution);
    const struct run_beside beside = {
        .library = wish->beside,
        .spec = wish->network,
        .instance = instance,
        .execution = execution,
        .threads = options->threads,
    };

    if (wish->beside != NULL)
        run_beside(&beside, table, columns, sizeof columns / sizeof columns[0]);
    return table;
}

static int show(const struct wish *wish, const struct instance *instance,
                const struct run_options *options, const struct execution *execution,
                struct output *times)
{
    int status = STATUS_DONE;
    struct error error;

    note_others(execution);
    if (wish->profile)
        status = table_finish(profile(instance, execution), wish->format);
    else
        status = table_finish(rows(wish, instance, options, execution), wish->format);
    if (wish->times != NULL) {
        bool written = write_times(instance, execution, times->file);

        if (!output_close(times, written, &error)) {
            complain("run: %s", error.text);
            status = STATUS_FAILED;
        }
    }
    if (!execution_right(execution, &error)) {
        complain("run: %s: %s", instance->name, error.text);
        status = STATUS_FAILED;
    }
    return status;
}

static int execute(const struct wish *wish, const struct instance *instance,
                   const struct plan *plan, const struct run_options *options)
{
    const struct execution_request request = {
        .instance = instance,
        .plan = plan,
        .options = *options,
        .rounds = wish->rounds,
        .wide = wish->wide,
    };
    struct execution execution;
    struct output times = {NULL};
    struct error error;
    int status;

    if (wish->times != NULL && !output_open(&times, wish->times, &error)) {
        complain("run: %s", error.text);
        return STATUS_USAGE;
    }
    if (!execution_make(&execution, &request, &error)) {
        complain("run: %s: %s", instance->name, error.text);
        if (wish->times != NULL)
            output_close(&times, false, &error);
        return STATUS_USAGE;
    }
    status = show(wish, instance, options, &execution, &times);
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

static int run(const struct wish *wish)
{
    struct run_options options;
    struct instance *instance;
    struct error error;
    struct plan *plan;
    int status = STATUS_USAGE;

    if (!run_options_of(wish, &options, &error) || !beside_possible(wish, &error)) {
        complain("run: %s", error.text);
        return STATUS_USAGE;
    }
    instance = runnable(wish->network, &error);
    if (instance == NULL) {
        complain("run: %s", error.text);
        return STATUS_USAGE;
    }
    plan = wish->plan != NULL ? given_plan(wish, instance) : solve(wish, instance);
    if (plan != NULL)
        status = execute(wish, instance, plan, &options);
    else if (wish->plan == NULL)
        status = STATUS_FAILED;
    plan_free(plan);
    instance_free(instance);
    return status;
}

int command_run(int argc, char **argv)
{
    const char *format = "text";
    struct wish wish = {
        .solver = "section-first", .kernels = "mgemm", .threads = 1, .seed = 1, .time_s = 60.0};
    const struct option_spec options[] = {
        {"solver", OPTION_TEXT, &wish.solver, "NAME",
         "the planner, with parameters: NAME:KEY=VALUE,...", 0, 0},
        {"plan", OPTION_TEXT, &wish.plan, "FILE", "a plan instead, as solve writes it", 0, 0},
        {"kernels", OPTION_TEXT, &wish.kernels, "NAME",
         "of convolutions: mgemm, im2col, onednn, ... (list kernels), or none", 0, 0},
        {"isa", OPTION_TEXT, &wish.isa, "NAME", "instruction set of the kernels", 0, 0},
        {"threads", OPTION_INT, &wish.threads, "N", "of the kernels", 1, 1024},
        {"rounds", OPTION_INT, &wish.rounds, "N", "timed; 0: a second full, 7 at least", 0, 100000},
        {"double", OPTION_FLAG, &wish.wide, NULL,
         "hold the outputs against those of a run in double", 0, 0},
        {"profile", OPTION_FLAG, &wish.profile, NULL, "a table of the operators instead", 0, 0},
        {"beside", OPTION_TEXT, &wish.beside, "LIBRARY",
         "run an ONNX file with it too, in a process of its own: opencv", 0, 0},
        {"times", OPTION_TEXT, &wish.times, "FILE",
         "write each operator's time there, for schedule --times", 0, 0},
        {"time-limit", OPTION_REAL, &wish.time_s, "SECONDS", "for the planner; 0: none", 0, 1e9},
        {"seed", OPTION_INT, &wish.seed, "N", "for planners that draw random numbers", 1,
         UINT32_MAX},
        {"format", OPTION_TEXT, &format, "FORMAT", FORMAT_HELP, 0, 0},
        {NULL, OPTION_FLAG, NULL, NULL, NULL, 0, 0}};
    const struct command_usage usage = {
        "run",
        "NETWORK|MODEL",
        "Runs the network's operators on values that lie where the plan puts them, times that,\n"
        "and compares the outputs byte for byte with those of a run with each value in memory\n"
        "of its own.  Exit status 0: they are the same; 1: they are not, or there is no plan;\n"
        "2: it cannot be run.",
        options,
        1,
        1};
    char **arguments;
    int count, status = options_parse(&usage, argc, argv, &arguments, &count);

    if (status >= 0)
        return status;
    if (!format_parse(usage.name, format, &wish.format))
        return STATUS_USAGE;
    wish.network = arguments[0];
    return run(&wish);
}
