/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "workloads/readers/ncnn/layers.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"

/* --- what all layers use --- */

/* Element INDEX of the value under KEY, or NULL where there is none.  */
static const struct ncnn_number *number_at(const struct ncnn_work *work, int64_t key, size_t index)
{
    const struct ncnn_value *value = ncnn_find(work->model, work->layer, key);

    if (value == NULL || index >= value->count)
        return NULL;
    return &work->model->number[value->first + index];
}

static int64_t whole(struct ncnn_work *work, int64_t key, const struct ncnn_number *number)
{
    if (number != NULL && number->whole)
        return number->integer;
    if (number != NULL && number->real >= -0x1p53 && number->real <= 0x1p53 &&
        (double)(int64_t)number->real == number->real)
        return (int64_t)number->real;
    work->bad = true;
    work->bad_key = key;
    return 0;
}

int64_t ncnn_int(struct ncnn_work *work, int64_t key, int64_t fallback)
{
    return ncnn_find(work->model, work->layer, key) == NULL
               ? fallback
               : whole(work, key, number_at(work, key, 0));
}

int64_t ncnn_element(struct ncnn_work *work, int64_t key, size_t index)
{
    return whole(work, key, number_at(work, key, index));
}

double ncnn_real(struct ncnn_work *work, int64_t key, double fallback)
{
    const struct ncnn_number *number = number_at(work, key, 0);

    if (number != NULL)
        return number->real;
    if (ncnn_find(work->model, work->layer, key) == NULL)
        return fallback;
    work->bad = true;
    work->bad_key = key;
    return fallback;
}

size_t ncnn_length(const struct ncnn_work *work, int64_t key)
{
    const struct ncnn_value *value = ncnn_find(work->model, work->layer, key);

    return value == NULL ? 0 : value->count;
}

bool ncnn_store(struct ncnn_work *work, const char *what, enum value_role role, int rank,
                const int64_t *dim)
{
    struct ncnn_stored *stored = &work->stored[work->n_stored++];
    int64_t elements;

    *stored = (struct ncnn_stored){.what = what, .role = role, .shape.rank = rank};
    memcpy(stored->shape.dim, dim, (size_t)rank * sizeof *dim);
    if (shape_elements(&stored->shape, &elements, work->error))
        return true;
    error_prefix(work->error, "%s", what);
    return false;
}

struct ncnn_image ncnn_image(const struct shape *shape)
{
    return (struct ncnn_image){
        .c = shape->rank >= 3 ? shape->dim[0] : 1,
        .h = shape->rank >= 2 ? shape->dim[shape->rank - 2] : 1,
        .w = shape->rank >= 1 ? shape->dim[shape->rank - 1] : 1,
    };
}

struct shape ncnn_image_shape(int64_t c, int64_t h, int64_t w)
{
    return (struct shape){.rank = 3, .dim = {c, h, w}};
}

/* --- layers whose outputs have the shape of their first input --- */

static bool same(struct ncnn_work *work)
{
    for (size_t i = 0; i < work->layer->outputs; i++)
        work->out[i] = work->in[0];
    return true;
}

/* COUNT stored vectors WHAT of the length in parameter KEY.  */
static bool same_with(struct ncnn_work *work, int64_t key, const char *const *what, size_t count)
{
    int64_t length = ncnn_int(work, key, 0);

    for (size_t i = 0; i < count; i++) {
        bool trained = strncmp(what[i], "running", 7) != 0;

        if (!ncnn_store(work, what[i], trained ? VALUE_WEIGHT : VALUE_STATISTIC, 1, &length))
            return false;
    }
    return same(work);
}

static const char *const affine[] = {"weight", "bias", "running_mean", "running_var"};

static bool batch_norm(struct ncnn_work *work)
{
    return same_with(work, 0, affine, 4);
}

/* Scale by a stored vector, or (-233) by a second input.  */
static bool scale(struct ncnn_work *work)
{
    if (ncnn_int(work, 0, 0) == NCNN_REST) {
        work->kind = OP_ELEMENTWISE;
        return same(work);
    }
    return same_with(work, 0, affine, ncnn_int(work, 1, 0) != 0 ? 2 : 1);
}

static bool bias(struct ncnn_work *work)
{
    return same_with(work, 0, affine + 1, 1);
}

static bool prelu(struct ncnn_work *work)
{
    return same_with(work, 0, affine, 1);
}

static bool layer_norm(struct ncnn_work *work)
{
    return same_with(work, 0, affine, ncnn_int(work, 2, 1) != 0 ? 2 : 0);
}

static bool rms_norm(struct ncnn_work *work)
{
    return same_with(work, 0, affine, ncnn_int(work, 2, 1) != 0 ? 1 : 0);
}

