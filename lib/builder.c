#include <config.h>

#include "lib/builder.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/checked.h"
#include "lib/memory.h"
#include "lib/window.h"

#define MAX_DEPTH 8

struct builder {
    struct network *network;
    enum dtype dtype;
    struct error error; /* empty: none yet */
    char prefix[128];   /* what is pushed, joined */
    size_t length[MAX_DEPTH];
    size_t depth;
};

struct builder *builder_new(const char *name, enum dtype dtype)
{
    struct builder *b = memory_zalloc(1, sizeof *b);

    b->network = network_new(name);
    b->dtype = dtype;
    return b;
}

static bool failed(const struct builder *b)
{
    return b->error.text[0] != '\0';
}

struct network *builder_finish(struct builder *b, struct error *error)
{
    struct network *network = b->network;
    bool good = failed(b) ? error_set(error, "%s", b->error.text) : network_check(network, error);

    assert(b->depth == 0);
    free(b);
    if (good)
        return network;
    network_free(network);
    return NULL;
}

void builder_fail(struct builder *b, const char *format, ...)
{
    va_list args;

    if (failed(b))
        return;
    va_start(args, format);
    vsnprintf(b->error.text, sizeof b->error.text, format, args);
    va_end(args);
}

/* --- names --- */

void builder_push(struct builder *b, const char *format, ...)
{
    size_t used = strlen(b->prefix);
    va_list args;
    int length;

    assert(b->depth < MAX_DEPTH);
    b->length[b->depth++] = used;
    va_start(args, format);
    length = vsnprintf(b->prefix + used, sizeof b->prefix - used, format, args);
    va_end(args);
    assert(length >= 0 && (size_t)length < sizeof b->prefix - used);
    (void)length;
}

void builder_pop(struct builder *b)
{
    assert(b->depth > 0);
    b->prefix[b->length[--b->depth]] = '\0';
}

static char *full_name(const struct builder *b, const char *name)
{
    return memory_printf("%s%s", b->prefix, name);
}

/* --- adding --- */

static const struct value *value_of(const struct builder *b, size_t x)
{
    return &b->network->value[x];
}

int64_t builder_dim(const struct builder *b, size_t x, int i)
{
    return failed(b) ? 1 : value_of(b, x)->dim[i];
}

size_t builder_input(struct builder *b, const char *name, int rank, const int64_t *dim)
{
    return network_add_value(b->network, name, VALUE_INPUT, b->dtype, rank, dim);
}

void builder_output(struct builder *b, size_t x)
{
    if (!failed(b))
        network_mark_output(b->network, x);
}

/* A stored value OPERATOR.WHAT.  */
static size_t add_stored(struct builder *b, const char *name, const char *what,
                         enum value_role role, int rank, const int64_t *dim)
{
    char *full = memory_printf("%s%s.%s", b->prefix, name, what);
    size_t value = network_add_value(b->network, full, role, b->dtype, rank, dim);

    free(full);
    return value;
}

/* An operator with one output, both called NAME; returns the output.  */
static size_t add_op(struct builder *b, const char *name, enum op_kind kind, const char *type,
                     const size_t *input, size_t inputs, int rank, const int64_t *dim)
{
    char *full = full_name(b, name);
    size_t op = network_add_op(b->network, full, kind, type, input, inputs);
    size_t value = network_add_output(b->network, op, full, b->dtype, rank, dim);

    free(full);
    return value;
}

/* An operator of one input whose output has the input's shape.  */
static size_t add_same(struct builder *b, const char *name, enum op_kind kind, const char *type,
                       size_t x)
{
    struct value shape;

    if (failed(b))
        return NETWORK_NONE;
    shape = *value_of(b, x);
    return add_op(b, name, kind, type, &x, 1, shape.rank, shape.dim);
}

static struct network_op *producer_of(const struct builder *b, size_t value)
{
    return &b->network->op[value_of(b, value)->producer];
}

/* What the operator that makes VALUE may do with the memory of its input
 * SLOT.  */
static void allow(struct builder *b, size_t value, enum reuse kind, size_t slot)
{
    if (!failed(b))
        network_add_reuse(b->network, value_of(b, value)->producer,
                          (struct op_reuse){.kind = kind, .input = slot});
}

static bool is_image(struct builder *b, const char *name, size_t x)
{
    if (!failed(b) && value_of(b, x)->rank != 4)
        builder_fail(b, "%s%s: its input has %d dimensions, expected 4", b->prefix, name,
                     value_of(b, x)->rank);
    return !failed(b);
}

/* --- windows --- */

