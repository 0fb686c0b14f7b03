/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The predictor on an invented processor, where what should come out is known,
 * and its properties on real plans.  */
#include <config.h>

#include <math.h>
#include <stddef.h>

#include "kernels/layer.h"
#include "kernels/mgemm/mgemm_plan.h"
#include "kernels/model/machine.h"
#include "kernels/model/predict.h"
#include "tests/support/conv_case.h"
#include "tests/support/tap.h"

/* Two multiply-adds a nanosecond of latency 4, two loads, 16 registers, caches
 * of 32 KiB and 1 MiB.  */
static struct machine invented(enum isa isa)
{
    struct machine machine = machine_known(isa);

    machine.registers = 16;
    machine.fused = isa != ISA_GENERIC;
    machine.fma_s = 0.5e-9;
    machine.latency_s = 4e-9;
    machine.memory_s = 12e-9;
    machine.load_s = 0.5e-9;
    machine.call_s = 2e-9;
    machine.tile_s = 5e-9;
    machine.accumulator_s = 1e-9;
    for (int i = 0; i < MACHINE_SIZES; i++)
        machine.read_s[i] = i <= 2 ? 1e-11 : i <= 7 ? 2e-11 : 1e-10;
    return machine;
}

static void is_near(double got, double want, const char *what)
{
    if (!ok(fabs(got - want) <= 1e-6 * fabs(want), "%s: %g", what, want))
        tap_diag("got %.17g", got);
}

/* Each bound by itself, worked out by hand; 16 registers.  */
static void test_bounds(void)
{
    struct machine machine = invented(ISA_AVX2);
    const struct predict_tile good = {MGEMM_BLOCKED_1, 1, 2, 6, 3, 1, false};
    const struct predict_tile pixels = {MGEMM_BLOCKED_1, 1, 4, 3, 3, 1, false};
    const struct predict_tile narrow = {MGEMM_BLOCKED_1, 1, 1, 4, 3, 1, false};
    const struct predict_tile wide = {MGEMM_BLOCKED_1, 1, 1, 14, 3, 1, false};
    const struct predict_tile spilling = {MGEMM_BLOCKED_1, 1, 2, 7, 3, 1, false};
    const struct predict_tile kept = {MGEMM_KEEP, 1, 2, 4, 3, 1, false};
    const struct predict_tile streams = {MGEMM_KEEP, 1, 1, 7, 3, 1, false};
    const struct predict_tile pair = {MGEMM_KEEP, 1, 2, 2, 3, 1, false};
    const struct predict_tile weights = {MGEMM_FILTER, 1, 2, 4, 3, 1, false};
    const struct predict_tile pair_weights = {MGEMM_FILTER, 1, 2, 2, 3, 1, false};
    const struct predict_tile window = {MGEMM_KEEP, 1, 4, 3, 3, 1, true};
    struct predict_cost cost;

    is_int(predict_tile(&machine, &good).registers, 15, "2 x 6: 12 sums, 2 weights, 1 input");
    is_int(predict_tile(&machine, &pixels).registers, 16, "4 x 3: 12 sums, 3 inputs, 1 weight");
    is_int(predict_tile(&machine, &kept).registers, 15, "2 x 4 kept: 8 sums, 6 inputs, 1 weight");
    is_int(predict_tile(&machine, &weights).registers, 15, "2 x 4, 6 weights, 1 input");
    is_int(predict_tile(&machine, &spilling).spilled, 1, "2 x 7 wants 17");
    is_int(predict_tile(&machine, &kept).loads, 6 + 6, "2 x 4 kept: each weight and input once");
    is_int(predict_tile(&machine, &pair).loads, 2 * 6 + 4, "2 x 2 kept: a weight for each use");
    is_int(predict_tile(&machine, &pair_weights).loads, 6 + 4, "not where weights are kept");
    is_near(predict_tile(&machine, &good).seconds, 18e-9, "multiply-adds bind: 3 x 12 / 2");
    is_near(predict_tile(&machine, &narrow).seconds, 12e-9, "waiting binds: 3 x 4");
    is_near(predict_tile(&machine, &wide).seconds, 22.5e-9, "loads bind: 3 x 15 / 2");
    is_near(predict_tile(&machine, &spilling).seconds, 36e-9, "a sum in memory binds: 3 x 12");
    is_near(predict_tile(&machine, &kept).seconds, 12e-9, "kept inputs: 3 x 8 / 2 or 3 x 4");
    is_int(predict_tile(&machine, &streams).spilled, 1, "1 x 7 kept wants 17");
    is_near(predict_tile(&machine, &streams).seconds, 12e-9, "but no sum is in memory");
    cost = predict_tile(&machine, &window);
    is_int(cost.registers, 16, "4 x 3, a window: 12 sums, 3 inputs, 1 weight");
    is_int(cost.loads, 3 * 4 + 5, "12 weights and 5 inputs for three taps");
    is_int(cost.instructions, 3 * (4 + 12) + 5 + 2, "and what they cost");
    is_near(cost.seconds, 18e-9, "multiply-adds bind there too");
    machine.fused = false;
    is_int(predict_tile(&machine, &pixels).spilled, 1, "a product needs a register");
}

