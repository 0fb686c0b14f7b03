/* What only reports ask of a store: column names, statistics in SQL.  */
#ifndef ARENABENCH_HARNESS_STORE_STORE_REPORT_H
#define ARENABENCH_HARNESS_STORE_STORE_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/store/store.h"
#include "lib/base/error.h"

/* Calls ROW once, with the names of the columns that SQL gives.  */
bool store_columns(struct store *store, const char *sql, store_row *row, void *context,
                   struct error *error);

/* A statistic of the COUNT values of a group (at least 1; NULLs and texts are
 * left out), and of the argument behind them, where it has one.  */
typedef double store_statistic(const double *value, size_t count, double argument);

/* Makes NAME an aggregate function for queries: NAME(x), or NAME(x, argument)
 * with WITH_ARGUMENT.  A group without a value gives NULL.  */
bool store_add_statistic(struct store *store, const char *name, bool with_argument,
                         store_statistic *statistic, struct error *error);

/* A statistic of pairs: NAME(x, y).  Pairs with a NULL or a text are left out.  */
typedef double store_pair_statistic(const double *x, const double *y, size_t count);
bool store_add_pair_statistic(struct store *store, const char *name,
                              store_pair_statistic *statistic, struct error *error);

#endif
