/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random networks with nested loops and branches: every plan of every treatment
 * is accepted by the verifier and by the replay, which knows nothing of
 * lifetimes.  */
#include <config.h>

#include "lib/base/rng.h"
#include "lib/graph/schedule.h"
#include "lib/judge/verify.h"
#include "lib/lifetimes/loop_layout.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "tests/support/loop_case.h"
#include "tests/support/tap.h"

struct tally {
    int64_t instances, plans, replayed, moves, shared, firsts, unrolled, refused, broken;
};

/* Bytes of carried values that are copied at the ends of iterations.  */
static size_t count_moves(const struct loop_layout *layout)
{
    size_t moves = 0;

    for (size_t f = 0; f < layout->frames; f++)
        moves += layout->frame[f].moves;
    return moves;
}

static void note(struct tally *tally, const struct instance *instance)
{
    const struct loop_layout *layout = instance->loops;

    tally->instances++;
    tally->moves += (int64_t)count_moves(layout);
    tally->unrolled += loop_layout_unroll(layout) > 1;
    for (size_t i = 0; i < layout->tensors; i++)
        tally->shared += layout->tensor[i].group != i;
    for (size_t f = 0; f < layout->frames; f++)
        for (size_t v = 0; v < layout->frame[f].network->n_values; v++)
            tally->firsts += layout->frame[f].view[v].first > 0;
}

/* Two buffers that live at the same time on top of one another: the replay
 * need not mind (a lifetime is an estimate for all that may happen), but it
 * does often.  */
static void try_broken(const struct instance *instance, struct plan *plan, struct rng *rng,
                       struct tally *tally)
{
    struct error error = {""};
    size_t b = (size_t)rng_range(rng, 0, (int64_t)instance->n - 1);

    plan->offset[b] = plan->offset[rng_range(rng, 0, (int64_t)instance->n - 1)];
    plan->peak = plan_peak(instance, plan);
    if (verify_plan(instance, plan, NULL))
        return;
    tally->broken++;
    tally->refused += !verify_replay(instance, plan, NULL, &error);
}

static bool try_plans(const struct instance *instance, struct rng *rng, struct tally *tally)
{
    for (int i = 0; i < 2; i++) {
        struct plan *plan = case_plan(instance, rng);
        struct error error = {""};
        enum replay_kind kind;
        bool good =
            verify_plan(instance, plan, &error) && verify_replay(instance, plan, &kind, &error);

        tally->plans++;
        tally->replayed += good && kind != REPLAY_NONE;
        if (!good)
            tap_diag("%s", error.text);
        if (good && i == 0 && instance->n > 1)
            try_broken(instance, plan, rng, tally);
        plan_free(plan);
        if (!good)
            return false;
    }
    return true;
}

static bool try_treatment(const struct network *network, struct lifetime_options lifetimes,
                          struct loop_options options, struct rng *rng, struct tally *tally)
{
    struct network *copy = network_copy(network);
    struct error error = {""};
    struct instance *instance =
        loops_instance(copy, schedule_file_order(copy), &lifetimes, &options, &error);
    bool good;

    if (instance == NULL) {
        tap_diag("%s", error.text);
        return false;
    }
    note(tally, instance);
    good = try_plans(instance, rng, tally);
    if (options.treatment == LOOPS_UNROLL && options.unroll == 0 && good)
        good = count_moves(instance->loops) == 0;
    instance_free(instance);
    return good;
}

static bool try_network(uint32_t seed, struct tally *tally)
{
    struct rng *rng = rng_new(seed);
    struct network *network = case_random(rng);
    struct lifetime_options lifetimes = {
        .io = (enum io_count)rng_range(rng, 0, 3),
        .weights = rng_range(rng, 0, 1) == 1,
        .alias = rng_range(rng, 0, 1) == 1,
    };
    bool good = true;

    for (int t = 0; t < 4 && good; t++)
        for (int blocks = 0; blocks < 2 && good; blocks++) {
            struct loop_options options = {
                .treatment = t < 3 ? (enum loop_treatment)t : LOOPS_UNROLL,
                .unroll = t < 3 ? 0 : rng_range(rng, 1, 4),
                .subgraphs = blocks == 1 ? SUBGRAPHS_BLOCK : SUBGRAPHS_FLAT,
            };

            good = try_treatment(network, lifetimes, options, rng, tally);
            if (!good)
                tap_diag("seed %u, treatment %d, unroll %d, blocks %d, io %d, weights %d, alias %d",
                         seed, t, (int)options.unroll, blocks, (int)lifetimes.io, lifetimes.weights,
                         lifetimes.alias);
        }
    network_free(network);
    rng_free(rng);
    return good;
}

int main(void)
{
    struct tally tally = {0};
    int networks = tap_tier(100, 500), good = 0;

    for (int i = 1; i <= networks; i++)
        good += try_network((uint32_t)i, &tally);
    is_int(good, networks, "every plan of every treatment verifies and replays");
    is_int(tally.replayed, tally.plans, "none was too large to replay");
    tap_diag("%lld instances, %lld moves, %lld unrolled, %lld tensors share, %lld views with first "
             "regions, %lld of %lld broken plans refused by the replay",
             (long long)tally.instances, (long long)tally.moves, (long long)tally.unrolled,
             (long long)tally.shared, (long long)tally.firsts, (long long)tally.refused,
             (long long)tally.broken);
    ok(tally.moves > 0 && tally.unrolled > 0 && tally.shared > 0 && tally.firsts > 0,
       "values were copied, bodies unrolled, places shared, first regions used");
    ok(tally.refused * 2 > tally.broken, "most broken plans are refused by the replay too");
    return tap_done();
}
