/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stores that contradict each other, or have plans that are wrong: a merge is refused and leaves
 * nothing behind; of rows without a checksum it tells.  */
#include <config.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/store/store.h"
#include "harness/store/store_merge.h"
#include "harness/store/store_checksum.h"
#include "harness/store/store_table.h"
#include "lib/base/memory.h"
#include "tests/harness/store/merge_parts.h"
#include "tests/support/scratch.h"
#include "tests/support/store_answer.h"
#include "tests/support/tap.h"

/* --- conflicts --- */

/* LEFT and RIGHT have a conflict of KIND about TEXT, in either order, and nothing is made; the
 * newest counts where SETTLED, a query, then answers WANT.  */
static void conflict(const struct part *left, const struct part *right, const char *kind,
                     const char *text, const char *settled, const char *want)
{
    const char *dir[] = {"a", "b", "a"};
    struct merge result;
    struct error error = {""};
    struct store *store;

    parts_fill("a", left, 1);
    parts_fill("b", right, 1);
    for (int order = 0; order < 2; order++) {
        const int64_t before = parts_entries();

        ok(!parts_merge("out", dir + order, 2, false, &result, &error), "%s: refused", kind);
        ok(result.conflicts.count > 0 && strcmp(rows_text(&result.conflicts, 0, 0), kind) == 0 &&
               strstr(rows_text(&result.conflicts, 0, 1), text) != NULL,
           "as it is one of %s: %s", kind,
           result.conflicts.count > 0 ? rows_text(&result.conflicts, 0, 1) : error.text);
        store_merge_clear(&result);
        is_int(parts_entries(), before, "... and nothing is left behind");
        ok(parts_merge_once("out", dir + order, 2, true, &result, &error) == (settled != NULL),
           "the newest: %s", error.text);
        if (settled == NULL)
            continue;
        store = opened("out", false);
        is_answer(store, settled, want, "the newest counts");
        store_close(store);
        parts_drop("out");
    }
    parts_drop_all();
}

static void conflicts(void)
{
    struct part left = part_with_all(1), right = part_with_all(2);

    right.more = 1;
    conflict(&left, &right, "result", "plan w0 task 0 build=b",
             "SELECT peak, (SELECT count(*) FROM task), (SELECT count(*) FROM experiment_task)"
             " FROM plan JOIN task_key USING (task) WHERE key = 'plan w0 task 0 build=b'",
             "13|36|36;");
    right = part_with_all(2);
    right.outcome = "optimal";
    conflict(
        &left, &right, "result", "plan w0 task 0 build=b",
        "SELECT outcome FROM task JOIN task_key ON id = task WHERE key = 'plan w0 task 0 build=b'",
        "optimal;");
    right = part_with_all(2);
    right.has[0] = false; /* the first is the run of a network then */
    right.more = 1;
    conflict(&left, &right, "result", "plan w1 task 1 build=b",
             "SELECT arena_bytes FROM execution JOIN task_key USING (task) WHERE key ="
             " 'plan w1 task 1 build=b'",
             "13;");
    right = part_with_all(2);
    right.build = "c";
    conflict(&left, &right, "build", "plan w0 task 0 build=b and plan w0 task 0 build=c",
             "SELECT count(*), sum(key LIKE '%build=c'), (SELECT count(*) FROM task)"
             " FROM experiment_task e JOIN task_key USING (task)",
             "36|36|72;");
    right = part_with_all(2);
    right.definition = "fedcba9876543210";
    right.has[5] = false;
    conflict(&left, &right, "definition", "e (quick)",
             "SELECT tasks_checksum, (SELECT count(*) FROM experiment_task), (SELECT count(*) FROM"
             " task) FROM experiment",
             "fedcba9876543210|35|36;");
    right = part_with_all(2);
    right.w = 6;
    conflict(&left, &right, "workload", "w2: figures or bounds", NULL, NULL);
    right = part_with_all(2);
    right.fact = 2.5;
    conflict(&left, &right, "workload", "its macs is", NULL, NULL);
}

