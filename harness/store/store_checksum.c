/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/store/store_checksum.h"

#include <sqlite3.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/store/rows.h"
#include "harness/store/store_plan.h"
#include "lib/base/checksum.h"
#include "lib/base/memory.h"

/* --- the checksum --- */

/* Of all arguments, with their types.  */
static void row_sum(sqlite3_context *context, int count, sqlite3_value **value)
{
    uint64_t sum = CHECKSUM_START;

    for (int i = 0; i < count; i++) {
        const int type = sqlite3_value_type(value[i]);
        const double real = sqlite3_value_double(value[i]);

        sum = checksum_int(sum, type);
        if (type == SQLITE_INTEGER) {
            sum = checksum_int(sum, sqlite3_value_int64(value[i]));
        } else if (type == SQLITE_FLOAT) {
            int64_t bits;

            memcpy(&bits, &real, sizeof bits);
            sum = checksum_int(sum, bits);
        } else if (type != SQLITE_NULL) {
            const void *data = sqlite3_value_blob(value[i]);
            const int length = sqlite3_value_bytes(value[i]);

            sum = checksum_bytes(checksum_int(sum, length), data, (size_t)length);
        }
    }
    /* Signed, so that SQLite keeps it in four bytes.  */
    sqlite3_result_int64(context, (int64_t)((sum ^ sum >> 32) & UINT32_MAX) - INT64_C(2147483648));
}

bool sum_make_known(sqlite3 *db)
{
    return sqlite3_create_function_v2(db, "row_sum", -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL,
                                      row_sum, NULL, NULL, NULL) == SQLITE_OK &&
           plan_make_known(db);
}

bool sum_includes(const struct column *column)
{
    return column->offset != COLUMN_NOWHERE || column->made != NULL;
}

void sum_write_call(FILE *out, const struct table *table, bool later)
{
    const char *comma = "";

    fputs("row_sum(", out);
    for (const struct column *c = table->column; c < table->column + table->count; c++) {
        if (!sum_includes(c))
            continue;
        if (c->later != later)
            fprintf(out, "%s%s", comma, later ? c->name : "NULL");
        else if (c->offset == COLUMN_NOWHERE)
            fprintf(out, "%s%s", comma, c->made);
        else
            fprintf(out, "%s:%s", comma, c->name);
        comma = ", ";
    }
    fputc(')', out);
}

/* The call for rows that are there.  */
static void write_stored_call(FILE *out, const struct table *table)
{
    const char *comma = "";

    fputs("row_sum(", out);
    for (const struct column *c = table->column; c < table->column + table->count; c++)
        if (sum_includes(c)) {
            fprintf(out, "%s%s", comma, c->name);
            comma = ", ";
        }
    fputc(')', out);
}

bool sum_anew(struct store *store, enum table_id which, const char *where,
              const char *const *parameters, int count, struct error *error)
{
    const struct table *table = &store_tables[which];
    char *sql = NULL;
    size_t length;
    FILE *out = memory_stream(&sql, &length);
    bool done;

    fprintf(out, "UPDATE %s SET row_checksum = ", table->name);
    write_stored_call(out, table);
    fprintf(out, " %s", where);
    memory_stream_close(out);
    done = rows_query(NULL, store, sql, parameters, count, error);
    free(sql);
    return done;
}

/* --- what must hold --- */

