/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stores that are damaged: 50 in which one bit is another one and 30 with heavier faults.  One that
 * opens all the same says what it said before, any other has a message; and what rescue saves is
 * part of what was there.  Of stores that have lost their end, or pages anywhere, it saves each
 * task of which SQLite, asked for one row after the other, finds all.  */
#include <config.h>

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/store/facts.h"
#include "harness/store/rows.h"
#include "harness/store/store.h"
#include "harness/store/store_merge.h"
#include "harness/store/store_private.h"
#include "harness/store/store_rescue.h"
#include "harness/store/store_checksum.h"
#include "harness/store/store_table.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "tests/harness/store/numbered_tasks.h"
#include "tests/support/scratch.h"
#include "tests/support/store_answer.h"
#include "tests/support/tap.h"

enum { TASKS = 200, BUFFERS = 800, BITS = 50, HEAVIER = 30 };
#ifdef WITH_SANITIZERS
enum { CUTS = 10, HOLES = 8 };
#else
enum { CUTS = 20, HOLES = 16 };
#endif

/* --- a store --- */

static bool make_store(void)
{
    const struct store_pair pair[] = {{"commit", "abc"}, {"processor", "A"}, {"date", "today"}};
    const struct store_experiment experiment = {
        .name = "damage", .size = "quick", .title = "Damage", .budget_s = 1, .tasks = TASKS};
    const struct fact fact = {"operators", 12};
    struct error error = {""};
    struct store *store = store_open("whole", true, &error);
    bool done = store != NULL && store_put_experiment(store, &experiment, NULL, 0, &error);
    int64_t id[4];

    store_begin_sweep(store, pair, 3);
    for (int w = 0; done && w < 4; w++)
        done = put_numbered_workload(store, w, BUFFERS, &id[w], &error) &&
               store_put_facts(store, id[w], &fact, 1, &error);
    for (int t = 0; done && t < TASKS; t++)
        done = record_numbered_task(store, "damage", t, id[t % 4], BUFFERS, &error);
    done = done && store_add_used(store, &(struct store_used){"damage", "quick", 12.5}, &error);
    if (!done)
        tap_diag("%s", error.text);
    store_close(store);
    return done;
}

/* --- what it says --- */

static const char *const queries[] = {
    "SELECT * FROM build",
    "SELECT * FROM machine",
    "SELECT id FROM sweep",
    "SELECT s.*, b.key, m.key FROM sweep s JOIN build b ON b.id = build JOIN machine m ON m.id = "
    "machine",
    "SELECT * FROM provenance",
    "SELECT * FROM experiment",
    "SELECT * FROM workload",
    "SELECT * FROM fact",
    "SELECT * FROM experiment_task",
    "SELECT id, kind, workload, contestant, seed, outcome, reason, time_s, finished FROM task",
    "SELECT * FROM form",
    "SELECT * FROM task WHERE sweep IS NOT NULL AND form IS NOT NULL",
    "SELECT task, layout, peak, lower_bound, nodes, objects, replay, hex(offsets) FROM plan",
    "SELECT * FROM measurement",
    "SELECT * FROM statistic",
};
enum { QUERIES = sizeof queries / sizeof queries[0] };

static void ask_all(struct store *store, char *answer[QUERIES])
{
    for (size_t q = 0; q < QUERIES; q++)
        answer[q] = store_answer(store, queries[q]);
}

/* Each row of PART is one of WHOLE.  */
static bool is_part(const char *part, const char *whole)
{
    bool good = true;

    while (good && *part != '\0') {
        size_t length = strcspn(part, ";") + 1;
        char *row = memory_printf(";%.*s", (int)length, part);

        good = strncmp(whole, row + 1, length) == 0 || strstr(whole, row) != NULL;
        if (!good)
            tap_diag("new: %s", row);
        free(row);
        part += length;
    }
    return good;
}

/* --- damage --- */

struct bytes {
    unsigned char *data;
    size_t size;
};

/* The store's file, and what becomes of it.  */
static const char whole_file[] = "whole/results.db";

