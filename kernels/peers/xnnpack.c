/* SPDX-License-Identifier: GPL-3.0-or-later */
/* xnnpack: XNNPACK's convolution in NHWC, a matrix product that finds its
 * inputs through a table of pointers.
 *
 * The interface of 2022, in which creating an operator takes the weights and
 * setting it up takes the tensors.  It has no say in the instruction set: the
 * library takes the processor's best.  */
#include <config.h>

#include <math.h>
#include <pthreadpool.h>
#include <stdlib.h>
#include <string.h>
#include <xnnpack.h>
#ifdef HAVE_MALLINFO2
#include <malloc.h>
#endif

#include "kernels/kernel.h"
#include "kernels/peers/library.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"

#define XNN_FUNCTIONS(F)                         \
    F(initialize, xnn_initialize)                \
    F(create, xnn_create_convolution2d_nhwc_f32) \
    F(setup, xnn_setup_convolution2d_nhwc_f32)   \
    F(run, xnn_run_operator)                     \
    F(delete, xnn_delete_operator)

#define POOL_FUNCTIONS(F)              \
    F(pool_create, pthreadpool_create) \
    F(pool_destroy, pthreadpool_destroy)

#define DECLARE(name, function) __typeof__(&function) name;
struct functions {
    XNN_FUNCTIONS(DECLARE)
    POOL_FUNCTIONS(DECLARE)
};

#define NAME(name, function) #function,
static const char *const xnn_names[] = {XNN_FUNCTIONS(NAME)};
static const char *const pool_names[] = {POOL_FUNCTIONS(NAME)};
enum {
    XNN_COUNT = sizeof xnn_names / sizeof xnn_names[0],
    POOL_COUNT = sizeof pool_names / sizeof pool_names[0],
};
_Static_assert(sizeof(struct functions) == (XNN_COUNT + POOL_COUNT) * sizeof(void *),
               "pointers to functions only");

struct xnn {
    struct functions f;
    pthreadpool_t pool; /* NULL: one thread */
    xnn_operator_t operator;
    const float *input; /* that the operator is set up for */
    float *output;
};

/* What the process has allocated, 0 where that can't be told.  */
static int64_t allocated(void)
{
#ifdef HAVE_MALLINFO2
    const struct mallinfo2 info = mallinfo2();

    return (int64_t)(info.uordblks + info.hblkhd);
#else
    return 0;
#endif
}

static bool load(struct xnn *x, int threads, struct error *error)
{
    void *symbol[XNN_COUNT + POOL_COUNT];

    if (!library_open(PTHREADPOOL_LIBRARY, pool_names, POOL_COUNT, symbol + XNN_COUNT, error) ||
        !library_open(XNNPACK_LIBRARY, xnn_names, XNN_COUNT, symbol, error))
        return false;
    memcpy(&x->f, symbol, sizeof symbol);
    if (x->f.initialize(NULL) != xnn_status_success)
        return error_set(error, "XNNPACK does not support this processor");
    if (threads > 1)
        x->pool = x->f.pool_create((size_t)threads);
    return true;
}

/* Makes the operator, which packs WEIGHTS (K-R-S-C) into memory of its own.  */
static bool create(struct xnn *x, const struct conv_request *request, const float *weights,
                   const float *bias)
{
    const struct conv_shape *s = &request->shape;

    return x->f.create((uint32_t)s->pad_top, (uint32_t)s->pad_right, (uint32_t)s->pad_bottom,
                       (uint32_t)s->pad_left, (uint32_t)s->r, (uint32_t)s->s, (uint32_t)s->stride_h,
                       (uint32_t)s->stride_w, (uint32_t)s->dilation_h, (uint32_t)s->dilation_w,
                       (uint32_t)s->groups, (size_t)(s->c / s->groups), (size_t)(s->k / s->groups),
                       (size_t)s->c, (size_t)s->k, weights, bias, request->relu ? 0.0F : -INFINITY,
                       INFINITY, 0, &x->operator) == xnn_status_success;
}

static bool setup(struct xnn *x, const struct conv_shape *s, const float *input, float *output)
{
    x->input = input;
    x->output = output;
    return x->f.setup(x->operator,(size_t) s->n, (size_t)s->h, (size_t)s->w, input, output,
                      x->pool) == xnn_status_success;
}

