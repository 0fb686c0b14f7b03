/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A report's connection to the store: the solvers, the views, the statistics
 * that SQL lacks, and the counts that stand behind every caption.  */
#include <config.h>

#include "harness/report/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/io/figure.h"
#include "harness/io/options.h"
#include "harness/report/cover.h"
#include "harness/report/grid.h"
#include "harness/report/report_suite.h"
#include "harness/store/optima.h"
#include "harness/store/rows.h"
#include "harness/store/store.h"
#include "harness/store/store_report.h"
#include "kernels/kernel.h"
#include "lib/base/file.h"
#include "lib/base/gsl_signed_rank.h"
#include "lib/base/memory.h"
#include "lib/base/statistics.h"
#include "memories/splitter.h"
#include "solvers/solver.h"

/* The bootstrap interval's size and seed: fixed, so that a report of the same
 * store is the same report.  */
#define BOOTSTRAP_RESAMPLES 2000
#define BOOTSTRAP_SEED 1

/* Of a file of views.  */
#define MOST_BYTES ((size_t)1 << 20)

const char report_contradictions[] =
    "select w.label as workload, i.bound, i.upper as peak from instance i"
    " join workload w on w.checksum = i.checksum where i.upper < i.bound order by w.label";

static double median(const double *value, size_t count, double unused)
{
    (void)unused;
    return statistics_median(value, count);
}

static double bootstrap_low(const double *value, size_t count, double unused)
{
    (void)unused;
    return statistics_bootstrap_mean(value, count, BOOTSTRAP_RESAMPLES, BOOTSTRAP_SEED).low;
}

static double bootstrap_high(const double *value, size_t count, double unused)
{
    (void)unused;
    return statistics_bootstrap_mean(value, count, BOOTSTRAP_RESAMPLES, BOOTSTRAP_SEED).high;
}

/* The same of a geometric mean: of the logarithms.  */
static struct interval geometric_interval(const double *value, size_t count)
{
    double *logs = memory_alloc(count, sizeof *logs);
    struct interval interval;

    for (size_t i = 0; i < count; i++)
        logs[i] = log(value[i]);
    interval = statistics_bootstrap_mean(logs, count, BOOTSTRAP_RESAMPLES, BOOTSTRAP_SEED);
    free(logs);
    return (struct interval){exp(interval.low), exp(interval.high)};
}

static double geometric_low(const double *value, size_t count, double unused)
{
    (void)unused;
    return geometric_interval(value, count).low;
}

static double geometric_high(const double *value, size_t count, double unused)
{
    (void)unused;
    return geometric_interval(value, count).high;
}

static double signed_rank(const double *value, size_t count, double unused)
{
    (void)unused;
    return signed_rank_p(value, count);
}

static double spearman_low(const double *x, const double *y, size_t count)
{
    return statistics_spearman_interval(statistics_spearman(x, y, count), count).low;
}

static double spearman_high(const double *x, const double *y, size_t count)
{
    return statistics_spearman_interval(statistics_spearman(x, y, count), count).high;
}

static double exponent(const double *x, const double *y, size_t count)
{
    struct interval interval;

    return statistics_exponent(x, y, count, &interval);
}

static double exponent_low(const double *x, const double *y, size_t count)
{
    struct interval interval;

    statistics_exponent(x, y, count, &interval);
    return interval.low;
}

static double exponent_high(const double *x, const double *y, size_t count)
{
    struct interval interval;

    statistics_exponent(x, y, count, &interval);
    return interval.high;
}

bool report_add_aggregates(struct store *store, struct error *error)
{
    return store_add_aggregate(store, "geometric_low", false, geometric_low, error) &&
           store_add_aggregate(store, "geometric_high", false, geometric_high, error) &&
           store_add_pair_aggregate(store, "spearman", statistics_spearman, error) &&
           store_add_pair_aggregate(store, "spearman_low", spearman_low, error) &&
           store_add_pair_aggregate(store, "spearman_high", spearman_high, error) &&
           store_add_pair_aggregate(store, "exponent", exponent, error) &&
           store_add_pair_aggregate(store, "exponent_low", exponent_low, error) &&
           store_add_pair_aggregate(store, "exponent_high", exponent_high, error) &&
           store_add_aggregate(store, "median", false, median, error) &&
           store_add_aggregate(store, "signed_rank_p", false, signed_rank, error) &&
           store_add_aggregate(store, "quantile", true, statistics_quantile, error) &&
           store_add_aggregate(store, "shifted_geometric_mean", true,
                               statistics_shifted_geometric_mean, error) &&
           store_add_aggregate(store, "bootstrap_low", false, bootstrap_low, error) &&
           store_add_aggregate(store, "bootstrap_high", false, bootstrap_high, error);
}

