/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions in terms of the exponential, without calls or branches, so that loops of them are
 * vectorised.  What is below the smallest normal number is 0.  */
#ifndef ARENABENCH_RUNTIME_OPERATORS_EXPONENTIAL_H
#define ARENABENCH_RUNTIME_OPERATORS_EXPONENTIAL_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#define REAL float
#define BITS uint32_t
#define MANTISSA 23
#define DOUBLE_PRECISION 0
#define LN2_HIGH 0.693359375
#define LN2_LOW -2.12194440054690583e-4
#define LOWEST -86.6
#define HIGHEST 88.7228390520683
#define TYPED(name) name##_f32
#include "runtime/operators/exponential_real.h"
#define REAL double
#define BITS uint64_t
#define MANTISSA 52
#define DOUBLE_PRECISION 1
#define LN2_HIGH 6.93147180369123816490e-01
#define LN2_LOW 1.90821492927058770002e-10
#define LOWEST -707.7
#define HIGHEST 709.782712893384
#define TYPED(name) name##_f64
#include "runtime/operators/exponential_real.h"

/* The share of the standard normal distribution below X.  Beyond |x| lies t q(t) exp(-x^2 / 2),
 * with t = 1 / (1 + |x| / sqrt(8)) and q the polynomial that agrees at the Chebyshev points of the
 * t up to |x| = 14, within 5e-9 of itself; rounding makes 4e-7 of that, and x^2 times 3e-8 below.
 */
static inline float normal_f32(float x)
{
    float size = fabsf(x), t = 1 / (1 + size * (float)(0.5 * M_SQRT1_2)), q;

    q = 0.016199325F;
    q = q * t - 0.08581445F;
    q = q * t + 0.16628432F;
    q = q * t - 0.10949663F;
    q = q * t - 0.043324732F;
    q = q * t + 0.03728398F;
    q = q * t + 0.019528756F;
    q = q * t + 0.094897735F;
    q = q * t + 0.122239555F;
    q = q * t + 0.14115921F;
    q = q * t + 0.14104292F;
    q *= t * exponential_f32(-0.5F * x * x);
    return x < 0 ? q : 1 - q;
}

static inline double normal_f64(double x)
{
    return 0.5 * erfc(-x * M_SQRT1_2);
}

/* Of either type.  */
#define exponential(x) _Generic((x), float : exponential_f32, double : exponential_f64)(x)
#define normal(x) _Generic((x), float : normal_f32, double : normal_f64)(x)

#endif
