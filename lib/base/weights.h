/* SPDX-License-Identifier: Apache-2.0 */
/* Weights of what fails.  A failure adds an increment, which then grows, so that late failures
 * count for more.  Only ratios of weights count, so all come down together, with the
 * increment, long before they overflow.  */
#ifndef ARENABENCH_LIB_BASE_WEIGHTS_H
#define ARENABENCH_LIB_BASE_WEIGHTS_H

#include <math.h>
#include <stdbool.h>

#define WEIGHTS_MOST 1e100
#define WEIGHTS_LEAST 1e-100

/* The next failure adds FACTOR times as much.  True: the increment and all weights have to come
 * down, by the factor WEIGHTS_MOST.  */
static inline bool weights_grow(double *increment, double factor)
{
    *increment *= factor;
    return *increment >= WEIGHTS_MOST;
}

/* WEIGHT when it has come down; what would underflow stops at the least.  */
static inline double weights_lower(double weight)
{
    return fmax(weight * WEIGHTS_LEAST, WEIGHTS_LEAST);
}

#endif
