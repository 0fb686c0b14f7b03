/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans of large instances are told by another one: what takes little room is read as it was
 * written, by whatever is done to its store.  */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "harness/store/rows.h"
#include "harness/store/store.h"
#include "harness/store/store_merge.h"
#include "harness/store/store_private.h"
#include "harness/store/store_rescue.h"
#include "lib/base/memory.h"
#include "tests/support/scratch.h"
#include "tests/support/store_answer.h"
#include "tests/support/tap.h"

enum { BUFFERS = 1000 };

/* Offset of buffer I in a plan of KIND, of which only every THIRD one is its own, the others being
 * those of kind 0; 0: all are; EVEN: every second one but for every tenth.  */
enum { EVEN = 12 };
static int64_t offset_of(int64_t kind, int64_t third, int64_t i)
{
    const bool own = third == 0 ? true : third == EVEN ? i % 2 == 0 && i % 10 != 0 : i % third == 0;
    const int64_t like = own ? kind : 0;

    return (i * i + 7919 * like * (i + 1)) % 1000003;
}

/* Records task NUMBER, of N buffers of the instance LABEL.  */
static void record(struct store *store, const char *label, int number, size_t n, int64_t kind,
                   int64_t third)
{
    const struct store_workload workload = {.label = label, .kind = "file", .n = (int64_t)n};
    char *key = memory_printf("%d build=1", number);
    int64_t *offset = memory_alloc(n, sizeof *offset);
    struct store_task task = {.key = key,
                              .kind = "plan",
                              .contestant = "naive",
                              .params = "",
                              .contestant_checksum = "1",
                              .outcome = "feasible",
                              .layout = "arena",
                              .replay = "none",
                              .peak = 1000004,
                              .offset = offset,
                              .n = n};
    struct error error = {""};

    for (size_t i = 0; i < n; i++)
        offset[i] = offset_of(kind, third, (int64_t)i);
    if (!store_put_workload(store, &workload, &task.workload, &error) ||
        !store_record_task(store, &task, NULL, 0, &error))
        ok(false, "task %d: %s", number, error.text);
    free(offset);
    free(key);
}

static struct store *open_store(const char *dir)
{
    struct store *store = opened(dir, true);

    store_begin_sweep(store, NULL, 0);
    return store;
}

/* The plan of task NUMBER is of KIND and THIRD.  */
static void is_plan(struct store *store, int number, int64_t kind, int64_t third)
{
    char *sql = memory_printf("SELECT hex(offsets_unpack(offsets, base)) FROM plan JOIN task_key"
                              " USING (task) WHERE key = '%d build=1'",
                              number);
    struct error error = {""};
    struct rows rows;
    int64_t wrong = 0;

    if (ok(rows_query(&rows, store, sql, NULL, 0, &error) && rows.count == 1, "plan %d %s", number,
           error.text))
        for (int64_t i = 0; i < BUFFERS; i++)
            wrong += rows_offset(rows_text(&rows, 0, 0) + 16 * i) != offset_of(kind, third, i);
    is_int(wrong, 0, "is what it was");
    rows_clear(&rows);
    free(sql);
}

#define TASK_OF \
    "JOIN task t ON t.id = p.task JOIN task_key USING (task) JOIN workload w ON w.id = t.workload"

static void written(struct store *store)
{
    record(store, "a", 1, BUFFERS, 1, 0);
    record(store, "a", 2, BUFFERS, 1, 0);
    record(store, "a", 3, BUFFERS, 2, 3);
    record(store, "a", 4, BUFFERS, 0, 0);
    record(store, "a", 5, BUFFERS, 2, 3);
    record(store, "b", 6, BUFFERS, 1, 0);
    record(store, "c", 7, 99, 1, 0);
    record(store, "d", 8, 100, 1, 0);
    is_answer(store, "SELECT count(*), count(DISTINCT id) FROM base", "3|3;",
              "plans that are like none are there for others");
    is_answer(
        store,
        "SELECT key, base IS NOT NULL, length(offsets) < 40 FROM plan p " TASK_OF " ORDER BY t.id",
        "1 build=1|1|1;2 build=1|1|1;3 build=1|1|1;4 build=1|1|0;5 build=1|1|1;"
        "6 build=1|1|1;7 build=1|0|0;8 build=1|1|1;",
        "the same takes next to nothing, and so it does of the same instance by another name");
    is_answer(
        store,
        "SELECT count(DISTINCT base) FROM plan p " TASK_OF " WHERE key IN ('1 build=1',"
        " '2 build=1', '6 build=1') UNION ALL SELECT count(DISTINCT base) FROM plan p " TASK_OF
        " WHERE key IN ('3 build=1', '4 build=1', '5 build=1')",
        "1;1;", "each by that which is nearest");
    for (int task = 1; task <= 6; task++)
        is_plan(store, task,
                task == 4                ? 0
                : task == 3 || task == 5 ? 2
                                         : 1,
                task == 3 || task == 5 ? 3 : 0);
}

