/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How: the new store is made in a folder of its own beside OUT, without a journal, as nobody else
 * sees it and it is thrown away when anything fails; when it is whole it goes to the disk and takes
 * OUT's name.  */
#include <config.h>

#include "harness/store/store_merge.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/store/store.h"
#include "harness/store/store_merge_private.h"
#include "lib/base/memory.h"

/* --- folders --- */

static bool is_empty(const char *path)
{
    DIR *dir = opendir(path);
    int entries = 0;

    if (dir == NULL)
        return false;
    while (entries <= 2 && readdir(dir) != NULL)
        entries++;
    closedir(dir);
    return entries <= 2; /* itself and the one above */
}

static bool is_new(const char *out, struct error *error)
{
    struct stat status;

    if (lstat(out, &status) != 0)
        return errno == ENOENT || error_set(error, "%s: %s", out, strerror(errno));
    return (S_ISDIR(status.st_mode) && is_empty(out)) ||
           error_set(error, "%s: there is something already; expected a new or an empty folder",
                     out);
}

/* As umask has it, which mkdtemp does not look at.  */
static bool open_to_others(const char *path)
{
    const mode_t mask = umask(0);

    umask(mask);
    return chmod(path, 0777 & ~mask) == 0;
}

/* A new folder beside OUT; the caller frees its name.  NULL with a message otherwise.  */
static char *make_beside(const char *out, struct error *error)
{
    size_t length = strlen(out);
    char *path;

    while (length > 1 && out[length - 1] == '/')
        length--;
    path = memory_printf("%.*s.XXXXXX", (int)length, out);
    if (mkdtemp(path) != NULL && open_to_others(path))
        return path;
    error_set(error, "cannot make a folder beside %s: %s", out, strerror(errno));
    free(path);
    return NULL;
}

static bool flush(const char *path, int flags, struct error *error)
{
    int fd = open(path, flags | O_CLOEXEC);
    bool done = fd >= 0 && fsync(fd) == 0;

    if (!done)
        error_set(error, "%s: %s", path, strerror(errno));
    if (fd >= 0)
        close(fd);
    return done;
}

static bool publish(const char *beside, const char *out, struct error *error)
{
    char *file = memory_printf("%s/results.db", beside);
    bool done = flush(file, O_RDONLY, error) && flush(beside, O_RDONLY | O_DIRECTORY, error) &&
                (rename(beside, out) == 0 ||
                 error_set(error, "cannot rename %s to %s: %s", beside, out, strerror(errno)));

    free(file);
    return done;
}

static void throw_away(const char *beside)
{
    static const char *const name[] = {"results.db", "results.db-journal", "lock"};

    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
        char *file = memory_printf("%s/%s", beside, name[i]);

        unlink(file);
        free(file);
    }
    rmdir(beside);
}

/* --- stores --- */

/* Rows whose checksum nobody looked at, as there is none.  */
static bool note_unsummed(struct store *store, const char *dir, struct store *once,
                          struct error *error)
{
    struct rows rows;
    bool done = store_unsummed(once, &rows, error);

    for (size_t i = 0; done && i < rows.count; i++)
        done = rows_query(NULL, store, "INSERT INTO temp.unsummed VALUES (?1, ?2)",
                          (const char *[]){dir, rows_text(&rows, i, 0)}, 2, error);
    rows_clear(&rows);
    return done;
}

/* Opened for once, so that it is looked through.  */
static bool attach(struct store *store, const char *dir, struct error *error)
{
    struct store *once = store_open(dir, false, error);
    char *file = memory_printf("%s/results.db", dir);
    const char *path = file;
    bool done = once != NULL && note_unsummed(store, dir, once, error);

    store_close(once);
    done = done && rows_query(NULL, store, "ATTACH DATABASE ?1 AS part", &path, 1, error);
    free(file);
    return done;
}

static bool take_part(struct store *store, size_t part, const char *dir, struct error *error)
{
    bool done =
        attach(store, dir, error) &&
        rows_query(NULL, store, "INSERT INTO temp.folder (dir) VALUES (?1)", &dir, 1, error) &&
        store_execute(store, "BEGIN", error) && merge_rows(store, part, error) &&
        merge_experiments(store, part, error) && store_execute(store, "COMMIT", error);

    return done && store_execute(store, "DETACH DATABASE part", error);
}

static bool take_parts(struct store *store, const char *const *dir, size_t count,
                       struct error *error)
{
    bool done = store_execute(store,
                              "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
                              "PRAGMA foreign_keys = OFF; PRAGMA cache_size = -262144;"
                              "PRAGMA temp_store = MEMORY",
                              error) &&
                merge_begin(store, error);

    store->wal = false;
    for (size_t i = 0; done && i < count; i++)
        done = take_part(store, i + 1, dir[i], error);
    return done && store_execute(store, "BEGIN", error) && merge_end(store, error) &&
           store_execute(store, "COMMIT", error);
}

/* --- what came out --- */

/* A gap is between two tasks, or before the first or behind the last; neighbouring shards are one
 * range, "1-7/9".  */
