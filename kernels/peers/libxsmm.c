/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libxsmm: the direct convolution of libxsmm 1.17, small matrix products that
 * are compiled when the layer is made (Georganas et al., SC 2018).
 *
 * It wants zeros around the input.  Our tensors have none, so a layer with
 * padding is copied into a larger one in every run: that copy is timed, and
 * counted as workspace.  Bias goes into the output before, ReLU comes after.  */
#include <config.h>

#include <libxsmm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/kernel.h"
#include "kernels/pool.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"

enum { TENSORS = 3 }; /* input, output, filter */

struct xsmm {
    libxsmm_dnn_layer *layer;
    libxsmm_dnn_tensor_datalayout *layout[TENSORS];
    libxsmm_dnn_tensor *tensor[TENSORS];
    struct pool *pool;
    float *padded; /* the input with its rim; NULL: it has none */
    void *scratch;
    int64_t bias_start; /* in the packed weights, floats */
};

static const libxsmm_dnn_tensor_type tensor_types[TENSORS] = {
    LIBXSMM_DNN_REGULAR_INPUT, LIBXSMM_DNN_REGULAR_OUTPUT, LIBXSMM_DNN_REGULAR_FILTER};

static void clear(struct conv_plan *plan)
{
    struct xsmm *x = plan->state;

    for (int i = 0; i < TENSORS; i++) {
        if (x->tensor[i] != NULL) {
            libxsmm_dnn_release_tensor(x->layer, tensor_types[i]);
            libxsmm_dnn_destroy_tensor(x->tensor[i]);
        }
        if (x->layout[i] != NULL)
            libxsmm_dnn_destroy_tensor_datalayout(x->layout[i]);
    }
    if (x->scratch != NULL)
        libxsmm_dnn_release_scratch(x->layer, LIBXSMM_DNN_COMPUTE_KIND_FWD);
    if (x->layer != NULL)
        libxsmm_dnn_destroy_conv_layer(x->layer);
    if (x->pool != NULL)
        pool_free(x->pool);
    free(x->scratch);
    free(x->padded);
    free(x);
}

static bool make_layer(struct xsmm *x, const struct conv_request *request, struct error *error)
{
    const struct conv_shape *s = &request->shape;
    libxsmm_dnn_err_t status = LIBXSMM_DNN_SUCCESS;
    libxsmm_dnn_conv_desc d;

    memset(&d, 0, sizeof d);
    d.N = (int)s->n;
    d.C = (int)s->c;
    d.H = (int)s->h;
    d.W = (int)s->w;
    d.K = (int)s->k;
    d.R = (int)s->r;
    d.S = (int)s->s;
    d.u = (int)s->stride_h;
    d.v = (int)s->stride_w;
    d.pad_h = d.pad_h_in = (int)s->pad_top;
    d.pad_w = d.pad_w_in = (int)s->pad_left;
    d.threads = request->threads;
    d.datatype_in = d.datatype_out = LIBXSMM_DNN_DATATYPE_F32;
    d.buffer_format = d.filter_format = LIBXSMM_DNN_TENSOR_FORMAT_LIBXSMM;
    d.algo = LIBXSMM_DNN_CONV_ALGO_DIRECT;
    d.options = LIBXSMM_DNN_CONV_OPTION_NONE; /* adds to what the output holds */
    d.fuse_ops = LIBXSMM_DNN_CONV_FUSE_NONE;
    x->layer = libxsmm_dnn_create_conv_layer(d, &status);
    if (status == LIBXSMM_DNN_SUCCESS && x->layer != NULL)
        return true;
    return error_set(error, "libxsmm: %s", libxsmm_dnn_get_error(status));
}

/* The size of dimension TYPE that changes fastest or slowest; 0: none.  */
static int64_t dimension(const libxsmm_dnn_tensor_datalayout *layout,
                         libxsmm_dnn_tensor_dimtype type, bool fastest)
{
    int64_t size = 0;

    for (unsigned i = 0; i < layout->num_dims; i++)
        if (layout->dim_type[i] == type && (size == 0 || !fastest))
            size = layout->dim_size[i];
    return size;
}

/* The blocks of channels; false when they do not divide the channels, or the
 * layout is none that we know.  */
