/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The replay of several streams, by plans of random networks in which two buffers share bytes and
 * nothing else does.  It takes all in which these don't conflict, and finds nearly all in which
 * they do; the schedule's order alone misses one in six.  */
#include <config.h>

#include "lib/judge/replay_orders.h"
#include "lib/judge/verify.h"

#include <inttypes.h>

#include "lib/base/rng.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/lifetimes/origin.h"
#include "lib/lifetimes/streams.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "tests/support/dag.h"
#include "tests/support/instances.h"
#include "tests/support/tap.h"

enum { MOST_OPS = 24 };

static struct instance *draw_instance(struct rng *rng)
{
    const struct lifetime_options options = {.io = (enum io_count)rng_range(rng, 0, IO_BOTH)};
    const size_t n = (size_t)rng_range(rng, 3, MOST_OPS);
    struct stream_wish wish = {.ahead = (size_t)rng_range(rng, 0, 2)};
    struct dag dag = dag_new();

    for (size_t x = 0; x < n; x++) {
        size_t from[3], count = 0;

        for (size_t i = 0; x > 0 && i < 3; i++)
            if (rng_range(rng, 0, 2) > 0)
                from[count++] = (size_t)rng_range(rng, 0, (int64_t)x - 1);
        dag_add(&dag, from, count, rng_range(rng, 1, 40));
    }
    dag_finish(&dag);
    wish.count = (size_t)rng_range(rng, 0, 4);
    if (rng_range(rng, 0, 1) == 0)
        return streams_instance(dag.network, wish, NULL, &options, NULL);
    network_free(dag.network);
    return streams_instance(dag_draw_fetching(rng), wish, NULL, &options, NULL);
}

/* Every order has each operator once, behind those before it on its stream, those whose values it
 * reads and the one that it waits for besides.  */
static bool right_orders(const struct instance *instance)
{
    const struct origin *origin = instance->origin;
    size_t turn = 0;
    bool good = true;

    for (;; turn++) {
        struct schedule *schedule = replay_order(origin, turn);

        if (schedule == NULL)
            break;
        good = good && schedule_check(schedule, origin->network, NULL);
        for (size_t x = 0; x < origin->network->n_ops; x++)
            good = good && (origin->after[x] == NETWORK_NONE ||
                            schedule->step[origin->after[x]] < schedule->step[x]);
        for (size_t x = 0; x < origin->network->n_ops; x++)
            for (size_t y = 0; y < x; y++)
                good = good && schedule->step[x] != schedule->step[y] &&
                       (origin->stream[x] != origin->stream[y] ||
                        (schedule->step[x] < schedule->step[y]) ==
                            (origin->schedule->step[x] < origin->schedule->step[y]));
        schedule_free(schedule);
    }
    return good && turn > 0;
}

/* All one behind the other, but A and B at the same offset.  */
static struct plan *sharing(const struct instance *instance, size_t a, size_t b)
{
    struct plan *plan = plan_new(instance);
    int64_t end = 0;

    for (size_t i = 0; i < instance->n; i++) {
        plan->offset[i] = i == b ? plan->offset[a] : end;
        if (i != b)
            end = plan->offset[i] + instance->buffer[i].size +
                  (i == a ? instance->buffer[b].size : 0);
    }
    plan->peak = plan_peak(instance, plan);
    return plan;
}

struct tally {
    int refused, orders, wrong, pairs, found;
};

static void look_at(const struct instance *instance, struct tally *tally)
{
    struct error error;

    tally->orders += right_orders(instance);
    for (size_t b = 0; b < instance->n; b++)
        for (size_t a = 0; a < b; a++) {
            struct plan *plan = sharing(instance, a, b);
            const bool conflict = lives_meet(instance, a, b);
            const bool replayed = verify_replay(instance, plan, NULL, &error);

            tally->wrong += verify_plan(instance, plan, NULL) == conflict;
            tally->refused += !conflict && !replayed;
            tally->pairs += conflict;
            tally->found += conflict && !replayed;
            plan_free(plan);
        }
}

int main(void)
{
    const int rounds = tap_tier(60, 1500);
    struct rng *rng = rng_new(21);
    struct tally tally = {0};

    for (int round = 0; round < rounds; round++) {
        struct instance *instance = draw_instance(rng);

        look_at(instance, &tally);
        instance_free(instance);
    }
    rng_free(rng);
    is_int(tally.orders, rounds, "%d networks have orders that agree with their streams", rounds);
    is_int(tally.wrong, 0, "two buffers may share bytes where they don't conflict");
    is_int(tally.refused, 0, "the replay takes them then");
    ok(tally.found >= tally.pairs / 100 * 97, "and finds %d of the other %d", tally.found,
       tally.pairs);
    return tap_done();
}
