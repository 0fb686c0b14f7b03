/* SPDX-License-Identifier: GPL-3.0-or-later */
/* list: tables of what there is, with the source of each.  */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/commands.h"
#include "harness/cli/parameters.h"
#include "harness/io/figure.h"
#include "harness/io/options.h"
#include "harness/io/table.h"
#include "harness/run/contestants.h"
#include "harness/run/runner.h"
#include "harness/sweep/experiment.h"
#include "kernels/kernel.h"
#include "lib/base/error.h"
#include "lib/base/file.h"
#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "lib/graph/network.h"
#include "lib/problem/search_statistics.h"
#include "solvers/evidence.h"
#include "solvers/solver.h"
#include "workloads/workload.h"

/* The parameters of COUNT tables as `name=default`, one text the caller frees.  */
static char *describe_params(const struct param *const *tables, size_t count)
{
    char *text = NULL;
    size_t length;
    FILE *out = memory_stream(&text, &length);
    const char *space = "";

    for (size_t t = 0; t < count; t++)
        for (const struct param *p = tables[t]; p != NULL && p->name != NULL; p++) {
            char *parameter = parameter_text(p);

            /* What has no values is the rest of the text, as exec's command.  */
            fprintf(out, "%s%s", space, parameter);
            free(parameter);
            space = " ";
        }
    memory_stream_close(out);
    return text;
}

static void add_params(struct table *table, const struct param *const *tables, size_t count)
{
    char *text = describe_params(tables, count);

    table_cell(table, "%s", text);
    free(text);
}

/* How much a table says: what fits a screen, all but what shows that a solver does what its source
 * does, or that too.  */
enum detail { DETAIL_SHORT, DETAIL_USUAL, DETAIL_LONG };

static void add_solver(struct table *table, const struct solver *solver, enum detail detail)
{
    const char *kind = solver->kind == SOLVER_EXACT ? "exact" : "heuristic";
    const char *layout = layout_name(solver->layout);

    if (detail == DETAIL_SHORT) {
        table_texts(table, solver->name, kind, layout, solver->title);
        return;
    }
    table_texts(table, solver->name, solver->title, kind, layout);
    add_params(table, &solver->params, 1);
    table_texts(table, solver->source);
    if (detail == DETAIL_LONG) {
        char *sets = solver_sets_text(solver), *evidence = evidence_text(solver->name);

        table_texts(table, sets, evidence);
        free(sets);
        free(evidence);
    }
}

static struct table *new_solvers(enum detail detail)
{
    static const char *const columns[] = {
        [DETAIL_SHORT] = "solver kind layout title",
        [DETAIL_USUAL] = "solver title kind layout parameters source",
        [DETAIL_LONG] = "solver title kind layout parameters source sets evidence",
    };

    return table_named(columns[detail]);
}

static struct table *list_solvers(enum detail detail)
{
    struct table *table = new_solvers(detail);

    for (const struct solver_entry *entry = solver_registry; entry->solver != NULL; entry++)
        add_solver(table, entry->solver, detail);
    return table;
}

/* Trained weights, and multiply-accumulates of one input, with all parameters
 * at their defaults.  */
static void add_sizes(struct table *table, const char *name)
{
    struct network *network = NULL;
    struct workload workload;
    struct error error;

    if (workload_parse(&workload, name, &error)) {
        network = workload_network(&workload, &error);
        workload_clear(&workload);
    }
    table_ints(table, network != NULL ? network_parameters(network) : TABLE_NONE,
               network != NULL ? network_macs(network) : TABLE_NONE);
    network_free(network);
}

/* Long: with the parameters and the publication of each.  */
static struct table *list_networks(enum detail detail)
{
    struct table *table =
        table_named(detail == DETAIL_LONG ? "network title parameters source weights: macs:"
                                          : "network title weights: macs:");

    for (size_t f = 0; network_registry[f] != NULL; f++) {
        const struct network_family *family = network_registry[f];
        const struct param *tables[WORKLOAD_MAX_TABLES];
        size_t count = network_family_tables(family, tables);

        for (const struct network_model *model = family->model; model->name != NULL; model++) {
            table_texts(table, model->name, model->title);
            if (detail == DETAIL_LONG) {
                add_params(table, tables, count);
                table_texts(table, model->source);
            }
            add_sizes(table, model->name);
        }
    }
    return table;
}

