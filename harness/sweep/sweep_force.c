/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tasks that run again because somebody says so.  */
#include <config.h>

#include <fnmatch.h>
#include <stdlib.h>

#include "harness/store/store.h"
#include "harness/sweep/sweep.h"
#include "lib/base/memory.h"

static bool is(const char *pattern, const char *text)
{
    return fnmatch(pattern, text, 0) == 0;
}

static bool matches(const struct sweep *sweep, const struct sweep_task *task, const char *pattern)
{
    if (pattern[0] == '\0' || is(pattern, sweep->workload[task->workload].label) ||
        is(pattern, sweep_task_label(task)) || is(pattern, sweep_task_name(task)) ||
        (task->kernel.kernel != NULL && is(pattern, task->kernel.kernel->name)))
        return true;
    for (size_t p = task->place; p != SIZE_MAX; p = sweep->place[p].next)
        if (is(pattern, sweep->experiment[sweep->place[p].experiment]->name))
            return true;
    return false;
}

bool sweep_force(struct sweep *sweep, const char *pattern, struct error *error)
{
    size_t matched = 0;

    for (size_t t = 0; t < sweep->n_tasks; t++) {
        struct sweep_task *task = &sweep->task[t];

        if (!matches(sweep, task, pattern))
            continue;
        matched++;
        if (task->done == 0 || task->elsewhere)
            continue;
        task->forced = true;
        task->done = 0;
        for (size_t p = task->place; p != SIZE_MAX; p = sweep->place[p].next)
            sweep->done_before[sweep->place[p].experiment]--;
    }
    return matched > 0 ||
           error_set(error,
                     "--force=%s: expected the name of an experiment, a workload or a "
                     "contestant of these, or a pattern for some",
                     pattern);
}

bool sweep_forget_forced(struct sweep *sweep, struct error *error)
{
    const char **key = memory_alloc(sweep->n_tasks, sizeof *key);
    size_t count = 0;
    bool done;

    for (size_t t = 0; t < sweep->n_tasks; t++)
        if (sweep->task[t].forced)
            key[count++] = sweep->task[t].key;
    done = count == 0 || store_drop_tasks(sweep->store, key, count, error);
    free(key);
    return done;
}
