/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What rules ask before they accept a use, beside attributes: types, shapes.  Each refuses with a
 * reason and returns false.  */
#ifndef ARENABENCH_RUNTIME_OPERATORS_ACCEPT_H
#define ARENABENCH_RUNTIME_OPERATORS_ACCEPT_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/operators/operator.h"

/* Sets of element types.  */
#define TYPE(dtype) (1u << (dtype))
#define TYPES_REAL (TYPE(DTYPE_F32) | TYPE(DTYPE_F64))
#define TYPES_SIGNED (TYPE(DTYPE_I8) | TYPE(DTYPE_I16) | TYPE(DTYPE_I32) | TYPE(DTYPE_I64))
#define TYPES_UNSIGNED (TYPE(DTYPE_U8) | TYPE(DTYPE_U16) | TYPE(DTYPE_U32) | TYPE(DTYPE_U64))
#define TYPES_WHOLE (TYPES_SIGNED | TYPES_UNSIGNED)
#define TYPES_NUMBER (TYPES_REAL | TYPES_WHOLE)
#define TYPES_INDEX (TYPE(DTYPE_I32) | TYPE(DTYPE_I64))
#define TYPES_ANY (~0u)

/* The first INPUTS inputs are there.  */
bool accept_inputs(const struct call *call, size_t inputs);

/* The inputs [FIRST, FIRST + COUNT) that are there have one type, one of TYPES.  */
bool accept_types(const struct call *call, size_t first, size_t count, unsigned types);

/* Output I is of DTYPE, or is not written.  */
bool accept_output(const struct call *call, size_t i, enum dtype dtype);

/* All inputs can be broadcast to output 0.  */
bool accept_broadcast(const struct call *call);

/* Output I has the shape of input FROM, or is not written.  */
bool accept_shape(const struct call *call, size_t i, size_t from);

/* Attribute `axis` is one of RANK.  */
bool accept_axis(const struct call *call, int64_t otherwise, int rank);

#endif