static struct table *list_generators(enum detail detail)
{
    struct table *table = table_named("generator title makes parameters source");

    (void)detail;

    for (size_t g = 0; generator_registry[g] != NULL; g++) {
        const struct generator *generator = generator_registry[g];

        table_texts(table, generator->name, generator->title,
                    generator->network != NULL ? "network" : "lifetimes");
        add_params(table, &generator->params, 1);
        table_texts(table, generator->source);
    }
    return table;
}

/* "generic avx2", those of them that run here.  */
static void add_isas(struct table *table, unsigned isas)
{
    char text[64] = "";

    for (enum isa isa = 0; isa < ISA_COUNT; isa++)
        if ((isas & 1U << isa) != 0 && isa_available(isa))
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s",
                     text[0] == '\0' ? "" : " ", isa_name(isa));
    table_texts(table, text);
}

static struct table *list_kernels(enum detail detail)
{
    struct table *table = table_named("kernel title isas parameters source");

    (void)detail;

    for (size_t i = 0; conv_kernel_registry[i].kernel != NULL; i++) {
        const struct conv_kernel *kernel = conv_kernel_registry[i].kernel;

        table_texts(table, kernel->name, kernel->title);
        add_isas(table, kernel->isas);
        add_params(table, &kernel->params, 1);
        table_texts(table, kernel->source);
    }
    /* What could be there: whoever misses a row finds the reason.  */
    for (const struct conv_peer *peer = conv_peers; peer->name != NULL; peer++) {
        if (peer->absent == NULL)
            continue;
        table_texts(table, peer->name);
        table_cell(table, "not built in: %s", peer->absent);
        table_texts(table, NULL, NULL, peer->library);
    }
    return table;
}

static struct table *list_readers(enum detail detail)
{
    struct table *table = table_named(detail == DETAIL_LONG ? "reader title extension parameters"
                                                            : "reader title extension");

    for (size_t r = 0; reader_registry[r] != NULL; r++) {
        const struct param *tables[WORKLOAD_MAX_TABLES];
        size_t count = reader_tables(reader_registry[r], tables);

        table_texts(table, reader_registry[r]->name, reader_registry[r]->title,
                    reader_registry[r]->extension);
        if (detail == DETAIL_LONG)
            add_params(table, tables, count);
    }
    return table;
}

static void add_experiment(struct table *table, const struct experiment *experiment)
{
    table_texts(table, experiment->name, experiment->title);
    table_real(table, "%.17g", experiment->set[EXPERIMENT_QUICK].budget_s);
    table_real(table, "%.17g", experiment->set[EXPERIMENT_FULL].budget_s);
    table_cell(table, "experiments/%s.cfg", experiment->name);
}

/* NULL after a message.  */
static struct table *list_experiments(enum detail detail)
{
    struct table *table = table_named("experiment title quick_budget_s: full_budget_s: source");
    struct text_list names = {0};
    struct error error = {""};
    bool good = experiment_names(&names, &error);

    (void)detail;
    for (size_t i = 0; good && i < names.n; i++) {
        struct experiment *experiment = experiment_read(names.text[i], &error);

        good = experiment != NULL;
        if (good)
            add_experiment(table, experiment);
        experiment_free(experiment);
    }
    text_list_clear(&names);
    if (good)
        return table;
    complain("list: %s", error.text);
    table_free(table);
    return NULL;
}

static struct table *list_figures(enum detail detail)
{
    struct table *table = table_named("figure title experiment source");

    (void)detail;
    for (const struct figure *figure = figure_registry; figure->name != NULL; figure++) {
        table_texts(table, figure->name, figure->title);
        table_cell(table, "%s%s%s", figure->experiment,
                   figure->experiment[0] != '\0' && figure->shape[0] != '\0' ? ", " : "",
                   figure->shape[0] != '\0' ? "any" : "");
        table_cell(table, "plots/%s.gp", figure->name);
    }
    return table;
}

static struct table *list_statistics(enum detail detail)
{
    struct table *table = table_named("statistic unit title");

    (void)detail;
    for (size_t s = 0; s < STATISTICS; s++)
        table_texts(table, search_statistic_table[s].name, search_statistic_table[s].unit,
                    search_statistic_table[s].title);
    return table;
}