/* The convolution that slides WINDOW over image X with K output channels.  */
static struct conv_shape window_shape(struct builder *b, size_t x, int64_t k,
                                      const struct window *window)
{
    const struct value *value = value_of(b, x);
    int64_t stride = window->stride == 0 ? 1 : window->stride;
    struct conv_shape shape = {
        .n = value->dim[0],
        .c = value->dim[1],
        .h = value->dim[2],
        .w = value->dim[3],
        .k = k,
        .r = window->r,
        .s = window->s == 0 ? window->r : window->s,
        .stride_h = stride,
        .stride_w = stride,
        .pad_top = window->pad + window->pad_h,
        .pad_bottom = window->pad + window->pad_h,
        .pad_left = window->pad + window->pad_w,
        .pad_right = window->pad + window->pad_w,
        .dilation_h = 1,
        .dilation_w = 1,
        .groups = window->groups == 0 ? 1 : window->groups,
    };

    if (window->same) {
        struct window_axis rows = window_rows(&shape), columns = window_columns(&shape);
        struct error error;

        if (!window_pad_same(&rows, false, &error) || !window_pad_same(&columns, false, &error))
            builder_fail(b, "%s", error.text);
        shape.pad_top = rows.before;
        shape.pad_bottom = rows.after;
        shape.pad_left = columns.before;
        shape.pad_right = columns.after;
    }
    return shape;
}

size_t builder_conv_window(struct builder *b, const char *name, size_t x, int64_t k,
                           struct window window)
{
    struct conv_shape shape;
    struct error error;
    size_t input[3] = {x}, inputs = 2, value;

    if (!is_image(b, name, x))
        return NETWORK_NONE;
    shape = window_shape(b, x, k, &window);
    if (!conv_shape_check(&shape, &error)) {
        builder_fail(b, "%s%s: %s", b->prefix, name, error.text);
        return NETWORK_NONE;
    }
    input[1] = add_stored(b, name, "weight", VALUE_WEIGHT, 4,
                          (const int64_t[]){k, shape.c / shape.groups, shape.r, shape.s});
    if (window.bias)
        input[inputs++] = add_stored(b, name, "bias", VALUE_WEIGHT, 1, &k);
    value =
        add_op(b, name, OP_CONV, "conv", input, inputs, 4,
               (const int64_t[]){shape.n, k, conv_shape_out_h(&shape), conv_shape_out_w(&shape)});
    producer_of(b, value)->conv = shape;
    producer_of(b, value)->macs = conv_shape_macs(&shape);
    return value;
}

static size_t add_pool(struct builder *b, const char *name, const char *type, size_t x,
                       const struct window *window)
{
    enum window_rounding rounding = window->ceil ? WINDOW_CEIL_INSIDE : WINDOW_FLOOR;
    struct window_axis rows, columns;
    struct conv_shape shape;
    struct error error;
    int64_t dim[4];

    if (!is_image(b, name, x))
        return NETWORK_NONE;
    /* A pool slides like a depthwise convolution.  */
    shape = window_shape(b, x, builder_dim(b, x, 1), window);
    shape.groups = shape.c;
    if (!conv_shape_check(&shape, &error)) {
        builder_fail(
            b, "%s%s: a window of %" PRId64 " x %" PRId64 " does not fit %" PRId64 " x %" PRId64,
            b->prefix, name, shape.r, shape.s, shape.h, shape.w);
        return NETWORK_NONE;
    }
    dim[0] = shape.n;
    dim[1] = shape.c;
    rows = window_rows(&shape);
    columns = window_columns(&shape);
    if (!window_output(&rows, rounding, &dim[2], &error) ||
        !window_output(&columns, rounding, &dim[3], &error)) {
        builder_fail(b, "%s%s: %s", b->prefix, name, error.text);
        return NETWORK_NONE;
    }
    return add_op(b, name, OP_POOL, type, &x, 1, 4, dim);
}

size_t builder_max_pool_window(struct builder *b, const char *name, size_t x, struct window window)
{
    return add_pool(b, name, "max_pool", x, &window);
}

size_t builder_avg_pool_window(struct builder *b, const char *name, size_t x, struct window window)
{
    return add_pool(b, name, "avg_pool", x, &window);
}

size_t builder_global_avg_pool(struct builder *b, const char *name, size_t x)
{
    if (!is_image(b, name, x))
        return NETWORK_NONE;
    return add_op(b, name, OP_POOL, "global_avg_pool", &x, 1, 4,
                  (const int64_t[]){builder_dim(b, x, 0), builder_dim(b, x, 1), 1, 1});
}

