/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Orders, layers and groups: little graphs worked out by hand, and the order
 * with the smallest load against all orders of small random graphs.  */
#include <config.h>

#include "lib/lifetimes/order.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/lifetimes/live.h"
#include "lib/problem/instance.h"
#include "tests/support/loop_case.h"
#include "tests/support/network_text.h"
#include "tests/support/tap.h"

static const char *const order_names[] = {"file", "dfs", "bfs", "layers", "greedy", "optimal"};

/* The names of the operators, those of one step joined: "a b+c d".  */
static char *describe(const struct network *network, const struct schedule *schedule)
{
    char *text = memory_strdup("");

    for (int64_t step = 0; step < schedule->steps; step++) {
        const char *joint = step == 0 ? "" : " ";

        for (size_t o = 0; o < network->n_ops; o++) {
            if (schedule->step[o] != step)
                continue;
            text = memory_append(text, "%s%s", joint, network->op[o].name);
            joint = "+";
        }
    }
    return text;
}

static void is_order(const struct network *network, enum order order, const char *want)
{
    struct lifetime_options options = {0};
    struct error error = {{0}};
    struct schedule *schedule = order_schedule(network, order, &options, &error);
    char *got;

    if (!ok(schedule != NULL, "%s: a schedule %s", order_names[order], error.text))
        return;
    got = describe(network, schedule);
    is_text(got, want, "%s: order %s", network->name, order_names[order]);
    ok(schedule_check(schedule, network, &error), "%s: a valid schedule", order_names[order]);
    free(got);
    schedule_free(schedule);
}

static void is_grouped(const struct network *network, int64_t groups, const char *want, bool serial)
{
    struct schedule *schedule = order_groups(network, groups);
    struct error error = {{0}};
    char *got = describe(network, schedule);

    is_text(got, want, "%s: %" PRId64 " groups", network->name, groups);
    ok(schedule_check(schedule, network, &error), "%" PRId64 " groups: a valid schedule", groups);
    ok(schedule->serial == serial, "%" PRId64 " groups: %s", groups, serial ? "serial" : "shared");
    free(got);
    schedule_free(schedule);
}

static void orders_by_hand(void)
{
    /* Two branches from a, one of them longer, that meet in g.  */
    struct network *network =
        network_of_text("two branches", "x:1; a:1 = f(x); b:1 = f(a); e:1 = f(a); c:1 = f(b);"
                                        " f:1 = f(e); d:1 = f(c); g!:1 = f(d, f)");
    int64_t *layer = order_layers(network);

    is_order(network, ORDER_FILE, "a b e c f d g");
    is_order(network, ORDER_DFS, "a b c d e f g");
    is_order(network, ORDER_BFS, "a b e c f d g");
    is_order(network, ORDER_LAYERS, "a b e c f d g");
    is_grouped(network, 1, "a b+e c+f d g", false);
    is_grouped(network, 2, "a b e c f d g", true);
    is_int(layer[6], 4, "the layer of the last operator");
    free(layer);
    network_free(network);
    network = network_of_text("fan", "x:1; a:1 = f(x); p:1 = f(a); q:1 = f(a); r:1 = f(a);"
                                     " s:1 = f(a); t:1 = f(a); z!:1 = f(p, q, r, s, t)");
    /* 5 operators of one layer: groups of 5; of 3 and 2; of 2, 2 and 1; of 2, 2 and 1 again,
     * as four groups of equal size, the last smaller, cannot be; singles.  */
    is_grouped(network, 1, "a p+q+r+s+t z", false);
    is_grouped(network, 2, "a p+q+r s+t z", false);
    is_grouped(network, 3, "a p+q r+s t z", false);
    is_grouped(network, 4, "a p+q r+s t z", false);
    is_grouped(network, 5, "a p q r s t z", true);
    is_grouped(network, INT64_MAX, "a p q r s t z", true);
    network_free(network);
}

/* Two branches that begin with a large value and end with a small one: running
 * them one after the other needs 10 + 1 at most, turn by turn 20.  Greedy takes
 * the operator that frees most.  */
static void greedy_by_hand(void)
{
    struct network *network = network_of_text(
        "large and small", "x:1; p:10 = f(x); q:10 = f(x); s:1 = f(p); t:1 = f(q); z!:1 = f(s, t)");

    is_order(network, ORDER_FILE, "p q s t z");
    is_order(network, ORDER_GREEDY, "p s q t z");
    is_order(network, ORDER_OPTIMAL, "p s q t z");
    is_order(network, ORDER_BFS, "p q s t z");
    network_free(network);
}