static bool group_norm(struct ncnn_work *work)
{
    return same_with(work, 1, affine, ncnn_int(work, 3, 1) != 0 ? 2 : 0);
}

static bool normalize(struct ncnn_work *work)
{
    return same_with(work, 3, affine, ncnn_int(work, 3, 0) != 0 ? 1 : 0);
}

/* The first output is the first input.  With several of both there is no one
 * buffer that all outputs could share.  */
static bool noop(struct ncnn_work *work)
{
    if (work->layer->outputs > 1 && work->layer->inputs > 1)
        work->kind = OP_OTHER;
    for (size_t i = 0; i < work->layer->outputs; i++)
        work->out[i] = work->in[i < work->layer->inputs ? i : 0];
    return true;
}

/* With a factor other than 1 it computes.  */
static bool dropout(struct ncnn_work *work)
{
    if (ncnn_real(work, 0, 1.0) != 1.0) {
        work->kind = OP_ACTIVATION;
        work->type = "scale";
    }
    return same(work);
}

/* Shapes of one rank broadcast; of two ranks the lower is stretched along the
 * other's last dimensions.  With a scalar there is one input.  */
static bool binary(struct ncnn_work *work)
{
    const struct shape *a = &work->in[0], *b;

    if (work->layer->inputs == 1 || ncnn_int(work, 1, 0) != 0)
        return same(work);
    b = &work->in[1];
    if (a->rank != b->rank) {
        work->out[0] = a->rank > b->rank ? *a : *b;
        return true;
    }
    return shape_broadcast(a, b, &work->out[0], work->error);
}

static bool eltwise(struct ncnn_work *work)
{
    for (size_t i = 1; i < work->layer->inputs; i++)
        if (!shape_equal(&work->in[0], &work->in[i]))
            return error_set(work->error, "its inputs have different shapes");
    return same(work);
}

/* --- the rest --- */

static bool arg_max(struct ncnn_work *work)
{
    int64_t top = ncnn_int(work, 1, 1);

    work->out[0] = (struct shape){.rank = 1, .dim = {top}};
    if (ncnn_int(work, 0, 0) != 0)
        work->out[0] = (struct shape){.rank = 2, .dim = {2, top}};
    return true;
}

static bool glu(struct ncnn_work *work)
{
    int axis = 0;

    if (!shape_axis(ncnn_int(work, 0, 0), work->in[0].rank, &axis, work->error))
        return false;
    work->out[0] = work->in[0];
    work->out[0].dim[axis] /= 2;
    return true;
}

static bool reduction(struct ncnn_work *work)
{
    bool keep = ncnn_int(work, 4, 0) != 0;
    size_t count = ncnn_int(work, 1, 1) != 0 ? 0 : ncnn_length(work, 3);
    int64_t axes[NETWORK_MAX_RANK];

    if (count > NETWORK_MAX_RANK)
        return error_set(work->error, "%zu axes", count);
    for (size_t i = 0; i < count; i++)
        axes[i] = ncnn_element(work, 3, i);
    if (!shape_reduce(&work->in[0], axes, count, keep, &work->out[0], work->error))
        return false;
    if (work->out[0].rank == 0)
        work->out[0] = (struct shape){.rank = 1, .dim = {1}};
    return true;
}

/* Boxes at every position: Caffe's kind has two rows (boxes and variances),
 * MXNet's, with one input and no image size or largest sizes, one.  */
static bool prior_box(struct ncnn_work *work)
{
    struct ncnn_image image = ncnn_image(&work->in[0]);
    int64_t smallest = (int64_t)ncnn_length(work, 0), largest = (int64_t)ncnn_length(work, 1);
    int64_t ratios = (int64_t)ncnn_length(work, 2), boxes, length;
    bool plain = work->layer->inputs == 1 && largest == 0 && ncnn_int(work, 9, 0) == NCNN_REST &&
                 ncnn_int(work, 10, 0) == NCNN_REST;

    if (plain)
        boxes = smallest - 1 + ratios;
    else
        boxes = smallest * ratios * (ncnn_int(work, 7, 1) != 0 ? 2 : 1) + smallest + largest;
    if (!checked_mul(image.h, image.w, &length) || !checked_mul(length, 4, &length) ||
        !checked_mul(length, boxes, &length))
        return error_set(work->error, "too many boxes");
    work->out[0] = (struct shape){.rank = plain ? 1 : 2, .dim = {plain ? length : 2, length}};
    return true;
}

