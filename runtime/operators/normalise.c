/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Normalisations: BatchNormalization, InstanceNormalization, GroupNormalization,
 * LayerNormalization, RMSNormalization, LRN, LpNormalization, MeanVarianceNormalization.
 *
 * ONNX's texts of these.  BatchNormalization is that of training under `training_mode` since
 * version 14; before, where its node names more outputs than one, whether somebody reads them or
 * not.  Both take the variance of all elements, of which the older texts say nothing, but ONNX's
 * reference implementation has it so.  GroupNormalization has a scale
 * and a shift a group before version 21, a channel since.  LpNormalization leaves what has no
 * length at 0, as its text says since version 22; MeanVarianceNormalization adds 1e-9 to the
 * deviation, as the function in its text does.  A variance is that of all elements, from their
 * differences to the mean.  */
#include <config.h>

#include "runtime/operators/operator.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <tgmath.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "runtime/operators/accept.h"
#include "runtime/operators/along.h"
#include "runtime/operators/attributes.h"
#include "runtime/operators/strided.h"

/* What is normalised, as images of channels of pixels.  */
struct image {
    int64_t images, channels, pixels;
};

/* The neighbourhood of a channel in LRN.  */
struct neighbours {
    int64_t size;
    double alpha, beta, bias;
};

/* Element I of TENSOR, if there is one.  */
static void put_real(const struct tensor *tensor, int64_t i, double real)
{
    if (tensor != NULL && tensor->dtype == DTYPE_F32)
        ((float *)tensor->data)[i] = (float)real;
    else if (tensor != NULL)
        ((double *)tensor->data)[i] = real;
}

#define REAL float
#define TYPED(name) name##_f32
#include "runtime/operators/sum_real.h"
#include "runtime/operators/normalise_real.h"
#define REAL double
#define TYPED(name) name##_f64
#include "runtime/operators/sum_real.h"
#include "runtime/operators/normalise_real.h"

static struct image image_of(const struct tensor *x)
{
    struct image image = {x->dim[0], x->dim[1], 1};

    for (int d = 2; d < x->rank; d++)
        image.pixels *= x->dim[d];
    return image;
}

static double epsilon_of(const struct call *call)
{
    return computation_real(call->computation, "epsilon", 1e-5);
}

/* INPUTS of one real type, the first with channels, and an output like it.  */
static bool accepts_image(const struct call *call, size_t inputs, const char *attributes)
{
    if (!accept_inputs(call, inputs) || !attributes_among(call, attributes) ||
        !accept_types(call, 0, inputs, TYPES_REAL) ||
        !accept_output(call, 0, call->input[0]->dtype) || !accept_shape(call, 0, 0))
        return false;
    return call->input[0]->rank >= 2 || error_set(call->error, "input 0 has no channels");
}

/* That inputs [1, INPUTS) have ELEMENTS.  */
static bool accepts_parameters(const struct call *call, size_t inputs, int64_t elements)
{
    for (size_t i = 1; i < inputs; i++)
        if (tensor_elements(call->input[i]) != elements)
            return error_set(call->error, "input %zu has %" PRId64 " elements, expected %" PRId64,
                             i, tensor_elements(call->input[i]), elements);
    return true;
}

/* --- BatchNormalization --- */

/* Outputs of training: new running moments, and before version 14 those of the input.  */
enum { BATCH_OUTPUTS = 5 };

static bool names_more_outputs(const struct computation *computation)
{
    for (size_t i = 1; i < computation->outputs; i++)
        if (computation->output[i] != NETWORK_NONE)
            return true;
    return false;
}

static bool is_training(const struct call *call)
{
    const struct computation *computation = call->computation;

    return computation->version >= 14 ? computation_integer(computation, "training_mode", 0) != 0
                                      : names_more_outputs(computation);
}

/* Before version 7 an attribute says what the outputs say too, and before 9 a mean could be one an
 * element.  */