/* --- random graphs --- */

/* N operators, some of two outputs, some pure aliases; optional outputs,
 * values that nobody reads, several network outputs, weights.  */
static struct network *random_network(struct rng *rng, size_t n)
{
    struct network *network = network_new("random");
    int64_t size = rng_range(rng, 0, 9);
    size_t made[64], count = 0, last = 0;

    made[count++] = network_add_value(network, "x", VALUE_INPUT, DTYPE_I8, 1, &size);
    size = rng_range(rng, 1, 9);
    made[count++] = network_add_value(network, "w", VALUE_WEIGHT, DTYPE_I8, 1, &size);
    size = rng_range(rng, 1, 9);
    network_add_value(network, "unread", VALUE_INPUT, DTYPE_I8, 1, &size);
    for (size_t o = 0; o < n; o++) {
        bool alias = o > 0 && rng_range(rng, 1, 5) == 1;
        size_t input[3], inputs = alias ? 1 : (size_t)rng_range(rng, 1, 3), index;
        char *name = memory_printf("o%zu", o), *second = memory_printf("o%zu.second", o);

        for (size_t i = 0; i < inputs; i++)
            input[i] = made[alias ? rng_range(rng, 2, (int64_t)count - 1)
                                  : rng_range(rng, 0, (int64_t)count - 1)];
        size = alias ? network->value[input[0]].dim[0] : rng_range(rng, 1, 20);
        index = network_add_op(network, name, alias ? OP_ALIAS : OP_OTHER, "test", input, inputs);
        made[count++] = last = network_add_output(network, index, name, DTYPE_I8, 1, &size);
        if (!alias && rng_range(rng, 1, 4) == 1) {
            size = rng_range(rng, 1, 20);
            made[count] = network_add_output(network, index, second, DTYPE_I8, 1, &size);
            network->value[made[count++]].optional = true;
        }
        if (rng_range(rng, 1, 6) == 1)
            network_mark_output(network, last);
        free(name);
        free(second);
    }
    network_mark_output(network, last);
    return network;
}

static struct lifetime_options random_options(struct rng *rng)
{
    return (struct lifetime_options){
        .io = (enum io_count)rng_range(rng, IO_NONE, IO_BOTH),
        .weights = rng_range(rng, 0, 1) == 1,
        .alias = rng_range(rng, 0, 1) == 1,
    };
}

/* The load by the counting rules, that is, by lib/lifetimes/lifetimes.h.  */
static int64_t load_under(const struct network *network, const struct lifetime_options *options,
                          struct schedule *schedule)
{
    struct instance *instance = lifetimes_of(network_copy(network), schedule, options);
    int64_t load = instance->load;

    instance_free(instance);
    return load;
}

static struct schedule *copy_of(const struct network *network, const struct schedule *schedule)
{
    struct schedule *copy = schedule_file_order(network);

    memcpy(copy->step, schedule->step, schedule->n * sizeof *copy->step);
    return copy;
}

/* The smallest load of all orders, by trying each: operator by operator,
 * whatever is ready.  LEAST holds the best so far.  */
static void try_all(const struct network *network, const struct lifetime_options *options,
                    struct schedule *schedule, int64_t ran, int64_t *least)
{
    if (ran == (int64_t)network->n_ops) {
        *least = min64(*least, load_under(network, options, copy_of(network, schedule)));
        return;
    }
    for (size_t o = 0; o < network->n_ops; o++) {
        bool ready = schedule->step[o] < 0;

        for (size_t i = 0; i < network->op[o].inputs && ready; i++) {
            size_t producer = network->value[network->op[o].input[i]].producer;

            ready = producer == NETWORK_NONE || schedule->step[producer] >= 0;
        }
        if (!ready)
            continue;
        schedule->step[o] = ran;
        try_all(network, options, schedule, ran + 1, least);
        schedule->step[o] = -1;
    }
}

