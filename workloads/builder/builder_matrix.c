/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "workloads/builder/builder.h"

#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "workloads/builder/builder_private.h"

size_t builder_linear(struct builder *b, const char *name, size_t x, int64_t k)
{
    int64_t n, in = 1, macs;
    size_t input[3] = {x}, value;
    bool fits = true;

    if (builder_failed(b))
        return NETWORK_NONE;
    n = builder_dim(b, x, 0);
    for (int i = 1; i < builder_value(b, x)->rank; i++)
        fits = fits && checked_mul(in, builder_dim(b, x, i), &in);
    if (!fits || !checked_mul(n, in, &macs) || !checked_mul(macs, k, &macs)) {
        builder_fail(b, "%s%s: its multiply-accumulates overflow 64 bits", b->prefix, name);
        return NETWORK_NONE;
    }
    input[1] = builder_add_stored(b, name, "weight", VALUE_WEIGHT, 2, (const int64_t[]){k, in});
    input[2] = builder_add_stored(b, name, "bias", VALUE_WEIGHT, 1, &k);
    value = builder_add_op(b, name, OP_LINEAR, "linear", input, 3, 2, (const int64_t[]){n, k});
    builder_maker(b, value)->macs = macs;
    builder_computes(b, value, ".Linear", 1);
    return value;
}

/* --- on the last dimension --- */

/* Elements of X before its last dimension: rows.  */
static int64_t rows_of(const struct value *x)
{
    struct value rows = *x;

    rows.rank--;
    return value_elements(&rows);
}

size_t builder_weight(struct builder *b, const char *name, int rank, const int64_t *dim)
{
    char *full = memory_printf("%s%s", b->prefix, name);
    size_t value = network_add_value(b->network, full, VALUE_WEIGHT, b->dtype, rank, dim);

    free(full);
    return value;
}

/* Remembers an error of operator NAME when a x b x c overflows.  */
static bool work(struct builder *b, const char *name, int64_t x, int64_t y, int64_t z,
                 int64_t *macs)
{
    if (checked_mul(x, y, macs) && checked_mul(*macs, z, macs))
        return true;
    builder_fail(b, "%s%s: its multiply-accumulates overflow 64 bits", b->prefix, name);
    return false;
}

/* Checks X before anything multiplies its dimensions.  */
static bool is_matrix(struct builder *b, const char *name, size_t x)
{
    const struct value *value;
    int64_t elements = 1;

    if (builder_failed(b))
        return false;
    value = builder_value(b, x);
    if (value->rank < 2)
        builder_fail(b, "%s%s: its input has %d dimensions, expected 2 or more", b->prefix, name,
                     value->rank);
    for (int i = 0; i < value->rank && !builder_failed(b); i++)
        if (!checked_mul(elements, value->dim[i], &elements))
            builder_fail(b, "%s%s: the size of '%s' overflows 64 bits", b->prefix, name,
                         value->name);
    return !builder_failed(b);
}

/* X times the transpose of WEIGHT, and BIAS, which may be NETWORK_NONE.  */
static size_t add_dense(struct builder *b, const char *name, size_t x, size_t weight, size_t bias)
{
    const size_t input[] = {x, weight, bias};
    struct value shape = *builder_value(b, x);
    const int64_t *dim = builder_value(b, weight)->dim;
    int64_t *last = &shape.dim[shape.rank - 1], macs;
    size_t value;

    if (*last != dim[1])
        builder_fail(b, "%s%s: '%s' has rows of %" PRId64 ", its weights %" PRId64, b->prefix, name,
                     shape.name, *last, dim[1]);
    if (builder_failed(b) || !work(b, name, rows_of(&shape), dim[0], dim[1], &macs))
        return NETWORK_NONE;
    *last = dim[0];
    value = builder_add_op(b, name, OP_LINEAR, "linear", input, bias == NETWORK_NONE ? 2 : 3,
                           shape.rank, shape.dim);
    builder_maker(b, value)->macs = macs;
    builder_computes(b, value, ".Linear", 1);
    return value;
}

size_t builder_dense(struct builder *b, const char *name, size_t x, int64_t k)
{
    size_t weight, bias;
    int64_t in;

    if (!is_matrix(b, name, x))
        return NETWORK_NONE;
    in = builder_dim(b, x, builder_value(b, x)->rank - 1);
    weight = builder_add_stored(b, name, "weight", VALUE_WEIGHT, 2, (const int64_t[]){k, in});
    bias = builder_add_stored(b, name, "bias", VALUE_WEIGHT, 1, &k);
    return add_dense(b, name, x, weight, bias);
}

size_t builder_dense_with(struct builder *b, const char *name, size_t x, size_t weight)
{
    return is_matrix(b, name, x) ? add_dense(b, name, x, weight, NETWORK_NONE) : NETWORK_NONE;
}

