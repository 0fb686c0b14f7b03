/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Elementwise operators, concatenations and crops see an image of blocks as a tensor of one
 * dimension more, N x C/block x H x W x block; normalisations and pools are done here.  */
#include <config.h>

#include "runtime/blocked.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/pool.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/graph/computation.h"
#include "lib/graph/network.h"

/* Channels of a block in a register, and registers at a time.  */
enum { LANES = 4, VECTORS = 4 };
typedef float lanes
    __attribute__((vector_size(sizeof(float) * LANES), aligned(sizeof(float)), may_alias));

/* --- which --- */

/* No window attribute that pool() does not know.  */
static bool is_plain_pool(const struct computation *computation)
{
    size_t count;
    const int64_t *dilation = computation_integers(computation, "dilations", &count);

    for (size_t i = 0; i < count; i++)
        if (dilation[i] != 1)
            return false;
    return computation->outputs == 1 &&
           computation_text_is(computation, "auto_pad", "NOTSET", true);
}

/* Inference only: of training there are more outputs, and other statistics.  */
static bool is_plain_norm(const struct computation *computation)
{
    return computation->version >= 7 && computation->outputs == 1 &&
           computation_integer(computation, "training_mode", 0) == 0;
}

/* A slice whose numbers are attributes, as they are in the first versions, and that takes whole
 * pixels.  */
static bool is_crop(const struct computation *computation)
{
    size_t count;
    const int64_t *axis = computation_integers(computation, "axes", &count);

    for (size_t i = 0; i < count; i++)
        if (axis[i] != 2 && axis[i] != 3)
            return false;
    return count > 0 && computation->version < 10;
}

/* Inputs of the text in the order of the operator, none left out.  */
static bool is_straight(const struct network_op *op)
{
    const struct computation *computation = op->computation;

    if (computation == NULL || computation->inputs != op->inputs || op->outputs != 1)
        return false;
    for (size_t i = 0; i < computation->inputs; i++)
        if (computation->input[i] != i)
            return false;
    return true;
}

size_t blocked_images(const struct network_op *op)
{
    const char *name = op->computation == NULL ? "" : op->computation->name;

    if (!is_straight(op))
        return 0;
    switch (op->kind) {
    case OP_ACTIVATION:
        return op->inputs == 1 ? 1 : 0;
    case OP_ELEMENTWISE:
        return op->inputs;
    case OP_BATCH_NORM:
        return is_plain_norm(op->computation) ? 1 : 0;
    case OP_POOL:
        return (strcmp(name, "MaxPool") == 0 || strcmp(name, "AveragePool") == 0 ||
                strcmp(name, "GlobalAveragePool") == 0) &&
                       is_plain_pool(op->computation)
                   ? 1
                   : 0;
    case OP_CONCAT:
        return computation_integer(op->computation, "axis", -1) == 1 ? op->inputs : 0;
    case OP_OTHER:
        return strcmp(name, "Slice") == 0 && is_crop(op->computation) ? 1 : 0;
    default:
        return 0;
    }
}

/* --- normalisations --- */

/* COUNT x LANES channels of all PIXELS, which lie STEP elements apart.  */
static inline __attribute__((always_inline)) void
normalise_vectors(const float *x, float *y, int64_t pixels, int64_t step, const float *factor,
                  const float *term, const int count)
{
    lanes scale[VECTORS], shift[VECTORS];

    memcpy(scale, factor, (size_t)count * sizeof *scale);
    memcpy(shift, term, (size_t)count * sizeof *shift);
    for (int64_t p = 0; p < pixels; p++) {
        const lanes *from = (const lanes *)(x + p * step);
        lanes *to = (lanes *)(y + p * step);

#pragma GCC unroll 4
        for (int v = 0; v < count; v++)
            to[v] = from[v] * scale[v] + shift[v];
    }
}

/* All BLOCK channels.  */
static void normalise_pixels(const float *x, float *y, int64_t pixels, int64_t block,
                             const float *factor, const float *term)
{
    int64_t c = 0;

    for (; c + VECTORS * LANES <= block; c += VECTORS * LANES)
        normalise_vectors(x + c, y + c, pixels, block, factor + c, term + c, VECTORS);
    for (; c + LANES <= block; c += LANES)
        normalise_vectors(x + c, y + c, pixels, block, factor + c, term + c, 1);
    for (; c < block; c++)
        for (int64_t p = 0; p < pixels; p++)
            y[p * block + c] = x[p * block + c] * factor[c] + term[c];
}

