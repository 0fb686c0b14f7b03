#include <config.h>

#include "runtime/convolution.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/graph/computation.h"
#include "lib/graph/elements.h"
#include "lib/graph/network.h"

/* Room behind what vectors read past the end of.  */
enum { ALIGNMENT = 64, SPARE = 64 };

static const float *stored_floats(const struct network *network, const struct network_op *op,
                                  size_t input)
{
    const struct computation *computation = op->computation;
    size_t slot = input < computation->inputs ? computation->input[input] : NETWORK_NONE;
    const struct value *value;

    if (slot == NETWORK_NONE)
        return NULL;
    value = &network->value[op->input[slot]];
    return value->elements == NULL ? NULL : value->elements->data;
}

/* Weights that another operator makes could not be packed before the run.  */
static bool is_stored(const struct network *network, const struct network_op *op)
{
    const struct computation *computation = op->computation;

    for (size_t i = 1; i < computation->inputs; i++)
        if (computation->input[i] != NETWORK_NONE && stored_floats(network, op, i) == NULL)
            return false;
    return true;
}

static bool suits(const struct network *network, const struct network_op *op, struct error *error)
{
    if (op->kind != OP_CONV || op->conv.n == 0 || op->computation == NULL ||
        strcmp(op->computation->name, "Conv") != 0)
        return error_set(error, "no plain two-dimensional convolution");
    if (network->value[op->input[0]].dtype != DTYPE_F32)
        return error_set(error, "its elements are %s, expected f32",
                         dtype_name(network->value[op->input[0]].dtype));
    return is_stored(network, op) || error_set(error, "its weights are made in the run");
}

bool convolution_make(struct convolution *convolution, const struct conv_kernel *kernel,
                      const struct conv_request *request, const struct network *network,
                      const struct network_op *op, struct error *error)
{
    struct conv_request own = *request;
    struct params none;
    bool good;

    *convolution = (struct convolution){0};
    if (!suits(network, op, error))
        return false;
    own.shape = op->conv;
    own.relu = op->computation->then != NULL && strcmp(op->computation->then->name, "Relu") == 0;
    if (!params_parse(&none, kernel->name, NULL, &kernel->params, kernel->params != NULL, error))
        return false;
    good = conv_plan_make(&convolution->plan, kernel, &own, &none, error);
    params_clear(&none);
    if (!good)
        return false;
    convolution->relu = own.relu;
    convolution->packed =
        memory_aligned(ALIGNMENT, (size_t)convolution->plan.packed_floats * sizeof(float) + SPARE);
    convolution->plan.kernel->pack(&convolution->plan, stored_floats(network, op, 1),
                                   stored_floats(network, op, 2), convolution->packed);
    return true;
}

void convolution_clear(struct convolution *convolution)
{
    conv_plan_clear(&convolution->plan);
    free(convolution->packed);
    *convolution = (struct convolution){0};
}

void convolution_run(const struct convolution *convolution, const float *input, float *output)
{
    convolution->plan.kernel->run(&convolution->plan, input, convolution->packed, output);
}
