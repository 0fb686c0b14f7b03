/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables with statistics (pairs, contribution, wins, par2) of a store whose every number is
 * worked out by hand.  */
#include <config.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/io/figure.h"
#include "harness/report/report.h"
#include "harness/store/rows.h"
#include "harness/store/store.h"
#include "lib/base/memory.h"
#include "tests/support/figure_named.h"
#include "tests/support/scratch.h"
#include "tests/support/tap.h"

enum { INSTANCES = 8 };

/* Load and bound are 100.  */
static const int64_t buffers[INSTANCES] = {10, 10, 50, 50, 50, 200, 200, 2000};

/* PEAK 0: crashed.  */
static const struct {
    const char *name;
    int64_t peak[INSTANCES];
} planners[] = {
    {"tvm-size", {110, 110, 110, 110, 110, 110, 110, 110}},
    {"first-fit-by-size", {109, 108, 107, 106, 105, 104, 111, 110}},
    {"duration-size", {109, 108, 107, 106, 105, 104, 111, 110}},
    {"naive", {120, 120, 120, 120, 120, 100, 110, 0}},
    {"section-first", {100, 100, 100, 100, 100, 100, 100, 100}},
};

/* TIME_S 0: cut by the limit of 10 s, with a plan of 100 all the same.  */
static const struct {
    const char *name;
    double time_s[INSTANCES];
} exact[] = {
    {"glpk", {1, 2, 3, 4, 0, 0, 0, 0}},
    {"branch-and-bound", {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5}},
};

static bool put_task(struct store *store, const char *contestant, int64_t workload, int64_t peak,
                     const char *outcome, double time_s, int64_t *seq, struct error *error)
{
    char *key = memory_printf("task %d", (int)*seq);
    const struct store_task row = {
        .key = key,
        .kind = "plan",
        .workload = workload,
        .contestant = contestant,
        .params = "",
        .contestant_checksum = "c",
        .repetition = 1,
        .time_limit_s = 10,
        .memory_limit = STORE_NULL,
        .outcome = outcome,
        .time_s = time_s,
        .layout = peak > 0 ? "arena" : NULL,
        .replay = "none",
        .peak = peak > 0 ? peak : STORE_NULL,
        .lower_bound = 100,
    };
    const struct store_use use = {"mine", "quick", (*seq)++};
    bool done = store_record_task(store, &row, &use, true, error);

    free(key);
    return done;
}

static bool put_instance(struct store *store, size_t i, int64_t *seq, struct error *error)
{
    char *label = memory_printf("uniform:seed=%zu", i);
    const struct store_workload row = {.label = label,
                                       .checksum = i + 1,
                                       .kind = "generator",
                                       .name = "uniform",
                                       .params = "",
                                       .n = buffers[i],
                                       .load = 100,
                                       .total = 300,
                                       .w = STORE_NULL,
                                       .w1_bound = STORE_NULL,
                                       .w2_bound = STORE_NULL};
    int64_t id;
    bool done = store_put_workload(store, &row, &id, error);

    for (size_t p = 0; done && p < sizeof planners / sizeof planners[0]; p++)
        done = put_task(store, planners[p].name, id, planners[p].peak[i],
                        planners[p].peak[i] == 0     ? "crashed"
                        : planners[p].peak[i] == 100 ? "optimal"
                                                     : "feasible",
                        0.001, seq, error);
    for (size_t e = 0; done && e < sizeof exact / sizeof exact[0]; e++) {
        const bool cut = !(exact[e].time_s[i] > 0);

        done = put_task(store, exact[e].name, id, 100, cut ? "timeout" : "optimal",
                        cut ? 10 : exact[e].time_s[i], seq, error);
    }
    free(label);
    return done;
}

static bool put_all(const char *dir, struct error *error)
{
    const struct store_experiment experiment = {.name = "mine",
                                                .size = "quick",
                                                .title = "Mine",
                                                .figures = "pairs contribution wins par2",
                                                .budget_s = 60};
    struct store *store = store_open(dir, true, error);
    int64_t seq = 0;
    bool done;

    if (store == NULL)
        return false;
    store_begin_sweep(store, NULL, 0);
    done = store_put_experiment(store, &experiment, NULL, 0, error);
    for (size_t i = 0; done && i < INSTANCES; i++)
        done = put_instance(store, i, &seq, error);
    store_close(store);
    return done;
}

