/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv: convolution kernels on layers, side by side.  */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/cli/commands.h"
#include "harness/cli/conv_standing.h"
#include "harness/cli/conv_status.h"
#include "harness/io/expand.h"
#include "harness/io/options.h"
#include "harness/io/table.h"
#include "harness/timing/conv_bench.h"
#include "harness/timing/conv_input.h"
#include "harness/timing/conv_tune.h"
#include "lib/base/error.h"
#include "lib/base/memory.h"
#include "lib/base/people.h"

static const char columns[] =
    "layer kernel isa threads: co: wo: gflops: peak_share: effective_share: max_error: "
    "workspace_bytes: packed_bytes: time_s: ci: wf hfil rows: cco: order tune predicted_gflops: "
    "settings: timed: model_regret: pack_s: convert_s: cci: low_s: high_s: fastest";

/* What people ask for first; the rest is in the other formats.  */
enum { PEOPLE_COLUMNS = 8 };
static const struct table_column people_columns[PEOPLE_COLUMNS] = {
    {"layer", NULL}, {"kernel", NULL}, {"isa", NULL},     {"threads", ""},
    {"time ms", ""}, {"gflops", ""},   {"% of peak", ""}, {"fastest", NULL}};

/* Of kernels that multiply less than the definition: how many times as fast they are as the fastest
 * of the others.  */
static const struct table_column fewer_columns[PEOPLE_COLUMNS] = {
    {"layer", NULL}, {"kernel", NULL}, {"isa", NULL},     {"threads", ""},
    {"time ms", ""}, {"gflops", ""},   {"% of peak", ""}, {"x direct", ""}};

/* The options that are parameters of kernels too, in the order of the help.  */
enum { TUNABLES = 9 };
static const struct {
    const char *name, *argument, *help;
} tunable[TUNABLES] = {
    {"co", "N", "output channels of the register tile"},
    {"wo", "N", "pixels of the register tile"},
    {"ci", "N", "channels in a block of the input; 1: NCHW"},
    {"wf", "WORD", "reload, keep or filter"},
    {"hfil", "WORD", "inside or outside: the loop over filter rows"},
    {"rows", "N", "output rows of the register tile"},
    {"cco", "N", "output channels of a filter slab"},
    {"order", "WORD", "tile-co or co-tile"},
    {"cci", "N", "input channels that are added up before the next row of tiles"},
};

/* Multiply-adds of a layer's reference; what a batch may take before its kernel
 * is said to hang.  */
static const int64_t compare_macs = 100000000;
static const double patience_s = 600.0;

struct request {
    struct text_list kernels; /* as --kernel has them; none: mgemm */
    const char *isa, *tune;
    const char *value[TUNABLES];
    int64_t threads, rounds;
    bool relu;
    enum table_format table;
    bool people; /* a table of text at a terminal */
    enum conv_tune_mode mode;
    int64_t top;
};

/* What is kept from one layer to the next.  */
struct run {
    const struct request *request;
    struct conv_sessions *sessions;
    struct conv_tuner *tuner; /* NULL: nothing is tuned */
    struct table *table;
    struct table *fewer; /* for people: kernels that multiply less than the definition; else NULL */
    size_t rows, fewer_rows;
    struct conv_status status;
};

struct contest {
    struct conv_contestant *contestant;
    size_t count;
};

/* The kernel's parameters after the colon and from the options.  */
static char *join_params(const struct request *request, const struct conv_kernel *kernel,
                         const char *given)
{
    char *text = memory_strdup(given);

    for (int i = 0; i < TUNABLES; i++) {
        bool known = false;

        for (const struct param *p = kernel->params; p != NULL && p->name != NULL; p++)
            known = known || strcmp(p->name, tunable[i].name) == 0;
        if (!known || request->value[i] == NULL)
            continue;
        text = memory_append(text, "%s%s=%s", text[0] == '\0' ? "" : ",", tunable[i].name,
                             request->value[i]);
    }
    return text;
}

/* NAME is what the tables call it, which the request keeps.  */
static bool add_contestant(struct contest *contest, const struct request *request,
                           const struct conv_kernel *kernel, const char *name, const char *given,
                           enum isa isa, struct error *error)
{
    char *text = join_params(request, kernel, given);
    struct params params;

    /* Bad values are bad usage here, not something to skip layer by layer.  */
    if (!params_parse(&params, kernel->name, text, &kernel->params, 1, error)) {
        free(text);
        return false;
    }
    params_clear(&params);
    contest->contestant[contest->count++] =
        (struct conv_contestant){kernel, name, text, isa, (int)request->threads, request->relu};
    return true;
}

