/* The results store: what a sweep writes.  */
#include <config.h>

#include "harness/store.h"

#include <endian.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/facts.h"
#include "harness/store_private.h"
#include "lib/memory.h"

/* Binds the parameters of one statement in their order and keeps the first
 * failure for run().  Texts are not copied: they outlive the statement's run.  */
struct binder {
    struct store *store;
    sqlite3_stmt *statement;
    int at, result;
};

static struct binder binder_new(struct store *store, enum statement which)
{
    struct binder binder = {store, store_statement(store, which), 0, SQLITE_OK};

    if (binder.statement == NULL)
        binder.result = SQLITE_ERROR;
    return binder;
}

static void put_text(struct binder *binder, const char *text)
{
    if (binder->result == SQLITE_OK)
        binder->result =
            sqlite3_bind_text(binder->statement, ++binder->at, text, -1, SQLITE_STATIC);
}

static void put_real(struct binder *binder, double value)
{
    if (binder->result == SQLITE_OK)
        binder->result = sqlite3_bind_double(binder->statement, ++binder->at, value);
}

static void put_int(struct binder *binder, int64_t value)
{
    if (binder->result != SQLITE_OK)
        return;
    if (value == STORE_NULL)
        binder->result = sqlite3_bind_null(binder->statement, ++binder->at);
    else
        binder->result = sqlite3_bind_int64(binder->statement, ++binder->at, value);
}

static void put_blob(struct binder *binder, const void *data, size_t size)
{
    if (binder->result == SQLITE_OK)
        binder->result =
            sqlite3_bind_blob64(binder->statement, ++binder->at, data, size, SQLITE_STATIC);
}

/* Runs a statement whose rows, if any, do not matter beyond the first, which
 * gives *ID (0: no row) and OUTCOME where they are wanted.  */
static bool run(struct binder *binder, int64_t *id, char *outcome, struct error *error)
{
    bool done = binder->result == SQLITE_OK;

    if (id != NULL)
        *id = 0;
    if (done) {
        int step = sqlite3_step(binder->statement);

        done = step == SQLITE_ROW || step == SQLITE_DONE;
        if (step == SQLITE_ROW && id != NULL)
            *id = sqlite3_column_int64(binder->statement, 0);
        if (step == SQLITE_ROW && outcome != NULL)
            snprintf(outcome, 32, "%s", (const char *)sqlite3_column_text(binder->statement, 1));
    }
    if (!done)
        store_fault(binder->store, error);
    if (binder->statement != NULL) {
        sqlite3_reset(binder->statement);
        sqlite3_clear_bindings(binder->statement);
    }
    return done;
}

static bool run_plain(struct store *store, enum statement which, struct error *error)
{
    struct binder binder = binder_new(store, which);

    return run(&binder, NULL, NULL, error);
}

/* Ends a transaction: keeps it when DONE, else undoes it.  */
static bool finish(struct store *store, bool done, struct error *error)
{
    if (done && run_plain(store, STATEMENT_COMMIT, error))
        return true;
    run_plain(store, STATEMENT_ROLLBACK, NULL);
    return false;
}

bool store_put_provenance(struct store *store, const struct store_pair *pair, size_t count,
                          struct error *error)
{
    bool done;

    if (!run_plain(store, STATEMENT_BEGIN, error))
        return false;
    done = run_plain(store, STATEMENT_CLEAR_PROVENANCE, error);
    for (size_t i = 0; done && i < count; i++) {
        struct binder binder = binder_new(store, STATEMENT_PUT_PROVENANCE);

        put_text(&binder, pair[i].name);
        put_text(&binder, pair[i].value);
        done = run(&binder, NULL, NULL, error);
    }
    return finish(store, done, error);
}

bool store_find_workload(struct store *store, const char *label, uint64_t checksum, int64_t *id,
                         struct error *error)
{
    struct binder binder = binder_new(store, STATEMENT_FIND_WORKLOAD);
    char text[17];

    snprintf(text, sizeof text, "%016" PRIx64, checksum);
    put_text(&binder, label);
    put_text(&binder, text);
    return run(&binder, id, NULL, error);
}

