/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/store/store_report.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/store/store_table.h"
#include "lib/base/memory.h"

/* The columns of a table that are shown like SHOWN or more.  */
static void write_shown(FILE *out, enum table_id which, char alias, enum column_shown shown)
{
    const struct table *table = &store_tables[which];

    for (size_t c = 0; c < table->count; c++)
        if (table->column[c].shown >= shown)
            fprintf(out, ", %c.%s", alias, table->column[c].name);
}

/* What the tasks of one kind have beside their rows of task.  */
static const struct of_kind {
    const char *kind;
    enum table_id table;
    char alias;
} of_kinds[] = {{"plan", TABLE_PLAN, 'p'},
                {"conv", TABLE_CONV, 'c'},
                {"run", TABLE_EXECUTION, 'x'},
                {"fit", TABLE_SPLIT, 's'}};

static char *shown_columns(const char *kind, enum column_shown shown)
{
    const struct of_kind *of = of_kinds;
    char *text = NULL;
    size_t length;
    FILE *out = memory_stream(&text, &length);

    while (strcmp(of->kind, kind) != 0)
        of++;
    write_shown(out, TABLE_TASK, 't', shown);
    write_shown(out, of->table, of->alias, shown);
    memory_stream_close(out);
    return text;
}

bool store_add_passed(struct store *store, struct error *error)
{
    char *plan = shown_columns("plan", COLUMN_VIEWED), *conv = shown_columns("conv", COLUMN_VIEWED);
    char *execution = shown_columns("run", COLUMN_VIEWED);
    char *split = shown_columns("fit", COLUMN_VIEWED);
    char *sql =
        memory_printf("CREATE TEMP VIEW plan_passed AS SELECT t.id AS task, " STORE_TASK_LABEL
                      " AS contestant%s FROM task t"
                      " LEFT JOIN plan p ON p.task = t.id WHERE t.kind = 'plan';"
                      "CREATE TEMP VIEW conv_passed AS SELECT t.id AS task%s FROM task t"
                      " JOIN conv c ON c.task = t.id WHERE t.kind = 'conv';"
                      "CREATE TEMP VIEW execution_passed AS SELECT t.id AS task, " STORE_TASK_LABEL
                      " AS contestant%s FROM task t"
                      " JOIN execution x ON x.task = t.id WHERE t.kind = 'run';"
                      "CREATE TEMP VIEW split_passed AS SELECT t.id AS task, " STORE_TASK_LABEL
                      " AS contestant%s FROM task t"
                      " JOIN split s ON s.task = t.id WHERE t.kind = 'fit'",
                      plan, conv, execution, split);
    bool done = store_execute(store, sql, error);

    free(sql);
    free(split);
    free(execution);
    free(conv);
    free(plan);
    return done;
}

char *store_listed(const char *kind)
{
    return shown_columns(kind, COLUMN_LISTED);
}

/* The values of one group so far, of pairs both.  SQLite hands out zeroed room for it.  */
struct group {
    double *value[2];
    size_t count, capacity[2];
    double argument;
};

/* Callbacks get their aggregate through a holder: ISO C has no way to keep a
 * function in a void pointer.  */
struct holder {
    store_aggregate *aggregate; /* NULL: of pairs */
    store_pair_aggregate *of_pairs;
};

static void group_step(sqlite3_context *context, int count, sqlite3_value **value)
{
    const struct holder *holder = sqlite3_user_data(context);
    struct group *group = sqlite3_aggregate_context(context, sizeof *group);
    const int values = holder->aggregate != NULL ? 1 : 2;

    if (group == NULL) {
        sqlite3_result_error_nomem(context);
        return;
    }
    for (int i = 0; i < values; i++)
        if (sqlite3_value_type(value[i]) != SQLITE_INTEGER &&
            sqlite3_value_type(value[i]) != SQLITE_FLOAT)
            return;
    for (int i = 0; i < values; i++) {
        group->value[i] = memory_grow(group->value[i], &group->capacity[i], group->count + 1,
                                      sizeof *group->value[i]);
        group->value[i][group->count] = sqlite3_value_double(value[i]);
    }
    group->count++;
    if (count > values)
        group->argument = sqlite3_value_double(value[values]);
}

static void group_final(sqlite3_context *context)
{
    const struct holder *holder = sqlite3_user_data(context);
    struct group *group = sqlite3_aggregate_context(context, 0);

    if (group == NULL || group->count < (holder->aggregate != NULL ? 1 : 2))
        sqlite3_result_null(context);
    else if (holder->aggregate != NULL)
        sqlite3_result_double(context,
                              holder->aggregate(group->value[0], group->count, group->argument));
    else
        sqlite3_result_double(context,
                              holder->of_pairs(group->value[0], group->value[1], group->count));
    for (int i = 0; group != NULL && i < 2; i++)
        free(group->value[i]);
}

static bool add_aggregate(struct store *store, const char *name, int arguments,
                          struct holder aggregate, struct error *error)
{
    struct holder *holder = memory_alloc(1, sizeof *holder);

    *holder = aggregate;
    /* SQLite frees the holder, on failure too.  */
    if (sqlite3_create_function_v2(store->db, name, arguments, SQLITE_UTF8 | SQLITE_DETERMINISTIC,
                                   holder, NULL, group_step, group_final, free) == SQLITE_OK)
        return true;
    return store_fault(store, error);
}

bool store_add_aggregate(struct store *store, const char *name, bool with_argument,
                         store_aggregate *aggregate, struct error *error)
{
    return add_aggregate(store, name, with_argument ? 2 : 1, (struct holder){aggregate, NULL},
                         error);
}

bool store_add_pair_aggregate(struct store *store, const char *name,
                              store_pair_aggregate *aggregate, struct error *error)
{
    return add_aggregate(store, name, 2, (struct holder){NULL, aggregate}, error);
}
