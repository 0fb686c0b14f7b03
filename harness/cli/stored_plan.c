/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/cli/stored_plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/io/kernel_workspace.h"
#include "harness/store/rows.h"
#include "harness/store/store.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "workloads/workload.h"

bool stored_results(const char *dir)
{
    char *file = memory_printf("%s/results.db", dir);
    bool there = access(file, F_OK) == 0;

    free(file);
    return there;
}

struct plan *stored_offsets(const struct instance *instance, const char *hex, struct error *error)
{
    struct plan *plan;

    if (strlen(hex) != 16 * instance->n) {
        error_set(error, "expected %zu offsets", instance->n);
        return NULL;
    }
    plan = plan_new(instance);
    for (size_t b = 0; b < instance->n; b++) {
        int64_t end;

        plan->offset[b] = rows_offset(hex + 16 * b);
        if (!checked_add(plan->offset[b], instance->buffer[b].size, &end)) {
            error_set(error, "buffer '%s': offset %" PRId64 " + size overflows",
                      instance->buffer[b].id, plan->offset[b]);
            plan_free(plan);
            return NULL;
        }
    }
    plan->peak = plan_peak(instance, plan);
    return plan;
}

static bool find_row(const char *dir, const char *task, struct rows *rows, struct error *error)
{
    static const char sql[] =
        "select w.label, w.checksum, t.outcome, " STORE_TASK_LABEL " as planner,"
        " hex(offsets_unpack(p.offsets, p.base)) as offsets, p.offsets is not null as there"
        " from task t join workload w on w.id = t.workload left join plan p on p.task = t.id"
        " where t.id = cast(?1 as integer)";
    struct store *store = store_open(dir, false, error);
    bool done;

    *rows = (struct rows){0};
    if (store == NULL)
        return false;
    done = rows_query(rows, store, sql, &task, 1, error);
    store_close(store);
    if (done && rows->count == 0)
        return error_set(error, "%s: there is no task %s; see 'arenabench plans %s'", dir, task,
                         dir);
    if (done && strcmp(rows_named(rows, 0, "there"), "1") != 0)
        return error_set(error, "%s: task %s ended without a plan (%s)", dir, task,
                         rows_named(rows, 0, "outcome"));
    return done;
}

bool stored_plan(const char *dir, const char *task, struct instance **instance, struct plan **plan,
                 char **planner, struct error *error)
{
    struct rows rows;
    int64_t number;
    bool done = parse_int(task, 1, INT64_MAX, &number) ||
                error_set(error, "'%s': expected the number of a task in %s", task, dir);

    *instance = NULL;
    *plan = NULL;
    if (!done)
        return false;
    done = find_row(dir, task, &rows, error);
    if (done) {
        *instance = workload_again(rows_named(&rows, 0, "label"), rows_named(&rows, 0, "checksum"),
                                   kernel_workspace, false, error);
        if (*instance == NULL)
            error_prefix(error, "%s: task %s", dir, task);
    }
    if (*instance != NULL) {
        *plan = stored_offsets(*instance, rows_named(&rows, 0, "offsets"), error);
        if (*plan == NULL)
            error_prefix(error, "%s: task %s", dir, task);
    }
    if (*plan == NULL) {
        instance_free(*instance);
        *instance = NULL;
    } else if (planner != NULL) {
        *planner = memory_strdup(rows_named(&rows, 0, "planner"));
    }
    rows_clear(&rows);
    return *plan != NULL;
}