static bool add_every_kernel(struct contest *contest, const struct request *request, enum isa isa,
                             struct error *error)
{
    bool good = true;

    for (const struct conv_kernel_entry *e = conv_kernel_registry; good && e->kernel != NULL; e++)
        good = (e->kernel->isas & 1U << isa) == 0 ||
               add_contestant(contest, request, e->kernel, e->kernel->name, "", isa, error);
    return good;
}

/* What one --kernel names: all, or NAME[:PARAMETERS].  */
static bool add_named(struct contest *contest, const struct request *request, const char *text,
                      enum isa isa, struct error *error)
{
    const size_t length = strcspn(text, ":");
    const struct conv_kernel *kernel;
    char *name;
    bool good;

    if (strcmp(text, "all") == 0)
        return add_every_kernel(contest, request, isa, error);
    name = memory_printf("%.*s", (int)length, text);
    kernel = conv_kernel_find(name);
    good = kernel == NULL
               ? conv_kernel_unknown(name, error)
               : add_contestant(contest, request, kernel, text,
                                text[length] == ':' ? text + length + 1 : "", isa, error);
    free(name);
    return good;
}

static bool add_kernels(struct contest *contest, const struct request *request, enum isa isa,
                        struct error *error)
{
    bool good = true;

    for (size_t i = 0; good && i < request->kernels.n; i++)
        good = add_named(contest, request, request->kernels.text[i], isa, error);
    return good;
}

static bool find_contestants(struct contest *contest, const struct request *request,
                             struct error *error)
{
    size_t kernels = 0;
    enum isa isa;

    while (conv_kernel_registry[kernels].kernel != NULL)
        kernels++;
    contest->contestant =
        memory_zalloc((kernels + 1) * request->kernels.n * ISA_COUNT, sizeof *contest->contestant);
    if (request->isa == NULL)
        return isa_default(&isa, error) && add_kernels(contest, request, isa, error);
    if (strcmp(request->isa, "all") != 0)
        return isa_parse(request->isa, &isa, error) && add_kernels(contest, request, isa, error);
    for (isa = 0; isa < ISA_COUNT; isa++)
        if (isa_available(isa) && !add_kernels(contest, request, isa, error))
            return false;
    return true;
}

/* Numbers for programs are exact, for people short.  0 or less: missing.  */
static void add_real(struct table *table, const struct request *request, double value)
{
    table_real(table, request->table != TABLE_TEXT ? "%.17g" : "%.4g", value > 0.0 ? value : NAN);
}

static int64_t or_none(int64_t value)
{
    return value > 0 ? value : TABLE_NONE;
}

/* TUNED is NULL, or has no parameters, where none were chosen for the layer.  */
static void add_tuning(struct table *table, const struct request *request, double flops,
                       const struct conv_tuned *tuned)
{
    if (tuned == NULL || tuned->params == NULL) {
        table_texts(table, NULL, NULL, NULL, NULL, NULL);
        return;
    }
    table_texts(table, conv_tune_name(request->mode));
    add_real(table, request, flops / tuned->predicted_s / 1e9);
    table_ints(table, or_none((int64_t)tuned->settings), or_none((int64_t)tuned->timed));
    table_real(table, request->table != TABLE_TEXT ? "%.17g" : "%.3f",
               tuned->model_regret < 0.0 ? NAN : tuned->model_regret);
}

/* Says why a share of the peak is above 1, where it is.  */
static void complain_share(const struct layer *layer, const struct conv_contestant *contestant,
                           const struct conv_result *result, double share)
{
    const char *reason = conv_share_reason(contestant->kernel, result, share,
                                           share * layer_tap_share(&layer->shape));

    if (reason != NULL)
        complain("conv: %s: %s: %.2f of the peak: %s", layer->name, contestant->name, share,
                 reason);
}

static void add_people_row(struct table *table, const struct layer *layer,
                           const struct conv_contestant *contestant,
                           const struct conv_result *result, double flops, double share,
                           const struct conv_standing *standing)
{
    table_texts(table, layer->name, contestant->name, isa_name(contestant->isa));
    table_ints(table, contestant->threads);
    table_real(table, "%.4f", 1000.0 * result->time_s);
    table_real(table, "%.1f", flops / 1e9);
    table_real(table, "%.1f", share > 0.0 ? 100.0 * share : NAN);
    if (contestant->kernel->multiplies_less)
        table_real(table, "%.2f", standing->direct > 0.0 ? standing->direct : NAN);
    else
        table_texts(table, standing->fastest);
}

