/* MODeL's integer model: by hand, against exhaustive search and the project's own
 * models, what it refuses, limits, what it streams.  */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/instance.h"
#include "lib/params.h"
#include "lib/plan.h"
#include "lib/rng.h"
#include "lib/verify.h"
#include "solvers/solver.h"
#include "tests/brute_force.h"
#include "tests/instances.h"
#include "tests/random_instances.h"
#include "tests/run_solver.h"
#include "tests/tap.h"

struct watch {
    const struct instance *instance;
    int64_t peak, bound;
    bool good;
};

static void on_incumbent(void *context, const struct plan *plan)
{
    struct watch *watch = context;
    struct error error;

    watch->good =
        watch->good && plan->peak < watch->peak && verify_plan(watch->instance, plan, &error);
    watch->peak = plan->peak;
}

static void on_bound(void *context, int64_t bound)
{
    struct watch *watch = context;

    watch->good = watch->good && bound > watch->bound;
    watch->bound = bound;
}

struct answer {
    enum outcome outcome;
    int64_t peak, bound, nodes;
    bool good; /* the plan is valid, the stream monotone, and both agree */
    char note[160];
};

static struct answer run(const char *text, const struct instance *instance, int64_t nodes)
{
    const struct solver *solver = solver_find("model-ilp")->solver;
    struct watch watch = {instance, INT64_MAX, 0, true};
    struct plan *plan = plan_new(instance);
    struct params params;
    struct error error;
    struct solver_env env = {.params = &params,
                             .seed = 1,
                             .work_limit = nodes,
                             .incumbent = on_incumbent,
                             .bound = on_bound,
                             .context = &watch};
    struct answer answer;

    if (!params_parse(&params, "model-ilp", text, &solver->params, 1, &error))
        abort();
    answer.outcome = solver->solve(instance, &env, plan);
    answer.peak = plan->peak;
    answer.bound = plan->lower_bound;
    answer.nodes = plan->nodes;
    answer.good = watch.good && watch.peak == plan->peak && watch.bound <= plan->lower_bound &&
                  verify_plan(instance, plan, &error);
    memcpy(answer.note, plan->note, sizeof answer.note);
    params_clear(&params);
    plan_free(plan);
    return answer;
}

/* The example in model-ilp.c, in units of 1024 bytes.  */
static void by_hand(void)
{
    struct instance *instance = instance_new("by hand");
    struct answer answer;

    instance_add(instance, "a", 0, 2, 2048, 1);
    instance_add(instance, "b", 1, 3, 3072, 1);
    instance_add(instance, "c", 2, 4, 4096, 1);
    answer = run("", sealed(instance), 0);
    is_int(answer.outcome, OUTCOME_OPTIMAL, "the example is solved");
    is_int(answer.peak, 7168, "its peak");
    is_int(answer.bound, 7168, "its proof, without being told the load");
    ok(answer.good, "what it streams");
    answer = run("", instance, 1);
    ok(answer.good && answer.outcome == OUTCOME_FEASIBLE && answer.peak >= 7168,
       "a limit of one node leaves a plan");
    is_int(answer.bound, 4096, "and the bound of the relaxation, the largest size");
    is_text(answer.note, "work limit of 1 nodes", "and says so");
    instance_free(instance);
}

/* The smallest instance with an optimum above the load.  */
static void gadget(void)
{
    static const int64_t row[][3] = {{0, 1, 2}, {0, 2, 2}, {1, 3, 1}, {1, 4, 1},
                                     {2, 4, 1}, {3, 5, 2}, {4, 5, 2}};
    struct instance *instance = instance_new("gadget");
    struct answer answer;

    for (size_t i = 0; i < 7; i++) {
        const char id[] = {(char)('a' + i), '\0'};

        instance_add(instance, id, row[i][0], row[i][1], row[i][2], 1);
    }
    sealed(instance);
    is_int(instance->load, 4, "the gadget's load");
    for (int load = 0; load < 2; load++) {
        answer = run(load == 1 ? "load=on" : "", instance, 0);
        ok(answer.outcome == OUTCOME_OPTIMAL && answer.good, "it is proven (load %d)", load);
        is_int(answer.bound, 5, "to be 5");
    }
    instance_free(instance);
}

static void random_ones(void)
{
    struct rng *rng = rng_new(2023);
    int rounds = tap_tier(20, 150), optimal = 0, right = 0, told = 0, same = 0;

    for (int round = 0; round < rounds; round++) {
        enum random_kind kind = round % 2 == 0 ? RANDOM_TIES : RANDOM_UNIFORM;
        struct instance *instance = random_instance(rng, kind, (size_t)rng_range(rng, 0, 6));
        struct answer answer = run("", instance, 0), with_load = run("load=on", instance, 0);

        optimal += answer.outcome == OUTCOME_OPTIMAL && answer.good && answer.bound == answer.peak;
        right += answer.peak == brute_force_optimum(instance);
        told += with_load.outcome == OUTCOME_OPTIMAL && with_load.good &&
                with_load.peak == answer.peak && with_load.bound >= instance->load;
        same += run_solver_peak("glpk", instance) == answer.peak;
        instance_free(instance);
    }
    is_int(optimal, rounds, "tiny instances are solved, with a proof");
    is_int(right, rounds, "exhaustive search finds the same optima");
    is_int(told, rounds, "also where the load is known");
    is_int(same, rounds, "and glpk does");
    rng_free(rng);
}

static void refusals(void)
{
    struct instance *instance = instance_new("wide"), *few = three(1);

    ok(solver_applies("model-ilp:max-pairs=2", few), "three buffers have two pairs");
    ok(!solver_applies("model-ilp:max-pairs=1", few), "which can be too many");
    instance_free(few);
    instance_add(instance, "a", 0, 2, 50000001, 1);
    instance_add(instance, "b", 1, 3, 50000000, 1);
    ok(!solver_applies("model-ilp", sealed(instance)),
       "units that no tolerance tells apart are refused");
    instance_free(instance);
    instance = instance_new("coarse");
    instance_add(instance, "a", 0, 2, INT64_C(50000001) << 20, 1);
    instance_add(instance, "b", 1, 3, INT64_C(1) << 20, 1);
    ok(solver_applies("model-ilp", sealed(instance)), "units are what counts, not bytes");
    instance_free(instance);
}

int main(void)
{
    by_hand();
    gadget();
    random_ones();
    refusals();
    return tap_done();
}
