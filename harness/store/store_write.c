/* The results store: what a sweep writes.  */
#include <config.h>

#include "harness/store/store.h"

#include <endian.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/store/facts.h"
#include "harness/store/store_binder.h"
#include "harness/store/store_conv.h"
#include "lib/base/memory.h"

bool store_find_workload(struct store *store, const char *label, uint64_t checksum, int64_t *id,
                         struct error *error)
{
    struct binder binder = binder_new(store, STATEMENT_FIND_WORKLOAD);
    char text[17];

    snprintf(text, sizeof text, "%016" PRIx64, checksum);
    binder_text(&binder, label);
    binder_text(&binder, text);
    return binder_run(&binder, id, NULL, error);
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
    binder_text(&binder, workload->label);
    binder_text(&binder, text);
    binder_text(&binder, workload->kind);
    binder_text(&binder, workload->name);
    binder_text(&binder, workload->params);
    binder_int(&binder, workload->n);
    binder_int(&binder, workload->pairs);
    binder_int(&binder, workload->load);
    binder_int(&binder, workload->width);
    binder_int(&binder, workload->max_size);
    binder_int(&binder, workload->total);
    binder_int(&binder, workload->w);
    binder_int(&binder, workload->width_bound);
    binder_int(&binder, workload->w1_bound);
    binder_int(&binder, workload->w2_bound);
    binder_int(&binder, workload->applicable);
    binder_int(&binder, workload->w1_applicable);
    binder_text(&binder, workload->reason);
    if (!binder_run(&binder, NULL, NULL, error))
        return false;
    *id = sqlite3_last_insert_rowid(store->db);
    return true;
}

bool store_put_facts(struct store *store, int64_t id, const struct fact *fact, size_t count,
                     struct error *error)
{
    bool done = binder_plain(store, STATEMENT_BEGIN, error);

    if (!done)
        return false;
    for (size_t i = 0; done && i < count; i++) {
        struct binder binder = binder_new(store, STATEMENT_PUT_FACT);

        binder_int(&binder, id);
        binder_text(&binder, fact[i].name);
        binder_real(&binder, fact[i].value);
        done = binder_run(&binder, NULL, NULL, error);
    }
    return binder_finish(store, done, error);
}

bool store_find_task(struct store *store, const char *key, int64_t *id, char outcome[32],
                     struct error *error)
{
    struct binder binder = binder_new(store, STATEMENT_FIND_TASK);

    binder_text(&binder, key);
    return binder_run(&binder, id, outcome, error);
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
    binder_text(&binder, prefix);
    binder_text(&binder, end);
    done = binder_run(&binder, &id, NULL, error);
    *found = id != 0;
    free(end);
    return done;
}

static bool put_task(struct store *store, const struct store_task *task, int64_t *id,
                     struct error *error)
{
    struct binder binder = binder_new(store, STATEMENT_DROP_TASK);
    int64_t sweep;

    binder_text(&binder, task->key);
    if (!binder_run(&binder, NULL, NULL, error) || !store_sweep(store, &sweep, error))
        return false;
    binder = binder_new(store, STATEMENT_PUT_TASK);
    binder_text(&binder, task->key);
    binder_text(&binder, task->kind);
    binder_int(&binder, task->workload);
    binder_text(&binder, task->contestant);
    binder_text(&binder, task->params);
    binder_text(&binder, task->contestant_checksum);
    binder_int(&binder, task->seed);
    binder_int(&binder, task->repetition);
    binder_real(&binder, task->time_limit_s);
    binder_int(&binder, task->memory_limit);
    binder_int(&binder, task->work_limit);
    binder_text(&binder, task->outcome);
    binder_text(&binder, task->reason);
    binder_int(&binder, task->timed);
    binder_real(&binder, task->time_s);
    binder_real(&binder, task->cpu_s);
    binder_real(&binder, task->verify_s);
    binder_real(&binder, task->replay_s);
    binder_real(&binder, task->harness_s);
    binder_int(&binder, task->rss_bytes);
    binder_int(&binder, sweep);
    if (!binder_run(&binder, NULL, NULL, error))
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

