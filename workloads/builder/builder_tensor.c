/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "workloads/builder/builder.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/graph/reuse.h"
#include "workloads/builder/builder_private.h"

/* What the activation that makes VALUE computes, by its word for people.  */
static void compute_activation(struct builder *b, size_t value, const char *type)
{
    static const struct {
        const char *type, *name;
        int64_t version;
    } table[] = {
        {"relu", "Relu", 6},
        {"relu6", "Clip", 6},
        {"sigmoid", "Sigmoid", 6},
        {"tanh", "Tanh", 6},
        {"gelu", "Gelu", 20},
        {"swish", "Swish", 24},
        {"hard_swish", "HardSwish", 14},
        {"hard_sigmoid", "HardSigmoid", 6},
        {"leaky_relu", "LeakyRelu", 6},
    };
    struct computation *computation;
    size_t i = 0;

    while (strcmp(table[i].type, type) != 0)
        if (++i == sizeof table / sizeof table[0])
            return;
    computation = builder_computes(b, value, table[i].name, table[i].version);
    if (strcmp(type, "relu6") == 0) {
        computation_set_real(computation, "min", 0.0);
        computation_set_real(computation, "max", 6.0);
    } else if (strcmp(type, "hard_sigmoid") == 0) { /* as MobileNet v3 has it */
        computation_set_real(computation, "alpha", 1.0 / 6.0);
    } else if (strcmp(type, "leaky_relu") == 0) { /* as YOLO has it */
        computation_set_real(computation, "alpha", 0.1);
    }
}

size_t builder_activation(struct builder *b, const char *name, const char *type, size_t x)
{
    x = builder_add_same(b, name, OP_ACTIVATION, type, x);
    if (!builder_failed(b))
        compute_activation(b, x, type);
    return x;
}

size_t builder_relu(struct builder *b, const char *name, size_t x)
{
    return builder_activation(b, name, "relu", x);
}

size_t builder_relu6(struct builder *b, const char *name, size_t x)
{
    return builder_activation(b, name, "relu6", x);
}

size_t builder_softmax(struct builder *b, const char *name, size_t x)
{
    x = builder_add_same(b, name, OP_SOFTMAX, "softmax", x);
    if (!builder_failed(b))
        builder_computes(b, x, "Softmax", 13);
    return x;
}

/* Whether X and Y have the same dimensions, BUT one perhaps (-1: none).  */
static bool same_shape(const struct value *x, const struct value *y, int but)
{
    if (x->rank != y->rank)
        return false;
    for (int i = 0; i < x->rank; i++)
        if (i != but && x->dim[i] != y->dim[i])
            return false;
    return true;
}

/* Makes SHAPE what it and Y become together: dimensions are compared from the
 * last, and one of length 1 or that is not there stretches.  */
static bool broadcast(struct value *shape, const struct value *y)
{
    struct value wide = shape->rank >= y->rank ? *shape : *y;
    const struct value *slim = shape->rank >= y->rank ? y : shape;

    for (int i = 1; i <= slim->rank; i++) {
        int64_t *dim = &wide.dim[wide.rank - i], other = slim->dim[slim->rank - i];

        if (*dim != other && *dim != 1 && other != 1)
            return false;
        if (*dim == 1)
            *dim = other;
    }
    shape->rank = wide.rank;
    memcpy(shape->dim, wide.dim, sizeof shape->dim);
    return true;
}

static size_t add_binary(struct builder *b, const char *name, const char *type,
                         const char *function, size_t x, size_t y)
{
    const size_t input[] = {x, y};
    struct value shape;

    if (builder_failed(b))
        return NETWORK_NONE;
    shape = *builder_value(b, x);
    if (!broadcast(&shape, builder_value(b, y))) {
        builder_fail(b, "%s%s: '%s' and '%s' have different shapes", b->prefix, name, shape.name,
                     builder_value(b, y)->name);
        return NETWORK_NONE;
    }
    x = builder_add_op(b, name, OP_ELEMENTWISE, type, input, 2, shape.rank, shape.dim);
    builder_computes(b, x, function, 14);
    return x;
}

size_t builder_add(struct builder *b, const char *name, size_t x, size_t y)
{
    return add_binary(b, name, "add", "Add", x, y);
}

size_t builder_mul(struct builder *b, const char *name, size_t x, size_t y)
{
    return add_binary(b, name, "mul", "Mul", x, y);
}