static bool accepts_mode(const struct call *call)
{
    const struct computation *computation = call->computation;
    bool training = is_training(call);

    if (computation->version < 7 &&
        (computation_integer(computation, "is_test", 0) == 0) != training)
        return error_set(call->error, training ? "outputs of training under is_test"
                                               : "training without its outputs");
    if (computation->version < 9 && computation_integer(computation, "spatial", 1) != 1)
        return error_set(call->error, "moments of single elements");
    for (size_t i = 1; !training && i < call->outputs; i++)
        if (call_output(call, i) != NULL)
            return error_set(call->error, "outputs of training");
    return true;
}

static bool batch_accepts(const struct call *call)
{
    const char *const names = call->computation->version >= 14  ? "epsilon momentum training_mode"
                              : call->computation->version >= 9 ? "epsilon momentum"
                              : call->computation->version >= 7
                                  ? "epsilon momentum spatial"
                                  : "epsilon is_test momentum spatial";

    if (!accepts_image(call, 5, names) || !accepts_parameters(call, 5, call->input[0]->dim[1]))
        return false;
    for (size_t i = 1; i < BATCH_OUTPUTS; i++)
        if (!accept_output(call, i, call->input[0]->dtype) || !accept_shape(call, i, 1))
            return false;
    return accepts_mode(call);
}

static void *data_of(const struct tensor *tensor)
{
    return tensor == NULL ? NULL : tensor->data;
}

static void train(const struct call *call, const struct image *image)
{
    double epsilon = epsilon_of(call);
    double momentum = computation_real(call->computation, "momentum", 0.9);
    void *parameter[4], *moment[4], *y = data_of(call_output(call, 0));

    for (size_t i = 0; i < 4; i++) {
        parameter[i] = call->input[1 + i]->data;
        moment[i] = data_of(call_output(call, 1 + i));
    }
    if (call->input[0]->dtype == DTYPE_F32)
        train_f32(image, epsilon, momentum, call->input[0]->data,
                  (const float *[]){parameter[0], parameter[1], parameter[2], parameter[3]}, y,
                  (float *[]){moment[0], moment[1], moment[2], moment[3]});
    else
        train_f64(image, epsilon, momentum, call->input[0]->data,
                  (const double *[]){parameter[0], parameter[1], parameter[2], parameter[3]}, y,
                  (double *[]){moment[0], moment[1], moment[2], moment[3]});
}

static bool batch_run(const struct call *call)
{
    const struct tensor *const *in = call->input;
    struct image image = image_of(in[0]);

    if (is_training(call))
        train(call, &image);
    else if (call_output(call, 0) == NULL)
        return true;
    else
        CALL_REAL(call->input[0]->dtype, channels, &image, epsilon_of(call), in[0]->data,
                  in[1]->data, in[2]->data, in[3]->data, in[4]->data, call->output[0]->data);
    return true;
}

/* --- InstanceNormalization, GroupNormalization --- */

enum grouping { INSTANCES, GROUPS };

static int64_t groups_of(const struct call *call)
{
    return call_rule(call)->detail == INSTANCES
               ? call->input[0]->dim[1]
               : computation_integer(call->computation, "num_groups", 0);
}

/* Whether a scale and a shift are those of a whole group.  */
static bool is_shared(const struct call *call)
{
    return call_rule(call)->detail == GROUPS && call->computation->version < 21;
}

static bool group_accepts(const struct call *call)
{
    bool grouped = call_rule(call)->detail == GROUPS;
    int64_t channels, groups;

    if (!accepts_image(call, 3, grouped ? "epsilon num_groups stash_type" : "epsilon"))
        return false;
    channels = call->input[0]->dim[1];
    groups = groups_of(call);
    if (grouped && (groups < 1 || channels % groups != 0))
        return error_set(call->error, "%" PRId64 " groups of %" PRId64 " channels", groups,
                         channels);
    if (grouped && computation_integer(call->computation, "stash_type", 1) != 1)
        return error_set(call->error, "moments of another type than f32");
    return accepts_parameters(call, 3, is_shared(call) ? groups : channels);
}

