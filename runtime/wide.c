/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "runtime/wide.h"

#include <stdbool.h>
#include <string.h>

#include "lib/graph/computation.h"
#include "lib/graph/control.h"
#include "lib/graph/elements.h"
#include "lib/graph/network.h"

/* ONNX's numbers of the two types.  */
enum { ONNX_FLOAT = 1, ONNX_DOUBLE = 11 };

static struct elements *widened(const struct elements *narrow)
{
    size_t count = narrow->bytes / sizeof(float);
    struct elements *wide = elements_new(count * sizeof(double));
    const float *from = narrow->data;
    double *to = wide->data;

    for (size_t i = 0; i < count; i++)
        to[i] = (double)from[i];
    return wide;
}

/* What was computed in single precision, and makes of a type that an attribute names.  */
static void widen_computation(struct computation *computation, bool single)
{
    static const char *const names[] = {"to", "dtype", "output_dtype"};

    for (; computation != NULL; computation = computation->then) {
        computation->widened = single;
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
            for (size_t a = 0; a < computation->attributes; a++) {
                struct attribute *attribute = &computation->attribute[a];

                if (strcmp(attribute->name, names[i]) == 0 && attribute->integers == 1 &&
                    attribute->integer[0] == ONNX_FLOAT)
                    attribute->integer[0] = ONNX_DOUBLE;
            }
    }
}

static bool is_single(const struct network *network, const struct network_op *op)
{
    for (size_t i = 0; i < op->inputs; i++)
        if (network->value[op->input[i]].dtype == DTYPE_F32)
            return true;
    return false;
}

static void widen(struct network *network)
{
    for (size_t o = 0; o < network->n_ops; o++) {
        struct control *control = network->op[o].control;

        widen_computation(network->op[o].computation, is_single(network, &network->op[o]));
        for (size_t i = 0; control != NULL && i < control->bodies; i++)
            widen(control->body[i].network);
    }
    for (size_t v = 0; v < network->n_values; v++) {
        struct value *value = &network->value[v];

        if (value->dtype != DTYPE_F32)
            continue;
        value->dtype = DTYPE_F64;
        if (value->elements != NULL)
            network_set_elements(network, v, widened(value->elements));
    }
}

struct network *network_widened(const struct network *network)
{
    struct network *wide = network_copy(network);

    widen(wide);
    return wide;
}
