/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the outputs along one axis are cut into tiles, and which taps hit real
 * input there.
 *
 * The axis is split evenly: ceil(width / widest) tiles of nearly equal width
 * instead of a short one at the end.  Padding is left out inside the tiles: a
 * tile knows the taps that hit real input for any of its outputs and, where
 * they miss it for some, a mask for each tap.  Columns and rows are cut alike.  */
#ifndef ARENABENCH_KERNELS_STRIP_H
#define ARENABENCH_KERNELS_STRIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One axis of a convolution.  */
struct axis {
    int64_t length; /* of the input */
    int64_t pad;    /* before it */
    int64_t stride, dilation;
    int64_t taps; /* of the filter */
};

/* The taps [*LOW, *HIGH) that hit real input at output OUT; LOW = HIGH: none.  */
void axis_taps(const struct axis *axis, int64_t out, int64_t *low, int64_t *high);

/* TILES tiles side by side, all alike: of WIDTH outputs, from output Q on, with
 * the taps [tap, tap + taps).  */
struct strip_segment {
    int64_t q, width, tiles;
    int64_t tap, taps;
    bool whole;   /* each of these taps hits real input for every output */
    int64_t mask; /* where the tile's masks are in the strip's, one a tap */
};

struct strip {
    struct strip_segment *segment;
    size_t segments, segment_capacity;
    uint32_t *mask; /* bit i: the tap hits real input for output i of the tile */
    size_t masks, mask_capacity;
};

enum { STRIP_WIDEST = 32 };

/* Cuts WIDTH outputs into tiles of at most WIDEST.  MERGE: tiles that are alike
 * share a segment.  The caller frees STRIP.  */
void strip_make(struct strip *strip, const struct axis *axis, int64_t width, int64_t widest,
                bool merge);
void strip_free(struct strip *strip);

/* One a tap of the segment.  */
const uint32_t *strip_masks(const struct strip *strip, const struct strip_segment *segment);

/* Of a tile's outputs times its taps, those that hit real input.  */
int64_t strip_hits(const struct strip *strip, const struct strip_segment *segment);

#endif