static void delete_operator(struct xnn *x)
{
    if (x->operator!= NULL)
        x->f.delete(x->operator);
    x->operator= NULL;
    x->input = NULL;
    x->output = NULL;
}

static void clear(struct conv_plan *plan)
{
    struct xnn *x = plan->state;

    delete_operator(x);
    if (x->pool != NULL)
        x->f.pool_destroy(x->pool);
    free(x);
}

static int64_t filter_floats(const struct conv_shape *s)
{
    return s->k * (s->c / s->groups) * s->r * s->s;
}

/* Tries with weights of zero, and sees what the library allocates for them.  */
static bool try_operator(struct xnn *x, struct conv_plan *plan, struct error *error)
{
    const struct conv_shape *s = &plan->request.shape;
    float *zeros = memory_zalloc((size_t)max64(filter_floats(s), s->k), sizeof *zeros);
    const int64_t before = allocated();
    bool good = create(x, &plan->request, zeros, zeros);
    const int64_t created = allocated();

    /* Only the table of pointers is made; nothing is read or written.  */
    good = good && setup(x, s, zeros, zeros);
    if (good) {
        plan->packed_floats = max64(0, created - before) / (int64_t)sizeof(float);
        plan->workspace_bytes = max64(0, allocated() - created);
        plan->workspace_seen = true;
    }
    delete_operator(x);
    free(zeros);
    return good || error_set(error, "XNNPACK can't do this layer");
}

static bool make_plan(struct conv_plan *plan, const struct params *params, struct error *error)
{
    const struct conv_shape *s = &plan->request.shape;
    struct error none = {""};
    enum isa best;
    struct xnn *x;

    (void)params;
    if (!isa_parse("best", &best, &none) || plan->request.isa != best)
        return error_set(error, "XNNPACK takes the processor's best instruction set, no other");
    if (s->h > INT32_MAX || s->w > INT32_MAX || s->groups > INT32_MAX || s->r > INT32_MAX ||
        s->s > INT32_MAX || s->pad_top > INT32_MAX || s->pad_left > INT32_MAX ||
        s->pad_bottom > INT32_MAX || s->pad_right > INT32_MAX || s->stride_h > INT32_MAX ||
        s->stride_w > INT32_MAX || s->dilation_h > INT32_MAX || s->dilation_w > INT32_MAX)
        return error_set(error, "xnnpack: the sizes do not fit in 32 bits");
    x = memory_zalloc(1, sizeof *x);
    plan->state = x;
    plan->input = layout_input(s, s->c);
    plan->output = layout_output(s, s->k);
    if (load(x, plan->request.threads, error) && try_operator(x, plan, error))
        return true;
    if (x->f.delete != NULL)
        clear(plan);
    else
        free(x);
    return false;
}

/* The weights lie in the operator; PACKED only stands for the room they take.  */
static void pack(const struct conv_plan *plan, const float *filter, const float *bias,
                 float *packed)
{
    const struct conv_shape *s = &plan->request.shape;
    const int64_t c = s->c / s->groups, taps = s->r * s->s;
    float *weights = memory_alloc((size_t)filter_floats(s), sizeof *weights);

    (void)packed;
    for (int64_t k = 0; k < s->k; k++)
        for (int64_t i = 0; i < c; i++)
            for (int64_t t = 0; t < taps; t++)
                weights[(k * taps + t) * c + i] = filter[(k * c + i) * taps + t];
    delete_operator(plan->state);
    (void)create(plan->state, &plan->request, weights, bias);
    free(weights);
}

static void run(const struct conv_plan *plan, const float *input, const float *packed,
                float *output)
{
    struct xnn *x = plan->state;

    (void)packed;
    if (x->operator== NULL)
        return;
    if ((x->input != input || x->output != output) &&
        !setup(x, &plan->request.shape, input, output))
        return;
    (void)x->f.run(x->operator, x->pool);
}

const struct conv_kernel conv_kernel_xnnpack = {
    .name = "xnnpack",
    .title = "XNNPACK's convolution in NHWC",
    .source = "XNNPACK, https://github.com/google/XNNPACK",
    .version = "2022",
    .isas = ISA_ALL,
    .library = true,
    .reads_past = true,
    .tolerance = 1.0,
    .plan = make_plan,
    .clear = clear,
    .pack = pack,
    .run = run,
};