static bool find_blocks(const struct xsmm *x, const struct conv_shape *s, int64_t *in, int64_t *out)
{
    const libxsmm_dnn_tensor_datalayout *input = x->layout[0], *output = x->layout[1];

    if (input->num_dims != 5 || output->num_dims != 5 || x->layout[2]->num_dims != 6 ||
        input->dim_type[0] != LIBXSMM_DNN_TENSOR_DIMTYPE_C ||
        output->dim_type[0] != LIBXSMM_DNN_TENSOR_DIMTYPE_C)
        return false;
    *in = dimension(input, LIBXSMM_DNN_TENSOR_DIMTYPE_C, true);
    *out = dimension(output, LIBXSMM_DNN_TENSOR_DIMTYPE_C, true);
    return *in * dimension(input, LIBXSMM_DNN_TENSOR_DIMTYPE_C, false) == s->c &&
           *out * dimension(output, LIBXSMM_DNN_TENSOR_DIMTYPE_C, false) == s->k &&
           x->layout[2]->dim_type[0] == LIBXSMM_DNN_TENSOR_DIMTYPE_K &&
           x->layout[2]->dim_type[1] == LIBXSMM_DNN_TENSOR_DIMTYPE_C;
}

static bool lay_out(struct xsmm *x, struct conv_plan *plan, struct error *error)
{
    const struct conv_shape *s = &plan->request.shape;
    libxsmm_dnn_err_t status;
    int64_t in, out;

    for (int i = 0; i < TENSORS; i++) {
        x->layout[i] = libxsmm_dnn_create_tensor_datalayout(x->layer, tensor_types[i], &status);
        if (status != LIBXSMM_DNN_SUCCESS || x->layout[i] == NULL)
            return error_set(error, "libxsmm: %s", libxsmm_dnn_get_error(status));
    }
    if (!find_blocks(x, s, &in, &out))
        return error_set(error, "libxsmm: it wants a layout that we do not have");
    plan->input = layout_input(s, in);
    plan->output = layout_output(s, out);
    x->bias_start = s->k * s->c * s->r * s->s;
    plan->packed_floats = x->bias_start + s->k;
    return true;
}

static bool make_room(struct xsmm *x, struct conv_plan *plan, struct error *error)
{
    const struct conv_shape *s = &plan->request.shape;
    const int64_t padded = s->n * s->c * (s->h + 2 * s->pad_top) * (s->w + 2 * s->pad_left);
    libxsmm_dnn_err_t status;
    size_t scratch = libxsmm_dnn_get_scratch_size(x->layer, LIBXSMM_DNN_COMPUTE_KIND_FWD, &status);

    if (status != LIBXSMM_DNN_SUCCESS)
        return error_set(error, "libxsmm: %s", libxsmm_dnn_get_error(status));
    if (s->pad_top != 0 || s->pad_left != 0) {
        x->padded = memory_zalloc((size_t)padded + 16, sizeof *x->padded);
        plan->workspace_bytes = padded * (int64_t)sizeof *x->padded;
    }
    if (scratch > 0) {
        scratch = (scratch + 63) / 64 * 64;
        if (posix_memalign(&x->scratch, 64, scratch) != 0)
            memory_exhausted();
        plan->workspace_bytes += (int64_t)scratch;
        status = libxsmm_dnn_bind_scratch(x->layer, LIBXSMM_DNN_COMPUTE_KIND_FWD, x->scratch);
        if (status != LIBXSMM_DNN_SUCCESS)
            return error_set(error, "libxsmm: %s", libxsmm_dnn_get_error(status));
    }
    x->pool = pool_new(plan->request.threads, error);
    return x->pool != NULL;
}

static bool suits(const struct conv_request *request, struct error *error)
{
    const struct conv_shape *s = &request->shape;

    if (s->groups != 1 || s->dilation_h != 1 || s->dilation_w != 1)
        return error_set(error, "libxsmm: no groups and no dilation");
    if (s->pad_top != s->pad_bottom || s->pad_left != s->pad_right)
        return error_set(error, "libxsmm: padding has to be the same on both sides");
    if (s->n > INT32_MAX || s->c > INT32_MAX || s->k > INT32_MAX ||
        s->h + 2 * s->pad_top > INT32_MAX || s->w + 2 * s->pad_left > INT32_MAX ||
        s->r > INT32_MAX || s->s > INT32_MAX || s->stride_h > INT32_MAX || s->stride_w > INT32_MAX)
        return error_set(error, "libxsmm: the sizes do not fit in 32 bits");
    return true;
}

/* Whether the library still means TARGET: it would be compared as what it is not.  */
static bool keeps_target(int target, struct error *error)
{
    const int now = libxsmm_get_target_archid();

    return now == target ||
           error_set(error, "libxsmm: it takes instruction set %d for %d", now, target);
}