static bool group_run(const struct call *call)
{
    const struct tensor *const *in = call->input;
    const struct tensor *y = call_output(call, 0);
    struct image image = image_of(in[0]);
    int64_t groups = groups_of(call);
    int64_t shared = is_shared(call) ? image.channels / groups : 1;

    if (y == NULL || tensor_elements(y) == 0)
        return true;
    CALL_REAL(call->input[0]->dtype, groups, &image, groups, shared, epsilon_of(call), in[0]->data,
              in[1]->data, in[2]->data, y->data);
    return true;
}

/* --- LayerNormalization, RMSNormalization --- */

enum layering { CENTRED, SQUARES };

/* Rows of what is normalised together: all axes from `axis` on.  */
static struct along layer_rows(const struct call *call)
{
    const struct tensor *x = call->input[0];
    int axis = call_axis(computation_integer(call->computation, "axis", -1), x->rank);
    struct along along = {1, 1, 1};

    for (int d = 0; d < x->rank; d++)
        *(d < axis ? &along.outer : &along.count) *= x->dim[d];
    return along;
}

/* The moments may be of f32 beside a normalisation of f64.  */
static bool accepts_moments(const struct call *call, int64_t rows)
{
    for (size_t i = 1; i < call->outputs; i++) {
        const struct tensor *out = call_output(call, i);

        if (out != NULL &&
            (i > 2 || (TYPE(out->dtype) & TYPES_REAL) == 0 || tensor_elements(out) != rows))
            return error_set(call->error, "output %zu is not a moment a row", i);
    }
    return true;
}

static bool layer_accepts(const struct call *call)
{
    size_t inputs = call_input(call, 2) == NULL ? 2 : 3;
    struct along along;

    if (!accept_inputs(call, 2) || !attributes_among(call, "axis epsilon stash_type") ||
        !accept_types(call, 0, inputs, TYPES_REAL) ||
        !accept_output(call, 0, call->input[0]->dtype) || !accept_shape(call, 0, 0) ||
        !accept_axis(call, -1, call->input[0]->rank))
        return false;
    if (computation_integer(call->computation, "stash_type", 1) != 1)
        return error_set(call->error, "moments of another type than f32");
    along = layer_rows(call);
    return accepts_parameters(call, inputs, along.count) && accepts_moments(call, along.outer);
}

static bool layer_run(const struct call *call)
{
    const struct tensor *const *in = call->input;
    const struct tensor *means = call_output(call, 1), *inverses = call_output(call, 2);
    bool centred = call_rule(call)->detail == CENTRED;
    void *y = data_of(call_output(call, 0)), *shift = data_of(call_input(call, 2));
    struct along along = layer_rows(call);

    CALL_REAL(call->input[0]->dtype, layers, along.outer, along.count, centred, epsilon_of(call),
              in[0]->data, in[1]->data, shift, y, means, inverses);
    return true;
}

/* --- LRN --- */

static bool lrn_accepts(const struct call *call)
{
    if (!accepts_image(call, 1, "alpha beta bias size"))
        return false;
    return computation_integer(call->computation, "size", 0) >= 1 ||
           error_set(call->error, "a neighbourhood without a size");
}

static bool lrn_run(const struct call *call)
{
    const struct tensor *x = call->input[0], *y = call_output(call, 0);
    struct image image = image_of(x);
    struct neighbours around = {
        .size = computation_integer(call->computation, "size", 1),
        .alpha = computation_real(call->computation, "alpha", 1e-4),
        .beta = computation_real(call->computation, "beta", 0.75),
        .bias = computation_real(call->computation, "bias", 1.0),
    };
    void *sum;

    if (y == NULL)
        return true;
    sum = memory_alloc((size_t)image.pixels, dtype_size(x->dtype));
    CALL_REAL(call->input[0]->dtype, neighbours, &image, &around, x->data, sum, y->data);
    free(sum);
    return true;
}

/* --- LpNormalization --- */

static bool lp_accepts(const struct call *call)
{
    int64_t p = computation_integer(call->computation, "p", 2);

    if (!accept_inputs(call, 1) || !attributes_among(call, "axis p") ||
        !accept_types(call, 0, 1, TYPES_REAL) || !accept_output(call, 0, call->input[0]->dtype) ||
        !accept_shape(call, 0, 0) || !accept_axis(call, -1, call->input[0]->rank))
        return false;
    return p == 1 || p == 2 || error_set(call->error, "a norm of order %" PRId64, p);
}