/* Instructions counted by hand, and what they cost where they bind.  */
static void test_instructions(void)
{
    struct machine machine = invented(ISA_GENERIC);
    const struct predict_tile weights = {MGEMM_BLOCKED_1, 1, 2, 5, 3, 1, false};
    const struct predict_tile pixels = {MGEMM_POINT, 1, 4, 2, 1, 1, false};
    const struct predict_tile filter = {MGEMM_FILTER, 1, 1, 4, 3, 1, false};
    const struct predict_tile spilling = {MGEMM_FILTER, 1, 3, 4, 3, 1, false};
    double before;

    /* A tap: 2 weights, 5 broadcasts of 2, 10 products and sums, 5 copies, 4 of the loop.  */
    is_int(predict_tile(&machine, &weights).instructions, 3 * (2 + 10 + 20 + 5 + 4) + 6,
           "2 x 5, weights first");
    is_int(predict_tile(&machine, &pixels).instructions, 4 + 4 + 16 + 4 + 6, "4 x 2, pixels first");
    /* 3 weights, 6 broadcasts of 2, 12 products and sums, copies but for 6 last uses.  */
    is_int(predict_tile(&machine, &filter).instructions, 3 + 12 + 24 + 6 + 6,
           "1 x 4, weights kept");
    is_near(predict_tile(&machine, &spilling).seconds, 20e-9, "one tap in three through memory");
    before = predict_tile(&machine, &weights).seconds;
    machine.issue_s = 0.1e-9;
    is_near(predict_tile(&machine, &weights).seconds, before, "issue does not bind");
    machine.issue_s = 0.2e-9;
    is_near(predict_tile(&machine, &weights).seconds, 129 * 0.2e-9, "issue binds");
    is_int(predict_tile(&machine, &filter).broadcasts, 6, "inputs are broadcast once");
    machine.broadcast_s = 1e-9;
    is_near(predict_tile(&machine, &weights).seconds, 129 * 0.2e-9 + 15e-9, "and broadcasts cost");
    machine.fused = true;
    is_int(predict_tile(&machine, &weights).instructions, 3 * (2 + 5 + 10 + 4) + 6, "fused");
    before = predict_tile(&machine, &pixels).seconds;
    machine.channel_s = 1e-9;
    is_near(predict_tile(&machine, &pixels).seconds, before, "an unrolled tap ends without cost");
}

static double seconds(const struct machine *machine, enum mgemm_form form, int rows, int vectors,
                      int width)
{
    const struct predict_tile tile = {form, rows, vectors, width, 3, 1, false};

    return predict_tile(machine, &tile).seconds;
}

/* All tiles: more registers never hurt, and where they were missing they help;
 * a multiply-add is never cheaper than the peak, and dearer with too few
 * chains.  */
