/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The library from outside: what it answers, against exhaustive search and both judges.  */
#include <config.h>

#include "planner/arenaplan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/judge/verify.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "solvers/library/callers_problem.h"
#include "tests/oracles/brute_force.h"
#include "tests/support/drawn_problem.h"
#include "tests/support/fixed_case.h"
#include "tests/support/instances.h"
#include "tests/support/piece_case.h"
#include "tests/support/random_instances.h"
#include "tests/support/tap.h"

/* Both judges agree that OFFSET is a plan with this peak.  */
static bool judged(const struct instance *instance, const struct arenaplan_problem *problem,
                   const int64_t *offset, int64_t peak)
{
    struct arenaplan_result result = ARENAPLAN_RESULT;
    struct plan *plan = plan_new(instance);
    struct error error = {""};
    bool good;

    memcpy(plan->offset, offset, instance->n * sizeof *offset);
    plan->peak = peak;
    good = verify_plan(instance, plan, &error) &&
           arenaplan_check(problem, NULL, offset, &result) == ARENAPLAN_FEASIBLE &&
           result.peak == peak;
    plan_free(plan);
    return good;
}

/* --- tiny problems --- */

struct tally {
    int all, planned, proven, fitted, refuted, above;
};

/* Pieces come in any order.  */
static void turn_pieces(struct callers_problem *given)
{
    size_t begin = 0;

    for (size_t b = 0; b < given->problem.count; b++) {
        size_t pieces = given->buffer[b].pieces;
        struct arenaplan_piece *piece = given->piece + begin;

        for (size_t i = 0; i < pieces / 2; i++) {
            struct arenaplan_piece other = piece[i];

            piece[i] = piece[pieces - 1 - i];
            piece[pieces - 1 - i] = other;
        }
        begin += pieces;
    }
}

static void judge_tiny(struct tally *tally, const struct instance *instance, int64_t optimum)
{
    struct arenaplan_options options = ARENAPLAN_OPTIONS;
    struct arenaplan_result result = ARENAPLAN_RESULT;
    int64_t *offset = memory_alloc(instance->n, sizeof *offset);
    struct callers_problem given;
    const struct arenaplan_problem *problem = &given.problem;
    enum arenaplan_status status;

    callers_problem_init(&given, instance);
    if (tally->all % 3 == 0)
        turn_pieces(&given);
    tally->all++;
    tally->above += optimum > instance->load;
    status = arenaplan_plan(problem, &options, offset, &result);
    tally->planned += status <= ARENAPLAN_FEASIBLE && result.peak >= optimum &&
                      result.lower_bound >= instance->load && result.lower_bound <= optimum &&
                      (status == ARENAPLAN_OPTIMAL) == (result.peak == result.lower_bound) &&
                      judged(instance, problem, offset, result.peak);
    status = arenaplan_prove(problem, &options, offset, &result);
    tally->proven += status == ARENAPLAN_OPTIMAL && result.peak == optimum &&
                     result.lower_bound == optimum &&
                     judged(instance, problem, offset, result.peak);
    status = arenaplan_fits(problem, optimum, &options, offset, &result);
    tally->fitted += status <= ARENAPLAN_FEASIBLE && result.peak == optimum &&
                     judged(instance, problem, offset, result.peak);
    memset(offset, 7, instance->n * sizeof *offset);
    status = arenaplan_fits(problem, optimum - 1, &options, offset, &result);
    tally->refuted += status == ARENAPLAN_INFEASIBLE && result.peak == 0 &&
                      result.lower_bound == optimum && offset[0] == 0x0707070707070707;
    callers_problem_clear(&given);
    memory_free(offset);
}

static void report(const struct tally *tally, const char *what)
{
    tap_diag("%d of %d above the load", tally->above, tally->all);
    is_int(tally->planned, tally->all, "%s: plans are valid", what);
    is_int(tally->proven, tally->all, "%s: the optimum is found and proven", what);
    is_int(tally->fitted, tally->all, "%s: the optimum fits", what);
    is_int(tally->refuted, tally->all, "%s: one byte less does not", what);
}

static void tiny(void)
{
    struct tally gadgets = {0}, aligned = {0}, pieces = {0}, fixed = {0};
    struct rng *rng = rng_new(3);

    for (int round = tap_tier(6, 40); round > 0; round--) {
        struct instance *gadget = gadget_and_others(rng, rng_range(rng, 0, 5));
        struct instance *tight =
            tight_instance(rng, 9, rng_range(rng, 4, 8), rng_range(rng, 6, 15));
        struct instance *mixed = random_alignments(rng, tight), *shaped = piece_case_random(rng);
        struct instance *around = fixed_case_random(rng, round % 2 == 0);

        judge_tiny(&gadgets, gadget, brute_force_optimum(gadget));
        judge_tiny(&aligned, mixed, brute_force_optimum(mixed));
        judge_tiny(&pieces, shaped, piece_case_optimum(shaped));
        judge_tiny(&fixed, around, piece_case_optimum(around));
        instance_free(gadget);
        instance_free(tight);
        instance_free(mixed);
        instance_free(shaped);
        instance_free(around);
    }
    rng_free(rng);
    report(&gadgets, "around the gap gadget");
    report(&aligned, "with alignments");
    report(&pieces, "with pieces");
    report(&fixed, "around fixed buffers");
    ok(gadgets.above * 10 > gadgets.all && pieces.above * 20 > pieces.all,
       "enough of them have an optimum above the load");
}

