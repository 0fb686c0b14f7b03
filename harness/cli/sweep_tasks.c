/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/cli/sweep_tasks.h"

#include "harness/io/table.h"
#include "harness/sweep/sweep.h"

static const char *state_of(const struct sweep_task *task)
{
    if (task->done != 0)
        return "done";
    return task->forced ? "forced" : task->changed ? "changed" : "to do";
}

int sweep_tasks_print(const struct sweep *sweep, enum table_format format)
{
    struct table *table = table_named("experiment workload contestant seed: repetition: state");

    for (size_t p = 0; p < sweep->n_places; p++) {
        const struct sweep_place *place = &sweep->place[p];
        const struct sweep_task *task = &sweep->task[place->task];

        if (task->elsewhere)
            continue;
        table_texts(table, sweep->experiment[place->experiment]->name,
                    sweep->workload[task->workload].label, sweep_task_label(task));
        table_ints(table, task->seed, task->repetition);
        table_texts(table, state_of(task));
    }
    return table_finish(table, format);
}