static const char experiments_sql[] =
    "WITH seen AS (SELECT name, size, tasks AS seq FROM experiment UNION ALL"
    " SELECT experiment, size, seq FROM experiment_task),"
    " gap AS (SELECT name, size, before + 1 AS first, seq - 1 AS last FROM (SELECT name, size, seq,"
    "  lag(seq, 1, -1) OVER (PARTITION BY name, size ORDER BY seq) AS before FROM seen)"
    "  WHERE seq > before + 1)"
    " SELECT e.name AS experiment, e.size, e.tasks,"
    " (SELECT count(*) FROM experiment_task x WHERE x.experiment = e.name AND x.size = e.size)"
    "  AS here,"
    " (SELECT group_concat(iif(first = last, first, first || '-' || last), ', ')"
    "  FROM (SELECT first, last FROM gap g WHERE g.name = e.name AND g.size = e.size"
    "        ORDER BY first)) AS gaps,"
    " count(DISTINCT s.build) AS builds, count(DISTINCT s.machine) AS machines,"
    " (SELECT group_concat(iif(first = last, first, first || '-' || last) || of, ', ') FROM"
    "  (SELECT min(k) AS first, max(k) AS last, of FROM (SELECT k, of,"
    "   k - row_number() OVER (PARTITION BY of ORDER BY k) AS run FROM (SELECT DISTINCT"
    "   CAST(p.value AS INTEGER) AS k, substr(p.value, instr(p.value, '/')) AS of"
    "   FROM provenance p WHERE p.kind = 'sweep' AND p.name = 'shard' AND p.id IN (SELECT t.sweep"
    "    FROM experiment_task x JOIN task t ON t.id = x.task WHERE x.experiment = e.name"
    "    AND x.size = e.size))) GROUP BY of, run ORDER BY of, first)) AS shards"
    " FROM experiment e LEFT JOIN experiment_task x ON x.experiment = e.name AND x.size = e.size"
    " LEFT JOIN task t ON t.id = x.task LEFT JOIN sweep s ON s.id = t.sweep"
    " GROUP BY e.name, e.size ORDER BY e.name, e.size";

static bool ask_count(struct store *store, const char *sql, int64_t *count, struct error *error)
{
    struct rows rows;
    bool done = rows_query(&rows, store, sql, NULL, 0, error);

    if (done && rows.count > 0)
        *count = atoll(rows_text(&rows, 0, 0));
    rows_clear(&rows);
    return done;
}

static bool look_at(struct store *store, struct merge *merge, struct error *error)
{
    return ask_count(store, "SELECT count(*) FROM task", &merge->tasks, error) &&
           ask_count(store, "SELECT count(*) FROM temp.double", &merge->doubles, error) &&
           ask_count(store,
                     "SELECT (SELECT coalesce(sum(tasks), 0) FROM experiment) -"
                     " (SELECT count(*) FROM experiment_task)",
                     &merge->missing, error) &&
           rows_query(&merge->experiments, store, experiments_sql, NULL, 0, error);
}

/* --- what must not come out --- */

bool store_merge_refuse(struct store *store, const char *task, const char *reason,
                        struct error *error)
{
    static const char sql[] =
        "INSERT INTO temp.conflict SELECT 'plan', key || ', of ' ||"
        " (SELECT group_concat(dir, ' or ') FROM temp.folder JOIN temp.part_sweep USING (part)"
        "  WHERE sweep = t.sweep) || ': ' || ?2"
        " FROM main.task t JOIN main.task_key k ON k.task = t.id WHERE id = CAST(?1 AS INTEGER)";

    return rows_query(NULL, store, sql, (const char *[]){task, reason}, 2, error);
}

static bool settle(struct store *store, bool newest, struct merge *merge, struct error *error)
{
    const char *sql =
        newest ? "SELECT kind, text FROM temp.conflict WHERE kind IN ('plan', 'workload')"
               : "SELECT kind, text FROM temp.conflict";

    return rows_query(&merge->conflicts, store, sql, NULL, 0, error) &&
           (merge->conflicts.count == 0 ||
            error_set(error, "%zu conflict%s", merge->conflicts.count,
                      merge->conflicts.count == 1 ? "" : "s"));
}

bool store_merge(const struct merge_request *request, struct merge *merge, struct error *error)
{
    struct store *store;
    char *beside;
    bool done;

    *merge = (struct merge){0};
    if (!is_new(request->out, error))
        return false;
    beside = make_beside(request->out, error);
    if (beside == NULL)
        return false;
    store = store_open(beside, true, error);
    done = store != NULL && take_parts(store, request->dir, request->count, error) &&
           rows_query(&merge->unsummed, store, "SELECT dir, text FROM temp.unsummed", NULL, 0,
                      error) &&
           (request->judge == NULL || request->judge(store, request->context, error)) &&
           settle(store, request->newest, merge, error) && look_at(store, merge, error);
    store_close(store);
    done = done && publish(beside, request->out, error);
    /* SQLite's messages begin with the store that they are about.  */
    merge->unwritten = !done && strstr(error->text, beside) != NULL;
    if (!done)
        throw_away(beside);
    free(beside);
    return done;
}

void store_merge_clear(struct merge *merge)
{
    rows_clear(&merge->experiments);
    rows_clear(&merge->unsummed);
    rows_clear(&merge->conflicts);
}