/* Changes rows of TABLE in the store DIR by SQL, with their checksums.  */
static void change(const char *dir, enum table_id table, const char *sql)
{
    struct error error = {""};
    struct store *store = store_open(dir, false, &error);

    ok(store != NULL && rows_query(NULL, store, sql, NULL, 0, &error) &&
           sum_anew(store, table, "", NULL, 0, &error),
       "%s: %s%s", dir, sql, error.text);
    store_close(store);
}

/* Each column of a result that no clock has a say in.  */
static void columns(void)
{
    static const struct {
        enum table_id table;
        const char *column, *value;
    } column[] = {
        {TABLE_TASK, "outcome", "'optimal'"},    {TABLE_PLAN, "layout", "'objects'"},
        {TABLE_PLAN, "peak", "peak + 1"},        {TABLE_PLAN, "lower_bound", "lower_bound + 1"},
        {TABLE_PLAN, "nodes", "nodes + 1"},      {TABLE_PLAN, "objects", "objects + 1"},
        {TABLE_PLAN, "replay", "'scaled'"},      {TABLE_PLAN, "offsets", "zeroblob(24)"},
        {TABLE_EXECUTION, "arena_bytes", "99"},  {TABLE_EXECUTION, "own_bytes", "99"},
        {TABLE_EXECUTION, "stored_bytes", "99"}, {TABLE_EXECUTION, "copied_bytes", "99"},
        {TABLE_EXECUTION, "operators", "99"},    {TABLE_EXECUTION, "same_as_plain", "1"},
    };
    const struct part left = part_with_all(1), right = part_with_all(2);
    const char *dir[] = {"a", "b"};

    parts_fill("a", &left, 1);
    for (size_t c = 0; c < sizeof column / sizeof column[0]; c++) {
        const bool of_run = column[c].table == TABLE_EXECUTION;
        char *sql =
            memory_printf("UPDATE %s SET %s = %s WHERE %s = %d", store_tables[column[c].table].name,
                          column[c].column, column[c].value,
                          store_tables[column[c].table].column[0].name, of_run ? 2 : 1);
        char *end = memory_printf("; they differ in: %s", column[c].column);
        struct merge result;
        struct error error = {""};
        const char *text;

        parts_fill("b", &right, 1);
        change("b", column[c].table, sql);
        ok(!parts_merge("out", dir, 2, false, &result, &error), "... is refused");
        is_int((int64_t)result.conflicts.count, 1, "... as one conflict: %s", error.text);
        text = result.conflicts.count == 1 ? rows_text(&result.conflicts, 0, 1) : "";
        ok(strlen(text) > strlen(end) && strcmp(text + strlen(text) - strlen(end), end) == 0,
           "... of this column: %s", text);
        store_merge_clear(&result);
        parts_drop("b");
        free(end);
        free(sql);
    }
    parts_drop("a");
}

/* What two stores have of one run is the same, however that ended.  */
static void same_run(void)
{
    const char *dir[] = {"a", "b"};
    struct merge result;
    struct error error = {""};

    for (int other = 0; other < 2; other++) {
        struct part left = part_with_all(1), right = part_with_all(1 + other);

        parts_fill("a", &left, 1);
        parts_fill("b", &right, 1);
        change("a", TABLE_TASK, "UPDATE task SET timed = 1");
        change("b", TABLE_TASK, "UPDATE task SET timed = 1");
        result = parts_merged(dir, 2, "the same");
        parts_drop("out");
        change("b", TABLE_PLAN, "UPDATE plan SET offsets = zeroblob(24) WHERE task = 4");
        ok(parts_merge_once("out", dir, 2, false, &result, &error) == (other == 1), "%s run's: %s",
           other == 0 ? "the same" : "another", error.text);
        if (other == 1)
            parts_drop("out");
        parts_drop("a");
        parts_drop("b");
    }
}

/* --- plans that are wrong --- */