static void test_tiles(void)
{
    static const enum mgemm_form forms[] = {MGEMM_BLOCKED_1, MGEMM_KEEP, MGEMM_FILTER};
    const struct machine few = invented(ISA_AVX2);
    struct machine many = few;
    int tiles = 0, spilling = 0, wrong = 0;

    many.registers = 1000;
    for (size_t f = 0; f < 3; f++)
        for (int rows = 1; rows <= MGEMM_MAX_ROWS; rows++)
            for (int v = 1; v <= MGEMM_MAX_VECTORS; v++)
                for (int w = 1; w <= MGEMM_MAX_WIDTH; w++, tiles++) {
                    const struct predict_tile tile = {forms[f], rows, v, w, 3, 1, false};
                    const struct predict_cost cost = predict_tile(&few, &tile);
                    const double peak = 3.0 * rows * v * w * few.fma_s;
                    const double roomy = seconds(&many, forms[f], rows, v, w);

                    wrong += cost.seconds < roomy || roomy < peak;
                    wrong += cost.spilled == 0 && cost.seconds != roomy;
                    wrong += (double)cost.chains < few.latency_s / few.fma_s && roomy <= peak;
                    spilling += cost.spilled > 0;
                }
    ok(wrong == 0 && spilling > 100, "%d tiles, %d of which spill, keep the order", tiles,
       spilling);
}

/* The working set's price never falls as it grows.  */
static void test_read(void)
{
    const struct machine machine = invented(ISA_GENERIC);
    bool good = true;

    for (double bytes = 1.0; bytes < 1e9; bytes *= 1.1)
        good = good &&
               machine_read(&machine, bytes) <= machine_read(&machine, bytes * 1.1) * (1.0 + 1e-12);
    ok(good, "reading from a larger set is never cheaper");
    is_near(machine_read(&machine, 0.0), 1e-11, "an empty set is in the first cache");
    is_near(machine_read(&machine, 1e12), 1e-10, "a huge one in memory");
    is_near(machine_read(&machine, 32768.0 * sqrt(2.0)), 1.5e-11, "halfway between two sizes");
}

/* A plan's prediction; seconds 0 where it can't be planned.  */
static struct prediction predict(const struct machine *machine, const char *layer, const char *text)
{
    struct prediction result = {.seconds = 0.0};
    struct error error = {""};
    struct conv_plan plan;

    if (conv_case_plan(&plan, layer, text, ISA_GENERIC, 1, &error)) {
        predict_plan(&plan, machine, &result);
        conv_plan_clear(&plan);
    } else {
        tap_diag("%s: %s", text, error.text);
    }
    return result;
}

/* Work is counted whole, whatever it is cut into: where everything else is
 * free, only the multiply-adds are left.  */
static void test_work(void)
{
    static const char *const tiles[] = {
        "co=4,wo=5,rows=1",       "co=8,wo=5,rows=1",    "co=8,wo=3,rows=2",
        "co=8,wo=3,hfil=outside", "co=4,wo=7,cco=8",     "co=8,wo=3,order=tile-co",
        "co=8,wo=4,wf=keep",      "co=8,wo=4,wf=filter", "co=8,wo=3,ci=1"};
    struct machine machine = machine_known(ISA_GENERIC);

    machine.registers = 1000;
    machine.fma_s = 1e-9;
    for (size_t i = 0; i < sizeof tiles / sizeof tiles[0]; i++) {
        const char *plain = "n=2,c=12,h=9,w=11,k=16,r=3,s=3",
                   *edges = "c=12,h=5,w=6,k=16,r=3,s=3,pad=1";
        /* Vectors of 4: 2 x 12 channels x 7 x 9 outputs x 9 taps x 16 / 4.  With
         * padding the taps that hit: 3 x 5 - 2 rows, 3 x 6 - 2 columns.  */
        is_near(predict(&machine, plain, tiles[i]).seconds, 2e-9 * 12 * 63 * 9 * 4, tiles[i]);
        is_near(predict(&machine, edges, tiles[i]).seconds, 1e-9 * 12 * 13 * 16 * 4, tiles[i]);
    }
}

