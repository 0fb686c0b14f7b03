/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What operators may do with their inputs' memory, by kind and shape.  */
#include <config.h>

#include "lib/graph/reuse.h"

#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/graph/expand.h"
#include "lib/graph/fuse.h"
#include "lib/graph/network.h"
#include "tests/support/tap.h"
#include "workloads/builder/builder.h"

/* The facts of operator OP as text: "kind input>output@offset ...".  */
static void is_reuse(const struct network *network, size_t op, const char *want, const char *what)
{
    static const char *const kinds[] = {"none", "forward", "overwrite", "place"};
    const struct network_op *user = &network->op[op];
    char *text = memory_strdup("");

    for (size_t i = 0; i < user->reuses; i++) {
        const struct op_reuse *reuse = &user->reuse[i];

        text = memory_append(text, "%s%s %zu>%zu@%" PRId64, i == 0 ? "" : ", ", kinds[reuse->kind],
                             reuse->input, reuse->output, reuse->offset);
    }
    is_text(text, want, "%s", what);
    free(text);
}

/* A convolution, what may follow it, and their concatenation.  */
static struct network *layers(int64_t batch)
{
    struct builder *b = builder_new("layers", DTYPE_F16);
    size_t x = builder_input(b, "x", 4, (const int64_t[]){batch, 2, 3, 3}), y, z;

    x = builder_conv(b, "conv", x, 4, .r = 1);
    y = builder_batch_norm(b, "norm", x);
    y = builder_relu(b, "relu", y);
    y = builder_add(b, "add", y, x);
    y = builder_max_pool(b, "pool", y, .r = 1);
    z = builder_concat(b, "cat", (const size_t[]){y, x, y}, 3);
    z = builder_reshape(b, "flat", z, 2, (const int64_t[]){batch, 108});
    z = builder_softmax(b, "soft", z);
    builder_output(b, z);
    return builder_finish(b, NULL);
}

static void kinds(void)
{
    struct network *one = layers(1), *two = layers(2);
    enum { CONV, NORM, RELU, ADD, POOL, CAT, FLAT, SOFT };

    is_reuse(one, CONV, "", "a convolution reads everything many times");
    is_reuse(one, NORM, "overwrite 0>0@0", "a normalisation");
    is_reuse(one, RELU, "overwrite 0>0@0", "an activation");
    is_reuse(one, ADD, "overwrite 0>0@0, overwrite 1>0@0", "an addition, either input");
    is_reuse(one, POOL, "", "a pool");
    is_reuse(one, CAT, "place 0>0@0, place 1>0@72, place 2>0@144", "channels of one image");
    is_reuse(two, CAT, "", "of two images: no part is one stretch");
    is_reuse(one, FLAT, "forward 0>0@0", "a reshape");
    is_reuse(one, SOFT, "overwrite 0>0@0", "a softmax");
    network_free(one);
    network_free(two);
}

static size_t add_value(struct network *network, const char *name, int64_t n, int64_t c,
                        enum dtype dtype)
{
    return network_add_value(network, name, VALUE_INPUT, dtype, 2, (const int64_t[]){n, c});
}

/* Inputs of other shapes are broadcast, other element sizes move elements.  */
static void broadcasts(void)
{
    struct network *network = network_new("broadcasts");
    const size_t input[] = {add_value(network, "a", 1, 4, DTYPE_F32),
                            add_value(network, "b", 3, 4, DTYPE_F32),
                            add_value(network, "c", 3, 4, DTYPE_F16)};
    size_t add = network_add_op(network, "add", OP_ELEMENTWISE, "add", input, 3);
    size_t cast = network_add_op(network, "cast", OP_ACTIVATION, "cast", &input[1], 1);

    network_add_output(network, add, "sum", DTYPE_F32, 2, (const int64_t[]){3, 4});
    network_add_output(network, cast, "half", DTYPE_F16, 2, (const int64_t[]){3, 4});
    reuse_infer(network, add);
    reuse_infer(network, cast);
    is_reuse(network, add, "overwrite 1>0@0", "only the input that is as large as the output");
    is_reuse(network, cast, "", "not with smaller elements");
    network_free(network);
}

/* Slices of a 4 x 6 x 5 value of bytes.  */
static void slices(void)
{
    static const struct {
        int64_t dim[3], start[3];
        const char *want, *what;
    } cases[] = {
        {{2, 6, 5}, {1, 0, 0}, "forward 0>0@30", "whole rows of the first dimension"},
        {{1, 2, 5}, {3, 4, 0}, "forward 0>0@110", "rows of one plane"},
        {{1, 1, 3}, {2, 1, 2}, "forward 0>0@67", "a piece of one row"},
        {{2, 2, 5}, {1, 0, 0}, "", "rows of two planes are two stretches"},
        {{1, 2, 3}, {0, 0, 0}, "", "so are pieces of two rows"},
        {{4, 6, 5}, {0, 0, 0}, "forward 0>0@0", "all of it"},
        {{2, 6, 5}, {3, 0, 0}, "", "what hangs over the end"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct network *network = network_new("slices");
        size_t x =
            network_add_value(network, "x", VALUE_INPUT, DTYPE_I8, 3, (const int64_t[]){4, 6, 5});
        size_t op = network_add_op(network, "slice", OP_OTHER, "slice", &x, 1);

        network_add_output(network, op, "y", DTYPE_I8, 3, cases[i].dim);
        ok(reuse_slice(network, op, 0, 0, cases[i].start) == (cases[i].want[0] != '\0'),
           "%s: says whether", cases[i].what);
        is_reuse(network, op, cases[i].want, cases[i].what);
        network_free(network);
    }
}

/* An activation that is fused into an operator that only moves data.  */
static void fused(void)
{
    struct builder *b = builder_new("fused", DTYPE_F32);
    size_t x = builder_input(b, "x", 4, (const int64_t[]){1, 2, 3, 3}), y;
    struct network *network;
    struct network_op op = {.reuses = 2};
    struct op_reuse reuse[] = {{REUSE_FORWARD, 0, 0, 8}, {REUSE_PLACE, 1, 0, 4}};

    y = builder_relu(b, "r1", builder_concat(b, "cat", (const size_t[]){x, x}, 2));
    y = builder_relu(b, "r2", builder_add(b, "add", y, y));
    builder_output(b, builder_conv(b, "conv", y, 1, .r = 1));
    network = network_fuse(builder_finish(b, NULL), FUSE_ALL);
    is_reuse(network, 0, "", "a concatenation with an activation places no part");
    is_reuse(network, 1, "overwrite 0>0@0, overwrite 1>0@0", "an addition with one overwrites");
    network_free(network);
    op.reuse = reuse;
    reuse_computes(&op);
    is_int((int64_t)op.reuses, 1, "of a view with an activation one fact stays");
    ok(reuse[0].kind == REUSE_OVERWRITE && reuse[0].offset == 8, "it overwrites that part");
}

static void expanded(void)
{
    struct builder *b = builder_new("grouped", DTYPE_F32);
    size_t x = builder_input(b, "x", 4, (const int64_t[]){1, 4, 2, 2});
    struct network *network;

    builder_output(b, builder_conv(b, "conv", x, 6, .r = 1, .groups = 2));
    network = network_expand_groups(builder_finish(b, NULL));
    is_reuse(network, 0, "forward 0>0@0, forward 0>1@32", "the groups' inputs are views");
    is_reuse(network, 3, "place 0>0@0, place 1>0@48", "their outputs are places");
    network_free(network);
}

int main(void)
{
    kinds();
    broadcasts();
    slices();
    fused();
    expanded();
    return tap_done();
}
