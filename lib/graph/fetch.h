/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Weights that are not where operators read them: a copy engine fetches those of an operator before
 * it runs, into a buffer that is there until it has.  */
#ifndef ARENABENCH_LIB_GRAPH_FETCH_H
#define ARENABENCH_LIB_GRAPH_FETCH_H

#include <stdbool.h>

struct network;
struct network_op;

/* Puts before each operator that reads weights or stored statistics a copy of each, which it reads
 * instead; other constants stay where they are.  What several operators read is fetched for each.
 * Bodies of loops and branches stay.  Takes over NETWORK, which has passed network_check, and
 * returns the new one.  */
struct network *network_fetch_weights(struct network *network);

/* Whether OP is such a copy.  */
bool network_op_fetches(const struct network_op *op);

#endif
