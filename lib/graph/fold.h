/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The numbers behind a folded normalisation, for networks that are run.  */
#ifndef ARENABENCH_LIB_GRAPH_FOLD_H
#define ARENABENCH_LIB_GRAPH_FOLD_H

#include <stddef.h>

struct network;
struct network_op;

/* Operator LAYER of NETWORK, a convolution or fully connected layer with a bias as its third input,
 * stands for itself followed by NORM, a batch normalisation of network OLD: says so in what it
 * computes, and multiplies the elements of weights and bias out.  Where they are not known, or
 * belong to another layer that has another product of them too, they are not known afterwards.  */
void fold_norm(struct network *network, size_t layer, const struct network *old,
               const struct network_op *norm);

#endif