    binder_int(&binder, id);
    binder_text(&binder, task->layout);
    binder_int(&binder, task->peak);
    binder_int(&binder, task->lower_bound);
    binder_int(&binder, task->nodes);
    binder_int(&binder, task->objects);
    binder_text(&binder, task->replay);
    if (task->offset == NULL) {
        binder_int(&binder, STORE_NULL);
    } else {
        for (size_t i = 0; i < task->n; i++)
            bytes[i] = htole64((uint64_t)task->offset[i]);
        binder_blob(&binder, bytes, task->n * sizeof *bytes);
    }
    done = binder_run(&binder, NULL, NULL, error);
    free(bytes);
    return done;
}

static bool put_use(struct store *store, const char *experiment, const char *size, int64_t seq,
                    int64_t task, struct error *error)
{
    struct binder binder = binder_new(store, STATEMENT_PUT_USE);

    binder_text(&binder, experiment);
    binder_text(&binder, size);
    binder_int(&binder, seq);
    binder_int(&binder, task);
    return binder_run(&binder, NULL, NULL, error);
}

bool store_record_task(struct store *store, const struct store_task *task,
                       const struct store_use *use, size_t uses, struct error *error)
{
    int64_t id = 0;
    bool done;

    if (!binder_plain(store, STATEMENT_BEGIN, error))
        return false;
    done = put_task(store, task, &id, error) &&
           (task->conv != NULL ? store_insert_conv(store, task->conv, id, error)
                               : put_plan(store, task, id, error));
    for (size_t i = 0; done && i < task->n_events; i++) {
        struct binder binder = binder_new(store, STATEMENT_PUT_EVENT);

        binder_int(&binder, id);
        binder_int(&binder, (int64_t)i);
        binder_text(&binder, task->event[i].name);
        binder_real(&binder, task->event[i].at_s);
        binder_real(&binder, task->event[i].value);
        done = binder_run(&binder, NULL, NULL, error);
    }
    for (size_t i = 0; done && i < uses; i++)
        done = put_use(store, use[i].experiment, use[i].size, use[i].seq, id, error);
    return binder_finish(store, done, error);
}

bool store_drop_tasks(struct store *store, const char *const *key, size_t count,
                      struct error *error)
{
    bool done = binder_plain(store, STATEMENT_BEGIN, error);

    if (!done)
        return false;
    for (size_t i = 0; done && i < count; i++) {
        struct binder binder = binder_new(store, STATEMENT_DROP_TASK);

        binder_text(&binder, key[i]);
        done = binder_run(&binder, NULL, NULL, error);
    }
    return binder_finish(store, done, error);
}

static bool put_experiment(struct store *store, const struct store_experiment *experiment,
                           size_t places, struct error *error)
{
    struct binder binder = binder_new(store, STATEMENT_PUT_EXPERIMENT);

    binder_text(&binder, experiment->name);
    binder_text(&binder, experiment->size);
    binder_text(&binder, experiment->title);
    binder_text(&binder, experiment->description);
    binder_text(&binder, experiment->figures);
    binder_int(&binder, experiment->timing);
    binder_real(&binder, experiment->budget_s);
    binder_int(&binder, experiment->tasks);
    binder_int(&binder, experiment->skipped);
    binder_int(&binder, (int64_t)places);
    return binder_run(&binder, NULL, NULL, error);
}

bool store_put_experiment(struct store *store, const struct store_experiment *experiment,
                          const struct store_place *place, size_t places, struct error *error)
{
    struct binder binder;
    bool done;

    if (!binder_plain(store, STATEMENT_BEGIN, error))
        return false;
    done = put_experiment(store, experiment, places, error);
    if (done) {
        binder = binder_new(store, STATEMENT_CLEAR_USES);
        binder_text(&binder, experiment->name);
        binder_text(&binder, experiment->size);
        done = binder_run(&binder, NULL, NULL, error);
    }
    for (size_t i = 0; done && i < places; i++)
        done =
            put_use(store, experiment->name, experiment->size, place[i].seq, place[i].task, error);
    return binder_finish(store, done, error);
}

bool store_add_used(struct store *store, const char *experiment, const char *size, double seconds,
                    struct error *error)
{
    struct binder binder = binder_new(store, STATEMENT_ADD_USED);

    binder_text(&binder, experiment);
    binder_text(&binder, size);
    binder_real(&binder, seconds);
    return binder_run(&binder, NULL, NULL, error);
}
