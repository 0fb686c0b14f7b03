/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What only reports ask of a store: column names, statistics in SQL.  */
#ifndef ARENABENCH_HARNESS_STORE_STORE_REPORT_H
#define ARENABENCH_HARNESS_STORE_STORE_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/store/store.h"
#include "lib/base/error.h"

/* Makes the temporary views plan_passed, conv_passed and execution_passed: a row a task, and what
 * the report's own views pass on as it is (store_tables.c says which columns); of a planner's, and
 * of an execution, also contestant, the planner's label.  */
bool store_add_passed(struct store *store, struct error *error);

/* The columns that stand at the end of an experiment's CSV file, as SQL (", c.cci"): of the
 * task t of KIND, as the table has it, and of its plan p, its row of conv c or that of execution x.
 * The caller frees it.  */
char *store_listed(const char *kind);

/* A statistic of the COUNT values of a group (at least 1; NULLs and texts are
 * left out), and of the argument behind them, where it has one.  */
typedef double store_aggregate(const double *value, size_t count, double argument);

/* Makes NAME an aggregate function for queries: NAME(x), or NAME(x, argument)
 * with WITH_ARGUMENT.  A group without a value gives NULL.  */
bool store_add_aggregate(struct store *store, const char *name, bool with_argument,
                         store_aggregate *aggregate, struct error *error);

/* A statistic of pairs: NAME(x, y).  Pairs with a NULL or a text are left out.  */
typedef double store_pair_aggregate(const double *x, const double *y, size_t count);
bool store_add_pair_aggregate(struct store *store, const char *name,
                              store_pair_aggregate *aggregate, struct error *error);

#endif
