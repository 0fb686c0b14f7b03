/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How: each table is read from its beginning until the file is damaged, and from its end.  Where
 * that does not meet, the numbers that rows may have are halved until they can be read or are one,
 * which leads past damaged pages in the middle.  Of the rows that are right stay those whose
 * references are, and the tasks that are whole.
 *
 * SQLite's own .recover is no help here: it wants the table sqlite_dbpage, which Debian's sqlite3
 * is built without, and .dump ends at the first page that it can't read.  */
#include <config.h>

#include "harness/store/store_rescue.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/store/rows.h"
#include "harness/store/store.h"
#include "harness/store/store_checksum.h"
#include "harness/store/store_table.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"

const char *rescue_table(size_t table)
{
    return store_tables[table].name;
}

/* --- rows that can be read --- */

/* The number that SQL answers with.  */
static bool ask(struct store *store, const char *sql, int64_t *number, struct error *error)
{
    struct rows answer;
    bool done = rows_query(&answer, store, sql, NULL, 0, error);

    if (done)
        *number = atoll(rows_text(&answer, 0, 0));
    rows_clear(&answer);
    return done;
}

struct reading {
    sqlite3 *from;   /* the damaged file */
    int64_t largest; /* number that a row can have in a file of this size */
    struct store *to;
    struct rescue *rescue;
    struct error *error;
    /* Of the table that is copied.  */
    const struct table *table;
    sqlite3_stmt *rows, *insert;
};

/* A row may be read, and refused, several times; one that is there is passed over.  Behind its
 * columns stand what is wrong with it and what names it.  */
static bool keep(struct reading *reading)
{
    const int columns = sqlite3_column_count(reading->rows) - 2;
    const char *told[] = {(const char *)sqlite3_column_text(reading->rows, columns + 1),
                          (const char *)sqlite3_column_text(reading->rows, columns)};
    int result;

    if (told[1] != NULL)
        return rows_query(NULL, reading->to, "INSERT OR IGNORE INTO temp.refused VALUES (?1, ?2)",
                          told, 2, reading->error);
    for (int i = 0; i < columns; i++)
        sqlite3_bind_value(reading->insert, i + 1, sqlite3_column_value(reading->rows, i));
    result = sqlite3_step(reading->insert);
    sqlite3_reset(reading->insert);
    return result == SQLITE_DONE || store_fault(reading->to, reading->error);
}

/* Reads the table as BEHIND (SQL) says from now on.  */
static bool prepare(struct reading *reading, const char *behind)
{
    const struct table *table = reading->table;
    char *fault = sum_fault(table), *name = sum_row_name(table);
    char *sql = memory_strdup("SELECT ");
    bool done;

    for (const struct column *c = table->column; c < table->column + table->count; c++)
        sql = memory_append(sql, "%s, ", c->name);
    sql = memory_append(sql, "row_checksum, %s, %s FROM %s %s", fault, name, table->name, behind);
    sqlite3_finalize(reading->rows);
    done = sqlite3_prepare_v2(reading->from, sql, -1, &reading->rows, NULL) == SQLITE_OK;
    reading->rescue->unreadable |= !done;
    free(sql);
    free(name);
    free(fault);
    return done;
}

/* Copies what is found, of rows with numbers from LOW to HIGH if it is so prepared.  READ: up to
 * the end.  False with a message when a row can't be written.  */
static bool copy_rows(struct reading *reading, int64_t low, int64_t high, bool *read)
{
    int result = SQLITE_ROW;
    bool done = true;

    sqlite3_bind_int64(reading->rows, 1, low); /* where there is none, nothing happens */
    sqlite3_bind_int64(reading->rows, 2, high);
    while (done && (result = sqlite3_step(reading->rows)) == SQLITE_ROW)
        done = keep(reading);
    sqlite3_reset(reading->rows);
    *read = result == SQLITE_DONE;
    reading->rescue->unreadable |= !*read;
    return done;
}

/* Halves what can't be read until it is no wider than LEAST.  */
static bool copy_between(struct reading *reading, int64_t low, int64_t high, uint64_t least)
{
    const uint64_t width = (uint64_t)high - (uint64_t)low;
    const int64_t middle = (int64_t)((uint64_t)low + width / 2);
    bool read;

    if (!copy_rows(reading, low, high, &read))
        return false;
    return read || width <= least ||
           (copy_between(reading, low, middle, least) &&
            copy_between(reading, middle + 1, high, least));
}

