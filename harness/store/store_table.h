/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of the store (store_tables.c), each column once: what it is called, of what
 * kind it is, and where the row in C has it.  From there come the schema, what writes rows, and
 * the columns that the report's views and the CSV files of experiments pass on.  */
#ifndef ARENABENCH_HARNESS_STORE_STORE_TABLE_H
#define ARENABENCH_HARNESS_STORE_STORE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/store/facts.h"
#include "harness/store/store.h"
#include "harness/store/store_conv.h"
#include "harness/store/store_execution.h"
#include "harness/store/store_private.h"
#include "harness/store/store_split.h"

/* Which C type a column's member has, and what it is in SQL.  */
enum column_kind {
    COLUMN_INT,      /* int64_t; STORE_NULL is NULL */
    COLUMN_FLAG,     /* bool, as 1 or 0 */
    COLUMN_REAL,     /* double; NAN is NULL */
    COLUMN_TEXT,     /* const char *; NULL is NULL */
    COLUMN_CHECKSUM, /* uint64_t, as 16 hexadecimal digits */
    COLUMN_BLOB,     /* struct blob; without data NULL */
    COLUMN_DOUBLES,  /* struct store_doubles; a BLOB */
};

extern const char *const column_types[]; /* in SQL, by kind */

struct blob {
    const void *data;
    size_t size;
};

/* Where a column is seen beside its table.  */
enum column_shown {
    COLUMN_KEPT,   /* only where SQL names it */
    COLUMN_VIEWED, /* in the views of a report (store_add_passed) */
    COLUMN_LISTED, /* there, and at the end of CSV files (store_listed) */
};

#define COLUMN_NOWHERE SIZE_MAX

struct column {
    const char *name;
    enum column_kind kind;
    size_t offset;     /* in the row; COLUMN_NOWHERE: not there */
    const char *made;  /* SQL for the value of what is not there; NULL: SQLite's */
    const char *rule;  /* SQL behind the type; NULL: none */
    bool zero_is_null; /* what has no such thing says 0 */
    bool later;        /* NULL in a new row, and then written by store_complete */
    enum column_shown shown;
};

struct table {
    const char *name;
    const struct column *column; /* store_complete finds the row by the first */
    size_t count;
    const char *rule; /* SQL behind the columns; NULL: none */
    bool rowless;     /* WITHOUT ROWID */
    bool replace;     /* a row with the same key gives way */
};

extern const struct table store_tables[TABLES];

/* The rows, where they are more than what the caller of the store has.  */

struct key_row { /* build, machine */
    const char *key;
};

struct sweep_row {
    int64_t build, machine;
    const char *key;
};

struct provenance_row {
    const char *kind;
    int64_t id;
    const char *name, *value;
};

struct constant_row {
    int64_t sweep;
    const char *isa;
    struct store_constant constant;
};

struct fact_row {
    int64_t workload;
    struct fact fact;
};

struct base_row {
    int64_t id, workload;
    struct blob offsets;
};

struct form_row {
    const char *text;
};

struct task_row { /* task, plan */
    int64_t id, sweep, form, key_checksum;
    int64_t events, statistics; /* how many rows of these it has */
    struct store_task task;
    int64_t base; /* of OFFSETS, or 0 */
    struct blob offsets;
};

struct conv_row {
    int64_t task;
    struct store_conv conv;
    int64_t final_rounds;
    double final_s;
    struct interval final;
    struct store_doubles final_turn_s;
    int64_t final_sweep;
};

struct execution_row {
    int64_t task;
    struct store_execution execution;
};

struct split_row {
    int64_t task;
    struct store_split split;
};

struct layer_use_row {
    const char *experiment, *size;
    struct store_layer_use use;
};

struct measurement_row {
    int64_t task, seq;
    struct store_event event;
};

struct statistic_row {
    int64_t task;
    struct store_statistic statistic;
};

struct experiment_task_row {
    struct store_use use;
    int64_t task;
};

/* Marks a file as ours ("Aben").  */
#define STORE_APPLICATION 0x4162656e

/* The number of the schema, in user_version: a file of another one is refused.  */
#define STORE_SCHEMA 15

/* The SQL that makes the tables.  The caller frees it.  */
char *store_schema_sql(void);

/* SQL for a task's key: TEXT, that of its form, with what the other columns hold in place of their
 * names; and for the form of a key.  The one undoes the other, step by step, but where a key holds
 * such a name itself: then the form is the key, behind an equals sign.  */
#define KEY_TEXT(text, label, checksum, params, contestant, build)                               \
    "iif(substr(" text ", 1, 1) = '=', substr(" text ", 2), replace(replace(replace("            \
    "replace(replace(" text ", '<contestant_checksum>', " build "), '<contestant>', " contestant \
    "), '<params>', " params "), '<checksum>', " checksum "), '<label>', " label "))"
#define KEY_FORM(key, label, checksum, params, contestant, build)                       \
    "replace(replace(replace(replace(replace(" key ", " label ", '<label>'), " checksum \
    ", '<checksum>'), " params ", '<params>'), " contestant ", '<contestant>'), " build \
    ", '<contestant_checksum>')"

/* The table to whose rows COLUMN refers by their numbers; NULL: it does not.  */
const struct table *store_referred(const struct column *column);

/* Writes ROW, the struct of the table, as a new row, whose number *ID receives where ID is not
 * NULL.  */
bool store_insert(struct store *store, enum table_id which, const void *row, int64_t *id,
                  struct error *error);
/* Writes the later columns of ROW into the row that is there.  */
bool store_complete(struct store *store, enum table_id which, const void *row, struct error *error);

#endif
