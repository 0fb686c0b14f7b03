/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The model of memory operations against values worked out by hand, and against
 * loop nests that count their loads and stores.  */
#include <config.h>

#include <math.h>
#include <stddef.h>

#include "kernels/layer.h"
#include "kernels/model/model.h"
#include "tests/support/tap.h"

static void is_near(double got, double want, const char *what)
{
    if (!ok(fabs(got - want) <= 1e-12, "%s: %.4f", what, want))
        tap_diag("got %.17g, expected %.17g", got, want);
}

static struct conv_shape layer(const char *text)
{
    struct conv_shape shape;
    struct error error = {""};

    ok(layer_parse(text, &shape, &error), "layer %s", text);
    return shape;
}

static bool same(struct model_cost a, struct model_cost b)
{
    return fabs(a.output - b.output) <= 1e-12 && fabs(a.input - b.input) <= 1e-12 &&
           fabs(a.filter - b.filter) <= 1e-12;
}

/* A tile of one register block: one load of each operand's elements and one
 * store of the outputs, against the multiply-accumulates, all counted.  */
static struct model_cost count_block(const struct model_block *x)
{
    int64_t macs = 0, outputs = 0, inputs = 0, weights = 0;

    for (int64_t b = 0; b < x->b; b++)
        for (int64_t co = 0; co < x->co; co++)
            for (int64_t y = 0; y < x->ho * x->wo; y++)
                for (int64_t ci = 0; ci < x->ci; ci++)
                    for (int64_t t = 0; t < x->hf * x->wf; t++) {
                        macs++;
                        /* Loaded when the other loops stand at their start.  */
                        outputs += ci == 0 && t == 0;
                        inputs += co == 0 && t == 0; /* halo left out */
                        weights += b == 0 && y == 0;
                    }
    return (struct model_cost){2.0 * (double)outputs / (double)macs, (double)inputs / (double)macs,
                               (double)weights / (double)macs};
}

static void test_blocks(void)
{
    int wrong = 0, cases = 0;

    for (int64_t code = 0; code < 3 * 3 * 3 * 3 * 3 * 3 * 3; code++, cases++) {
        const struct model_block x = {1 + code % 3,      1 + code / 3 % 3,  1 + code / 9 % 3,
                                      1 + code / 27 % 3, 1 + code / 81 % 3, 1 + code / 243 % 3,
                                      1 + code / 729};
        const struct model_cost want = count_block(&x);

        wrong += !same(model_table1(&x), want);
    }
    ok(wrong == 0, "Table 1 is what %d loop nests count", cases);
}

/* Registers that remember which element they hold.  */
struct memo {
    int64_t holds[64], loads;
};

static void forget(struct memo *memo)
{
    for (size_t i = 0; i < sizeof memo->holds / sizeof memo->holds[0]; i++)
        memo->holds[i] = -1;
}

/* Looks for ELEMENT in registers, else loads it.  */
static void touch(struct memo *memo, int64_t element)
{
    size_t i = 0;

    while (i < 64 && memo->holds[i] >= 0 && memo->holds[i] != element)
        i++;
    if (i < 64 && memo->holds[i] == element)
        return;
    memo->loads++;
    if (i < 64)
        memo->holds[i] = element;
}

struct tile {
    int64_t co, rows, wo, channels, r, s, stride, dilation;
    bool keep, hfil_inside;
};

static struct model_cost tile_exact(const struct tile *t)
{
    const struct conv_shape shape = {.c = t->channels,
                                     .r = t->r,
                                     .s = t->s,
                                     .stride_w = t->stride,
                                     .dilation_w = t->dilation,
                                     .groups = 1};

    return model_exact(&shape, t->co, t->wo, t->rows, t->keep, t->hfil_inside);
}

/* The paper's loops around one register tile, scalar by scalar.  Inputs stay
 * over a filter row of one channel if KEEP, else for one tap.  */
static struct model_cost count_tile(const struct tile *t)
{
    struct memo inputs = {.loads = 0};
    int64_t macs = 0, outputs = 0, weights = 0;

    for (int64_t r = 0; r < t->r; r++) {
        if (r == 0 || !t->hfil_inside)
            outputs += 2 * t->co * t->rows * t->wo;
        for (int64_t c = 0; c < t->channels; c++) {
            forget(&inputs);
            for (int64_t s = 0; s < t->s; s++) {
                if (!t->keep)
                    forget(&inputs);
                weights += t->co;
                for (int64_t j = 0; j < t->rows * t->wo; j++)
                    for (int64_t k = 0; k < t->co; k++, macs++)
                        touch(&inputs, j / t->wo * 1000 + j % t->wo * t->stride + s * t->dilation);
            }
        }
    }
    return (struct model_cost){(double)outputs / (double)macs, (double)inputs.loads / (double)macs,
                               (double)weights / (double)macs};
}

