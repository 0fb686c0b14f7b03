/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An older store is brought up to date when it is opened: tests/harness/store/store-4.sql and
 * -5.sql are what the programs of then wrote.  */
#include <config.h>

#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/io/figure.h"
#include "harness/report/report.h"
#include "harness/store/rows.h"
#include "harness/store/store.h"
#include "harness/store/store_sum.h"
#include "harness/store/store_conv.h"
#include "harness/sweep/sweep.h"
#include "lib/base/file.h"
#include "lib/base/memory.h"
#include "tests/support/figure_named.h"
#include "tests/support/scratch.h"
#include "tests/support/store_answer.h"
#include "tests/support/tap.h"

/* The text of the fixture NAME; the caller frees it.  NULL: it is not there.  */
static char *read_fixture(const char *name)
{
    char *path = memory_printf("%s/tests/harness/store/%s", getenv("top_srcdir"), name),
         *text = NULL;
    struct error error = {""};
    size_t length;

    if (!file_read(path, 1 << 20, &text, &length, &error))
        tap_diag("%s", error.text);
    free(path);
    return text;
}

/* Makes DIR/results.db from the fixture NAME, and then what MORE does.  */
static bool make_old(const char *dir, const char *name, const char *more)
{
    char *path = memory_printf("%s/results.db", dir), *text = read_fixture(name);
    sqlite3 *db = NULL;
    bool done = text != NULL && mkdir(dir, 0777) == 0 && sqlite3_open(path, &db) == SQLITE_OK &&
                sqlite3_exec(db, text, NULL, NULL, NULL) == SQLITE_OK &&
                sqlite3_exec(db, more, NULL, NULL, NULL) == SQLITE_OK;

    if (!done)
        tap_diag("%s: %s", name, sqlite3_errmsg(db));
    sqlite3_close(db);
    free(text);
    free(path);
    return done;
}

static void old_rows(struct store *store)
{
    is_answer(store, "PRAGMA foreign_key_check", "", "every reference leads somewhere");
    is_answer(store,
              "SELECT t.sweep, s.build, s.machine, count(*) FROM task t JOIN sweep s"
              " ON s.id = t.sweep GROUP BY 1",
              "1|1|1|5;", "all rows are of one sweep");
    is_answer(
        store,
        "SELECT kind, name, substr(value, 1, 24) FROM provenance WHERE name IN"
        " ('commit', 'processor', 'date', 'inherited') ORDER BY name",
        "build|commit|0f6e14da5b47dc0bae0712e5;sweep|date|2026-11-22T05:51:28Z;"
        "sweep|inherited|from the latest sweep in;machine|processor|Intel(R) Xeon(R) Process;",
        "with the folder's provenance, marked");
    is_answer(store, "SELECT sweep, isa, name, value FROM constant WHERE name = 'vector'",
              "1|generic|vector|4;", "the processor's constants are that sweep's");
    is_answer(store,
              "SELECT count(*), count(final_s), count(final_sweep), max(final_sweep) FROM conv",
              "1|1|1|1;", "so is the final");
    is_answer(store,
              "SELECT count(*), sum(p.peak), sum(offsets_count(p.offsets)) FROM plan p JOIN task t"
              " ON t.id = p.task",
              "4|472|12;", "plans are as they were");
}

/* A new sweep on another machine goes on in it.  */
static void go_on(struct store *store)
{
    static const struct store_pair pairs[] = {{"commit", "new"}, {"processor", "new"}};
    static const struct store_statistic statistic = {"nodes", 7};
    const struct store_task task = {.key = "new",
                                    .kind = "plan",
                                    .workload = 1,
                                    .contestant = "naive",
                                    .params = "",
                                    .contestant_checksum = "c",
                                    .outcome = "feasible",
                                    .statistic = &statistic,
                                    .n_statistics = 1};
    struct error error = {""};

    store_begin_sweep(store, pairs, 2);
    ok(store_record_task(store, &task, NULL, 0, &error), "a new row: %s", error.text);
    is_answer(store, "SELECT sweep, count(*) FROM task GROUP BY 1", "1|5;2|1;",
              "is of its own sweep, the old ones of theirs");
    is_answer(store, "SELECT name, value FROM statistic", "nodes|7;", "with what it counted");
}

