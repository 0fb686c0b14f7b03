/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How: each table is read from its beginning until the file is damaged, and from its end.  What is
 * left between, by the numbers that rows may have, is halved until it can be read or is one number,
 * which leads past damaged pages in the middle.  */
#include <config.h>

#include "harness/store/store_rescue.h"

#include <errno.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/store/rows.h"
#include "harness/store/store.h"
#include "harness/store/store_sum.h"
#include "harness/store/store_table.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"

struct work {
    sqlite3 *from; /* the damaged file */
    struct store *to;
    struct rescue *rescue;
    struct error *error;
    /* Of the table that is copied.  */
    enum table_id which;
    const char *number; /* the column with its number, or that of its task; NULL: it has none */
    sqlite3_stmt *insert, *read;
    int64_t newest;  /* the largest number of a row that was read, LARGEST at most */
    int64_t largest; /* of a row in a file of this size; above it a number is damage, too */
};

const char *rescue_table(size_t table)
{
    return store_tables[table].name;
}

/* How many rows WHAT (SQL: a table, or some of its rows) are.  */
static bool count(struct store *store, const char *what, int64_t *rows, struct error *error)
{
    char *sql = memory_printf("SELECT count(*) FROM %s", what);
    struct rows answer;
    bool done = rows_query(&answer, store, sql, NULL, 0, error);

    if (done)
        *rows = atoll(rows_text(&answer, 0, 0));
    rows_clear(&answer);
    free(sql);
    return done;
}

/* --- a row --- */

/* That a row of the table that is copied is lost to TASK.  */
static bool note_lost(struct work *work, int64_t task)
{
    char text[24], table[24];

    snprintf(text, sizeof text, "%" PRId64, task);
    snprintf(table, sizeof table, "%d", (int)work->which);
    return rows_query(NULL, work->to,
                      "INSERT OR IGNORE INTO temp.lost VALUES (CAST(?1 AS INTEGER), CAST(?2 AS"
                      " INTEGER))",
                      (const char *[]){text, table}, 2, work->error);
}

/* What a task may have any number of rows of, so that nobody sees that one is missing.  */
static bool is_part(const struct work *work)
{
    return work->which == TABLE_MEASUREMENT || work->which == TABLE_STATISTIC;
}

/* It may be read, and refused, several times.  */
static bool refuse(struct work *work, sqlite3_stmt *row, int columns, const char *fault)
{
    const char *name = (const char *)sqlite3_column_text(row, columns + 1);

    if (work->rescue->first[0] == '\0')
        snprintf(work->rescue->first, sizeof work->rescue->first, "%s: %s", name, fault);
    return rows_query(NULL, work->to, "INSERT OR IGNORE INTO temp.refused VALUES (?1)", &name, 1,
                      work->error) &&
           (!is_part(work) || note_lost(work, sqlite3_column_int64(row, 0)));
}

/* What is there already, as it was read before, is passed over.  */
static bool keep(struct work *work, sqlite3_stmt *row, int columns)
{
    const int64_t number = sqlite3_column_int64(row, columns + 2); /* 0 where it is none */
    int result;

    if (number > work->newest && number <= work->largest)
        work->newest = number;
    if (sqlite3_column_type(row, columns) != SQLITE_NULL)
        return refuse(work, row, columns, (const char *)sqlite3_column_text(row, columns));
    if (work->number != NULL && number < 1) /* of zeros, in a page that has lost its end */
        return refuse(work, row, columns, "nothing has this number");
    for (int i = 0; i < columns; i++)
        sqlite3_bind_value(work->insert, i + 1, sqlite3_column_value(row, i));
    result = sqlite3_step(work->insert);
    sqlite3_reset(work->insert);
    if (result == SQLITE_CONSTRAINT)
        return refuse(work, row, columns, "it refers to what is lost");
    return result == SQLITE_DONE || store_fault(work->to, work->error);
}