/* Every small tile, stride and dilation.  */
static void test_tiles(void)
{
    int wrong = 0, cases = 0;

    for (int64_t code = 0; code < 5 * 3 * 3 * 3 * 3 * 2 * 2 * 2; code++, cases++) {
        const struct tile t = {.co = 1 + code / 1080,
                               .rows = 1 + code / 540 % 2,
                               .wo = 1 + code % 5,
                               .channels = 2,
                               .r = 1 + code / 5 % 3,
                               .s = 1 + code / 15 % 3,
                               .stride = 1 + code / 45 % 3,
                               .dilation = 1 + code / 135 % 2,
                               .keep = code / 270 % 2 == 1,
                               .hfil_inside = code / 5 % 2 == 1};
        const struct model_cost want = count_tile(&t);

        wrong += !same(tile_exact(&t), want);
    }
    ok(wrong == 0 && cases > 1000, "the exact form is what %d loop nests count", cases);
}

/* What the paper and libraries' tiles come to, as far as it is printed.  */
static void test_printed(void)
{
    const struct conv_shape plain = layer("c=64,h=56,w=56,k=64,r=3,s=3,pad=1");

    ok(fabs(model_total(model_effective(&plain, 8, 8, 1, 3, false)) - 0.177) < 5e-4, "0.177");
    ok(fabs(model_total(model_effective(&plain, 8, 8, 1, 1, false)) - 0.260) < 5e-4, "0.260");
    is_int(model_input_pixels(7, 1, 2, 1), 7, "one tap at stride 2 skips every other input");
}

int main(void)
{
    const struct model_block one = {1, 1, 1, 1, 1, 1, 1};
    const struct model_block block = {1, 8, 1, 8, 4, 1, 3}, wide = {2, 8, 3, 4, 2, 3, 3};
    struct conv_shape plain = layer("c=64,h=56,w=56,k=64,r=3,s=3,pad=1");
    struct conv_shape strided = layer("c=32,h=56,w=56,k=64,r=3,s=5,stride=1x2,dilation=1x3,pad=6");
    struct conv_shape depthwise = layer("c=32,h=56,w=56,k=32,r=3,s=3,pad=1,groups=32");

    is_near(model_total(model_table1(&one)), 4.0, "no reuse: 2 + 1 + 1");
    /* 2/(4x3), 1/(8x3), 1/8 */
    is_near(model_table1(&block).output, 1.0 / 6.0, "Table 1, output");
    is_near(model_table1(&block).input, 1.0 / 24.0, "Table 1, input");
    is_near(model_table1(&block).filter, 0.125, "Table 1, filter");
    /* 2/(2x9) + 1/(8x9) + 1/(2x3x4) = 1/9 + 1/72 + 1/24 = 8/72 + 1/72 + 3/72 */
    is_near(model_total(model_table1(&wide)), 1.0 / 6.0, "Table 1 with b, ho and hf");

    /* The authors' tile on 64 channels: 2/192 + 1/24 + 1/8.  */
    is_near(model_total(model_effective(&plain, 8, 8, 1, 3, false)), 2.0 / 192 + 1.0 / 24 + 0.125,
            "effective, inputs kept");
    is_near(model_total(model_effective(&plain, 8, 8, 1, 1, false)), 2.0 / 192 + 0.125 + 0.125,
            "effective, a matrix product's tile");
    is_near(model_effective(&plain, 8, 8, 1, 3, true).output, 2.0 / 576,
            "effective, filter rows inside");
    is_near(model_effective(&plain, 16, 3, 2, 1, true).filter, 1.0 / 6.0, "effective, two rows");
    is_near(model_effective(&depthwise, 8, 8, 1, 3, true).output, 2.0 / 9.0,
            "effective, one channel a group");

    /* 8 + 2 inputs for 8 pixels x 3 taps x 8 channels.  */
    is_near(model_exact(&plain, 8, 8, 1, true, false).input, 10.0 / 192.0, "exact, with halo");
    is_near(model_exact(&plain, 8, 8, 1, false, false).input, 0.125, "exact, inputs reloaded");
    /* 2 x 5 + 3 x 4 + 1 = 23 without the second and last but one, for 6 pixels x 5 taps x 16
     * channels.  */
    is_near(model_exact(&strided, 16, 6, 1, true, true).input, 21.0 / 480.0,
            "exact, stride and dilation");
    is_near(model_exact(&strided, 16, 6, 1, true, true).output, 2.0 / 480.0,
            "exact, filter rows inside");
    test_blocks();
    test_tiles();
    test_printed();
    return tap_done();
}