/* --- the other operators --- */

size_t builder_linear(struct builder *b, const char *name, size_t x, int64_t k)
{
    int64_t n, in = 1, macs;
    size_t input[3] = {x}, value;
    bool fits = true;

    if (failed(b))
        return NETWORK_NONE;
    n = builder_dim(b, x, 0);
    for (int i = 1; i < value_of(b, x)->rank; i++)
        fits = fits && checked_mul(in, builder_dim(b, x, i), &in);
    if (!fits || !checked_mul(n, in, &macs) || !checked_mul(macs, k, &macs)) {
        builder_fail(b, "%s%s: its multiply-accumulates overflow 64 bits", b->prefix, name);
        return NETWORK_NONE;
    }
    input[1] = add_stored(b, name, "weight", VALUE_WEIGHT, 2, (const int64_t[]){k, in});
    input[2] = add_stored(b, name, "bias", VALUE_WEIGHT, 1, &k);
    value = add_op(b, name, OP_LINEAR, "linear", input, 3, 2, (const int64_t[]){n, k});
    producer_of(b, value)->macs = macs;
    return value;
}

size_t builder_batch_norm(struct builder *b, const char *name, size_t x)
{
    struct value shape;
    size_t input[5], value;

    if (failed(b))
        return NETWORK_NONE;
    shape = *value_of(b, x);
    input[0] = x;
    input[1] = add_stored(b, name, "weight", VALUE_WEIGHT, 1, &shape.dim[1]);
    input[2] = add_stored(b, name, "bias", VALUE_WEIGHT, 1, &shape.dim[1]);
    input[3] = add_stored(b, name, "running_mean", VALUE_STATISTIC, 1, &shape.dim[1]);
    input[4] = add_stored(b, name, "running_var", VALUE_STATISTIC, 1, &shape.dim[1]);
    value = add_op(b, name, OP_BATCH_NORM, "batch_norm", input, 5, shape.rank, shape.dim);
    allow(b, value, REUSE_OVERWRITE, 0);
    return value;
}

static size_t add_activation(struct builder *b, const char *name, const char *type, size_t x)
{
    size_t value = add_same(b, name, OP_ACTIVATION, type, x);

    allow(b, value, REUSE_OVERWRITE, 0);
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

size_t builder_lrn(struct builder *b, const char *name, size_t x)
{
    return add_same(b, name, OP_LRN, "lrn", x);
}

size_t builder_softmax(struct builder *b, const char *name, size_t x)
{
    return add_same(b, name, OP_SOFTMAX, "softmax", x);
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

    if (failed(b))
        return NETWORK_NONE;
    shape = *value_of(b, x);
    if (!same_shape(&shape, value_of(b, y), -1)) {
        builder_fail(b, "%s%s: '%s' and '%s' have different shapes", b->prefix, name, shape.name,
                     value_of(b, y)->name);
        return NETWORK_NONE;
    }
    value = add_op(b, name, OP_ELEMENTWISE, "add", input, 2, shape.rank, shape.dim);
    allow(b, value, REUSE_OVERWRITE, 0);
    allow(b, value, REUSE_OVERWRITE, 1);
    return value;
}

size_t builder_concat(struct builder *b, const char *name, const size_t *x, size_t count)
{
    struct value shape;

    if (failed(b))
        return NETWORK_NONE;
    shape = *value_of(b, x[0]);
    for (size_t i = 1; i < count; i++)
        if (!same_shape(&shape, value_of(b, x[i]), 1) ||
            !checked_add(shape.dim[1], value_of(b, x[i])->dim[1], &shape.dim[1])) {
            builder_fail(b, "%s%s: '%s' and '%s' cannot be joined", b->prefix, name, shape.name,
                         value_of(b, x[i])->name);
            return NETWORK_NONE;
        }
    return add_op(b, name, OP_CONCAT, "concat", x, count, shape.rank, shape.dim);
}

size_t builder_reshape(struct builder *b, const char *name, size_t x, int rank, const int64_t *dim)
{
    struct value shape = {.rank = rank};
    size_t value;

    if (failed(b))
        return NETWORK_NONE;
    memcpy(shape.dim, dim, (size_t)rank * sizeof *dim);
    if (value_elements(&shape) != value_elements(value_of(b, x))) {
        builder_fail(b, "%s%s: the shapes have different numbers of elements", b->prefix, name);
        return NETWORK_NONE;
    }
    value = add_op(b, name, OP_ALIAS, "reshape", &x, 1, rank, dim);
    allow(b, value, REUSE_FORWARD, 0);
    return value;
}