static bool copy_downwards(struct reading *reading)
{
    char *key = reading->table->rowless ? sum_key(reading->table) : memory_strdup("rowid");
    char *order = memory_strdup("ORDER BY"), *save = NULL;
    bool done, read;

    for (char *name = strtok_r(key, ", ", &save); name != NULL; name = strtok_r(NULL, ", ", &save))
        order = memory_append(order, "%s %s DESC", name == key ? "" : ",", name);
    done = !prepare(reading, order) || copy_rows(reading, 0, 0, &read);
    free(order);
    free(key);
    return done;
}

static bool belongs_to_task(const struct table *table)
{
    for (const struct column *c = table->column; c < table->column + table->count; c++)
        if (store_referred(c) == &store_tables[TABLE_TASK])
            return true;
    return false;
}

/* A row's number is its own, or that of its task, which was copied before.  Checksums are as likely
 * anywhere.  */
static bool copy_numbers(struct reading *reading)
{
    const struct column *first = &reading->table->column[0];
    const bool of_task = belongs_to_task(reading->table);
    int64_t newest = reading->largest;

    if ((!of_task && strcmp(first->name, "id") != 0) ||
        !prepare(reading, of_task ? "WHERE task BETWEEN ?1 AND ?2" : "WHERE id BETWEEN ?1 AND ?2"))
        return true;
    if (!of_task && first->offset != COLUMN_NOWHERE)
        return copy_between(reading, INT64_MIN, INT64_MAX, UINT64_MAX / (uint64_t)newest);
    return (!of_task ||
            ask(reading->to, "SELECT coalesce(max(id), 0) FROM task", &newest, reading->error)) &&
           copy_between(reading, 1, max64(1, min64(newest, reading->largest)), 0);
}

/* Not along an index, which may be damaged, too.  */
static bool copy_table(struct reading *reading)
{
    const struct table *table = reading->table;
    char *sql = memory_printf("INSERT OR IGNORE INTO %s VALUES (?", table->name);
    bool done, read = false;

    for (size_t c = 0; c < table->count; c++)
        sql = memory_append(sql, ", ?");
    sql = memory_append(sql, ")");
    done = sqlite3_prepare_v2(reading->to->db, sql, -1, &reading->insert, NULL) == SQLITE_OK ||
           store_fault(reading->to, reading->error);
    if (done && prepare(reading, ""))
        done = copy_rows(reading, 0, 0, &read);
    if (done && !read)
        done = copy_downwards(reading) && copy_numbers(reading);
    sqlite3_finalize(reading->rows);
    sqlite3_finalize(reading->insert);
    reading->rows = reading->insert = NULL;
    free(sql);
    return done;
}

/* A row takes more bytes than this, with its indices, and few numbers are of rows that are gone. */
static int64_t largest_number(const char *path)
{
    enum { LEAST_BYTES = 16 };
    struct stat status;

    return stat(path, &status) == 0 ? (int64_t)status.st_size / LEAST_BYTES + 1 : 1;
}

static bool is_of_schema(sqlite3 *from, const char *path, struct error *error)
{
    static const char sql[] = "SELECT application_id, user_version FROM pragma_application_id,"
                              " pragma_user_version";
    sqlite3_stmt *row = NULL;
    bool done = sqlite3_prepare_v2(from, sql, -1, &row, NULL) == SQLITE_OK &&
                sqlite3_step(row) == SQLITE_ROW;

    if (!done)
        error_set(error, "%s: nothing can be read: %s", path, sqlite3_errmsg(from));
    else if (sqlite3_column_int(row, 0) == STORE_APPLICATION &&
             sqlite3_column_int(row, 1) != STORE_SCHEMA)
        done = error_set(error, "%s: results of schema %d, this arenabench reads schema %d", path,
                         sqlite3_column_int(row, 1), STORE_SCHEMA);
    sqlite3_finalize(row);
    return done;
}

/* --- what the tables are --- */

/* The rows of the schema, in the order in which a new store has them, as one text.  */
static char *schema_text(sqlite3 *db)
{
    static const char sql[] = "SELECT group_concat(quote(type) || quote(name) || quote(tbl_name) ||"
                              " quote(sql), ' ') FROM (SELECT * FROM sqlite_schema ORDER BY rowid)";
    sqlite3_stmt *row = NULL;
    char *text = NULL;

    if (sqlite3_prepare_v2(db, sql, -1, &row, NULL) == SQLITE_OK &&
        sqlite3_step(row) == SQLITE_ROW && sqlite3_column_type(row, 0) == SQLITE_TEXT)
        text = memory_strdup((const char *)sqlite3_column_text(row, 0));
    sqlite3_finalize(row);
    return text;
}