/* The registered solvers, as the temporary table `solver`.  */
static bool add_solvers(struct store *store, struct error *error)
{
    bool done = rows_ask(NULL, store, error,
                         "create temp table solver (name text primary key, title text, kind text,"
                         " place integer, shipped integer, online integer)");
    int place = 0;

    for (const struct solver_entry *e = solver_registry; done && e->solver != NULL; e++)
        done = rows_ask(NULL, store, error, "insert into solver values (%Q, %Q, %Q, %d, %d, %d)",
                        e->solver->name, e->solver->title,
                        e->solver->kind == SOLVER_EXACT ? "exact" : "heuristic", ++place,
                        (e->solver->capabilities & SOLVER_SHIPPED) != 0,
                        (solver_usual_capabilities(e->solver) & SOLVER_ONLINE) != 0);
    return done;
}

/* The planners for several memories, as the temporary table `splitter`.  */
static bool add_splitters(struct store *store, struct error *error)
{
    bool done = rows_ask(NULL, store, error,
                         "create temp table splitter (name text primary key, title text,"
                         " kind text)");

    for (size_t i = 0; done && i < splitter_count; i++)
        done = rows_ask(NULL, store, error, "insert into splitter values (%Q, %Q, %Q)",
                        splitters[i]->name, splitters[i]->title,
                        splitter_kind_name(splitters[i]->kind));
    return done;
}

/* The registered kernels, as the temporary table `kernel`.  */
static bool add_kernels(struct store *store, struct error *error)
{
    bool done =
        rows_ask(NULL, store, error,
                 "create temp table kernel (name text primary key, title text, place integer)");
    int place = 0;

    for (const struct conv_kernel_entry *e = conv_kernel_registry; done && e->kernel != NULL; e++)
        done = rows_ask(NULL, store, error, "insert into kernel values (%Q, %Q, %d)",
                        e->kernel->name, e->kernel->title, ++place);
    return done;
}

/* Runs the statements of the project's file NAME, one after the other; each ends with a line that
 * ends in a semicolon.  */
static bool add_views(struct store *store, const char *name, struct error *error)
{
    char *path = share_path(name), *text = NULL, *end;
    size_t length;
    bool done = file_read(path, MOST_BYTES, &text, &length, error);

    for (char *at = text; done && (end = strstr(at, ";\n")) != NULL; at = end + 2) {
        *end = '\0';
        done = rows_ask(NULL, store, error, "%s", at) || error_prefix(error, "%s", path);
    }
    free(text);
    free(path);
    return done;
}

bool report_check(const struct report *report, struct error *error)
{
    struct rows rows;
    bool done = rows_query(&rows, report->store, report_contradictions, NULL, 0, error);

    for (size_t i = 0; done && i < rows.count; i++)
        complain("report: %s: the lower bound %s is above a verified peak of %s",
                 rows_text(&rows, i, 0), rows_text(&rows, i, 1), rows_text(&rows, i, 2));
    if (done && rows.count > 0)
        done = error_set(error, "a contestant proved a bound that is not true");
    rows_clear(&rows);
    return done;
}

bool report_open(struct report *report, const char *dir, bool draw, struct error *error)
{
    struct store *store = store_open(dir, false, error);

    if (store == NULL)
        return false;
    /* One transaction: what a sweep writes meanwhile is not seen.  */
    if (!rows_ask(NULL, store, error, "begin") || !report_add_aggregates(store, error) ||
        !add_solvers(store, error) || !add_splitters(store, error) ||
        !optima_add_known(store, error) || !report_add_suite(store, error) ||
        !add_kernels(store, error) || !store_add_passed(store, error) ||
        !add_views(store, "plots/views.sql", error) ||
        !add_views(store, "plots/views_runs.sql", error) ||
        !add_views(store, "plots/views_fits.sql", error) ||
        !add_views(store, "plots/views_kernels.sql", error) || !cover_add(store, error)) {
        store_close(store);
        return false;
    }
    memset(report, 0, sizeof *report);
    report->dir = memory_strdup(dir);
    report->store = store;
    report->draw = draw;
    return true;
}

void report_clear_shown(struct shown *shown, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(shown[i].experiment);
        free(shown[i].name);
        free(shown[i].title);
        free(shown[i].caption);
        free(shown[i].skipped);
        free(shown[i].undrawn);
    }
}

void report_clear(struct report *report)
{
    for (size_t i = 0; i < report->tables; i++)
        grid_free(report->grid[i]);
    free(report->grid);
    report_clear_shown(report->figure, report->figures);
    report_clear_shown(report->table, report->tables);
    free(report->figure);
    free(report->table);
    store_close(report->store);
    free(report->dir);
}