static void add_row(struct table *table, const struct request *request, const struct layer *layer,
                    const struct conv_contestant *contestant, const struct conv_result *result,
                    const struct conv_tuned *tuned, const struct conv_standing *standing)
{
    const struct conv_choice *choice = &result->facts.choice;
    const double flops = 2.0 * (double)conv_shape_macs(&layer->shape) / result->time_s;
    const double share = result->peak > 0.0 ? flops / result->peak : 0.0;

    complain_share(layer, contestant, result, share);
    if (request->people) {
        add_people_row(table, layer, contestant, result, flops, share, standing);
        return;
    }
    table_texts(table, layer->name, contestant->name, isa_name(contestant->isa));
    table_ints(table, contestant->threads, or_none(choice->co), or_none(choice->wo));
    add_real(table, request, flops / 1e9);
    add_real(table, request, share);
    add_real(table, request, share * layer_tap_share(&layer->shape));
    table_cell(table, request->table != TABLE_TEXT ? "%.17g" : "%.2g", result->facts.max_error);
    table_ints(table, result->facts.workspace_bytes, result->facts.packed_bytes);
    add_real(table, request, result->time_s);
    table_ints(table, or_none(choice->ci));
    table_texts(table, choice->wf, choice->hfil);
    table_ints(table, or_none(choice->rows), or_none(choice->cco));
    table_texts(table, choice->order);
    add_tuning(table, request, 2.0 * (double)conv_shape_macs(&layer->shape), tuned);
    add_real(table, request, result->facts.pack_s);
    add_real(table, request, result->facts.convert_s);
    table_ints(table, or_none(choice->cci));
    add_real(table, request, standing->known ? standing->interval.low : 0.0);
    add_real(table, request, standing->known ? standing->interval.high : 0.0);
    table_texts(table, standing->fastest);
}

/* Chooses the parameters of the CONTESTANT that has some to choose.  False when
 * that failed.  */
static bool tune(struct run *run, const struct layer *layer, struct conv_contestant *contestant,
                 struct conv_tuned *tuned)
{
    struct error error = {""};
    bool done;

    *tuned = (struct conv_tuned){.model_regret = -1.0};
    if (run->tuner == NULL || contestant->kernel != conv_kernel_find("mgemm"))
        return true;
    conv_status_contest(&run->status, "setting", 0);
    done = conv_tune(run->tuner, contestant, &layer->shape, run->request->mode, run->request->top,
                     (int)run->request->rounds, tuned, &error);
    status_line_clear(&run->status.vigil.line);
    if (!done || tuned->failed > 0)
        complain("conv: %s: %s: %s", layer->name, contestant->name, error.text);
    if (tuned->params != NULL)
        contestant->params = tuned->params;
    if (tuned->timed > 0)
        complain("conv: %s: %s on %s: timed %zu of %zu settings in %.1f s", layer->name,
                 contestant->name, isa_name(contestant->isa), tuned->timed, tuned->settings,
                 tuned->spent_s);
    /* The other tables have columns for it.  */
    if (tuned->params != NULL && run->request->people)
        complain("conv: %s: %s on %s: chose %s", layer->name, contestant->name,
                 isa_name(contestant->isa), tuned->params);
    return tuned->failed == 0 && error.text[0] == '\0';
}

/* What CONTESTANT did on the layer.  False when it was wrong or crashed.  */
static bool take_result(struct run *run, const struct conv_contestant *contestant,
                        const struct conv_result *result, const struct conv_tuned *tuned,
                        const struct conv_standing *standing)
{
    const struct conv_facts *facts = &result->facts;
    bool failed;

    if (facts->end == CONV_END_GOOD) {
        bool fewer = run->fewer != NULL && contestant->kernel->multiplies_less;

        add_row(fewer ? run->fewer : run->table, run->request, run->status.layer, contestant,
                result, tuned, standing);
        ++*(fewer ? &run->fewer_rows : &run->rows);
        return true;
    }
    if (facts->end == CONV_END_STOPPED)
        return true;
    failed = facts->end != CONV_END_SKIPPED && facts->end != CONV_END_MEMORY;
    complain("conv: %s: %s on %s: %s%s", run->status.layer->name, contestant->name,
             isa_name(contestant->isa), failed ? "" : "skipped: ", facts->reason);
    return !failed;
}

