/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "memories/master.h"

#include <math.h>

#include "lib/base/checked.h"
#include "lib/base/glpk_milp.h"
#include "lib/base/memory.h"
#include "lib/base/sort.h"
#include "lib/base/timer.h"
#include "lib/problem/instance.h"
#include "memories/split.h"

/* GLPK prunes what is better by less than this share, and no more is believed of its bounds.  */
#define BOUND_TOLERANCE 1e-7
/* Columns with which GLPK makes cuts: it does not look at the clock meanwhile.  */
#define MOST_WITH_CUTS 2000
/* How far from whole a choice may be: times a cost that is less than the unit of all costs.  */
#define INTEGRALITY 1e-9

/* Entries of a program that GLPK can be given: beyond, reading it takes seconds.  */
#define MOST_ENTRIES 2000000

struct master {
    const struct split_problem *problem;
    struct milp *milp;
    size_t *column; /* of buffer b in memory m; SIZE_MAX: it can't be there */
    int64_t base;   /* the sum of the least costs: objectives are what is above */
    int64_t unit;   /* divides all that */
    size_t *entry;  /* of a row */
    double *coefficient;
};

static size_t column_of(const struct master *master, size_t b, size_t m)
{
    return master->column[b * master->problem->memories + m];
}

static int64_t cheapest_cost(const struct split_problem *problem, size_t b)
{
    return problem->cost[b * problem->memories + problem->order[b * problem->memories]];
}

/* The objective begins at the least costs and counts in the greatest unit that divides what is
 * above them, which keeps numbers small and makes bounds whole.  */
static void find_unit(struct master *master)
{
    const struct split_problem *problem = master->problem;

    for (size_t b = 0; b < problem->instance->n; b++) {
        const int64_t least = cheapest_cost(problem, b);

        if (least == SPLIT_NEVER)
            continue;
        master->base += least;
        for (size_t m = 0; m < problem->memories; m++) {
            const int64_t cost = problem->cost[b * problem->memories + m];

            if (cost != SPLIT_NEVER)
                master->unit = gcd64(master->unit, cost - least);
        }
    }
    master->unit = master->unit == 0 ? 1 : master->unit;
}

static void add_columns(struct master *master, bool relaxed)
{
    const struct split_problem *problem = master->problem;

    for (size_t b = 0; b < problem->instance->n; b++) {
        size_t count = 0;

        for (size_t m = 0; m < problem->memories; m++) {
            const int64_t cost = problem->cost[b * problem->memories + m];
            size_t *column = &master->column[b * problem->memories + m];

            *column = SIZE_MAX;
            if (cost == SPLIT_NEVER)
                continue;
            *column =
                milp_add_column(master->milp, relaxed ? MILP_CONTINUOUS : MILP_BINARY, 0.0, 1.0,
                                (double)((cost - cheapest_cost(problem, b)) / master->unit));
            master->entry[count] = *column;
            master->coefficient[count++] = 1.0;
        }
        /* One that can be nowhere makes it infeasible.  */
        if (count == 0)
            master->entry[count++] = milp_add_column(master->milp, MILP_CONTINUOUS, 0.0, 0.0, 0.0);
        master->coefficient[0] = 1.0;
        milp_add_row(master->milp, 1.0, 1.0, master->entry, master->coefficient, count);
    }
}

/* The bytes of memory M at row R fit, if they might not.  */
static void add_capacity(struct master *master, size_t m, size_t r)
{
    const struct split_problem *problem = master->problem;
    const int64_t room = memory_room(&problem->memory[m]);
    int64_t sum = 0, unit = 0;
    size_t count = 0;

    for (size_t i = problem->row[r]; i < problem->row[r + 1]; i++)
        if (column_of(master, problem->use[i].index, m) != SIZE_MAX) {
            sum += problem->use[i].bytes;
            unit = gcd64(unit, problem->use[i].bytes);
        }
    if (sum <= room)
        return;
    for (size_t i = problem->row[r]; i < problem->row[r + 1]; i++) {
        const size_t column = column_of(master, problem->use[i].index, m);

        if (column == SIZE_MAX)
            continue;
        master->entry[count] = column;
        master->coefficient[count++] = (double)(problem->use[i].bytes / unit);
    }
    milp_add_row(master->milp, -MILP_INFINITY, (double)(room / unit), master->entry,
                 master->coefficient, count);
}

static void add_cut(struct master *master, const struct split_cut *cut)
{
    for (size_t i = 0; i < cut->count; i++) {
        master->entry[i] = column_of(master, cut->buffer[i], cut->m);
        master->coefficient[i] = 1.0;
        if (master->entry[i] == SIZE_MAX)
            return; /* one of them can't be there at all */
    }
    milp_add_row(master->milp, -MILP_INFINITY, (double)cut->count - 1.0, master->entry,
                 master->coefficient, cut->count);
}

static void build(struct master *master, const struct split_cuts *cuts, bool relaxed)
{
    const struct split_problem *problem = master->problem;

    find_unit(master);
    add_columns(master, relaxed);
    for (size_t m = 0; m < problem->memories; m++)
        for (size_t r = 0; problem->memory[m].capacity < INT64_MAX && r < problem->rows; r++)
            add_capacity(master, m, r);
    for (size_t i = 0; i < cuts->count; i++)
        if (problem->memory[cuts->cut[i].m].capacity <= cuts->cut[i].capacity)
            add_cut(master, &cuts->cut[i]);
}

