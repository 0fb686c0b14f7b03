/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Packings by evictions: each is one and lower than the last, against exhaustive search; and what
 * they are for, section-first on mixed alignments.  */
#include <config.h>

#include <inttypes.h>
#include <math.h>

#include "lib/base/checked.h"
#include "lib/base/rng.h"
#include "lib/base/timer.h"
#include "lib/judge/verify.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "planner/dives/evictions.h"
#include "tests/oracles/brute_force.h"
#include "tests/support/instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"

#define WORK_A_NODE 10.0

/* Sizes up to LARGEST.  Alignments are powers of two, or with ODD any numbers up to 12.  */
static struct instance *mixed(uint32_t seed, size_t n, int64_t largest, bool odd)
{
    struct instance *instance = instance_new("mixed");
    struct rng *rng = rng_new(seed);

    for (size_t b = 0; b < n; b++) {
        int64_t begin = rng_range(rng, 0, (int64_t)n / 2), end = begin + rng_range(rng, 1, 4);
        int64_t size = rng_range(rng, 1, largest);

        add_buffer(instance, begin, end, size,
                   odd ? rng_range(rng, 1, 12) : INT64_C(1) << rng_range(rng, 0, 4));
    }
    rng_free(rng);
    return sealed(instance);
}

/* What a search came to.  */
struct descent {
    bool sound;      /* each packing was one, and lower than the one before */
    int found;       /* packings */
    int64_t peak;    /* of the last one */
    int64_t nodes;   /* of all turns */
    size_t checksum; /* of the last one's offsets */
};

/* Turns of NODES placements each from PLAN on, which becomes the lowest packing.  */
static struct descent descend(const struct instance *instance, struct plan *plan, int turns,
                              int64_t nodes)
{
    int64_t pairs = instance_overlapping_pairs(instance), begun;
    struct descent descent = {.sound = true};
    struct evictions evictions;
    struct error error = {""};

    evictions_init(&evictions, 7);
    evictions_begin(&evictions, instance, 1, pairs, WORK_A_NODE);
    begun = evictions.nodes;
    evictions_follow(&evictions, plan->offset, 1, plan->peak);
    for (int turn = 0; turn < turns; turn++) {
        int64_t peak = plan->peak;

        if (!evictions_turn(&evictions, instance->load, nodes, INFINITY))
            continue;
        for (size_t b = 0; b < instance->n; b++)
            plan->offset[b] = evictions.best[b];
        plan->peak = plan_peak(instance, plan);
        descent.sound = descent.sound && verify_plan(instance, plan, &error) && plan->peak < peak &&
                        plan->peak == evictions.peak;
        descent.found++;
    }
    descent.peak = plan->peak;
    descent.nodes = evictions.nodes - begun;
    for (size_t b = 0; b < instance->n; b++)
        descent.checksum = descent.checksum * 31 + (size_t)plan->offset[b];
    evictions_clear(&evictions);
    return descent;
}

/* From a plan by first fit.  */
static struct descent descend_from_fit(const struct instance *instance, int turns, int64_t nodes)
{
    struct solver_limits limits = {.seed = 1};
    struct plan *plan = plan_new(instance);
    struct descent descent;

    solver_run_into("first-fit-by-size", instance, &limits, plan);
    descent = descend(instance, plan, turns, nodes);
    plan_free(plan);
    return descent;
}

static void small(void)
{
    int rounds = tap_tier(100, 1000), sound = 0, possible = 0, met = 0, above = 0;

    for (int round = 0; round < rounds; round++) {
        struct instance *instance =
            mixed((uint32_t)round + 1, 4 + (size_t)round % 4, 30, round % 2 == 0);
        int64_t optimum = brute_force_optimum(instance);
        struct descent descent = descend_from_fit(instance, 20, 500);

        above += run_solver_peak("first-fit-by-size", instance) > optimum;
        sound += descent.sound;
        possible += descent.peak >= optimum;
        met += descent.peak == optimum;
        instance_free(instance);
    }
    is_int(sound, rounds, "small: packings are packings, ever lower ones");
    is_int(possible, rounds, "none is below the optimum");
    ok(met >= rounds * 98 / 100, "%d of %d get there, of which first fit leaves %d above it", met,
       rounds, above);
}

/* Starts are few for an event where alignments are coarse, and many with large sizes.  */
static void larger(int64_t largest)
{
    int rounds = tap_tier(20, 100), sound = 0, lower = 0, same = 0, within = 0;

    for (int round = 0; round < rounds; round++) {
        struct instance *instance =
            mixed((uint32_t)round + 1, 60 + (size_t)round, largest, round % 2 == 0);
        struct descent descent = descend_from_fit(instance, 20, 100);
        struct descent again = descend_from_fit(instance, 20, 100);

        sound += descent.sound;
        lower += descent.found > 0 || descent.peak == instance->load;
        same += descent.checksum == again.checksum && descent.nodes == again.nodes;
        within += descent.nodes <= 2000;
        instance_free(instance);
    }
    is_int(sound, rounds, "sizes up to %" PRId64 ": packings, ever lower ones", largest);
    ok(lower >= rounds / 2, "%d of %d first fits are not the last word", lower, rounds);
    is_int(same, rounds, "the same seed finds the same");
    is_int(within, rounds, "a turn takes no more than it is given");
}

