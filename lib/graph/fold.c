/* SPDX-License-Identifier: GPL-3.0-or-later */
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

/* Which of the weights' dimensions is the output channels: the first; or the second, those of one
 * group, for each of so many groups of the first.  */
struct channels {
    bool known, second;
    int64_t groups;
};

static struct channels channels_of(const struct computation *computation)
{
    const char *name = computation->name;

    if (strcmp(name, "Conv") == 0 || strcmp(name, ".Linear") == 0)
        return (struct channels){true, false, 1};
    if (strcmp(name, "ConvTranspose") == 0)
        return (struct channels){true, true, computation_integer(computation, "group", 1)};
    return (struct channels){
        .known = strcmp(name, "Gemm") == 0 && computation_real(computation, "alpha", 1.0) == 1.0 &&
                 computation_real(computation, "beta", 1.0) == 1.0,
        .second = computation_integer(computation, "transB", 0) == 0,
        .groups = 1,
    };
}

static struct elements *new_weights(const struct value *weights, const float *old,
                                    const struct channels *channels, const struct affine *affine)
{
    struct elements *elements = elements_new((size_t)value_bytes(weights));
    int64_t rows = channels->groups, columns = weights->dim[channels->second], i = 0;
    int64_t inputs = channels->second ? weights->dim[0] / rows : 1;
    int64_t each = value_elements(weights) / (rows * inputs * columns);
    float *new = elements->data;

    for (int64_t row = 0; row < rows * inputs; row++)
        for (int64_t column = 0; column < columns; column++) {
            double by = factor(affine, row / inputs * columns + column);

            for (int64_t end = i + each; i < end; i++)
                new[i] = (float)(by * (double)old[i]);
        }
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

/* Whether LAYER of OLD is normalised by what NORM has, and by nothing else.  */
static bool is_normalised_alike(const struct network *old, const struct network_op *layer,
                                const struct network_op *norm)
{
    const struct value *made = &old->value[layer->output[0]];
    const struct network_op *other;

    if (made->readers != 1)
        return false;
    other = &old->op[made->reader[0]];
    if (other->kind != norm->kind || other->computation == NULL || other->inputs != norm->inputs)
        return false;
    for (size_t i = SCALE; i < norm->inputs; i++)
        if (other->input[i] != norm->input[i])
            return false;
    return computation_real(other->computation, "epsilon", 1e-5) ==
           computation_real(norm->computation, "epsilon", 1e-5);
}

/* Whether all layers that read stored value V of OLD come to the same product of it.  */
static bool have_one_product(const struct network *old, size_t v, const struct network_op *norm)
{
    for (size_t r = 0; r < old->value[v].readers; r++)
        if (!is_normalised_alike(old, &old->op[old->value[v].reader[r]], norm))
            return false;
    return true;
}

/* The product may be there already: of another layer with the same weights.  */
static void multiply_out(struct network *network, const struct network_op *op,
                         const struct network *old, const struct network_op *layer,
                         const struct affine *affine)
{
    bool had_bias = layer->inputs > 2;
    size_t w = op->input[1], b = op->input[2];
    const struct value *weights = &network->value[w], *bias = &network->value[b];
    const struct elements *before = old->value[layer->input[1]].elements;
    struct channels channels = channels_of(layer->computation);

    if (weights->elements == before)
        network_set_elements(network, w, new_weights(weights, before->data, &channels, affine));
    if (!had_bias)
        network_set_elements(network, b, new_bias(bias, NULL, affine));
    else if (bias->elements == old->value[layer->input[2]].elements)
        network_set_elements(network, b, new_bias(bias, bias->elements->data, affine));
}

/* Whether LAYER and what it reads let the product be worked out.  */
static bool is_known(const struct network *old, const struct network_op *layer,
                     const struct network_op *norm)
{
    bool had_bias = layer->inputs > 2;

    return channels_of(layer->computation).known && floats_of(old, layer->input[1]) != NULL &&
           value_elements(&old->value[layer->input[1]]) > 0 &&
           (!had_bias || floats_of(old, layer->input[2]) != NULL) &&
           have_one_product(old, layer->input[1], norm) &&
           (!had_bias || have_one_product(old, layer->input[2], norm));
}

void fold_norm(struct network *network, size_t layer, const struct network *old,
               const struct network_op *norm)
{
    const struct network_op *op = &network->op[layer], *was;
    struct computation *whole;
    struct affine affine;

    if (op->computation == NULL || norm->computation == NULL) {
        network_set_computation(network, layer, NULL);
        return;
    }
    was = &old->op[old->value[norm->input[0]].producer];
    whole = computation_copy(op->computation);
    computation_use_input(whole, 2, 2);
    network_set_computation(network, layer, whole);
    if (is_known(old, was, norm) && read_norm(old, norm, &affine)) {
        multiply_out(network, op, old, was, &affine);
        return;
    }
    network_set_elements(network, op->input[1], NULL);
    network_set_elements(network, op->input[2], NULL);
}
