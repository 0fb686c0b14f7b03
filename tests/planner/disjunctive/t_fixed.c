/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The disjunctive search with fixed offsets: against all plans of tiny instances, at
 * every capacity, and through branch-and-bound.  */
#include <config.h>

#include <inttypes.h>
#include <math.h>

#include "lib/base/rng.h"
#include "lib/place/dsa_pieces.h"
#include "lib/problem/instance.h"
#include "planner/disjunctive/pairs_problem.h"
#include "planner/disjunctive/pairs_search.h"
#include "tests/oracles/every_capacity.h"
#include "tests/support/fixed_case.h"
#include "tests/support/instances.h"
#include "tests/support/piece_case.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"

/* A free buffer of 4 bytes fits neither below nor between what is fixed:
 *
 *      [3, 5) and [8, 9) fixed: 4 bytes go on top, 2 bytes below  */
static void between(void)
{
    struct instance *instance = instance_new("between");
    struct solver_run run;

    rows_add(instance, "low 0 2 2; high 0 2 1; large 0 2 4; small 0 2 2");
    instance_fix(instance, 0, 3);
    instance_fix(instance, 1, 8);
    run = solver_run("branch-and-bound", sealed(instance), 1, 0);
    ok(solver_run_proves(&run, 13), "4 bytes do not fit between: peak %" PRId64, run.peak);
    is_int(instance->load, 9, "though the load is 9");
    instance_free(instance);
}

/* Equal buffers can't be swapped, and nothing can be turned upside down.  */
static void symmetries(void)
{
    struct instance *instance = instance_new("symmetries");
    struct pairs_problem *problem;

    rows_add(instance, "a 0 2 2; b 0 2 2; c 0 2 2");
    instance_fix(instance, 0, 2);
    problem = pairs_problem_new(sealed(instance), dsa_unit(instance));
    is_int(problem->fixed[0], 1, "an offset in units");
    ok(problem->twin[1] == SIZE_MAX && problem->twin[2] == 1, "what is fixed is nobody's twin");
    ok(!problem->symmetric, "and hangs nowhere upside down");
    pairs_problem_free(problem);
    instance_free(instance);
}

/* Below the load, which may be the end of a fixed buffer, there is nothing.  */
static bool refuted_below_load(const struct instance *instance)
{
    int64_t unit = dsa_unit(instance);
    struct pairs_problem *problem = pairs_problem_new(instance, unit);
    struct pairs_search search;
    bool refuted;

    pairs_search_init(&search, problem);
    refuted = pairs_search_run(&search, instance->load / unit - 1, 1000, INFINITY) == PAIRS_REFUTED;
    pairs_search_clear(&search);
    pairs_problem_free(problem);
    return refuted;
}

static void random_cases(bool pieces, uint32_t seed)
{
    const char *what = pieces ? "pieces" : "rectangles";
    struct rng *rng = rng_new(seed);
    int64_t conflicts = 0;
    int rounds = tap_tier(60, 400), decided = 0, proven = 0, above = 0, several = 0;

    for (int round = 0; round < rounds; round++) {
        struct instance *instance = fixed_case_random(rng, pieces);
        int64_t optimum = piece_case_optimum(instance);
        struct solver_run run = solver_run("branch-and-bound", instance, 1, 0);

        decided += orders_right(instance, optimum) && refuted_below_load(instance);
        proven += solver_run_proves(&run, optimum);
        above += optimum > instance->load;
        conflicts += run.statistics.count[STATISTIC_PAIR_CONFLICTS];
        several += instance->fixed > 1;
        instance_free(instance);
    }
    is_int(decided, rounds, "%s: the answer at every capacity is that of all plans", what);
    is_int(proven, rounds, "%s: branch-and-bound proves the optimum", what);
    ok(above > rounds / 20, "%s: the optimum is above the load on %d of %d", what, above, rounds);
    ok(!pieces || conflicts > rounds / 10, "%s: %" PRId64 " conflicts", what, conflicts);
    ok(several > rounds / 5, "%s: several are fixed on %d", what, several);
    rng_free(rng);
}

/* Offsets near the end of 64 bits, where nothing is small any more.  */
static void far(void)
{
    struct rng *rng = rng_new(286);
    int rounds = tap_tier(25, 160), proven = 0;

    for (int round = 0; round < rounds; round++) {
        struct instance *near = fixed_case_random(rng, round % 2 == 1), *instance;
        int64_t optimum = piece_case_optimum(near), factor = INT64_C(1) << 56;
        struct solver_run run;

        instance = instance_new("far");
        for (size_t b = 0; b < near->n; b++) {
            const struct buffer *buffer = &near->buffer[b];
            struct piece piece[3];

            for (size_t i = 0; i < buffer->pieces; i++) {
                piece[i] = near->piece[buffer->first_piece + i];
                piece[i].lo *= factor;
                piece[i].hi *= factor;
            }
            instance_add_pieces(instance, buffer->id, piece, buffer->pieces,
                                buffer->alignment * factor);
            if (buffer->fixed >= 0)
                instance_fix(instance, b, buffer->fixed * factor);
        }
        run = solver_run("branch-and-bound", sealed(instance), 1, 0);
        proven += solver_run_proves(&run, optimum * factor);
        instance_free(instance);
        instance_free(near);
    }
    is_int(proven, rounds, "all 2^56 times as large");
    rng_free(rng);
}

int main(void)
{
    between();
    symmetries();
    random_cases(false, 284);
    random_cases(true, 285);
    far();
    return tap_done();
}