static void same_schema(struct store *old, const char *dir)
{
    static const char sql[] = "SELECT user_version, name, sql FROM pragma_user_version,"
                              " sqlite_master ORDER BY type, name";
    struct error error = {""};
    struct store *new = store_open(dir, true, &error);
    char *left, *right;

    if (!ok(new != NULL, "a new store"))
        return;
    left = store_answer(old, sql);
    right = store_answer(new, sql);
    is_text(left, right, "has the same tables, and the same number");
    free(left);
    free(right);
    store_close(new);
}

/* Another process holds the lock of DIR meanwhile.  */
static void held(const char *dir)
{
    struct error error = {""};
    struct store *store;
    int ready[2], status;
    pid_t child;
    char byte;

    if (!ok(make_old(dir, "store-4.sql", "") && pipe(ready) == 0, "another old store"))
        return;
    child = tap_fork();
    if (child == 0) {
        struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
        char *path = memory_printf("%s/lock", dir);
        int file = open(path, O_RDWR | O_CREAT, 0666);

        _exit(fcntl(file, F_SETLK, &lock) == 0 && write(ready[1], "x", 1) == 1 && pause() == 0);
    }
    ok(read(ready[0], &byte, 1) == 1, "that a sweep of then is writing to");
    store = store_open(dir, true, &error);
    ok(store == NULL && strstr(error.text, "another sweep is writing") != NULL, "is left alone: %s",
       error.text);
    store_close(store);
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    close(ready[0]);
    close(ready[1]);
}

