/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that exist once for each type of numbers, and tables of them by type.  */
#ifndef ARENABENCH_RUNTIME_OPERATORS_NUMBERS_H
#define ARENABENCH_RUNTIME_OPERATORS_NUMBERS_H

#include <stdint.h>

/* EACH(DTYPE_..., suffix, type) for each of them.  */
#define NUMBERS_REAL(EACH)      \
    EACH(DTYPE_F32, f32, float) \
    EACH(DTYPE_F64, f64, double)
#define NUMBERS_SIGNED(EACH)      \
    EACH(DTYPE_I8, i8, int8_t)    \
    EACH(DTYPE_I16, i16, int16_t) \
    EACH(DTYPE_I32, i32, int32_t) \
    EACH(DTYPE_I64, i64, int64_t)
#define NUMBERS_UNSIGNED(EACH)     \
    EACH(DTYPE_U8, u8, uint8_t)    \
    EACH(DTYPE_U16, u16, uint16_t) \
    EACH(DTYPE_U32, u32, uint32_t) \
    EACH(DTYPE_U64, u64, uint64_t)
#define NUMBERS_WHOLE(EACH) \
    NUMBERS_SIGNED(EACH)    \
    NUMBERS_UNSIGNED(EACH)
#define NUMBERS(EACH)  \
    NUMBERS_REAL(EACH) \
    NUMBERS_WHOLE(EACH)

#endif
