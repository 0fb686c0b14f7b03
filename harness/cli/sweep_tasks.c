/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/cli/sweep_tasks.h"

#include <inttypes.h>

#include "harness/io/format.h"
#include "harness/sweep/sweep.h"

static const char *state_of(const struct sweep_task *task)
{
    if (task->done != 0)
        return "done";
    return task->forced ? "forced" : task->changed ? "changed" : "to do";
}

int sweep_tasks_print(const struct sweep *sweep, enum table_format format)
{
    static const struct table_column columns[] = {{"experiment", NULL}, {"workload", NULL},
                                                  {"contestant", NULL}, {"seed", ""},
                                                  {"repetition", ""},   {"state", NULL}};
    struct table *table = table_new(columns, 6);

    for (size_t p = 0; p < sweep->n_places; p++) {
        const struct sweep_place *place = &sweep->place[p];
        const struct sweep_task *task = &sweep->task[place->task];

        if (task->elsewhere)
            continue;
        table_cell(table, "%s", sweep->experiment[place->experiment]->name);
        table_cell(table, "%s", sweep->workload[task->workload].label);
        table_cell(table, "%s", sweep_task_label(task));
        table_cell(table, "%" PRIu32, task->seed);
        table_cell(table, "%" PRId64, task->repetition);
        table_cell(table, "%s", state_of(task));
    }
    return table_finish(table, format);
}
