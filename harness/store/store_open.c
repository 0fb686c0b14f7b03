/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The results store: opening and closing, with the schema that a file has.  */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/store/rows.h"
#include "harness/store/store.h"
#include "harness/store/store_checksum.h"
#include "harness/store/store_table.h"
#include "lib/base/memory.h"

static bool is_folder(const char *path)
{
    struct stat status;
    bool folder = stat(path, &status) == 0 && S_ISDIR(status.st_mode);

    if (!folder)
        errno = ENOTDIR;
    return folder;
}

/* Makes sure that the new folder PATH is in the one above it after a power failure, too, where that
 * can be had.  SQLite does so for its files.  */
static void settle_folder(const char *path)
{
    char *above = memory_printf("%s/..", path);
    int folder = open(above, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (folder >= 0) {
        (void)fsync(folder);
        close(folder);
    }
    free(above);
}

/* Makes DIR and the folders above it.  */
static bool make_folders(const char *dir, struct error *error)
{
    char *path = memory_strdup(dir);
    bool done = true;

    for (char *at = path + (path[0] == '/'); done; at++) {
        char stop = *at;

        if (stop != '/' && stop != '\0')
            continue;
        *at = '\0';
        if (mkdir(path, 0777) == 0)
            settle_folder(path);
        else if (errno != EEXIST || !is_folder(path))
            done = error_set(error, "cannot make the folder %s: %s", path, strerror(errno));
        *at = stop;
        if (stop == '\0')
            break;
    }
    free(path);
    return done;
}

static void unlock(struct store *store)
{
    if (store->lock >= 0)
        close(store->lock);
    store->lock = -1;
}

/* Makes the tables of an empty file, all or none.  */
static bool make_tables(struct store *store, struct error *error)
{
    char *tables = store_schema_sql();
    char *sql = memory_printf("BEGIN IMMEDIATE; %s PRAGMA application_id = %d;"
                              " PRAGMA user_version = %d; COMMIT",
                              tables, STORE_APPLICATION, STORE_SCHEMA);
    bool done = store_execute(store, sql, error);

    free(sql);
    free(tables);
    return done;
}

/* Refuses a file of schema VERSION, and says, as far as it tells, by what the latest sweep into it
 * was run, which reads it.  */
static bool refuse_schema(struct store *store, int version, struct error *error)
{
    static const char sql[] =
        "SELECT group_concat(iif(name = 'version', 'arenabench ' || value, 'commit ' || value), "
        "', ') FROM (SELECT name, value FROM provenance WHERE name IN ('version', 'commit')"
        " AND kind = 'build' AND id = (SELECT build FROM sweep ORDER BY id DESC LIMIT 1)"
        " ORDER BY name DESC)";
    struct rows rows;
    const bool told = rows_query(&rows, store, sql, NULL, 0, NULL) && rows.count > 0 &&
                      rows_text(&rows, 0, 0)[0] != '\0';

    error_set(error,
              "%s: results of schema %d, this arenabench reads schema %d; the latest sweep into"
              " them was run by %s, which reads them",
              store->path, version, STORE_SCHEMA,
              told                     ? rows_text(&rows, 0, 0)
              : version > STORE_SCHEMA ? "a newer arenabench"
                                       : "an older arenabench");
    rows_clear(&rows);
    return false;
}

static bool look_at(struct store *store, int *application, int *version, int *tables,
                    struct error *error)
{
    struct rows rows;
    bool done = rows_query(&rows, store,
                           "SELECT application_id, user_version, (SELECT count(*) FROM"
                           " sqlite_master) FROM pragma_application_id, pragma_user_version",
                           NULL, 0, error);

    if (!done && sqlite3_errcode(store->db) == SQLITE_CORRUPT)
        store_damaged(store, sqlite3_errmsg(store->db), error);
    if (done) {
        *application = atoi(rows_text(&rows, 0, 0));
        *version = atoi(rows_text(&rows, 0, 1));
        *tables = atoi(rows_text(&rows, 0, 2));
    }
    rows_clear(&rows);
    return done;
}

/* Refuses a file that is not ours, or of another schema, and fills an empty one.  */
static bool check_schema(struct store *store, bool create, struct error *error)
{
    int application, version, tables;

    if (!look_at(store, &application, &version, &tables, error))
        return false;
    if (application == STORE_APPLICATION)
        return version == STORE_SCHEMA ? store_verify(store, error)
                                       : refuse_schema(store, version, error);
    if (application != 0 || version != 0 || tables != 0)
        return error_set(error, "%s: a database, but not one of arenabench's results", store->path);
    if (!create)
        return error_set(error, "%s: no results in it yet", store->path);
    return make_tables(store, error);
}

/* Why SQLite can't open a file; false.  It says no more of one whose path, from the root on and
 * with what it adds for its journals, is longer than its own limit.  */
static bool not_opened(struct store *store, struct error *error)
{
    enum { MOST = 512, JOURNAL = 8 };
    char *folder = realpath(store->dir, NULL);
    const size_t length =
        (folder == NULL ? strlen(store->dir) : strlen(folder)) + strlen("/results.db");

    free(folder);
    if (length + JOURNAL <= MOST)
        return store_fault(store, error);
    return error_set(error, "%s: the path has %zu bytes, SQLite takes %d at most", store->path,
                     length, MOST - JOURNAL);
}

/* Where WAL is not to be had (some network file systems), SQLite stays with the rollback journal,
 * which is as safe, only slower.  With it each transaction waits for the disk; in a log NORMAL
 * keeps them whole and in order, and store_settle says from when on they are there.  */
static bool set_journal(struct store *store, struct error *error)
{
    struct rows rows;
    bool done = rows_query(&rows, store, "PRAGMA journal_mode = WAL", NULL, 0, error);

    store->wal = done && rows.count == 1 && strcmp(rows_text(&rows, 0, 0), "wal") == 0;
    rows_clear(&rows);
    return done &&
           store_execute(store,
                         store->wal ? "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON"
                                    : "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON",
                         error);
}

/* To read a file that a sweep has left open SQLite has to write beside it.  False, with a message
 * that says so where that is why it could not be read.  */
static bool needs_log(struct store *store, struct error *error)
{
    const int fault = sqlite3_errcode(store->db);

    return (fault == SQLITE_CANTOPEN || fault == SQLITE_READONLY) &&
           error_set(error,
                     "%s: a sweep is writing to it or was killed: to be read, it has to be in a"
                     " folder that can be written to, such as a copy of this one",
                     store->path);
}

/* Opens the file; one that may only be read serves reports.  */
static bool open_file(struct store *store, bool create, struct error *error)
{
    int flags = SQLITE_OPEN_READWRITE;

    if (create)
        flags |= SQLITE_OPEN_CREATE;
    else if (access(store->path, W_OK) != 0)
        flags = SQLITE_OPEN_READONLY;
    if (sqlite3_open_v2(store->path, &store->db, flags, NULL) != SQLITE_OK)
        return not_opened(store, error);
    sqlite3_busy_timeout(store->db, STORE_PATIENCE_MS);
    if (!sum_make_known(store->db))
        return store_fault(store, error);
    if (!check_schema(store, create, error))
        return (flags & SQLITE_OPEN_READONLY) != 0 && needs_log(store, error);
    return !create || set_journal(store, error);
}

struct store *store_open(const char *dir, bool create, struct error *error)
{
    struct store *store = memory_zalloc(1, sizeof *store);
    bool done;

    store->lock = -1;
    store->dir = memory_strdup(dir);
    store->path = memory_printf("%s/results.db", dir);
    /* The lock comes first: of two that make a new file, one waits for nothing and is refused.  */
    if (create)
        done = make_folders(dir, error) && store_lock(store, error);
    else
        done = access(store->path, R_OK) == 0 ||
               error_set(error, "%s: %s%s", store->path, strerror(errno),
                         errno == ENOENT ? "; expected the folder of a sweep, such as results/quick"
                                         : "");
    store->opened = done && open_file(store, create, error);
    if (store->opened)
        return store;
    store_close(store);
    return NULL;
}

struct store *store_open_memory(struct error *error)
{
    struct store *store = memory_zalloc(1, sizeof *store);

    store->lock = -1;
    store->dir = memory_strdup("");
    store->path = memory_strdup(":memory:");
    store->opened = open_file(store, true, error);
    if (store->opened)
        return store;
    store_close(store);
    return NULL;
}

/* One plain file is left behind, which can be read from a read-only folder, also where a sweep was
 * killed.  That fails while somebody else reads or writes: then the last one to close does it.  */
static void leave_plain(struct store *store)
{
    if (store_has_moved(store)) {
        sqlite3_db_config(store->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
        return;
    }
    sqlite3_busy_timeout(store->db, 0);
    if (sqlite3_get_autocommit(store->db) == 0)
        store_execute(store, "ROLLBACK", NULL);
    store_execute(store, "PRAGMA journal_mode = DELETE", NULL);
}

void store_close(struct store *store)
{
    if (store == NULL)
        return;
    for (size_t i = 0; i < store->n_kept; i++)
        sqlite3_finalize(store->kept[i].statement);
    for (size_t i = 0; i < TABLES; i++) {
        sqlite3_finalize(store->insert[i]);
        sqlite3_finalize(store->complete[i]);
    }
    if (store->opened)
        leave_plain(store);
    sqlite3_close(store->db);
    unlock(store);
    store_end_sweep(store);
    free(store->kept);
    free(store->path);
    free(store->dir);
    free(store);
}

bool store_lock(struct store *store, struct error *error)
{
    /* Record locks belong to the process: children do not hold them, and they
     * vanish with it, however it ends.  */
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    char *path;
    bool done;

    if (store->lock >= 0)
        return true;
    path = memory_printf("%s/lock", store->dir);
    store->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    done = store->lock >= 0 && fcntl(store->lock, F_SETLK, &lock) == 0;
    if (!done && store->lock >= 0 && (errno == EACCES || errno == EAGAIN)) {
        lock.l_pid = 0;
        fcntl(store->lock, F_GETLK, &lock);
        error_set(error, "another sweep is writing to %s (process %d)", store->dir,
                  (int)lock.l_pid);
    } else if (!done) {
        error_set(error, "%s: %s", path, strerror(errno));
    }
    if (!done)
        unlock(store);
    free(path);
    return done;
}
