/* SPDX-License-Identifier: Apache-2.0 */
/* A stable sort by two keys of what comes in a total order (buffers in that of their indices, or
 * of solvers/fit/ties.h), so that every order is total and no result depends on a library's
 * sort.  */
#ifndef ARENABENCH_LIB_BASE_ORDER_H
#define ARENABENCH_LIB_BASE_ORDER_H

#include <stddef.h>
#include <stdint.h>

/* Keys sort ascending: major, minor, the order in which they came.  */
struct order_key {
    uint64_t major, minor;
    size_t index; /* of what is sorted */
};

/* Maps signed numbers to keys in the same order, or in the opposite one.  */
static inline uint64_t key_ascending(int64_t value)
{
    return (uint64_t)value ^ (UINT64_C(1) << 63);
}

static inline uint64_t key_descending(int64_t value)
{
    return ~key_ascending(value);
}

/* Stable.  O(count) for each digit in which keys differ; 16 to 24 bytes of memory for a key.  */
void order_sort(struct order_key *key, size_t count);

#endif
