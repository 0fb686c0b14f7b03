/* The results store: opening, the schema, queries and statements.  */
#include <config.h>

#include "harness/store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/store/store_private.h"
#include "lib/base/memory.h"

/* Marks the file as ours ("Aben"); the schema's number is in user_version.  */
#define STORE_APPLICATION 0x4162656e
#define STORE_SCHEMA 5

static const char store_schema[] =
    "CREATE TABLE experiment (name TEXT, size TEXT, title TEXT, description TEXT, figures TEXT,"
    " timing INTEGER, budget_s REAL, used_s REAL, tasks INTEGER, skipped INTEGER,"
    " PRIMARY KEY (name, size));"
    "CREATE TABLE workload (id INTEGER PRIMARY KEY, label TEXT NOT NULL, checksum TEXT NOT NULL,"
    " kind TEXT, name TEXT, params TEXT, n INTEGER, pairs INTEGER, load INTEGER, width INTEGER,"
    " max_size INTEGER, total INTEGER, w INTEGER, width_bound INTEGER, w1_bound INTEGER,"
    " w2_bound INTEGER, applicable INTEGER, w1_applicable INTEGER, reason TEXT,"
    " UNIQUE (label, checksum));"
    "CREATE TABLE fact (workload INTEGER REFERENCES workload, name TEXT, value REAL,"
    " PRIMARY KEY (workload, name)) WITHOUT ROWID;"
    "CREATE TABLE task (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, kind TEXT,"
    " workload INTEGER REFERENCES workload, contestant TEXT, params TEXT,"
    " contestant_checksum TEXT, seed INTEGER, repetition INTEGER, time_limit_s REAL,"
    " memory_limit INTEGER, work_limit INTEGER, outcome TEXT, reason TEXT, timed INTEGER,"
    " time_s REAL, cpu_s REAL, verify_s REAL, replay_s REAL, harness_s REAL, rss_bytes INTEGER,"
    " finished TEXT, sweep INTEGER REFERENCES sweep);"
    "CREATE TABLE plan (task INTEGER PRIMARY KEY REFERENCES task ON DELETE CASCADE, layout TEXT,"
    " peak INTEGER, lower_bound INTEGER, nodes INTEGER, objects INTEGER, replay TEXT,"
    " offsets BLOB);"
    "CREATE TABLE conv (task INTEGER PRIMARY KEY REFERENCES task ON DELETE CASCADE, isa TEXT,"
    " threads INTEGER, role TEXT, rank INTEGER, run_params TEXT, co INTEGER, wo INTEGER,"
    " ci INTEGER, wf TEXT, hfil TEXT, tile_rows INTEGER, cco INTEGER, loop_order TEXT, cci INTEGER,"
    " workspace_bytes INTEGER, packed_bytes INTEGER, pack_s REAL, max_error REAL,"
    " compared INTEGER, rounds INTEGER, low_s REAL, high_s REAL, settled INTEGER,"
    " peak_flops REAL, reference_s REAL, model_m REAL, model_exact REAL, predicted_s REAL,"
    " registers INTEGER, spilled INTEGER, chains INTEGER, final_rounds INTEGER, final_s REAL,"
    " final_low_s REAL, final_high_s REAL, final_sweep INTEGER REFERENCES sweep);"
    "CREATE TABLE layer_use (experiment TEXT, size TEXT, workload INTEGER REFERENCES workload,"
    " network TEXT, uses INTEGER, PRIMARY KEY (experiment, size, workload, network))"
    " WITHOUT ROWID;"
    "CREATE TABLE measurement (task INTEGER REFERENCES task ON DELETE CASCADE, seq INTEGER,"
    " name TEXT, at_s REAL, value REAL, PRIMARY KEY (task, seq)) WITHOUT ROWID;"
    "CREATE TABLE experiment_task (experiment TEXT, size TEXT, seq INTEGER,"
    " task INTEGER REFERENCES task ON DELETE CASCADE, PRIMARY KEY (experiment, size, seq))"
    " WITHOUT ROWID;"
    "CREATE INDEX task_workload ON task (workload);"
    "CREATE INDEX experiment_task_task ON experiment_task (task);";

