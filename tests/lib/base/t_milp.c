/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The wrapper of GLPK's branch and bound: agreement with enumeration, limits,
 * callbacks, and aborts inside GLPK that come back.  */
#include <config.h>

#include "lib/base/glpk_milp.h"

#include <math.h>
#include <setjmp.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "tests/support/tap.h"

enum { MOST = 10 };

/* Minimise cost . x over binary x with rows low <= row . x.  */
struct program {
    size_t columns, rows;
    int64_t cost[MOST];
    int64_t row[MOST][MOST];
    int64_t low[MOST];
};

static struct program random_program(struct rng *rng)
{
    struct program program = {.columns = (size_t)rng_range(rng, 1, MOST),
                              .rows = (size_t)rng_range(rng, 1, 6)};

    for (size_t c = 0; c < program.columns; c++)
        program.cost[c] = rng_range(rng, -5, 20);
    for (size_t r = 0; r < program.rows; r++) {
        for (size_t c = 0; c < program.columns; c++)
            program.row[r][c] = rng_range(rng, -3, 9);
        program.low[r] = rng_range(rng, 0, 4 * (int64_t)program.columns);
    }
    return program;
}

/* INT64_MAX: no solution.  */
static int64_t enumerate(const struct program *program)
{
    int64_t best = INT64_MAX;

    for (unsigned x = 0; x >> program->columns == 0; x++) {
        int64_t cost = 0;
        bool good = true;

        for (size_t r = 0; r < program->rows && good; r++) {
            int64_t sum = 0;

            for (size_t c = 0; c < program->columns; c++)
                sum += (x >> c & 1) != 0 ? program->row[r][c] : 0;
            good = sum >= program->low[r];
        }
        for (size_t c = 0; c < program->columns; c++)
            cost += (x >> c & 1) != 0 ? program->cost[c] : 0;
        if (good && cost < best)
            best = cost;
    }
    return best;
}

static struct milp *build(const struct program *program)
{
    struct milp *milp = milp_new();

    for (size_t c = 0; c < program->columns; c++)
        milp_add_column(milp, MILP_BINARY, 0.0, 1.0, (double)program->cost[c]);
    for (size_t r = 0; r < program->rows; r++) {
        size_t column[MOST];
        double coefficient[MOST];

        for (size_t c = 0; c < program->columns; c++) {
            column[c] = c;
            coefficient[c] = (double)program->row[r][c];
        }
        milp_add_row(milp, (double)program->low[r], MILP_INFINITY, column, coefficient,
                     program->columns);
    }
    return milp;
}

struct seen {
    const struct program *program;
    int incumbents, bounds;
    double best, bound;
    bool falling, rising;
};

static void on_incumbent(void *context, const double *value)
{
    struct seen *seen = context;
    double cost = 0.0;

    for (size_t c = 0; c < seen->program->columns; c++)
        cost += (double)seen->program->cost[c] * value[c];
    seen->falling = seen->falling && cost < seen->best;
    seen->best = cost;
    seen->incumbents++;
}

static void on_bound(void *context, double bound)
{
    struct seen *seen = context;

    seen->rising = seen->rising && bound > seen->bound;
    seen->bound = bound;
    seen->bounds++;
}

static void against_enumeration(void)
{
    struct rng *rng = rng_new(21);
    int runs = tap_tier(200, 2000), agreed = 0, streamed = 0, infeasible = 0;

    for (int run = 0; run < runs; run++) {
        struct program program = random_program(rng);
        struct milp *milp = build(&program);
        const struct milp_limits limits = {.stop_at = -INFINITY, .cuts = run % 3 == 0};
        struct seen seen = {&program, 0, 0, INFINITY, -INFINITY, true, true};
        const struct milp_callbacks callbacks = {
            .incumbent = on_incumbent, .bound = on_bound, .context = &seen};
        int64_t optimum = enumerate(&program);
        double value[MOST], bound;
        enum milp_result result = milp_solve(milp, &limits, &callbacks, value, &bound, NULL);

        if (optimum == INT64_MAX) {
            agreed += result == MILP_INFEASIBLE && seen.incumbents == 0;
            infeasible++;
        } else {
            agreed += result == MILP_OPTIMAL && llround(seen.best) == optimum &&
                      fabs(bound - (double)optimum) < 1e-6;
        }
        streamed += seen.falling && seen.rising && seen.bound <= seen.best + 1e-6;
        milp_free(milp);
    }
    is_int(agreed, runs, "GLPK agrees with enumeration (%d without a solution)", infeasible);
    is_int(streamed, runs, "incumbents fall, bounds rise, and they do not cross");
    rng_free(rng);
}

/* Cover 60 elements with few of 60 random sets: takes more than a node.  */
static struct milp *covering(void)
{
    struct milp *milp = milp_new();
    struct rng *rng = rng_new(4);

    for (size_t c = 0; c < 60; c++)
        milp_add_column(milp, MILP_BINARY, 0.0, 1.0, 1.0);
    for (size_t r = 0; r < 60; r++) {
        size_t column[60], count = 0;
        double one[60];

        for (size_t c = 0; c < 60; c++)
            if (rng_range(rng, 0, 4) == 0) {
                one[count] = 1.0;
                column[count++] = c;
            }
        milp_add_row(milp, 1.0, MILP_INFINITY, column, one, count);
    }
    rng_free(rng);
    return milp;
}