bool store_put_workload(struct store *store, const struct store_workload *workload, int64_t *id,
                        struct error *error)
{
    struct binder binder;
    char text[17];

    if (!store_find_workload(store, workload->label, workload->checksum, id, error) || *id != 0)
        return *id != 0;
    snprintf(text, sizeof text, "%016" PRIx64, workload->checksum);
    binder = binder_new(store, STATEMENT_PUT_WORKLOAD);
    put_text(&binder, workload->label);
    put_text(&binder, text);
    put_text(&binder, workload->kind);
    put_text(&binder, workload->name);
    put_text(&binder, workload->params);
    put_int(&binder, workload->n);
    put_int(&binder, workload->pairs);
    put_int(&binder, workload->load);
    put_int(&binder, workload->width);
    put_int(&binder, workload->max_size);
    put_int(&binder, workload->total);
    put_int(&binder, workload->w);
    put_int(&binder, workload->width_bound);
    put_int(&binder, workload->w1_bound);
    put_int(&binder, workload->w2_bound);
    put_int(&binder, workload->applicable);
    put_int(&binder, workload->w1_applicable);
    put_text(&binder, workload->reason);
    if (!run(&binder, NULL, NULL, error))
        return false;
    *id = sqlite3_last_insert_rowid(store->db);
    return true;
}

bool store_put_facts(struct store *store, int64_t id, const struct fact *fact, size_t count,
                     struct error *error)
{
    bool done = run_plain(store, STATEMENT_BEGIN, error);

    if (!done)
        return false;
    for (size_t i = 0; done && i < count; i++) {
        struct binder binder = binder_new(store, STATEMENT_PUT_FACT);

        put_int(&binder, id);
        put_text(&binder, fact[i].name);
        put_real(&binder, fact[i].value);
        done = run(&binder, NULL, NULL, error);
    }
    return finish(store, done, error);
}

bool store_find_task(struct store *store, const char *key, int64_t *id, char outcome[32],
                     struct error *error)
{
    struct binder binder = binder_new(store, STATEMENT_FIND_TASK);

    put_text(&binder, key);
    return run(&binder, id, outcome, error);
}

bool store_has_prefix(struct store *store, const char *prefix, bool *found, struct error *error)
{
    struct binder binder = binder_new(store, STATEMENT_HAS_PREFIX);
    size_t length = strlen(prefix);
    char *end = memory_strdup(prefix);
    int64_t id;
    bool done;

    /* Keys are compared bytewise; what starts with "...=" sorts before "...>".  */
    end[length - 1] = '>';
    put_text(&binder, prefix);
    put_text(&binder, end);
    done = run(&binder, &id, NULL, error);
    *found = id != 0;
    free(end);
    return done;
}

static bool put_task(struct store *store, const struct store_task *task, int64_t *id,
                     struct error *error)
{
    struct binder binder = binder_new(store, STATEMENT_DROP_TASK);

    put_text(&binder, task->key);
    if (!run(&binder, NULL, NULL, error))
        return false;
    binder = binder_new(store, STATEMENT_PUT_TASK);
    put_text(&binder, task->key);
    put_text(&binder, task->kind);
    put_int(&binder, task->workload);
    put_text(&binder, task->contestant);
    put_text(&binder, task->params);
    put_text(&binder, task->contestant_checksum);
    put_int(&binder, task->seed);
    put_int(&binder, task->repetition);
    put_real(&binder, task->time_limit_s);
    put_int(&binder, task->memory_limit);
    put_int(&binder, task->work_limit);
    put_text(&binder, task->outcome);
    put_text(&binder, task->reason);
    put_int(&binder, task->timed);
    put_real(&binder, task->time_s);
    put_real(&binder, task->cpu_s);
    put_real(&binder, task->verify_s);
    put_real(&binder, task->replay_s);
    put_real(&binder, task->harness_s);
    put_int(&binder, task->rss_bytes);
    if (!run(&binder, NULL, NULL, error))
        return false;
    *id = sqlite3_last_insert_rowid(store->db);
    return true;
}