static void limits(void)
{
    struct instance *instance = mixed(1, 60, 100, false);
    struct evictions evictions;
    struct plan *plan = plan_new(instance);
    int64_t *offset = plan->offset, end = 0;

    /* One above the other.  */
    for (size_t b = 0; b < instance->n; b++) {
        offset[b] = align_up(end, instance->buffer[b].alignment);
        end = offset[b] + instance->buffer[b].size;
    }
    evictions_init(&evictions, 1);
    evictions_begin(&evictions, instance, 1, instance_overlapping_pairs(instance), WORK_A_NODE);
    evictions_follow(&evictions, offset, 1, end);
    ok(!evictions_turn(&evictions, instance->load, 1000, 0.0),
       "after the deadline nothing is done");
    ok(!evictions_turn(&evictions, end, 1000, INFINITY), "nor where the peak is low enough");
    ok(evictions_turn(&evictions, instance->load, 100000, INFINITY) && evictions.peak < end,
       "else a lower packing is found");
    ok(evictions_cost(instance, 1000, WORK_A_NODE) < evictions_cost(instance, 2000, WORK_A_NODE),
       "to begin costs more where more are alive together");
    ok(evictions_cost(instance, INT64_C(1) << 40, WORK_A_NODE) == INT64_MAX,
       "and there is a limit to that");
    evictions_clear(&evictions);
    plan_free(plan);
    instance_free(instance);
}

/* A clock that says how often it was looked at.  */
static double looks(void *context)
{
    double *count = context;

    return (*count)++;
}

/* Two that can't be stacked as high as the load only.  */
static struct instance *coarse(void)
{
    return instance_of_rows("a 0 1 3 4; b 0 1 3 4");
}

static void begin_coarse(struct evictions *evictions, const struct instance *instance)
{
    evictions_init(evictions, 1);
    evictions_begin(evictions, instance, 1, 1, WORK_A_NODE);
}

/* Nothing but a limit ends the turn.  */
static void deadlines(void)
{
    struct instance *instance = coarse();
    int64_t offset[2] = {0, 4};
    double count = 0.0;
    struct timer_source clock = {looks, &count};
    const struct timer_source *before;
    struct evictions evictions;

    begin_coarse(&evictions, instance);
    evictions_follow(&evictions, offset, 1, 7);
    before = timer_use(&clock);
    ok(!evictions_turn(&evictions, instance->load, 1000000, 5.0) && evictions.nodes < 10000,
       "a turn looks at the clock while it lasts");
    timer_use(before);
    evictions_clear(&evictions);
    instance_free(instance);
}

/* What is no lower than what it has is not followed: a try goes on.  */
static void follows(void)
{
    struct instance *instance = coarse();
    const int64_t best[2] = {0, 4}, as_high[2] = {4, 0}, higher[2] = {0, 8};
    struct evictions evictions;

    begin_coarse(&evictions, instance);
    evictions_follow(&evictions, higher, 1, 11);
    ok(evictions.peak == 11 && evictions.best[1] == 8, "the first packing is followed");
    evictions_follow(&evictions, best, 1, 7);
    ok(evictions.peak == 7 && evictions.best[1] == 4, "and a lower one");
    ok(!evictions_turn(&evictions, instance->load, 1, INFINITY) && evictions.trying,
       "a turn that ends in a try");
    evictions_follow(&evictions, as_high, 1, 7);
    ok(evictions.trying && evictions.best[1] == 4, "goes on with that, and not with one as high");
    evictions_follow(&evictions, higher, 1, 11);
    ok(evictions.trying && evictions.peak == 7 && evictions.best[1] == 4, "nor with a higher one");
    evictions_clear(&evictions);
    instance_free(instance);
}

/* Both end 7 to 10 % above the bound by dives and the disjunctive search.  */
static void planner(void)
{
    static const char *const spec[] = {
        "stretches:n=228,life=16,stretches=1,high=4000,least=64,align=4096,seed=5908",
        "stretches:n=292,life=44,stretches=1,high=4000,least=64,align=4096,seed=5912"};

    for (size_t i = 0; i < sizeof spec / sizeof *spec; i++) {
        struct instance *instance = instance_of(spec[i]);
        struct solver_run run = solver_run("section-first", instance, 1, 80000);

        ok(run.valid && run.streamed && run.nodes <= 80100 && run.bound > instance->load &&
               (double)run.peak <= 1.04 * (double)run.bound,
           "section-first: %.3f of the bound on %s", (double)run.peak / (double)run.bound, spec[i]);
        instance_free(instance);
    }
}

/* Large packings without alignments end 12 to 16 % above the load by dives alone.  */
static void large(void)
{
    static const struct {
        const char *spec;
        double most;
    } trial[] = {{"cuts:n=1300,pinwheels=60,slack=2", 1.115}, {"cuts:n=2000", 1.145}};

    for (size_t i = 0; i < sizeof trial / sizeof *trial; i++) {
        struct instance *instance = instance_of(trial[i].spec);
        struct solver_run run = solver_run("section-first", instance, 1, 200000);

        ok(run.valid && (double)run.peak <= trial[i].most * (double)instance->load,
           "section-first: %.3f of the load on %s", (double)run.peak / (double)instance->load,
           trial[i].spec);
        instance_free(instance);
    }
}

int main(void)
{
    small();
    larger(40);
    larger(1000000);
    limits();
    deadlines();
    follows();
    planner();
    large();
    return tap_done();
}