static struct bytes read_bytes(void)
{
    struct bytes bytes = {memory_alloc(1 << 22, 1), 0};
    FILE *in = fopen(whole_file, "r");

    if (in != NULL) {
        bytes.size = fread(bytes.data, 1, 1 << 22, in);
        fclose(in);
    }
    return bytes;
}

static struct bytes copy_of(const struct bytes *bytes)
{
    struct bytes copy = {memory_alloc(bytes->size, 1), bytes->size};

    memcpy(copy.data, bytes->data, bytes->size);
    return copy;
}

static void write_bytes(const struct bytes *bytes)
{
    FILE *out = fopen(whole_file, "w");

    if (out == NULL || fwrite(bytes->data, 1, bytes->size, out) != bytes->size || fclose(out) != 0)
        exit(99);
}

static const char *damage(struct bytes *bytes, struct rng *rng, bool heavier, int how)
{
    const size_t size = bytes->size, page = 4096, pages = size / page;
    size_t at = (size_t)rng_range(rng, 0, (int64_t)size - 1);
    size_t other = page * (size_t)rng_range(rng, 0, (int64_t)pages - 1);

    if (!heavier) {
        bytes->data[at] ^= (unsigned char)(1 << rng_range(rng, 0, 7));
        return "a bit";
    }
    switch (how % 5) {
    case 0:
        at = at / 512 * 512;
        memset(bytes->data + at, 0, size - at < 512 ? size - at : 512);
        return "a sector of zeros";
    case 1:
        for (size_t i = at; i < size && i < at + 100; i++)
            bytes->data[i] = (unsigned char)rng_range(rng, 0, 255);
        return "a hundred bytes of noise";
    case 2:
        bytes->size = at;
        return "no end";
    case 3:
        memmove(bytes->data + at / page * page, bytes->data + other, page);
        return "a page twice";
    default:
        memset(bytes->data + other, 0xff, page);
        return "a page of ones";
    }
}

struct tally {
    int opened, refused, saved, rows_lost, costly;
};

static void judge_opened(char *const want[QUERIES], struct tally *tally, const char *what)
{
    struct error error = {""};
    struct store *store = store_open("whole", false, &error);
    char *got[QUERIES];

    if (store == NULL) {
        ok(error.text[0] != '\0' && strstr(error.text, "***") == NULL, "%s: refused: %.160s", what,
           error.text);
        tally->refused++;
        return;
    }
    tally->opened++;
    ask_all(store, got);
    for (size_t q = 0; q < QUERIES; q++) {
        if (strcmp(got[q], want[q]) != 0)
            ok(false, "%s: opened, and another answer to %s", what, queries[q]);
        free(got[q]);
    }
    store_close(store);
}

static void judge_rescued(char *const want[QUERIES], struct tally *tally, const char *what)
{
    struct error error = {""};
    struct rescue rescue;
    struct store *store;
    char *got[QUERIES];

    unlink("saved/results.db");
    if (!store_rescue("whole", "saved", false, &rescue, &error)) {
        ok(error.text[0] != '\0', "%s: no rescue: %.160s", what, error.text);
        return;
    }
    store = opened("saved", false);
    tally->saved++;
    tally->rows_lost += TASKS - (int)rescue.saved[TABLE_TASK];
    tally->costly += rescue.saved[TABLE_TASK] < TASKS - 10;
    ask_all(store, got);
    for (size_t q = 0; q < QUERIES; q++) {
        if (!is_part(got[q], want[q]))
            ok(false, "%s: rescued what was not there: %s", what, queries[q]);
        free(got[q]);
    }
    store_close(store);
}

