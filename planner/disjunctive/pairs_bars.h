/* SPDX-License-Identifier: Apache-2.0 */
/* What buffers that are alive together keep each other from: each two of their pieces that share a
 * step forbid an open interval of the difference of their offsets.  */
#ifndef ARENABENCH_PLANNER_DISJUNCTIVE_PAIRS_BARS_H
#define ARENABENCH_PLANNER_DISJUNCTIVE_PAIRS_BARS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dsa_piece;

/* The offset of B less that of A can't lie strictly between BELOW and ABOVE.  */
struct pairs_bar {
    size_t a, b;
    int64_t below, above;
};

/* All of PIECE[0..PIECES), by A, by B, ascending, those that overlap joined: A < B, or BOTH ways.
 * Returns their number; SIZE_MAX: not until DEADLINE, by timer_now.  The caller frees *BAR.  */
size_t pairs_bars_find(const struct dsa_piece *piece, size_t pieces, bool both, double deadline,
                       struct pairs_bar **bar);

#endif