/* Gives the schema of COPY the texts of that of GOOD.  */
static bool write_schema(sqlite3 *copy, sqlite3 *good)
{
    static const char asked[] = "SELECT type, name, tbl_name, sql, rowid FROM sqlite_schema";
    static const char told[] = "UPDATE sqlite_schema SET type = ?1, name = ?2, tbl_name = ?3,"
                               " sql = ?4 WHERE rowid = ?5";
    sqlite3_stmt *from = NULL, *to = NULL;
    bool done = sqlite3_db_config(copy, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, NULL) == SQLITE_OK &&
                sqlite3_prepare_v2(good, asked, -1, &from, NULL) == SQLITE_OK &&
                sqlite3_prepare_v2(copy, told, -1, &to, NULL) == SQLITE_OK;

    while (done && sqlite3_step(from) == SQLITE_ROW) {
        for (int i = 0; i < sqlite3_column_count(from); i++)
            sqlite3_bind_value(to, i + 1, sqlite3_column_value(from, i));
        done = sqlite3_step(to) == SQLITE_DONE && sqlite3_reset(to) == SQLITE_OK;
    }
    sqlite3_finalize(from);
    sqlite3_finalize(to);
    return done &&
           sqlite3_exec(copy, "PRAGMA writable_schema = RESET", NULL, NULL, NULL) == SQLITE_OK &&
           sqlite3_db_config(copy, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, NULL) == SQLITE_OK;
}

/* Which columns a table has is known: where the damaged file says something else, a copy of its
 * pages that says the same as a new store takes its place, so that one letter does not cost a
 * table.  */
static void mend_schema(struct reading *reading)
{
    char *is = schema_text(reading->from), *should = schema_text(reading->to->db);
    sqlite3 *copy = NULL;
    sqlite3_backup *pages = NULL;

    if (is == NULL || should == NULL || strcmp(is, should) != 0) {
        if (sqlite3_open_v2("", &copy, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) ==
            SQLITE_OK)
            pages = sqlite3_backup_init(copy, "main", reading->from, "main");
        if (pages != NULL)
            sqlite3_backup_step(pages, -1);
        if (pages != NULL && sqlite3_backup_finish(pages) == SQLITE_OK &&
            write_schema(copy, reading->to->db) && sum_make_known(copy)) {
            sqlite3_close(reading->from);
            reading->from = copy;
            copy = NULL;
        }
        sqlite3_close(copy);
    }
    free(is);
    free(should);
}