static void random_orders(void)
{
    struct rng *rng = rng_new(17);
    int valid = 0, agree = 0, least_found = 0, none_better = 0, live_agrees = 0, tried = 0;
    int rounds = tap_tier(100, 400);

    for (int round = 0; round < rounds; round++) {
        struct network *network = random_network(rng, (size_t)rng_range(rng, 1, 6));
        struct lifetime_options options = random_options(rng);
        struct schedule *free_steps = schedule_file_order(network);
        struct error error = {{0}};
        int64_t least = INT64_MAX, loads[ORDER_OPTIMAL + 1];

        if (!network_check(network, &error))
            tap_diag("%s", error.text);
        for (size_t o = 0; o < network->n_ops; o++)
            free_steps->step[o] = -1;
        try_all(network, &options, free_steps, 0, &least);
        schedule_free(free_steps);
        for (int order = ORDER_FILE; order <= ORDER_OPTIMAL; order++) {
            struct schedule *schedule =
                order_schedule(network, (enum order)order, &options, &error);
            struct live *live = live_new(network, &options, &error);
            size_t *sequence = memory_alloc(network->n_ops, sizeof *sequence);

            tried++;
            valid +=
                schedule != NULL && schedule->serial && schedule_check(schedule, network, &error);
            for (size_t o = 0; o < network->n_ops; o++)
                sequence[schedule->step[o]] = o;
            loads[order] = load_under(network, &options, schedule);
            live_agrees += live_load(live, sequence) == loads[order];
            none_better += loads[order] >= least;
            free(sequence);
            live_free(live);
        }
        least_found += loads[ORDER_OPTIMAL] == least;
        agree++;
        network_free(network);
    }
    is_int(valid, tried, "every order is a valid serial schedule");
    is_int(live_agrees, tried, "the bytes counted operator by operator are the load");
    is_int(none_better, tried, "no order is below the smallest load");
    is_int(least_found, agree, "order=optimal finds the smallest load");
    rng_free(rng);
}

/* The smallest load from the operators that RAN on, as bits, by all that may run next; LEAST[set]:
 * 0 is not known yet.  */
static int64_t least_from(struct live *live, unsigned ran, int64_t *least)
{
    if (live->ran == live->n_ops)
        return 0;
    if (least[ran] > 0)
        return least[ran];
    least[ran] = INT64_MAX;
    for (size_t o = 0; o < live->n_ops; o++)
        if (!live->run[o] && live->waits[o] == 0) {
            int64_t during = live_during(live, o);

            live_run(live, o);
            least[ran] = min64(least[ran], max64(during, least_from(live, ran | 1u << o, least)));
            live_undo_all(live, &o, 1);
        }
    return least[ran];
}

/* Graphs too large for all orders, with many sets of operators to go on from.  */
static void larger_orders(void)
{
    enum { N = 12 };
    struct rng *rng = rng_new(41);
    int least_found = 0, rounds = tap_tier(60, 300);

    for (int round = 0; round < rounds; round++) {
        struct network *network = random_network(rng, N);
        struct lifetime_options options = {.io = IO_BOTH};
        struct error error = {{0}};
        struct schedule *schedule = order_schedule(network, ORDER_OPTIMAL, &options, &error);
        struct live *live = live_new(network, &options, &error);
        int64_t *least = memory_zalloc((size_t)1 << N, sizeof *least);
        size_t *sequence = schedule_sequence(schedule);

        least_found += live_load(live, sequence) == least_from(live, 0, least);
        free(sequence);
        free(least);
        live_free(live);
        schedule_free(schedule);
        network_free(network);
    }
    is_int(least_found, rounds, "order=optimal finds the smallest load of larger graphs");
    rng_free(rng);
}

/* 40 independent chains of random sizes have too many down-sets.  */
static void refuses_beyond_the_limit(void)
{
    struct network *network = network_new("wide");
    struct rng *rng = rng_new(5);
    struct lifetime_options options = {0};
    struct error error = {{0}};
    struct schedule *schedule;
    size_t x = case_input(network, "x", 1), end[40];

    for (size_t i = 0; i < 40; i++) {
        size_t value = x;

        for (size_t j = 0; j < 3; j++) {
            char *name = memory_printf("o%zu.%zu", i, j);

            value = CASE_OP(network, name, rng_range(rng, 1, 1000), value);
            free(name);
        }
        end[i] = value;
    }
    network_mark_output(network, case_op(network, "z", 1, end, 40));
    schedule = order_schedule(network, ORDER_OPTIMAL, &options, &error);
    ok(schedule == NULL, "order=optimal refuses what has too many down-sets");
    ok(strstr(error.text, "order=optimal gave up") != NULL, "and says so: %s", error.text);
    schedule_free(schedule);
    rng_free(rng);
    network_free(network);
}

int main(void)
{
    orders_by_hand();
    greedy_by_hand();
    random_orders();
    larger_orders();
    refuses_beyond_the_limit();
    return tap_done();
}
