/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The interface of version 2, with operation descriptors.  The library has one
 * instruction set and one number of threads a process.  */
#include <config.h>

#include "kernels/peers/onednn_common.h"

#include <dnnl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/peers/library.h"
#include "lib/base/memory.h"

#define VERSION_TEXT(major, minor, patch) #major "." #minor "." #patch
#define VERSION_OF(major, minor, patch) VERSION_TEXT(major, minor, patch)
const char onednn_version[] =
    VERSION_OF(DNNL_VERSION_MAJOR, DNNL_VERSION_MINOR, DNNL_VERSION_PATCH);

#define DNNL_FUNCTIONS(F)                    \
    F(version)                               \
    F(engine_create)                         \
    F(engine_destroy)                        \
    F(stream_create)                         \
    F(stream_destroy)                        \
    F(stream_wait)                           \
    F(set_max_cpu_isa)                       \
    F(memory_desc_init_by_tag)               \
    F(memory_desc_equal)                     \
    F(memory_desc_get_size)                  \
    F(memory_create)                         \
    F(memory_destroy)                        \
    F(memory_set_data_handle)                \
    F(dilated_convolution_forward_desc_init) \
    F(primitive_attr_create)                 \
    F(primitive_attr_destroy)                \
    F(primitive_attr_set_post_ops)           \
    F(post_ops_create)                       \
    F(post_ops_destroy)                      \
    F(post_ops_append_eltwise)               \
    F(primitive_desc_create)                 \
    F(primitive_desc_destroy)                \
    F(primitive_desc_query_md)               \
    F(primitive_desc_query)                  \
    F(primitive_create)                      \
    F(primitive_destroy)                     \
    F(primitive_execute)                     \
    F(reorder_primitive_desc_create)

#define DECLARE(name) __typeof__(&dnnl_##name) name;
struct functions {
    DNNL_FUNCTIONS(DECLARE)
};

#define NAME(name) "dnnl_" #name,
static const char *const function_names[] = {DNNL_FUNCTIONS(NAME)};
enum { FUNCTIONS = sizeof function_names / sizeof function_names[0] };
_Static_assert(sizeof(struct functions) == FUNCTIONS * sizeof(void *),
               "pointers to functions only");

struct onednn {
    struct functions f;
    dnnl_engine_t engine;
    dnnl_stream_t stream;
    dnnl_primitive_desc_t description;
    dnnl_primitive_t primitive;
    dnnl_memory_desc_t user_weights; /* K-C-R-S */
    dnnl_memory_t input, weights, bias, output;
    int64_t bias_start; /* in the packed weights, floats */
};

static bool load(struct onednn *d, enum isa isa, int threads, struct error *error)
{
    static const dnnl_cpu_isa_t most[ISA_COUNT] = {dnnl_cpu_isa_sse41, dnnl_cpu_isa_avx2,
                                                   dnnl_cpu_isa_avx512_core};
    void *symbol[FUNCTIONS];
    char text[16];

    snprintf(text, sizeof text, "%d", threads);
    setenv("OMP_NUM_THREADS", text, 0);
    if (!library_open(DNNL_LIBRARY, function_names, FUNCTIONS, symbol, error))
        return false;
    memcpy(&d->f, symbol, sizeof symbol);
    /* Fails when it was set before in this process, which only tests do.  */
    (void)d->f.set_max_cpu_isa(most[isa]);
    if (d->f.engine_create(&d->engine, dnnl_cpu, 0) != dnnl_success ||
        d->f.stream_create(&d->stream, d->engine, dnnl_stream_default_flags) != dnnl_success)
        return error_set(error, "onednn: no engine");
    return true;
}

void onednn_clear(struct conv_plan *plan)
{
    struct onednn *d = plan->state;

    d->f.memory_destroy(d->input);
    d->f.memory_destroy(d->weights);
    d->f.memory_destroy(d->bias);
    d->f.memory_destroy(d->output);
    d->f.primitive_destroy(d->primitive);
    d->f.primitive_desc_destroy(d->description);
    d->f.stream_destroy(d->stream);
    d->f.engine_destroy(d->engine);
    free(d);
}

