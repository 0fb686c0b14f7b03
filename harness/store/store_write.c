/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The results store: what a sweep writes.  */
#include <config.h>

#include "harness/store/store.h"

#include <inttypes.h>
#include <stdio.h>

#include "harness/store/rows.h"
#include "harness/store/store_plan.h"
#include "harness/store/store_table.h"
#include "harness/store/store_private.h"
#include "harness/store/store_checksum.h"
#include "lib/base/check.h"

bool store_find_workload(struct store *store, const char *label, uint64_t checksum, int64_t *id,
                         struct error *error)
{
    char text[17];

    snprintf(text, sizeof text, "%016" PRIx64, checksum);
    return store_run(store, "SELECT id FROM workload WHERE label = ?1 AND checksum = ?2",
                     (const char *[]){label, text}, id, NULL, error);
}

bool store_put_workload(struct store *store, const struct store_workload *workload, int64_t *id,
                        struct error *error)
{
    return store_find_workload(store, workload->label, workload->checksum, id, error) &&
           (*id != 0 || store_insert(store, TABLE_WORKLOAD, workload, id, error));
}

bool store_put_facts(struct store *store, int64_t id, const struct fact *fact, size_t count,
                     struct error *error)
{
    bool done = true;

    if (!store_begin(store, error))
        return false;
    for (size_t i = 0; done && i < count; i++) {
        const struct fact_row row = {id, fact[i]};

        done = store_insert(store, TABLE_FACT, &row, NULL, error);
    }
    return store_end(store, done, error);
}

/* The task with key ?1.  */
#define HAS_KEY "key_checksum = " KEY_CHECKSUM("?1") " AND " KEY_OF("main", "task.id") " = ?1"

bool store_find_task(struct store *store, const char *key, int64_t *id, char outcome[32],
                     struct error *error)
{
    return store_run(store, "SELECT id, outcome FROM task WHERE " HAS_KEY, &key, id, outcome,
                     error);
}

bool store_has_prefix(struct store *store, const char *prefix, bool *found, struct error *error)
{
    int64_t id;
    bool done = store_run(
        store,
        "SELECT id FROM task WHERE key_checksum = " KEY_CHECKSUM("?1") " AND substr(" KEY_OF(
            "main", "task.id") ", 1, length(?1)) = ?1 LIMIT 1",
        &prefix, &id, NULL, error);

    *found = id != 0;
    return done;
}

static const char drop_task[] = "DELETE FROM task WHERE " HAS_KEY;

/* The number of the form of the key of ROW, which is written where it is new.  */
static bool put_form(struct store *store, struct task_row *row, struct error *error)
{
    /* clang-format off */
    static const char sql[] =
        "WITH own AS (SELECT ?1 AS key, coalesce(?3, '') AS params, coalesce(?4, '') AS contestant,"
        " coalesce(?5, '') AS build,"
        " coalesce((SELECT label FROM workload WHERE id = CAST(?2 AS INTEGER)), '') AS label,"
        " coalesce((SELECT checksum FROM workload WHERE id = CAST(?2 AS INTEGER)), '') AS sum),"
        " formed AS (SELECT *, "
        KEY_FORM("key", "label", "sum", "params", "contestant", "build") " AS text FROM own)"
        " SELECT iif("
        KEY_TEXT("text", "label", "sum", "params", "contestant", "build") " = key, text,"
        " '=' || key) FROM formed";
    /* clang-format on */
    const struct store_task *task = &row->task;
    char workload[24];
    struct rows rows;
    struct form_row form;
    bool done;

    snprintf(workload, sizeof workload, "%" PRId64, task->workload);
    done = rows_query(&rows, store, sql,
                      (const char *[]){task->key, workload, task->params, task->contestant,
                                       task->contestant_checksum},
                      5, error);
    if (done) {
        form.text = rows_text(&rows, 0, 0);
        done = store_run(store, "SELECT id FROM form WHERE text = ?1", &form.text, &row->form, NULL,
                         error) &&
               (row->form != 0 || store_insert(store, TABLE_FORM, &form, &row->form, error));
    }
    rows_clear(&rows);
    return done && store_run(store, "SELECT " KEY_CHECKSUM("?1"), &task->key, &row->key_checksum,
                             NULL, error);
}