/* The plan of a layer, for whatever processor: the one here may lack ISA.  */
static bool make_plan(struct conv_plan *plan, enum isa isa, const char *layer, const char *text)
{
    const struct conv_kernel *kernel = conv_kernel_find("mgemm");
    struct error error = {""};
    struct params params;
    bool good;

    *plan = (struct conv_plan){.kernel = kernel, .request = {.isa = isa, .threads = 1}};
    good = layer_parse(layer, &plan->request.shape, &error) &&
           params_parse(&params, "mgemm", text, &kernel->params, 1, &error);
    if (good) {
        good = kernel->plan(plan, &params, &error);
        params_clear(&params);
    }
    if (!ok(good, "%s: %s, %s", isa_name(isa), layer, text))
        tap_diag("%s", error.text);
    return good;
}

/* Seconds of a plan where only loads take time, one each.  */
static double count_plan_loads(const struct conv_plan *plan)
{
    struct machine machine = machine_known(plan->request.isa);
    struct prediction prediction;

    machine.registers = 1000;
    machine.load_s = 1.0;
    ok(predict_plan(plan, &machine, &prediction), "predicted");
    return prediction.seconds;
}

/* A window serves a plan that keeps its inputs, and no other.  The tiles are those of
 * vectors of 4, one of them with a window that it has not got, so that this holds on
 * every processor.  A row of 6 outputs is two tiles of 2 vectors x 3 pixels; 4 rows,
 * 2 channels, 3 filter rows: 48 times 6 weights with 9 inputs, or with the 5 that
 * differ.  */
static void test_windows(void)
{
    struct mgemm_tile tile;
    struct mgemm_set set;
    struct mgemm_plan *m;
    struct conv_plan plan;

    if (!make_plan(&plan, ISA_GENERIC, "c=2,h=6,w=8,k=8,r=3,s=3", "co=8,wo=3,ci=1,wf=reload"))
        return;
    m = plan.state;
    is_near(count_plan_loads(&plan), 48 * (6 + 9), "the tile has no window: all are loaded");
    set = *m->set;
    tile = *set.tile[m->form][0][1][2];
    tile.window = true;
    tile.taps3 = tile.any;
    set.tile[m->form][0][1][2] = &tile;
    m->set = &set;
    is_near(count_plan_loads(&plan), 48 * (6 + 9), "it has one that the plan does not use");
    m->keep = true;
    is_near(count_plan_loads(&plan), 48 * (6 + 5), "it has one, and the plan keeps its inputs");
    plan.request.shape.dilation_w = 2;
    is_near(count_plan_loads(&plan), 48 * (6 + 9), "taps that are apart share no window");
    conv_plan_clear(&plan);
}

/* The tiles of AVX2 that have one, where the build has them: a row of 6 outputs is two
 * of 4 vectors x 3 pixels; 1 channel, 1 filter row, 2 rows.  */
static void test_window_tiles(void)
{
    static const struct {
        const char *layer;
        int weights, inputs, kept;
    } rows[] = {{"c=1,h=2,w=8,k=32,r=1,s=3", 12, 9, 5},
                {"c=1,h=2,w=12,k=32,r=1,s=7", 28, 21, 9},
                {"c=1,h=3,w=13,k=32,r=1,s=3,stride=2", 12, 9, 7},
                {"c=1,h=3,w=17,k=32,r=1,s=7,stride=2", 28, 21, 11}};
    struct conv_plan plan;

    if (mgemm_set(ISA_AVX2) == NULL) {
        tap_skip(1, "built without kernels for AVX2");
        return;
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (make_plan(&plan, ISA_AVX2, rows[i].layer, "co=32,wo=3,ci=1,wf=reload")) {
            is_near(count_plan_loads(&plan), 4 * (rows[i].weights + rows[i].inputs), "reloaded");
            conv_plan_clear(&plan);
        }
        if (make_plan(&plan, ISA_AVX2, rows[i].layer, "co=32,wo=3,ci=1,wf=keep")) {
            is_near(count_plan_loads(&plan), 4 * (rows[i].weights + rows[i].kept), "kept");
            conv_plan_clear(&plan);
        }
    }
}

