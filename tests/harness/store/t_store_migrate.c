/* A store of schema 4 is brought up to date when it is opened: tests/harness/store/store-4.sql is
 * one that the program of then wrote.  */
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

#include "harness/store/rows.h"
#include "harness/store/store.h"
#include "lib/base/memory.h"
#include "tests/support/store_answer.h"
#include "tests/support/tap.h"

static char *read_file(const char *path)
{
    FILE *in = fopen(path, "r"), *out;
    char *text = NULL;
    size_t length;
    int c;

    if (in == NULL)
        return NULL;
    out = memory_stream(&text, &length);
    while ((c = getc(in)) != EOF)
        putc(c, out);
    fclose(in);
    memory_stream_close(out);
    return text;
}

/* Makes DIR/results.db with schema 4, and then what MORE does.  */
static bool make_old(const char *dir, const char *more)
{
    char *source = memory_printf("%s/tests/harness/store/store-4.sql", getenv("top_srcdir"));
    char *path = memory_printf("%s/results.db", dir), *text = read_file(source);
    sqlite3 *db = NULL;
    bool done = text != NULL && mkdir(dir, 0777) == 0 && sqlite3_open(path, &db) == SQLITE_OK &&
                sqlite3_exec(db, text, NULL, NULL, NULL) == SQLITE_OK &&
                sqlite3_exec(db, more, NULL, NULL, NULL) == SQLITE_OK;

    if (!done)
        tap_diag("%s: %s", source, db == NULL ? "not there" : sqlite3_errmsg(db));
    sqlite3_close(db);
    free(text);
    free(path);
    free(source);
    return done;
}

static void old_rows(struct store *store)
{
    is_answer(store, "PRAGMA user_version", "5;", "the file says so");
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
              "SELECT count(*), sum(p.peak), count(p.offsets) FROM plan p JOIN task t ON t.id ="
              " p.task",
              "4|472|4;", "plans are as they were");
}

/* A new sweep on another machine goes on in it.  */
static void go_on(struct store *store)
{
    static const struct store_pair pairs[] = {{"commit", "new"}, {"processor", "new"}};
    const struct store_task task = {.key = "new",
                                    .kind = "plan",
                                    .workload = 1,
                                    .contestant = "naive",
                                    .params = "",
                                    .contestant_checksum = "c",
                                    .outcome = "feasible"};
    struct error error = {""};

    store_begin_sweep(store, pairs, 2);
    ok(store_record_task(store, &task, NULL, 0, &error), "a new row: %s", error.text);
    is_answer(store, "SELECT sweep, count(*) FROM task GROUP BY 1", "1|5;2|1;",
              "is of its own sweep, the old ones of theirs");
}

static void same_schema(struct store *old, const char *dir)
{
    static const char sql[] = "SELECT name, sql FROM sqlite_master ORDER BY type, name";
    struct error error = {""};
    struct store *new = store_open(dir, true, &error);
    char *left, *right;

    if (!ok(new != NULL, "a new store"))
        return;
    left = store_answer(old, sql);
    right = store_answer(new, sql);
    is_text(left, right, "has the same tables");
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

    if (!ok(make_old(dir, "") && pipe(ready) == 0, "another old store"))
        return;
    child = fork();
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
static void all_or_nothing(const char *dir)
{
    struct error error = {""};
    struct store *store = NULL;
    char *path = memory_printf("%s/results.db", dir);
    sqlite3 *db = NULL;
    int version = 0;
    sqlite3_stmt *statement = NULL;

    ok(make_old(dir, "CREATE TABLE old_machine (x)"), "an old store that is in the way of itself");
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
    is_int(version, 4, "and is as before");
    sqlite3_finalize(statement);
    sqlite3_close(db);
    free(path);
}

int main(void)
{
    char base[] = "/tmp/t_store_migrate.XXXXXX";
    char *dir[4], *command;
    struct error error = {""};
    struct store *store;
    int status;

    if (getenv("top_srcdir") == NULL || mkdtemp(base) == NULL)
        return 99;
    for (int i = 0; i < 4; i++)
        dir[i] = memory_printf("%s/%d", base, i);
    ok(make_old(dir[0], ""), "a store of schema 4");
    store = store_open(dir[0], false, &error);
    if (ok(store != NULL, "opens for a report: %s", error.text))
        old_rows(store);
    store_close(store);
    store = store_open(dir[0], true, &error);
    if (ok(store != NULL && store_lock(store, &error), "then for a sweep: %s", error.text)) {
        same_schema(store, dir[1]);
        go_on(store);
    }
    store_close(store);
    held(dir[2]);
    all_or_nothing(dir[3]);
    command = memory_printf("rm -rf '%s'", base);
    status = system(command);
    free(command);
    for (int i = 0; i < 4; i++)
        free(dir[i]);
    return status == 0 ? tap_done() : 99;
}