static const char *const statement_sql[STATEMENTS] = {
    [STATEMENT_BEGIN] = "BEGIN IMMEDIATE",
    [STATEMENT_COMMIT] = "COMMIT",
    [STATEMENT_ROLLBACK] = "ROLLBACK",
    [STATEMENT_FIND_BUILD] = "SELECT id FROM build WHERE key = ?1",
    [STATEMENT_PUT_BUILD] = "INSERT INTO build VALUES (NULL, ?1)",
    [STATEMENT_FIND_MACHINE] = "SELECT id FROM machine WHERE key = ?1",
    [STATEMENT_PUT_MACHINE] = "INSERT INTO machine VALUES (NULL, ?1)",
    [STATEMENT_PUT_SWEEP] = "INSERT INTO sweep VALUES (NULL, ?1, ?2)",
    [STATEMENT_PUT_PROVENANCE] = "INSERT OR REPLACE INTO provenance VALUES (?1, ?2, ?3, ?4)",
    [STATEMENT_FIND_WORKLOAD] = "SELECT id FROM workload WHERE label = ?1 AND checksum = ?2",
    [STATEMENT_PUT_WORKLOAD] = "INSERT INTO workload VALUES (NULL, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8,"
                               " ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)",
    [STATEMENT_PUT_FACT] = "INSERT OR REPLACE INTO fact VALUES (?1, ?2, ?3)",
    [STATEMENT_FIND_TASK] = "SELECT id, outcome FROM task WHERE key = ?1",
    [STATEMENT_HAS_PREFIX] = "SELECT id FROM task WHERE key >= ?1 AND key < ?2 LIMIT 1",
    [STATEMENT_DROP_TASK] = "DELETE FROM task WHERE key = ?1",
    [STATEMENT_PUT_TASK] = "INSERT INTO task VALUES (NULL, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10,"
                           " ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20,"
                           " strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ?21)",
    [STATEMENT_PUT_PLAN] = "INSERT INTO plan VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    [STATEMENT_PUT_CONV] =
        "INSERT INTO conv VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14,"
        " ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31,"
        " ?32, NULL, NULL, NULL, NULL, NULL)",
    [STATEMENT_DROP_FINALS] = "DELETE FROM measurement WHERE task = ?1 AND name = 'final'",
    [STATEMENT_PUT_FINAL] = "UPDATE conv SET final_rounds = ?2, final_s = ?3, final_low_s = ?4,"
                            " final_high_s = ?5, final_sweep = ?6 WHERE task = ?1",
    [STATEMENT_CLEAR_LAYER_USES] = "DELETE FROM layer_use WHERE experiment = ?1 AND size = ?2",
    [STATEMENT_PUT_LAYER_USE] = "INSERT INTO layer_use VALUES (?1, ?2, ?3, ?4, ?5)",
    [STATEMENT_PUT_CONSTANT] = "INSERT OR REPLACE INTO constant VALUES (?1, ?2, ?3, ?4)",
    [STATEMENT_PUT_EVENT] = "INSERT INTO measurement VALUES (?1, ?2, ?3, ?4, ?5)",
    [STATEMENT_PUT_USE] = "INSERT OR REPLACE INTO experiment_task VALUES (?1, ?2, ?3, ?4)",
    [STATEMENT_CLEAR_USES] = "DELETE FROM experiment_task WHERE experiment = ?1 AND size = ?2",
    [STATEMENT_PUT_EXPERIMENT] =
        "INSERT OR REPLACE INTO experiment VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, CASE WHEN ?10 > 0"
        " THEN coalesce((SELECT used_s FROM experiment WHERE name = ?1 AND size = ?2), 0.0)"
        " ELSE 0.0 END, ?8, ?9)",
    [STATEMENT_ADD_USED] = "UPDATE experiment SET used_s = used_s + ?3 WHERE name = ?1 AND"
                           " size = ?2",
};

const char *store_library_version(void)
{
    return sqlite3_libversion();
}

bool store_fault(struct store *store, struct error *error)
{
    return error_set(error, "%s: %s", store->path, sqlite3_errmsg(store->db));
}

sqlite3_stmt *store_statement(struct store *store, enum statement which)
{
    sqlite3_stmt **statement = &store->statement[which];

    if (*statement == NULL)
        sqlite3_prepare_v3(store->db, statement_sql[which], -1, SQLITE_PREPARE_PERSISTENT,
                           statement, NULL);
    return *statement;
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
        if (mkdir(path, 0777) != 0 && errno != EEXIST)
            done = error_set(error, "cannot make the folder %s: %s", path, strerror(errno));
        *at = stop;
        if (stop == '\0')
            break;
    }
    free(path);
    return done;
}

/* The first column of the first row of SQL, a number.  */
static bool query_number(struct store *store, const char *sql, int64_t *value, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    bool done = sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL) == SQLITE_OK &&
                sqlite3_step(statement) == SQLITE_ROW;

    if (done)
        *value = sqlite3_column_int64(statement, 0);
    else
        store_fault(store, error);
    sqlite3_finalize(statement);
    return done;
}

bool store_execute(struct store *store, const char *sql, struct error *error)
{
    if (sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK)
        return true;
    store_fault(store, error);
    /* Fails where no transaction is open: nothing to undo then.  */
    sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    return false;
}

static void unlock(struct store *store)
{
    if (store->lock >= 0)
        close(store->lock);
    store->lock = -1;
}

/* Fills an empty file with the schema.  */
static bool make_schema(struct store *store, struct error *error)
{
    char *sql =
        memory_printf("BEGIN IMMEDIATE; %s %s PRAGMA application_id = %d;"
                      " PRAGMA user_version = %d; COMMIT;",
                      store_provenance_schema, store_schema, STORE_APPLICATION, STORE_SCHEMA);
    bool done = store_execute(store, sql, error);

    free(sql);
    return done;
}

