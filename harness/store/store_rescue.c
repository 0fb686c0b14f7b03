/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How: each table is read from its beginning until the file is damaged, then from its end, and then
 * by the numbers that rows may have, one by one, which leads past damaged pages in the middle.  */
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
#include "harness/store/store_plan.h"
#include "harness/store/store_sum.h"
#include "harness/store/store_table.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"

/* Before it, provenance was another table.  */
enum { OLDEST = 5 };

struct work {
    sqlite3 *from; /* the damaged file */
    int version;   /* its schema */
    struct store *to;
    struct rescue *rescue;
    struct error *error;
    /* Of the table that is copied.  */
    enum table_id which;
    sqlite3_stmt *insert;
    int64_t newest;  /* the largest number of a row that was read, LARGEST at most */
    int64_t largest; /* of a row in a file of this size; above it a number is damage, too */
};

const char *rescue_table(size_t table)
{
    return store_tables[table].name;
}

/* --- a row --- */

static bool mark_broken(struct work *work, int64_t task)
{
    char text[24];

    snprintf(text, sizeof text, "%" PRId64, task);
    return rows_query(NULL, work->to,
                      "INSERT OR IGNORE INTO temp.broken VALUES (CAST(?1 AS INTEGER))",
                      (const char *[]){text}, 1, work->error);
}

static bool is_of_task(const struct work *work)
{
    return strcmp(store_tables[work->which].column[0].name, "task") == 0;
}

/* The task that a row belongs to must not be kept without it.  */
static bool refuse(struct work *work, sqlite3_stmt *row, int columns)
{
    const char *name = (const char *)sqlite3_column_text(row, columns + 1);
    const char *fault = (const char *)sqlite3_column_text(row, columns);

    if (work->rescue->first[0] == '\0')
        snprintf(work->rescue->first, sizeof work->rescue->first, "%s: %s", name, fault);
    work->rescue->refused++;
    return !is_of_task(work) || mark_broken(work, sqlite3_column_int64(row, 0));
}

/* What is there already, as it was read before, is passed over.  */
static bool keep(struct work *work, sqlite3_stmt *row, int columns)
{
    const int64_t number = sqlite3_column_int64(row, 0); /* 0 where it is none */
    int result;

    if (number > work->newest && number <= work->largest)
        work->newest = number;
    if (sqlite3_column_type(row, columns) != SQLITE_NULL)
        return refuse(work, row, columns);
    for (int i = 0; i < columns; i++)
        sqlite3_bind_value(work->insert, i + 1, sqlite3_column_value(row, i));
    result = sqlite3_step(work->insert);
    sqlite3_reset(work->insert);
    if (result == SQLITE_CONSTRAINT) /* it refers to what is lost */
        work->rescue->refused++;
    else if (result != SQLITE_DONE)
        return store_fault(work->to, work->error);
    return true;
}

/* --- a table --- */

/* The columns that both files have.  */
static char *common_columns(const struct work *work)
{
    const struct table *table = &store_tables[work->which];
    char *text = memory_strdup("");

    for (const struct column *c = table->column; c < table->column + table->count; c++)
        if (c->since <= work->version)
            text = memory_append(text, "%s%s", text[0] == '\0' ? "" : ", ", c->name);
    return text;
}

/* Copies what a query about the table finds, of rows like BEHIND (SQL, with one number).  READ: up
 * to the end.  False with a message when a row can't be written.  */
static bool copy_rows(struct work *work, const char *behind, int64_t number, bool *read)
{
    const struct table *table = &store_tables[work->which];
    char *columns = common_columns(work), *fault = sum_fault(table, work->version);
    char *name = sum_row_name(table);
    char *sql =
        memory_printf("SELECT %s, %s, %s FROM %s %s", columns, fault, name, table->name, behind);
    sqlite3_stmt *row = NULL;
    int result = sqlite3_prepare_v2(work->from, sql, -1, &row, NULL);
    bool done = true;

    if (result == SQLITE_OK)
        sqlite3_bind_int64(row, 1, number); /* where there is none, nothing happens */
    while (result == SQLITE_OK && done && (result = sqlite3_step(row)) == SQLITE_ROW) {
        done = keep(work, row, sqlite3_column_count(row) - 2);
        result = SQLITE_OK;
    }
    *read = result == SQLITE_DONE;
    work->rescue->unreadable |= !*read;
    sqlite3_finalize(row);
    free(sql);
    free(name);
    free(fault);
    free(columns);
    return done;
}

/* "a, b" -> "a DESC, b DESC".  */
static char *from_the_end(const struct table *table)
{
    char *key = sum_key(table), *text = memory_strdup("ORDER BY"), *save = NULL;
    const char *comma = " ";

    for (char *name = strtok_r(key, ", ", &save); name != NULL;
         name = strtok_r(NULL, ", ", &save)) {
        text = memory_append(text, "%s%s DESC", comma, name);
        comma = ", ";
    }
    free(key);
    return text;
}