static void damages(char *const want[QUERIES])
{
    struct bytes whole = read_bytes();
    struct rng *rng = rng_new(2029);
    struct tally tally[2] = {{0}, {0}};

    for (int d = 0; d < BITS + HEAVIER; d++) {
        struct bytes bytes = copy_of(&whole);
        char what[64];

        snprintf(what, sizeof what, "%s (%d)", damage(&bytes, rng, d >= BITS, d), d);
        write_bytes(&bytes);
        judge_opened(want, &tally[d >= BITS], what);
        judge_rescued(want, &tally[d >= BITS], what);
        free(bytes.data);
    }
    for (int t = 0; t < 2; t++)
        tap_diag("%s: %d opened and right, %d refused; %d rescued, with %d tasks lost in all",
                 t == 0 ? "bits" : "heavier", tally[t].opened, tally[t].refused, tally[t].saved,
                 tally[t].rows_lost);
    ok(tally[0].refused > BITS / 2 && tally[1].refused > HEAVIER / 2, "most damage is seen");
    ok(tally[0].saved > BITS * 3 / 4 && tally[1].saved > HEAVIER / 2, "of most, much is saved");
    ok(tally[0].rows_lost < 4 * tally[0].saved, "a bit costs few tasks");
    ok(tally[0].costly < 3, "... and hardly ever more than ten: %d times", tally[0].costly);
    write_bytes(&whole);
    rng_free(rng);
    free(whole.data);
}

/* --- what could be saved --- */

/* Each finds a row that a plan needs; what a task refers to is not lost without all of them.  */
static const struct needed {
    enum table_id table;
    const char *where;
} of_task[] = {
    {TABLE_TASK, "id = ?1"},
    {TABLE_PLAN, "task = ?1"},
    {TABLE_BASE, "id = (SELECT base FROM plan WHERE task = ?1) OR NOT EXISTS (SELECT 1 FROM plan "
                 "WHERE task = ?1 AND base IS NOT NULL)"},
    {TABLE_WORKLOAD, "id = (SELECT workload FROM task WHERE id = ?1)"},
};

static bool finds_all(sqlite3 *db, int64_t task)
{
    bool good = true;

    for (size_t q = 0; good && q < sizeof of_task / sizeof of_task[0]; q++) {
        const struct table *table = &store_tables[of_task[q].table];
        char *fault = sum_fault(table);
        char *sql = memory_printf("SELECT 1 FROM %s WHERE %s AND (%s) IS NULL", table->name,
                                  of_task[q].where, fault);
        sqlite3_stmt *row = NULL;

        good = sqlite3_prepare_v2(db, sql, -1, &row, NULL) == SQLITE_OK &&
               sqlite3_bind_int64(row, 1, task) == SQLITE_OK && sqlite3_step(row) == SQLITE_ROW;
        sqlite3_finalize(row);
        free(sql);
        free(fault);
    }
    return good;
}