/* A file in which a step fails stays what it was.  */
static void all_or_nothing(const char *dir, const char *name, const char *in_the_way, int schema)
{
    struct error error = {""};
    struct store *store = NULL;
    char *path = memory_printf("%s/results.db", dir);
    sqlite3 *db = NULL;
    int version = 0;
    sqlite3_stmt *statement = NULL;

    ok(make_old(dir, name, in_the_way), "%s that is in the way of itself", name);
    store = store_open(dir, true, &error);
    ok(store == NULL && error.text[0] != '\0', "is refused: %s", error.text);
    store_close(store);
    if (sqlite3_open(path, &db) == SQLITE_OK &&
        sqlite3_prepare_v2(db,
                           "SELECT (SELECT count(*) FROM provenance WHERE name = 'commit'),"
                           " user_version FROM pragma_user_version",
                           -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW && sqlite3_column_int(statement, 0) == 1)
        version = sqlite3_column_int(statement, 1);
    is_int(version, schema, "and is as before");
    sqlite3_finalize(statement);
    sqlite3_close(db);
    free(path);
}

/* A file of ours in which a table is missing is not migrated.  */
static void damaged(const char *dir)
{
    struct error error = {""};
    struct store *store;

    ok(make_old(dir, "store-5.sql", "DROP TABLE build"), "a store without a table");
    store = store_open(dir, true, &error);
    ok(store == NULL &&
           strstr(error.text, "damaged: sweep: a row refers to one of build that is not"
                              " there; 'arenabench rescue") != NULL,
       "does not open: %s", error.text);
    store_close(store);
}

/* --- schema 9 --- */

/* The first with checksums, which stay right; a row that has none gets none.  */
static void from_nine(const char *dir)
{
    struct error error = {""};
    struct store *store = store_open(dir, true, &error);
    const struct store_experiment experiment[] = {
        {.name = "e", .size = "quick", .tasks = 1, .tasks_checksum = "abc"},
        {.name = "f", .size = "quick", .tasks = 2, .tasks_checksum = "abc"}};

    if (!ok(store != NULL && store_put_experiment(store, &experiment[0], NULL, 0, &error) &&
                store_put_experiment(store, &experiment[1], NULL, 0, &error),
            "a store with two experiments: %s", error.text))
        return;
    is_answer(store, "ALTER TABLE experiment DROP COLUMN tasks_checksum", "",
              "as before tasks had a checksum");
    is_answer(store,
              "UPDATE experiment SET row_checksum = iif(name = 'e', row_sum(name, size, title,"
              " description, figures, timing, budget_s, used_s, tasks, skipped), NULL)",
              "", "one with that of its row, one without");
    is_answer(store, "PRAGMA user_version = 9", "", "that is schema 9");
    store_close(store);
    store = store_open(dir, false, &error);
    if (ok(store != NULL, "opens: %s", error.text))
        is_answer(store,
                  "SELECT name, tasks, tasks_checksum, row_checksum IS NOT NULL FROM"
                  " experiment ORDER BY name",
                  "e|1||1;f|2||0;", "the experiments are there, with and without");
    store_close(store);
}

/* --- schema 10 --- */

/* The last whose offsets were 8 bytes each.  */
static void from_ten(const char *dir)
{
    enum { BUFFERS = 100000 };
    static const struct store_pair pair = {"commit", "then"};
    int64_t *offset = memory_zalloc(BUFFERS, sizeof *offset);
    const struct store_task task = {.key = "large",
                                    .kind = "plan",
                                    .contestant = "naive",
                                    .contestant_checksum = "c",
                                    .params = "",
                                    .outcome = "feasible",
                                    .workload = 1,
                                    .peak = 8 * BUFFERS,
                                    .offset = offset,
                                    .n = BUFFERS};
    const struct store_workload workload = {
        .label = "large", .kind = "generator", .name = "large", .n = BUFFERS};
    char *path = memory_printf("%s/results.db", dir);
    struct error error = {""};
    struct store *store = store_open(dir, true, &error);
    struct stat then = {0}, now = {0};
    int64_t id;

    for (size_t i = 0; i < BUFFERS; i++)
        offset[i] = 8 * (int64_t)i;
    store_begin_sweep(store, &pair, 1);
    ok(store_put_workload(store, &workload, &id, &error) &&
           store_record_task(store, &task, NULL, 0, &error),
       "a store with a large plan: %s", error.text);
    is_answer(store, "UPDATE plan SET offsets = offsets_unpack(offsets)", "",
              "as plans were kept before");
    ok(sum_anew(store, TABLE_PLAN, "", NULL, 0, &error), "with a checksum of that");
    is_answer(store, "SELECT length(offsets), hex(substr(offsets, 9, 16)) FROM plan",
              "800000|08000000000000001000000000000000;", "with 8 bytes an offset");
    is_answer(store, "PRAGMA user_version = 10", "", "which was schema 10");
    store_close(store);
    stat(path, &then);
    store = store_open(dir, false, &error);
    if (ok(store != NULL, "opens: %s", error.text))
        is_answer(store,
                  "SELECT offsets_count(offsets), offsets_at(offsets, 0), offsets_at(offsets, 2),"
                  " offsets_at(offsets, 99999), length(offsets) < 10000, row_checksum IS NOT NULL"
                  " FROM plan",
                  "100000|0|16|799992|1|1;", "the plan is the same, packed, with a checksum");
    store_close(store);
    stat(path, &now);
    ok(then.st_size > 800000 && now.st_size < 200000, "and the file smaller: %lld, was %lld",
       (long long)now.st_size, (long long)then.st_size);
    free(offset);
    free(path);
}

/* --- schema 5 --- */

static bool write_file(FILE *out, const char *dir, const char *name)
{
    char *path = memory_printf("%s/%s.csv", dir, name), *text = NULL;
    struct error error = {""};
    size_t length;
    bool done = file_read(path, 1 << 20, &text, &length, &error);

    fprintf(out, "# %s.csv\n%s", name, done ? text : error.text);
    free(text);
    free(path);
    return done;
}

/* What a sweep leaves beside the store.  */
static void write_experiments(FILE *out, const char *dir)
{
    struct experiment gap = {.name = (char[]){"gap"}, .kind = EXPERIMENT_PLAN};
    struct experiment blocking = {.name = (char[]){"blocking"}, .kind = EXPERIMENT_CONV};
    struct experiment *experiments[] = {&gap, &blocking};
    struct error error = {""};
    struct sweep sweep = {.options = {.output = dir, .size = EXPERIMENT_QUICK},
                          .store = store_open(dir, true, &error),
                          .experiment = experiments};

    for (size_t i = 0; i < 2; i++)
        ok(sweep.store != NULL && sweep_write_csv(&sweep, i, &error) &&
               write_file(out, dir, experiments[i]->name),
           "the results of %s: %s", experiments[i]->name, error.text);
    store_close(sweep.store);
}

/* SQL may ask for rows of EXPERIMENT as ?1, where that is not NULL.  */
static void write_query(FILE *out, struct store *store, const char *name, const char *sql,
                        const char *experiment)
{
    struct error error = {""};
    struct rows rows;

    fprintf(out, "# %s\n", name);
    if (ok(rows_query(&rows, store, sql, &experiment, experiment != NULL, &error), "%s: %s", name,
           error.text))
        rows_write_csv(&rows, out);
    rows_clear(&rows);
}

/* What figures are drawn from, and the data of two of them.  */
static void write_report(FILE *out, const char *dir)
{
    static const char *const views[][2] = {
        {"result",
         "select experiment, size, seq, task, workload, checksum, contestant, solver, seed,"
         " repetition, time_limit_s, memory_limit, outcome, reason, timed, time_s, cpu_s, "
         "harness_s,"
         " rss_bytes, finished, sweep, build, machine, commit_id, processor, layout, peak,"
         " lower_bound, nodes, arena, usable, kind, workload_kind, workload_name,"
         " workload_label, workload_params, n, pairs, load, total, bound, optimum, upper, gap,"
         " gap_bound, case when usable then peak * 1.0 / nullif(upper, 0) - 1 end as gap_upper,"
         " group_of from result order by seq"},
        {"conv_run",
         "select experiment, size, seq, task, workload, kernel, params, outcome, reason,"
         " time_limit_s, time_s, isa, instruction_set, finished, sweep, build, machine, commit_id,"
         " processor, final_sweep, threads, role, rank, co, wo, ci, wf, hfil, tile_rows, cco,"
         " loop_order, cci, workspace_bytes, packed_bytes, pack_s, max_error, rounds, low_s, "
         "high_s,"
         " settled, peak_flops, reference_s, model_m, model_exact, predicted_s, registers, spilled,"
         " chains, final_rounds, final_s, final_low_s, final_high_s, vectors, measured, isa_place"
         " from conv_run order by seq"}};
    static const char *const figures[] = {"gap", "blocking-model"};
    struct error error = {""};
    struct report report;

    if (!ok(report_open(&report, dir, false, &error), "a report: %s", error.text))
        return;
    for (size_t i = 0; i < 2; i++)
        write_query(out, report.store, views[i][0], views[i][1], NULL);
    for (size_t i = 0; i < 2; i++)
        write_query(out, report.store, figures[i],
                    figure_named(figure_registry, figures[i])->query[0].sql, i == 0 ? "gap" : NULL);
    report_clear(&report);
}

/* tests/harness/store/store-5.txt is what the program that wrote the store made of it.  */
static void same_data(const char *dir)
{
    char *want = read_fixture("store-5.txt"), *got = NULL;
    size_t length;
    FILE *out = memory_stream(&got, &length);

    ok(make_old(dir, "store-5.sql", ""), "a store of schema 5");
    write_experiments(out, dir);
    write_report(out, dir);
    memory_stream_close(out);
    is_csv(got, want == NULL ? "" : want, "its data are what they were");
    free(want);
    free(got);
}

int main(void)
{
    char *base = scratch_new();
    char *dir[9];
    struct error error = {""};
    struct store *store;

    if (getenv("top_srcdir") == NULL)
        return 99;
    for (int i = 0; i < 9; i++)
        dir[i] = memory_printf("%s/%d", base, i);
    ok(make_old(dir[0], "store-4.sql", ""), "a store of schema 4");
    store = store_open(dir[0], false, &error);
    if (ok(store != NULL, "opens for a report: %s", error.text))
        old_rows(store);
    store_close(store);
    store = store_open(dir[0], true, &error);
    if (ok(store != NULL, "then for a sweep: %s", error.text)) {
        same_schema(store, dir[1]);
        go_on(store);
    }
    store_close(store);
    held(dir[2]);
    all_or_nothing(dir[3], "store-4.sql", "CREATE TABLE old_machine (x)", 4);
    all_or_nothing(dir[5], "store-5.sql", "CREATE TABLE statistic (x)", 5);
    damaged(dir[6]);
    from_nine(dir[7]);
    from_ten(dir[8]);
    same_data(dir[4]);
    store = store_open(dir[4], true, &error);
    if (ok(store != NULL, "it is open again: %s", error.text)) {
        is_answer(store, "PRAGMA foreign_key_check", "", "its references lead somewhere");
        same_schema(store, dir[1]);
    }
    store_close(store);
    scratch_remove(base);
    for (int i = 0; i < 9; i++)
        free(dir[i]);
    return tap_done();
}
