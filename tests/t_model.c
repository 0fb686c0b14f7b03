/* The model of memory operations against values worked out by hand.  */
#include <config.h>

#include <math.h>

#include "kernels/layer.h"
#include "kernels/model.h"
#include "tests/tap.h"

static void is_near(double got, double want, const char *what)
{
    if (!ok(fabs(got - want) <= 1e-12, "%s: %.4f", what, want))
        tap_diag("got %.17g, expected %.17g", got, want);
}

static struct conv_shape layer(const char *text)
{
    struct conv_shape shape;
    struct error error;

    ok(layer_parse(text, &shape, &error), "layer %s", text);
    return shape;
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
    /* 2 x 5 + 3 x 4 + 1 = 23 inputs for 6 pixels x 5 taps x 16 channels.  */
    is_near(model_exact(&strided, 16, 6, 1, true, true).input, 23.0 / 480.0,
            "exact, stride and dilation");
    is_near(model_exact(&strided, 16, 6, 1, true, true).output, 2.0 / 480.0,
            "exact, filter rows inside");
    return tap_done();
}
