/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Networks on several streams: the schedule against Graham's bound, and who may be in use at once
 * against happens-before by its definition and against random orders that agree with it: what is
 * alive together in one of them conflicts, and a plan of the streams is one of each order.  */
#include <config.h>

#include "lib/lifetimes/streams.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/graph/fetch.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/judge/verify.h"
#include "lib/lifetimes/lifetimes.h"
#include "lib/lifetimes/origin.h"
#include "lib/lifetimes/time_model.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "tests/support/dag.h"
#include "tests/support/instances.h"
#include "tests/support/network_text.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"

enum { MOST_OPS = 24 };

/* Up to MOST_OPS operators that read up to three earlier ones.  */
static struct network *draw_network(struct rng *rng)
{
    const size_t n = (size_t)rng_range(rng, 2, MOST_OPS);
    struct dag dag = dag_new();

    for (size_t x = 0; x < n; x++) {
        size_t from[3], count = 0;

        for (int i = 0; i < 3 && x > 0; i++)
            if (rng_range(rng, 0, 2) > 0)
                from[count++] = (size_t)rng_range(rng, 0, (int64_t)x - 1);
        for (size_t i = 0; i < count; i++)
            for (size_t k = 0; k < i; k++)
                if (from[i] == from[k])
                    from[i--] = from[--count];
        dag_add(&dag, from, count, rng_range(rng, 1, 40));
    }
    dag_finish(&dag);
    return dag.network;
}

/* --- the schedule --- */

static bool reads(const struct network *network, size_t x, size_t made)
{
    for (size_t i = 0; i < network->op[x].inputs; i++)
        if (network->value[network->op[x].input[i]].producer == made)
            return true;
    return false;
}

static double longest_path(const struct network *network, const double *seconds)
{
    double end[MOST_OPS], longest = 0.0;

    for (size_t x = 0; x < network->n_ops; x++) {
        end[x] = 0.0;
        for (size_t y = 0; y < x; y++)
            if (reads(network, x, y))
                end[x] = fmax(end[x], end[y]);
        end[x] += seconds[x];
        longest = fmax(longest, end[x]);
    }
    return longest;
}

/* Graham: no longer than the path and the other streams' share of the rest.  */
static bool within_graham(const struct network *network, const double *seconds, size_t count)
{
    struct streams streams;
    const double path = longest_path(network, seconds);
    bool good;

    streams_assign(&streams, network, seconds, (struct stream_wish){count, 0});
    good = schedule_check(streams.schedule, network, NULL) && streams.count <= count &&
           streams.makespan_s >= path - 1e-9 &&
           streams.makespan_s >= streams.serial_s / (double)count - 1e-9 &&
           streams.makespan_s <=
               streams.serial_s / (double)count + path * (1.0 - 1.0 / (double)count) + 1e-9;
    streams_clear(&streams);
    return good;
}

/* With as many streams as there are branches nobody waits for a stream: all takes as long as the
 * longest path, and on each stream every operator reads what the one before it made.  */
static bool goes_on_with_branches(const struct network *network, const double *seconds)
{
    struct streams streams;
    size_t last[MOST_OPS], *sequence;
    bool good;

    streams_assign(&streams, network, seconds, (struct stream_wish){STREAMS_BRANCHES, 0});
    sequence = schedule_sequence(streams.schedule);
    good = schedule_check(streams.schedule, network, NULL) &&
           fabs(streams.makespan_s - longest_path(network, seconds)) < 1e-9;
    for (size_t k = 0; k < streams.count; k++)
        last[k] = NETWORK_NONE;
    for (size_t i = 0; i < network->n_ops && good; i++) {
        const size_t x = sequence[i], k = streams.stream[x];

        good = k < streams.count && (last[k] == NETWORK_NONE || reads(network, x, last[k]));
        last[k] = x;
    }
    for (size_t k = 0; k < streams.count; k++)
        good = good && last[k] != NETWORK_NONE;
    free(sequence);
    streams_clear(&streams);
    return good;
}

