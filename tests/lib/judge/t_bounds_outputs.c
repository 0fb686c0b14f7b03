/* SPDX-License-Identifier: GPL-3.0-or-later */
/* W and its bounds where operators have several outputs and some values are read by
 * nobody.  Oracles: networks by hand, and each operator written out as operators with one
 * output each.  */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/rng.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/judge/bounds.h"
#include "lib/lifetimes/lifetimes.h"
#include "lib/lifetimes/origin.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "tests/support/instances.h"
#include "tests/support/network_text.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"

#define MOST 128

/* A network as rows: what each operator reads (numbers of outputs, counted through all
 * operators) and how many it makes.  */
struct row {
    size_t inputs, outputs;
    size_t input[8];
};

/* The network of the rows.  With SPLIT each operator is written out as one for each of its
 * outputs.  OPTIONAL[v], where not NULL: output v need not be read.  An operator without inputs
 * reads the network's.  The last value is the network's output.  */
static struct network *rows_network(const struct row *row, size_t rows, bool split,
                                    const bool *optional)
{
    const int64_t one[] = {1};
    struct network *network = network_new("rows");
    size_t source = network_add_value(network, "in", VALUE_INPUT, DTYPE_I8, 1, one);
    size_t made[MOST], values = 0;
    char name[48];

    for (size_t r = 0; r < rows; r++) {
        size_t input[8] = {source}, count = row[r].inputs, op = 0;

        for (size_t i = 0; i < count; i++)
            input[i] = made[row[r].input[i]];
        for (size_t o = 0; o < row[r].outputs; o++, values++) {
            snprintf(name, sizeof name, "op%zu.%zu", r, o);
            if (o == 0 || split)
                op = network_add_op(network, name, OP_OTHER, "other", input, count + !count);
            snprintf(name, sizeof name, "v%zu", values);
            made[values] = network_add_output(network, op, name, DTYPE_I8, 1,
                                              &(const int64_t){1 + (int64_t)(values % 7)});
            network->value[made[values]].optional = optional != NULL && optional[values];
        }
    }
    network_mark_output(network, made[values - 1]);
    return network;
}

static int64_t w_of(const struct network *network)
{
    struct w_certificate cert;
    struct error error = {""};
    int64_t w = -1;

    if (!bounds_w(network, &w, &cert, &error)) {
        tap_diag("%s", error.text);
        return -1;
    }
    if (!w_certificate_check(&cert, network, &error)) {
        tap_diag("%s", error.text);
        w = -1;
    }
    w_certificate_clear(&cert);
    return w;
}

static void has_w(const char *text, int64_t w, const char *what)
{
    struct network *network = network_of_text("hand", text);

    is_int(w_of(network), w, "%s: W = %d", what, (int)w);
    network_free(network);
}

static void by_hand(void)
{
    has_w("in:1; a:1 = f(in); b:1 c:1 = f(a); d:1 = f(b); e!:1 = f(c, d)", 2,
          "two halves, joined, as in ShuffleNet");
    has_w("in:1; a:1 = f(in); b:1 c:1 d:1 = f(a); e:1 g:1 = f(b, c, d); h:1 = f(e); i!:1 = f(e, g)",
          6, "three values that become two, 3 x 2 edges side by side");
    has_w("in:1; a:1 b:1 = f(in); c!:1 = f(a, b)", 2, "two values from one operator to another");
}

/* Rows with one to three outputs; what is read is drawn from the last few, so that some
 * values are read by nobody.  */
static size_t draw(struct rng *rng, struct row *row, size_t rows, bool *optional)
{
    size_t values = 0;

    for (size_t r = 0; r < rows; r++) {
        row[r] = (struct row){
            .inputs = values == 0 ? 0 : (size_t)rng_range(rng, rng_range(rng, 0, 9) > 0, 3),
            .outputs = (size_t)rng_range(rng, 1, 3)};
        for (size_t i = 0; i < row[r].inputs; i++)
            row[r].input[i] = values - 1 - (size_t)rng_range(rng, 0, min64((int64_t)values - 1, 8));
        for (size_t o = 0; o < row[r].outputs; o++)
            optional[values++] = rng_range(rng, 0, 5) == 0;
    }
    return values;
}