size_t builder_matmul(struct builder *b, const char *name, size_t x, size_t y, bool transposed)
{
    const size_t input[] = {x, y};
    struct value left, right;
    int64_t in, other, out, macs;
    size_t value;

    if (!is_matrix(b, name, x) || !is_matrix(b, name, y))
        return NETWORK_NONE;
    left = *builder_value(b, x);
    right = *builder_value(b, y);
    in = left.dim[left.rank - 1];
    other = right.dim[right.rank - (transposed ? 1 : 2)];
    out = right.dim[right.rank - (transposed ? 2 : 1)];
    for (int i = 0; i < left.rank - 2 && left.rank == right.rank; i++)
        if (left.dim[i] != right.dim[i])
            other = -1;
    if (left.rank != right.rank || in != other) {
        builder_fail(b, "%s%s: '%s' and '%s' cannot be multiplied", b->prefix, name, left.name,
                     right.name);
        return NETWORK_NONE;
    }
    if (!work(b, name, rows_of(&left), in, out, &macs))
        return NETWORK_NONE;
    left.dim[left.rank - 1] = out;
    value = builder_add_op(b, name, OP_OTHER, "matmul", input, 2, left.rank, left.dim);
    builder_maker(b, value)->macs = macs;
    builder_computes(b, value, transposed ? ".MatMulTransposed" : "MatMul", transposed ? 1 : 13);
    return value;
}

size_t builder_layer_norm(struct builder *b, const char *name, size_t x)
{
    struct value shape;
    size_t input[3];

    if (builder_failed(b))
        return NETWORK_NONE;
    shape = *builder_value(b, x);
    input[0] = x;
    input[1] = builder_add_stored(b, name, "weight", VALUE_WEIGHT, 1, &shape.dim[shape.rank - 1]);
    input[2] = builder_add_stored(b, name, "bias", VALUE_WEIGHT, 1, &shape.dim[shape.rank - 1]);
    x = builder_add_op(b, name, OP_OTHER, "layer_norm", input, 3, shape.rank, shape.dim);
    builder_computes(b, x, "LayerNormalization", 17);
    return x;
}

void builder_cell(struct builder *b, const char *name, const char *type, int64_t gates, size_t x,
                  const size_t *state, size_t count, size_t *next)
{
    size_t input[8] = {x}, inputs = 1, op;
    struct computation *computation;
    int64_t units, in, macs;
    char *full;

    for (size_t i = 0; i < count; i++)
        next[i] = NETWORK_NONE;
    if (!is_matrix(b, name, x) || !is_matrix(b, name, state[0]))
        return;
    units = builder_dim(b, state[0], 1);
    in = builder_dim(b, x, 1) + units;
    if (!work(b, name, builder_dim(b, x, 0), in, gates * units, &macs))
        return;
    for (size_t i = 0; i < count; i++)
        input[inputs++] = state[i];
    input[inputs++] = builder_add_stored(b, name, "weight", VALUE_WEIGHT, 2,
                                         (const int64_t[]){gates * units, in});
    input[inputs++] =
        builder_add_stored(b, name, "bias", VALUE_WEIGHT, 1, (const int64_t[]){gates * units});
    full = memory_printf("%s%s", b->prefix, name);
    op = network_add_op(b->network, full, OP_OTHER, type, input, inputs);
    b->network->op[op].macs = macs;
    for (size_t i = 0; i < count; i++) {
        char *output = memory_printf("%s.%zu", full, i);

        next[i] = network_add_output(b->network, op, output, b->dtype, 2,
                                     (const int64_t[]){builder_dim(b, x, 0), units});
        free(output);
    }
    computation = computation_new(".Cell", 1, inputs, count);
    computation_set_text(computation, "type", type);
    network_set_computation(b->network, op, computation);
    free(full);
}

/* --- tokens --- */

size_t builder_tokens(struct builder *b, const char *name, int64_t batch, int64_t length)
{
    return network_add_value(b->network, name, VALUE_INPUT, DTYPE_I64, 2,
                             (const int64_t[]){batch, length});
}

size_t builder_embedding(struct builder *b, const char *name, size_t ids, size_t table)
{
    const size_t input[] = {table, ids};
    struct value shape;

    if (builder_failed(b))
        return NETWORK_NONE;
    shape = *builder_value(b, ids);
    shape.dim[shape.rank++] = builder_dim(b, table, 1);
    ids = builder_add_op(b, name, OP_OTHER, "gather", input, 2, shape.rank, shape.dim);
    builder_computes(b, ids, "Gather", 13);
    return ids;
}

size_t builder_add_positions(struct builder *b, const char *name, size_t x, size_t table)
{
    const size_t input[] = {x, table};
    struct value shape;

    if (builder_failed(b))
        return NETWORK_NONE;
    shape = *builder_value(b, x);
    if (shape.rank != 3 || shape.dim[1] > builder_dim(b, table, 0) ||
        shape.dim[2] != builder_dim(b, table, 1)) {
        builder_fail(b, "%s%s: there are positions for %" PRId64 " tokens only", b->prefix, name,
                     builder_dim(b, table, 0));
        return NETWORK_NONE;
    }
    x = builder_add_op(b, name, OP_ELEMENTWISE, "add", input, 2, shape.rank, shape.dim);
    builder_computes(b, x, ".AddPositions", 1);
    return x;
}