/* --- a table --- */

static char *all_columns(const struct work *work)
{
    const struct table *table = &store_tables[work->which];
    char *text = memory_strdup("");

    for (const struct column *c = table->column; c < table->column + table->count; c++)
        text = memory_append(text, "%s, ", c->name);
    return memory_append(text, "row_checksum");
}

static const char *number_column(const struct table *table)
{
    for (const struct column *c = table->column; c < table->column + table->count; c++)
        if (strcmp(c->name, "task") == 0)
            return c->name;
    return strcmp(table->column[0].name, "id") == 0 ? "id" : NULL;
}

/* Reads the table as BEHIND (SQL) says from now on.  */
static bool prepare(struct work *work, const char *behind)
{
    const struct table *table = &store_tables[work->which];
    char *columns = all_columns(work), *fault = sum_fault(table);
    char *name = sum_row_name(table);
    char *sql = memory_printf("SELECT %s, %s, %s, %s FROM %s %s", columns, fault, name,
                              work->number == NULL ? "0" : work->number, table->name, behind);
    bool done;

    sqlite3_finalize(work->read);
    done = sqlite3_prepare_v2(work->from, sql, -1, &work->read, NULL) == SQLITE_OK;
    work->rescue->unreadable |= !done;
    free(sql);
    free(name);
    free(fault);
    free(columns);
    return done;
}

/* Copies what is found, of rows with numbers from LOW to HIGH if it is so prepared.  READ: up to
 * the end.  False with a message when a row can't be written.  */
static bool copy_rows(struct work *work, int64_t low, int64_t high, bool *read)
{
    int result = SQLITE_ROW;
    bool done = true;

    sqlite3_bind_int64(work->read, 1, low); /* where there is none, nothing happens */
    sqlite3_bind_int64(work->read, 2, high);
    while (done && (result = sqlite3_step(work->read)) == SQLITE_ROW)
        done = keep(work, work->read, sqlite3_column_count(work->read) - 3);
    sqlite3_reset(work->read);
    *read = result == SQLITE_DONE;
    work->rescue->unreadable |= !*read;
    return done;
}

/* From its beginning; not along an index, which may be damaged, too.  */
static bool copy_upwards(struct work *work, bool *read)
{
    *read = false;
    return !prepare(work, "") || copy_rows(work, 0, 0, read);
}

static bool copy_downwards(struct work *work)
{
    const struct table *table = &store_tables[work->which];
    char *key = table->rowless ? sum_key(table) : memory_strdup("rowid"), *save = NULL;
    char *order = memory_strdup("ORDER BY");
    bool done, read;

    for (char *name = strtok_r(key, ", ", &save); name != NULL; name = strtok_r(NULL, ", ", &save))
        order = memory_append(order, "%s %s DESC", name == key ? "" : ",", name);
    done = !prepare(work, order) || copy_rows(work, 0, 0, &read);
    free(order);
    free(key);
    return done;
}

static bool copy_between(struct work *work, int64_t low, int64_t high)
{
    const int64_t middle = low + (high - low) / 2;
    bool read;

    if (!copy_rows(work, low, high, &read))
        return false;
    if (read)
        return true;
    if (low >= high)
        return !is_part(work) || note_lost(work, low);
    return copy_between(work, low, middle) && copy_between(work, middle + 1, high);
}

/* Rows behind the last one that was read may be there: looks for such at growing distances.  */
static bool look_behind(struct work *work)
{
    const int64_t newest = work->newest;
    bool done = true, read;

    for (int64_t step = 1; done && step <= work->largest - newest; step *= 2)
        done = copy_rows(work, newest + step, work->largest, &read);
    return done;
}

/* The largest number of a task, of what a table may belong to.  */
static bool find_newest(struct work *work)
{
    struct rows rows;
    bool done =
        rows_query(&rows, work->to, "SELECT coalesce(max(id), 0) FROM task", NULL, 0, work->error);

    if (done)
        work->newest = min64(atoll(rows_text(&rows, 0, 0)), work->largest);
    rows_clear(&rows);
    return done;
}

