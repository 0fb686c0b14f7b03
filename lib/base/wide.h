/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of numbers of 64 bits that may not fit into 64 bits, on machines too that have no wider type
 * (of 32 bits).  */
#ifndef ARENABENCH_LIB_BASE_WIDE_H
#define ARENABENCH_LIB_BASE_WIDE_H

#include <stdint.h>

/* high * 2^64 + low.  */
struct wide {
    int64_t high;
    uint64_t low;
};

static inline struct wide wide_add(struct wide sum, int64_t number)
{
    sum.low += (uint64_t)number;
    sum.high += (sum.low < (uint64_t)number) - (number < 0);
    return sum;
}

/* Of numbers above -INT64_MAX: less any of those.  */
static inline struct wide wide_sub(struct wide sum, int64_t number)
{
    return wide_add(sum, -number);
}

static inline struct wide wide_of(int64_t number)
{
    return wide_add((struct wide){0, 0}, number);
}

/* SUM, no less than INT64_MIN, or INT64_MAX if it is larger than that.  */
static inline int64_t wide_clip(struct wide sum)
{
    return sum.high > 0 || (sum.high == 0 && sum.low > INT64_MAX) ? INT64_MAX : (int64_t)sum.low;
}

#endif