static bool refuse_first(struct store *store, void *context, struct error *error)
{
    int *asked = context;

    ++*asked;
    return store_merge_refuse(store, "1", "it overlaps", error);
}

static bool give_up(struct store *store, void *context, struct error *error)
{
    (void)store;
    (void)context;
    return error_set(error, "no time");
}

static void wrong_plans(void)
{
    struct part left = part_usual(1), right = part_with_all(2);
    const char *dir[] = {"a", "b"};
    int asked = 0;
    struct merge_request request = {
        .out = "out", .dir = dir, .count = 2, .judge = refuse_first, .context = &asked};
    struct merge result;
    struct error error = {""};

    left.has[0] = true;
    right.has[0] = false;
    parts_fill("a", &left, 1);
    parts_fill("b", &right, 1);
    for (int newest = 0; newest < 2; newest++) {
        request.newest = newest == 1;
        ok(!store_merge(&request, &result, &error), "a wrong plan: refused");
        is_int(asked, newest + 1, "... by who was asked");
        is_int((int64_t)result.conflicts.count, 1, "... as one conflict");
        is_text(result.conflicts.count == 1 ? rows_text(&result.conflicts, 0, 0) : "", "plan",
                "... of a plan");
        is_text(result.conflicts.count == 1 ? rows_text(&result.conflicts, 0, 1) : "",
                "plan w0 task 0 build=b, of a: it overlaps", "... with its store");
        store_merge_clear(&result);
        is_int(parts_entries(), 2, "... and nothing is left behind");
    }
    request.judge = give_up;
    ok(!store_merge(&request, &result, &error), "nobody can say: refused");
    is_text(error.text, "no time", "... with the reason");
    store_merge_clear(&result);
    is_int(parts_entries(), 2, "... and nothing is left behind");
    parts_drop_all();
}

/* --- rows without a checksum --- */

static void unsummed(void)
{
    const struct part part[] = {part_with_all(1), part_usual(2)};
    const char *dir[] = {"a", "b"};
    struct merge result;
    struct error error = {""};
    struct store *store;

    parts_fill("a", &part[0], 1);
    parts_fill("b", &part[1], 1);
    ok(parts_merge("out", dir, 2, false, &result, &error), "all rows have a checksum: %s",
       error.text);
    is_int((int64_t)result.unsummed.count, 0, "... and none is told");
    store_merge_clear(&result);
    parts_drop("out");
    store = store_open("a", false, &error);
    ok(store != NULL &&
           store_execute(store,
                         "UPDATE task SET row_checksum = NULL WHERE id IN (3, 5, 6, 9);"
                         "UPDATE measurement SET row_checksum = NULL WHERE task = 4 AND seq = 1",
                         &error),
       "some without: %s", error.text);
    store_close(store);
    ok(parts_merge("out", dir, 2, false, &result, &error), "are taken: %s", error.text);
    if (is_int((int64_t)result.unsummed.count, 2, "... of two tables")) {
        is_text(rows_text(&result.unsummed, 1, 0), "a", "... of one store");
        is_text(rows_text(&result.unsummed, 0, 1),
                "4 rows of task without a checksum: task id 3; task id 5; task id 6; ...",
                "... and named");
        is_text(rows_text(&result.unsummed, 1, 1),
                "1 row of measurement without a checksum: measurement task 4, seq 1", "... all");
    }
    store_merge_clear(&result);
    store = opened("out", false);
    is_answer(store,
              "SELECT group_concat(id) FROM task WHERE row_checksum IS NULL UNION ALL"
              " SELECT count(*) FROM measurement WHERE row_checksum IS NULL",
              "3,5,6,9;1;", "they stay without");
    store_close(store);
    parts_drop_all();
}

int main(void)
{
    scratch_enter();
    conflicts();
    columns();
    same_run();
    wrong_plans();
    unsummed();
    is_int(parts_entries(), 0, "nothing is left");
    scratch_leave();
    return tap_done();
}