/* The row of TASK and what belongs to it alone.  */
static bool put_task(struct store *store, const struct store_task *task, int64_t *id,
                     struct error *error)
{
    struct task_row row = {.task = *task,
                           .events = (int64_t)task->n_events,
                           .statistics = (int64_t)task->n_statistics};
    bool done = store_run(store, drop_task, &task->key, NULL, NULL, error) &&
                store_sweep(store, &row.sweep, error) && put_form(store, &row, error) &&
                store_insert(store, TABLE_TASK, &row, &row.id, error);

    *id = row.id;
    if (done && task->conv != NULL) {
        const struct conv_row conv = {.task = row.id, .conv = *task->conv};

        done = store_insert(store, TABLE_CONV, &conv, NULL, error);
    } else if (done && task->execution != NULL) {
        const struct execution_row execution = {row.id, *task->execution};

        done = store_insert(store, TABLE_EXECUTION, &execution, NULL, error);
    } else if (done && task->split != NULL) {
        const struct split_row split = {row.id, *task->split};

        done = store_insert(store, TABLE_SPLIT, &split, NULL, error);
    } else if (done) {
        done = plan_put(store, &row, error);
    }
    for (size_t i = 0; done && i < task->n_events; i++) {
        const struct measurement_row event = {row.id, (int64_t)i, task->event[i]};

        done = store_insert(store, TABLE_MEASUREMENT, &event, NULL, error);
    }
    for (size_t i = 0; done && i < task->n_statistics; i++) {
        const struct statistic_row statistic = {row.id, task->statistic[i]};

        done = store_insert(store, TABLE_STATISTIC, &statistic, NULL, error);
    }
    return done;
}

static bool add_used(struct store *store, const struct store_used *used, struct error *error)
{
    const char *of[] = {used->experiment, used->size, NULL};
    char text[32];

    if (used->experiment == NULL)
        return true;
    snprintf(text, sizeof text, "%.17g", used->seconds);
    of[2] = text;
    return store_run(store,
                     "UPDATE experiment SET used_s = used_s + CAST(?3 AS REAL) WHERE name = ?1"
                     " AND size = ?2",
                     of, NULL, NULL, error) &&
           sum_anew(store, TABLE_EXPERIMENT, "WHERE name = ?1 AND size = ?2", of, 2, error);
}

bool store_record_task(struct store *store, const struct store_task *task,
                       const struct store_use *use, size_t uses, struct error *error)
{
    int64_t id;
    bool done;

    CHECK_INVARIANT(store_check_task(task));
    if (!store_begin(store, error))
        return false;
    done = put_task(store, task, &id, error);
    for (size_t i = 0; done && i < uses; i++) {
        const struct experiment_task_row row = {use[i], id};

        done = store_insert(store, TABLE_EXPERIMENT_TASK, &row, NULL, error);
    }
    return store_end(store, done && add_used(store, &task->used, error), error);
}

bool store_drop_tasks(struct store *store, const char *const *key, size_t count,
                      struct error *error)
{
    bool done = true;

    if (!store_begin(store, error))
        return false;
    for (size_t i = 0; done && i < count; i++)
        done = store_run(store, drop_task, &key[i], NULL, NULL, error);
    done = done && store_run(store,
                             "DELETE FROM base WHERE id NOT IN"
                             " (SELECT base FROM plan WHERE base IS NOT NULL)",
                             NULL, NULL, NULL, error);
    return store_end(store, done, error);
}

bool store_put_experiment(struct store *store, const struct store_experiment *experiment,
                          const struct store_place *place, size_t places, struct error *error)
{
    const char *of[] = {experiment->name, experiment->size};
    bool done;

    if (!store_begin(store, error))
        return false;
    /* A row that is there hands its used time on.  */
    done = (places > 0 || store_run(store, "DELETE FROM experiment WHERE name = ?1 AND size = ?2",
                                    of, NULL, NULL, error)) &&
           store_insert(store, TABLE_EXPERIMENT, experiment, NULL, error) &&
           store_run(store, "DELETE FROM experiment_task WHERE experiment = ?1 AND size = ?2", of,
                     NULL, NULL, error);
    for (size_t i = 0; done && i < places; i++) {
        const struct experiment_task_row row = {{of[0], of[1], place[i].seq}, place[i].task};

        done = store_insert(store, TABLE_EXPERIMENT_TASK, &row, NULL, error);
    }
    return store_end(store, done, error);
}

bool store_add_used(struct store *store, const struct store_used *used, struct error *error)
{
    return store_begin(store, error) && store_end(store, add_used(store, used, error), error);
}
