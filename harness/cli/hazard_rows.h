/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What planners of problems with hazards did, as rows.  */
#ifndef ARENABENCH_HARNESS_CLI_HAZARD_ROWS_H
#define ARENABENCH_HARNESS_CLI_HAZARD_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/io/table.h"
#include "hazards/planners.h"

struct known_costs;

/* One planner on one problem.  */
struct hazard_row {
    const struct hazard_planner *planner; /* NULL: a plan from elsewhere */
    struct hazard_answer answer;
    int64_t *offset; /* owned */
    double seconds;
};

/* "optimal", "feasible", "infeasible", "too large" or "none".  */
const char *hazard_status(const struct hazard_answer *answer);

/* COUNT rows of one problem, sorted: those that fit first, then by cost or peak, then what is
 * proven.  */
void hazard_rows_sort(struct hazard_row *row, size_t count, enum hazard_objective objective);
struct table *hazard_rows_table(void);
void hazard_rows_add(struct table *table, const struct hazard_row *row,
                     enum hazard_objective objective);

/* The same for one of several problems, that in the file PATH, beside what KNOWN, which may be
 * empty, has of it; and what is said of all of them at the end.  */
struct hazard_sum {
    size_t rows, fit, proven;
    size_t below, equal, above; /* beside what is known of those with costs */
    double seconds;
};
struct table *hazard_sums_table(void);
void hazard_sums_add(struct table *table, struct hazard_sum *sum, const char *path,
                     const struct hazard_row *row, enum hazard_objective objective,
                     const struct known_costs *known);
void hazard_sum_print(const struct hazard_sum *sum);

#endif
