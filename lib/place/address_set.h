/* SPDX-License-Identifier: Apache-2.0 */
/* A set of addresses as disjoint spans in ascending order.  */
#ifndef ARENABENCH_LIB_PLACE_ADDRESS_SET_H
#define ARENABENCH_LIB_PLACE_ADDRESS_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct span {
    int64_t lo, hi; /* [lo, hi) bytes */
};

/* All zero: empty.  */
struct address_set {
    struct span *span;
    uint32_t count, room;
};

/* Where many sets keep their spans; all go at once.  */
struct span_pool;
struct span_pool *span_pool_new(void);
void span_pool_free(struct span_pool *pool);

/* Adds [LO, HI) to a set of POOL.  Holes below SMALLEST bytes are filled, but
 * never the one below the first span.  False when nothing changed.  */
bool address_set_add(struct address_set *set, struct span_pool *pool, int64_t lo, int64_t hi,
                     int64_t smallest);

/* A growing list of spans in ascending order.  */
struct span_list {
    struct span *span;
    size_t count, room;
};

void span_list_reserve(struct span_list *list, size_t room);

/* Writes to LEFT what is left of the spans FROM when SET is taken out of them,
 * in pieces of SMALLEST bytes or more.  */
void address_set_subtract(const struct address_set *set, const struct span_list *from,
                          int64_t smallest, struct span_list *left);

#endif