/* The block of channels that makes our layout this one; 0: none does.  */
static int64_t find_block(const struct onednn *d, const dnnl_memory_desc_t *md,
                          const dnnl_dims_t dims)
{
    const struct {
        dnnl_format_tag_t tag;
        int64_t block;
    } tags[] = {{dnnl_nchw, 1},
                {dnnl_nhwc, dims[1]},
                {dnnl_nChw4c, 4},
                {dnnl_nChw8c, 8},
                {dnnl_nChw16c, 16}};

    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++) {
        dnnl_memory_desc_t ours;

        if (d->f.memory_desc_init_by_tag(&ours, 4, dims, dnnl_f32, tags[i].tag) == dnnl_success &&
            d->f.memory_desc_equal(&ours, md))
            return tags[i].block;
    }
    return 0;
}

/* Makes the description of the convolution, with every layout left open.  */
static bool describe(struct onednn *d, const struct conv_request *request,
                     enum onednn_algorithm algorithm, struct error *error)
{
    static const dnnl_alg_kind_t kinds[] = {[ONEDNN_DIRECT] = dnnl_convolution_direct,
                                            [ONEDNN_WINOGRAD] = dnnl_convolution_winograd,
                                            [ONEDNN_AUTO] = dnnl_convolution_auto};
    static const char *const names[] = {"direct", "Winograd", "automatic"};
    const struct conv_shape *s = &request->shape;
    const bool grouped = s->groups > 1;
    const int64_t g = s->groups, k = s->k / g, c = s->c / g;
    const dnnl_dims_t in = {s->n, s->c, s->h, s->w};
    const dnnl_dims_t out = {s->n, s->k, conv_shape_out_h(s), conv_shape_out_w(s)};
    const dnnl_dims_t plain = {s->k, s->c, s->r, s->s}, groups = {g, k, c, s->r, s->s};
    const dnnl_dims_t bias = {s->k}, strides = {s->stride_h, s->stride_w};
    const dnnl_dims_t dilates = {s->dilation_h - 1, s->dilation_w - 1};
    const dnnl_dims_t before = {s->pad_top, s->pad_left}, after = {s->pad_bottom, s->pad_right};
    const dnnl_dim_t *filter = grouped ? groups : plain;
    const int rank = grouped ? 5 : 4;
    dnnl_memory_desc_t src, weights, biases, dst;
    dnnl_convolution_desc_t convolution;
    dnnl_primitive_attr_t attributes = NULL;
    dnnl_post_ops_t after_ops = NULL;
    bool good =
        d->f.memory_desc_init_by_tag(&src, 4, in, dnnl_f32, dnnl_format_tag_any) == dnnl_success &&
        d->f.memory_desc_init_by_tag(&weights, rank, filter, dnnl_f32, dnnl_format_tag_any) ==
            dnnl_success &&
        d->f.memory_desc_init_by_tag(&d->user_weights, rank, filter, dnnl_f32,
                                     grouped ? dnnl_goihw : dnnl_oihw) == dnnl_success &&
        d->f.memory_desc_init_by_tag(&biases, 1, bias, dnnl_f32, dnnl_x) == dnnl_success &&
        d->f.memory_desc_init_by_tag(&dst, 4, out, dnnl_f32, dnnl_format_tag_any) == dnnl_success &&
        d->f.dilated_convolution_forward_desc_init(
            &convolution, dnnl_forward_inference, kinds[algorithm], &src, &weights, &biases, &dst,
            strides, dilates, before, after) == dnnl_success &&
        d->f.primitive_attr_create(&attributes) == dnnl_success &&
        d->f.post_ops_create(&after_ops) == dnnl_success &&
        (!request->relu || d->f.post_ops_append_eltwise(after_ops, 1.0F, dnnl_eltwise_relu, 0.0F,
                                                        0.0F) == dnnl_success) &&
        d->f.primitive_attr_set_post_ops(attributes, after_ops) == dnnl_success &&
        d->f.primitive_desc_create(&d->description, &convolution, attributes, d->engine, NULL) ==
            dnnl_success;

    d->f.post_ops_destroy(after_ops);
    d->f.primitive_attr_destroy(attributes);
    return good || error_set(error, "oneDNN has no %s convolution for this layer on %s",
                             names[algorithm], isa_name(request->isa));
}