static void limits(void)
{
    struct milp *milp = covering();
    struct milp_limits limit = {.stop_at = -INFINITY};
    double value[60] = {0.0}, again[60] = {0.0}, optimum, bound;
    int64_t nodes;
    enum milp_result result = milp_solve(milp, &limit, NULL, value, &optimum, &nodes);

    ok(result == MILP_OPTIMAL && nodes > 20, "a covering problem takes %d nodes", (int)nodes);
    limit.nodes = 15;
    ok(milp_solve(milp, &limit, NULL, value, &bound, &nodes) != MILP_OPTIMAL && nodes == 15,
       "a node limit ends it");
    ok(bound > 0.0 && bound <= optimum + 1e-6, "with a bound (%.2f of %.2f)", bound, optimum);
    milp_solve(milp, &limit, NULL, value, NULL, NULL);
    milp_solve(milp, &limit, NULL, again, NULL, NULL);
    ok(memcmp(value, again, sizeof value) == 0, "the same node limit, the same solution");
    limit.nodes = 0;
    limit.stop_at = optimum + 2.0;
    ok(milp_solve(milp, &limit, NULL, value, &bound, NULL) == MILP_FEASIBLE &&
           bound <= optimum + 1e-6,
       "a good enough incumbent ends it");
    limit.stop_at = -INFINITY;
    limit.time_s = 1e-9;
    ok(milp_solve(milp, &limit, NULL, value, &bound, NULL) != MILP_OPTIMAL, "a time limit ends it");
    milp_free(milp);
}

static void kinds(void)
{
    /* Minimise -x - 2y - z; x + y + z <= 3.5, y <= 1.5 whole, z fixed.  */
    struct milp *milp = milp_new();
    const size_t column[] = {0, 1, 2};
    const double one[] = {1.0, 1.0, 1.0};
    const struct milp_limits limit = {.stop_at = -INFINITY};
    double value[3], bound;

    milp_add_column(milp, MILP_CONTINUOUS, 0.0, MILP_INFINITY, -1.0);
    milp_add_column(milp, MILP_INTEGER, 0.0, MILP_INFINITY, -2.0);
    milp_add_column(milp, MILP_BINARY, 1.0, 1.0, -1.0);
    milp_add_row(milp, -MILP_INFINITY, 3.5, column, one, 3);
    milp_add_row(milp, -MILP_INFINITY, 1.5, column + 1, one, 1);
    is_int((int64_t)milp_columns(milp), 3, "columns");
    is_int((int64_t)milp_rows(milp), 2, "rows");
    ok(milp_solve(milp, &limit, NULL, value, &bound, NULL) == MILP_OPTIMAL &&
           fabs(bound + 4.5) < 1e-9,
       "continuous, integer and fixed columns");
    ok(fabs(value[0] - 1.5) < 1e-9 && fabs(value[1] - 1.0) < 1e-9 && fabs(value[2] - 1.0) < 1e-9,
       "with the right values");
    milp_free(milp);
}

static void aborts(void)
{
    struct milp *bad = milp_new(), *good = covering();
    const size_t column[] = {0, 0};
    const double one[] = {1.0, 1.0};
    const struct milp_limits limit = {.stop_at = -INFINITY};

    milp_add_column(bad, MILP_BINARY, 0.0, 1.0, 1.0);
    milp_add_row(bad, 0.0, 1.0, column, one, 2);
    ok(milp_solve(bad, &limit, NULL, NULL, NULL, NULL) == MILP_ERROR,
       "an abort inside GLPK comes back: %s", milp_error(bad));
    ok(strstr(milp_error(bad), "GLPK gave up") != NULL, "with GLPK's words");
    ok(milp_solve(good, &limit, NULL, NULL, NULL, NULL) == MILP_OPTIMAL,
       "and GLPK works again after it");
    milp_free(bad);
    milp_free(good);
}

static void out_of_memory(void *context)
{
    longjmp(*(jmp_buf *)context, 1);
}

static void memory_limit(void)
{
    struct milp *large = milp_new(), *small = covering();
    struct milp_limits limit = {.stop_at = -INFINITY, .memory_bytes = 1 << 20};
    const double one = 1.0;
    jmp_buf jump;

    for (size_t c = 0; c < 20000; c++) {
        milp_add_column(large, MILP_BINARY, 0.0, 1.0, 1.0);
        milp_add_row(large, 0.0, 1.0, &c, &one, 1);
    }
    memory_set_hook(out_of_memory, &jump);
    if (setjmp(jump) == 0) {
        milp_solve(large, &limit, NULL, NULL, NULL, NULL);
        ok(false, "GLPK's memory limit ends in the out-of-memory hook");
    } else {
        ok(true, "GLPK's memory limit ends in the out-of-memory hook");
    }
    memory_set_hook(NULL, NULL);
    limit.memory_bytes = 0;
    ok(milp_solve(small, &limit, NULL, NULL, NULL, NULL) == MILP_OPTIMAL,
       "and GLPK works again after it");
    milp_free(large);
    milp_free(small);
}

int main(void)
{
    against_enumeration();
    limits();
    kinds();
    aborts();
    memory_limit();
    return tap_done();
}
