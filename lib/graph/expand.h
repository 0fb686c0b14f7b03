/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Grouped convolutions as frameworks without such an operator run them.  */
#ifndef ARENABENCH_LIB_GRAPH_EXPAND_H
#define ARENABENCH_LIB_GRAPH_EXPAND_H

#include <stdint.h>

struct network;

/* Replaces each grouped convolution by a split into as many parts as it has
 * groups, a convolution of each part, and a concatenation, which has the
 * name of the old operator.  Depthwise convolutions (a group a channel) stay:
 * every framework runs them as one operator.  A fused activation goes with
 * each part.  Takes over NETWORK, which has passed network_check, and returns
 * the expanded one.  */
struct network *network_expand_groups(struct network *network);

/* How many convolutions that makes of the grouped ones; at most INT64_MAX.  */
int64_t network_expanded_groups(const struct network *network);

#endif
