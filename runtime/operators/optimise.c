/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Updates of weights by their gradients: the only operators that write inputs, the weight and the
 * optimiser's state, where they are.  Their output has no elements.
 *
 *   .Sgd       weight -= rate gradient
 *   .Momentum  state = momentum state + gradient; weight -= rate state
 *   .Adam      Kingma and Ba, "Adam", ICLR 2015, algorithm 1, without the correction of the moments
 *              for their beginning at zero: which step it is, is nowhere in the graph  */
#include <config.h>

#include "runtime/operators/gradient.h"

#include <math.h>
#include <tgmath.h>

#include "runtime/operators/accept.h"
#include "runtime/operators/attributes.h"

enum { WEIGHT, GRADIENT, STATE };
enum { SGD, MOMENTUM, ADAM }; /* as many tensors of state */

struct rates {
    double rate, momentum, beta1, beta2, epsilon;
};

#define UPDATE(type, sgd, momentum_, adam)                                                         \
    static void sgd(const struct rates *rates, int64_t count, type *weight, const type *gradient)  \
    {                                                                                              \
        for (int64_t i = 0; i < count; i++)                                                        \
            weight[i] -= (type)rates->rate * gradient[i];                                          \
    }                                                                                              \
    static void momentum_(const struct rates *rates, int64_t count, type *weight,                  \
                          const type *gradient, type *state)                                       \
    {                                                                                              \
        for (int64_t i = 0; i < count; i++) {                                                      \
            state[i] = (type)rates->momentum * state[i] + gradient[i];                             \
            weight[i] -= (type)rates->rate * state[i];                                             \
        }                                                                                          \
    }                                                                                              \
    static void adam(const struct rates *rates, int64_t count, type *weight, const type *gradient, \
                     type *first, type *second)                                                    \
    {                                                                                              \
        const type b1 = (type)rates->beta1, b2 = (type)rates->beta2;                               \
                                                                                                   \
        for (int64_t i = 0; i < count; i++) {                                                      \
            first[i] = b1 * first[i] + (1 - b1) * gradient[i];                                     \
            second[i] = b2 * second[i] + (1 - b2) * gradient[i] * gradient[i];                     \
            weight[i] -= (type)rates->rate * first[i] / (sqrt(second[i]) + (type)rates->epsilon);  \
        }                                                                                          \
    }
UPDATE(float, sgd_f32, momentum_f32, adam_f32)
UPDATE(double, sgd_f64, momentum_f64, adam_f64)

static bool accepts(const struct call *call)
{
    static const char *const names[] = {"rate", "rate momentum", "rate beta1 beta2 epsilon"};
    size_t inputs = STATE + (size_t)call_rule(call)->detail;

    for (size_t i = 0; i < inputs; i++)
        if (call_input(call, i) == NULL)
            return error_set(call->error, "input %zu is missing", i);
    for (size_t i = 1; i < inputs; i++)
        if (tensor_elements(call->input[i]) != tensor_elements(call->input[WEIGHT]))
            return error_set(call->error, "input %zu has not as many elements as the weight", i);
    return accept_types(call, 0, inputs, TYPES_REAL) &&
           attributes_among(call, names[call_rule(call)->detail]);
}

static bool run(const struct call *call)
{
    const struct computation *computation = call->computation;
    const struct rates rates = {
        .rate = computation_real(computation, "rate", 0.0),
        .momentum = computation_real(computation, "momentum", 0.0),
        .beta1 = computation_real(computation, "beta1", 0.0),
        .beta2 = computation_real(computation, "beta2", 0.0),
        .epsilon = computation_real(computation, "epsilon", 0.0),
    };
    int kind = call_rule(call)->detail;
    void *weight = call->input[WEIGHT]->data;
    const void *gradient = call->input[GRADIENT]->data;
    void *first = kind == SGD ? NULL : call->input[STATE]->data;
    void *second = kind == ADAM ? call->input[STATE + 1]->data : NULL;
    int64_t count = tensor_elements(call->input[WEIGHT]);
    bool single = call->input[WEIGHT]->dtype == DTYPE_F32;

    if (kind == SGD)
        single ? sgd_f32(&rates, count, weight, gradient)
               : sgd_f64(&rates, count, weight, gradient);
    else if (kind == MOMENTUM)
        single ? momentum_f32(&rates, count, weight, gradient, first)
               : momentum_f64(&rates, count, weight, gradient, first);
    else
        single ? adam_f32(&rates, count, weight, gradient, first, second)
               : adam_f64(&rates, count, weight, gradient, first, second);
    return true;
}

const struct operator_rule operators_optimise[] = {
    {".Sgd", accepts, run, SGD},
    {".Momentum", accepts, run, MOMENTUM},
    {".Adam", accepts, run, ADAM},
    {0},
};
