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
#include "runtime/memory.h"
#include "runtime/operators/operator.h"

struct run_inputs {
    size_t values;
    struct elements **elements; /* one a value; NULL: no input */
};

/* The rows of the table that value V picks from; 0: it picks from none.  */
static int64_t table_rows(const struct network *network, size_t v)
{
    const struct value *value = &network->value[v];

    for (size_t r = 0; r < value->readers; r++) {
        const struct network_op *op = &network->op[value->reader[r]];
        const struct computation *computation = op->computation;

        if (computation == NULL || strcmp(computation->name, "Gather") != 0 ||
            computation->inputs < 2 || computation->input[1] == NETWORK_NONE ||
            op->input[computation->input[1]] != v || computation_integer(computation, "axis", 0))
            continue;
        return network->value[op->input[computation->input[0]]].dim[0];
    }
    return 0;
}

static void draw(const struct network *network, size_t v, struct tensor *tensor)
{
    const char *name = network->value[v].name;
    uint64_t sum = checksum_bytes(CHECKSUM_START, name, strlen(name));
    int64_t count = tensor_elements(tensor), rows = table_rows(network, v);
    struct rng *rng = rng_new((uint32_t)(sum ^ sum >> 32) | 1U);

    for (int64_t i = 0; i < count; i++) {
        if (tensor->dtype == DTYPE_F32)
            ((float *)tensor->data)[i] = (float)(2.0 * rng_unit(rng) - 1.0);
        else if (tensor->dtype == DTYPE_F64)
            ((double *)tensor->data)[i] = (double)(float)(2.0 * rng_unit(rng) - 1.0);
        else if (tensor->dtype == DTYPE_I64 && rows > 0)
            ((int64_t *)tensor->data)[i] = rng_range(rng, 0, rows - 1);
        else if (tensor->dtype == DTYPE_I32 && rows > 0)
            ((int32_t *)tensor->data)[i] = (int32_t)rng_range(rng, 0, rows - 1);
    }
    rng_free(rng);
}

struct run_inputs *run_inputs_new(const struct network *network)
{
    struct run_inputs *inputs = memory_zalloc(1, sizeof *inputs);

    inputs->values = network->n_values;
    inputs->elements = memory_zalloc(network->n_values, sizeof(struct elements *));
    for (size_t v = 0; v < network->n_values; v++) {
        const struct value *value = &network->value[v];
        struct tensor tensor = {.dtype = value->dtype, .rank = value->rank};

        if (value->role != VALUE_INPUT || value->elements != NULL)
            continue;
        inputs->elements[v] = elements_new((size_t)value_bytes(value));
        memcpy(tensor.dim, value->dim, sizeof tensor.dim);
        tensor.data = inputs->elements[v]->data;
        draw(network, v, &tensor);
    }
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