/* No more than eight plans of an instance are there for others.  */
static void bounded(void)
{
    struct store *store = open_store("bounded");

    for (int task = 1; task <= 10; task++)
        record(store, "a", task, BUFFERS, task, 0);
    is_answer(store,
              "SELECT count(*), (SELECT group_concat(task) FROM plan WHERE base IS NULL) FROM base",
              "8|9,10;", "of ten that have nothing in common eight");
    is_plan(store, 8, 8, 0);
    is_plan(store, 9, 9, 0);
    store_close(store);
}

/* More than half of the offsets have to be the same, and the more the better.  */
static void nearest(void)
{
    struct store *store = open_store("nearest");

    record(store, "a", 1, BUFFERS, 0, 0);
    record(store, "a", 2, BUFFERS, 1, 2);
    is_answer(store, "SELECT count(*) FROM base", "2;", "half is too few");
    record(store, "a", 3, BUFFERS, 1, 10);
    record(store, "a", 4, BUFFERS, 1, EVEN);
    is_answer(store,
              "SELECT p.task, b.task FROM plan p JOIN plan b USING (base) WHERE p.task > 2 AND"
              " b.task < 3 ORDER BY p.task",
              "3|1;4|2;", "nine tenths count before six");
    is_plan(store, 3, 1, 10);
    is_plan(store, 4, 1, EVEN);
    store_close(store);
}

/* Tasks go, and the plans of others stay what they are.  */
static void dropped(struct store *store)
{
    static const char *const keys[] = {"1 build=1", "8 build=1"}, *const rest[] = {"2 build=1"};
    struct error error = {""};

    ok(store_drop_tasks(store, keys, 2, &error), "two go %s", error.text);
    is_answer(store, "SELECT count(*) FROM base", "2;", "with the one that is nobody's now");
    is_plan(store, 2, 1, 0);
    is_plan(store, 5, 2, 3);
    is_plan(store, 6, 1, 0);
    record(store, "a", 2, BUFFERS, 2, 3);
    is_plan(store, 2, 2, 3);
    ok(store_drop_tasks(store, rest, 1, &error), "one more goes %s", error.text);
    is_plan(store, 4, 0, 0);
}

/* Stores that share a plan, and have others, as one.  */
static void merged(void)
{
    const char *const dirs[] = {"one", "other"};
    struct store *store = open_store("other");
    struct error error = {""};
    struct merge merge;

    record(store, "a", 10, BUFFERS, 0, 0);
    record(store, "a", 11, BUFFERS, 2, 3);
    record(store, "a", 5, BUFFERS, 2, 3);
    store_close(store);
    ok(store_merge(&(struct merge_request){.out = "merged", .dir = dirs, .count = 2}, &merge,
                   &error),
       "they agree, though they tell a plan by another one: %s", error.text);
    store_merge_clear(&merge);
    store = opened("merged", false);
    is_answer(store, "SELECT count(*) FROM base", "3;", "what both have is there once");
    is_plan(store, 4, 0, 0);
    is_plan(store, 5, 2, 3);
    is_plan(store, 10, 0, 0);
    is_plan(store, 11, 2, 3);
    store_close(store);
}

/* A plan by which others are told is damaged: so are these.  */
static void damaged(void)
{
    struct error error = {""};
    struct store *store = opened("one", true);
    struct rescue rescue;

    is_answer(store,
              "UPDATE base SET offsets = offsets_pack(zeroblob(8000)) WHERE id = (SELECT base FROM"
              " plan JOIN task_key USING (task) WHERE key = '5 build=1')",
              "", "another plan in its place");
    is_answer(
        store,
        "SELECT count(*) FROM plan a JOIN plan b USING (base) JOIN task_key k ON k.task = a.task"
        " WHERE key = '5 build=1'",
        "3;", "by which three are told");
    store_close(store);
    store = store_open("one", true, &error);
    ok(store == NULL && strstr(error.text, "damaged: base id ") != NULL, "is refused: %s",
       error.text);
    store_close(store);
    ok(store_rescue("one", "rescued", false, &rescue, &error), "is rescued %s", error.text);
    is_int(rescue.dropped, 3, "without these");
    is_int(rescue.saved[TABLE_BASE], 1, "and with the other");
    store = opened("rescued", true);
    is_plan(store, 6, 1, 0);
    is_answer(store, "SELECT group_concat(key) FROM task_key ORDER BY task", "6 build=1,7 build=1;",
              "nobody else is lost");
    store_close(store);
}

/* The instance of one name is lost: the plan stays there for that of another name.  */
static void lost_workload(void)
{
    struct error error = {""};
    struct store *store = open_store("lost");
    struct rescue rescue;

    record(store, "a", 1, BUFFERS, 1, 0);
    record(store, "b", 2, BUFFERS, 1, 0);
    is_answer(store, "PRAGMA foreign_keys = OFF", "", "one row");
    is_answer(store, "DELETE FROM workload WHERE label = 'a'", "", "... is lost");
    store_close(store);
    ok(store_rescue("lost", "found", false, &rescue, &error), "is rescued %s", error.text);
    is_int(rescue.refused, 1, "without the task of it");
    store = opened("found", true);
    is_plan(store, 2, 1, 0);
    store_close(store);
}

int main(void)
{
    struct store *store;

    scratch_enter();
    bounded();
    nearest();
    store = open_store("one");
    written(store);
    dropped(store);
    store_close(store);
    merged();
    damaged();
    lost_workload();
    scratch_leave();
    return tap_done();
}