/* One factor and one term a channel: the same numbers in each pixel.  */
static void normalise(const struct call *call, int64_t block)
{
    const struct tensor *x = call->input[0];
    const float *scale = call->input[1]->data, *shift = call->input[2]->data;
    const float *mean = call->input[3]->data, *variance = call->input[4]->data;
    double epsilon = computation_real(call->computation, "epsilon", 1e-5);
    int64_t channels = x->dim[1], pixels = x->dim[2] * x->dim[3];
    float *factor = memory_alloc((size_t)block, sizeof *factor);
    float *term = memory_alloc((size_t)block, sizeof *term);

    for (int64_t i = 0; i < x->dim[0] * (channels / block); i++) {
        const float *from = (const float *)x->data + i * pixels * block;
        float *to = (float *)call->output[0]->data + i * pixels * block;

        for (int64_t c = 0; c < block; c++) {
            int64_t k = i % (channels / block) * block + c;

            factor[c] = scale[k] / (float)sqrt((double)variance[k] + epsilon);
            term[c] = shift[k] - factor[c] * mean[k];
        }
        normalise_pixels(from, to, pixels, block, factor, term);
    }
    free(factor);
    free(term);
}

/* --- pools --- */

struct pool_shape {
    int64_t block;
    int64_t h, w, p, q; /* input and output */
    int64_t r, s, stride_h, stride_w, top, left, bottom, right;
    bool average, padding_counts;
};

static int64_t number(const struct call *call, const char *name, size_t i, int64_t otherwise)
{
    size_t count;
    const int64_t *integer = computation_integers(call->computation, name, &count);

    return i < count ? integer[i] : otherwise;
}

static struct pool_shape pool_shape(const struct call *call, int64_t block)
{
    const struct tensor *x = call->input[0], *y = call->output[0];
    bool global = strncmp(call->computation->name, "Global", strlen("Global")) == 0;

    return (struct pool_shape){
        .block = block,
        .h = x->dim[2],
        .w = x->dim[3],
        .p = y->dim[2],
        .q = y->dim[3],
        .r = global ? x->dim[2] : number(call, "kernel_shape", 0, 1),
        .s = global ? x->dim[3] : number(call, "kernel_shape", 1, 1),
        .stride_h = number(call, "strides", 0, 1),
        .stride_w = number(call, "strides", 1, 1),
        .top = number(call, "pads", 0, 0),
        .left = number(call, "pads", 1, 0),
        .bottom = number(call, "pads", 2, 0),
        .right = number(call, "pads", 3, 0),
        .average = strcmp(call->computation->name, "MaxPool") != 0,
        .padding_counts = computation_integer(call->computation, "count_include_pad", 0) != 0,
    };
}

/* The elements that the mean is of, along one axis: those of the padding count, those beyond it,
 * where the last window hangs over, do not.  */
static int64_t counted(const struct pool_shape *pool, int64_t begin, int64_t taps, int64_t length,
                       int64_t before, int64_t after)
{
    if (pool->padding_counts)
        return min64(begin + taps, length + after) - max64(begin, -before);
    return min64(begin + taps, length) - max64(begin, 0);
}

/* The part of a window that lies on the image, and where it begins.  */
struct part {
    const float *x;
    int64_t rows, columns;
    int64_t row_step, column_step; /* elements */
    float count;                   /* that a mean is of */
};

typedef int32_t choice __attribute__((vector_size(sizeof(float) * LANES)));

/* The largest of both, or the NaN of one.  */
static inline lanes larger(lanes most, lanes other)
{
    choice taken = (other > most) | (other != other);

    return (lanes)(((choice)other & taken) | ((choice)most & ~taken));
}

