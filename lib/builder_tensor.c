#include <config.h>

#include "lib/builder.h"

#include <string.h>

#include "lib/builder_private.h"
#include "lib/checked.h"

static size_t add_activation(struct builder *b, const char *name, const char *type, size_t x)
{
    size_t value = builder_add_same(b, name, OP_ACTIVATION, type, x);

    builder_allow(b, value, REUSE_OVERWRITE, 0);
    return value;
}

size_t builder_relu(struct builder *b, const char *name, size_t x)
{
    return add_activation(b, name, "relu", x);
}

size_t builder_relu6(struct builder *b, const char *name, size_t x)
{
    return add_activation(b, name, "relu6", x);
}

size_t builder_softmax(struct builder *b, const char *name, size_t x)
{
    return builder_add_same(b, name, OP_SOFTMAX, "softmax", x);
}

static bool same_shape(const struct value *x, const struct value *y, int but)
{
    if (x->rank != y->rank)
        return false;
    for (int i = 0; i < x->rank; i++)
        if (i != but && x->dim[i] != y->dim[i])
            return false;
    return true;
}

size_t builder_add(struct builder *b, const char *name, size_t x, size_t y)
{
    const size_t input[] = {x, y};
    struct value shape;
    size_t value;

    if (builder_failed(b))
        return NETWORK_NONE;
    shape = *builder_value(b, x);
    if (!same_shape(&shape, builder_value(b, y), -1)) {
        builder_fail(b, "%s%s: '%s' and '%s' have different shapes", b->prefix, name, shape.name,
                     builder_value(b, y)->name);
        return NETWORK_NONE;
    }
    value = builder_add_op(b, name, OP_ELEMENTWISE, "add", input, 2, shape.rank, shape.dim);
    builder_allow(b, value, REUSE_OVERWRITE, 0);
    builder_allow(b, value, REUSE_OVERWRITE, 1);
    return value;
}

size_t builder_concat(struct builder *b, const char *name, const size_t *x, size_t count)
{
    struct value shape;

    if (builder_failed(b))
        return NETWORK_NONE;
    shape = *builder_value(b, x[0]);
    for (size_t i = 1; i < count; i++)
        if (!same_shape(&shape, builder_value(b, x[i]), 1) ||
            !checked_add(shape.dim[1], builder_value(b, x[i])->dim[1], &shape.dim[1])) {
            builder_fail(b, "%s%s: '%s' and '%s' cannot be joined", b->prefix, name, shape.name,
                         builder_value(b, x[i])->name);
            return NETWORK_NONE;
        }
    return builder_add_op(b, name, OP_CONCAT, "concat", x, count, shape.rank, shape.dim);
}

size_t builder_reshape(struct builder *b, const char *name, size_t x, int rank, const int64_t *dim)
{
    struct value shape = {.rank = rank};
    size_t value;

    if (builder_failed(b))
        return NETWORK_NONE;
    memcpy(shape.dim, dim, (size_t)rank * sizeof *dim);
    if (value_elements(&shape) != value_elements(builder_value(b, x))) {
        builder_fail(b, "%s%s: the shapes have different numbers of elements", b->prefix, name);
        return NETWORK_NONE;
    }
    value = builder_add_op(b, name, OP_ALIAS, "reshape", &x, 1, rank, dim);
    builder_allow(b, value, REUSE_FORWARD, 0);
    return value;
}
