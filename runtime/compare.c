/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "runtime/compare.h"

#include <math.h>
#include <string.h>

#include "lib/graph/control.h"
#include "lib/graph/network.h"
#include "lib/lifetimes/origin.h"
#include "lib/problem/instance.h"
#include "runtime/inputs.h"
#include "runtime/memory.h"
#include "runtime/run.h"

/* --- runs --- */

/* Runs NETWORK on MEMORY, which is handed on, or freed after a failure.  */
static struct run_memory *run_on(struct run_memory *memory, const struct network *network,
                                 const struct schedule *schedule, const struct run_options *options,
                                 struct error *error)
{
    struct run *run = run_new(network, schedule, memory, options, error);
    struct run_inputs *inputs;
    bool good = false;

    if (run != NULL) {
        inputs = run_inputs_new(network);
        run_inputs_write(inputs, memory);
        good = run_once(run, error);
        run_inputs_free(inputs);
    }
    run_free(run);
    if (good)
        return memory;
    run_memory_free(memory);
    return NULL;
}

struct run_memory *run_apart(const struct network *network, const struct schedule *schedule,
                             const struct run_options *options, struct error *error)
{
    return run_on(run_memory_plain(network), network, schedule, options, error);
}

struct run_memory *run_planned(const struct instance *instance, const struct plan *plan,
                               const struct run_options *options, struct error *error)
{
    const struct origin *origin = instance->origin;
    struct run_memory *memory = run_memory_planned(instance, plan, error);

    if (memory == NULL)
        return NULL;
    return run_on(memory, origin->network, origin->schedule, options, error);
}

const char *run_differs(const struct network *network, const struct run_memory *a,
                        const struct run_memory *b)
{
    for (size_t v = 0; v < network->n_values; v++)
        if (network->value[v].output &&
            memcmp(a->value[v], b->value[v], (size_t)value_bytes(&network->value[v])) != 0)
            return network->value[v].name;
    return NULL;
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

/* Of all that is computed one after the other: a loop's in every iteration, of branches the one
 * with the most.  */
static double sum_of_roots(const struct network *network)
{
    double sum = 0.0;

    for (size_t o = 0; o < network->n_ops; o++) {
        const struct control *control = network->op[o].control;
        double most = 0.0;

        if (control == NULL) {
            sum += sqrt(terms_of(network, &network->op[o]));
            continue;
        }
        for (size_t b = 0; b < control->bodies; b++)
            most = fmax(most, sum_of_roots(control->body[b].network));
        sum += most * (double)control->trips;
    }
    return sum;
}

double run_distance_bound(const struct network *network)
{
    return ldexp(sum_of_roots(network), -24);
}
