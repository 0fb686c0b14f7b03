/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The losses of one real type.  Included once for each, with
 *   REAL     the type
 *   TYPED(x) the names of its functions
 * and with what <tgmath.h> gives.  The guard is around what both types share.  */
#ifndef ARENABENCH_RUNTIME_OPERATORS_LOSS_REAL_H
#define ARENABENCH_RUNTIME_OPERATORS_LOSS_REAL_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/operators/operator.h"

#define LOSS_BLOCK 256

enum loss_reduction { LOSS_NONE, LOSS_SUM, LOSS_MEAN };

struct loss {
    struct along along; /* scores along their classes; a target for each of the others */
    const struct tensor *target;
    bool ignores;
    int64_t ignored; /* a target that costs nothing */
    enum loss_reduction reduction;
};

#endif

/* The cost of target number I before its weight, which goes to *WEIGHT: 0 for an ignored one. False
 * where it is no class.  WEIGHTS is NULL where all classes count alike.  */
static bool TYPED(one)(const struct loss *loss, const REAL *logs, const REAL *weights, int64_t i,
                       REAL *cost, REAL *weight)
{
    int64_t class = tensor_integer(loss->target, i);

    *cost = *weight = 0;
    if (loss->ignores && class == loss->ignored)
        return true;
    if (class < 0 || class >= loss->along.count)
        return false;
    *weight = weights == NULL ? 1 : weights[class];
    *cost = -logs[along_first(&loss->along, i) + class * loss->along.inner] * *weight;
    return true;
}

/* What the targets cost, given logarithms of probabilities.  Sums are made of blocks' sums, so
 * that the error does not grow with the elements.  */
static bool TYPED(cost)(const struct loss *loss, const REAL *logs, const REAL *weights, REAL *out)
{
    int64_t targets = loss->along.outer * loss->along.inner;
    REAL total = 0, total_weight = 0;

    for (int64_t first = 0; first < targets; first += LOSS_BLOCK) {
        int64_t end = targets - first < LOSS_BLOCK ? targets : first + LOSS_BLOCK;
        REAL part = 0, part_weight = 0, cost, weight;

        for (int64_t i = first; i < end; i++) {
            if (!TYPED(one)(loss, logs, weights, i, &cost, &weight))
                return false;
            if (loss->reduction == LOSS_NONE)
                out[i] = cost;
            part += cost;
            part_weight += weight;
        }
        total += part;
        total_weight += part_weight;
    }
    if (loss->reduction != LOSS_NONE)
        *out = loss->reduction == LOSS_SUM ? total : total / total_weight;
    return true;
}
#undef REAL
#undef TYPED
