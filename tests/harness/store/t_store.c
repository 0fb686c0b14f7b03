/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The results store: writing, finding, reading back, refusing other files.  */
#include <config.h>

#include "harness/store/store.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/store/rows.h"
#include "harness/store/store_private.h"
#include "harness/store/store_table.h"
#include "lib/base/checksum.h"
#include "lib/base/memory.h"
#include "tests/support/scratch.h"
#include "tests/support/store_answer.h"
#include "tests/support/tap.h"

static const int64_t offsets[] = {0, 258, 399};

static const struct store_workload workload = {
    .label = "uniform:n=3",
    .checksum = 0x0123456789abcdef,
    .kind = "generator",
    .name = "uniform",
    .params = "n=3",
    .n = 3,
    .pairs = 2,
    .load = 300,
    .width = 2,
    .max_size = 258,
    .total = 400,
    .w = STORE_NULL,
    .width_bound = 516,
    .w1_bound = STORE_NULL,
    .w2_bound = STORE_NULL,
    .reason = "no graph",
};

static const struct store_event events[] = {{"bound", 0.25, 300.0}, {"incumbent", 0.5, 0.1}};

static const struct store_statistic statistics[] = {{"conflicts", 12}, {"restarts", 3}};

static struct store_task task_with_key(const char *key)
{
    return (struct store_task){
        .key = key,
        .kind = "plan",
        .contestant = "naive",
        .params = "",
        .contestant_checksum = "beef",
        .seed = 1,
        .outcome = "feasible",
        .reason = "it's \"quoted\"",
        .time_s = 0.1,
        .layout = "arena",
        .replay = "none",
        .peak = 400,
        .lower_bound = 300,
        .offset = offsets,
        .n = 3,
        .event = events,
        .n_events = 2,
        .statistic = statistics,
        .n_statistics = 2,
    };
}

/* SQLite has at bytes 18 and 19 of the file who may write and read it: 1 those who know rollback
 * journals, 2 only those who know logs.  */
static bool is_plain(const char *dir)
{
    char *path = memory_printf("%s/results.db", dir);
    FILE *in = fopen(path, "r");
    const bool plain =
        in != NULL && fseek(in, 18, SEEK_SET) == 0 && fgetc(in) == 1 && fgetc(in) == 1;

    if (in != NULL)
        fclose(in);
    free(path);
    return plain;
}

static void writing(const char *dir)
{
    const struct store_use uses[] = {{"gap", "quick", 7}, {"networks", "quick", 0}};
    struct store_task task = task_with_key("k build=1");
    struct error error = {""};
    struct store *store = opened(dir, true);
    int64_t id = -1;

    ok(store_find_workload(store, workload.label, workload.checksum, &id, &error) && id == 0,
       "no workload yet");
    ok(store_put_workload(store, &workload, &task.workload, &error), "a workload is written");
    ok(store_put_workload(store, &workload, &id, &error) && id == task.workload,
       "the second time it is found");
    store_begin_sweep(store, NULL, 0);
    ok(store_record_task(store, &task, uses, 2, &error), "a task is recorded");
    task.outcome = "optimal";
    task.n_statistics = 1;
    task.lower_bound = task.peak;
    ok(store_record_task(store, &task, uses, 1, &error), "and again, in place of the first");
    task = task_with_key("k build=2");
    task.workload = 1;
    task.peak = STORE_NULL;
    task.layout = NULL;
    task.offset = NULL;
    task.n_events = 0;
    task.n_statistics = 0;
    ok(store_record_task(store, &task, NULL, 0, &error), "a task without a plan");
    task.workload = 99;
    task.key = "bad";
    ok(!store_record_task(store, &task, uses, 1, &error) && error.text[0] != '\0',
       "a task of no workload is refused: %s", error.text);
    store_close(store);
    ok(is_plain(dir), "closed, it is a file that needs no log to be read");
}

