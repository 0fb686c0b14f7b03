/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searches over placement orders: the decoder against the planner that it is, and what
 * annealing and the squeaky wheel promise.  */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/place/gap_index.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "solvers/fit/decoder.h"
#include "solvers/fit/turns.h"
#include "solvers/search/gsl_anneal.h"
#include "solvers/search/order_search.h"
#include "solvers/solver.h"
#include "tests/support/instances.h"
#include "tests/support/random_instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"

static const char *const searchers[] = {"annealing", "squeaky-wheel"};
enum { SEARCHERS = sizeof searchers / sizeof searchers[0] };

/* --- the decoder --- */

static bool decodes(const struct instance *instance, struct rng *rng)
{
    struct plan *fast = plan_new(instance), *plain = plan_new(instance);
    struct order_key *key = memory_zalloc(instance->n, sizeof *key);
    uint32_t *order = memory_alloc(instance->n, sizeof *order);
    struct decoder *decoder = decoder_new(instance);
    bool good = true;

    for (size_t i = 0; i < instance->n; i++)
        order[i] = (uint32_t)i;
    for (int time = 0; time < 2; time++) {
        rng_shuffle(rng, order, instance->n, sizeof *order);
        for (size_t i = 0; i < instance->n; i++)
            key[i].index = order[i];
        decoder_run(decoder, order, fast);
        gap_place(instance, key, FIT_FIRST, plain);
        good = good && fast->peak == plain->peak &&
               memcmp(fast->offset, plain->offset, instance->n * sizeof *fast->offset) == 0;
    }
    decoder_free(decoder);
    free(order);
    free(key);
    plan_free(plain);
    plan_free(fast);
    return good;
}

static void decoder(void)
{
    struct rng *rng = rng_new(3);
    int rounds = tap_tier(50, 300), good = 0;
    struct instance *instance;

    for (int round = 0; round < rounds; round++)
        for (size_t kind = 0; kind < RANDOM_KINDS; kind++) {
            instance = random_instance(rng, (enum random_kind)kind, (size_t)rng_range(rng, 0, 80));
            good += decodes(instance, rng);
            instance_free(instance);
        }
    is_int(good, rounds * RANDOM_KINDS, "a decoding is first fit in that order");
    instance = random_instance(rng, RANDOM_CHAIN, 4500);
    ok(decodes(instance, rng), "also with more buffers than are scanned");
    instance_free(instance);
    rng_free(rng);
}

/* --- the wrapper of GSL's annealing --- */

/* How far ORDER is from descending: 0 at best.  Notes whether it is a permutation.  */
struct sorting {
    size_t n;
    int64_t asked, stop_after;
    bool permutations;
};

static double disorder(void *context, const uint32_t *order)
{
    struct sorting *sorting = context;
    uint64_t seen = 0;
    double inversions = 0.0;

    if (sorting->asked++ >= sorting->stop_after)
        return INFINITY;
    for (size_t i = 0; i < sorting->n; i++) {
        seen |= UINT64_C(1) << order[i];
        for (size_t j = 0; j < i; j++)
            inversions += order[j] < order[i];
    }
    sorting->permutations = sorting->permutations && seen == (UINT64_C(1) << sorting->n) - 1;
    return inversions;
}

static void annealing_sorts(void)
{
    const struct anneal_schedule schedule = {
        .start = 5.0, .stop = 0.1, .cooling = 1.2, .steps = 100};
    struct sorting sorting = {.n = 10, .stop_after = INT64_MAX, .permutations = true};
    uint32_t order[10], before[10];
    struct rng *rng = rng_new(8);

    for (uint32_t i = 0; i < 10; i++)
        order[i] = before[i] = i;
    gsl_anneal(order, 10, disorder, &sorting, &schedule, rng);
    ok(sorting.permutations, "steps keep a permutation");
    ok(sorting.asked > 2000, "each temperature has its steps");
    is_int((int64_t)disorder(&sorting, order), 0, "it ends sorted");
    sorting = (struct sorting){.n = 10, .stop_after = 1, .permutations = true};
    memcpy(order, before, sizeof order);
    gsl_anneal(order, 10, disorder, &sorting, &schedule, rng);
    ok(memcmp(order, before, sizeof order) == 0, "what is not accepted is not kept");
    rng_free(rng);
}

/* --- the searches --- */

/* A run with limits; *GOOD: the stream was valid and ended with the plan.  */
static enum outcome search(const char *name, const struct instance *instance,
                           const struct solver_limits *limits, struct plan *plan, bool *good)
{
    struct solver_run run;

    plan->nodes = 0; /* as a fresh one */
    run = solver_run_into(name, instance, limits, plan);
    *good = run.valid && run.streamed;
    return run.outcome;
}

/* The example in the searchers' head comments.  */
static void by_hand(void)
{
    struct instance *instance = instance_of_rows("a 0 2 4; b 1 3 3; c 0 1 2; d 2 3 5");

    is_int(instance->load, 8, "the example's load");
    for (size_t s = 0; s < SEARCHERS; s++)
        is_int(run_solver_peak(searchers[s], instance), 8, "%s reaches it", searchers[s]);
    instance_free(instance);
}