static const struct listing {
    const char *name;
    struct table *(*make)(enum detail detail); /* NULL: it failed, after a message */
    bool has_long;                             /* else there is no more to say */
    void (*explain)(FILE *out);                /* what people read below the short table; or NULL */
} listings[] = {
    {"solvers", list_solvers, true, NULL},
    {"networks", list_networks, true, parameters_explain_networks},
    {"generators", list_generators, false, NULL},
    {"readers", list_readers, true, parameters_explain_readers},
    {"kernels", list_kernels, false, NULL},
    {"experiments", list_experiments, false, NULL},
    {"figures", list_figures, false, NULL},
    {"statistics", list_statistics, false, NULL},
};

enum { LISTINGS = sizeof listings / sizeof listings[0] };

static enum detail detail_of(bool long_rows, enum table_format format)
{
    return long_rows ? DETAIL_LONG : format == TABLE_TEXT ? DETAIL_SHORT : DETAIL_USUAL;
}

static int print(const struct listing *listing, bool long_rows, enum table_format format)
{
    const enum detail detail = detail_of(long_rows, format);
    struct table *table;
    int status;

    if (long_rows && !listing->has_long)
        return complain_as(STATUS_USAGE,
                           "list: --long is for solvers, networks and readers, not for %s",
                           listing->name);
    table = listing->make(detail);
    if (table == NULL)
        return STATUS_USAGE;
    status = table_finish(table, format);
    if (status != STATUS_DONE || long_rows || format != TABLE_TEXT || listing->explain == NULL)
        return status;
    listing->explain(stdout);
    if (file_flush(stdout))
        return STATUS_DONE;
    return complain_as(STATUS_FAILED, "standard output: %s", strerror(errno));
}

/* Of one solver all that is known, for people a line each; or a row for each of a list.  */
static int print_named(const char *list, enum detail detail, enum table_format format)
{
    struct contestants contestants = {0};
    struct table *table;
    struct error error;

    if (!contestants_add_list(&contestants, list, &error)) {
        contestants_clear(&contestants);
        return complain_as(STATUS_USAGE, "list: %s", error.text);
    }
    detail = contestants.count == 1 ? DETAIL_LONG : detail;
    table = new_solvers(detail);
    for (size_t i = 0; i < contestants.count; i++)
        add_solver(table, contestants.item[i].entry->solver, detail);
    if (contestants.count == 1 && format == TABLE_TEXT)
        table = table_turned(table);
    contestants_clear(&contestants);
    return table_finish(table, format);
}

int command_list(int argc, char **argv)
{
    enum table_format format = TABLE_TEXT;
    bool long_rows = false;
    const struct option_spec options[] = {
        {"long", OPTION_FLAG, &long_rows, NULL,
         "all columns: of solvers their sets and what shows that each does what its source does", 0,
         0},
        {"format", OPTION_FORMAT, &format, "FORMAT", FORMAT_HELP, 0, 0},
        {NULL, OPTION_FLAG, NULL, NULL, NULL, 0, 0}};
    const struct command_usage usage = {
        "list",
        "solvers|networks|generators|readers|kernels|experiments|figures|statistics",
        "Prints a table of what there is.  `list solvers NAME` says all that is known\n"
        "of one, `list solvers @online` which solvers a set has.",
        options,
        1,
        2};
    char solvers[] = "solvers";
    const char *names[LISTINGS];
    struct error error;
    char **arguments;
    int count, status = options_parse(&usage, argc, argv, &arguments, &count);

    if (status >= 0)
        return status;
    if (strcmp(arguments[0], "planners") == 0) /* as the field calls them, too */
        arguments[0] = solvers;
    if (count == 2 && strcmp(arguments[0], solvers) == 0)
        return print_named(arguments[1], detail_of(long_rows, format), format);
    if (count == 2)
        return complain_as(STATUS_USAGE, "list: %s %s: only solvers can be named", arguments[0],
                           arguments[1]);
    for (size_t i = 0; i < LISTINGS; i++) {
        if (strcmp(arguments[0], listings[i].name) == 0)
            return print(&listings[i], long_rows, format);
        names[i] = listings[i].name;
    }
    error_unknown(&error, "table", arguments[0], names, LISTINGS, "; see 'arenabench list --help'");
    return complain_as(STATUS_USAGE, "list: %s", error.text);
}
