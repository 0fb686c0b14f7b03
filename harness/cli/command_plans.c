/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plans: what plans a sweep has stored, and one of them as a file.  */
#include <config.h>

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/commands.h"
#include "harness/cli/stored_plan.h"
#include "harness/io/options.h"
#include "harness/io/output.h"
#include "harness/io/table.h"
#include "harness/store/rows.h"
#include "harness/store/store.h"
#include "lib/base/error.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "lib/problem/plan_csv.h"

static const char columns[] =
    "task: experiments workload solver seed: repetition: outcome peak:bytes load:bytes time_s:";

enum { EXPERIMENTS = 1, WORKLOAD, SOLVER, TIME = 9 };

/* Whether PATTERN is one of the experiments (with blanks between), the workload, the solver with
 * its parameters or its name.  */
static bool matches(const struct rows *rows, size_t row, const char *pattern)
{
    const char *solver = rows_text(rows, row, SOLVER);
    char *experiments = memory_strdup(rows_text(rows, row, EXPERIMENTS)), *state = NULL;
    char *name = memory_printf("%.*s", (int)strcspn(solver, ":"), solver);
    bool match = fnmatch(pattern, rows_text(rows, row, WORKLOAD), 0) == 0 ||
                 fnmatch(pattern, solver, 0) == 0 || fnmatch(pattern, name, 0) == 0;

    for (char *at = strtok_r(experiments, " ", &state); !match && at != NULL;
         at = strtok_r(NULL, " ", &state))
        match = fnmatch(pattern, at, 0) == 0;
    free(name);
    free(experiments);
    return match;
}

static void add_row(struct table *table, const struct rows *rows, size_t row,
                    enum table_format format)
{
    for (size_t c = 0; c < TIME; c++)
        table_texts(table, rows_text(rows, row, c));
    if (format == TABLE_TEXT)
        table_real(table, "%.6f", strtod(rows_text(rows, row, TIME), NULL));
    else
        table_texts(table, rows_text(rows, row, TIME));
}

/* ALL: those too that a newer run has taken the place of, which are of no experiment.  */
static int list_plans(const char *dir, char *const *pattern, int patterns, bool all,
                      enum table_format format)
{
    static const char sql[] =
        "select t.id, coalesce((select group_concat(e.experiment, ' ')"
        "  from (select distinct experiment from experiment_task where task = t.id) e), '') as "
        "experiments, w.label, " STORE_TASK_LABEL
        ", t.seed, t.repetition, t.outcome, p.peak, w.load, t.time_s"
        " from task t join workload w on w.id = t.workload join plan p on p.task = t.id"
        " where p.offsets is not null order by t.id";
    struct error error = {""};
    struct store *store = store_open(dir, false, &error);
    struct table *table;
    struct rows rows;
    size_t listed = 0;

    if (store == NULL || !rows_query(&rows, store, sql, NULL, 0, &error)) {
        complain("plans: %s", error.text);
        store_close(store);
        return STATUS_USAGE;
    }
    store_close(store);
    table = table_named(columns);
    for (size_t r = 0; r < rows.count; r++) {
        bool match = all || rows_text(&rows, r, EXPERIMENTS)[0] != '\0';

        for (int i = 0; match && i < patterns; i++)
            match = matches(&rows, r, pattern[i]);
        if (match)
            add_row(table, &rows, r, format);
        listed += match;
    }
    if (listed == 0 && patterns > 0)
        complain("plans: none of the %zu plans in %s is of that; a part of a name is '*part*'",
                 rows.count, dir);
    rows_clear(&rows);
    return table_finish(table, format);
}

static int write_plan(const char *dir, const char *task, const char *path)
{
    struct instance *instance;
    struct plan *plan;
    struct output output;
    struct error error = {""};
    int status = STATUS_USAGE;

    if (stored_plan(dir, task, &instance, &plan, NULL, &error) &&
        output_open(&output, path, &error)) {
        plan_csv_write(output.file, instance, plan); /* closing sees what went wrong */
        status = output_close(&output, true, &error) ? STATUS_DONE : STATUS_FAILED;
    }
    if (status != STATUS_DONE)
        complain("plans: %s", error.text);
    plan_free(plan);
    instance_free(instance);
    return status;
}

int command_plans(int argc, char **argv)
{
    const char *task = NULL, *path = NULL;
    enum table_format format = TABLE_TEXT;
    bool all = false;
    const struct option_spec options[] = {
        {"task", OPTION_TEXT, &task, "N", "write the plan of this one as CSV", 0, 0},
        {"all", OPTION_FLAG, &all, NULL,
         "also list plans that a newer run has replaced: they are of no experiment", 0, 0},
        {"output", OPTION_TEXT, &path, "FILE", "write the plan there, not on standard output", 0,
         0},
        {"format", OPTION_FORMAT, &format, "FORMAT", "of the list: " FORMAT_HELP, 0, 0},
        {NULL, OPTION_FLAG, NULL, NULL, NULL, 0, 0}};
    const struct command_usage usage = {
        "plans",
        "DIR [PATTERN]...",
        "Lists the plans that sweeps have stored in DIR.  A PATTERN selects by experiment,\n"
        "workload or solver (* and ? stand for any characters); with several, all must match.\n"
        "With --task, it writes one plan as CSV, which verify and draw read; 'arenabench draw\n"
        "DIR N' draws it directly.",
        options,
        1,
        -1};
    char **arguments;
    int count, status = options_parse(&usage, argc, argv, &arguments, &count);

    if (status >= 0)
        return status;
    if (task == NULL && path != NULL)
        return complain_as(STATUS_USAGE, "plans: --output is for a plan; expected --task N too");
    return task != NULL ? write_plan(arguments[0], task, path)
                        : list_plans(arguments[0], arguments + 1, count - 1, all, format);
}
