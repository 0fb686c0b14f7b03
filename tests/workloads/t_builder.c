/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The builder's operators on small shapes, worked out by hand.  */
#include <config.h>

#include "workloads/builder/builder.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/graph/network.h"
#include "tests/support/tap.h"

static struct builder *b;

static size_t input(const char *name, int rank, const int64_t *dim)
{
    return builder_input(b, name, rank, dim);
}
#define INPUT(name, ...) \
    input(name, sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t), (int64_t[]){__VA_ARGS__})

static struct network *finish(size_t x)
{
    struct network *network;
    struct error error = {{0}};

    builder_output(b, x);
    network = builder_finish(b, &error);
    if (!ok(network != NULL, "the network is sound"))
        tap_diag("%s", error.text);
    return network;
}

/* The shape of VALUE as "2 x 3".  */
static void is_shape(const struct network *network, size_t value, const char *want)
{
    const struct value *v = &network->value[value];
    char got[128] = "";

    for (int i = 0; i < v->rank; i++)
        snprintf(got + strlen(got), sizeof got - strlen(got), "%s%" PRId64, i == 0 ? "" : " x ",
                 v->dim[i]);
    is_text(got, want, "%s has shape %s", v->name, want);
}

static const struct network_op *maker(const struct network *network, size_t value)
{
    return &network->op[network->value[value].producer];
}

/* Which slots of VALUE's operator may be written over, as a set of bits.  */
static int64_t overwritable(const struct network *network, size_t value)
{
    const struct network_op *op = maker(network, value);
    int64_t slots = 0;

    for (size_t i = 0; i < op->reuses; i++)
        if (op->reuse[i].kind == REUSE_OVERWRITE)
            slots |= INT64_C(1) << op->reuse[i].input;
    return slots;
}

static void elementwise(void)
{
    struct network *network;
    size_t x, weight, mask, y, z, u;

    b = builder_new("elementwise", DTYPE_F32);
    x = INPUT("x", 2, 8, 4, 4);
    weight = INPUT("weight", 2, 8, 1, 1);
    mask = INPUT("mask", 4, 4);
    y = builder_mul(b, "mul", weight, x);
    z = builder_add(b, "add", y, mask);
    u = builder_scale(b, "scale", z, 1.0, 0.0);
    network = finish(u);
    is_shape(network, y, "2 x 8 x 4 x 4");
    is_shape(network, z, "2 x 8 x 4 x 4");
    is_int(overwritable(network, y), 2, "mul may write over the larger input");
    is_int(overwritable(network, z), 1, "add over the first");
    is_int(overwritable(network, u), 1, "scale over its input");
    network_free(network);
}

static void movers(void)
{
    size_t x, part[2], joined, sliced, row, turned, shuffled, up, cropped;
    struct network *network;

    b = builder_new("movers", DTYPE_F32);
    x = INPUT("x", 1, 8, 4, 6);
    builder_split(b, "split", x, 1, part, 2);
    joined = builder_concat_axis(b, "join", 3, part, 2);
    row = builder_slice(b, "row", joined, 1, 1, 2);
    sliced = builder_slice(b, "columns", row, 3, 0, 10);
    turned = builder_transpose(b, "turn", sliced, (const int[]){0, 3, 1, 2});
    shuffled = builder_shuffle(b, "shuffle", turned, 2);
    up = builder_upsample(b, "up", shuffled, 3);
    cropped = builder_crop(b, "crop", up, 4, 9);
    network = finish(cropped);
    is_shape(network, part[1], "1 x 4 x 4 x 6");
    is_shape(network, joined, "1 x 4 x 4 x 12");
    is_shape(network, row, "1 x 2 x 4 x 12");
    is_shape(network, sliced, "1 x 2 x 4 x 10");
    is_shape(network, turned, "1 x 10 x 2 x 4");
    is_shape(network, shuffled, "1 x 10 x 2 x 4");
    is_shape(network, up, "1 x 10 x 6 x 12");
    is_shape(network, cropped, "1 x 10 x 4 x 9");
    is_int((int64_t)maker(network, row)->reuses, 1, "rows lie together in the whole");
    is_int(maker(network, row)->reuse[0].offset, 4 * 12 * 4, "from here");
    is_int((int64_t)maker(network, sliced)->reuses, 0, "columns do not");
    network_free(network);
}