/* The smallest instance with an optimum above the load keeps the search going.  */
static void limits(const char *name)
{
    struct instance *instance = gap_gadget(1);
    struct plan *plan = plan_new(instance);
    bool good;

    is_int(search(name, instance, &(struct solver_limits){.seed = 1}, plan, &good),
           OUTCOME_FEASIBLE, "%s ends without limits", name);
    is_int(plan->nodes, 1000, "%s: after 1000 decodings", name);
    is_int(plan->peak, 5, "%s: the gadget's optimum", name);
    ok(good, "%s: what it streams", name);
    search(name, instance, &(struct solver_limits){1, 77, 0.0}, plan, &good);
    is_int(plan->nodes, 77, "%s: a work limit counts decodings", name);
    is_int(search(name, instance, &(struct solver_limits){1, 0, 0.01}, plan, &good),
           OUTCOME_TIMEOUT, "%s: a time limit ends it", name);
    ok(good && plan->nodes > 0, "%s: with a plan", name);
    plan_free(plan);
    instance_free(instance);
}

static void repeats(const char *name)
{
    struct rng *rng = rng_new(21);
    int rounds = tap_tier(10, 40), same = 0, different = 0, good = 0, never_worse = 0;

    for (int round = 0; round < rounds; round++) {
        struct instance *instance = random_instance(rng, RANDOM_UNIFORM, 60);
        struct plan *plan[3];
        bool streamed = true;

        for (int i = 0; i < 3; i++) {
            const struct solver_limits limits = {i < 2 ? 4 : 5, 200, 0.0};
            bool one;

            plan[i] = plan_new(instance);
            search(name, instance, &limits, plan[i], &one);
            streamed = streamed && one;
        }
        good += streamed;
        never_worse += plan[0]->peak <= run_solver_peak("first-fit-by-size", instance);
        same += memcmp(plan[0]->offset, plan[1]->offset, 60 * sizeof *plan[0]->offset) == 0;
        different += memcmp(plan[0]->offset, plan[2]->offset, 60 * sizeof *plan[0]->offset) != 0;
        for (int i = 0; i < 3; i++)
            plan_free(plan[i]);
        instance_free(instance);
    }
    is_int(good, rounds, "%s: incumbents are valid, get better and end with the plan", name);
    is_int(never_worse, rounds, "%s: never worse than first-fit-by-size", name);
    is_int(same, rounds, "%s: same seed and work limit, same plan", name);
    ok(different > rounds / 4, "%s: another seed often gives another plan", name);
    rng_free(rng);
}

/* --- ends --- */

static double never(void *context, const uint32_t *order)
{
    int64_t *asked = context;

    (void)order;
    return ++*asked == 1 ? 1.0 : INFINITY;
}

/* 200,000 turns with orders of 200,000 entries: as copies that would be 160 GB.  */
static void stopped_annealing(void)
{
    enum { N = 200000 };
    const struct anneal_schedule schedule = {
        .start = 0.02, .stop = 0.0002, .cooling = 1.1, .steps = 4096};
    const struct rlimit seconds = {20, RLIM_INFINITY}, none = {RLIM_INFINITY, RLIM_INFINITY};
    uint32_t *order = memory_alloc(N, sizeof *order);
    struct rng *rng = rng_new(1);
    int64_t asked = 0;
    bool same = true;

    for (size_t i = 0; i < N; i++)
        order[i] = (uint32_t)(N - i);
    setrlimit(RLIMIT_CPU, &seconds);
    gsl_anneal(order, N, never, &asked, &schedule, rng);
    setrlimit(RLIMIT_CPU, &none);
    for (size_t i = 0; i < N; i++)
        same = same && order[i] == N - i;
    ok(same && asked == 2, "annealing that is over asks and copies no more: %d", (int)asked);
    rng_free(rng);
    free(order);
}

/* The clock is years before the deadline; only what a decoding takes is not.  */
static void late_decodings(void)
{
    const struct solver_env env = {.seed = 1, .time_limit = 1e9};
    struct instance *instance = three(1);
    struct plan *plan = plan_new(instance);
    uint32_t order[] = {2, 1, 0};
    struct order_search search;

    order_search_init(&search, instance, &env, plan);
    plan->lower_bound = 0;
    order_search_try(&search, order);
    instance->load = 0; /* no plan is good enough */
    ok(plan->nodes == 1 && search.slowest > 0.0 && !order_search_over(&search),
       "a search with time left goes on");
    search.slowest = 1e9;
    ok(order_search_over(&search) && search.timed_out,
       "one whose next decoding would end too late is over");
    is_int(order_search_try(&search, order), INT64_MAX, "and decodes no more");
    order_search_end(&search);
    plan_free(plan);
    instance_free(instance);
}

static void turns(void)
{
    const struct solver_env late = {.time_limit = 1e-9}, early = {.time_limit = 1e9}, none = {0};
    struct turns turns = turns_under(&late);

    ok(turns_next(&turns) && !turns_next(&turns), "past the deadline there is one turn");
    turns = turns_under(&early);
    ok(turns_next(&turns) && turns_next(&turns), "long before it there are more");
    turns.longest = 1e9;
    ok(!turns_next(&turns), "but none that would end after it");
    turns = turns_under(&none);
    turns.longest = 1e300;
    ok(turns_next(&turns) && turns_next(&turns), "without a limit there are more anyway");
}

int main(void)
{
    decoder();
    annealing_sorts();
    by_hand();
    for (size_t s = 0; s < SEARCHERS; s++) {
        limits(searchers[s]);
        repeats(searchers[s]);
    }
    stopped_annealing();
    late_decodings();
    turns();
    return tap_done();
}
