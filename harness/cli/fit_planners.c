/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/cli/fit_planners.h"

#include <math.h>
#include <string.h>

#include "harness/cli/commands.h"
#include "harness/io/options.h"
#include "lib/base/checked.h"
#include "lib/base/error.h"
#include "lib/base/memory.h"
#include "lib/base/people.h"
#include "lib/base/sort.h"
#include "lib/base/timer.h"
#include "lib/problem/instance.h"
#include "memories/split.h"
#include "memories/splitter.h"

struct fit_row {
    const struct splitter *splitter;
    int64_t cost, bound; /* SPLIT_NEVER: no valid split */
    double outside, seconds;
    const char *word;
    struct error reason;
};

static int compare_rows(const void *a, const void *b)
{
    const struct fit_row *x = a, *y = b;

    return ORDER(x->cost, y->cost);
}

static bool is_listed(const struct text_list *names, const char *name)
{
    for (size_t i = 0; i < names->n; i++)
        if (strcmp(names->text[i], name) == 0 || strcmp(names->text[i], "all") == 0)
            return true;
    return false;
}

static bool check_names(const struct text_list *names)
{
    struct error error;

    for (size_t i = 0; i < names->n; i++)
        if (strcmp(names->text[i], "all") != 0 &&
            splitter_named(names->text[i], "; '--planner all' runs each", &error) == NULL)
            return complain("fit: %s", error.text);
    return true;
}

static void run_row(const struct split_problem *problem, double seconds, struct fit_row *row)
{
    static const char *const word[] = {[SPLIT_OPTIMAL] = "optimal",
                                       [SPLIT_FEASIBLE] = "feasible",
                                       [SPLIT_INFEASIBLE] = "infeasible",
                                       [SPLIT_UNKNOWN] = "none"};
    const double start = timer_now();
    const struct split_limits limits = {SPLIT_USUAL_WORK, start + seconds};
    struct split_result result;
    struct split split;
    bool good, invalid;

    split_init(&split, problem);
    good = splitter_run(row->splitter, problem, &limits, &split, &result, &invalid, &row->reason);
    row->seconds = timer_now() - start;
    row->cost = good ? split.cost : SPLIT_NEVER;
    row->bound = result.bound;
    row->outside = good ? split_outside(problem, &split) : NAN;
    row->word = invalid ? "invalid" : word[result.outcome];
    if (good && row->splitter->kind == SPLITTER_MOVES) {
        row->cost = result.moves_cost;
        row->outside = NAN;
        row->word = word[row->cost <= result.moves_bound ? SPLIT_OPTIMAL : SPLIT_FEASIBLE];
    }
    split_clear(&split);
}

/* The gap of COST to BOUND, in per cent; NAN: there is none.  */
static double gap_of(int64_t cost, int64_t bound)
{
    if (cost == SPLIT_NEVER)
        return NAN;
    return cost == bound ? 0.0 : bound > 0 ? 100.0 * ((double)cost / (double)bound - 1.0) : NAN;
}

static struct table *table_of(const struct fit_row *row, size_t count, int64_t bound)
{
    struct table *table = table_named("planner kind cost: gap_pct: outside_pct: time_ms: status");

    for (size_t i = 0; i < count; i++) {
        const bool found = row[i].cost != SPLIT_NEVER;

        table_texts(table, row[i].splitter->name, splitter_kind_name(row[i].splitter->kind));
        table_real(table, "%.15g", found ? (double)row[i].cost / MEMORY_COST_UNIT : NAN);
        table_real(table, "%.2f", gap_of(row[i].cost, bound));
        table_real(table, "%.2f", 100.0 * row[i].outside);
        table_real(table, "%.3f", 1e3 * row[i].seconds);
        table_texts(table, row[i].word);
    }
    return table;
}

static void explain(const struct fit_row *row, size_t count, int64_t bound)
{
    people_print(stdout, "No split costs less than %.15g.\n", (double)bound / MEMORY_COST_UNIT);
    for (size_t i = 0; i < count; i++)
        if (row[i].cost == SPLIT_NEVER)
            people_print(stdout, "%s: %s.\n", row[i].splitter->name, row[i].reason.text);
}

int fit_planners(const struct split_problem *problem, const struct text_list *names, double seconds,
                 enum table_format format)
{
    struct fit_row *row, exact = {.splitter = splitter_find("benders")};
    size_t count = 0;
    int64_t bound = 0;
    int status;

    if (!check_names(names))
        return STATUS_USAGE;
    row = memory_zalloc(splitter_count, sizeof *row);
    for (size_t i = 0; i < splitter_count; i++)
        if (is_listed(names, splitters[i]->name)) {
            row[count].splitter = splitters[i];
            run_row(problem, seconds, &row[count]);
            bound = max64(bound, row[count++].bound);
        }
    /* Gaps are to what is proven, so somebody has to prove it.  */
    if (!is_listed(names, exact.splitter->name)) {
        run_row(problem, seconds, &exact);
        bound = max64(bound, exact.bound);
    }
    sort_stable(row, count, sizeof *row, compare_rows);
    status = table_finish(table_of(row, count, bound), format);
    if (status == STATUS_DONE && format == TABLE_TEXT)
        explain(row, count, bound);
    if (status == STATUS_DONE && row[0].cost == SPLIT_NEVER)
        status = STATUS_FAILED;
    memory_free(row);
    return status;
}
