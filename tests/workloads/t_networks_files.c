/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Networks of the zoo against the same networks in files that others made.  */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/graph/network.h"
#include "lib/problem/instance.h"
#include "tests/support/instances.h"
#include "tests/support/tap.h"

/* The next plain convolution of NETWORK from operator *AT on that sees more than
 * one pixel: ncnn has fully connected layers where weights of channels are made.  */
static const struct network_op *next(const struct network *network, size_t *at)
{
    while (*at < network->n_ops) {
        const struct network_op *op = &network->op[(*at)++];

        if (op->kind == OP_CONV && op->conv.n > 0 && op->conv.h > 1)
            return op;
    }
    return NULL;
}

/* Padding apart: ncnn writes some of it as "same".  */
static bool same(const struct conv_shape *x, const struct conv_shape *y)
{
    return x->c == y->c && x->h == y->h && x->w == y->w && x->k == y->k && x->r == y->r &&
           x->s == y->s && x->stride_h == y->stride_h && x->stride_w == y->stride_w &&
           x->groups == y->groups && conv_shape_out_h(x) == conv_shape_out_h(y);
}

static void convolutions(const char *name, const char *file, int64_t count)
{
    struct network *own, *other;
    const struct network_op *x, *y;
    size_t at = 0, there = 0;
    int64_t equal = 0;
    char *spec;

    if (tap_skip_without(2, file))
        return;
    spec = memory_printf("data:%s", file);
    own = network_of(name);
    other = network_of(spec);
    do {
        x = next(own, &at);
        y = next(other, &there);
        equal += x != NULL && y != NULL && same(&x->conv, &y->conv);
    } while (x != NULL && y != NULL);
    ok(x == NULL && y == NULL, "%s: as many convolutions", name);
    is_int(equal, count, "%s: equal ones, in the same order", name);
    network_free(own);
    network_free(other);
    free(spec);
}

int main(void)
{
    convolutions("yolov4-tiny", "ncnn/yolov4-tiny.param", 21);
    convolutions("efficientnet_b0", "ncnn/efficientnet_b0.param", 49);
    convolutions("shufflenet_v2_x1_0", "ncnn/shufflenet_v2.param", 56);
    return tap_done();
}