/* COUNT x LANES channels from CHANNEL on of one pixel.  */
static inline __attribute__((always_inline)) void
pool_vectors(const struct part *part, int64_t channel, bool average, const int count, float *y)
{
    const float start = average ? 0.0F : -INFINITY;
    lanes sum[VECTORS];

    for (int v = 0; v < count; v++)
        sum[v] = (lanes){start, start, start, start};
    for (int64_t i = 0; i < part->rows; i++)
        for (int64_t j = 0; j < part->columns; j++) {
            const lanes *from =
                (const lanes *)(part->x + channel + i * part->row_step + j * part->column_step);

#pragma GCC unroll 4
            for (int v = 0; v < count; v++)
                if (average)
                    sum[v] += from[v];
                else
                    sum[v] = larger(sum[v], from[v]);
        }
    for (int v = 0; v < count; v++)
        if (average)
            sum[v] /= part->count;
    for (int v = 0; v < count; v++)
        ((lanes *)y)[v] = sum[v];
}

static void pool_channel(const struct part *part, int64_t channel, bool average, float *y)
{
    float sum = average ? 0.0F : -INFINITY;

    for (int64_t i = 0; i < part->rows; i++)
        for (int64_t j = 0; j < part->columns; j++) {
            float x = part->x[channel + i * part->row_step + j * part->column_step];

            if (average)
                sum += x;
            else if (x > sum || x != x)
                sum = x;
        }
    *y = average ? sum / part->count : sum;
}

static struct part part_of(const struct pool_shape *pool, const float *x, int64_t row,
                           int64_t column)
{
    int64_t top = row * pool->stride_h - pool->top, left = column * pool->stride_w - pool->left;
    int64_t count = counted(pool, top, pool->r, pool->h, pool->top, pool->bottom) *
                    counted(pool, left, pool->s, pool->w, pool->left, pool->right);
    int64_t first_row = max64(top, 0), first_column = max64(left, 0);

    return (struct part){
        .x = x + (first_row * pool->w + first_column) * pool->block,
        .rows = min64(top + pool->r, pool->h) - first_row,
        .columns = min64(left + pool->s, pool->w) - first_column,
        .row_step = pool->w * pool->block,
        .column_step = pool->block,
        .count = (float)count,
    };
}

static void pool_pixel(const struct pool_shape *pool, const float *x, int64_t row, int64_t column,
                       float *y)
{
    const struct part part = part_of(pool, x, row, column);
    int64_t c = 0;

    for (; c + VECTORS * LANES <= pool->block; c += VECTORS * LANES)
        if (pool->average)
            pool_vectors(&part, c, true, VECTORS, y + c);
        else
            pool_vectors(&part, c, false, VECTORS, y + c);
    for (; c + LANES <= pool->block; c += LANES)
        pool_vectors(&part, c, pool->average, 1, y + c);
    for (; c < pool->block; c++)
        pool_channel(&part, c, pool->average, y + c);
}

static void run_pool(const struct call *call, int64_t block)
{
    const struct tensor *x = call->input[0];
    struct pool_shape pool = pool_shape(call, block);

    for (int64_t i = 0; i < x->dim[0] * (x->dim[1] / block); i++) {
        const float *from = (const float *)x->data + i * pool.h * pool.w * block;
        float *to = (float *)call->output[0]->data + i * pool.p * pool.q * block;

        for (int64_t row = 0; row < pool.p; row++)
            for (int64_t column = 0; column < pool.q; column++)
                pool_pixel(&pool, from, row, column, to + (row * pool.q + column) * block);
    }
}

/* --- the others --- */

/* The image as a tensor of one dimension more.  */
static struct tensor split_channels(const struct tensor *image, int64_t block)
{
    struct tensor tensor = *image;

    if (image->rank != 4)
        return tensor; /* a single number */
    tensor.rank = 5;
    tensor.dim[1] = image->dim[1] / block;
    tensor.dim[4] = block;
    return tensor;
}

static bool run_split(const struct call *call, int64_t block)
{
    struct tensor *tensor = memory_alloc(call->inputs + 1, sizeof *tensor);
    const struct tensor **input = memory_alloc(call->inputs, sizeof *input);
    const struct tensor *output = &tensor[call->inputs];
    struct call split = *call;
    bool good;

    for (size_t i = 0; i < call->inputs; i++) {
        tensor[i] = split_channels(call->input[i], block);
        input[i] = &tensor[i];
    }
    tensor[call->inputs] = split_channels(call->output[0], block);
    split.input = input;
    split.output = &output;
    good = operator_run(&split);
    free(input);
    free(tensor);
    return good;
}

