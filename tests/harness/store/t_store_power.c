/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A power failure at any moment: the store opens, has all that was settled, and nothing that was
 * not recorded; with the missing tasks recorded again it says what it would have said.
 *
 * Below SQLite is a disk with a cache: between two syncs of a file each write may get there or not,
 * in any order and in part (to a whole sector), and so may the file's making and its removal.  What
 * was synced is there.  */
#include <config.h>

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness/store/store.h"
#include "harness/store/store_private.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "tests/harness/store/numbered_tasks.h"
#include "tests/harness/store/t_store_power_disk.h"
#include "tests/support/scratch.h"
#include "tests/support/store_answer.h"
#include "tests/support/tap.h"

enum { MOST_FAILURES = 100, TASKS = 60, BUFFERS = 300, SESSIONS = 3 };

/* --- the store --- */

/* What a power failure must leave, at least and at most: the first tasks.  */
struct failure {
    int least, most;
};

struct record {
    struct disk *disk;
    struct rng *rng;
    int settled, begun; /* tasks */
    int one_in;         /* so many events is a failure */
    struct failure failure[MOST_FAILURES];
    int failures;
};

static void maybe_fail(void *context)
{
    struct record *record = context;
    char *dir;

    if (record->failures == MOST_FAILURES || rng_range(record->rng, 1, record->one_in) > 1)
        return;
    dir = memory_printf("%d", record->failures);
    disk_fail(record->disk, dir);
    record->failure[record->failures++] = (struct failure){record->settled, record->begun};
    free(dir);
}

/* A session that records tasks up to END, the first one being FROM; RECORD may be NULL.  */
static bool put_tasks(const char *dir, int from, int end, struct record *record,
                      struct error *error)
{
    static const struct store_pair pair[] = {{"commit", "abc"}, {"processor", "A"}};
    static const struct store_experiment experiment = {
        .name = "power", .size = "quick", .title = "Power", .budget_s = 1, .tasks = TASKS};
    struct store *store = store_open(dir, true, error);
    int64_t id;
    bool done = store != NULL && put_numbered_workload(store, 1, BUFFERS, &id, error) &&
                (from > 0 || store_put_experiment(store, &experiment, NULL, 0, error));

    if (store != NULL) {
        store_begin_sweep(store, pair, 2);
        /* So that pages of the log come into the file in between.  */
        sqlite3_wal_autocheckpoint(store->db, 40);
    }
    for (int t = from; done && t < end; t++) {
        if (record != NULL)
            record->begun = t + 1;
        done = record_numbered_task(store, "power", t, id, BUFFERS, error);
        if (done && t % 5 == 4) {
            done = store_settle(store, error);
            if (record != NULL)
                record->settled = t + 1;
        }
    }
    store_close(store);
    return done;
}

static const char all_tasks[] = "SELECT k.key, t.seed, t.outcome, p.peak, hex(p.offsets), e.seq"
                                " FROM task t JOIN plan p ON p.task = t.id"
                                " JOIN experiment_task e ON e.task = t.id"
                                " JOIN task_key k ON k.task = t.id ORDER BY 1";

/* The first tasks of which all is there; -1: it does not open, or other tasks are there.  */
static int tasks_of(const char *dir, struct error *error)
{
    struct store *store = store_open(dir, true, error);
    char *answer;
    int count, last;

    if (store == NULL)
        return -1;
    answer = store_answer(store, "SELECT count(*), coalesce(max(seed), -1) FROM task");
    if (sscanf(answer, "%d|%d;", &count, &last) != 2 || last != count - 1)
        count = -1;
    free(answer);
    store_close(store);
    return count;
}

static void judge(const char *dir, const struct failure *failure, const char *want, int number)
{
    struct error error = {""};
    const int count = tasks_of(dir, &error);
    struct store *store;

    ok(count >= failure->least && count <= failure->most,
       "failure %d: %d tasks are there, of %d recorded and %d settled ones %s", number, count,
       failure->most, failure->least, error.text);
    if (count < 0)
        return;
    ok(put_tasks(dir, count, TASKS, NULL, &error), "... it goes on: %s", error.text);
    store = opened(dir, false);
    is_answer(store, all_tasks, want, "... with all that should be there");
    store_close(store);
}

int main(void)
{
    const char *dir = "whole";
    struct error error = {""};
    struct record record = {.rng = rng_new(7), .one_in = tap_tier(160, 25)};
    char *want;
    struct store *store;

    scratch_enter();
    record.disk = disk_new();
    disk_watch(record.disk, maybe_fail, &record);
    for (int s = 0; s < SESSIONS; s++)
        ok(put_tasks(dir, TASKS * s / SESSIONS, TASKS * (s + 1) / SESSIONS, &record, &error),
           "a session records tasks %s", error.text);
    disk_watch(record.disk, NULL, NULL);
    store = store_open(dir, false, &error);
    if (!ok(store != NULL, "they are there %s", error.text))
        return tap_done();
    want = store_answer(store, all_tasks);
    store_close(store);
    ok(record.failures >= tap_tier(5, 40), "the power failed %d times", record.failures);
    for (int f = 0; f < record.failures; f++) {
        char *left = memory_printf("%d", f);

        judge(left, &record.failure[f], want, f);
        free(left);
    }
    disk_free(record.disk);
    rng_free(record.rng);
    free(want);
    scratch_leave();
    return tap_done();
}