/* All contestants on one layer.  False when one of them was wrong or crashed.  */
static bool run_layer(struct run *run, const struct contest *contest, const struct layer *layer)
{
    struct conv_result *result = memory_zalloc(contest->count, sizeof *result);
    struct conv_contestant *contestant = memory_alloc(contest->count, sizeof *contestant);
    struct conv_tuned *tuned = memory_zalloc(contest->count, sizeof *tuned);
    struct conv_standing *standing = memory_alloc(contest->count, sizeof *standing);
    bool good = true;

    conv_status_layer(&run->status, layer);
    memcpy(contestant, contest->contestant, contest->count * sizeof *contestant);
    for (size_t i = 0; i < contest->count; i++)
        good = tune(run, layer, &contestant[i], &tuned[i]) && good;
    conv_status_contest(&run->status, "kernel", contest->count);
    conv_bench(run->sessions, contestant, contest->count, &layer->shape, (int)run->request->rounds,
               result);
    conv_standings(contestant, result, contest->count, (int)run->request->rounds, standing);
    status_line_clear(&run->status.vigil.line);
    for (size_t i = 0; i < contest->count; i++) {
        good = take_result(run, &contestant[i], &result[i], &tuned[i], &standing[i]) && good;
        free(result[i].round);
        free(tuned[i].params);
    }
    free(result);
    free(contestant);
    free(tuned);
    free(standing);
    return good;
}

/* Layers until there are no more, or an interrupt: what it stops has no row.  False when
 * a contestant was wrong or crashed.  */
static bool run_layers(struct run *run, const struct contest *contest,
                       const struct layer_list *list)
{
    const struct watch *watch = &run->status.vigil.watch;
    bool good = true;

    conv_sessions_watch(run->sessions, watch, &run->status.moment);
    if (run->tuner != NULL)
        conv_tuner_watch(run->tuner, watch, &run->status.moment);
    for (size_t i = 0; i < list->count && run->status.vigil.interrupt.signal == 0; i++)
        good = run_layer(run, contest, &list->layer[i]) && good;
    conv_sessions_free(run->sessions);
    conv_tuner_free(run->tuner);
    return good;
}

/* Tables for people are two: direct kernels come first.  */
static void begin_tables(struct run *run)
{
    if (run->request->table == TABLE_TEXT)
        run->fewer =
            run->request->people ? table_new(fewer_columns, PEOPLE_COLUMNS) : table_named(columns);
    run->table =
        run->request->people ? table_new(people_columns, PEOPLE_COLUMNS) : table_named(columns);
}

/* Shows and frees them; the exit status.  */
static int show_tables(struct run *run)
{
    int status = STATUS_DONE;

    if (run->rows > 0 || run->fewer_rows == 0)
        status = table_finish(run->table, run->request->table);
    else
        table_free(run->table);
    if (run->fewer_rows == 0) {
        table_free(run->fewer);
        return status;
    }
    people_print(
        stdout,
        "\nWinograd's algorithm, or what a library chooses, which may be that: it multiplies "
        "less than\nthe definition and rounds otherwise.\n");
    return status == STATUS_DONE ? table_finish(run->fewer, run->request->table) : status;
}

static int run_contest(const struct request *request, const struct contest *contest,
                       const struct layer_list *list)
{
    struct run run = {.request = request};
    struct error error;
    bool good;
    int status;

    if (!conv_status_begin(&run.status, list->count, &error))
        return complain_as(STATUS_FAILED, "conv: %s", error.text);
    run.sessions = conv_sessions_new(compare_macs, patience_s);
    run.tuner = request->mode == CONV_TUNE_NONE ? NULL : conv_tuner_new(patience_s);
    begin_tables(&run);
    good = run_layers(&run, contest, list);
    status = show_tables(&run);
    if (run.status.vigil.interrupt.signal != 0)
        complain("conv: interrupted in layer %zu of %zu", run.status.begun, run.status.layers);
    if (status == STATUS_DONE)
        status = !good ? STATUS_FAILED : run.rows + run.fewer_rows > 0 ? STATUS_DONE : STATUS_USAGE;
    return vigil_end(&run.status.vigil, status);
}

static int conv(const struct request *request, char **arguments, int count)
{
    struct layer_list list = {NULL, 0, 0};
    struct contest contest = {NULL, 0};
    struct error error = {""};
    bool good = find_contestants(&contest, request, &error);
    int status = STATUS_USAGE;

    for (int i = 0; good && i < count; i++)
        good = conv_input(&list, arguments[i], &error);
    if (!good)
        complain("conv: %s", error.text);
    else
        status = run_contest(request, &contest, &list);
    for (size_t i = 0; i < contest.count; i++)
        free(contest.contestant[i].params);
    free(contest.contestant);
    layer_list_free(&list);
    return status;
}

