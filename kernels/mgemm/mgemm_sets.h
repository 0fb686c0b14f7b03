/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dense mGEMM: what the register tiles and the loops around them agree on.
 *
 * A tile holds `rows` x `w_o` output pixels of `vectors` vectors of output
 * channels in registers, and adds up taps: for each filter row, each input
 * channel and each filter column one vector of weights per `vectors` and one
 * broadcast input per pixel.  All tiles come from one template, mgemm_tile.h,
 * compiled once for each instruction set by mgemm_set.c.
 *
 * Padding is left out: a tile is called with the taps that hit real input for
 * some of its pixels, and with masks where they miss it for others.  */
#ifndef ARENABENCH_KERNELS_MGEMM_MGEMM_SETS_H
#define ARENABENCH_KERNELS_MGEMM_MGEMM_SETS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/isa.h"

enum {
    MGEMM_MAX_ROWS = 2,
    MGEMM_MAX_VECTORS = 4,
    MGEMM_MAX_WIDTH = 28,
    MGEMM_MAX_VECTOR_LENGTH = 16,
    MGEMM_LINE = 16, /* floats of a cache line */
};

/* Lines of weights that a tile fetches for each block of channels, which are as many as a vector
 * has floats.  With AVX-512 those that are not pointwise fetch a multiple of that: as many as there
 * are.  Elsewhere, and for pointwise ones, the loop for that takes more than it saves.  */
#define MGEMM_LINES(form, vector) ((vector) < 16 || (form) != MGEMM_POINT ? 4 : 8)

/* What a tile is specialised for.  Blocked: channels in blocks of one vector.
 * Planar: one channel after the other, as in NCHW.  */
enum mgemm_form {
    MGEMM_BLOCKED_1,   /* blocked input, horizontal stride 1, any filter width */
    MGEMM_BLOCKED_2,   /* the same, stride 2 */
    MGEMM_BLOCKED_ANY, /* any stride */
    MGEMM_PLANAR_1,    /* planar input */
    MGEMM_PLANAR_2,
    MGEMM_PLANAR_ANY,
    MGEMM_POINT,  /* blocked, stride 1, filter width 1, from a block's first channel on */
    MGEMM_KEEP,   /* blocked, stride 1, filter width 3: inputs stay in registers across it */
    MGEMM_KEEP_2, /* the same, stride 2 */
    MGEMM_FILTER, /* blocked, stride 1, filter width 3: the weights of a filter row do */
    MGEMM_FORMS,
};

static inline bool mgemm_keeps(enum mgemm_form form)
{
    return form == MGEMM_KEEP || form == MGEMM_KEEP_2;
}

/* Which taps miss real input for which pixels.  */
enum mgemm_edge {
    MGEMM_WHOLE,       /* none */
    MGEMM_FIRST_PIXEL, /* the first one for the first pixel */
    MGEMM_LAST_PIXEL,  /* the last one for the last pixel */
    MGEMM_BOTH_PIXELS, /* the first one for the first pixel, the last one for the last */
    MGEMM_MASKS,       /* as the call says */
    MGEMM_EDGES,
};

static inline bool mgemm_misses_first(enum mgemm_edge edge)
{
    return edge == MGEMM_FIRST_PIXEL || edge == MGEMM_BOTH_PIXELS;
}

static inline bool mgemm_misses_last(enum mgemm_edge edge)
{
    return edge == MGEMM_LAST_PIXEL || edge == MGEMM_BOTH_PIXELS;
}

/* One call: LINES times TILES tiles, a rectangle of the output.  Steps are in
 * floats.  */
struct mgemm_call {
    const float *input;  /* first pixel, first tap, first block of channels */
    const float *filter; /* first row, first channel, first tap */
    const float *bias;   /* one a channel of the tile */
    float *output;       /* first pixel */
    int64_t tiles, lines;
    int64_t filter_rows; /* that hit real input; may be 0 */
    int64_t channels;
    int64_t first_lane;     /* of the first channel in its block */
    int64_t first_channels; /* channels until that block's end, at most `channels` */
    int64_t taps;           /* of a filter row; may be 0 */
    /* Bit j of columns[s]: tap s hits real input for pixel j; bit y of rows[r]:
     * filter row r does for the tile's row y.  */
    const uint32_t *columns, *rows;
    uint32_t every;         /* columns[s] of a tap that does for every pixel */
    int tile_lines;         /* of ahead_lines, those that each tile fetches */
    int64_t filter_tap;     /* between taps */
    int64_t filter_channel; /* between channels of a filter row */
    int64_t filter_row;     /* between filter rows */
    int64_t input_tap;      /* between taps: dilation */
    int64_t input_pixel;    /* between output pixels; only the forms for any stride read it */
    int64_t input_block;    /* between blocks of channels */
    int64_t input_row;      /* between filter rows: dilation */
    int64_t input_row2;     /* to the tile's second row of pixels */
    int64_t input_tile;     /* to the next tile */
    int64_t input_line;     /* to the next line of tiles */
    int64_t output_block;   /* between blocks of channels */
    int64_t output_row2;    /* to the tile's second row of pixels */
    int64_t output_tile;    /* to the next tile */
    int64_t output_line;    /* to the next line of tiles */
    /* From the weights in use to the next panel's, and how many lines of that are
     * fetched meanwhile for each block of channels; each tile goes on where the
     * one before it ended.  */
    int64_t ahead, ahead_lines;
    enum mgemm_edge edge;
    int accumulate; /* start from what the output holds instead of the bias */
    int relu;       /* negative results become 0 */
    int keep;       /* inputs of planes may stay in registers across the taps */
};

/* GCC 12 copies a larger one by rep movsq, which took 5 % of layers with small tiles.  */
_Static_assert(sizeof(struct mgemm_call) <= 256, "a call is copied by moves of vectors");

typedef void mgemm_function(const struct mgemm_call *call);

/* One tile's functions; NULL: it has none of that kind.  */
struct mgemm_tile {
    mgemm_function *any; /* does every call */
    /* Whole blocks of channels, and one of the edges but MGEMM_MASKS.  */
    mgemm_function *blocks[MGEMM_EDGES];
    /* Whole tiles of planar input, with so many taps side by side.  */
    mgemm_function *taps3, *taps7;
    /* Inputs that several taps need pass through as many registers as there are
     * pixels.  */
    bool window;
};

/* The tiles of one instruction set; NULL: not in the list.  */
struct mgemm_set {
    const struct mgemm_tile *tile[MGEMM_FORMS][MGEMM_MAX_ROWS][MGEMM_MAX_VECTORS][MGEMM_MAX_WIDTH];
};

/* NULL when the kernels were not built for ISA.  */
const struct mgemm_set *mgemm_set(enum isa isa);

/* The widest tile with so many rows and vectors; 0: none.  */
int mgemm_widest(const struct mgemm_set *set, enum mgemm_form form, int rows, int vectors);

#endif
