/* Normalisations: BatchNormalization (ONNX's text since version 7; `training_mode` since 14),
 * InstanceNormalization, GroupNormalization (18: a factor a group; 21: a channel), LRN;
 * LayerNormalization; and along one axis Softmax, LogSoftmax and Hardmax, whose lines are all that
 * lies behind the axis before version 13, and LpNormalization.  */
#include <config.h>

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <tgmath.h>

#include "lib/base/memory.h"
#include "runtime/operators/accept.h"
#include "runtime/operators/attributes.h"
#include "runtime/operators/operator.h"

enum line_norm { LINE_SOFTMAX, LINE_LOG_SOFTMAX, LINE_HARDMAX, LINE_NORM };

#define REAL float
#define TYPED(name) name##_f32
#include "runtime/operators/normalise_real.h"
#undef REAL
#undef TYPED
#define REAL double
#define TYPED(name) name##_f64
#include "runtime/operators/normalise_real.h"
#undef REAL
#undef TYPED

/* Calls FUNCTION of the type of the call's first input.  */
#define CALL(call, function, ...)                                             \
    ((call)->input[0]->dtype == DTYPE_F32 ? (void)function##_f32(__VA_ARGS__) \
                                          : (void)function##_f64(__VA_ARGS__))

static void *data_of(const struct call *call, size_t input)
{
    return call_input(call, input) == NULL ? NULL : call_input(call, input)->data;
}

static void *made_at(const struct call *call, size_t output)
{
    return call_output(call, output) == NULL ? NULL : call_output(call, output)->data;
}

/* Reals, the first INPUTS there and the output like the first of them.  */
static bool accepts_reals(const struct call *call, const char *attributes, size_t inputs)
{
    return attributes_among(call, attributes) && accept_inputs(call, inputs) &&
           accept_types(call, 0, call->inputs, TYPES_REAL) && accept_shape(call, 0, 0) &&
           accept_output(call, 0, call->input[0]->dtype);
}

static double epsilon_of(const struct call *call)
{
    return computation_real(call->computation, "epsilon", 1e-5);
}

/* Images of any number of dimensions, one of a channel at least.  */
static struct images images_of(const struct tensor *x)
{
    struct images images = {1, 1, 1};

    if (x->rank > 0)
        images.images = x->dim[0];
    if (x->rank > 1)
        images.channels = x->dim[1];
    for (int i = 2; i < x->rank; i++)
        images.pixels *= x->dim[i];
    return images;
}

/* Inputs [FIRST, END) have COUNT elements each.  */
static bool accept_vectors(const struct call *call, size_t first, size_t end, int64_t count)
{
    for (size_t i = first; i < end; i++)
        if (call_input(call, i) != NULL && tensor_elements(call->input[i]) != count)
            return error_set(call->error, "input %zu has %" PRId64 " elements, expected %" PRId64,
                             i, tensor_elements(call->input[i]), count);
    return true;
}

/* --- batches --- */

enum { SCALE = 1, SHIFT, MEAN, VARIANCE, BATCH_INPUTS };

static bool trains(const struct call *call)
{
    return computation_integer(call->computation, "training_mode", 0) != 0;
}

static bool batch_accepts(const struct call *call)
{
    if (!accepts_reals(call, "epsilon momentum spatial training_mode", BATCH_INPUTS))
        return false;
    if (call->computation->version < 7 || computation_integer(call->computation, "spatial", 1) != 1)
        return error_set(call->error, "of version %" PRId64 ", or not spatial",
                         call->computation->version);
    if (call->outputs > 1 && !trains(call) && call_output(call, 1) != NULL)
        return error_set(call->error, "statistics are an output of inference");
    if (call->outputs > 3)
        return error_set(call->error, "%zu outputs, expected up to 3", call->outputs);
    return accept_vectors(call, SCALE, BATCH_INPUTS, images_of(call->input[0]).channels);
}

/* What is kept of the statistics that were, with those of this batch.  */
static void keep_running(const struct call *call, size_t output, size_t input, const double *now,
                         int64_t channels)
{
    double momentum = computation_real(call->computation, "momentum", 0.9);
    struct tensor *running = (struct tensor *)call_output(call, output);

    for (int64_t k = 0; running != NULL && k < channels; k++) {
        double next = tensor_real(call->input[input], k) * momentum + now[k] * (1.0 - momentum);

        if (running->dtype == DTYPE_F32)
            ((float *)running->data)[k] = (float)next;
        else
            ((double *)running->data)[k] = next;
    }
}

static bool train(const struct call *call, const struct images *shape)
{
    bool single = call->input[0]->dtype == DTYPE_F32;
    size_t channels = (size_t)shape->channels;
    void *mean = memory_alloc(channels, dtype_size(call->input[0]->dtype));
    void *variance = memory_alloc(channels, dtype_size(call->input[0]->dtype));
    double *wide = memory_alloc(2 * channels, sizeof *wide);

    CALL(call, batch_statistics, shape, data_of(call, 0), mean, variance);
    for (size_t k = 0; k < channels; k++) {
        wide[k] = single ? (double)((float *)mean)[k] : ((double *)mean)[k];
        wide[channels + k] = single ? (double)((float *)variance)[k] : ((double *)variance)[k];
    }
    keep_running(call, 1, MEAN, wide, shape->channels);
    keep_running(call, 2, VARIANCE, wide + channels, shape->channels);
    if (made_at(call, 0) != NULL)
        CALL(call, channels, shape, epsilon_of(call), data_of(call, 0), data_of(call, SCALE),
             data_of(call, SHIFT), mean, variance, made_at(call, 0));
    free(wide);
    free(variance);
    free(mean);
    return true;
}

static bool batch_run(const struct call *call)
{
    struct images shape = images_of(call->input[0]);

    if (trains(call))
        return train(call, &shape);
    if (made_at(call, 0) != NULL)
        CALL(call, channels, &shape, epsilon_of(call), data_of(call, 0), data_of(call, SCALE),
             data_of(call, SHIFT), data_of(call, MEAN), data_of(call, VARIANCE), made_at(call, 0));
    return true;
}

/* --- instances, groups, layers --- */

static bool instance_accepts(const struct call *call)
{
    return accepts_reals(call, "epsilon", 3) &&
           accept_vectors(call, SCALE, SHIFT + 1, images_of(call->input[0]).channels);
}

static bool instance_run(const struct call *call)
{
    struct images shape = images_of(call->input[0]);
    int64_t rows = shape.images * shape.channels;

    if (made_at(call, 0) == NULL || shape.pixels == 0)
        return true;
    CALL(call, standardise, rows, shape.pixels, epsilon_of(call), data_of(call, 0),
         made_at(call, 0), NULL, NULL);
    CALL(call, stretch, rows, shape.pixels, shape.pixels, shape.channels, data_of(call, SCALE),
         data_of(call, SHIFT), made_at(call, 0));
    return true;
}

static int64_t groups_of(const struct call *call)
{
    return computation_integer(call->computation, "num_groups", 0);
}

static bool group_accepts(const struct call *call)
{
    int64_t channels, groups = groups_of(call);

    if (!accepts_reals(call, "epsilon num_groups stash_type", 3))
        return false;
    channels = images_of(call->input[0]).channels;
    if (groups < 1 || channels % groups != 0)
        return error_set(call->error, "%" PRId64 " groups of %" PRId64 " channels", groups,
                         channels);
    return accept_vectors(call, SCALE, SHIFT + 1,
                          call->computation->version < 21 ? groups : channels);
}

static bool group_run(const struct call *call)
{
    struct images shape = images_of(call->input[0]);
    int64_t groups = groups_of(call), rows = shape.images * groups;
    int64_t length = shape.channels / groups * shape.pixels;
    bool by_group = call->computation->version < 21;

    if (made_at(call, 0) == NULL || length == 0)
        return true;
    CALL(call, standardise, rows, length, epsilon_of(call), data_of(call, 0), made_at(call, 0),
         NULL, NULL);
    CALL(call, stretch, rows, length, by_group ? length : shape.pixels,
         by_group ? groups : shape.channels, data_of(call, SCALE), data_of(call, SHIFT),
         made_at(call, 0));
    return true;
}

/* Rows are all that lies behind the axis.  */
static int64_t row_length(const struct call *call)
{
    const struct tensor *x = call->input[0];
    int axis = call_axis(computation_integer(call->computation, "axis", -1), x->rank);
    int64_t length = 1;

    for (int i = axis < 0 ? x->rank : axis; i < x->rank; i++)
        length *= x->dim[i];
    return length;
}

static bool layer_accepts(const struct call *call)
{
    return accepts_reals(call, "axis epsilon stash_type", 2) &&
           accept_axis(call, -1, call->input[0]->rank) &&
           accept_output(call, 1, call->input[0]->dtype) &&
           accept_output(call, 2, call->input[0]->dtype) &&
           accept_vectors(call, SCALE, call->inputs, row_length(call));
}

static bool layer_run(const struct call *call)
{
    int64_t length = row_length(call), rows;

    if (length == 0 || made_at(call, 0) == NULL)
        return true;
    rows = tensor_elements(call->input[0]) / length;
    CALL(call, standardise, rows, length, epsilon_of(call), data_of(call, 0), made_at(call, 0),
         made_at(call, 1), made_at(call, 2));
    CALL(call, stretch_rows, rows, length, data_of(call, SCALE), data_of(call, SHIFT),
         made_at(call, 0));
    return true;
}

/* --- across channels --- */

static bool local_accepts(const struct call *call)
{
    int64_t size = computation_integer(call->computation, "size", 0);

    if (!accepts_reals(call, "alpha beta bias size", 1))
        return false;
    return size >= 1 || error_set(call->error, "size=%" PRId64 ", expected 1 or more", size);
}

static bool local_run(const struct call *call)
{
    const struct computation *computation = call->computation;
    struct images shape = images_of(call->input[0]);
    int64_t size = computation_integer(computation, "size", 1);

    /* More than all channels on both sides is all channels.  */
    if (made_at(call, 0) != NULL)
        CALL(call, local, &shape, size, computation_real(computation, "alpha", 1e-4),
             computation_real(computation, "beta", 0.75),
             computation_real(computation, "bias", 1.0), data_of(call, 0), made_at(call, 0));
    return true;
}

/* --- along an axis --- */

static int64_t usual_axis(const struct call *call)
{
    bool flat = call->computation->version < 13 && call_rule(call)->detail != LINE_NORM;

    return flat ? 1 : -1;
}

static bool line_accepts(const struct call *call)
{
    bool norm = call_rule(call)->detail == LINE_NORM;
    int64_t p = computation_integer(call->computation, "p", 2);

    if (!accepts_reals(call, norm ? "axis p" : "axis", 1))
        return false;
    if (p != 1 && p != 2)
        return error_set(call->error, "p=%" PRId64 ", expected 1 or 2", p);
    /* All that lies behind axis 1 of a tensor of one dimension is one element.  */
    return (usual_axis(call) == 1 && call->input[0]->rank == 1 &&
            computation_integer(call->computation, "axis", 1) == 1) ||
           accept_axis(call, usual_axis(call), call->input[0]->rank);
}

static struct lines lines_of(const struct call *call)
{
    const struct tensor *x = call->input[0];
    bool flat = usual_axis(call) == 1;
    int axis = call_axis(computation_integer(call->computation, "axis", usual_axis(call)), x->rank);
    struct lines lines = {1, 1, 1};

    if (axis < 0)
        axis = x->rank;
    for (int i = 0; i < x->rank; i++) {
        if (i < axis)
            lines.outer *= x->dim[i];
        else if (i == axis || flat)
            lines.length *= x->dim[i];
        else
            lines.inner *= x->dim[i];
    }
    return lines;
}

static bool line_run(const struct call *call)
{
    enum line_norm what = (enum line_norm)call_rule(call)->detail;
    struct lines lines = lines_of(call);

    if (made_at(call, 0) != NULL && lines.length > 0)
        CALL(call, along_lines, &lines, what, computation_integer(call->computation, "p", 2),
             data_of(call, 0), made_at(call, 0));
    return true;
}

const struct operator_rule operators_normalise[] = {
    {"BatchNormalization", batch_accepts, batch_run, 0},
    {"InstanceNormalization", instance_accepts, instance_run, 0},
    {"GroupNormalization", group_accepts, group_run, 0},
    {"LayerNormalization", layer_accepts, layer_run, 0},
    {"LRN", local_accepts, local_run, 0},
    {"Softmax", line_accepts, line_run, LINE_SOFTMAX},
    {"LogSoftmax", line_accepts, line_run, LINE_LOG_SOFTMAX},
    {"Hardmax", line_accepts, line_run, LINE_HARDMAX},
    {"LpNormalization", line_accepts, line_run, LINE_NORM},
    {0},
};
