/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exponential of type REAL: included once for each type by exponential.h, which says what REAL,
 * BITS (whole numbers as wide), MANTISSA (bits), DOUBLE_PRECISION, LN2_HIGH (few enough bits to be
 * exact times an exponent), LN2_LOW, LOWEST and HIGHEST (whose exponentials are normal numbers) and
 * TYPED are.  */
#ifndef ARENABENCH_RUNTIME_OPERATORS_EXPONENTIAL_REAL_H
#define ARENABENCH_RUNTIME_OPERATORS_EXPONENTIAL_REAL_H

/* 2^n exp(r) with |r| <= ln 2 / 2, by the terms of its series that REAL has digits for.  Adding a
 * number so large that it has no digits behind the point rounds, and leaves n in the last bits.  */
static inline REAL TYPED(exponential)(REAL x)
{
    const REAL large = (REAL)1.5 * (REAL)((BITS)1 << MANTISSA);
    const BITS half_bias = ((BITS)1 << (8 * sizeof(REAL) - 2 - MANTISSA)) - 2;
    REAL shifted = x * (REAL)M_LOG2E + large, n = shifted - large, scale, power = 0;
    REAL r = x - n * (REAL)LN2_HIGH - n * (REAL)LN2_LOW;
    BITS bits;

    if (DOUBLE_PRECISION) {
        power = (REAL)(1.0 / 6227020800.0);
        power = power * r + (REAL)(1.0 / 479001600.0);
        power = power * r + (REAL)(1.0 / 39916800.0);
        power = power * r + (REAL)(1.0 / 3628800.0);
        power = power * r + (REAL)(1.0 / 362880.0);
        power = power * r + (REAL)(1.0 / 40320.0);
    }
    power = power * r + (REAL)(1.0 / 5040.0);
    power = power * r + (REAL)(1.0 / 720.0);
    power = power * r + (REAL)(1.0 / 120.0);
    power = power * r + (REAL)(1.0 / 24.0);
    power = power * r + (REAL)(1.0 / 6.0);
    power = power * r + (REAL)0.5;
    power = (power * r) * r + r + 1;
    /* Half of 2^n, since n may be one more than an exponent can.  */
    memcpy(&bits, &shifted, sizeof bits);
    bits = (bits + half_bias) << MANTISSA;
    memcpy(&scale, &bits, sizeof scale);
    power = power * scale * 2;
    power = x > (REAL)HIGHEST ? (REAL)INFINITY : power;
    return x < (REAL)LOWEST ? 0 : power;
}

#undef REAL
#undef BITS
#undef MANTISSA
#undef DOUBLE_PRECISION
#undef LN2_HIGH
#undef LN2_LOW
#undef LOWEST
#undef HIGHEST
#undef TYPED
#undef ARENABENCH_RUNTIME_OPERATORS_EXPONENTIAL_REAL_H
#endif
