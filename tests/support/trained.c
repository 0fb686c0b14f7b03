/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/support/trained.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/graph/computation.h"
#include "lib/graph/elements.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/graph/train_compute.h"
#include "lib/lifetimes/origin.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "runtime/inputs.h"
#include "runtime/memory.h"
#include "runtime/operators/operator.h"
#include "runtime/run.h"
#include "tests/support/run_solver.h"

/* --- making --- */

/* Weights of layers by how many are added up, everything else around 0.6.  */
void trained_seed(struct network *network, uint32_t seed)
{
    struct rng *rng = rng_new(seed);

    for (size_t v = 0; v < network->n_values; v++) {
        const struct value *value = &network->value[v];
        int64_t count = value_elements(value);
        struct elements *elements;

        if (value->producer != NETWORK_NONE || value->role == VALUE_INPUT ||
            value->elements != NULL || !dtype_is_real(value->dtype))
            continue;
        elements = elements_new((size_t)value_bytes(value));
        for (int64_t i = 0; i < count; i++) {
            double number =
                value->rank < 2
                    ? 0.6 + rng_gaussian(rng, 0.2)
                    : rng_gaussian(rng, sqrt(2.0 * (double)value->dim[0] / (double)count));

            if (value->dtype == DTYPE_F32)
                ((float *)elements->data)[i] = (float)number;
            else
                ((double *)elements->data)[i] = number;
        }
        network_set_elements(network, v, elements);
    }
    rng_free(rng);
}

static bool begin(struct trained *trained, const struct schedule *schedule, struct error *error)
{
    const struct run_options options = {.threads = 1};

    trained->run = run_new(trained->network, schedule, trained->memory, &options, error);
    trained->inputs = run_inputs_new(trained->network, NULL);
    return trained->run != NULL;
}

bool trained_plain(struct trained *trained, const struct network *network, struct error *error)
{
    *trained = (struct trained){.network = network};
    if (!run_check(network, error))
        return false;
    trained->schedule = schedule_file_order(network);
    trained->memory = run_memory_plain(network);
    return begin(trained, trained->schedule, error);
}

bool trained_planned(struct trained *trained, const struct instance *instance, const char *solver,
                     struct error *error)
{
    struct plan *plan;

    *trained = (struct trained){.network = instance->origin->network};
    if (!run_check(trained->network, error))
        return false;
    plan = solver_plan(solver, instance, 1);
    trained->memory = run_memory_planned(instance, plan, error);
    plan_free(plan);
    return trained->memory != NULL && begin(trained, instance->origin->schedule, error);
}

void trained_clear(struct trained *trained)
{
    run_free(trained->run);
    run_inputs_free(trained->inputs);
    run_memory_free(trained->memory);
    schedule_free(trained->schedule);
}

/* --- running --- */

static struct tensor tensor_of(const struct trained *trained, size_t v)
{
    const struct value *value = &trained->network->value[v];
    struct tensor tensor = {
        .dtype = value->dtype, .rank = value->rank, .data = trained->memory->value[v]};

    memcpy(tensor.dim, value->dim, sizeof tensor.dim);
    return tensor;
}

static size_t loss_of(const struct network *network)
{
    size_t v = 0;

    while (!network->value[v].output)
        v++;
    return v;
}

double trained_loss(const struct trained *trained, size_t v, int64_t i, double delta,
                    struct error *error)
{
    struct tensor loss = tensor_of(trained, loss_of(trained->network));

    run_inputs_write(trained->inputs, trained->memory);
    if (delta != 0.0)
        ((double *)trained->memory->value[v])[i] += delta;
    return run_once(trained->run, error) ? tensor_real(&loss, 0) : NAN;
}

bool trained_update(const struct network *network, size_t o, size_t *weight, size_t *gradient)
{
    const struct network_op *op = &network->op[o];

    if (!train_updates(op, 0))
        return false;
    *weight = op->input[0];
    *gradient = op->input[1];
    return true;
}

/* --- finite differences --- */