/* The one of NAMES that --tune can do nothing for: mgemm with parameters, or where there is no
 * mgemm the first.  NULL: there is none.  */
static const char *untunable(const struct text_list *names)
{
    const char *other = names->text[0];

    for (size_t i = 0; i < names->n; i++) {
        if (strncmp(names->text[i], "mgemm:", strlen("mgemm:")) == 0)
            return names->text[i];
        if (strcmp(names->text[i], "all") == 0 || strcmp(names->text[i], "mgemm") == 0)
            other = NULL;
    }
    return other;
}

/* What --tune chooses can't be given too.  */
static bool parse_tune(struct request *request)
{
    struct error error = {""};
    const char *other = untunable(&request->kernels);
    bool good = true;

    if (request->tune == NULL)
        return true;
    if (!conv_tune_parse(request->tune, &request->mode, &request->top, &error))
        good = false;
    else if (other != NULL)
        good = error_set(&error, "--tune chooses the parameters of mgemm, not of '%s'", other);
    for (int i = 0; good && i < TUNABLES; i++)
        if (request->value[i] != NULL)
            good = error_set(&error, "--tune chooses the parameters; --%s can't be given too",
                             tunable[i].name);
    return good || complain("conv: %s", error.text);
}

enum { PLAIN_OPTIONS = 7 };

int command_conv(int argc, char **argv)
{
    struct request request = {.threads = 1, .rounds = 21};
    struct option_spec options[PLAIN_OPTIONS + TUNABLES + 1] = {
        {"kernel", OPTION_LIST, &request.kernels, "NAME[:PARAMETERS]",
         "a kernel, or all of them; give it again to compare some (usual: mgemm)", 0, 0},
        {"isa", OPTION_TEXT, &request.isa, "NAME",
         "generic, avx2, avx512, best (or ARENABENCH_ISA), or all", 0, 0},
        {"threads", OPTION_INT, &request.threads, "N", "threads, pinned", 1, 1024},
        {"rounds", OPTION_INT, &request.rounds, "N", "interleaved rounds", 1, 100000},
        {"tune", OPTION_TEXT, &request.tune, "HOW",
         "mgemm's parameters: model, top[:K] (measured, default 8) or sweep", 0, 0},
        {"relu", OPTION_FLAG, &request.relu, NULL, "ReLU after the bias", 0, 0},
        {"format", OPTION_FORMAT, &request.table, "FORMAT", FORMAT_HELP, 0, 0},
    };
    const struct command_usage usage = {
        "conv",
        "LAYER|LIST|NETWORK[:layer=NAME]...",
        "Runs convolution kernels on layers and prints each one's rate, its share of the measured\n"
        "peak, its error against a double-precision reference, and its parameters.\n"
        "(effective_share is the share of the peak that is possible if padding is skipped.)\n"
        "LAYER is c=64,h=56,w=56,k=64,r=3,s=3,pad=1, with n, stride, dilation and groups if\n"
        "needed (stride=2x1: height x width).  LIST is bench15, depthwise3, yolov3-tiny, a file\n"
        "NAME.layers (a name and a layer a line) or a table NAME.csv (columns c, h, w, k...).\n"
        "A NETWORK stands for its convolutions; where a list has the same name, add a colon\n"
        "(yolov3-tiny:).  Behind a list or network, sample=N takes N of its layers.\n"
        "An interrupt (Ctrl-C) prints the rows so far, with status 130; a second one ends the\n"
        "program at once.",
        options,
        1,
        -1};
    char **arguments;
    int count, status;

    for (int i = 0; i < TUNABLES; i++)
        options[PLAIN_OPTIONS + i] = (struct option_spec){tunable[i].name,
                                                          OPTION_TEXT,
                                                          &request.value[i],
                                                          tunable[i].argument,
                                                          tunable[i].help,
                                                          0,
                                                          0};
    options[PLAIN_OPTIONS + TUNABLES] =
        (struct option_spec){NULL, OPTION_FLAG, NULL, NULL, NULL, 0, 0};
    status = options_parse(&usage, argc, argv, &arguments, &count);
    request.people = request.table == TABLE_TEXT && isatty(STDOUT_FILENO) == 1;
    if (request.kernels.n == 0)
        text_list_add(&request.kernels, "mgemm");
    if (status < 0)
        status = parse_tune(&request) ? conv(&request, arguments, count) : STATUS_USAGE;
    text_list_clear(&request.kernels);
    return status;
}
