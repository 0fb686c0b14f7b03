/* SPDX-License-Identifier: GPL-3.0-or-later */
/* supermalloc: against exhaustive search, where many buffers are interchangeable above all;
 * what its rounds count; limits.  */
#include <config.h>

#include <stdlib.h>

#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "solvers/minimalloc/minimalloc_problem.h"
#include "tests/oracles/brute_force.h"
#include "tests/support/brackets.h"
#include "tests/support/instances.h"
#include "tests/support/random_instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"

/* Buffers of a few kinds each, with alignments or without.  */
static struct instance *draw_twins(struct rng *rng)
{
    enum { KINDS = 4 };
    struct instance *instance = instance_new("twins");
    int64_t begin[KINDS], end[KINDS], size[KINDS], n = rng_range(rng, 4, 8);
    bool aligned = rng_range(rng, 0, 1) == 1;

    for (int k = 0; k < KINDS; k++) {
        begin[k] = rng_range(rng, 0, 4);
        end[k] = rng_range(rng, begin[k] + 1, 5);
        size[k] = rng_range(rng, 1, 4);
    }
    for (int64_t b = 0; b < n; b++) {
        int64_t k = rng_range(rng, 0, KINDS - 1);

        add_buffer(instance, begin[k], end[k], size[k], aligned ? rng_range(rng, 1, 3) : 1);
    }
    return sealed(instance);
}

static struct instance *draw_gadget(struct rng *rng)
{
    return gadget_and_others(rng, rng_range(rng, 0, 3));
}

static struct instance *draw_tight(struct rng *rng)
{
    return tight_instance(rng, 9, rng_range(rng, 4, 9), rng_range(rng, 6, 20));
}

static bool proves(const char *spec, const struct instance *instance, int64_t optimum,
                   int64_t *nodes)
{
    struct solver_run run = solver_run(spec, instance, 1, 0);

    *nodes += run.nodes;
    return solver_run_proves(&run, optimum) && run.streamed;
}

/* ABOVE: of how many at least the optimum is above the load.  */
static void against_brute_force(struct instance *(*draw)(struct rng *rng), const char *what,
                                bool fewer, int small, int full, int most_above)
{
    struct rng *rng = rng_new(2026);
    int rounds = tap_tier(small, full), right = 0, alike = 0, above = 0;
    int64_t with = 0, without = 0;

    for (int round = 0; round < rounds; round++) {
        struct instance *instance = draw(rng);
        int64_t optimum = brute_force_optimum(instance);

        above += optimum > instance->load;
        right += proves("supermalloc", instance, optimum, &with);
        alike += proves("supermalloc:interchangeable=off", instance, optimum, &without);
        instance_free(instance);
    }
    is_int(right, rounds, "%s: the optimum, proved", what);
    is_int(alike, rounds, "%s: also with twins in any order", what);
    ok(above >= rounds * most_above / 100, "%s: %d of %d optima are above the load", what, above,
       rounds);
    if (fewer)
        ok(with < without, "%s: twins in their order take %d nodes, not %d", what, (int)with,
           (int)without);
    rng_free(rng);
}

static void twins(void)
{
    static const uint32_t expected[] = {MINIMALLOC_NO_TWIN, MINIMALLOC_NO_TWIN, 0,
                                        MINIMALLOC_NO_TWIN, MINIMALLOC_NO_TWIN, 2,
                                        MINIMALLOC_NO_TWIN};
    struct instance *instance = instance_new("twins");
    struct minimalloc_problem *problem;
    uint32_t *twin;

    rows_add(instance,
             "a 0 2 4; size 0 2 3; b 0 2 4; end 0 3 4; begin 1 2 4; c 0 2 4; alignment 0 2 4 2");
    problem = minimalloc_problem_new(sealed(instance));
    twin = minimalloc_twins(problem);
    for (size_t b = 0; b < instance->n; b++)
        is_int(twin[b], expected[b], "the twin before %s", instance->buffer[b].id);
    free(twin);
    minimalloc_problem_free(problem);
    instance_free(instance);
}

/* The example in the solver's head comment.  */
static void by_hand(void)
{
    struct instance *instance = gap_gadget(1);
    struct solver_run run = solver_run("supermalloc", instance, 1, 0);

    ok(solver_run_proves(&run, 5), "the gadget's optimum");
    is_int(run.statistics.count[STATISTIC_CAPACITIES], 4, "after four questions");
    is_int(run.statistics.count[STATISTIC_RESTARTS], 1, "in the second round");
    is_int(run.statistics.count[STATISTIC_TREE_NODES], run.nodes, "its nodes");
    instance_free(instance);
    instance = instance_of("tight:steps=20,seed=1");
    run = solver_run("supermalloc:max-pairs=10", instance, 1, 0);
    ok(run.valid && run.nodes == 0 && run.note[0] != '\0', "too many pairs: no search, a note");
    instance_free(instance);
}

int main(void)
{
    twins();
    by_hand();
    against_brute_force(draw_twins, "many twins", true, 300, 3000, 1);
    against_brute_force(draw_gadget, "around the gap gadget", false, 50, 300, 10);
    against_brute_force(draw_tight, "tight", false, 50, 300, 0);
    brackets_under_limits("supermalloc");
    return tap_done();
}
