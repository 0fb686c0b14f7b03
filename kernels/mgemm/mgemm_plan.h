/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A dense mGEMM plan: the parameters it uses, and what the loops need.  */
#ifndef ARENABENCH_KERNELS_MGEMM_MGEMM_PLAN_H
#define ARENABENCH_KERNELS_MGEMM_MGEMM_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/kernel.h"
#include "kernels/mgemm/mgemm_sets.h"
#include "kernels/pool.h"
#include "kernels/strip.h"

/* Items of work for each thread, so that one that is late can take fewer.  */
enum { MGEMM_ITEMS = 4 };

/* Floats of input that are gathered at a time: they stay in the second level of cache.  */
enum { MGEMM_GATHERED = 16 * 1024 };

/* A block of output channels, of the first group; offsets in floats.  */
struct mgemm_block {
    int64_t first; /* channel */
    int64_t width; /* channels, in whole vectors */
    int64_t vectors;
    int64_t filter, bias; /* in the packed weights */
    int64_t output;
};

struct mgemm_plan {
    const struct mgemm_set *set;
    struct filter_layout filter;
    struct mgemm_block *block_table; /* so that a tile costs no divisions */
    enum mgemm_form form;            /* of tiles that have all taps for all pixels */
    enum mgemm_form edge_form;       /* of the others */
    int64_t vector, block;           /* floats in a vector; channels in a block of the input */
    int64_t tile_rows;               /* output rows in a tile */
    bool hfil_outside;
    bool keep;         /* inputs in registers across the filter's width */
    bool co_outside;   /* blocks of output channels around the tiles of a row */
    bool lines_inside; /* several rows of tiles in a call */
    /* Output channels of a group do not fill whole vectors, so vectors of
     * neighbouring groups overlap: tiles go through a buffer on the stack.  */
    bool scatter;
    bool patches; /* the plan is that of gather_patches */
    /* Inputs are gathered in a buffer on the stack, some at a time, and lie side by side there as
     * the tiles need it: patches, and pointwise layers that leave out pixels.  */
    bool gathers;

    int64_t slab_blocks, slabs; /* blocks of a slab; slabs of a group */
    int64_t channels;           /* input channels that are added up before the next row */
    int64_t rows;               /* of output */
    int64_t chunk, row_groups;  /* rows of an item of work, and how many of them there are */
    struct axis vertical;
    struct strip lines; /* the rows, cut into tiles' rows */
    /* A pointwise layer's pixels are one long row, cut into rows of equal
     * length and a last one.  */
    struct strip strip, last_strip;
    bool has_last;

    /* In floats.  */
    int64_t input_start;                             /* of padding above and left; <= 0 */
    int64_t input_image, input_block, input_out_row; /* input_out_row: stride rows */
    int64_t input_row, input_tap, input_pixel;       /* filter row, tap, output pixel */
    int64_t output_image, output_block, output_row;
    int64_t bias_start; /* in the packed weights */
    struct pool *pool;
};

/* The parameters of the family.  */
extern const struct param mgemm_params[];

/* Sets plan->choice from the given parameters, the rest by rules of thumb, and whether the plan
 * gathers; its state says whether it is one of patches.  */
bool mgemm_choose(struct conv_plan *plan, const struct params *params, enum mgemm_form *form,
                  struct error *error);

/* The form of a plan's tiles: input, wf and rows of CHOICE are set.  */
enum mgemm_form mgemm_find_form(const struct conv_shape *shape, const struct conv_choice *choice);

/* Pixels of the widest tile of so many vectors for which inputs, outputs and the weights of a
 * tap are in registers; without fused multiply-adds a product is in one too.  */
int64_t mgemm_kept_width(const struct conv_plan *plan, int64_t vectors);

/* One tap, nothing around: a matrix product over the pixels that count.  */
bool mgemm_pointwise(const struct conv_shape *shape);

#endif
