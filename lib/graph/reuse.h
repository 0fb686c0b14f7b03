/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Facts on operators that follow from their kind and shapes: what an output may
 * do with an input's memory (enum reuse in lib/graph/network.h).
 *
 *   pure alias                      forwards its input
 *   normalisation, activation,      overwrites its first input
 *     softmax
 *   elementwise of several inputs   overwrites any input of the output's shape
 *   concatenation                   its inputs are places in the output
 *   split                           its outputs are views of the input
 *
 * the last two where each part lies in one stretch: along the first dimension
 * that is not 1.  Overwriting needs elements of one size.  */
#ifndef ARENABENCH_LIB_GRAPH_REUSE_H
#define ARENABENCH_LIB_GRAPH_REUSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct network;
struct network_op;

/* Adds the facts of operator OP, whose outputs have all been added.  What the
 * kind does not tell (a slice, an operator of a reader's own), the caller adds
 * with network_add_reuse or reuse_slice.  */
void reuse_infer(struct network *network, size_t op);

/* Output slot OUTPUT of OP is the slice of input slot INPUT that starts at index
 * START[0..rank) and leaves no element out between: adds that it may be forwarded,
 * if it lies in one stretch of bytes.  Returns whether it does.  */
bool reuse_slice(struct network *network, size_t op, size_t input, size_t output,
                 const int64_t *start);

/* For passes that fuse an activation into OP, which then no longer only moves
 * its input: views become overwrites, parts of a concatenation are copied.  */
void reuse_computes(struct network_op *op);

#endif
