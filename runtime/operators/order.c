/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "runtime/operators/order.h"

#include "lib/base/checked.h"
#include "runtime/operators/numbers.h"

#define COMPARE(dtype, suffix, type)                           \
    static int compare_##suffix(const void *a, const void *b)  \
    {                                                          \
        const type x = *(const type *)a, y = *(const type *)b; \
                                                               \
        return ORDER(x != x, y != y) ?: ORDER(x, y);           \
    }
NUMBERS(COMPARE)

#define ROW(dtype, suffix, type) [dtype] = compare_##suffix,

element_order *element_order_of(enum dtype dtype)
{
    static element_order *const comparisons[DTYPE_C128 + 1] = {[DTYPE_BOOL] = compare_u8,
                                                               NUMBERS(ROW)};

    return comparisons[dtype];
}