static void against_single_outputs(void)
{
    struct rng *rng = rng_new(21);
    int runs = tap_tier(100, 600), same = 0, larger = 0;
    struct row row[MOST];
    bool optional[3 * MOST];

    for (int run = 0; run < runs; run++) {
        size_t rows = (size_t)rng_range(rng, 2, 20);
        struct network *whole, *split;
        int64_t w;

        draw(rng, row, rows, optional);
        memset(optional, 0, sizeof optional); /* an operator of its own is there in any case */
        whole = rows_network(row, rows, false, NULL);
        split = rows_network(row, rows, true, NULL);
        w = w_of(whole);
        same += w >= 0 && w == w_of(split);
        larger += w > 3;
        network_free(whole);
        network_free(split);
    }
    is_int(same, runs, "W is that of operators with one output each, side by side");
    ok(larger > runs / 2, "and mostly not small (%d of %d)", larger, runs);
    rng_free(rng);
}

/* Steps that operators share where LAYERS says so: one more than the latest maker's.  */
static struct schedule *steps_of(const struct network *network, bool layers)
{
    struct schedule *schedule = schedule_file_order(network);

    if (!layers)
        return schedule;
    schedule->serial = false;
    schedule->steps = 0;
    for (size_t o = 0; o < network->n_ops; o++) {
        schedule->step[o] = 0;
        for (size_t i = 0; i < network->op[o].inputs; i++) {
            size_t maker = network->value[network->op[o].input[i]].producer;

            if (maker != NETWORK_NONE)
                schedule->step[o] = max64(schedule->step[o], schedule->step[maker] + 1);
        }
        schedule->steps = max64(schedule->steps, schedule->step[o] + 1);
    }
    return schedule;
}

static struct instance *outputs_instance(struct network *network, bool layers)
{
    struct lifetime_options options = {.io = IO_NONE};
    struct error error = {""};
    struct instance *instance =
        lifetimes_instance(network, steps_of(network, layers), &options, &error);

    if (instance == NULL)
        tap_diag("%s", error.text);
    return instance;
}

struct tally {
    int applied, within, tight, multiple, unread;
};

static void judge(const struct instance *instance, const struct bounds *bounds, int64_t peak,
                  struct tally *tally)
{
    const struct network *network = instance->origin->network;
    int64_t width = bounds->w1_applicable ? bounds->w + 1 : 2 * bounds->w;
    bool multiple = false, unread = false;

    for (size_t o = 0; o < network->n_ops; o++)
        multiple = multiple || network->op[o].outputs > 1;
    for (size_t v = 0; v < network->n_values; v++)
        unread = unread || (network->value[v].readers == 0 && !network->value[v].optional &&
                            network->value[v].producer + 1 < network->n_ops);
    tally->applied++;
    tally->within += bounds->width <= width && peak <= bounds->width_bound &&
                     bounds->width_bound <= bounds->w2_bound;
    tally->tight += bounds->width == width;
    tally->multiple += multiple;
    tally->unread += unread;
}

static void bounds_hold(bool layers)
{
    struct rng *rng = rng_new(layers ? 32 : 22);
    int runs = tap_tier(300, 3000);
    struct tally tally = {0};
    struct error error = {""};
    struct row row[MOST];
    bool optional[3 * MOST];

    for (int run = 0; run < runs; run++) {
        size_t rows = (size_t)rng_range(rng, 2, run % 2 == 0 ? 6 : 30);
        struct instance *instance;
        struct plan *plan;
        struct bounds bounds;

        draw(rng, row, rows, optional);
        instance = outputs_instance(rows_network(row, rows, false, optional), layers);
        plan = solver_plan("path-cover", instance, 1);
        if (bounds_compute(instance, &bounds, &error) && bounds.applicable)
            judge(instance, &bounds, plan->peak, &tally);
        plan_free(plan);
        instance_free(instance);
    }
    is_int(tally.within, tally.applied, "%s: width <= %s, and path-cover's peak below",
           layers ? "layers" : "serial", layers ? "2 W" : "W + 1");
    ok(tally.multiple > runs / 5 && tally.unread > runs / 5 && tally.tight > 0,
       "%s: %d with several outputs, %d with unread values, %d tight", layers ? "layers" : "serial",
       tally.multiple, tally.unread, tally.tight);
    rng_free(rng);
}

/* An output that stands alone once its operator is written out: nothing but the network's
 * input leads to it, and nobody reads it.  With it the bound would be wrong.  */