static void matrices(void)
{
    struct network *network;
    size_t ids, table, x, y, scores, context, up;

    b = builder_new("matrices", DTYPE_F16);
    ids = builder_tokens(b, "ids", 2, 5);
    table = builder_weight(b, "table", 2, (const int64_t[]){100, 8});
    x = builder_embedding(b, "words", ids, table);
    x = builder_add_positions(b, "positions", x,
                              builder_weight(b, "place", 2, (const int64_t[]){5, 8}));
    y = builder_dense(b, "dense", builder_layer_norm(b, "norm", x), 3);
    scores = builder_matmul(b, "scores", x, y = builder_dense(b, "key", y, 8), true);
    context = builder_matmul(b, "context", scores, x, false);
    y = builder_dense_with(b, "logits", context, table);
    up =
        builder_expand(b, "expand", builder_weight(b, "token", 3, (const int64_t[]){1, 1, 100}), 2);
    network = finish(builder_add(b, "sum", y, up));
    is_shape(network, x, "2 x 5 x 8");
    is_shape(network, scores, "2 x 5 x 5");
    is_shape(network, context, "2 x 5 x 8");
    is_shape(network, y, "2 x 5 x 100");
    is_shape(network, up, "2 x 1 x 100");
    is_int(maker(network, scores)->macs, 2 * 5 * 5 * 8, "work of a product");
    is_int(maker(network, y)->macs, 2 * 5 * 8 * 100, "work of a layer");
    is_int(network_parameters(network), 100 * 8 + 5 * 8 + 2 * 8 + (8 * 3 + 3) + (3 * 8 + 8) + 100,
           "weights, each once");
    is_int((int64_t)network->value[ids].dtype, DTYPE_I64, "ids have 64 bits");
    network_free(network);
}

/* Two streams through the same layer.  */
static void shared(void)
{
    struct network *network;
    size_t x, y[2];

    b = builder_new("shared", DTYPE_F32);
    x = INPUT("x", 1, 3, 4, 4);
    builder_push(b, "net.");
    for (int s = 0; s < 2; s++) {
        builder_push_shared(b, "s%d.", s);
        builder_push(b, "in.");
        y[s] = builder_conv(b, "conv", x, 2, .r = 1);
        builder_pop(b);
        builder_pop(b);
    }
    x = builder_conv(b, "own", builder_add(b, "add", y[0], y[1]), 1, .r = 1);
    builder_pop(b);
    network = finish(x);
    is_int(network_parameters(network), 3 * 2 + 2, "one set of weights");
    is_text(network->value[network->op[0].input[1]].name, "net.in.conv.weight", "named without");
    is_text(network->op[1].name, "net.s1.in.conv", "operators named with");
    is_int((int64_t)network->op[0].input[1], (int64_t)network->op[1].input[1], "the same value");
    network_free(network);
}

static void transposed(void)
{
    struct network *network;
    size_t y;

    b = builder_new("transposed", DTYPE_F32);
    y = builder_conv_transpose(b, "up", INPUT("x", 1, 4, 5, 3), 2, 2);
    network = finish(y);
    is_shape(network, y, "1 x 2 x 10 x 6");
    is_int(maker(network, y)->macs, 5 * 3 * 4 * 2 * 2 * 2, "work: each input pixel by each tap");
    is_int(network_parameters(network), 4 * 2 * 2 * 2 + 2, "weights and bias");
    network_free(network);
}

static void is_refused(size_t x, const char *want)
{
    struct error error = {{0}};

    (void)x;
    ok(builder_finish(b, &error) == NULL && strstr(error.text, want) != NULL, "%s", error.text);
}

static void begin(void)
{
    b = builder_new("refused", DTYPE_F32);
}

static void refusals(void)
{
    size_t part[3];

    begin();
    is_refused(builder_mul(b, "mul", INPUT("x", 2, 3), INPUT("y", 2)), "have different shapes");
    begin();
    builder_split(b, "split", INPUT("x", 1, 4, 2, 2), 1, part, 3);
    is_refused(part[0], "4 do not split into 3");
    begin();
    is_refused(builder_slice(b, "slice", INPUT("x", 1, 4), 1, 3, 2), "no [3, +2)");
    begin();
    is_refused(builder_crop(b, "crop", INPUT("x", 1, 1, 4, 4), 5, 4), "no 5 x 4 in 4 x 4");
    begin();
    is_refused(builder_matmul(b, "product", INPUT("x", 2, 3), INPUT("y", 2, 3), false),
               "cannot be multiplied");
    begin();
    part[0] = INPUT("x", 2, 3);
    is_refused(builder_concat_axis(b, "join", 2, part, 1), "has no dimension 2");
}

int main(void)
{
    elementwise();
    movers();
    matrices();
    shared();
    transposed();
    refusals();
    return tap_done();
}
