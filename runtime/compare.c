/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "runtime/compare.h"

#include <math.h>
#include <string.h>

#include "lib/graph/computation.h"
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
        inputs = run_inputs_new(network, options->given);
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

/* Beside a sum no operator rounds more often in a row than a normalisation does: the difference to
 * the mean, what it is divided by, the product with that and with the scale.  Exponentials, what is
 * made of them (exponential.h) and the C library's functions are as near as that, too.  */
enum { IN_A_ROW = 4 };

/* Long sums are made of short ones (sum_real.h, reduce_type.h), of about so many terms.  */
enum { IN_A_BLOCK = 100 };

static bool is_among(const char *name, const char *const *names)
{
    while (*names != NULL && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

/* The terms that are added up one after the other for an element of what OP makes, where they are
 * no products that are counted.  No more than the first input has elements, whatever the axes.  */
static double uncounted_terms(const struct network *network, const struct network_op *op)
{
    static const char *const in_blocks[] = {
        /* clang-format off */
        ".BatchNormalization", ".LayerNormalization", "AveragePool", "BatchNormalization",
        "GlobalAveragePool", "GlobalLpPool", "GridSample", "GroupNormalization",
        "InstanceNormalization", "LRN", "LayerNormalization", "LogSoftmax", "LpNormalization",
        "LpPool", "Mean", "MeanVarianceNormalization", "RMSNormalization", "ReduceL1",
        "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMean", "ReduceProd", "ReduceSum",
        "ReduceSumSquare", "Resize", "RoiAlign", "Softmax", "Sum", "Upsample",
        NULL
        /* clang-format on */
    };
    static const char *const at_once[] = {
        "CumSum", "DFT", "NegativeLogLikelihoodLoss", "STFT", "SoftmaxCrossEntropyLoss", NULL};
    const char *name = op->computation == NULL ? "" : op->computation->name;
    double most;

    /* Of that kind are only those that are given their moments.  */
    if (op->inputs == 0 || op->kind == OP_BATCH_NORM)
        return 1.0;
    most = fmax((double)value_elements(&network->value[op->input[0]]), (double)op->inputs);
    if (is_among(name, at_once))
        return most;
    return is_among(name, in_blocks) ? fmin(most, IN_A_BLOCK) : 1.0;
}

/* Of one element of what OP makes.  */
static double terms_of(const struct network *network, const struct network_op *op)
{
    int64_t elements = 0;

    for (size_t i = 0; i < op->outputs; i++)
        elements += value_elements(&network->value[op->output[i]]);
    return op->macs > elements && elements > 0 ? (double)op->macs / (double)elements
                                               : uncounted_terms(network, op);
}

/* Of OP, and of what it goes on with.  */
static double roundings_of(const struct network *network, const struct network_op *op)
{
    const struct computation *computation = op->computation;
    double roundings = IN_A_ROW + sqrt(terms_of(network, op));

    for (; computation != NULL && computation->then != NULL; computation = computation->then)
        roundings += IN_A_ROW + 1.0;
    return roundings;
}

/* By how much an error of the places that OP looks up, its second input, becomes larger if they
 * were worked out too: from end to end are so many elements, and along each axis neighbours may
 * differ by as much as the largest element.  */
static double amplification(const struct network *network, const struct network_op *op)
{
    static const char *const names[] = {"GridSample", "RoiAlign", NULL};
    const struct value *x;
    double elements = 0.0;

    if (op->inputs < 2 || op->computation == NULL || !is_among(op->computation->name, names) ||
        network->value[op->input[1]].producer == NETWORK_NONE)
        return 0.0;
    x = &network->value[op->input[0]];
    for (int d = 2; d < x->rank; d++)
        elements += (double)x->dim[d];
    return elements;
}

/* Of all that is computed one after the other: a loop's in every iteration, of branches the one
 * with the most.  */
static double sum_of_roundings(const struct network *network)
{
    double sum = 0.0;

    for (size_t o = 0; o < network->n_ops; o++) {
        const struct control *control = network->op[o].control;
        double most = 0.0;

        if (control == NULL) {
            sum += sum * amplification(network, &network->op[o]);
            sum += roundings_of(network, &network->op[o]);
            continue;
        }
        for (size_t b = 0; b < control->bodies; b++)
            most = fmax(most, sum_of_roundings(control->body[b].network));
        sum += most * (double)control->trips;
    }
    return sum;
}

double run_distance_bound(const struct network *network)
{
    return ldexp(sum_of_roundings(network), -24);
}
