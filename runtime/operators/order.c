/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "runtime/operators/order.h"

#include <stdint.h>

#include "lib/base/checked.h"

#define COMPARE(name, type)                                    \
    static int name(const void *a, const void *b)              \
    {                                                          \
        const type x = *(const type *)a, y = *(const type *)b; \
                                                               \
        return ORDER(x != x, y != y) ?: ORDER(x, y);           \
    }
COMPARE(compare_f32, float)
COMPARE(compare_f64, double)
COMPARE(compare_i8, int8_t)
COMPARE(compare_i16, int16_t)
COMPARE(compare_i32, int32_t)
COMPARE(compare_i64, int64_t)
COMPARE(compare_u8, uint8_t)
COMPARE(compare_u16, uint16_t)
COMPARE(compare_u32, uint32_t)
COMPARE(compare_u64, uint64_t)

element_order *element_order_of(enum dtype dtype)
{
    static element_order *const comparisons[DTYPE_C128 + 1] = {
        [DTYPE_F32] = compare_f32, [DTYPE_F64] = compare_f64, [DTYPE_I8] = compare_i8,
        [DTYPE_I16] = compare_i16, [DTYPE_I32] = compare_i32, [DTYPE_I64] = compare_i64,
        [DTYPE_U8] = compare_u8,   [DTYPE_U16] = compare_u16, [DTYPE_U32] = compare_u32,
        [DTYPE_U64] = compare_u64, [DTYPE_BOOL] = compare_u8,
    };

    return comparisons[dtype];
}