/* How many tasks SQLite finds in a file that it takes as it is.  */
static int tasks_found(void)
{
    sqlite3 *db = NULL;
    int found = 0;

    if (sqlite3_open_v2(whole_file, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
        sqlite3_db_config(db, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, NULL) == SQLITE_OK &&
        sum_make_known(db))
        for (int64_t task = 1; task <= TASKS; task++)
            found += finds_all(db, task);
    sqlite3_close(db);
    return found;
}

/* Of each task there are both improvements or none.  */
static void no_halves(void)
{
    struct store *store = opened("saved", false);

    is_answer(store, "SELECT task, count(*) FROM measurement GROUP BY task HAVING count(*) <> 2",
              "", "no half of a part");
    store_close(store);
}

/* The pages that hold TEXT.  */
static void wipe(struct bytes *bytes, const char *text)
{
    for (size_t page = 0; page < bytes->size; page += 4096)
        if (memmem(bytes->data + page, 4096, text, strlen(text)) != NULL)
            memset(bytes->data + page, 0, 4096);
}

static void no_fewer(char *const want[QUERIES])
{
    struct bytes whole = read_bytes();
    struct rng *rng = rng_new(2030);
    struct tally tally = {0};
    int found = 0;

    for (int d = 0; d <= CUTS + HOLES; d++) {
        struct bytes bytes = copy_of(&whole);
        const size_t pages = whole.size / 4096;
        char what[64];
        int here;

        if (d < CUTS) /* each second one at the end of a page */
            bytes.size = whole.size * (size_t)(d + 1) / (CUTS + 1) & (d % 2 == 0 ? ~0UL : ~4095UL);
        for (int hole = 0; d >= CUTS && d < CUTS + HOLES && hole < 1 + d % 4; hole++)
            memset(bytes.data + 4096 * rng_range(rng, 1, (int64_t)pages - 1), 0, 4096);
        if (d == CUTS + HOLES) {
            wipe(&bytes, "naive0001");
            wipe(&bytes, "naive1991");
        }
        snprintf(what, sizeof what, "%s (%d)", d < CUTS ? "cut" : "holes", d);
        write_bytes(&bytes);
        here = tasks_found();
        tally.rows_lost = 0;
        judge_rescued(want, &tally, what);
        ok(here == 0 || TASKS - tally.rows_lost >= here, "%s: %d tasks saved, %d found", what,
           TASKS - tally.rows_lost, here);
        no_halves();
        found += here;
        free(bytes.data);
    }
    ok(found > TASKS * CUTS / 3, "there is something to be saved: %d tasks", found);
    write_bytes(&whole);
    rng_free(rng);
    free(whole.data);
}

/* --- values that no checksum is about --- */

/* Makes "changed" of the store, with SQL done to it.  */
static void change(const char *sql)
{
    sqlite3 *db = NULL;

    ok(system("rm -rf changed; cp -r whole changed") == 0 &&
           sqlite3_open("changed/results.db", &db) == SQLITE_OK &&
           sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK,
       "%s", sql);
    sqlite3_close(db);
}

static void changed(const char *sql, const char *want)
{
    struct error error = {""};
    struct store *store;

    change(sql);
    store = store_open("changed", false, &error);
    if (want == NULL)
        ok(store != NULL, "is not looked at: %s", error.text);
    else
        ok(store == NULL && strstr(error.text, want) != NULL, "is refused: %s", error.text);
    store_close(store);
}

/* --- tasks of which something is missing --- */

/* Of a store that SQL has changed rescue leaves DROPPED tasks out, and of PARTIAL others what led
 * to their plans, or leaves these out too.  */
static void lost(const char *sql, int64_t dropped, int64_t partial)
{
    struct error error = {""};
    struct rescue rescue;

    change(sql);
    ok(system("rm -rf saved") == 0, "nothing is saved yet");
    ok(store_rescue("changed", "saved", false, &rescue, &error), "is rescued: %s", error.text);
    is_int(rescue.dropped, dropped, "... without so many tasks");
    is_int(rescue.partial, partial, "... so many in part");
    is_int(rescue.saved[TABLE_TASK], TASKS - dropped, "... and with all others");
    ok(rescue.saved[TABLE_MEASUREMENT] + rescue.saved[TABLE_STATISTIC] <=
               3 * (TASKS - dropped) - partial + 2 &&
           rescue.saved[TABLE_STATISTIC] <= TASKS && rescue.saved[TABLE_SWEEP] <= 1,
       "... and of those no half of a part, and nothing else");
    ok(system("rm -r saved") == 0 && store_rescue("changed", "saved", true, &rescue, &error),
       "what is whole is: %s", error.text);
    is_int(rescue.dropped, dropped + partial, "... without so many tasks");
    is_int(rescue.partial, 0, "... none in part");
    is_int(rescue.saved[TABLE_TASK], TASKS - dropped - partial, "... and with all others");
}

/* What keys are made of may be gone: then each task has one that is no other's.  */
static void without_keys(void)
{
    const char *const dirs[] = {"again", "again"};
    struct merge merge;
    struct error error = {""};
    struct rescue rescue;
    struct store *store;

    ok(system("cp -r whole keyless") == 0, "a copy");
    store = opened("keyless", true);
    is_answer(store, "PRAGMA foreign_keys = OFF", "", "which refers to what is not there");
    is_answer(store, "DELETE FROM form", "", "as the forms of keys are lost");
    store_close(store);
    ok(store_rescue("keyless", "again", false, &rescue, &error), "is rescued: %s", error.text);
    store = opened("again", false);
    is_answer(store, "SELECT count(*), count(DISTINCT key), min(key) FROM task_key",
              "200|200|lost, of task 1;", "each task has a key");
    store_close(store);
    ok(store_merge(&(struct merge_request){.dir = dirs, .count = 2, .out = "merged"}, &merge,
                   &error),
       "it is merged with itself: %s", error.text);
    is_int(merge.tasks, TASKS, "... and each of its tasks is one");
    store_merge_clear(&merge);
}

static void incomplete(void)
{
    lost("", 0, 0);
    lost("DELETE FROM plan WHERE task IN (3, 199)", 2, 0);
    lost("DELETE FROM measurement WHERE task IN (3, 200) AND seq = 0", 0, 2);
    lost("UPDATE statistic SET value = value + 1 WHERE task IN (3, 200, 5)", 0, 3);
    lost("INSERT INTO statistic (task, name, value) VALUES (3, 'a', 1), (3, 'b', 2), (3, 'c', "
         "3);UPDATE statistic SET value = value + 1 WHERE task = 3 AND name = 'conflicts'",
         0, 1);
    lost("INSERT INTO sweep (id) VALUES (0)", 0, 0);
    lost("UPDATE plan SET peak = 2600 WHERE task IN (3, 200, 5)", 3, 0);
    lost("INSERT INTO measurement (task, seq, name, at_s, value) VALUES (7, 9, 'bound', 1.0, 2.0)",
         0, 1);
    /* What says where they come from may be lost, and what they are found by.  */
    lost("PRAGMA foreign_keys = OFF; DELETE FROM form", 0, 0);
    without_keys();
    lost("PRAGMA foreign_keys = OFF; DELETE FROM build; DELETE FROM machine", 0, 0);
    lost("PRAGMA foreign_keys = OFF; DELETE FROM sweep", 0, 0);
    /* A kernel and a run are nothing without all of their turns and rounds.  */
    lost("UPDATE task SET kind = 'conv', row_checksum = NULL WHERE id IN (7, 8);INSERT INTO conv "
         "(task, rounds, final_rounds, final_turn_s) VALUES (7, 0, 2, zeroblob(8)), (8, 0, 2, "
         "zeroblob(16))",
         1, 0);
    lost("UPDATE task SET kind = 'run', row_checksum = NULL WHERE id IN (7, 8);INSERT INTO "
         "execution (task, rounds, round_s) VALUES (7, 2, zeroblob(15)), (8, 2, zeroblob(16))",
         1, 0);
}

int main(void)
{
    char *want[QUERIES];
    struct error error = {""};
    struct store *store;

    scratch_enter();
    ok(make_store(), "a store");
    store = store_open("whole", false, &error);
    if (!ok(store != NULL, "is whole: %s", error.text))
        return tap_done();
    ask_all(store, want);
    store_close(store);
    changed("UPDATE task SET outcome = 'banana' WHERE id = 17",
            "task id 17: outcome is 'banana', which can't be");
    changed("UPDATE task SET outcome = 'banana', row_checksum = NULL WHERE id = 17",
            "task id 17: outcome is 'banana', which can't be");
    changed("UPDATE plan SET peak = peak + 64 WHERE task = 17",
            "plan task 17: it does not have the checksum that it was written with");
    changed("UPDATE plan SET peak = peak + 64, row_checksum = NULL WHERE task = 17", NULL);
    changed("UPDATE task SET time_s = -1, row_checksum = NULL WHERE id = 3",
            "task id 3: time_s is '-1.0', which can't be");
    changed("UPDATE task SET seed = 'x', row_checksum = NULL WHERE id = 3",
            "task id 3: seed has no value of its kind");
    changed("DELETE FROM workload WHERE id = 2",
            "task: a row refers to one of workload that is not there");
    changed("ALTER TABLE plan RENAME COLUMN peak TO top", "the columns of plan are others");
    changed("PRAGMA legacy_alter_table = ON; CREATE TABLE other AS SELECT * FROM workload; DROP "
            "TABLE workload;ALTER TABLE other RENAME TO workload",
            "changed/results.db: damaged: foreign key mismatch");
    incomplete();
    damages(want);
    no_fewer(want);
    for (size_t q = 0; q < QUERIES; q++)
        free(want[q]);
    scratch_leave();
    return tap_done();
}
