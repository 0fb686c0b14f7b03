/* SPDX-License-Identifier: GPL-3.0-or-later */
/* By saving: the densest first, the greedy rule of knapsack problems (Dantzig, Discrete-variable
 * extremum problems, 1957), the size of an item being the bytes times steps that it takes.  LP
 * rounding: the same in the order of what the relaxation of unsplittable flow on a path says.
 * Exchange: local search with the neighbourhood "one in, as many out as it takes".  */
#include <config.h>

#include "memories/heuristics.h"

#include <math.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/sort.h"
#include "lib/base/timer.h"
#include "lib/problem/instance.h"
#include "memories/placing.h"
#include "memories/split.h"

/* --- orders --- */

struct rated {
    double value, density;
    size_t buffer;
};

static int compare_rated(const void *a, const void *b)
{
    const struct rated *x = a, *y = b;

    if (x->value != y->value)
        return ORDER(y->value, x->value);
    return ORDER(y->density, x->density) ?: ORDER(x->buffer, y->buffer);
}

static int64_t cost_in(const struct split_problem *problem, size_t b, size_t m)
{
    return problem->cost[b * problem->memories + m];
}

/* What buffer B costs more in its dearest memory than in its cheapest.  INFINITY where it has one
 * alone: it has to be there.  */
static double saving_of(const struct split_problem *problem, size_t b)
{
    const size_t *order = problem->order + b * problem->memories;
    size_t last = problem->memories;

    while (last > 1 && cost_in(problem, b, order[last - 1]) == SPLIT_NEVER)
        last--;
    if (last == 1)
        return INFINITY;
    return (double)(cost_in(problem, b, order[last - 1]) - cost_in(problem, b, order[0]));
}

static double area_of(const struct split_problem *problem, size_t b)
{
    double area = 0.0;

    for (size_t i = problem->buffer_row[b]; i < problem->buffer_row[b + 1]; i++)
        area += (double)problem->buffer_use[i].bytes;
    return area > 0.0 ? area : 1.0;
}

size_t *split_by_value(const struct split_problem *problem, const double *value)
{
    const size_t n = problem->instance->n;
    struct rated *rated = memory_alloc(n, sizeof *rated);
    size_t *order = memory_alloc(n, sizeof *order);

    for (size_t b = 0; b < n; b++)
        rated[b] = (struct rated){value == NULL ? 0.0 : value[b],
                                  saving_of(problem, b) / area_of(problem, b), b};
    sort_stable(rated, n, sizeof *rated, compare_rated);
    for (size_t i = 0; i < n; i++)
        order[i] = rated[i].buffer;
    memory_free(rated);
    return order;
}

size_t *split_by_saving(const struct split_problem *problem)
{
    return split_by_value(problem, NULL);
}

/* --- filling --- */

/* Into the cheapest memory that has room, none dearer than DEAREST.  */
static bool put_cheapest(struct placing *placing, size_t b, int64_t dearest, bool anew)
{
    const struct split_problem *problem = placing->problem;
    const size_t *order = problem->order + b * problem->memories;

    for (size_t i = 0; i < problem->memories && cost_in(problem, b, order[i]) <= dearest; i++)
        if (placing_put(placing, b, order[i], anew))
            return true;
    return false;
}

bool split_in_order(const struct split_problem *problem, const size_t *order,
                    const struct split_limits *limits, struct split *split)
{
    struct placing placing;
    bool all = true;

    for (size_t b = 0; b < problem->instance->n; b++)
        split->memory[b] = SIZE_MAX;
    placing_init(&placing, problem, split, limits->work, limits->deadline);
    for (size_t i = 0; i < problem->instance->n && all; i++)
        all = put_cheapest(&placing, order[i], SPLIT_NEVER - 1, true) &&
              timer_now() < limits->deadline;
    split->cost = split_cost(problem, split);
    placing_clear(&placing);
    return all;
}

/* --- exchange --- */

/* What is tried: SPLIT, with what is moved out.  */
struct exchange {
    struct placing placing;
    struct split *split;
    size_t *out, n_out;
};

/* Of the buffers that lie in memory M at row R, the one that is the cheapest to move out for the
 * bytes that it frees there, B apart; SIZE_MAX: none.  */
static size_t cheapest_out(const struct exchange *exchange, size_t b, size_t m, size_t r)
{
    const struct split_problem *problem = exchange->placing.problem;
    size_t best = SIZE_MAX;
    double least = INFINITY;

    for (size_t i = problem->row[r]; i < problem->row[r + 1]; i++) {
        const size_t c = problem->use[i].index;
        double price = saving_of(problem, c) / (double)problem->use[i].bytes;

        if (c == b || exchange->split->memory[c] != m || !(price < least))
            continue;
        least = price;
        best = c;
    }
    return best;
}

/* Takes out of memory M what is in the way of buffer B.  */
static bool make_room(struct exchange *exchange, size_t b, size_t m)
{
    const struct split_problem *problem = exchange->placing.problem;
    const int64_t room = memory_room(&problem->memory[m]);

    for (size_t i = problem->buffer_row[b]; i < problem->buffer_row[b + 1]; i++) {
        const size_t r = problem->buffer_use[i].index;

        while (exchange->placing.used[m * problem->rows + r] >
               room - problem->buffer_use[i].bytes) {
            size_t c = cheapest_out(exchange, b, m, r);

            if (c == SIZE_MAX)
                return false;
            placing_take(&exchange->placing, c);
            exchange->out[exchange->n_out++] = c;
        }
    }
    return true;
}

/* Moves buffer B to memory M and what is in its way elsewhere.  */
static bool try_move(struct exchange *exchange, size_t b, size_t m)
{
    exchange->n_out = 0;
    placing_take(&exchange->placing, b);
    if (!make_room(exchange, b, m) || !placing_put(&exchange->placing, b, m, true))
        return false;
    for (size_t i = 0; i < exchange->n_out; i++)
        if (!put_cheapest(&exchange->placing, exchange->out[i], SPLIT_NEVER - 1, false))
            return false;
    exchange->split->cost = split_cost(exchange->placing.problem, exchange->split);
    return true;
}

/* Buffer B to a cheaper memory, where that makes BEST better.  */
static bool improve(const struct split_problem *problem, struct split_limits *limits, size_t b,
                    struct split *best, struct split *tried)
{
    const size_t *order = problem->order + b * problem->memories;
    bool better = false;

    for (size_t i = 0; i < problem->memories && !better && order[i] != best->memory[b]; i++) {
        struct exchange exchange = {.split = tried,
                                    .out = memory_alloc(problem->instance->n, sizeof(size_t))};

        split_copy(tried, best, problem);
        placing_init(&exchange.placing, problem, tried, limits->work, limits->deadline);
        better = try_move(&exchange, b, order[i]) && tried->cost < best->cost;
        limits->work = exchange.placing.work;
        placing_clear(&exchange.placing);
        memory_free(exchange.out);
    }
    if (better)
        split_copy(best, tried, problem);
    return better;
}

void split_exchange(const struct split_problem *problem, const struct split_limits *limits,
                    struct split *split)
{
    struct split_limits left = *limits;
    size_t *order = split_by_saving(problem);
    struct split tried;
    bool better;

    split_init(&tried, problem);
    do {
        better = false;
        for (size_t i = 0; i < problem->instance->n && left.work > 0 && timer_now() < left.deadline;
             i++)
            better = improve(problem, &left, order[i], split, &tried) || better;
    } while (better && left.work > 0 && timer_now() < left.deadline);
    split_clear(&tried);
    memory_free(order);
}