static bool make_memories(struct onednn *d, struct conv_plan *plan, struct error *error)
{
    const dnnl_memory_desc_t *src =
        d->f.primitive_desc_query_md(d->description, dnnl_query_src_md, 0);
    const dnnl_memory_desc_t *weights =
        d->f.primitive_desc_query_md(d->description, dnnl_query_weights_md, 0);
    const dnnl_memory_desc_t *bias =
        d->f.primitive_desc_query_md(d->description, dnnl_query_weights_md, 1);
    const dnnl_memory_desc_t *dst =
        d->f.primitive_desc_query_md(d->description, dnnl_query_dst_md, 0);
    const int64_t in = find_block(d, src, src->dims), out = find_block(d, dst, dst->dims);
    dnnl_dim_t scratch = 0;

    if (in == 0 || out == 0)
        return error_set(error, "onednn: it wants a layout that we do not have");
    plan->input = layout_input(&plan->request.shape, in);
    plan->output = layout_output(&plan->request.shape, out);
    /* The bias begins at a multiple of 64 bytes.  */
    d->bias_start = (int64_t)(d->f.memory_desc_get_size(weights) + 63) / 64 * 16;
    plan->packed_floats = d->bias_start + plan->request.shape.k;
    if (d->f.primitive_desc_query(d->description, dnnl_query_memory_consumption_s64, 0, &scratch) ==
        dnnl_success)
        plan->workspace_bytes = scratch;
    if (d->f.memory_create(&d->input, src, d->engine, DNNL_MEMORY_NONE) != dnnl_success ||
        d->f.memory_create(&d->weights, weights, d->engine, DNNL_MEMORY_NONE) != dnnl_success ||
        d->f.memory_create(&d->bias, bias, d->engine, DNNL_MEMORY_NONE) != dnnl_success ||
        d->f.memory_create(&d->output, dst, d->engine, DNNL_MEMORY_NONE) != dnnl_success ||
        d->f.primitive_create(&d->primitive, d->description) != dnnl_success)
        return error_set(error, "onednn: the primitive can't be made");
    return true;
}

bool onednn_plan(struct conv_plan *plan, enum onednn_algorithm algorithm, struct error *error)
{
    struct onednn *d = memory_zalloc(1, sizeof *d);
    const dnnl_version_t *version;

    plan->state = d;
    if (!load(d, plan->request.isa, plan->request.threads, error)) {
        free(d);
        return false;
    }
    version = d->f.version();
    snprintf(plan->library, sizeof plan->library, "oneDNN %d.%d.%d", version->major, version->minor,
             version->patch);
    if (describe(d, &plan->request, algorithm, error) && make_memories(d, plan, error))
        return true;
    onednn_clear(plan);
    return false;
}

/* The library takes pointers to what it only reads without const.  */
static void *handle(const float *data)
{
    return (void *)(uintptr_t)data;
}

void onednn_pack(const struct conv_plan *plan, const float *filter, const float *bias,
                 float *packed)
{
    const struct onednn *d = plan->state;
    const dnnl_memory_desc_t *to =
        d->f.primitive_desc_query_md(d->description, dnnl_query_weights_md, 0);
    dnnl_primitive_desc_t description = NULL;
    dnnl_primitive_t reorder = NULL;
    dnnl_memory_t from = NULL;

    for (int64_t k = 0; k < plan->request.shape.k; k++)
        packed[d->bias_start + k] = bias != NULL ? bias[k] : 0.0F;
    if (d->f.memory_create(&from, &d->user_weights, d->engine, handle(filter)) == dnnl_success &&
        d->f.reorder_primitive_desc_create(&description, &d->user_weights, d->engine, to, d->engine,
                                           NULL) == dnnl_success &&
        d->f.primitive_create(&reorder, description) == dnnl_success) {
        const dnnl_exec_arg_t arguments[] = {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, d->weights}};

        d->f.memory_set_data_handle(d->weights, packed);
        d->f.primitive_execute(reorder, d->stream, 2, arguments);
        d->f.stream_wait(d->stream);
    }
    d->f.primitive_destroy(reorder);
    d->f.primitive_desc_destroy(description);
    d->f.memory_destroy(from);
}

void onednn_run(const struct conv_plan *plan, const float *input, const float *packed,
                float *output)
{
    const struct onednn *d = plan->state;
    const dnnl_exec_arg_t arguments[] = {{DNNL_ARG_SRC, d->input},
                                         {DNNL_ARG_WEIGHTS, d->weights},
                                         {DNNL_ARG_BIAS, d->bias},
                                         {DNNL_ARG_DST, d->output}};

    d->f.memory_set_data_handle(d->input, handle(input));
    d->f.memory_set_data_handle(d->weights, handle(packed));
    d->f.memory_set_data_handle(d->bias, handle(packed + d->bias_start));
    d->f.memory_set_data_handle(d->output, output);
    d->f.primitive_execute(d->primitive, d->stream, 4, arguments);
    d->f.stream_wait(d->stream);
}