static void reading(const char *dir)
{
    struct error error = {""};
    struct store *store = opened(dir, false);
    char outcome[32];
    bool found;
    int64_t id;

    is_answer(store, "SELECT label, checksum, w, width_bound, reason FROM workload",
              "uniform:n=3|0123456789abcdef||516|no graph;", "the workload's row");
    is_answer(
        store,
        "SELECT key, outcome, reason, time_s FROM task JOIN task_key ON task = id ORDER BY key",
        "k build=1|optimal|it's \"quoted\"|0.10000000000000001;"
        "k build=2|feasible|it's \"quoted\"|0.10000000000000001;",
        "tasks; numbers with all digits");
    is_answer(store,
              "SELECT layout, peak, lower_bound, quote(offsets_unpack(offsets, base)) FROM plan"
              " ORDER BY task",
              "arena|400|400|X'000000000000000002010000000000008F01000000000000';"
              "||300|NULL;",
              "plans; offsets come out as they went in");
    is_answer(store, "SELECT seq, name, at_s, value FROM measurement",
              "0|bound|0.25|300;1|incumbent|0.5|0.10000000000000001;",
              "the measurements of a replaced task go with it");
    is_answer(store, "SELECT task, name, value FROM statistic", "1|conflicts|12;",
              "so do its statistics");
    is_answer(store, "SELECT experiment, size, seq FROM experiment_task", "gap|quick|7;",
              "so do its places");
    ok(store_find_task(store, "k build=1", &id, outcome, &error) && id > 0, "a task is found");
    is_text(outcome, "optimal", "with its outcome");
    ok(store_find_task(store, "k", &id, outcome, &error) && id == 0, "by its whole key only");
    ok(store_has_prefix(store, "k build=", &found, &error) && found, "a key's start is found");
    ok(store_has_prefix(store, "j build=", &found, &error) && !found, "another's is not");
    ok(!rows_query(NULL, store, "SELECT nothing FROM task", NULL, 0, &error),
       "bad SQL is an error: %s", error.text);
    store_close(store);
}

static void experiments(const char *dir)
{
    static const struct store_experiment gap = {
        .name = "gap",
        .size = "quick",
        .title = "Gaps",
        .figures = "gap",
        .budget_s = 90.0,
        .tasks = 12,
        .skipped = 1,
    };
    struct store_place place = {3, 0};
    struct store_task task = task_with_key("k build=3");
    struct error error = {""};
    struct store *store = store_open(dir, true, &error);
    char outcome[32];
    bool done;

    task.workload = 1;
    store_find_task(store, "k build=2", &place.task, outcome, &error);
    done = store_put_experiment(store, &gap, NULL, 0, &error) &&
           store_add_used(store, &(struct store_used){"gap", "quick", 2.5}, &error);
    ok(done, "an experiment is written");
    is_answer(store, "SELECT count(*) FROM experiment_task", "0;", "its old places are dropped");
    ok(store_put_experiment(store, &gap, &place, 1, &error) &&
           store_add_used(store, &(struct store_used){"gap", "quick", 1.0}, &error),
       "and again, with one task done");
    is_answer(store, "SELECT used_s, tasks, skipped FROM experiment", "3.5|12|1;",
              "the used time of sweeps that go on adds up");
    is_answer(store, "SELECT seq, key FROM experiment_task JOIN task_key USING (task)",
              "3|k build=2;", "the place of the task that is done");
    store_begin_sweep(store, NULL, 0);
    task.used = (struct store_used){"gap", "quick", 0.5};
    ok(store_record_task(store, &task, NULL, 0, &error), "a task, and the time that it took");
    is_answer(store, "SELECT used_s FROM experiment", "4;", "which is the experiment's");
    task.workload = 99;
    ok(!store_record_task(store, &task, NULL, 0, &error), "a task that can't be written");
    is_answer(store, "SELECT used_s FROM experiment", "4;", "leaves it as it was");
    store_close(store);
}

/* Keys come out as they went in, though a form holds what those of many tasks have in common; one
 * that has a column's name in it is a form of its own.  */
static void keys(const char *dir)
{
    static const char *const key[] = {
        "plan uniform:n=3 0123456789abcdef naive:x=1 seed=1 build=beef",
        "plan uniform:n=3 0123456789abcdef naive:y=2 seed=1 build=cafe",
        "plan uniform:n=3 0123456789abcdef naive:x=1 seed=2 build=beef",
        "plan uniform:n=3 <label> naive:<params> build=beef",
        "=plan uniform:n=3",
    };
    struct error error = {""};
    struct store *store = store_open(dir, true, &error);
    char outcome[32];
    bool done = true;
    int64_t id;

    store_begin_sweep(store, NULL, 0);
    for (size_t i = 0; i < sizeof key / sizeof key[0]; i++) {
        struct store_task task = task_with_key(key[i]);

        task.workload = 1;
        task.params = i == 1 ? "y=2" : "x=1";
        task.contestant_checksum = i == 1 ? "cafe" : "beef";
        done = done && store_record_task(store, &task, NULL, 0, &error);
    }
    ok(done, "tasks are recorded %s", error.text);
    for (size_t i = 0; i < sizeof key / sizeof key[0]; i++)
        ok(store_find_task(store, key[i], &id, outcome, &error) && id > 0, "%s is found", key[i]);
    is_answer(store,
              "SELECT text FROM form WHERE id IN (SELECT form FROM task ORDER BY id DESC LIMIT 5)"
              " ORDER BY id",
              "plan <label> <checksum> <contestant>:<params> seed=1 build=<contestant_checksum>;"
              "plan <label> <checksum> <contestant>:<params> seed=2 build=<contestant_checksum>;"
              "=plan uniform:n=3 <label> naive:<params> build=beef;==plan uniform:n=3;",
              "forms");
    store_close(store);
}

