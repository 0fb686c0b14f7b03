/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Buffers that are not placed yet, and which of them goes first within a span of time.  */
#ifndef ARENABENCH_SOLVERS_FIT_WAITING_H
#define ARENABENCH_SOLVERS_FIT_WAITING_H

#include <stddef.h>

#include "lib/base/order.h"

struct instance;

/* Time in cells: from one begin or end to the next one.  */
struct cells {
    size_t count;
    size_t *begin, *end; /* of each buffer */
};

/* INSTANCE has buffers.  */
void cells_init(struct cells *cells, const struct instance *instance);
void cells_clear(struct cells *cells);

/* The buffers as the leaves of a tree, by begin.  */
struct waiting {
    size_t leaves;    /* a power of two */
    size_t *rank;     /* node: the least rank below it, SIZE_MAX: none */
    size_t *end;      /* node: the least end below it, in cells */
    size_t *leaf_of;  /* of each buffer */
    size_t *first_at; /* the leaf of the first buffer that begins at a cell or later */
};

/* All are waiting; KEY[0..n): the buffers by rank.  */
void waiting_init(struct waiting *waiting, const struct cells *cells, const struct order_key *key,
                  size_t n);
void waiting_clear(struct waiting *waiting);

void waiting_remove(struct waiting *waiting, size_t b);

/* The least rank of those that live within the cells [BEGIN, END); SIZE_MAX: none.  O(log n) as
 * long as few lives cross END.  */
size_t waiting_within(const struct waiting *waiting, size_t begin, size_t end);

#endif
