/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Long sums of elements of type REAL: included once for each type, by files that say what REAL and
 * TYPED are.  Halves are summed apart, so the error grows with the logarithm of the length.  */
#ifndef ARENABENCH_RUNTIME_OPERATORS_SUM_REAL_H
#define ARENABENCH_RUNTIME_OPERATORS_SUM_REAL_H

/* REST and eight sums that were made side by side, as vectors are.  */
static REAL TYPED(sum_lanes)(REAL rest, const REAL *lane)
{
    return rest + ((lane[0] + lane[4]) + (lane[1] + lane[5])) +
           ((lane[2] + lane[6]) + (lane[3] + lane[7]));
}

/* Of (x[i] - SHIFT) to the power of POWER, 1 or 2.  */
static REAL TYPED(sum_of)(const REAL *x, int64_t count, REAL shift, int power)
{
    REAL lane[8] = {0}, rest = 0;
    int64_t i = 0;

    if (count > 512) {
        int64_t half = count / 16 * 8;

        return TYPED(sum_of)(x, half, shift, power) +
               TYPED(sum_of)(x + half, count - half, shift, power);
    }
    for (; i + 8 <= count; i += 8)
        for (int j = 0; j < 8; j++) {
            REAL d = x[i + j] - shift;

            lane[j] += power == 2 ? d * d : d;
        }
    for (; i < count; i++) {
        REAL d = x[i] - shift;

        rest += power == 2 ? d * d : d;
    }
    return TYPED(sum_lanes)(rest, lane);
}

#undef ARENABENCH_RUNTIME_OPERATORS_SUM_REAL_H
#endif
