/* How a row of output pixels is cut into tiles, and which taps each tile has.
 *
 * The row is split evenly: ceil(width / w_o) tiles of nearly equal width
 * instead of a short one at the end.  Padding is left out: a tile's first call
 * has the taps that hit real input for all of its pixels (none, in the worst
 * case), further calls add the taps that hit it for some of them.  */
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

/* Columns [q, q + width) of taps [tap, tap + taps).  */
struct strip_call {
    int64_t q, width;
    int64_t tap, taps;
};

/* TILES tiles of one width from column Q on; more than one only when a single
 * call with all taps does each.  */
struct strip_segment {
    int64_t q, width, tiles;
    size_t first_call, calls; /* of the first tile */
};

struct strip {
    struct strip_segment *segment;
    size_t segments, segment_capacity;
    struct strip_call *call;
    size_t calls, call_capacity;
};

/* Cuts WIDTH columns into tiles of at most WIDEST.  MERGE: equal tiles with all
 * taps share a segment.  The caller frees STRIP.  */
void strip_make(struct strip *strip, const struct axis *axis, int64_t width, int64_t widest,
                bool merge);
void strip_free(struct strip *strip);

#endif