/* A lock is held against other processes, so another process has to try.  */
static void locking(const char *dir)
{
    struct error error = {""};
    struct store *store = opened(dir, true);
    int status = 0;
    pid_t child;

    fflush(stdout);
    child = tap_fork();
    if (child == 0) {
        struct store *second = store_open(dir, true, &error);

        _exit(second == NULL && strstr(error.text, "another sweep is writing to") != NULL ? 0 : 1);
    }
    waitpid(child, &status, 0);
    ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "another one is told so");
    store_close(store);
}

static void refused(const char *dir, const char *want, const char *what)
{
    struct error error = {""};
    struct store *store = store_open(dir, true, &error);

    ok(store == NULL && strstr(error.text, want) != NULL, "%s: %s", what, error.text);
    store_close(store);
}

static bool write_file(const char *path, const char *text)
{
    FILE *out = fopen(path, "w");

    return out != NULL && fputs(text, out) >= 0 && fclose(out) == 0;
}

static void patch_file(const char *path, long at, unsigned char byte)
{
    FILE *file = fopen(path, "r+");

    if (file == NULL || fseek(file, at, SEEK_SET) != 0 || fputc(byte, file) == EOF ||
        fclose(file) != 0)
        abort();
}

/* A store into which two builds have swept, made one of another schema by SQL, is refused as WANT
 * says.  */
static void other_schema(const char *dir, const char *sql, const char *want)
{
    static const struct store_pair builds[][2] = {{{"commit", "c0ffee"}, {"version", "0.7"}},
                                                  {{"commit", "beef"}, {"version", "0.8"}}};
    struct error error = {""};
    struct store *store = store_open(dir, true, &error);
    struct store_task task = task_with_key("k build=1");
    bool done = store != NULL && store_put_workload(store, &workload, &task.workload, &error);

    for (int build = 0; done && build < 2; build++) {
        store_begin_sweep(store, builds[build], 2);
        done = store_record_task(store, &task, NULL, 0, &error);
    }
    ok(done && store_execute(store, sql, &error), "%s %s", sql, error.text);
    store_close(store);
    for (int create = 0; create < 2; create++) {
        store = store_open(dir, create != 0, &error);
        ok(store == NULL && strstr(error.text, want) != NULL, "is refused: %s", error.text);
        store_close(store);
    }
}

static void other_schemas(void)
{
    static const struct {
        const char *sql, *want;
    } other[] = {
        {"PRAGMA user_version = 4", ": results of schema 4, this arenabench reads schema "},
        {"PRAGMA user_version = 99", ": results of schema 99, this arenabench reads "},
        {"PRAGMA user_version = 99",
         "; the latest sweep into them was run by arenabench 0.8, commit beef, which reads"},
        {"PRAGMA user_version = 3; DROP TABLE provenance",
         "was run by an older arenabench, which reads"},
        {"PRAGMA user_version = 99; DELETE FROM provenance",
         "was run by a newer arenabench, which reads"}};

    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++) {
        char *dir = memory_printf("schema%zu", i);

        other_schema(dir, other[i].sql, other[i].want);
        free(dir);
    }
}

/* Whoever changes the tables gives them another number.  */
static void schema_number(void)
{
    char *sql = store_schema_sql(), text[32];

    snprintf(text, sizeof text, "%d: %016" PRIx64, STORE_SCHEMA,
             checksum_bytes(CHECKSUM_START, sql, strlen(sql)));
    is_text(text, "15: b3049c4b000b419b", "number and checksum of the schema");
    free(sql);
}

static void refusals(void)
{
    const char *path = "a/b/results.db";
    char *deep = memory_printf("%0*d/%0*d/%0*d", 200, 1, 200, 2, 100, 3);
    struct error error = {""};
    struct store *store = store_open("other", false, &error);

    ok(store == NULL && error.text[0] != '\0', "no results there: %s", error.text);
    write_file("file", "plain text\n");
    refused("file", "Not a directory", "a file is no folder");
    refused("file/dir", "cannot make the folder", "no folder can be made");
    refused(deep, "SQLite takes 504 at most", "a path that is too long for SQLite");
    /* SQLite keeps application_id big endian at byte 68 of the file.  */
    patch_file(path, 68, 1);
    refused("a/b", "not one of arenabench's results", "a foreign database");
    write_file(path, "this is no database at all, but it is long enough to be read as one\n");
    refused("a/b", "not a database", "no database");
    free(deep);
}

int main(void)
{
    const char *dir = "a/b";

    scratch_enter();
    writing(dir);
    reading(dir);
    experiments(dir);
    keys(dir);
    locking(dir);
    other_schemas();
    schema_number();
    refusals();
    scratch_leave();
    return tap_done();
}