/* The sweep that fills a file of the schema before may still be running.  */
static bool migrate(struct store *store, struct error *error)
{
    char *end;
    bool done;

    if (sqlite3_db_readonly(store->db, "main") != 0)
        return error_set(error,
                         "%s: written by an older arenabench (schema %d), and it can only be read:"
                         " to be brought up to date it has to be writable",
                         store->path, STORE_SCHEMA - 1);
    end = memory_printf("PRAGMA user_version = %d; COMMIT", STORE_SCHEMA);
    done = store_lock(store, error) && store_execute(store, "BEGIN IMMEDIATE", error) &&
           store_migrate(store, error) && store_execute(store, end, error);
    free(end);
    unlock(store);
    return done;
}

/* Refuses a file that is not ours, fills an empty one, migrates an older one.  */
static bool check_schema(struct store *store, bool create, struct error *error)
{
    int64_t application, version, tables;

    if (!query_number(store, "PRAGMA application_id", &application, error) ||
        !query_number(store, "PRAGMA user_version", &version, error) ||
        !query_number(store, "SELECT count(*) FROM sqlite_master", &tables, error))
        return false;
    if (application == STORE_APPLICATION && version == STORE_SCHEMA)
        return true;
    if (application == STORE_APPLICATION && version == STORE_SCHEMA - 1)
        return migrate(store, error);
    if (application == STORE_APPLICATION && version > STORE_SCHEMA)
        return error_set(error, "%s: written by a newer arenabench (schema %d, this one knows %d)",
                         store->path, (int)version, STORE_SCHEMA);
    if (application == STORE_APPLICATION)
        return error_set(error, "%s: written by an older arenabench (schema %d, this one knows %d)",
                         store->path, (int)version, STORE_SCHEMA);
    if (application != 0 || version != 0 || tables != 0)
        return error_set(error, "%s: a database, but not one of arenabench's results", store->path);
    if (!create)
        return error_set(error, "%s: no results in it yet", store->path);
    return make_schema(store, error);
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
        return store_fault(store, error);
    sqlite3_busy_timeout(store->db, 10000);
    if (!check_schema(store, create, error))
        return false;
    if (!create)
        return true;
    /* Where WAL is not to be had (some network file systems), SQLite stays
     * with the rollback journal, which is as safe, only slower.  */
    store->wal = store_execute(store, "PRAGMA journal_mode = WAL", NULL);
    return store_execute(store, "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON", error);
}

struct store *store_open(const char *dir, bool create, struct error *error)
{
    struct store *store = memory_zalloc(1, sizeof *store);
    bool done;

    store->lock = -1;
    store->dir = memory_strdup(dir);
    store->path = memory_printf("%s/results.db", dir);
    if (create)
        done = make_folders(dir, error);
    else
        done = access(store->path, R_OK) == 0 ||
               error_set(error, "%s: %s", store->path, strerror(errno));
    if (done && open_file(store, create, error))
        return store;
    store_close(store);
    return NULL;
}

void store_close(struct store *store)
{
    if (store == NULL)
        return;
    for (size_t i = 0; i < STATEMENTS; i++)
        sqlite3_finalize(store->statement[i]);
    /* One plain file is left behind, which can be read from a read-only folder.
     * That fails while a report reads: then the last one to close tidies up.  */
    if (store->wal)
        store_execute(store, "PRAGMA journal_mode = DELETE", NULL);
    sqlite3_close(store->db);
    unlock(store);
    store_end_sweep(store);
    free(store->path);
    free(store->dir);
    free(store);
}

bool store_lock(struct store *store, struct error *error)
{
    /* Record locks belong to the process: children do not hold them, and they
     * vanish with it, however it ends.  */
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    char *path = memory_printf("%s/lock", store->dir);
    bool done;

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
    free(path);
    return done;
}

/* A cell as text in TEXT (32 bytes) or SQLite's own memory; NULL is NULL.  */
static const char *cell_text(sqlite3_stmt *statement, int column, char *text)
{
    if (sqlite3_column_type(statement, column) != SQLITE_FLOAT)
        return (const char *)sqlite3_column_text(statement, column);
    snprintf(text, 32, "%.17g", sqlite3_column_double(statement, column));
    return text;
}

static void run_rows(sqlite3_stmt *statement, store_row *row, void *context)
{
    int columns = sqlite3_column_count(statement);
    const char **value = memory_alloc((size_t)columns, sizeof *value);
    char(*number)[32] = memory_alloc((size_t)columns, sizeof *number);

    while (sqlite3_step(statement) == SQLITE_ROW) {
        for (int c = 0; c < columns; c++)
            value[c] = cell_text(statement, c, number[c]);
        if (!row(context, columns, value))
            break;
    }
    free(number);
    free(value);
}

bool store_query(struct store *store, const char *sql, const char *const *parameters, int count,
                 store_row *row, void *context, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    int result = sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL);

    for (int i = 0; result == SQLITE_OK && i < count; i++)
        result = sqlite3_bind_text(statement, i + 1, parameters[i], -1, SQLITE_TRANSIENT);
    if (result == SQLITE_OK) {
        run_rows(statement, row, context);
        /* The error of the last step is told by resetting.  */
        result = sqlite3_reset(statement);
    }
    if (result != SQLITE_OK)
        store_fault(store, error);
    sqlite3_finalize(statement);
    return result == SQLITE_OK;
}