size_t builder_scale(struct builder *b, const char *name, size_t x, double factor, double offset)
{
    struct computation *computation;

    x = builder_add_same(b, name, OP_ELEMENTWISE, "scale", x);
    if (builder_failed(b))
        return NETWORK_NONE;
    computation = builder_computes(b, x, ".Scale", 1);
    computation_set_real(computation, "factor", factor);
    computation_set_real(computation, "offset", offset);
    return x;
}

size_t builder_causal_mask(struct builder *b, const char *name, size_t x)
{
    x = builder_add_same(b, name, OP_ELEMENTWISE, "causal_mask", x);
    if (!builder_failed(b))
        builder_computes(b, x, ".CausalMask", 1);
    return x;
}

/* --- what moves elements --- */

/* Whether X has a dimension AXIS; remembers an error of operator NAME if not.  */
static bool has_axis(struct builder *b, const char *name, size_t x, int axis)
{
    if (!builder_failed(b) && (axis < 0 || axis >= builder_value(b, x)->rank))
        builder_fail(b, "%s%s: its input has no dimension %d", b->prefix, name, axis);
    return !builder_failed(b);
}

size_t builder_concat_axis(struct builder *b, const char *name, int axis, const size_t *x,
                           size_t count)
{
    struct value shape;
    size_t value;

    if (!has_axis(b, name, x[0], axis))
        return NETWORK_NONE;
    shape = *builder_value(b, x[0]);
    for (size_t i = 1; i < count; i++)
        if (!same_shape(&shape, builder_value(b, x[i]), axis) ||
            !checked_add(shape.dim[axis], builder_value(b, x[i])->dim[axis], &shape.dim[axis])) {
            builder_fail(b, "%s%s: '%s' and '%s' cannot be joined", b->prefix, name, shape.name,
                         builder_value(b, x[i])->name);
            return NETWORK_NONE;
        }
    value = builder_add_op(b, name, OP_CONCAT, "concat", x, count, shape.rank, shape.dim);
    computation_set_integer(builder_computes(b, value, "Concat", 13), "axis", axis);
    return value;
}

size_t builder_concat(struct builder *b, const char *name, const size_t *x, size_t count)
{
    return builder_concat_axis(b, name, 1, x, count);
}

void builder_split(struct builder *b, const char *name, size_t x, int axis, size_t *part,
                   size_t count)
{
    struct value shape;
    char *full;
    size_t op;

    for (size_t i = 0; i < count; i++)
        part[i] = NETWORK_NONE;
    if (!has_axis(b, name, x, axis))
        return;
    shape = *builder_value(b, x);
    if (shape.dim[axis] % (int64_t)count != 0) {
        builder_fail(b, "%s%s: %" PRId64 " do not split into %zu", b->prefix, name, shape.dim[axis],
                     count);
        return;
    }
    shape.dim[axis] /= (int64_t)count;
    full = memory_printf("%s%s", b->prefix, name);
    op = network_add_op(b->network, full, OP_SPLIT, "split", &x, 1);
    for (size_t i = 0; i < count; i++) {
        char *output = memory_printf("%s.%zu", full, i);

        part[i] = network_add_output(b->network, op, output, b->dtype, shape.rank, shape.dim);
        free(output);
    }
    reuse_infer(b->network, op);
    computation_set_integer(builder_computes(b, part[0], "Split", 13), "axis", axis);
    free(full);
}

/* What the slice that makes VALUE computes: AXES axes from AXIS on, [begin, begin + length) of
 * each.  The first version has all that as attributes.  */
static void compute_slice(struct builder *b, size_t value, int axis, int axes, const int64_t *begin,
                          const int64_t *length)
{
    struct computation *computation = builder_computes(b, value, "Slice", 1);
    int64_t number[NETWORK_MAX_RANK], end[NETWORK_MAX_RANK];

    for (int i = 0; i < axes; i++) {
        number[i] = axis + i;
        end[i] = begin[i] + length[i];
    }
    computation_set_integers(computation, "axes", number, (size_t)axes);
    computation_set_integers(computation, "starts", begin, (size_t)axes);
    computation_set_integers(computation, "ends", end, (size_t)axes);
}