/* Rows of nothing but ends: tiles of 2 x 3 that keep inputs there have 6 sums, 5 inputs, a
 * weight and a product in registers, those that reload 6, 2 weights, an input and a product;
 * those of 2 x 6 12, 8, a weight and a product.  */
static void test_edges(void)
{
    const struct machine machine = invented(ISA_GENERIC);
    const char *text = "wf=keep,co=8,wo=3", *one = "wf=keep,co=8,wo=6";

    is_int(predict(&machine, "c=64,h=9,w=6,k=64,r=3,s=3,pad=1", text).tile.registers, 13,
           "a pixel at the end misses a tap: inputs are kept");
    is_int(predict(&machine, "c=62,h=9,w=6,k=64,r=3,s=3,pad=1", text).tile.registers, 10,
           "not where channels do not fill blocks");
    is_int(predict(&machine, "c=64,h=9,w=6,k=64,r=3,s=3,pad=1", one).tile.registers, 22,
           "but where both ends are in one tile");
}

static void test_plans(void)
{
    const char *layer = "c=64,h=28,w=28,k=64,r=3,s=3,pad=1";
    const struct machine machine = invented(ISA_GENERIC);
    struct machine dear = machine, slow = machine;
    struct prediction base = predict(&machine, layer, "co=8,wo=4"), other;

    ok(base.seconds >= base.core_s && base.core_s >= base.multiply_add_s && base.overhead_s > 0.0,
       "the parts are no more than the whole");
    ok(predict(&machine, layer, "co=4,wo=1").seconds > 2.0 * base.seconds,
       "a tile with one chain is far slower");
    ok(predict(&machine, layer, "co=16,wo=4").seconds > base.seconds, "so is one that spills");
    other = predict(&machine, "c=64,h=28,w=28,k=61,r=3,s=3,pad=1", "co=8,wo=4");
    ok(other.seconds == base.seconds, "channels that fill up a vector cost like real ones");
    dear.call_s *= 10.0;
    ok(predict(&dear, layer, "co=8,wo=2,rows=1,order=tile-co").seconds -
               predict(&machine, layer, "co=8,wo=2,rows=1,order=tile-co").seconds >
           1.5 * (predict(&dear, layer, "co=8,wo=4,rows=1,order=tile-co").seconds -
                  predict(&machine, layer, "co=8,wo=4,rows=1,order=tile-co").seconds),
       "dear calls hurt small tiles more");
    dear = machine;
    dear.exposed = 0.5;
    ok(predict(&dear, layer, "co=8,wo=4").seconds > base.seconds,
       "reading that is not hidden costs");
    dear = machine;
    dear.channel_s = 1e-9;
    ok(predict(&dear, "c=64,h=28,w=28,k=64,r=1,s=1,stride=2,groups=2", "co=8,wo=4").seconds >
           1.05 * predict(&machine, "c=64,h=28,w=28,k=64,r=1,s=1,stride=2,groups=2", "co=8,wo=4")
                      .seconds,
       "so do channels of one tap");
    for (int i = 0; i < MACHINE_SIZES; i++)
        slow.read_s[i] *= 1000.0;
    ok(predict(&slow, layer, "co=8,wo=4").seconds > 10.0 * base.seconds, "slow caches bind");
    is_int(predict_compare(&base, &base), 0, "a plan equals itself");
    other = base;
    other.ops.input += 0.1;
    ok(predict_compare(&base, &other) < 0 && predict_compare(&other, &base) > 0,
       "at equal seconds fewer memory operations are better");
    other.seconds *= 0.9;
    ok(predict_compare(&other, &base) < 0, "fewer seconds come first");
    other = predict(&machine, "c=64,h=28,w=28,k=64,r=3,s=3,pad=1,groups=64", "");
    ok(other.seconds == 0.0, "depthwise plans are not predicted");
}

int main(void)
{
    test_bounds();
    test_instructions();
    test_tiles();
    test_read();
    test_work();
    test_windows();
    test_window_tiles();
    test_edges();
    test_plans();
    return tap_done();
}