static bool put_plan(struct store *store, const struct store_task *task, int64_t id,
                     struct error *error)
{
    struct binder binder = binder_new(store, STATEMENT_PUT_PLAN);
    uint64_t *bytes = memory_alloc(task->n, sizeof *bytes);
    bool done;

    put_int(&binder, id);
    put_text(&binder, task->layout);
    put_int(&binder, task->peak);
    put_int(&binder, task->lower_bound);
    put_int(&binder, task->nodes);
    put_int(&binder, task->objects);
    put_text(&binder, task->replay);
    if (task->offset == NULL) {
        put_int(&binder, STORE_NULL);
    } else {
        for (size_t i = 0; i < task->n; i++)
            bytes[i] = htole64((uint64_t)task->offset[i]);
        put_blob(&binder, bytes, task->n * sizeof *bytes);
    }
    done = run(&binder, NULL, NULL, error);
    free(bytes);
    return done;
}

static bool put_use(struct store *store, const char *experiment, const char *size, int64_t seq,
                    int64_t task, struct error *error)
{
    struct binder binder = binder_new(store, STATEMENT_PUT_USE);

    put_text(&binder, experiment);
    put_text(&binder, size);
    put_int(&binder, seq);
    put_int(&binder, task);
    return run(&binder, NULL, NULL, error);
}

bool store_record_task(struct store *store, const struct store_task *task,
                       const struct store_use *use, size_t uses, struct error *error)
{
    int64_t id = 0;
    bool done;

    if (!run_plain(store, STATEMENT_BEGIN, error))
        return false;
    done = put_task(store, task, &id, error) && put_plan(store, task, id, error);
    for (size_t i = 0; done && i < task->n_events; i++) {
        struct binder binder = binder_new(store, STATEMENT_PUT_EVENT);

        put_int(&binder, id);
        put_int(&binder, (int64_t)i);
        put_text(&binder, task->event[i].name);
        put_real(&binder, task->event[i].at_s);
        put_real(&binder, task->event[i].value);
        done = run(&binder, NULL, NULL, error);
    }
    for (size_t i = 0; done && i < uses; i++)
        done = put_use(store, use[i].experiment, use[i].size, use[i].seq, id, error);
    return finish(store, done, error);
}

static bool put_experiment(struct store *store, const struct store_experiment *experiment,
                           size_t places, struct error *error)
{
    struct binder binder = binder_new(store, STATEMENT_PUT_EXPERIMENT);

    put_text(&binder, experiment->name);
    put_text(&binder, experiment->size);
    put_text(&binder, experiment->title);
    put_text(&binder, experiment->description);
    put_text(&binder, experiment->figures);
    put_int(&binder, experiment->timing);
    put_real(&binder, experiment->budget_s);
    put_int(&binder, experiment->tasks);
    put_int(&binder, experiment->skipped);
    put_int(&binder, (int64_t)places);
    return run(&binder, NULL, NULL, error);
}

bool store_put_experiment(struct store *store, const struct store_experiment *experiment,
                          const struct store_place *place, size_t places, struct error *error)
{
    struct binder binder;
    bool done;

    if (!run_plain(store, STATEMENT_BEGIN, error))
        return false;
    done = put_experiment(store, experiment, places, error);
    if (done) {
        binder = binder_new(store, STATEMENT_CLEAR_USES);
        put_text(&binder, experiment->name);
        put_text(&binder, experiment->size);
        done = run(&binder, NULL, NULL, error);
    }
    for (size_t i = 0; done && i < places; i++)
        done =
            put_use(store, experiment->name, experiment->size, place[i].seq, place[i].task, error);
    return finish(store, done, error);
}

bool store_add_used(struct store *store, const char *experiment, const char *size, double seconds,
                    struct error *error)
{
    struct binder binder = binder_new(store, STATEMENT_ADD_USED);

    put_text(&binder, experiment);
    put_text(&binder, size);
    put_real(&binder, seconds);
    return run(&binder, NULL, NULL, error);
}