bool report_asking(const struct report *report, const struct figure *figure, struct rows *rows,
                   struct error *error)
{
    static const char listed[] =
        "select e.name, e.title, 1 as asked from experiment e"
        " join chosen c on c.experiment = e.name and c.size = e.size"
        " where instr(' ' || e.figures || ' ', ' ' || ?1 || ' ') > 0 order by e.name <> ?2, e.name";
    static const char own[] =
        "select ?1 as name, '' as title, ?1 in (select experiment from chosen) as asked";
    const char *names[] = {figure->name, figure->experiment};

    return figure->shape[0] != '\0'
               ? rows_query(rows, report->store, listed, names, 2, error)
               : rows_query(rows, report->store, own, &figure->experiment, 1, error);
}

void report_name_shown(struct shown *shown, const struct figure *figure, const struct rows *rows,
                       size_t row)
{
    const char *experiment = rows_text(rows, row, 0);
    bool own = strcmp(experiment, figure->experiment) == 0;

    *shown = (struct shown){
        .figure = figure,
        .asked = rows_text(rows, row, 2)[0] == '1',
        .experiment = memory_strdup(experiment),
        .name =
            own ? memory_strdup(figure->name) : memory_printf("%s-%s", experiment, figure->name),
        .title = own ? memory_strdup(figure->title)
                     : memory_printf("%s: %s", rows_text(rows, row, 1), figure->title),
    };
}

/* What the experiment is made of, "" where there is none; NULL on an error.  */
static char *count_text(const struct report *report, const char *experiment, struct error *error)
{
    static const char sql[] =
        "select 'Experiment ' || experiment || ', ' || size || ' size: '"
        " || count(distinct checksum) || case max(kernel) when 1 then ' layer' else ' instance' end"
        " || case count(distinct checksum) when 1 then ', ' else 's, ' end"
        " || case count(distinct case when real then checksum end) when 0 then ''"
        "    when 1 then '1 of them a real input, ' else count(distinct case when real then "
        "checksum end) || ' of them real inputs, ' end"
        " || case max(lacking) when 0 then '' when 1 then '1 real input left out, '"
        "    else max(lacking) || ' real inputs left out, ' end"
        " || count(*) || case count(*) when 1 then ' run' else ' runs' end"
        " || case when sum(outcome = 'skipped') > 0"
        "    then ', ' || sum(outcome = 'skipped') || ' skipped' else '' end"
        " || case when sum(outcome = 'invalid') > 0"
        "    then ', ' || sum(outcome = 'invalid') || ' invalid and left out' else '' end"
        " || '; limits ' || case max(time_limit_s) when 0 then 'no time'"
        "    else printf('%g s', max(time_limit_s)) end"
        " || case coalesce(max(memory_limit), 0) when 0 then ''"
        "    else ', ' || (max(memory_limit) / 1048576) || ' MiB' end"
        " from (select r.*, w.label like 'data:%' as real, coalesce(e.skipped, 0) as lacking"
        "         from any_run r join workload w on w.id = r.workload"
        "         left join experiment e on e.name = r.experiment and e.size = r.size"
        "        where r.experiment = ?1)";
    struct rows rows;
    char *text = NULL;

    if (rows_query(&rows, report->store, sql, &experiment, 1, error))
        text = memory_strdup(rows.count == 0 ? "" : rows_text(&rows, 0, 0));
    rows_clear(&rows);
    return text;
}

/* A table of no experiment in particular says what made its rows only where that is
 * not one build.  */
char *report_caption(const struct report *report, const struct figure *figure,
                     const char *experiment, struct error *error)
{
    char *counts = count_text(report, experiment, error), *text = NULL;
    struct report_origin origin = {NULL, NULL, false};

    if (counts != NULL && report_provenance(report, experiment, &origin, error)) {
        const bool named = experiment[0] == '\0' ? origin.mixed : counts[0] != '\0';
        const char *source = named ? origin.text : "";

        text = memory_printf(
            "%s%s%s%s%s%s%s%s", figure->caption,
            figure->caption[0] != '\0' && (counts[0] != '\0' || source[0] != '\0') ? " " : "",
            counts, counts[0] != '\0' && source[0] != '\0' ? "; " : "", source,
            counts[0] != '\0' || source[0] != '\0' ? "." : "", origin.warning[0] != '\0' ? " " : "",
            origin.warning);
    }
    report_origin_clear(&origin);
    free(counts);
    return text;
}

void report_print(const struct report *report, const char *table, FILE *out)
{
    for (size_t i = 0; i < report->tables; i++)
        if (strcmp(report->table[i].figure->name, table) == 0 && report->grid[i] != NULL)
            grid_write_text(report->grid[i], out);
}