static bool lp_run(const struct call *call)
{
    const struct tensor *x = call->input[0], *y = call_output(call, 0);
    int p = (int)computation_integer(call->computation, "p", 2);
    int axis = call_axis(computation_integer(call->computation, "axis", -1), x->rank);

    if (y == NULL)
        return true;
    CALL_REAL(call->input[0]->dtype, lengths, along_axis(x, axis), p, x->data, y->data);
    return true;
}

/* --- MeanVarianceNormalization --- */

/* The axes over which moments are, as bits; 0 and refused where one is none.  */
static unsigned moment_axes(const struct call *call)
{
    static const int64_t usual[] = {0, 2, 3};
    size_t count;
    const int64_t *number = computation_integers(call->computation, "axes", &count);
    unsigned axes = 0;

    if (number == NULL) {
        number = usual;
        count = sizeof usual / sizeof usual[0];
    }
    for (size_t i = 0; i < count; i++) {
        int axis = call_axis(number[i], call->input[0]->rank);

        if (axis < 0) {
            error_set(call->error, "axis %" PRId64 " of a tensor of rank %d", number[i],
                      call->input[0]->rank);
            return 0;
        }
        axes |= 1u << axis;
    }
    return axes;
}

static bool moments_accepts(const struct call *call)
{
    return accept_inputs(call, 1) && attributes_among(call, "axes") &&
           accept_types(call, 0, 1, TYPES_REAL) && accept_output(call, 0, call->input[0]->dtype) &&
           accept_shape(call, 0, 0) && moment_axes(call) != 0;
}

static void gather(const struct call *call, struct strided loops, const double *mean, int power,
                   double *sum)
{
    CALL_REAL(call->input[0]->dtype, gather, loops, call->input[0]->data, mean, power, sum);
}

/* SUM: the means' and the deviations' memory, GROUPS each.  */
static void standardise(const struct call *call, struct strided loops, double *sum, int64_t groups)
{
    const void *x = call->input[0]->data;
    int64_t each = tensor_elements(call->input[0]) / groups;

    gather(call, loops, NULL, 1, sum);
    for (int64_t g = 0; g < groups; g++)
        sum[g] /= (double)each;
    gather(call, loops, sum, 2, sum + groups);
    for (int64_t g = groups; g < 2 * groups; g++)
        sum[g] = sqrt(sum[g] / (double)each) + 1e-9;
    CALL_REAL(call->input[0]->dtype, standard, loops, x, sum, sum + groups, call->output[0]->data);
}

static bool moments_run(const struct call *call)
{
    const struct tensor *x = call->input[0];
    struct tensor group = *x;
    const struct tensor *to = &group;
    unsigned axes = moment_axes(call);
    struct strided loops;
    double *sum;

    if (call_output(call, 0) == NULL || tensor_elements(x) == 0)
        return true;
    for (int d = 0; d < x->rank; d++)
        if ((axes >> d & 1) != 0)
            group.dim[d] = 1;
    strided_broadcast(&loops, x, &to, 1);
    sum = memory_zalloc(2 * (size_t)tensor_elements(&group), sizeof *sum);
    standardise(call, loops, sum, tensor_elements(&group));
    free(sum);
    return true;
}

const struct operator_rule operators_normalise[] = {
    {"BatchNormalization", batch_accepts, batch_run, 0},
    {"InstanceNormalization", group_accepts, group_run, INSTANCES},
    {"GroupNormalization", group_accepts, group_run, GROUPS},
    {"LayerNormalization", layer_accepts, layer_run, CENTRED},
    {"RMSNormalization", layer_accepts, layer_run, SQUARES},
    {"LRN", lrn_accepts, lrn_run, 0},
    {"LpNormalization", lp_accepts, lp_run, 0},
    {"MeanVarianceNormalization", moments_accepts, moments_run, 0},
    {0},
};
