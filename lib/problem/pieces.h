/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of one buffer, made disjoint.  */
#ifndef ARENABENCH_LIB_PROBLEM_PIECES_H
#define ARENABENCH_LIB_PROBLEM_PIECES_H

#include <stddef.h>

struct piece;

/* Cuts PIECE[0..count) into rectangles that are disjoint in time x address and
 * cover the same steps and bytes: between two neighbouring times at which a
 * piece begins or ends, one rectangle for each stretch of bytes in use.  A step
 * that two pieces share (the links of an overwrite chain) counts once.
 * Ordered by begin, then lo.  Returns their number; the caller frees *DISJOINT.
 * O(s a log a) where at most a pieces are alive at each of s times, and the sort.  */
size_t pieces_disjoint(const struct piece *piece, size_t count, struct piece **disjoint);

#endif