static void test_schedules(int rounds)
{
    struct rng *rng = rng_new(11);
    int wrong = 0;

    for (int round = 0; round < rounds; round++) {
        struct network *network = draw_network(rng);
        double seconds[MOST_OPS];

        for (size_t x = 0; x < network->n_ops; x++)
            seconds[x] = (double)rng_range(rng, 0, 20);
        for (size_t count = 1; count <= 5; count++)
            wrong += !within_graham(network, seconds, count);
        wrong += !goes_on_with_branches(network, seconds);
        network_free(network);
    }
    is_int(wrong, 0, "%d networks on one to five streams end within Graham's bound", rounds);
    rng_free(rng);
}

/* --- happens-before --- */

struct order {
    size_t n;
    bool before[MOST_OPS][MOST_OPS];
};

/* By the transitive closure.  */
static void find_order(struct order *order, const struct network *network,
                       const struct streams *streams)
{
    const int64_t *step = streams->schedule->step;

    *order = (struct order){.n = network->n_ops};
    for (size_t x = 0; x < order->n; x++)
        for (size_t y = 0; y < order->n; y++)
            order->before[x][y] = (streams->stream[x] == streams->stream[y] && step[x] < step[y]) ||
                                  reads(network, y, x) || streams->after[y] == x;
    for (size_t m = 0; m < order->n; m++)
        for (size_t x = 0; x < order->n; x++)
            for (size_t y = 0; y < order->n; y++)
                order->before[x][y] |= order->before[x][m] && order->before[m][y];
}

/* A random order of the operators that agrees with it.  */
static struct schedule *draw_schedule(const struct order *order, const struct network *network,
                                      struct rng *rng)
{
    struct schedule *schedule = schedule_file_order(network);
    bool done[MOST_OPS] = {false};

    for (size_t turn = 0; turn < order->n; turn++) {
        size_t chosen = SIZE_MAX, ready = 0;

        for (size_t x = 0; x < order->n; x++) {
            bool free = !done[x];

            for (size_t y = 0; y < order->n; y++)
                free = free && (done[y] || !order->before[y][x]);
            if (free && rng_range(rng, 0, (int64_t)ready++) == 0)
                chosen = x;
        }
        done[chosen] = true;
        schedule->step[chosen] = (int64_t)turn;
    }
    return schedule;
}

static bool uses(const struct instance *instance, size_t b, size_t x)
{
    const struct origin *origin = instance->origin;
    const struct network_op *op = &origin->network->op[x];

    for (size_t i = 0; i < op->inputs; i++)
        if (origin->buffer[op->input[i]] == b)
            return true;
    for (size_t o = 0; o < op->outputs; o++)
        if (origin->buffer[op->output[o]] == b)
            return true;
    return false;
}

/* Whether all that use A happen before all that use B; an input is there before all, an output
 * after all.  */
static bool dead_before(const struct instance *instance, const struct order *order, size_t a,
                        size_t b)
{
    const struct network *network = instance->origin->network;

    for (size_t v = 0; v < network->n_values; v++)
        if ((instance->origin->buffer[v] == a && network->value[v].output) ||
            (instance->origin->buffer[v] == b && network->value[v].producer == NETWORK_NONE))
            return false;
    for (size_t x = 0; x < order->n; x++)
        for (size_t y = 0; y < order->n; y++)
            if (uses(instance, a, x) && uses(instance, b, y) && !order->before[x][y])
                return false;
    return true;
}

static bool as_defined(const struct instance *instance, const struct order *order)
{
    for (size_t a = 0; a < instance->n; a++)
        for (size_t b = 0; b < a; b++)
            if (lives_meet(instance, a, b) ==
                (dead_before(instance, order, a, b) || dead_before(instance, order, b, a)))
                return false;
    return true;
}