/* Copies the rows that are right by themselves.  */
static bool copy_all(struct store *to, const char *path, struct rescue *rescue, struct error *error)
{
    struct reading reading = {
        .to = to, .rescue = rescue, .error = error, .largest = largest_number(path)};
    bool done =
        sqlite3_open_v2(path, &reading.from, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
        sqlite3_db_config(reading.from, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, NULL) == SQLITE_OK &&
        sum_make_known(reading.from) && is_of_schema(reading.from, path, error);

    if (done)
        mend_schema(&reading);
    for (enum table_id t = 0; done && t < TABLES; t++) {
        reading.table = &store_tables[t];
        done = copy_table(&reading);
    }
    sqlite3_close(reading.from);
    return done;
}

/* --- whose references are right --- */

/* Whether a row of TABLE stays without what it refers to in OF: that is only where it comes from.
 */
static bool may_be_lost(const struct table *table, const struct table *of)
{
    return (of <= &store_tables[TABLE_SWEEP] && !table->rowless) ||
           table == &store_tables[TABLE_BASE] || of == &store_tables[TABLE_FORM];
}

static bool check_reference(struct store *to, enum table_id which, const struct column *column,
                            struct error *error)
{
    const struct table *table = &store_tables[which], *of = store_referred(column);
    char *name, *sql, *lost;
    bool done;

    if (of == NULL)
        return true;
    lost = memory_printf("WHERE %s IS NOT NULL AND %s NOT IN (SELECT id FROM main.%s)",
                         column->name, column->name, of->name);
    name = sum_row_name(table);
    if (may_be_lost(table, of))
        sql = memory_printf("UPDATE main.%s SET %s = NULL %s", table->name, column->name, lost);
    else
        sql = memory_printf(
            "INSERT OR IGNORE INTO temp.refused SELECT %s, 'it refers to what is lost'"
            " FROM main.%s %s; DELETE FROM main.%s %s",
            name, table->name, lost, table->name, lost);
    done = store_execute(to, sql, error) &&
           (sqlite3_changes(to->db) == 0 ||
            sum_anew(to, which, "WHERE row_checksum IS NOT NULL", NULL, 0, error));
    free(sql);
    free(name);
    free(lost);
    return done;
}

/* What refers to a row goes with it.  */
static bool check_references(struct store *to, struct error *error)
{
    bool done = store_execute(to, "PRAGMA foreign_keys = ON; BEGIN", error);

    for (enum table_id t = 0; done && t < TABLES; t++)
        for (size_t c = 0; done && c < store_tables[t].count; c++)
            done = check_reference(to, t, &store_tables[t].column[c], error);
    return done;
}

/* --- tasks that are whole --- */

/* A task knows how many rows of each it has.  */
static const char find_lost[] =
    "CREATE TEMP TABLE lost AS SELECT id AS task, kind,"
    " events <> (SELECT count(*) FROM measurement m WHERE m.task = t.id) AS of_events,"
    " statistics <> (SELECT count(*) FROM statistic s WHERE s.task = t.id) AS of_statistics"
    " FROM task t WHERE of_events OR of_statistics;";

/* A plan is one without the improvements that led to it and without what its search counted, but
 * half of these would be wrong.  */
static const char drop_tasks[] =
    "DELETE FROM task WHERE CASE kind WHEN 'plan' THEN id NOT IN (SELECT task FROM plan)"
    " WHEN 'conv' THEN id NOT IN (SELECT task FROM conv)"
    " WHEN 'run' THEN id NOT IN (SELECT task FROM execution)"
    " ELSE id NOT IN (SELECT task FROM split) END"
    " OR id IN (SELECT task FROM temp.lost WHERE %d)";
static const char drop_parts[] =
    "DELETE FROM measurement WHERE task IN (SELECT task FROM temp.lost WHERE of_events);"
    "DELETE FROM statistic WHERE task IN (SELECT task FROM temp.lost WHERE of_statistics)";

static bool drop_lost(struct store *to, bool whole, struct rescue *rescue, struct error *error)
{
    char *tasks = memory_printf(drop_tasks, whole);
    bool done = store_execute(to, find_lost, error) && store_execute(to, tasks, error);

    rescue->dropped = done ? sqlite3_changes(to->db) : 0;
    done = done && store_execute(to, drop_parts, error) &&
           ask(to, "SELECT count(*) FROM task WHERE id IN (SELECT task FROM temp.lost)",
               &rescue->partial, error) &&
           ask(to,
               "SELECT count(*) FROM task t LEFT JOIN sweep s ON s.id = t.sweep"
               " WHERE s.build IS NULL OR s.machine IS NULL",
               &rescue->homeless, error);
    free(tasks);
    return done;
}

/* --- all of it --- */

static bool count_saved(struct store *to, struct rescue *rescue, struct error *error)
{
    struct rows first;
    bool done = rows_query(&first, to,
                           "SELECT name || ': ' || fault FROM temp.refused ORDER BY rowid LIMIT 1",
                           NULL, 0, error) &&
                ask(to, "SELECT count(*) FROM temp.refused", &rescue->refused, error);

    if (first.count > 0)
        snprintf(rescue->first, sizeof rescue->first, "%s", rows_text(&first, 0, 0));
    rows_clear(&first);
    for (size_t t = 0; done && t < TABLES; t++) {
        char *sql = memory_printf("SELECT count(*) FROM main.%s", store_tables[t].name);

        done = ask(to, sql, &rescue->saved[t], error);
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

static bool save(struct store *to, const char *path, bool whole, struct rescue *rescue,
                 struct error *error)
{
    return store_execute(to,
                         "CREATE TEMP TABLE refused (name TEXT UNIQUE, fault TEXT);"
                         "PRAGMA foreign_keys = OFF; BEGIN",
                         error) &&
           copy_all(to, path, rescue, error) && store_execute(to, "COMMIT", error) &&
           check_references(to, error) && drop_lost(to, whole, rescue, error) &&
           count_saved(to, rescue, error) && store_execute(to, "COMMIT", error);
}

bool store_rescue(const char *from, const char *to, bool whole, struct rescue *rescue,
                  struct error *error)
{
    char *path = memory_printf("%s/results.db", from);
    struct store *store = NULL;
    bool done = (access(path, R_OK) == 0 || error_set(error, "%s: %s", path, strerror(errno))) &&
                is_new(to, error);

    *rescue = (struct rescue){0};
    if (done)
        store = store_open(to, true, error);
    done = store != NULL && save(store, path, whole, rescue, error);
    if (store != NULL && !done)
        unlink(store->path);
    store_close(store);
    free(path);
    return done;
}