size_t builder_slice(struct builder *b, const char *name, size_t x, int axis, int64_t begin,
                     int64_t length)
{
    int64_t start[NETWORK_MAX_RANK] = {0};
    struct value shape;
    size_t value;

    if (!has_axis(b, name, x, axis))
        return NETWORK_NONE;
    shape = *builder_value(b, x);
    if (begin < 0 || length < 1 || length > shape.dim[axis] - begin) {
        builder_fail(b,
                     "%s%s: dimension %d has %" PRId64 " elements, no [%" PRId64 ", +%" PRId64 ")",
                     b->prefix, name, axis, shape.dim[axis], begin, length);
        return NETWORK_NONE;
    }
    start[axis] = begin;
    shape.dim[axis] = length;
    value = builder_add_op(b, name, OP_OTHER, "slice", &x, 1, shape.rank, shape.dim);
    reuse_slice(b->network, builder_value(b, value)->producer, 0, 0, start);
    compute_slice(b, value, axis, 1, &begin, &length);
    return value;
}

size_t builder_crop(struct builder *b, const char *name, size_t x, int64_t h, int64_t w)
{
    struct value shape;
    int64_t begin[2];

    if (!builder_is_image(b, name, x))
        return NETWORK_NONE;
    shape = *builder_value(b, x);
    if (h < 1 || w < 1 || h > shape.dim[2] || w > shape.dim[3]) {
        builder_fail(b, "%s%s: no %" PRId64 " x %" PRId64 " in %" PRId64 " x %" PRId64, b->prefix,
                     name, h, w, shape.dim[2], shape.dim[3]);
        return NETWORK_NONE;
    }
    begin[0] = (shape.dim[2] - h) / 2;
    begin[1] = (shape.dim[3] - w) / 2;
    shape.dim[2] = h;
    shape.dim[3] = w;
    x = builder_add_op(b, name, OP_OTHER, "slice", &x, 1, shape.rank, shape.dim);
    compute_slice(b, x, 2, 2, begin, &shape.dim[2]);
    return x;
}

size_t builder_transpose(struct builder *b, const char *name, size_t x, const int *axis)
{
    struct value from;
    int64_t dim[NETWORK_MAX_RANK];

    if (builder_failed(b))
        return NETWORK_NONE;
    from = *builder_value(b, x);
    for (int i = 0; i < from.rank; i++)
        dim[i] = from.dim[axis[i]];
    x = builder_add_op(b, name, OP_OTHER, "transpose", &x, 1, from.rank, dim);
    for (int i = 0; i < from.rank; i++)
        dim[i] = axis[i];
    computation_set_integers(builder_computes(b, x, "Transpose", 13), "perm", dim,
                             (size_t)from.rank);
    return x;
}

size_t builder_shuffle(struct builder *b, const char *name, size_t x, int64_t groups)
{
    int64_t dim[5];

    if (!builder_is_image(b, name, x))
        return NETWORK_NONE;
    dim[0] = builder_dim(b, x, 0);
    dim[1] = groups;
    dim[2] = builder_dim(b, x, 1) / groups;
    dim[3] = builder_dim(b, x, 2);
    dim[4] = builder_dim(b, x, 3);
    builder_push(b, "%s.", name);
    x = builder_reshape(b, "apart", x, 5, dim);
    x = builder_transpose(b, "transpose", x, (const int[]){0, 2, 1, 3, 4});
    x = builder_reshape(b, "together", x, 4,
                        (const int64_t[]){dim[0], dim[1] * dim[2], dim[3], dim[4]});
    builder_pop(b);
    return x;
}

size_t builder_expand(struct builder *b, const char *name, size_t x, int64_t count)
{
    struct value shape;

    if (builder_failed(b))
        return NETWORK_NONE;
    shape = *builder_value(b, x);
    shape.dim[0] = count;
    x = builder_add_op(b, name, OP_OTHER, "expand", &x, 1, shape.rank, shape.dim);
    builder_computes(b, x, "Expand", 13);
    return x;
}

size_t builder_reshape(struct builder *b, const char *name, size_t x, int rank, const int64_t *dim)
{
    struct value shape = {.rank = rank};

    if (builder_failed(b))
        return NETWORK_NONE;
    memcpy(shape.dim, dim, (size_t)rank * sizeof *dim);
    if (value_elements(&shape) != value_elements(builder_value(b, x))) {
        builder_fail(b, "%s%s: the shapes have different numbers of elements", b->prefix, name);
        return NETWORK_NONE;
    }
    x = builder_add_op(b, name, OP_ALIAS, "reshape", &x, 1, rank, dim);
    builder_computes(b, x, "Reshape", 13);
    return x;
}