/* Buffers of both are the same ones, in one order.  */
static bool holds_in(const struct instance *instance, const struct plan *plan,
                     const struct order *order, struct rng *rng,
                     const struct lifetime_options *options)
{
    const struct network *network = instance->origin->network;
    struct instance *serial = lifetimes_instance(network_copy(network),
                                                 draw_schedule(order, network, rng), options, NULL);
    struct plan *copy = plan_new(serial);
    bool good = serial->n == instance->n;

    memcpy(copy->offset, plan->offset, serial->n * sizeof *copy->offset);
    copy->peak = plan->peak;
    good = good && verify_plan(serial, copy, NULL);
    for (size_t a = 0; a < serial->n && good; a++)
        for (size_t b = 0; b < a && good; b++)
            good = !lives_meet(serial, a, b) || lives_meet(instance, a, b);
    plan_free(copy);
    instance_free(serial);
    return good;
}

static bool right_streams(struct rng *rng)
{
    const struct lifetime_options options = {.io = (enum io_count)rng_range(rng, 0, IO_BOTH)};
    const struct stream_wish wish = {(size_t)rng_range(rng, STREAMS_BRANCHES, 4),
                                     (size_t)rng_range(rng, 0, 3)};
    struct network *network =
        rng_range(rng, 0, 1) == 0 ? draw_network(rng) : dag_draw_fetching(rng);
    double *seconds = time_model_times(&time_model_default, network);
    struct streams streams;
    struct order order;
    struct instance *instance;
    struct plan *plan;
    bool good;

    for (size_t x = 0; x < network->n_ops; x++)
        seconds[x] += time_model_default.sync_s;
    streams_assign(&streams, network, seconds, wish);
    find_order(&order, network, &streams);
    instance = streams_instance(network, wish, NULL, &options, NULL);
    plan = solver_plan("first-fit-by-size", instance, 1);
    good = as_defined(instance, &order) && verify_plan(instance, plan, NULL);
    for (int i = 0; i < 10 && good; i++)
        good = holds_in(instance, plan, &order, rng, &options);
    plan_free(plan);
    instance_free(instance);
    streams_clear(&streams);
    free(seconds);
    return good;
}

static void test_conflicts(int rounds)
{
    struct rng *rng = rng_new(12);
    int wrong = 0;

    for (int round = 0; round < rounds; round++)
        wrong += !right_streams(rng);
    is_int(wrong, 0, "%d networks conflict as happens-before says, in each of ten orders", rounds);
    rng_free(rng);
}

/* --- by hand --- */

/* As measured the first branch takes ten times as long as the second, which by the model take the
 * same: on two streams all of the second is done before the last of the first.  */
static void test_measured(const char *branches)
{
    static const double seconds[] = {1.0, 10.0, 10.0, 1.0, 1.0, 1.0};
    const struct lifetime_options options = {.io = IO_NONE};
    struct instance *two = streams_instance(network_of_text("two", branches),
                                            (struct stream_wish){2, 0}, seconds, &options, NULL);

    ok(fabs(two->origin->makespan_s - (22.0 + 3.0 * time_model_default.sync_s)) < 1e-9,
       "measured times are those of the streams");
    instance_free(two);
}

