/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "runtime/inputs.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/checksum.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/graph/computation.h"
#include "lib/graph/elements.h"
#include "lib/graph/network.h"
#include "runtime/changes.h"
#include "runtime/memory.h"
#include "runtime/operators/operator.h"

struct run_inputs {
    size_t values;
    struct elements **elements; /* one a value; NULL: it is not written */
};

/* The rows of the table, or the classes of the loss, that OP has V's numbers pick from, its second
 * input; 0: it is neither.  */
static int64_t choices_of(const struct network *network, const struct network_op *op, size_t v)
{
    const struct computation *computation = op->computation;
    const struct value *from;

    if (computation == NULL || computation->inputs != 2 || computation->input[0] == NETWORK_NONE ||
        computation->input[1] == NETWORK_NONE || op->input[computation->input[1]] != v)
        return 0;
    from = &network->value[op->input[computation->input[0]]];
    if (strcmp(computation->name, "Gather") == 0)
        return computation_integer(computation, "axis", 0) == 0 ? from->dim[0] : 0;
    if (strcmp(computation->name, ".CrossEntropyLoss") == 0 ||
        strcmp(computation->name, ".LikelihoodLoss") == 0)
        return from->dim[computation_integer(computation, "axis", 0)];
    return 0;
}

/* From how many things value V picks; 0: it picks from none.  */
static int64_t choices(const struct network *network, size_t v)
{
    const struct value *value = &network->value[v];
    int64_t count = 0;

    for (size_t r = 0; r < value->readers && count == 0; r++)
        count = choices_of(network, &network->op[value->reader[r]], v);
    return count;
}

static void draw(const struct network *network, size_t v, struct tensor *tensor)
{
    const char *name = network->value[v].name;
    uint64_t sum = checksum_bytes(CHECKSUM_START, name, strlen(name));
    int64_t count = tensor_elements(tensor), most = choices(network, v) - 1;
    struct rng *rng = rng_new((uint32_t)(sum ^ sum >> 32) | 1U);

    for (int64_t i = 0; i < count; i++) {
        if (tensor->dtype == DTYPE_F32)
            ((float *)tensor->data)[i] = (float)(2.0 * rng_unit(rng) - 1.0);
        else if (tensor->dtype == DTYPE_F64)
            ((double *)tensor->data)[i] = (double)(float)(2.0 * rng_unit(rng) - 1.0);
        else if (tensor->dtype == DTYPE_I64 && most >= 0)
            ((int64_t *)tensor->data)[i] = rng_range(rng, 0, most);
        else if (tensor->dtype == DTYPE_I32 && most >= 0)
            ((int32_t *)tensor->data)[i] = (int32_t)rng_range(rng, 0, most);
    }
    rng_free(rng);
}

/* GIVEN as VALUE is: the same, or in double.  */
static struct elements *take_given(struct elements *given, const struct value *value)
{
    const size_t bytes = (size_t)value_bytes(value), count = bytes / sizeof(double);
    struct elements *wide;

    if (value->dtype != DTYPE_F64 || given->bytes == bytes)
        return elements_hold(given);
    wide = elements_new(bytes);
    for (size_t i = 0; i < count; i++)
        ((double *)wide->data)[i] = (double)((const float *)given->data)[i];
    return wide;
}

/* What VALUE begins as, or NULL.  */
static struct elements *beginning(const struct network *network, size_t v,
                                  struct elements *const *given)
{
    const struct value *value = &network->value[v];
    struct tensor tensor = {.dtype = value->dtype, .rank = value->rank};
    struct elements *elements;

    if (change_of(network, v) == CHANGE_WEIGHT)
        return elements_hold(value->elements);
    if (change_of(network, v) == CHANGE_STATE)
        return elements_new((size_t)value_bytes(value));
    if (value->role != VALUE_INPUT || value->elements != NULL)
        return NULL;
    if (given != NULL && given[v] != NULL)
        return take_given(given[v], value);
    elements = elements_new((size_t)value_bytes(value));
    memcpy(tensor.dim, value->dim, sizeof tensor.dim);
    tensor.data = elements->data;
    draw(network, v, &tensor);
    return elements;
}

struct run_inputs *run_inputs_new(const struct network *network, struct elements *const *given)
{
    struct run_inputs *inputs = memory_zalloc(1, sizeof *inputs);

    inputs->values = network->n_values;
    inputs->elements = memory_zalloc(network->n_values, sizeof(struct elements *));
    for (size_t v = 0; v < network->n_values; v++)
        inputs->elements[v] = beginning(network, v, given);
    return inputs;
}

void run_inputs_free(struct run_inputs *inputs)
{
    if (inputs == NULL)
        return;
    for (size_t v = 0; v < inputs->values; v++)
        elements_release(inputs->elements[v]);
    free(inputs->elements);
    free(inputs);
}

void run_inputs_write(const struct run_inputs *inputs, const struct run_memory *memory)
{
    for (size_t v = 0; v < inputs->values; v++)
        if (inputs->elements[v] != NULL)
            memcpy(memory->value[v], inputs->elements[v]->data, inputs->elements[v]->bytes);
}

const struct elements *run_input(const struct run_inputs *inputs, size_t v)
{
    return inputs->elements[v];
}
