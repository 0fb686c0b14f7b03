#include <config.h>

#include "harness/store_report.h"

#include <sqlite3.h>
#include <stdlib.h>

#include "harness/store_private.h"
#include "lib/memory.h"

bool store_columns(struct store *store, const char *sql, store_row *row, void *context,
                   struct error *error)
{
    sqlite3_stmt *statement = NULL;
    const char **name;
    int columns;

    if (sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL) != SQLITE_OK)
        return store_fault(store, error);
    columns = sqlite3_column_count(statement);
    name = memory_alloc((size_t)columns, sizeof *name);
    for (int i = 0; i < columns; i++)
        name[i] = sqlite3_column_name(statement, i);
    row(context, columns, name);
    free(name);
    sqlite3_finalize(statement);
    return true;
}

/* The values of one group so far.  SQLite hands out zeroed room for it.  */
struct group {
    double *value;
    size_t count, capacity;
    double argument;
};

/* Callbacks get their statistic through a holder: ISO C has no way to keep a
 * function in a void pointer.  */
struct holder {
    store_statistic *statistic;
};

static void group_step(sqlite3_context *context, int count, sqlite3_value **value)
{
    struct group *group = sqlite3_aggregate_context(context, sizeof *group);
    int type = sqlite3_value_type(value[0]);

    if (group == NULL) {
        sqlite3_result_error_nomem(context);
        return;
    }
    if (type != SQLITE_INTEGER && type != SQLITE_FLOAT)
        return;
    group->value =
        memory_grow(group->value, &group->capacity, group->count + 1, sizeof *group->value);
    group->value[group->count++] = sqlite3_value_double(value[0]);
    if (count > 1)
        group->argument = sqlite3_value_double(value[1]);
}

static void group_final(sqlite3_context *context)
{
    struct group *group = sqlite3_aggregate_context(context, 0);
    const struct holder *holder = sqlite3_user_data(context);

    if (group == NULL || group->count == 0) {
        sqlite3_result_null(context);
        return;
    }
    sqlite3_result_double(context, holder->statistic(group->value, group->count, group->argument));
    free(group->value);
}

bool store_add_statistic(struct store *store, const char *name, bool with_argument,
                         store_statistic *statistic, struct error *error)
{
    struct holder *holder = memory_alloc(1, sizeof *holder);

    holder->statistic = statistic;
    /* SQLite frees the holder, on failure too.  */
    if (sqlite3_create_function_v2(store->db, name, with_argument ? 2 : 1,
                                   SQLITE_UTF8 | SQLITE_DETERMINISTIC, holder, NULL, group_step,
                                   group_final, free) == SQLITE_OK)
        return true;
    return store_fault(store, error);
}