/* The gradients as they are after a run, of all weights one after the other, and the largest.  */
static double *keep_gradients(const struct trained *trained, double *largest)
{
    const struct network *network = trained->network;
    int64_t count = 0;
    double *kept = NULL;
    size_t v, g;

    *largest = 0.0;
    for (size_t o = 0; o < network->n_ops; o++)
        if (trained_update(network, o, &v, &g)) {
            struct tensor gradient = tensor_of(trained, g);
            int64_t each = tensor_elements(&gradient);

            kept = memory_resize(kept, (size_t)(count + each) + 1, sizeof *kept);
            for (int64_t i = 0; i < each; i++) {
                kept[count + i] = tensor_real(&gradient, i);
                *largest = fmax(*largest, fabs(kept[count + i]));
            }
            count += each;
        }
    return kept;
}

static double largest_of(const double *number, int64_t count)
{
    double largest = 0.0;

    for (int64_t i = 0; i < count; i++)
        largest = fmax(largest, fabs(number[i]));
    return largest;
}

/* The derivative by element I of V, by two runs.  */
static double derive(const struct trained *trained, size_t v, int64_t i, double step,
                     struct error *error)
{
    return (trained_loss(trained, v, i, step, error) - trained_loss(trained, v, i, -step, error)) /
           (2.0 * step);
}

/* One weight V, whose gradient is GRADIENT.  */
static bool differ(const struct trained *trained, size_t v, const double *gradient, double floor,
                   const struct sample *sample, struct rng *rng, struct differences *differences,
                   struct error *error)
{
    const struct value *value = &trained->network->value[v];
    int64_t count = value_elements(value);
    double scale = fmax(largest_of(gradient, count), floor);

    differences->weights++;
    for (int64_t k = 0; k < count && k < sample->at_most; k++) {
        int64_t i = count <= sample->at_most ? k : rng_range(rng, 0, count - 1);
        double slope = derive(trained, v, i, sample->step, error);
        double wrong = fabs(slope - gradient[i]) / scale;

        if (isnan(slope))
            return false;
        differences->elements++;
        /* A NaN stays: a gradient that nobody wrote.  */
        if (!isnan(differences->worst) && !(wrong <= differences->worst)) {
            differences->worst = wrong;
            snprintf(differences->where, sizeof differences->where,
                     "%.40s[%d]: %.9g, by differences %.9g", value->name, (int)i, gradient[i],
                     slope);
        }
    }
    return true;
}

bool trained_differences(const struct trained *trained, const struct sample *sample,
                         struct differences *differences, struct error *error)
{
    struct rng *rng = rng_new(sample->seed);
    double *kept, *next, largest;
    size_t v, g, number = 0;
    bool good;

    *differences = (struct differences){.worst = 0.0};
    good = !isnan(trained_loss(trained, 0, 0, 0.0, error));
    next = kept = keep_gradients(trained, &largest);
    for (size_t o = 0; o < trained->network->n_ops && good; o++)
        if (trained_update(trained->network, o, &v, &g)) {
            if (number++ % sample->every == 0)
                good = differ(trained, v, next, largest * 1e-3, sample, rng, differences, error);
            next += value_elements(&trained->network->value[v]);
        }
    free(kept);
    rng_free(rng);
    return good;
}

/* --- two runs --- */

static size_t value_called(const struct network *network, const char *name)
{
    size_t v = 0;

    while (v < network->n_values && strcmp(network->value[v].name, name) != 0)
        v++;
    return v;
}

static bool is_same(const struct trained *a, const struct trained *b, size_t v)
{
    const struct value *value = &a->network->value[v];
    size_t other = value_called(b->network, value->name);

    return other < b->network->n_values &&
           value_bytes(&b->network->value[other]) == value_bytes(value) &&
           memcmp(a->memory->value[v], b->memory->value[other], (size_t)value_bytes(value)) == 0;
}

/* Whether nothing but updates follows operator O.  */
static bool is_end(const struct network *network, size_t o)
{
    while (o < network->n_ops && train_updates(&network->op[o], 0))
        o++;
    return o == network->n_ops;
}

const char *trained_differs(const struct trained *a, const struct trained *b, struct error *error)
{
    size_t v, g;

    if (isnan(trained_loss(a, 0, 0, 0.0, error)) || isnan(trained_loss(b, 0, 0, 0.0, error)))
        return error->text;
    if (!is_same(a, b, loss_of(a->network)))
        return "the loss";
    for (size_t o = 0; o < a->network->n_ops; o++)
        if (trained_update(a->network, o, &v, &g)) {
            if (!is_same(a, b, v))
                return a->network->value[v].name;
            if (is_end(a->network, o) && !is_same(a, b, g))
                return a->network->value[g].name;
        }
    return NULL;
}