/* What FAULT is true of is no value that COLUMN of TABLE can have.  */
static const struct range {
    enum table_id table;
    const char *column, *fault;
} ranges[] = {
    {TABLE_BUILD, "id", "id < 1"},
    {TABLE_MACHINE, "id", "id < 1"},
    {TABLE_SWEEP, "id", "id < 1"},
    {TABLE_WORKLOAD, "id", "id < 1"},
    {TABLE_TASK, "id", "id < 1"},
    {TABLE_PROVENANCE, "kind", "kind NOT IN ('build', 'machine', 'sweep')"},
    {TABLE_EXPERIMENT, "size", "size NOT IN ('quick', 'full')"},
    {TABLE_EXPERIMENT, "used_s", "used_s < 0"},
    {TABLE_EXPERIMENT, "tasks", "tasks < 0"},
    {TABLE_WORKLOAD, "kind", "kind NOT IN ('network', 'generator', 'file', 'layer')"},
    {TABLE_WORKLOAD, "checksum", "length(checksum) <> 16"},
    {TABLE_WORKLOAD, "n", "n < 0"},
    {TABLE_WORKLOAD, "pairs", "pairs < 0"},
    {TABLE_WORKLOAD, "load", "load < 0"},
    {TABLE_WORKLOAD, "width", "width < 0"},
    {TABLE_WORKLOAD, "max_size", "max_size < 0"},
    {TABLE_WORKLOAD, "total", "total < 0"},
    {TABLE_WORKLOAD, "w", "w < 0"},
    {TABLE_EXPERIMENT_TASK, "size", "size NOT IN ('quick', 'full')"},
    {TABLE_EXPERIMENT_TASK, "seq", "seq < 0"},
    {TABLE_TASK, "kind", "kind NOT IN ('plan', 'conv', 'run', 'fit')"},
    {TABLE_TASK, "outcome",
     "outcome NOT IN ('invalid', 'optimal', 'timeout', 'memout', 'crashed', 'feasible', 'measured',"
     " 'skipped')"},
    {TABLE_TASK, "time_s", "time_s < 0"},
    {TABLE_TASK, "cpu_s", "cpu_s < 0"},
    {TABLE_TASK, "rss_bytes", "rss_bytes < 0"},
    {TABLE_PLAN, "layout", "layout NOT IN ('arena', 'objects', 'separate')"},
    {TABLE_PLAN, "replay", "replay NOT IN ('none', 'bytes', 'scaled', 'segments')"},
    {TABLE_PLAN, "lower_bound", "lower_bound < 0"},
    {TABLE_PLAN, "nodes", "nodes < 0"},
    {TABLE_CONV, "threads", "threads < 0"},
    {TABLE_CONV, "rounds", "rounds <> coalesce(length(turn_s), 0) / 8.0"},
    {TABLE_CONV, "rounds", "length(turn_at_s) <> length(turn_s)"},
    {TABLE_CONV, "final_rounds",
     "coalesce(final_rounds, 0) <> coalesce(length(final_turn_s), 0) / 8.0"},
    {TABLE_EXECUTION, "threads", "threads < 0"},
    {TABLE_EXECUTION, "rounds", "rounds <> coalesce(length(round_s), 0) / 8.0"},
    {TABLE_SPLIT, "capacity", "capacity < 0"},
    {TABLE_SPLIT, "cost", "cost < lower_bound"},
    {TABLE_SPLIT, "outside", "outside NOT BETWEEN 0 AND 1"},
    {TABLE_MEASUREMENT, "seq", "seq < 0"},
    {TABLE_MEASUREMENT, "name", "name NOT IN ('incumbent', 'bound', 'joined_bound')"},
};

/* What SQL says of a column that holds another type.  */
static const char *type_fault(enum column_kind kind)
{
    static const char *const faults[] = {
        [COLUMN_INT] = "typeof(%s) NOT IN ('integer', 'null')",
        [COLUMN_FLAG] = "coalesce(%s, 0) NOT IN (0, 1)",
        [COLUMN_REAL] = "typeof(%s) NOT IN ('real', 'null')",
        [COLUMN_TEXT] = "typeof(%s) NOT IN ('text', 'null')",
        [COLUMN_CHECKSUM] = "typeof(%s) <> 'text'",
        [COLUMN_BLOB] = "typeof(%s) NOT IN ('blob', 'null')",
        [COLUMN_DOUBLES] = "typeof(%s) NOT IN ('blob', 'null')",
    };

    return faults[kind];
}

static void write_type_fault(FILE *out, const struct column *column)
{
    const char *fault = type_fault(column->kind), *gap = strstr(fault, "%s");

    fprintf(out, " WHEN %.*s%s%s THEN '%s has no value of its kind'", (int)(gap - fault), fault,
            column->name, gap + 2, column->name);
}

char *sum_fault(const struct table *table)
{
    char *sql = NULL;
    size_t length;
    FILE *out = memory_stream(&sql, &length);

    fputs("CASE", out);
    for (const struct column *c = table->column; c < table->column + table->count; c++)
        write_type_fault(out, c);
    for (size_t r = 0; r < sizeof ranges / sizeof ranges[0]; r++)
        if (&store_tables[ranges[r].table] == table)
            fprintf(out, " WHEN %s THEN '%s is ''' || substr(%s, 1, 40) || ''', which can''t be'",
                    ranges[r].fault, ranges[r].column, ranges[r].column);
    /* Those that a checksum vouches for were packed here.  */
    if (table == &store_tables[TABLE_PLAN] || table == &store_tables[TABLE_BASE])
        fprintf(out,
                " WHEN row_checksum IS NULL AND NOT offsets_whole(offsets, %s)"
                " THEN 'offsets can''t be read'",
                table == &store_tables[TABLE_PLAN] ? "base" : "NULL");
    fputs(" WHEN row_checksum <> ", out);
    write_stored_call(out, table);
    fputs(" THEN 'it does not have the checksum that it was written with' END", out);
    memory_stream_close(out);
    return sql;
}

char *sum_key(const struct table *table)
{
    static const char rule[] = "PRIMARY KEY (";

    if (table->rule != NULL && strncmp(table->rule, rule, sizeof rule - 1) == 0)
        return memory_printf("%.*s", (int)strcspn(table->rule + sizeof rule - 1, ")"),
                             table->rule + sizeof rule - 1);
    return memory_strdup(table->column[0].name);
}

char *sum_row_name(const struct table *table)
{
    char *key = sum_key(table), *sql = memory_printf("'%s'", table->name), *save = NULL;
    const char *before = " ";

    for (char *name = strtok_r(key, ", ", &save); name != NULL;
         name = strtok_r(NULL, ", ", &save)) {
        sql = memory_append(sql, " || '%s%s ' || quote(%s)", before, name, name);
        before = ", ";
    }
    free(key);
    return sql;
}