static bool make_plan(struct conv_plan *plan, const struct params *params, struct error *error)
{
    static const int target[ISA_COUNT] = {
        [ISA_AVX2] = LIBXSMM_X86_AVX2, [ISA_AVX512] = LIBXSMM_X86_AVX512_CORE};

    (void)params;
    if (!suits(&plan->request, error))
        return false;
    snprintf(plan->library, sizeof plan->library, "libxsmm %s", LIBXSMM_VERSION);
    libxsmm_init(); /* or the layer's start does it, and takes the processor's best set */
    libxsmm_set_target_archid(target[plan->request.isa]);
    plan->state = memory_zalloc(1, sizeof(struct xsmm));
    if (make_layer(plan->state, &plan->request, error) &&
        keeps_target(target[plan->request.isa], error) && lay_out(plan->state, plan, error) &&
        make_room(plan->state, plan, error))
        return true;
    clear(plan);
    return false;
}

/* Into K/k-C/c-R-S-c-k.  */
static void pack(const struct conv_plan *plan, const float *filter, const float *bias,
                 float *packed)
{
    const struct xsmm *x = plan->state;
    const struct conv_shape *s = &plan->request.shape;
    const int64_t bc = plan->input.block, bk = plan->output.block, taps = s->r * s->s;

    for (int64_t k = 0; k < s->k; k++)
        for (int64_t c = 0; c < s->c; c++)
            for (int64_t t = 0; t < taps; t++)
                packed[((((k / bk) * (s->c / bc) + c / bc) * taps + t) * bc + c % bc) * bk +
                       k % bk] = filter[(k * s->c + c) * taps + t];
    for (int64_t k = 0; k < s->k; k++)
        packed[x->bias_start + k] = bias != NULL ? bias[k] : 0.0F;
}

/* Binds DATA as tensor WHICH, anew when it has moved.  */
static bool bind(struct xsmm *x, int which, const float *data)
{
    libxsmm_dnn_err_t status;

    if (x->tensor[which] != NULL)
        return libxsmm_dnn_set_tensor_data_ptr(x->tensor[which], data) == LIBXSMM_DNN_SUCCESS;
    x->tensor[which] = libxsmm_dnn_link_tensor(x->layout[which], data, &status);
    return status == LIBXSMM_DNN_SUCCESS &&
           libxsmm_dnn_bind_tensor(x->layer, x->tensor[which], tensor_types[which]) ==
               LIBXSMM_DNN_SUCCESS;
}

static void copy_in(const struct xsmm *x, const struct conv_plan *plan, const float *input)
{
    const struct conv_shape *s = &plan->request.shape;
    const int64_t block = plan->input.block, line = s->w * block;
    const int64_t wide = (s->w + 2 * s->pad_left) * block;

    for (int64_t plane = 0; plane < s->n * s->c / block; plane++) {
        float *to =
            x->padded + (plane * (s->h + 2 * s->pad_top) + s->pad_top) * wide + s->pad_left * block;

        for (int64_t y = 0; y < s->h; y++, input += line)
            memcpy(to + y * wide, input, (size_t)line * sizeof *to);
    }
}

static void put_bias(const struct conv_plan *plan, const float *bias, float *output)
{
    const struct tensor_layout *o = &plan->output;

    for (int64_t i = 0; i < o->n * o->c / o->block; i++) {
        const float *from = bias + i * o->block % o->c;

        for (int64_t pixel = 0; pixel < o->h * o->w; pixel++, output += o->block)
            memcpy(output, from, (size_t)o->block * sizeof *output);
    }
}

static void work(void *context, int64_t item)
{
    const struct xsmm *x = context;

    libxsmm_dnn_execute_st(x->layer, LIBXSMM_DNN_COMPUTE_KIND_FWD, 0, (int)item);
}

static void run(const struct conv_plan *plan, const float *input, const float *packed,
                float *output)
{
    struct xsmm *x = plan->state;
    const int64_t outputs = layout_floats(&plan->output);

    if (x->padded != NULL)
        copy_in(x, plan, input);
    put_bias(plan, packed + x->bias_start, output);
    if (!bind(x, 0, x->padded != NULL ? x->padded : input) || !bind(x, 1, output) ||
        !bind(x, 2, packed))
        return;
    pool_run(x->pool, plan->request.threads, work, x);
    if (plan->request.relu)
        for (int64_t i = 0; i < outputs; i++)
            output[i] = output[i] < 0.0F ? 0.0F : output[i];
}

const struct conv_kernel conv_kernel_libxsmm = {
    .name = "libxsmm",
    .title = "libxsmm's direct convolution",
    .source = "Georganas et al., SC 2018; libxsmm 1.17, https://github.com/libxsmm/libxsmm",
    .version = LIBXSMM_CONFIG_VERSION,
    .isas = 1U << ISA_AVX2 | 1U << ISA_AVX512,
    .library = true,
    .tolerance = 1.0,
    .plan = make_plan,
    .clear = clear,
    .pack = pack,
    .run = run,
};
