#include <config.h>

#include "lib/graph/fold.h"

#include <math.h>
#include <string.h>

#include "lib/graph/computation.h"
#include "lib/graph/elements.h"
#include "lib/graph/network.h"

/* Where the normalisation's inputs lie.  */
enum { SCALE = 1, SHIFT, MEAN, VARIANCE };

static const float *floats_of(const struct network *network, size_t value)
{
    const struct value *stored = &network->value[value];

    return stored->dtype == DTYPE_F32 && stored->elements != NULL ? stored->elements->data : NULL;
}

/* What the layer's output channels are multiplied by, and what is added then.  */
struct affine {
    const float *scale, *shift, *mean, *variance;
    double epsilon;
};

static bool read_norm(const struct network *old, const struct network_op *norm,
                      struct affine *affine)
{
    if (norm->computation == NULL || norm->inputs <= VARIANCE)
        return false;
    affine->scale = floats_of(old, norm->input[SCALE]);
    affine->shift = floats_of(old, norm->input[SHIFT]);
    affine->mean = floats_of(old, norm->input[MEAN]);
    affine->variance = floats_of(old, norm->input[VARIANCE]);
    affine->epsilon = computation_real(norm->computation, "epsilon", 1e-5);
    return affine->scale != NULL && affine->shift != NULL && affine->mean != NULL &&
           affine->variance != NULL;
}

static double factor(const struct affine *affine, int64_t channel)
{
    return (double)affine->scale[channel] /
           sqrt((double)affine->variance[channel] + affine->epsilon);
}

/* Whether the weights' first dimension is the output channels.  */
static bool channels_first(const struct computation *computation)
{
    return strcmp(computation->name, "Conv") == 0 || strcmp(computation->name, ".Linear") == 0 ||
           (strcmp(computation->name, "Gemm") == 0 &&
            computation_integer(computation, "transB", 0) != 0 &&
            computation_real(computation, "alpha", 1.0) == 1.0 &&
            computation_real(computation, "beta", 1.0) == 1.0);
}

static struct elements *new_weights(const struct value *weights, const float *old,
                                    const struct affine *affine)
{
    struct elements *elements = elements_new((size_t)value_bytes(weights));
    int64_t channels = weights->dim[0], each = value_elements(weights) / channels;
    float *new = elements->data;

    for (int64_t k = 0; k < channels; k++)
        for (int64_t i = 0; i < each; i++)
            new[k * each + i] = (float)(factor(affine, k) * (double)old[k * each + i]);
    return elements;
}

/* OLD NULL: there was none.  */
static struct elements *new_bias(const struct value *bias, const float *old,
                                 const struct affine *affine)
{
    struct elements *elements = elements_new((size_t)value_bytes(bias));
    float *new = elements->data;

    for (int64_t k = 0; k < bias->dim[0]; k++) {
        double before = (old == NULL ? 0.0 : (double)old[k]) - (double)affine->mean[k];

        new[k] = (float)(factor(affine, k) * before + (double)affine->shift[k]);
    }
    return elements;
}

static void multiply_out(struct network *network, struct network_op *op, bool had_bias,
                         const struct affine *affine)
{
    size_t w = op->input[1], b = op->input[2];
    const struct value *weights = &network->value[w], *bias = &network->value[b];
    const float *old_weights = floats_of(network, w);
    const float *old_bias = had_bias ? floats_of(network, b) : NULL;
    bool known = channels_first(op->computation) && weights->readers == 1 && bias->readers == 1 &&
                 old_weights != NULL && (!had_bias || old_bias != NULL) && weights->dim[0] > 0;

    struct elements *both[2] = {NULL, NULL};

    if (known) {
        both[0] = new_weights(weights, old_weights, affine);
        both[1] = new_bias(bias, old_bias, affine);
    }
    network_set_elements(network, w, both[0]);
    network_set_elements(network, b, both[1]);
}

void fold_norm(struct network *network, size_t layer, const struct network *old,
               const struct network_op *norm)
{
    struct network_op *op = &network->op[layer];
    struct computation *computation = op->computation, *whole;
    bool had_bias;
    struct affine affine;

    if (computation == NULL || norm->computation == NULL) {
        network_set_computation(network, layer, NULL);
        return;
    }
    had_bias = computation->inputs > 2 && computation->input[2] != NETWORK_NONE;
    whole = computation_copy(computation);
    computation_use_input(whole, 2, 2);
    network_set_computation(network, layer, whole);
    if (read_norm(old, norm, &affine))
        multiply_out(network, op, had_bias, &affine);
    else if (network->value[op->input[1]].elements != NULL) /* of these, the product is not known */
        network_set_elements(network, op->input[1], NULL);
}