/* --- larger ones --- */

static void larger(void)
{
    struct rng *rng = rng_new(4);
    int all = 0, good = 0, cut = 0;

    for (int round = tap_tier(1, 10); round > 0; round--)
        for (size_t kind = 0; kind < RANDOM_KINDS; kind++) {
            size_t n = (size_t)rng_range(rng, 1, 400);
            struct instance *instance = random_instance(rng, (enum random_kind)kind, n);
            struct arenaplan_options options = ARENAPLAN_OPTIONS;
            struct arenaplan_result result = ARENAPLAN_RESULT;
            int64_t *offset = memory_alloc(n, sizeof *offset);
            struct callers_problem given;

            callers_problem_init(&given, instance);
            options.work = 2000;
            all++;
            good +=
                arenaplan_plan(&given.problem, &options, offset, &result) <= ARENAPLAN_FEASIBLE &&
                judged(instance, &given.problem, offset, result.peak);
            cut += result.peak > result.lower_bound;
            offset[n / 2] += result.peak; /* above all others: no overlap, another peak */
            good += arenaplan_check(&given.problem, NULL, offset, &result) != ARENAPLAN_FEASIBLE ||
                    result.peak > result.lower_bound;
            callers_problem_clear(&given);
            memory_free(offset);
            instance_free(instance);
        }
    rng_free(rng);
    tap_diag("%d of %d above the load", cut, all);
    is_int(good, 2 * all, "random problems of all kinds get valid plans");
}

/* Buffers; placements above a limit.  */
enum { MOST = 60, WORK_OVER = 16 };

/* With one seed and one limit of work whoever wants a proof has no worse a plan than who wants
 * none, and what that one's peak is fits.  */
static void never_above(void)
{
    struct arenaplan_buffer buffer[MOST];
    struct arenaplan_piece piece[2 * MOST];
    int64_t offset[MOST];
    int rounds = tap_tier(200, 800), above = 0, below = 0, misfits = 0, over = 0;

    for (int round = 0; round < rounds; round++) {
        struct arenaplan_problem problem = ARENAPLAN_PROBLEM(buffer, (size_t)(4 + draw(MOST - 3)));
        struct arenaplan_options options = ARENAPLAN_OPTIONS;
        struct arenaplan_result plan = ARENAPLAN_RESULT, proof = ARENAPLAN_RESULT;

        draw_buffers(round, problem.count, 8 + draw(20), 1 + draw(1000), buffer, piece);
        options.seed = (uint32_t)round;
        options.work = INT64_C(1) << draw(11);
        arenaplan_plan(&problem, &options, offset, &plan);
        arenaplan_prove(&problem, &options, offset, &proof);
        above += proof.peak > plan.peak;
        below += proof.peak < plan.peak;
        over += proof.work > options.work + WORK_OVER;
        options.capacity = plan.peak - 1;
        misfits +=
            arenaplan_plan(&problem, &options, offset, NULL) <= ARENAPLAN_FEASIBLE &&
            arenaplan_fits(&problem, plan.peak - 1, &options, offset, NULL) > ARENAPLAN_FEASIBLE;
    }
    is_int(above, 0, "%d problems: at equal work no proof ends above a plan", rounds);
    ok(below > rounds / 100, "(%d end below it)", below);
    is_int(misfits, 0, "nor misses a capacity that a plan with that goal is within");
    is_int(over, 0, "and the work is within the limit");
}

/* A clock that goes on at each look.  */
static double look(void *context)
{
    double *looks = context;

    return (*looks)++;
}

static int64_t peak_by(enum arenaplan_status call(const struct arenaplan_problem *,
                                                  const struct arenaplan_options *, int64_t *,
                                                  struct arenaplan_result *),
                       const struct arenaplan_problem *problem, double seconds)
{
    struct arenaplan_options options = ARENAPLAN_OPTIONS;
    struct arenaplan_result result = ARENAPLAN_RESULT;
    int64_t *offset = memory_alloc(problem->count, sizeof *offset);
    double looks = 0.0;

    options.seconds = seconds;
    options.clock = look;
    options.context = &looks;
    call(problem, &options, offset, &result);
    memory_free(offset);
    return result.peak;
}

/* Pieces and alignments, whose proofs are out of reach: who wants one has as good a plan as who
 * wants none, but for what the last quarter of the time would have brought.  */
static void hard_ones(void)
{
    static const char *const spec[] = {
        "cuts:n=170,joined=10,pinwheels=0,skew=1,slack=0,seed=1200",
        "caches:grown=on,layers=3,tokens=23,sequences=2,growth=3,temporaries=2,life=5,low=512,"
        "high=40000,seed=1101",
        "stretches:n=164,life=38,stretches=1,high=4000,least=64,align=4096,seed=904"};

    for (size_t i = 0; i < sizeof spec / sizeof *spec; i++) {
        struct instance *instance = instance_of(spec[i]);
        struct callers_problem given;
        int64_t plan, proof;

        callers_problem_init(&given, instance);
        plan = peak_by(arenaplan_plan, &given.problem, 2000.0);
        proof = peak_by(arenaplan_prove, &given.problem, 2000.0);
        ok((double)proof <= 1.01 * (double)plan, "%" PRId64 " beside %" PRId64 " on %s", proof,
           plan, spec[i]);
        callers_problem_clear(&given);
        instance_free(instance);
    }
}

int main(void)
{
    tiny();
    larger();
    never_above();
    hard_ones();
    return tap_done();
}