static void isolated(void)
{
    static const struct row row[] = {{0, 3, {0}}, {1, 1, {0}}};
    static const bool optional[] = {false, true, true, false};
    struct instance *instance = outputs_instance(rows_network(row, 2, false, NULL), false);
    struct bounds bounds;
    struct error error = {""};

    ok(bounds_compute(instance, &bounds, &error) && !bounds.applicable &&
           strstr(bounds.reason, "isolated") != NULL,
       "an isolated output: %s", bounds.reason);
    ok(bounds.width > 2 * bounds.w, "and the width is above 2 W");
    instance_free(instance);
    instance = outputs_instance(rows_network(row, 2, false, optional), false);
    ok(bounds_compute(instance, &bounds, &error) && bounds.applicable && bounds.width == 1,
       "optional outputs that nobody reads are not there");
    instance_free(instance);
}

static void zoo(void)
{
    static const struct {
        const char *spec;
        int64_t w;
    } network[] = {
        {"shufflenet_v2_x1_0", 2},
        {"gpt2", 4},
        {"vit_b_16", 4},
        {"resnext50_32x4d:grouped=expand", 33},
    };

    for (size_t i = 0; i < sizeof network / sizeof network[0]; i++) {
        struct bounds bounds;
        struct error error = {""};
        struct network *graph = network_from(network[i].spec, &error);
        struct instance *instance = outputs_instance(graph, false);

        ok(bounds_compute(instance, &bounds, &error) && bounds.applicable &&
               bounds.w == network[i].w && bounds.width <= bounds.w + 1,
           "%s: the bound applies, W = %d", network[i].spec, (int)network[i].w);
        instance_free(instance);
    }
}

/* One number of a certificate changed at random, so that it is still as long.  */
static void tamper(struct w_certificate *cert, const struct network *network, struct rng *rng)
{
    int64_t vertices = (int64_t)(network->n_values + network->n_ops),
            edges = (int64_t)cert->n_edges;
    size_t e = (size_t)rng_range(rng, 0, edges - 1), p = (size_t)rng_range(rng, 0, cert->w - 1);

    switch (rng_range(rng, 0, 5)) {
    case 0:
        cert->edge[e].from = (size_t)rng_range(rng, 0, vertices + 1);
        break;
    case 1:
        cert->edge[e].to = (size_t)rng_range(rng, 0, vertices + 1);
        break;
    case 2:
        cert->edge[e] = cert->edge[rng_range(rng, 0, edges - 1)];
        break;
    case 3:
        cert->antichain[p] = (size_t)rng_range(rng, 0, edges + 1);
        break;
    case 4:
        cert->path_start[p] -= cert->path_start[p] > 0;
        break;
    default:
        cert->path_edge[rng_range(rng, 0, (int64_t)cert->path_start[cert->w] - 1)] =
            (size_t)rng_range(rng, 0, edges + 1);
        break;
    }
}

/* Whatever is changed in a certificate of W: what is accepted says nothing wrong, and most is not
 * accepted.  */
static void tampered_at_random(void)
{
    int runs = tap_tier(300, 3000), refused = 0, wrong = 0, rounds = 0;
    struct rng *rng = rng_new(11);
    struct row row[MOST];
    bool optional[3 * MOST];

    for (int run = 0; run < runs; run++) {
        size_t rows = (size_t)rng_range(rng, 2, 14);
        struct w_certificate cert;
        struct network *network;
        struct error error = {""};
        int64_t w;

        draw(rng, row, rows, optional);
        network = rows_network(row, rows, false, optional);
        if (bounds_w(network, &w, &cert, &error) && w > 0) {
            rounds++;
            for (int64_t times = rng_range(rng, 1, 2); times > 0; times--)
                tamper(&cert, network, rng);
            if (!w_certificate_check(&cert, network, &error))
                refused++;
            else
                wrong += cert.w != w;
        }
        w_certificate_clear(&cert);
        network_free(network);
    }
    is_int(wrong, 0, "what is accepted of %d changed certificates is right", rounds);
    ok(refused > rounds / 2, "%d are refused", refused);
    rng_free(rng);
}

int main(void)
{
    by_hand();
    against_single_outputs();
    tampered_at_random();
    bounds_hold(false);
    bounds_hold(true);
    isolated();
    zoo();
    return tap_done();
}
