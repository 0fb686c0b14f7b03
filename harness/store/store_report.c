#include <config.h>

#include "harness/store/store_report.h"

#include <sqlite3.h>
#include <stdlib.h>

#include "harness/store/store_private.h"
#include "lib/base/memory.h"

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

/* The same for pairs.  */
struct pairs {
    double *x, *y;
    size_t count, x_capacity, y_capacity;
};

struct pair_holder {
    store_pair_statistic *statistic;
};

static bool is_number(sqlite3_value *value)
{
    int type = sqlite3_value_type(value);

    return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}

static void pairs_step(sqlite3_context *context, int count, sqlite3_value **value)
{
    struct pairs *pairs = sqlite3_aggregate_context(context, sizeof *pairs);

    (void)count;
    if (pairs == NULL) {
        sqlite3_result_error_nomem(context);
        return;
    }
    if (!is_number(value[0]) || !is_number(value[1]))
        return;
    pairs->x = memory_grow(pairs->x, &pairs->x_capacity, pairs->count + 1, sizeof *pairs->x);
    pairs->y = memory_grow(pairs->y, &pairs->y_capacity, pairs->count + 1, sizeof *pairs->y);
    pairs->x[pairs->count] = sqlite3_value_double(value[0]);
    pairs->y[pairs->count++] = sqlite3_value_double(value[1]);
}

static void pairs_final(sqlite3_context *context)
{
    struct pairs *pairs = sqlite3_aggregate_context(context, 0);
    const struct pair_holder *holder = sqlite3_user_data(context);

    if (pairs == NULL || pairs->count < 2) {
        sqlite3_result_null(context);
    } else {
        sqlite3_result_double(context, holder->statistic(pairs->x, pairs->y, pairs->count));
    }
    if (pairs != NULL) {
        free(pairs->x);
        free(pairs->y);
    }
}

bool store_add_pair_statistic(struct store *store, const char *name,
                              store_pair_statistic *statistic, struct error *error)
{
    struct pair_holder *holder = memory_alloc(1, sizeof *holder);

    holder->statistic = statistic;
    if (sqlite3_create_function_v2(store->db, name, 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC, holder,
                                   NULL, pairs_step, pairs_final, free) == SQLITE_OK)
        return true;
    return store_fault(store, error);
}