/* What VALUE, one a column, says of each buffer.  */
static void read_solution(const struct master *master, const double *value, size_t *memory,
                          double *cheapest)
{
    const struct split_problem *problem = master->problem;

    for (size_t b = 0; b < problem->instance->n; b++) {
        const size_t first = column_of(master, b, problem->order[b * problem->memories]);

        if (cheapest != NULL)
            cheapest[b] = first == SIZE_MAX ? 0.0 : value[first];
        for (size_t m = 0; memory != NULL && m < problem->memories; m++)
            if (column_of(master, b, m) != SIZE_MAX && value[column_of(master, b, m)] > 0.5)
                memory[b] = m;
    }
}

/* Costs are whole numbers of the unit, so a bound rises to the next one.  */
static void raise_bound(const struct master *master, double found, int64_t *bound)
{
    const double units = ceil(found - BOUND_TOLERANCE * fabs(found) - 1e-6);

    if (units > 0.0 && units < 9e15)
        *bound = max64(*bound, master->base + (int64_t)units * master->unit);
    else if (units == 0.0)
        *bound = max64(*bound, master->base);
}

static enum master_result solve(struct master *master, double deadline, int64_t *bound,
                                size_t *memory, double *cheapest)
{
    const struct milp_limits limits = {
        .time_s = isinf(deadline) ? 0.0 : fmax(deadline - timer_now(), 1e-3),
        .integrality = INTEGRALITY,
        .stop_at = -MILP_INFINITY,
        .cuts = milp_columns(master->milp) <= MOST_WITH_CUTS};
    double *value = memory_zalloc(milp_columns(master->milp), sizeof *value), found = -INFINITY;
    enum milp_result result = milp_solve(master->milp, &limits, NULL, value, &found, NULL);

    if (result == MILP_OPTIMAL || result == MILP_FEASIBLE)
        read_solution(master, value, memory, cheapest);
    if (result != MILP_INFEASIBLE)
        raise_bound(master, found, bound);
    memory_free(value);
    if (result == MILP_INFEASIBLE)
        return MASTER_INFEASIBLE;
    return result == MILP_OPTIMAL ? MASTER_OPTIMAL : MASTER_LIMIT;
}

enum master_result master_solve(const struct split_problem *problem, const struct split_cuts *cuts,
                                bool relaxed, double deadline, int64_t *bound, size_t *memory,
                                double *value)
{
    const size_t columns = problem->instance->n * problem->memories;
    const size_t longest =
        (problem->instance->n > problem->memories ? problem->instance->n : problem->memories) + 1;
    struct master master = {
        .problem = problem,
        .milp = milp_new(),
        .column = memory_alloc(columns, sizeof *master.column),
        .entry = memory_alloc(longest, sizeof *master.entry),
        .coefficient = memory_alloc(longest, sizeof *master.coefficient),
    };
    enum master_result result = MASTER_LIMIT;

    for (size_t b = 0; memory != NULL && b < problem->instance->n; b++)
        memory[b] = SIZE_MAX;
    if (problem->row[problem->rows] <= MOST_ENTRIES / problem->memories) {
        build(&master, cuts, relaxed);
        result = solve(&master, deadline, bound, memory, value);
    }
    milp_free(master.milp);
    memory_free(master.column);
    memory_free(master.entry);
    memory_free(master.coefficient);
    return result;
}

/* --- a bound without a program --- */

/* A buffer that may leave its cheapest memory: bytes, and what leaving costs.  */
struct leaving {
    int64_t bytes, cost;
};

static int compare_leaving(const void *a, const void *b)
{
    const struct leaving *x = a, *y = b;
    const double x_ratio = (double)x->cost / (double)x->bytes;
    const double y_ratio = (double)y->cost / (double)y->bytes;

    return ORDER(x_ratio, y_ratio);
}

/* What it costs that EXCESS bytes leave, of COUNT buffers by price.  */
static double price_of(struct leaving *leaving, size_t count, int64_t excess)
{
    double price = 0.0;

    sort_stable(leaving, count, sizeof *leaving, compare_leaving);
    for (size_t i = 0; i < count && excess > 0; i++) {
        const double part = fmin(1.0, (double)excess / (double)leaving[i].bytes);

        price += part * (double)leaving[i].cost;
        excess -= leaving[i].bytes;
    }
    return price;
}

/* The price of memory M at row R.  One that can be nowhere else never leaves.  */
static double row_price(const struct split_problem *problem, size_t m, size_t r,
                        struct leaving *leaving)
{
    int64_t excess = -memory_room(&problem->memory[m]);
    size_t count = 0;

    for (size_t i = problem->row[r]; i < problem->row[r + 1]; i++) {
        const size_t b = problem->use[i].index, *order = problem->order + b * problem->memories;
        const int64_t *cost = problem->cost + b * problem->memories;

        if (order[0] != m || cost[m] == SPLIT_NEVER)
            continue;
        excess += problem->use[i].bytes;
        if (problem->memories > 1 && cost[order[1]] != SPLIT_NEVER)
            leaving[count++] = (struct leaving){problem->use[i].bytes, cost[order[1]] - cost[m]};
    }
    return excess > 0 ? price_of(leaving, count, excess) : 0.0;
}

int64_t master_step_bound(const struct split_problem *problem)
{
    struct leaving *leaving = memory_alloc(problem->instance->n, sizeof *leaving);
    double most = 0.0;
    int64_t base = 0;

    for (size_t b = 0; b < problem->instance->n; b++)
        if (cheapest_cost(problem, b) != SPLIT_NEVER)
            base += cheapest_cost(problem, b);
    for (size_t m = 0; m < problem->memories; m++)
        for (size_t r = 0; problem->memory[m].capacity < INT64_MAX && r < problem->rows; r++)
            most = fmax(most, row_price(problem, m, r, leaving));
    memory_free(leaving);
    return base + (int64_t)floor(most * (1.0 - BOUND_TOLERANCE));
}
