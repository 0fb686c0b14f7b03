/* SPDX-License-Identifier: Apache-2.0 */
/* A set of numbers 0 .. limit-1 with neighbour queries: a bitmap with summary
 * bitmaps above it, 64 bits to one.  All operations O(log limit / 6).  */
#ifndef ARENABENCH_LIB_PLACE_INDEX_SET_H
#define ARENABENCH_LIB_PLACE_INDEX_SET_H

#include <stddef.h>
#include <stdint.h>

enum { INDEX_SET_LEVELS = 11 }; /* 64^11 > 2^64 */

struct index_set {
    size_t limit, levels;
    uint64_t *level[INDEX_SET_LEVELS]; /* level[0]: the members themselves */
};

void index_set_init(struct index_set *set, size_t limit);
void index_set_clear(struct index_set *set);

void index_set_add(struct index_set *set, size_t index);
void index_set_remove(struct index_set *set, size_t index);

/* The least member >= INDEX, and the greatest member <= INDEX; SIZE_MAX when
 * there is none.  INDEX < limit.  */
size_t index_set_at_or_after(const struct index_set *set, size_t index);
size_t index_set_at_or_before(const struct index_set *set, size_t index);

#endif