/* All of CALL, on one thread.  */
static bool run_call(const struct call *call, int64_t block)
{
    struct call next = *call;

    if (strcmp(call->computation->name, "BatchNormalization") == 0)
        normalise(call, block);
    else if (call_rule(call)->name != NULL && strstr(call->computation->name, "Pool") != NULL)
        run_pool(call, block);
    else
        return run_split(call, block);
    if (call->computation->then == NULL)
        return true;
    /* An activation does not care where an element lies.  */
    next.computation = call->computation->then;
    next.inputs = 1;
    next.input = call->output;
    return operator_run(&next);
}

/* --- on several threads --- */

/* Fewer elements a thread does faster than it wakes another one.  */
enum { WORTHWHILE = 16 * 1024 };

/* A call in parts: some blocks of channels of one image each.  Each part is a call of its own.  */
struct parted {
    const struct call *call;
    int64_t block;
    int64_t blocks; /* of an image's channels */
    int64_t parts;  /* of an image */
    bool *good;     /* of each part, with its error */
    struct error *error;
};

/* All but concatenations make a block of channels from the same block of each input.  */
static bool has_parts(const struct call *call)
{
    return strcmp(call->computation->name, "Concat") != 0;
}

/* The COUNT blocks from FIRST on of image IMAGE of TENSOR; numbers that belong to a channel are cut
 * alike, a single number is there for all.  */
static struct tensor cut(const struct tensor *tensor, const struct parted *parted, int64_t image,
                         int64_t first, int64_t count)
{
    const int64_t channels = parted->blocks * parted->block;
    int64_t plane = 1, at = first * parted->block;
    struct tensor part = *tensor;
    int axis = tensor->rank == 4 ? 1 : 0;

    if (tensor->rank != 4 && (tensor->rank != 1 || tensor->dim[0] != channels))
        return part;
    if (axis == 1) {
        plane = tensor->dim[2] * tensor->dim[3];
        at += tensor->dim[0] == 1 ? 0 : image * channels;
        part.dim[0] = 1;
    }
    part.dim[axis] = count * parted->block;
    part.data = (float *)tensor->data + at * plane;
    return part;
}

static void run_part(void *context, int64_t item)
{
    const struct parted *parted = context;
    const struct call *call = parted->call;
    const int64_t image = item / parted->parts, i = item % parted->parts;
    const int64_t first = parted->blocks * i / parted->parts;
    const int64_t count = parted->blocks * (i + 1) / parted->parts - first;
    struct tensor *tensor = memory_alloc(call->inputs + 1, sizeof *tensor);
    const struct tensor **input = memory_alloc(call->inputs, sizeof *input);
    const struct tensor *output = &tensor[call->inputs];
    struct call part = *call;

    for (size_t t = 0; t < call->inputs; t++) {
        tensor[t] = cut(call->input[t], parted, image, first, count);
        input[t] = &tensor[t];
    }
    tensor[call->inputs] = cut(call->output[0], parted, image, first, count);
    part.input = input;
    part.output = &output;
    part.error = &parted->error[item];
    parted->good[item] = run_call(&part, parted->block);
    free(input);
    free(tensor);
}

static bool run_parts(const struct call *call, int64_t block, struct pool *pool)
{
    const struct tensor *y = call->output[0];
    const int64_t blocks = y->dim[1] / block;
    const int64_t wanted = min64(4 * pool_threads(pool), tensor_elements(y) / (WORTHWHILE / 4));
    const int64_t parts = min64(blocks, max64(1, (wanted + y->dim[0] - 1) / y->dim[0]));
    const size_t items = (size_t)(parts * y->dim[0]);
    struct parted parted = {call,
                            block,
                            blocks,
                            parts,
                            memory_zalloc(items, sizeof(bool)),
                            memory_zalloc(items, sizeof(struct error))};
    bool good = true;

    pool_run(pool, (int64_t)items, run_part, &parted);
    for (size_t i = 0; i < items && good; i++)
        if (!parted.good[i])
            good = error_set(call->error, "%s", parted.error[i].text);
    free(parted.good);
    free(parted.error);
    return good;
}

bool blocked_run(const struct call *call, int64_t block, struct pool *pool)
{
    if (pool == NULL || pool_threads(pool) == 1 || !has_parts(call) ||
        max64(tensor_elements(call->input[0]), tensor_elements(call->output[0])) < WORTHWHILE)
        return run_call(call, block);
    return run_parts(call, block, pool);
}
