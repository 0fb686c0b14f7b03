#include <config.h>

#include "runtime/wide.h"

#include <math.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/graph/computation.h"
#include "lib/graph/control.h"
#include "lib/graph/elements.h"
#include "lib/graph/network.h"
#include "runtime/memory.h"
#include "runtime/operators/operator.h"

/* ONNX's numbers of the two types.  */
enum { ONNX_FLOAT = 1, ONNX_DOUBLE = 11 };

/* --- the network in double --- */

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

/* Operators that make elements of a type that an attribute names.  */
static void widen_types(struct computation *computation)
{
    static const char *const names[] = {"to", "dtype", "output_dtype"};

    for (; computation != NULL; computation = computation->then)
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
            for (size_t a = 0; a < computation->attributes; a++) {
                struct attribute *attribute = &computation->attribute[a];

                if (strcmp(attribute->name, names[i]) == 0 && attribute->integers == 1 &&
                    attribute->integer[0] == ONNX_FLOAT)
                    attribute->integer[0] = ONNX_DOUBLE;
            }
}

static void widen(struct network *network)
{
    for (size_t v = 0; v < network->n_values; v++) {
        struct value *value = &network->value[v];

        if (value->dtype != DTYPE_F32)
            continue;
        value->dtype = DTYPE_F64;
        if (value->elements != NULL)
            network_set_elements(network, v, widened(value->elements));
    }
    for (size_t o = 0; o < network->n_ops; o++) {
        struct control *control = network->op[o].control;

        widen_types(network->op[o].computation);
        for (size_t i = 0; control != NULL && i < control->bodies; i++)
            widen(control->body[i].network);
    }
}

struct network *network_widened(const struct network *network)
{
    struct network *wide = network_copy(network);

    widen(wide);
    return wide;
}

/* --- the distance --- */

static double distance_of_reals(const float *narrow, const double *wide, int64_t count)
{
    double most = 0.0, largest = 0.0;

    for (int64_t i = 0; i < count; i++) {
        double difference = fabs((double)narrow[i] - wide[i]);

        if (isnan((double)narrow[i]) && isnan(wide[i]))
            continue;
        if ((double)narrow[i] == wide[i]) /* infinities too */
            difference = 0.0;
        if (isnan(difference))
            return NAN;
        most = fmax(most, difference);
        if (isfinite(wide[i]))
            largest = fmax(largest, fabs(wide[i]));
    }
    return most == 0.0 ? 0.0 : most / largest;
}

double run_distance(const struct network *network, const struct run_memory *narrow,
                    const struct run_memory *wide)
{
    double most = 0.0;

    for (size_t v = 0; v < network->n_values; v++) {
        const struct value *value = &network->value[v];
        double distance;

        if (!value->output)
            continue;
        if (value->dtype == DTYPE_F32)
            distance = distance_of_reals(narrow->value[v], wide->value[v], value_elements(value));
        else
            distance = memcmp(narrow->value[v], wide->value[v], (size_t)value_bytes(value)) != 0
                           ? 1.0
                           : 0.0;
        if (isnan(distance))
            return NAN;
        most = fmax(most, distance);
    }
    return most;
}

/* Multiply-accumulates of one element of what OP makes.  */
static double terms_of(const struct network *network, const struct network_op *op)
{
    int64_t elements = 0;

    for (size_t i = 0; i < op->outputs; i++)
        elements += value_elements(&network->value[op->output[i]]);
    return op->macs > elements && elements > 0 ? (double)op->macs / (double)elements : 1.0;
}

double run_distance_bound(const struct network *network)
{
    double sum = 0.0;

    for (size_t o = 0; o < network->n_ops; o++)
        sum += sqrt(terms_of(network, &network->op[o]));
    return ldexp(sum, -24);
}
