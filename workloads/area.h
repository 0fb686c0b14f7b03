/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Areas, bytes x steps, which may take up to 126 bits, on machines too that have no type of that
 * width (of 32 bits).  */
#ifndef ARENABENCH_WORKLOADS_AREA_H
#define ARENABENCH_WORKLOADS_AREA_H

#include <stdint.h>

#include "lib/base/checked.h"

/* high * 2^64 + low.  */
struct area {
    uint64_t high, low;
};

/* SIDE x OTHER, neither below 0.  */
static inline struct area area_of(int64_t side, int64_t other)
{
    const uint64_t half = UINT32_MAX, a = (uint64_t)side, b = (uint64_t)other;
    const uint64_t low = (a & half) * (b & half), one = (a >> 32) * (b & half) + (low >> 32);
    const uint64_t two = (a & half) * (b >> 32) + (one & half);

    return (struct area){(a >> 32) * (b >> 32) + (one >> 32) + (two >> 32),
                         two << 32 | (low & half)};
}

static inline struct area area_add(struct area a, struct area b)
{
    const uint64_t low = a.low + b.low;

    return (struct area){a.high + b.high + (low < a.low), low};
}

/* B is no larger than A.  */
static inline struct area area_sub(struct area a, struct area b)
{
    return (struct area){a.high - b.high - (a.low < b.low), a.low - b.low};
}

static inline int area_order(struct area a, struct area b)
{
    return ORDER(a.high, b.high) ?: ORDER(a.low, b.low);
}

/* PER_CENT, from 0 to 100, of A, rounded down: 32 bits of the product are divided at a time.  */
static inline struct area area_per_cent(struct area a, int64_t per_cent)
{
    const uint64_t half = UINT32_MAX;
    uint64_t digit[5] = {a.low & half, a.low >> 32, a.high & half, a.high >> 32, 0}, rest = 0;

    for (int i = 0; i < 4; i++) {
        digit[i] = digit[i] * (uint64_t)per_cent + rest;
        rest = digit[i] >> 32;
        digit[i] &= half;
    }
    digit[4] = rest;
    rest = 0;
    for (int i = 4; i >= 0; i--) {
        digit[i] += rest << 32;
        rest = digit[i] % 100;
        digit[i] /= 100;
    }
    return (struct area){digit[3] << 32 | digit[2], digit[1] << 32 | digit[0]};
}

#endif
