/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loops around the dense tiles.  */
#ifndef ARENABENCH_KERNELS_MGEMM_MGEMM_RUN_H
#define ARENABENCH_KERNELS_MGEMM_MGEMM_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/mgemm/mgemm_sets.h"
#include "kernels/strip.h"

struct conv_plan;

/* Runs a call on the tile of WIDTH pixels, with the quickest of the functions that can do it.
 * TILES: it and those that differ from it in their width alone, by width less 1.  VECTOR: floats of
 * one.  */
void mgemm_call_tile(const struct mgemm_tile *const *tiles, int64_t width,
                     const struct mgemm_call *call, int64_t vector);

/* Whether a call with so many taps uses the tile's window, where every tap hits real input
 * for every pixel.  */
bool mgemm_window(const struct mgemm_tile *tile, int64_t taps, int64_t dilation);

/* Which taps miss real input for a tile of the strip.  */
enum mgemm_edge mgemm_find_edge(const struct strip *strip, const struct strip_segment *columns);

void mgemm_run(const struct conv_plan *plan, const float *input, const float *packed,
               float *output);

#endif
