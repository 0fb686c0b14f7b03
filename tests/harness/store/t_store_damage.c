/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stores that are damaged: 50 in which one bit is another one and 30 with heavier faults.  One that
 * opens all the same says what it said before, any other has a message; and what rescue saves is
 * part of what was there.  */
#include <config.h>

#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/store/facts.h"
#include "harness/store/rows.h"
#include "harness/store/store.h"
#include "harness/store/store_private.h"
#include "harness/store/store_rescue.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "tests/harness/store/numbered_tasks.h"
#include "tests/support/scratch.h"
#include "tests/support/store_answer.h"
#include "tests/support/tap.h"

enum { TASKS = 200, BUFFERS = 800, BITS = 50, HEAVIER = 30 };

/* --- a store --- */

static bool make_store(const char *dir)
{
    const struct store_pair pair[] = {{"commit", "abc"}, {"processor", "A"}, {"date", "today"}};
    const struct store_experiment experiment = {
        .name = "damage", .size = "quick", .title = "Damage", .budget_s = 1, .tasks = TASKS};
    const struct fact fact = {"operators", 12};
    struct error error = {""};
    struct store *store = store_open(dir, true, &error);
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
    "SELECT * FROM sweep",
    "SELECT * FROM provenance",
    "SELECT * FROM experiment",
    "SELECT * FROM workload",
    "SELECT * FROM fact",
    "SELECT * FROM experiment_task",
    "SELECT * FROM task",
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

static struct bytes read_bytes(const char *path)
{
    struct bytes bytes = {memory_alloc(1 << 22, 1), 0};
    FILE *in = fopen(path, "r");

    if (in != NULL) {
        bytes.size = fread(bytes.data, 1, 1 << 22, in);
        fclose(in);
    }
    return bytes;
}

static void write_bytes(const char *path, const struct bytes *bytes)
{
    FILE *out = fopen(path, "w");

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
    int opened, refused, saved, rows_lost;
};

static void judge_opened(const char *dir, char *const want[QUERIES], struct tally *tally,
                         const char *what)
{
    struct error error = {""};
    struct store *store = store_open(dir, false, &error);
    char *got[QUERIES];

    if (store == NULL) {
        ok(error.text[0] != '\0', "%s: refused: %.160s", what, error.text);
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

static void judge_rescued(const char *dir, const char *saved, char *const want[QUERIES],
                          struct tally *tally, const char *what)
{
    struct error error = {""};
    struct rescue rescue;
    struct store *store;
    char *got[QUERIES];

    if (!store_rescue(dir, saved, &rescue, &error)) {
        ok(error.text[0] != '\0', "%s: no rescue: %.160s", what, error.text);
        return;
    }
    store = store_open(saved, false, &error);
    if (!ok(store != NULL, "%s: what is saved is whole (%" PRId64 " of %d tasks) %s", what,
            rescue.saved[TABLE_TASK], TASKS, error.text))
        return;
    tally->saved++;
    tally->rows_lost += TASKS - (int)rescue.saved[TABLE_TASK];
    ask_all(store, got);
    for (size_t q = 0; q < QUERIES; q++) {
        if (!is_part(got[q], want[q]))
            ok(false, "%s: rescued what was not there: %s", what, queries[q]);
        free(got[q]);
    }
    store_close(store);
}

static void damages(const char *base, const char *dir, char *const want[QUERIES])
{
    char *path = memory_printf("%s/results.db", dir), *saved = memory_printf("%s/saved", base),
         *saved_path = memory_printf("%s/results.db", saved);
    struct bytes whole = read_bytes(path);
    struct rng *rng = rng_new(2029);
    struct tally tally[2] = {{0}, {0}};

    for (int d = 0; d < BITS + HEAVIER; d++) {
        struct bytes bytes = {memory_alloc(whole.size, 1), whole.size};
        char what[64];

        memcpy(bytes.data, whole.data, whole.size);
        snprintf(what, sizeof what, "%s (%d)", damage(&bytes, rng, d >= BITS, d), d);
        write_bytes(path, &bytes);
        judge_opened(dir, want, &tally[d >= BITS], what);
        unlink(saved_path);
        judge_rescued(dir, saved, want, &tally[d >= BITS], what);
        free(bytes.data);
    }
    for (int t = 0; t < 2; t++)
        tap_diag("%s: %d opened and right, %d refused; %d rescued, with %d tasks lost in all",
                 t == 0 ? "bits" : "heavier", tally[t].opened, tally[t].refused, tally[t].saved,
                 tally[t].rows_lost);
    ok(tally[0].refused > BITS / 2 && tally[1].refused > HEAVIER / 2, "most damage is seen");
    ok(tally[0].saved > BITS * 3 / 4 && tally[1].saved > HEAVIER / 2, "of most, much is saved");
    ok(tally[0].rows_lost < 4 * tally[0].saved, "a bit costs few tasks");
    write_bytes(path, &whole);
    rng_free(rng);
    free(whole.data);
    free(path);
    free(saved);
    free(saved_path);
}

/* --- values that no checksum is about --- */

static void changed(const char *base, const char *dir, const char *sql, const char *want)
{
    char *other = memory_printf("%s/changed", base);
    char *command = memory_printf("rm -rf '%s'; cp -r '%s' '%s'", other, dir, other);
    char *path = memory_printf("%s/results.db", other);
    struct error error = {""};
    struct store *store;
    sqlite3 *db = NULL;

    ok(system(command) == 0 && sqlite3_open(path, &db) == SQLITE_OK &&
           sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK,
       "%s", sql);
    sqlite3_close(db);
    store = store_open(other, false, &error);
    if (want == NULL)
        ok(store != NULL, "is not looked at: %s", error.text);
    else
        ok(store == NULL && strstr(error.text, want) != NULL, "is refused: %s", error.text);
    store_close(store);
    free(path);
    free(command);
    free(other);
}

int main(void)
{
    char *base = scratch_new();
    char *dir, *want[QUERIES];
    struct error error = {""};
    struct store *store;

    dir = memory_printf("%s/whole", base);
    ok(make_store(dir), "a store");
    store = store_open(dir, false, &error);
    if (!ok(store != NULL, "is whole: %s", error.text))
        return tap_done();
    ask_all(store, want);
    store_close(store);
    changed(base, dir, "UPDATE task SET outcome = 'banana' WHERE id = 17",
            "task id 17: outcome is 'banana', which can't be");
    changed(base, dir, "UPDATE task SET outcome = 'banana', row_checksum = NULL WHERE id = 17",
            "task id 17: outcome is 'banana', which can't be");
    changed(base, dir, "UPDATE plan SET peak = peak + 64 WHERE task = 17",
            "plan task 17: it does not have the checksum that it was written with");
    changed(base, dir, "UPDATE plan SET peak = peak + 64, row_checksum = NULL WHERE task = 17",
            NULL);
    changed(base, dir, "UPDATE task SET time_s = -1, row_checksum = NULL WHERE id = 3",
            "task id 3: time_s is '-1.0', which can't be");
    changed(base, dir, "UPDATE task SET seed = 'x', row_checksum = NULL WHERE id = 3",
            "task id 3: seed has no value of its kind");
    changed(base, dir, "DELETE FROM workload WHERE id = 2",
            "task: a row refers to one of workload that is not there");
    changed(base, dir, "ALTER TABLE plan RENAME COLUMN peak TO top",
            "the columns of plan are others");
    changed(base, dir,
            "CREATE TABLE other AS SELECT * FROM workload; DROP TABLE workload;"
            "ALTER TABLE other RENAME TO workload",
            "/changed/results.db: damaged: foreign key mismatch");
    damages(base, dir, want);
    for (size_t q = 0; q < QUERIES; q++)
        free(want[q]);
    free(dir);
    scratch_remove(base);
    return tap_done();
}
