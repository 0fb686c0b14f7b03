/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The section search and the minimiser on it: against exhaustive search and GLPK,
 * at every capacity; known optima above the load; limits.  */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "tests/oracles/every_capacity.h"
#include "tests/support/instances.h"
#include "tests/support/random_instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"

/* Without the first plan and the search over orders, which settle most on their own.  */
static const char own_search[] = "branch-and-bound:planner=off,disjunctive=off";

static void against_glpk(void)
{
    struct rng *rng = rng_new(73);
    int rounds = tap_tier(150, 4000), same = 0, right = 0, above = 0, seeds = 0;

    for (int round = 0; round < rounds; round++) {
        struct instance *instance =
            tight_instance(rng, 19, rng_range(rng, 6, 13), rng_range(rng, 10, 40));
        struct solver_run exact = solver_run("glpk", instance, 1, 0);
        struct solver_run one = solver_run("branch-and-bound", instance, 1, 0);
        struct solver_run other = solver_run(own_search, instance, 4242, 0);

        same += solver_run_proves(&exact, exact.peak) && solver_run_proves(&one, exact.peak);
        seeds += solver_run_proves(&other, one.peak);
        right += every_search_right(instance, exact.peak);
        above += exact.peak > instance->load;
        instance_free(instance);
    }
    is_int(same, rounds, "the optimum that GLPK proves");
    is_int(seeds, rounds, "with another seed too");
    is_int(right, rounds, "right at every capacity");
    ok(above > 0, "%d of %d optima above the load", above, rounds);
    rng_free(rng);
}

static void known_optima(void)
{
    struct instance *instance = gap_gadget(1000003);
    struct solver_run run = solver_run("branch-and-bound", instance, 1, 0);

    ok(solver_run_proves(&run, 5 * INT64_C(1000003)), "the gap gadget: 5/4 of the load, proven");
    instance_free(instance);
    instance = instance_of("gadget:repeat=50,scale=7");
    run = solver_run("branch-and-bound", instance, 1, 0);
    ok(solver_run_proves(&run, 35), "50 of them in a row");
    instance_free(instance);
}

/* Every technique switched off, alone and with each other one.  */
static void ablation(void)
{
    static const char *const turned[] = {"learning=off", "notfirst=off", "subset=off",
                                         "decomposition=off", "disjunctive=off"};
    enum { SWITCHES = sizeof turned / sizeof *turned };
    struct rng *rng = rng_new(97);
    int rounds = tap_tier(3, 10), same = 0, runs = 0, above = 0;

    while (above < rounds) {
        struct instance *instance = tight_instance(rng, 22, rng_range(rng, 8, 13), 40);
        struct solver_run all = solver_run("branch-and-bound", instance, 1, 0);

        above += all.peak > instance->load;
        for (size_t i = 0; i < SWITCHES && all.peak > instance->load; i++)
            for (size_t k = i; k < SWITCHES; k++) {
                char *spec = i == k ? memory_printf("branch-and-bound:%s", turned[i])
                                    : memory_printf("branch-and-bound:%s,%s", turned[i], turned[k]);
                struct solver_run result = solver_run(spec, instance, 1, 0);

                runs++;
                same += solver_run_proves(&result, all.peak);
                free(spec);
            }
        instance_free(instance);
    }
    is_int(same, runs,
           "each technique switched, alone and in pairs: the same optimum above the load");
    rng_free(rng);
}

/* A limit leaves a bracket; the same limit and seed the same plan.  */
static void limits(void)
{
    struct rng *rng = rng_new(79);
    int brackets = 0, right = 0, same = 0, rounds = tap_tier(10, 40);

    for (int round = 0; round < rounds; round++) {
        struct instance *instance = tight_instance(rng, 70, 12, 100);
        struct solver_run few = solver_run("branch-and-bound", instance, 1, 20);
        struct solver_run again = solver_run("branch-and-bound", instance, 1, 20);

        brackets += few.outcome == OUTCOME_FEASIBLE && few.bound < few.peak;
        right += few.valid && few.bound >= instance->load && few.bound <= few.peak &&
                 few.nodes <= 20 && (few.outcome == OUTCOME_OPTIMAL) == (few.bound == few.peak);
        same += few.peak == again.peak && few.nodes == again.nodes && few.bound == again.bound;
        instance_free(instance);
    }
    ok(brackets > 0, "a work limit of 20 nodes leaves brackets: %d of %d", brackets, rounds);
    is_int(right, rounds, "which are ones, within the limit");
    is_int(same, rounds, "and the same again");
    rng_free(rng);
}

/* Over a million incidences of buffers and sections: the planner's alone, within the limit;
 * tests/harness/cli/solve.sh has it in little memory.  */
static void large(void)
{
    struct instance *instance = instance_of("uniform:n=3200");
    struct solver_run run = solver_run("branch-and-bound", instance, 1, 1000);

    ok(run.valid && run.outcome == OUTCOME_FEASIBLE && run.nodes <= 1000 &&
           run.bound == instance->load && run.peak > run.bound,
       "a large instance: a bracket after %" PRId64 " placements", run.nodes);
    instance_free(instance);
}

/* The accelerator instances and the tight ones with optima that others proved.  */
static void real_instances(void)
{
    static const struct {
        const char *file;
        int64_t optimum;
    } real[] = {{"minimalloc/A.1048576.csv", 1048576},
                {"minimalloc/C.1048576.csv", 1039360},
                {"minimalloc/E.1048576.csv", 1048576},
                {"minimalloc/G.1048576.csv", 1048576},
                {"tight/ta_0.csv", 104},
                {"tight/ta_5.csv", 102},
                {"tight/tc_2.csv", 205},
                {"tight/tc_5.csv", 202},
                {"tight/td_3.csv", 100}};

    for (size_t i = 0; i < sizeof real / sizeof *real; i++) {
        struct instance *instance;
        struct solver_run result;
        char *spec;

        if (tap_skip_without(1, real[i].file))
            continue;
        spec = memory_printf("data:%s", real[i].file);
        instance = instance_of(spec);
        result = solver_run("branch-and-bound", instance, 1, 0);
        ok(solver_run_proves(&result, real[i].optimum), "%s: %" PRId64 " is proven optimal",
           real[i].file, result.peak);
        instance_free(instance);
        free(spec);
    }
}

int main(void)
{
    against_glpk();
    known_optima();
    ablation();
    limits();
    large();
    real_instances();
    return tap_done();
}