/* Two branches of equal work: one after the other they share memory, side by side they can't.  */
static void test_by_hand(void)
{
    static const char branches[] =
        "x:1; s:4 = f(x); a:8 = f(s); b:2 = f(a); c:8 = f(s); d:2 = f(c);"
        " e!:4 = f(b, d)";
    const struct lifetime_options options = {.io = IO_NONE};
    struct instance *one = streams_instance(network_of_text("two", branches),
                                            (struct stream_wish){1, 0}, NULL, &options, NULL);
    struct instance *two = streams_instance(network_of_text("two", branches),
                                            (struct stream_wish){2, 0}, NULL, &options, NULL);
    struct error error;

    ok(one->load < two->load, "branches that run side by side need more memory");
    is_int(two->load, 24, "all but the last may be in use at once: 4 + 8 + 2 + 8 + 2");
    ok(lives_meet(two, 0, 4), "s may still be read on one stream when d is made on the other");
    instance_free(one);
    instance_free(two);
    two = streams_instance(network_of_text("two", branches),
                           (struct stream_wish){STREAMS_BRANCHES, 0}, NULL, &options, NULL);
    is_int(two->load, 24, "two branches are two streams");
    instance_free(two);
    test_measured(branches);
    ok(instance_from("alexnet:streams=2,inplace=nnc", &error) == NULL, "no overwrites");
    ok(strstr(error.text, "expected inplace=off") != NULL, "says so");
    ok(instance_from("alexnet:streams=2,order=dfs", &error) == NULL, "no order of another kind");
    ok(strstr(error.text, "streams= goes neither with") != NULL, "says so");
    ok(instance_from("alexnet:streams=many", &error) == NULL, "no other words");
    ok(strstr(error.text, "streams=many, expected a whole number up to 65536, or branches") != NULL,
       "says so");
    ok(instance_from("alexnet:times=none.csv", &error) == NULL, "times are for streams");
    ok(strstr(error.text, "times= and ahead= are for streams=") != NULL, "says so");
    ok(instance_from("resnet18:train=sgd,weights=fetch", &error) == NULL, "no training");
    ok(strstr(error.text, "weights=fetch goes neither with loops and branches nor with train=") !=
           NULL,
       "says so");
    ok(instance_from("alexnet:streams=2,times=none.csv", &error) == NULL,
       "of a file that is there");
    ok(strstr(error.text, "times=none.csv: No such file") != NULL, "says so");
}

/* Three operators, one after the other, each with a weight, the first and the last with the same.
 * How far ahead the copy engine is says how many weights are there at once.  */
static void test_fetches(void)
{
    static const struct {
        size_t ahead;
        int64_t load;
        const char *why;
    } rows[] = {
        {0, 24, "one at a time: a 4, b 4, v 16"},
        {1, 32, "two: a 4, b 4, v 16, the next w 8"},
        {2, 36, "three: w 8, a 4, v 16, w 8"},
        {9, 36, "no more than there are"},
    };
    const struct lifetime_options options = {.io = IO_NONE};

    for (size_t i = 0; i < 4; i++) {
        struct network *network = network_fetch_weights(network_of_text(
            "fetching", "x:1; w*:8; v*:16; a:4 = f(x, w); b:4 = f(a, v); c!:4 = f(b, w)"));
        struct instance *instance;

        if (i == 0)
            is_int((int64_t)network->n_ops, 6,
                   "a weight is fetched for each operator that reads it");
        instance =
            streams_instance(network, (struct stream_wish){1, rows[i].ahead}, NULL, &options, NULL);
        is_int(instance->load, rows[i].load, "%zu ahead: %s", rows[i].ahead, rows[i].why);
        ok(instance->origin->stream[0] == 0 && instance->origin->stream[1] == 1,
           "fetches have the first stream");
        instance_free(instance);
    }
}

/* What a copy engine gains: never slower the further ahead it is, down to all in time.  */
static void test_ahead(void)
{
    double before = 1e9;

    for (int ahead = 0; ahead < 6; ahead++) {
        char *spec = memory_printf("resnet18:fuse=all,weights=fetch,streams=1,ahead=%d", ahead);
        struct instance *instance = instance_of(spec);
        const struct time_figures times = streams_times(instance->origin);

        ok(times.scheduled_s <= before + 1e-12 && times.scheduled_s <= times.serial_s + 1e-12,
           "%d ahead: %g s, %g MB", ahead, times.scheduled_s, 1e-6 * (double)instance->load);
        before = times.scheduled_s;
        instance_free(instance);
        free(spec);
    }
}

int main(void)
{
    test_by_hand();
    test_fetches();
    test_ahead();
    test_schedules(tap_tier(300, 3000));
    test_conflicts(tap_tier(150, 2000));
    return tap_done();
}
