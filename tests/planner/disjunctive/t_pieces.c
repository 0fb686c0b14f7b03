/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The search for buffers of several pieces: against all plans of tiny instances at every
 * capacity, against GLPK on larger ones, against the search for rectangles on those.  */
#include <config.h>

#include <inttypes.h>

#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "tests/oracles/every_capacity.h"
#include "tests/support/instances.h"
#include "tests/support/piece_case.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"

/* The optimum of the rectangles around the pieces.  */
static int64_t joined_optimum(const struct instance *instance)
{
    struct instance *joined = instance_joined(instance);
    int64_t optimum = solver_run("branch-and-bound", joined, 1, 0).peak;

    instance_free(joined);
    return optimum;
}

/* Two steps that interlock with two others like two hooks: 3 bytes high each, 4 together,
 * 6 as rectangles.  */
static void hooks(void)
{
    struct instance *instance = instance_of_rows("a 0 1 0-1 + 1 2 0-3; b 0 1 0-3 + 1 2 2-3");
    struct solver_run result;

    result = solver_run("branch-and-bound", instance, 1, 0);
    ok(solver_run_proves(&result, 4), "two hooks interlock: peak %" PRId64, result.peak);
    is_int(joined_optimum(instance), 6, "as rectangles they do not");
    instance_free(instance);
}

/* A plug in a ring: b fits into the hole of a, and nowhere else below 5.
 *
 *      step 0: a [0, 1) and [3, 4)    b [1, 3)
 *      step 1: a [0, 1)               b [1, 4)  */
static void plug(void)
{
    static const struct piece b[] = {{0, 1, 0, 2, true}, {1, 2, 0, 3, true}};
    struct instance *instance = instance_new("plug");
    struct solver_run result;

    rows_add(instance, "a 0 1 0-1 + 0 1 3-4 + 1 2 0-1");
    instance_add_pieces(instance, "b", b, 2, 1);
    sealed(instance);
    result = solver_run("branch-and-bound", instance, 1, 0);
    ok(solver_run_proves(&result, 4), "a plug in a ring: peak %" PRId64, result.peak);
    is_int(joined_optimum(instance), 7, "as rectangles they are stacked");
    instance_free(instance);
}

static void against_all_plans(void)
{
    struct rng *rng = rng_new(62);
    int rounds = tap_tier(400, 1000), same = 0, decided = 0, gained = 0, above = 0;

    for (int round = 0; round < rounds; round++) {
        struct instance *instance = piece_case_random(rng);
        int64_t optimum = piece_case_optimum(instance);
        struct solver_run result = solver_run("branch-and-bound", instance, 1, 0);

        same += solver_run_proves(&result, optimum);
        decided += orders_right(instance, optimum);
        gained += joined_optimum(instance) > optimum;
        above += optimum > instance->load;
        instance_free(instance);
    }
    is_int(same, rounds, "the optimum of pieces is that of all plans");
    is_int(decided, rounds, "and so is the answer at every capacity from the load");
    ok(gained > rounds / 20, "rectangles are worse on %d of %d", gained, rounds);
    ok(above > rounds / 20, "the optimum is above the load on %d", above);
    rng_free(rng);
}

/* N buffers of up to 4 stretches of time with bytes [lo, hi) of their own.  */
static struct instance *stretches(struct rng *rng, size_t n, int64_t unit)
{
    struct instance *instance = instance_new("stretches");

    for (size_t b = 0; b < n; b++) {
        size_t count = (size_t)rng_range(rng, 1, 4);
        int64_t begin = rng_range(rng, 0, 8), size = rng_range(rng, 2, 9);
        int64_t alignment = rng_range(rng, 1, 6) == 1 ? 2 * unit : 1;
        struct piece piece[4];

        for (size_t i = 0; i < count; i++) {
            int64_t lo = rng_range(rng, 0, size - 1), hi = rng_range(rng, lo + 1, size);
            int64_t end = rng_range(rng, begin + 1, begin + 3);

            piece[i] = (struct piece){begin, end, lo * unit, hi * unit, false};
            begin = end;
        }
        add_shape(instance, piece, count, alignment);
    }
    return sealed(instance);
}

static void against_glpk(void)
{
    struct rng *rng = rng_new(63);
    int rounds = tap_tier(40, 120), same = 0, above = 0, gained = 0;

    for (int round = 0; round < rounds; round++) {
        struct instance *instance =
            stretches(rng, (size_t)rng_range(rng, 4, 9), round % 2 == 0 ? 1 : 64);
        struct solver_run glpk = solver_run("glpk", instance, 1, 0);
        struct solver_run own = solver_run("branch-and-bound", instance, 1, 0);

        same += glpk.outcome == OUTCOME_OPTIMAL && solver_run_proves(&own, glpk.peak);
        above += own.peak > instance->load;
        gained += joined_optimum(instance) > own.peak;
        instance_free(instance);
    }
    is_int(same, rounds, "GLPK finds the same optimum");
    ok(above > rounds / 20, "which is above the load on %d of %d", above, rounds);
    ok(gained > rounds / 20, "and below that of rectangles on %d", gained);
    rng_free(rng);
}

/* A limit leaves a bracket around the optimum.  */
static void limits(void)
{
    struct rng *rng = rng_new(65);
    int rounds = 40, good = 0, open = 0;

    for (int round = 0; round < rounds; round++) {
        struct instance *instance = stretches(rng, 9, 1);
        struct solver_run whole = solver_run("branch-and-bound", instance, 1, 0);
        struct solver_run cut = solver_run("branch-and-bound", instance, 1, 5);

        good += cut.valid && cut.bound <= whole.peak && whole.peak <= cut.peak &&
                (cut.outcome == OUTCOME_OPTIMAL) == (cut.peak == cut.bound);
        open += cut.outcome != OUTCOME_OPTIMAL;
        instance_free(instance);
    }
    is_int(good, rounds, "five nodes leave a bracket around the optimum");
    ok(open > 0, "%d of them are open", open);
    rng_free(rng);
}

int main(void)
{
    hooks();
    plug();
    against_all_plans();
    against_glpk();
    limits();
    return tap_done();
}
