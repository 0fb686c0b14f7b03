/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Logarithms of a softmax on elements of type REAL, as losses are made of: included once for each
 * type, by files that say what REAL and TYPED are and include <tgmath.h>.  All is of that type, so
 * that a loss and its gradient fit each other; softmax.c has the operator.  */
#ifndef ARENABENCH_RUNTIME_OPERATORS_LOG_SOFTMAX_REAL_H
#define ARENABENCH_RUNTIME_OPERATORS_LOG_SOFTMAX_REAL_H

static void TYPED(log_softmax)(const struct along *along, const REAL *x, REAL *y)
{
    for (int64_t i = 0; i < along->outer * along->inner; i++) {
        int64_t first = along_first(along, i), end = first + along->count * along->inner;
        REAL most = -(REAL)INFINITY, sum = 0;

        for (int64_t at = first; at < end; at += along->inner)
            most = x[at] > most ? x[at] : most;
        for (int64_t at = first; at < end; at += along->inner)
            sum += exp(x[at] - most);
        for (int64_t at = first; at < end; at += along->inner)
            y[at] = x[at] - most - log(sum);
    }
}

#undef ARENABENCH_RUNTIME_OPERATORS_LOG_SOFTMAX_REAL_H
#endif
