/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/cli/hazard_rows.h"

#include <stdio.h>

#include "hazards/known.h"
#include "lib/base/checked.h"
#include "lib/base/people.h"
#include "lib/base/sort.h"

const char *hazard_status(const struct hazard_answer *answer)
{
    if (!answer->plan)
        return "none";
    if (answer->value.overflow > 0)
        return answer->overflow_bound == answer->value.overflow && answer->proven ? "infeasible"
                                                                                  : "too large";
    return answer->proven ? "optimal" : "feasible";
}

/* Those that fit first, then by cost or peak, then what is proven.  */
static int compare_by_cost(const void *a, const void *b)
{
    const struct hazard_answer *x = &((const struct hazard_row *)a)->answer;
    const struct hazard_answer *y = &((const struct hazard_row *)b)->answer;

    return ORDER(y->plan, x->plan)
               ?: ORDER(x->value.overflow, y->value.overflow) ?: ORDER(x->value.cost, y->value.cost)
               ?: ORDER(y->proven, x->proven);
}

static int compare_by_peak(const void *a, const void *b)
{
    const struct hazard_answer *x = &((const struct hazard_row *)a)->answer;
    const struct hazard_answer *y = &((const struct hazard_row *)b)->answer;

    return ORDER(y->plan, x->plan)
               ?: ORDER(x->value.overflow, y->value.overflow) ?: ORDER(x->value.peak, y->value.peak)
               ?: ORDER(y->proven, x->proven);
}

void hazard_rows_sort(struct hazard_row *row, size_t count, enum hazard_objective objective)
{
    sort_stable(row, count, sizeof *row,
                objective == HAZARD_COST ? compare_by_cost : compare_by_peak);
}

/* The cells that both tables have; of what there is no plan for the bounds alone.  */
static void add_figures(struct table *table, const struct hazard_row *row,
                        enum hazard_objective objective)
{
    const struct hazard_answer *answer = &row->answer;
    const bool plan = answer->plan;

    table_texts(table, row->planner->name);
    table_ints(table, plan ? answer->value.overflow : TABLE_NONE,
               plan ? answer->value.cost : TABLE_NONE, plan ? answer->value.peak : TABLE_NONE,
               !row->planner->exact       ? TABLE_NONE
               : objective == HAZARD_COST ? answer->cost_bound
                                          : answer->peak_bound);
}

struct table *hazard_rows_table(void)
{
    return table_named("planner overflow:bytes cost: peak:bytes lower_bound: time_ms: status");
}

void hazard_rows_add(struct table *table, const struct hazard_row *row,
                     enum hazard_objective objective)
{
    add_figures(table, row, objective);
    table_real(table, "%.3f", 1e3 * row->seconds);
    table_texts(table, hazard_status(&row->answer));
}

/* --- several problems --- */

struct table *hazard_sums_table(void)
{
    return table_named("problem planner overflow:bytes cost: peak:bytes lower_bound: known_cost: "
                       "time_ms: status");
}

/* Beside KNOWN; what does not fit here but does there is above it.  */
static void count(struct hazard_sum *sum, const struct hazard_row *row,
                  const struct known_cost *known)
{
    const struct hazard_answer *answer = &row->answer;
    const bool fits = answer->plan && answer->value.overflow == 0;

    sum->rows++;
    sum->fit += fits;
    sum->proven += answer->plan && answer->proven;
    sum->seconds += row->seconds;
    if (known == NULL || (known->cost < 0 && !fits))
        return;
    if (!fits || (known->cost >= 0 && answer->value.cost > known->cost))
        sum->above++;
    else if (known->cost < 0 || answer->value.cost < known->cost)
        sum->below++;
    else
        sum->equal++;
}

void hazard_sums_add(struct table *table, struct hazard_sum *sum, const char *path,
                     const struct hazard_row *row, enum hazard_objective objective,
                     const struct known_costs *known)
{
    const struct known_cost *cost = known_cost_of(known, path);

    table_texts(table, path);
    add_figures(table, row, objective);
    table_ints(table, cost != NULL && cost->cost >= 0 ? cost->cost : TABLE_NONE);
    table_real(table, "%.3f", 1e3 * row->seconds);
    table_texts(table, hazard_status(&row->answer));
    count(sum, row, cost);
}

void hazard_sum_print(const struct hazard_sum *sum)
{
    people_print(stdout, "%zu rows: %zu fit, %zu are proven; %.3f s in all.\n", sum->rows, sum->fit,
                 sum->proven, sum->seconds);
    if (sum->below + sum->equal + sum->above > 0)
        people_print(stdout, "Beside what is known: %zu cost less, %zu the same, %zu more.\n",
                     sum->below, sum->equal, sum->above);
}