/* How many there are depends on the data: the most that are kept.  */
static bool detection(struct ncnn_work *work)
{
    work->bound = true;
    work->out[0] = (struct shape){.rank = 2, .dim = {ncnn_int(work, 3, 100), 6}};
    return true;
}

/* The same, where no number is given: all boxes.  */
static bool yolo_detection(struct ncnn_work *work)
{
    int64_t boxes = ncnn_int(work, 1, 5), rows = 0, part;

    for (size_t i = 0; i < work->layer->inputs; i++) {
        struct ncnn_image image = ncnn_image(&work->in[i]);

        if (!checked_mul(image.h, image.w, &part) || !checked_mul(part, boxes, &part) ||
            !checked_add(rows, part, &rows))
            return error_set(work->error, "too many boxes");
    }
    work->bound = true;
    work->out[0] = (struct shape){.rank = 2, .dim = {rows, 6}};
    return true;
}

/* In the order of strcmp, for the binary search (a test holds it).  */
static const struct ncnn_type types[] = {
    {"AbsVal", "abs", OP_ACTIVATION, same, 1, 1, 4},
    {"ArgMax", "arg_max", OP_OTHER, arg_max, 1, 1, 4},
    {"BNLL", "bnll", OP_ACTIVATION, same, 1, 1, 4},
    {"BatchNorm", "batch_norm", OP_BATCH_NORM, batch_norm, 1, 1, 4},
    {"Bias", "bias", OP_OTHER, bias, 1, 1, 4},
    {"BinaryOp", "binary", OP_ELEMENTWISE, binary, 1, 1, 4},
    {"CELU", "celu", OP_ACTIVATION, same, 1, 1, 4},
    {"Cast", "cast", OP_OTHER, same, 1, 1, 4},
    {"Clip", "clip", OP_ACTIVATION, same, 1, 1, 4},
    {"Concat", "concat", OP_CONCAT, ncnn_concat, 1, 1, 4},
    {"Convolution", "conv", OP_CONV, ncnn_conv, 1, 1, 3},
    {"Convolution1D", "conv", OP_CONV, ncnn_conv1d, 1, 2, 2},
    {"ConvolutionDepthWise", "conv", OP_CONV, ncnn_conv_depthwise, 1, 2, 3},
    {"ConvolutionDepthWise1D", "conv", OP_CONV, ncnn_conv1d_depthwise, 1, 2, 2},
    {"Crop", "crop", OP_OTHER, ncnn_crop, 1, 1, 3},
    {"CumulativeSum", "cumulative_sum", OP_OTHER, same, 1, 1, 4},
    {"Deconvolution", "deconv", OP_OTHER, ncnn_deconv, 1, 2, 3},
    {"DeconvolutionDepthWise", "deconv", OP_OTHER, ncnn_deconv_depthwise, 1, 2, 3},
    {"Dequantize", "dequantize", OP_OTHER, same, 1, 1, 4},
    {"DetectionOutput", "detection", OP_OTHER, detection, 1, 1, 4},
    {"Dropout", "dropout", OP_ALIAS, dropout, 1, 1, 4},
    {"ELU", "elu", OP_ACTIVATION, same, 1, 1, 4},
    {"Eltwise", "eltwise", OP_ELEMENTWISE, eltwise, 1, 1, 4},
    {"Embed", "embed", OP_OTHER, ncnn_embed, 1, 1, 1},
    {"Erf", "erf", OP_ACTIVATION, same, 1, 1, 4},
    {"Exp", "exp", OP_ACTIVATION, same, 1, 1, 4},
    {"ExpandDims", "expand_dims", OP_ALIAS, ncnn_expand_dims, 1, 1, 4},
    {"Flatten", "flatten", OP_ALIAS, ncnn_flatten, 1, 1, 4},
    {"GELU", "gelu", OP_ACTIVATION, same, 1, 1, 4},
    {"GLU", "glu", OP_OTHER, glu, 1, 1, 4},
    {"GRU", "gru", OP_OTHER, ncnn_gru, 1, 2, 2},
    {"Gemm", "gemm", OP_OTHER, ncnn_gemm, 0, 1, 4},
    {"GroupNorm", "group_norm", OP_OTHER, group_norm, 1, 1, 4},
    {"HardSigmoid", "hard_sigmoid", OP_ACTIVATION, same, 1, 1, 4},
    {"HardSwish", "hard_swish", OP_ACTIVATION, same, 1, 1, 4},
    {"InnerProduct", "linear", OP_LINEAR, ncnn_inner_product, 1, 1, 4},
    {"InstanceNorm", "instance_norm", OP_OTHER, layer_norm, 1, 1, 4},
    {"Interp", "interp", OP_OTHER, ncnn_interp, 1, 1, 3},
    {"LRN", "lrn", OP_LRN, same, 1, 1, 4},
    {"LSTM", "lstm", OP_OTHER, ncnn_lstm, 1, 2, 2},
    {"LayerNorm", "layer_norm", OP_OTHER, layer_norm, 1, 1, 4},
    {"Log", "log", OP_ACTIVATION, same, 1, 1, 4},
    {"MVN", "mvn", OP_OTHER, same, 1, 1, 4},
    {"MatMul", "matmul", OP_OTHER, ncnn_matmul, 2, 1, 4},
    {"Mish", "mish", OP_ACTIVATION, same, 1, 1, 4},
    {"MultiHeadAttention", "attention", OP_OTHER, ncnn_attention, 1, 2, 2},
    {"Noop", "noop", OP_ALIAS, noop, 1, 1, 4},
    {"Normalize", "normalize", OP_OTHER, normalize, 1, 1, 4},
    {"PReLU", "prelu", OP_OTHER, prelu, 1, 1, 4},
    {"Packing", "packing", OP_OTHER, same, 1, 1, 4},
    {"Padding", "pad", OP_OTHER, ncnn_padding, 1, 1, 4},
    {"Permute", "permute", OP_OTHER, ncnn_permute, 1, 1, 4},
    {"PixelShuffle", "pixel_shuffle", OP_OTHER, ncnn_pixel_shuffle, 1, 3, 3},
    {"Pooling", "pool", OP_POOL, ncnn_pool, 1, 2, 3},
    {"Pooling1D", "pool", OP_POOL, ncnn_pool1d, 1, 2, 2},
    {"Power", "power", OP_ACTIVATION, same, 1, 1, 4},
    {"PriorBox", "prior_box", OP_OTHER, prior_box, 1, 1, 4},
    {"Quantize", "quantize", OP_OTHER, same, 1, 1, 4},
    {"RMSNorm", "rms_norm", OP_OTHER, rms_norm, 1, 1, 4},
    {"RNN", "rnn", OP_OTHER, ncnn_rnn, 1, 2, 2},
    {"ROIAlign", "roi_align", OP_OTHER, ncnn_roi, 2, 1, 4},
    {"ROIPooling", "roi_pool", OP_OTHER, ncnn_roi, 2, 1, 4},
    {"ReLU", "relu", OP_ACTIVATION, same, 1, 1, 4},
    {"Reduction", "reduce", OP_OTHER, reduction, 1, 1, 4},
    {"Reorg", "reorg", OP_OTHER, ncnn_reorg, 1, 3, 3},
    {"Requantize", "requantize", OP_OTHER, same, 1, 1, 4},
    {"Reshape", "reshape", OP_ALIAS, ncnn_reshape, 1, 1, 4},
    {"SELU", "selu", OP_ACTIVATION, same, 1, 1, 4},
    {"Scale", "scale", OP_BATCH_NORM, scale, 1, 1, 4},
    {"Shrink", "shrink", OP_ACTIVATION, same, 1, 1, 4},
    {"ShuffleChannel", "shuffle_channel", OP_OTHER, same, 1, 1, 4},
    {"Sigmoid", "sigmoid", OP_ACTIVATION, same, 1, 1, 4},
    {"Slice", "slice", OP_SPLIT, ncnn_slice, 1, 1, 4},
    {"Softmax", "softmax", OP_SOFTMAX, same, 1, 1, 4},
    {"Softplus", "softplus", OP_ACTIVATION, same, 1, 1, 4},
    {"Split", "split", OP_ALIAS, same, 1, 1, 4},
    {"Squeeze", "squeeze", OP_ALIAS, ncnn_squeeze, 1, 1, 4},
    {"Swish", "swish", OP_ACTIVATION, same, 1, 1, 4},
    {"TanH", "tanh", OP_ACTIVATION, same, 1, 1, 4},
    {"Threshold", "threshold", OP_ACTIVATION, same, 1, 1, 4},
    {"Tile", "tile", OP_OTHER, ncnn_tile, 1, 1, 4},
    {"UnaryOp", "unary", OP_ACTIVATION, same, 1, 1, 4},
    {"YoloDetectionOutput", "detection", OP_OTHER, yolo_detection, 1, 1, 4},
    {"Yolov3DetectionOutput", "detection", OP_OTHER, yolo_detection, 1, 1, 4},
};

static int compare_type(const void *key, const void *element)
{
    const struct ncnn_type *type = element;

    return strcmp(key, type->name);
}

const struct ncnn_type *ncnn_type_find(const char *name)
{
    return bsearch(name, types, sizeof types / sizeof types[0], sizeof types[0], compare_type);
}
