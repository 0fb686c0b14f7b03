/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Elements as indices.  */
#ifndef ARENABENCH_RUNTIME_OPERATORS_INDEX_H
#define ARENABENCH_RUNTIME_OPERATORS_INDEX_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>

#include "runtime/operators/operator.h"

/* Element I of INDICES as an index into LENGTH elements, -1 where it is none.  From version 11 of
 * the set on, negative ones count from the end.  */
static inline int64_t index_at(const struct call *call, const struct tensor *indices, int64_t i,
                               int64_t length)
{
    int64_t index = tensor_integer(indices, i);

    if (index < 0 && index >= -length && call->computation->version >= 11)
        index += length;
    return index >= 0 && index < length ? index : -1;
}

/* Says that element I is no index into LENGTH elements; returns false.  */
static inline bool index_refuse(const struct call *call, const struct tensor *indices, int64_t i,
                                int64_t length)
{
    return error_set(call->error, "index %" PRId64 " of %" PRId64 " elements",
                     tensor_integer(indices, i), length);
}

#endif