/* What says where rows come from may be lost to them.  */
static bool is_origin(const struct column *column, const char **table)
{
    static const char *const origins[] = {"build", "machine", "sweep"};
    static const char rule[] = "REFERENCES ";

    for (size_t i = 0; i < sizeof origins / sizeof origins[0]; i++) {
        *table = origins[i];
        if (column->rule != NULL && strncmp(column->rule, rule, sizeof rule - 1) == 0 &&
            strcmp(column->rule + sizeof rule - 1, *table) == 0)
            return true;
    }
    return false;
}

static bool prepare_insert(struct work *work)
{
    const struct table *table = &store_tables[work->which];
    char *columns = all_columns(work), *values = memory_strdup(""), *sql;
    const char *origin;
    int result;

    for (const struct column *c = table->column; c < table->column + table->count; c++)
        if (is_origin(c, &origin))
            values = memory_append(values, "(SELECT id FROM %s WHERE id = ?), ", origin);
        else
            values = memory_append(values, "?, ");
    sql = memory_printf("INSERT OR IGNORE INTO %s (%s) VALUES (%s?)", table->name, columns, values);
    result = sqlite3_prepare_v2(work->to->db, sql, -1, &work->insert, NULL);
    free(sql);
    free(values);
    free(columns);
    return result == SQLITE_OK || store_fault(work->to, work->error);
}

static bool copy_numbers(struct work *work)
{
    char *between = memory_printf("WHERE %s BETWEEN ?1 AND ?2", work->number);
    bool done = true;

    if (prepare(work, between)) {
        done = strcmp(work->number, "id") == 0 ? look_behind(work) : find_newest(work);
        done = done && copy_between(work, 1, work->newest);
    }
    free(between);
    return done;
}

static bool copy_table(struct work *work)
{
    bool read, done;

    work->newest = 0;
    work->number = number_column(&store_tables[work->which]);
    done = prepare_insert(work) && copy_upwards(work, &read) &&
           (read || (copy_downwards(work) && (work->number == NULL || copy_numbers(work))));
    sqlite3_finalize(work->read);
    sqlite3_finalize(work->insert);
    work->read = work->insert = NULL;
    return done &&
           sum_anew(work->to, work->which, "WHERE row_checksum IS NOT NULL", NULL, 0, work->error);
}

/* --- tasks --- */

/* Events are numbered without a gap, but for turns of a final, which stand far behind.  */
static const char find_lost[] =
    "INSERT OR IGNORE INTO temp.lost SELECT task, %d FROM measurement WHERE seq < 1000000"
    " GROUP BY task HAVING count(*) <> max(seq) + 1";

/* Kernels and runs are nothing without their turns and rounds; a plan is one without the
 * improvements that led to it and without what its search counted, but half of these would be
 * wrong.  */
static const char drop_tasks[] =
    "DELETE FROM task WHERE CASE kind WHEN 'plan' THEN id NOT IN (SELECT task FROM plan)"
    " WHEN 'conv' THEN id NOT IN (SELECT task FROM conv)"
    " ELSE id NOT IN (SELECT task FROM execution) END OR id IN"
    " (SELECT task FROM temp.lost WHERE %d OR part = %d AND kind <> 'plan')";
static const char drop_parts[] =
    "DELETE FROM measurement WHERE task IN (SELECT task FROM temp.lost WHERE part = %d);"
    "DELETE FROM statistic WHERE task IN (SELECT task FROM temp.lost WHERE part = %d)";