/* One by one, by the first column: numbers of the table's own, or of what it belongs to.  */
static bool copy_by_number(struct work *work)
{
    const struct table *table = &store_tables[work->which];
    char *where = memory_printf("WHERE %s = ?1", table->column[0].name);
    bool done = true, read;

    for (int64_t number = 1; done && number <= work->newest; number++) {
        done = copy_rows(work, where, number, &read);
        if (done && !read && is_of_task(work))
            done = mark_broken(work, number);
    }
    free(where);
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

static bool prepare_insert(struct work *work)
{
    const struct table *table = &store_tables[work->which];
    char *columns = common_columns(work), *marks = memory_strdup("?"), *sql;
    int result;

    for (const char *at = columns; (at = strchr(at, ',')) != NULL; at++)
        marks = memory_append(marks, ", ?");
    sql = memory_printf("INSERT OR IGNORE INTO %s (%s) VALUES (%s)", table->name, columns, marks);
    result = sqlite3_prepare_v2(work->to->db, sql, -1, &work->insert, NULL);
    free(sql);
    free(marks);
    free(columns);
    return result == SQLITE_OK || store_fault(work->to, work->error);
}

static bool copy_table(struct work *work)
{
    const struct table *table = &store_tables[work->which];
    const bool of_task = is_of_task(work);
    const bool numbered = of_task || strcmp(table->column[0].name, "id") == 0;
    bool read = true, done = prepare_insert(work) && copy_rows(work, "", 0, &read);
    char *backwards = from_the_end(table);

    if (done && !read) {
        done = copy_rows(work, backwards, 0, &read) && (!of_task || find_newest(work)) &&
               (!numbered || copy_by_number(work));
    }
    free(backwards);
    sqlite3_finalize(work->insert);
    work->insert = NULL;
    work->newest = 0;
    if (done && work->which == TABLE_PLAN && work->version < PACKED_SINCE)
        done = store_execute(work->to, PACK_PLANS, work->error);
    return done && sum_anew(work->to, work->which, "", NULL, 0, work->error);
}

/* --- tasks --- */

/* Events are numbered without a gap, but for turns of a final, which stand far behind.  */
static const char find_broken[] =
    "INSERT OR IGNORE INTO temp.broken SELECT id FROM task WHERE CASE kind"
    " WHEN 'plan' THEN id NOT IN (SELECT task FROM plan)"
    " WHEN 'conv' THEN id NOT IN (SELECT task FROM conv)"
    " ELSE id NOT IN (SELECT task FROM execution) END;"
    "INSERT OR IGNORE INTO temp.broken SELECT task FROM measurement WHERE seq < 1000000"
    " GROUP BY task HAVING count(*) <> max(seq) + 1;";

static bool drop_broken(struct work *work)
{
    bool done = store_execute(work->to, find_broken, work->error) &&
                store_execute(work->to, "DELETE FROM task WHERE id IN (SELECT id FROM temp.broken)",
                              work->error);

    work->rescue->dropped = done ? sqlite3_changes(work->to->db) : 0;
    return done;
}

/* What experiments are made of refers to tasks, which come first.  */
static bool copy_all(struct work *work)
{
    bool done = store_execute(work->to, "CREATE TEMP TABLE broken (id INTEGER PRIMARY KEY); BEGIN",
                              work->error);

    for (enum table_id t = 0; done && t < TABLES; t++) {
        work->which = t;
        if (t != TABLE_EXPERIMENT_TASK && store_tables[t].since <= work->version)
            done = copy_table(work);
    }
    done = done && drop_broken(work);
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
        sum_make_known(work->from) &&
        sqlite3_prepare_v2(work->from, "PRAGMA user_version", -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW;

    if (opened)
        work->version = sqlite3_column_int(statement, 0);
    else
        error_set(work->error, "%s: nothing can be read: %s", path, sqlite3_errmsg(work->from));
    sqlite3_finalize(statement);
    if (!opened)
        return false;
    work->largest = largest_number(path);
    /* A number that is none of ours is damage too.  */
    if (work->version > store_schema() || work->version < OLDEST - 1)
        work->version = store_schema();
    return work->version >= OLDEST ||
           error_set(work->error, "%s: of schema %d, rescue knows %d and newer", path,
                     work->version, OLDEST);
}

static bool count_saved(struct work *work)
{
    bool done = true;

    for (size_t t = 0; done && t < TABLES; t++) {
        char *sql = memory_printf("SELECT count(*) FROM %s", store_tables[t].name);
        struct rows rows;

        done = rows_query(&rows, work->to, sql, NULL, 0, work->error);
        if (done)
            work->rescue->saved[t] = atoll(rows_text(&rows, 0, 0));
        rows_clear(&rows);
        free(sql);
    }
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

bool store_rescue(const char *from, const char *to, struct rescue *rescue, struct error *error)
{
    struct work work = {.rescue = rescue, .error = error};
    char *path = memory_printf("%s/results.db", from);
    bool done;

    *rescue = (struct rescue){0};
    done = (access(path, R_OK) == 0 || error_set(error, "%s: %s", path, strerror(errno))) &&
           is_new(to, error) && open_damaged(&work, path);
    if (done) {
        work.to = store_open(to, true, error);
        done = work.to != NULL && copy_all(&work) && count_saved(&work);
    }
    if (work.to != NULL && !done)
        unlink(work.to->path);
    store_close(work.to);
    sqlite3_close(work.from);
    free(path);
    return done;
}
