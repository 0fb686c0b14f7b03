/* Dense mGEMM: what the register tiles and the loops around them agree on.
 *
 * A tile holds `rows` x `w_o` output pixels of `vectors` vectors of output
 * channels in registers, and adds up taps: for each filter row, each input
 * channel and each filter column one vector of weights per `vectors` and one
 * broadcast input per pixel.  All tiles come from one template, mgemm_tile.h,
 * compiled once for each instruction set by mgemm_set.c.
 *
 * Tiles know nothing of padding.  The loops outside call them with the taps
 * that hit real input, and once more for the few columns that miss a tap.  */
#ifndef ARENABENCH_KERNELS_MGEMM_H
#define ARENABENCH_KERNELS_MGEMM_H

#include <stdint.h>

#include "kernels/isa.h"

enum {
    MGEMM_MAX_ROWS = 2,
    MGEMM_MAX_VECTORS = 4,
    MGEMM_MAX_WIDTH = 28,
    MGEMM_MAX_VECTOR_LENGTH = 16,
};

/* What a tile is specialised for.  Blocked: channels in blocks of one vector.
 * Planar: one channel after the other, as in NCHW.  */
enum mgemm_form {
    MGEMM_BLOCKED_1,   /* blocked input, horizontal stride 1, any filter width */
    MGEMM_BLOCKED_2,   /* the same, stride 2 */
    MGEMM_BLOCKED_ANY, /* any stride */
    MGEMM_PLANAR_1,    /* planar input */
    MGEMM_PLANAR_2,
    MGEMM_PLANAR_ANY,
    MGEMM_POINT,  /* blocked, stride 1, filter width 1 */
    MGEMM_KEEP,   /* blocked, stride 1, filter width 3: inputs stay in registers across it */
    MGEMM_FILTER, /* blocked, stride 1, filter width 3: the weights of a filter row do */
    MGEMM_FORMS,
};

/* One call: TILES tiles side by side.  Steps are in floats.  */
struct mgemm_call {
    const float *input;  /* first pixel, first tap, first block of channels */
    const float *filter; /* first row, first channel, first tap; rows follow each other */
    const float *bias;   /* one a channel of the tile */
    float *output;       /* first pixel */
    int64_t tiles;
    int64_t filter_rows; /* of which the taps hit real input; may be 0 */
    int64_t channels;
    int64_t first_lane;     /* of the first channel in its block */
    int64_t first_channels; /* channels until that block's end, at most `channels` */
    int64_t taps;           /* of a filter row; may be 0 */
    int64_t filter_skip;    /* from after the last tap to the next channel's first */
    int64_t input_tap;      /* between taps: dilation */
    int64_t input_pixel;    /* between output pixels; only the forms for any stride read it */
    int64_t input_block;    /* between blocks of channels */
    int64_t input_row;      /* between filter rows: dilation */
    int64_t input_row2;     /* to the tile's second row of pixels */
    int64_t input_tile;     /* to the next tile */
    int64_t output_block;   /* between blocks of channels */
    int64_t output_row2;    /* to the tile's second row of pixels */
    int64_t output_tile;    /* to the next tile */
    int accumulate;         /* start from what the output holds instead of the bias */
    int relu;               /* negative results become 0 */
};

typedef void mgemm_tile(const struct mgemm_call *call);

/* The tiles of one instruction set; NULL: not in the list.  */
struct mgemm_set {
    mgemm_tile *tile[MGEMM_FORMS][MGEMM_MAX_ROWS][MGEMM_MAX_VECTORS][MGEMM_MAX_WIDTH];
};

/* NULL when the kernels were not built for ISA.  */
const struct mgemm_set *mgemm_set(enum isa isa);

/* The widest tile with so many rows and vectors; 0: none.  */
int mgemm_widest(const struct mgemm_set *set, enum mgemm_form form, int rows, int vectors);

#endif
