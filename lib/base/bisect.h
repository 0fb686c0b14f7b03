/* SPDX-License-Identifier: Apache-2.0 */
/* Binary search by any condition.  */
#ifndef ARENABENCH_LIB_BASE_BISECT_H
#define ARENABENCH_LIB_BASE_BISECT_H

#include <stddef.h>

/* The first I in [LOW, HIGH) for which BEFORE, an expression of I, is false, or HIGH where
 * there is none.  No I with BEFORE stands behind one without.  */
#define BISECT(i, low, high, before)                                \
    __extension__({                                                 \
        size_t bisect_low = (low), bisect_high = (high);            \
        while (bisect_low < bisect_high) {                          \
            size_t i = bisect_low + (bisect_high - bisect_low) / 2; \
            if (before)                                             \
                bisect_low = i + 1;                                 \
            else                                                    \
                bisect_high = i;                                    \
        }                                                           \
        bisect_low;                                                 \
    })

#endif