/* The rows of the table, each a line of cells with a bar behind each; of a COLUMN, unless NULL,
 * that alone.  The caller frees it.  */
static char *rows_of(struct report *report, const char *table, const char *column)
{
    const struct figure *figure = figure_named(table_registry, table);
    const char *experiment = "mine";
    struct error error = {""};
    char *text = memory_strdup("\n");
    struct rows rows;

    if (!rows_query(&rows, report->store, figure->query->sql, &experiment, 1, &error))
        tap_diag("%s", error.text);
    for (size_t row = 0; row < rows.count; row++)
        for (size_t c = 0; c < rows.columns; c++)
            if (column == NULL || strcmp(rows.name[c], column) == 0)
                text = memory_append(text, "%s|%s", rows_text(&rows, row, c),
                                     c + 1 == rows.columns ? "\n" : "");
    rows_clear(&rows);
    return text;
}

/* Whether a row of the table begins with WANT.  */
static void is_row(struct report *report, const char *table, const char *want, const char *what)
{
    char *text = rows_of(report, table, NULL), *line = memory_printf("\n%s", want);

    if (!ok(strstr(text, line) != NULL, "%s: %s", table, what))
        tap_diag("%s", text);
    free(line);
    free(text);
}

static void pairs(struct report *report)
{
    is_row(report, "pairs", "against tvm-size|8|", "the one that others stand beside");
    /* -10 on all eight: 2 of 256, six comparisons.  */
    is_row(report, "pairs", "section-first|8|8|0|0|0|-10.00|-10.00 to -10.00|0.047|",
           "better everywhere");
    /* -1 ... -6, 1, 0: ranks 1.5 1.5 3 4 5 6 7, twice 3 signs of 128, three comparisons left.  */
    is_row(report, "pairs", "first-fit-by-size|8|6|1|1|0|-2.50|", "mostly better");
    /* Its twin has two left, 0.094, but Holm lets no p-value fall below one before it.  */
    is_row(report, "pairs", "duration-size|8|6|1|1|0|-2.50|", "its twin");
    /* Five of 10, one of -10, a 0: twice 7 of 64.  No plan of the eighth instance.  */
    is_row(report, "pairs", "naive|7|1|1|5|1|5.71|", "mostly worse, and once without a plan");
}

/* The p-values of the table, in its order.  */
static void corrected(struct report *report)
{
    char *text = rows_of(report, "pairs", "p");

    is_text(text, "\n|0.047|0.047|0.047|0.141|0.141|0.219|", "p-values by Holm");
    free(text);
}

static void contribution(struct report *report)
{
    is_row(report, "contribution", "all|virtual best|8||||0.00||", "the virtual best planner");
    /* The next best is at 9 8 7 6 5 0 10 10 per cent.  */
    is_row(report, "contribution", "all|section-first|8|8|7|0|0.00|6.875|", "what the best adds");
    is_row(report, "contribution", "all|naive|7|1|0|0|15.71|0.000|",
           "nothing where others are as good");
    is_row(report, "contribution", "shipped|virtual best|8||||10.00||", "the best that is shipped");
}

static void wins(struct report *report)
{
    is_row(report, "wins", "section-first|uniform|7/1/0|", "by family");
    is_row(report, "wins", "naive|uniform|0/1/7|", "no plan is a loss");
    is_row(report, "wins", "section-first|to 30|2/0/0|", "by size: small");
    is_row(report, "wins", "section-first|101 to 1000|1/1/0|", "by size: a tie");
    is_row(report, "wins", "section-first|above 1000|1/0/0|", "by size: large");
}

static void par2(struct report *report)
{
    /* (1 + 2 + 3 + 4 + 4 x 20) / 8; on one of these naive reaches the load.  */
    is_row(report, "par2", "all|glpk|8|4|11.250|", "cut runs count twice their limit");
    is_row(report, "par2", "hard|glpk|7|4|10.000|", "of hard instances");
    is_row(report, "par2", "all|branch-and-bound|8|8|0.500|0.500 to 0.500|", "all solved");
}

int main(void)
{
    char *dir = scratch_new();
    struct error error = {""};
    struct report report;

    if (!ok(put_all(dir, &error) && report_open(&report, dir, false, &error), "a store opens")) {
        tap_diag("%s", error.text);
        return tap_done();
    }
    pairs(&report);
    corrected(&report);
    contribution(&report);
    wins(&report);
    par2(&report);
    report_clear(&report);
    scratch_remove(dir);
    return tap_done();
}
