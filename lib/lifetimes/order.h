/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Orders in which the operators of a network may run, and the cutting of
 * layers into groups.  */
#ifndef ARENABENCH_LIB_LIFETIMES_ORDER_H
#define ARENABENCH_LIB_LIFETIMES_ORDER_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"
#include "lib/lifetimes/counting.h"

struct network;
struct schedule;

enum order {
    ORDER_FILE, /* as the network lists them */
    /* The operator that became ready last runs next; of those that became
     * ready together, the first in file order: a branch is followed to where
     * it joins another.  */
    ORDER_DFS,
    /* The operator that became ready first runs next: branches take turns.  */
    ORDER_BFS,
    /* By the number of operators on the longest path that leads there
     * (Oplachko 2021, section 3.2), file order within such a layer.  */
    ORDER_LAYERS,
    /* Of the ready operators the one after which the fewest bytes more are
     * alive runs next; of equal ones the one with the fewest bytes alive while
     * it runs, then the first in file order.  */
    ORDER_GREEDY,
    /* An order with the smallest load of all (lib/lifetimes/order_optimal.c).  */
    ORDER_OPTIMAL,
};

/* How many sets of operators ORDER_OPTIMAL looks at before it gives up.  */
#define ORDER_OPTIMAL_SETS ((size_t)1 << 18)

/* The schedule that runs the operators one by one.  OPTIONS say what counts
 * as memory; every buffer is taken as a value (with alias, a group) that is
 * alive as a whole, before any in-place pass.  NULL with a message when no
 * optimal order was found within the limit.  The caller frees it.  */
struct schedule *order_schedule(const struct network *network, enum order order,
                                const struct lifetime_options *options, struct error *error);

/* Layers, each cut into at most GROUPS >= 1 groups of equal size, in file
 * order, of which the last may be smaller; the operators of a group share a
 * step (Oplachko 2021, section 4).  */
struct schedule *order_groups(const struct network *network, int64_t groups);

/* The layer of each operator: 0 without predecessors, else one more than the
 * highest of theirs.  The caller frees it.  */
int64_t *order_layers(const struct network *network);

#endif