static bool drop_lost(struct work *work, bool whole)
{
    struct rescue *rescue = work->rescue;
    char *find = memory_printf(find_lost, TABLE_MEASUREMENT);
    char *tasks = memory_printf(drop_tasks, whole, TABLE_MEASUREMENT);
    char *parts = memory_printf(drop_parts, TABLE_MEASUREMENT, TABLE_STATISTIC);
    bool done =
        store_execute(work->to, find, work->error) && store_execute(work->to, tasks, work->error);

    rescue->dropped = done ? sqlite3_changes(work->to->db) : 0;
    done = done && store_execute(work->to, parts, work->error) &&
           count(work->to, "task WHERE id IN (SELECT task FROM temp.lost)", &rescue->partial,
                 work->error) &&
           count(work->to,
                 "task t LEFT JOIN sweep s ON s.id = t.sweep WHERE s.build IS NULL OR s.machine IS"
                 " NULL",
                 &rescue->homeless, work->error);
    free(parts);
    free(tasks);
    free(find);
    return done;
}

/* What experiments are made of refers to tasks, which come first.  */
static bool copy_all(struct work *work, bool whole)
{
    bool done = store_execute(work->to,
                              "CREATE TEMP TABLE lost (task INTEGER, part INTEGER,"
                              " PRIMARY KEY (task, part)) WITHOUT ROWID;"
                              "CREATE TEMP TABLE refused (name TEXT PRIMARY KEY) WITHOUT ROWID;"
                              "BEGIN",
                              work->error);

    for (enum table_id t = 0; done && t < TABLES; t++) {
        work->which = t;
        if (t != TABLE_EXPERIMENT_TASK)
            done = copy_table(work);
    }
    done = done && drop_lost(work, whole);
    work->which = TABLE_EXPERIMENT_TASK;
    return done && copy_table(work) && store_execute(work->to, "COMMIT", work->error);
}

/* --- the files --- */

/* A row takes more bytes than this, with its indices, and few numbers are of rows that are gone. */
static int64_t largest_number(const char *path)
{
    enum { LEAST_BYTES = 16 };
    struct stat status;

    return stat(path, &status) == 0 ? (int64_t)status.st_size / LEAST_BYTES : 0;
}

static bool open_damaged(struct work *work, const char *path)
{
    sqlite3_stmt *statement = NULL;
    bool opened =
        sqlite3_open_v2(path, &work->from, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
        sqlite3_db_config(work->from, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, NULL) == SQLITE_OK &&
        sum_make_known(work->from) &&
        sqlite3_prepare_v2(work->from, "PRAGMA user_version", -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW;

    if (!opened)
        error_set(work->error, "%s: nothing can be read: %s", path, sqlite3_errmsg(work->from));
    sqlite3_finalize(statement);
    work->largest = largest_number(path);
    return opened;
}

static bool count_saved(struct work *work)
{
    bool done = count(work->to, "temp.refused", &work->rescue->refused, work->error);

    for (size_t t = 0; done && t < TABLES; t++)
        done = count(work->to, store_tables[t].name, &work->rescue->saved[t], work->error);
    return done;
}

static bool is_new(const char *to, struct error *error)
{
    char *path = memory_printf("%s/results.db", to);
    bool there = access(path, F_OK) == 0;

    if (there)
        error_set(error, "%s: there are results already; expected a new folder", path);
    free(path);
    return !there;
}

bool store_rescue(const char *from, const char *to, bool whole, struct rescue *rescue,
                  struct error *error)
{
    struct work work = {.rescue = rescue, .error = error};
    char *path = memory_printf("%s/results.db", from);
    bool done;

    *rescue = (struct rescue){0};
    done = (access(path, R_OK) == 0 || error_set(error, "%s: %s", path, strerror(errno))) &&
           is_new(to, error) && open_damaged(&work, path);
    if (done) {
        work.to = store_open(to, true, error);
        done = work.to != NULL && copy_all(&work, whole) && count_saved(&work);
    }
    if (work.to != NULL && !done)
        unlink(work.to->path);
    store_close(work.to);
    sqlite3_close(work.from);
    free(path);
    return done;
}
