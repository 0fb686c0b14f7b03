/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Losses and their gradients on elements of type REAL: included once for each type by
 * gradient_loss.c, which says what REAL and TYPED are.  Labels have been checked.  */
#ifndef ARENABENCH_RUNTIME_OPERATORS_GRADIENT_LOSS_REAL_H
#define ARENABENCH_RUNTIME_OPERATORS_GRADIENT_LOSS_REAL_H

static void TYPED(cross_entropy)(const struct along *along, const struct tensor *labels,
                                 const REAL *x, REAL *logarithm, REAL *loss)
{
    const int64_t count = along->outer * along->inner;
    REAL sum = 0;

    TYPED(log_softmax)(along, x, logarithm);
    for (int64_t i = 0; i < count; i++)
        sum -= logarithm[labelled(along, labels, i)];
    *loss = sum / (REAL)count;
}

static void TYPED(cross_entropy_gradient)(const struct along *along, const struct tensor *labels,
                                          const REAL *logarithm, REAL *to)
{
    const int64_t count = along->outer * along->inner;

    for (int64_t i = 0; i < count * along->count; i++)
        to[i] = exp(logarithm[i]) / (REAL)count;
    for (int64_t i = 0; i < count; i++)
        to[labelled(along, labels, i)] -= 1 / (REAL)count;
}

static void TYPED(likelihood)(const struct along *along, const struct tensor *labels, const REAL *x,
                              REAL *loss)
{
    const int64_t count = along->outer * along->inner;
    REAL sum = 0;

    for (int64_t i = 0; i < count; i++)
        sum -= log(x[labelled(along, labels, i)]);
    *loss = sum / (REAL)count;
}

static void TYPED(likelihood_gradient)(const struct along *along, const struct tensor *labels,
                                       const REAL *x, REAL *to)
{
    const int64_t count = along->outer * along->inner;

    for (int64_t i = 0; i < count * along->count; i++)
        to[i] = 0;
    for (int64_t i = 0; i < count; i++) {
        int64_t at = labelled(along, labels, i);

        to[at] = -1 / (x[at] * (REAL)count);
    }
}

#undef REAL
#undef TYPED
#undef ARENABENCH_RUNTIME_OPERATORS_GRADIENT_LOSS_REAL_H
#endif
