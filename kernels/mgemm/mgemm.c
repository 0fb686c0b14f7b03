/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mgemm: convolution as a matrix product with the filter's width as a further
 * dimension of the register tile (Park, Bin, Lee, MobiSys 2022), no im2col and
 * no workspace: where groups do not fill vectors, and where inputs are gathered (gather.h), a part
 * at a time goes through a buffer on the stack.
 *
 * The loops are those of the paper's Algorithm 2, from the outside: slabs of
 * cco output channels, images, chunks of output rows (these three are spread over
 * the threads), blocks of cci input channels, output rows, tiles of w_o pixels,
 * filter rows, blocks of c_o output channels, and in the tile input channels,
 * filter columns, pixels and channels.  Filter rows can also be inside the tile,
 * and rows and tiles inside the channel blocks: then all tiles of one shape are
 * one call, for which the panel, c_o x cci channels of weights, stays near.
 *
 * This file makes plans and packs; mgemm_run.c has the loops.  */
#include <config.h>

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/mgemm/depthwise.h"
#include "kernels/mgemm/gather.h"
#include "kernels/mgemm/mgemm_plan.h"
#include "kernels/mgemm/mgemm_run.h"
#include "kernels/mgemm/pixel.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"

/* Parts that the rows of an image are cut into so that each thread gets a few items of work, or
 * just one where slabs, groups and images are so many.  */
static int64_t thread_parts(const struct conv_plan *plan, const struct mgemm_plan *m)
{
    const int64_t threads = plan->request.threads;
    const int64_t items = m->filter.groups * m->slabs * plan->request.shape.n;

    return threads == 1 ? 1 : (MGEMM_ITEMS * threads + items - 1) / items;
}

/* Pixels of a row that a pointwise layer's output is cut into: their inputs fit
 * into half of a common second-level cache, or where they are gathered into their buffer, and
 * each thread gets a few items.  */
static int64_t point_row(const struct conv_plan *plan, const struct mgemm_plan *m)
{
    const struct conv_shape *shape = &plan->request.shape;
    const int64_t pixels = conv_shape_out_h(shape) * conv_shape_out_w(shape), wo = plan->choice.wo;
    const int64_t floats = m->gathers ? MGEMM_GATHERED : 256 * 1024 / (int64_t)sizeof(float);
    int64_t fit = max64(1, floats / align_up(plan->choice.cci, m->block) / wo) * wo;
    int64_t rows = max64((pixels + fit - 1) / fit, thread_parts(plan, m));

    return min64(pixels, align_up((pixels + rows - 1) / rows, wo));
}

/* The rows of a pointwise layer's flattened images.  */
static void flatten(const struct conv_plan *plan, struct mgemm_plan *m)
{
    const struct conv_shape *shape = &plan->request.shape;
    const int64_t pixels = conv_shape_out_h(shape) * conv_shape_out_w(shape);
    const int64_t length = point_row(plan, m), rest = pixels % length;
    const struct axis axis = {length, 0, 1, 1, 1};
    const bool merge = m->co_outside;

    m->rows = (pixels + length - 1) / length;
    m->vertical = (struct axis){m->rows, 0, 1, 1, 1};
    m->chunk = 1;
    strip_make(&m->strip, &axis, length, plan->choice.wo, merge);
    if (rest > 0) {
        strip_make(&m->last_strip, &axis, rest, plan->choice.wo, merge);
        m->has_last = true;
    }
    m->input_out_row = length * m->block;
    m->output_row = length * m->vector;
    if (m->gathers) { /* the buffer holds one row */
        m->input_block = length * m->block;
        m->input_pixel = m->block;
        m->input_out_row = 0;
    }
}

static void list_blocks(struct mgemm_plan *m)
{
    const int64_t blocks = filter_layout_blocks(&m->filter);

    m->block_table = memory_alloc((size_t)blocks, sizeof *m->block_table);
    for (int64_t i = 0; i < blocks; i++) {
        int64_t width = filter_layout_width(&m->filter, i);

        m->block_table[i] = (struct mgemm_block){
            .first = filter_layout_first(&m->filter, i),
            .width = width,
            .vectors = width / m->vector,
            .filter = filter_layout_offset(&m->filter, 0, i),
            .bias = m->bias_start + filter_layout_bias_offset(&m->filter, 0, i),
            .output = filter_layout_first(&m->filter, i) / m->vector * m->output_block,
        };
    }
}

/* Output rows of an item of work: their input for the channels that are added
 * up at a time stays in the second level of cache, and each thread gets a few
 * items.  */
static int64_t row_chunk(const struct conv_plan *plan, const struct mgemm_plan *m)
{
    const struct conv_shape *shape = &plan->request.shape;
    const int64_t row = shape->w * plan->choice.cci * (int64_t)sizeof(float) * shape->stride_h;
    int64_t chunk = min64(256 * 1024 / row, m->rows / thread_parts(plan, m));

    return align_up(max64(1, chunk), m->tile_rows);
}

static void lay_out(const struct conv_plan *plan, struct mgemm_plan *m)
{
    const struct conv_shape *shape = &plan->request.shape;
    const int64_t p = conv_shape_out_h(shape), q = conv_shape_out_w(shape);
    const int64_t line = shape->w * m->block;
    const struct axis horizontal = {shape->w, shape->pad_left, shape->stride_w, shape->dilation_w,
                                    shape->s};

    m->input_image = layout_floats(&plan->input) / shape->n;
    m->input_block = shape->h * line;
    m->input_out_row = shape->stride_h * line;
    m->input_row = shape->dilation_h * line;
    m->input_tap = shape->dilation_w * m->block;
    m->input_pixel = shape->stride_w * m->block;
    m->input_start = -shape->pad_top * line - shape->pad_left * m->block;
    m->output_image = layout_floats(&plan->output) / shape->n;
    m->output_block = p * q * m->vector;
    m->output_row = q * m->vector;
    m->rows = p;
    m->vertical =
        (struct axis){shape->h, shape->pad_top, shape->stride_h, shape->dilation_h, shape->r};
    m->chunk = row_chunk(plan, m);
    if (mgemm_pointwise(shape) && m->form == MGEMM_POINT && m->tile_rows == 1)
        flatten(plan, m);
    else
        strip_make(&m->strip, &horizontal, q, plan->choice.wo, m->co_outside && !m->scatter);
    strip_make(&m->lines, &m->vertical, m->rows, m->tile_rows, true);
    m->lines_inside = m->co_outside && !m->hfil_outside && !m->scatter;
    list_blocks(m);
    m->row_groups = (m->rows + m->chunk - 1) / m->chunk;
}

static enum mgemm_form edge_form(enum mgemm_form form)
{
    if (form == MGEMM_KEEP_2)
        return MGEMM_BLOCKED_2;
    return form == MGEMM_KEEP || form == MGEMM_FILTER || form == MGEMM_POINT ? MGEMM_BLOCKED_1
                                                                             : form;
}

static void clear(struct conv_plan *plan)
{
    struct mgemm_plan *m = plan->state;

    strip_free(&m->strip);
    strip_free(&m->last_strip);
    strip_free(&m->lines);
    free(m->block_table);
    if (plan->request.pool == NULL)
        pool_free(m->pool);
    free(m);
}

/* The sizes of the three tensors; false when they do not fit.  */
static bool measure(struct conv_plan *plan, struct mgemm_plan *m, struct error *error)
{
    int64_t weights = filter_layout_floats(&m->filter);

    if (layout_floats(&plan->input) < 0 || layout_floats(&plan->output) < 0 || weights < 0 ||
        !checked_add(weights, filter_layout_bias_floats(&m->filter), &plan->packed_floats))
        return error_set(error, "mgemm: the tensors' bytes overflow 64 bits");
    m->bias_start = weights;
    return true;
}

/* Who gives a parameter wants the tiles of mGEMM proper.  */
static bool any_given(const struct params *params)
{
    bool given = false;

    for (size_t i = 0; i < params->count; i++)
        given = given || params->value[i].given;
    return given;
}

/* All of a plan, of which state, kernel and request are there.  */
static bool build(struct conv_plan *plan, const struct params *params, struct error *error)
{
    const struct conv_shape *shape = &plan->request.shape;
    const struct conv_choice *choice = &plan->choice;
    struct mgemm_plan *m = plan->state;

    m->set = mgemm_set(plan->request.isa);
    m->vector = isa_vector(plan->request.isa);
    m->scatter = shape->groups > 1 && shape->k / shape->groups % m->vector != 0;
    if (!mgemm_choose(plan, params, &m->form, error))
        return false;
    if (m->scatter) {
        plan->choice.hfil = "inside";
        plan->choice.cci = shape->c / shape->groups;
    }
    m->edge_form = edge_form(m->form);
    m->block = choice->ci;
    m->tile_rows = choice->rows;
    m->channels = choice->cci;
    m->keep = strcmp(choice->wf, "keep") == 0;
    m->hfil_outside = strcmp(choice->hfil, "outside") == 0;
    m->co_outside = strcmp(choice->order, "co-tile") == 0;
    plan->input = layout_input(shape, m->block);
    plan->output = layout_output(shape, m->vector);
    m->filter = filter_layout(shape, choice->co, m->vector);
    m->slab_blocks = choice->cco / choice->co;
    m->slabs = (filter_layout_blocks(&m->filter) + m->slab_blocks - 1) / m->slab_blocks;
    if (!measure(plan, m, error))
        return false;
    m->pool = pool_take(plan->request.pool, plan->request.threads, error);
    if (m->pool == NULL)
        return false;
    lay_out(plan, m);
    return true;
}

/* The plan of a layer of patches: that of the pointwise layer, but for the input, which is the
 * layer's own and planar.  What was chosen can't be given as parameters.  */
static bool build_patches(struct conv_plan *plan, const struct params *params, struct error *error)
{
    const struct conv_shape shape = plan->request.shape;
    const struct tensor_layout input = layout_input(&shape, 1);
    struct mgemm_plan *m = plan->state;
    bool built;

    if (layout_floats(&input) < 0)
        return error_set(error, "mgemm: the tensors' bytes overflow 64 bits");
    m->patches = true;
    plan->request.shape = gather_patches(&shape);
    built = build(plan, params, error);
    plan->request.shape = shape;
    plan->input = input;
    m->input_image = layout_floats(&input) / shape.n;
    plan->choice.order = plan->choice.hfil = NULL;
    plan->choice.ci = 1;
    return built;
}

static bool make_plan(struct conv_plan *plan, const struct params *params, struct error *error)
{
    const struct conv_shape *shape = &plan->request.shape;
    const bool open = !any_given(params);
    bool built;

    if (depthwise_suits(shape, plan->request.isa) && (shape->groups == shape->c || open)) {
        plan->kernel = &depthwise_kernel;
        return plan->kernel->plan(plan, params, error);
    }
    if (pixel_suits(shape) && open) {
        plan->kernel = &pixel_kernel;
        return plan->kernel->plan(plan, params, error);
    }
    plan->state = memory_zalloc(1, sizeof(struct mgemm_plan));
    built = open && gather_suits_patches(shape, plan->request.isa)
                ? build_patches(plan, params, error)
                : build(plan, params, error);
    if (!built)
        free(plan->state);
    return built;
}

/* The weights of patches lie as those of their pointwise layer do.  */
static void pack(const struct conv_plan *plan, const float *filter, const float *bias,
                 float *packed)
{
    const struct mgemm_plan *m = plan->state;
    const struct filter_layout layout =
        filter_layout(&plan->request.shape, plan->choice.co, m->vector);

    filter_layout_pack(&layout, filter, packed);
    filter_layout_pack_bias(&layout, bias, packed + m->bias_start);
}

const struct conv_kernel conv_kernel_mgemm = {
    .name = "mgemm",
    .title = "mGEMM: direct convolution in register tiles, no workspace",
    .source = "Park, Bin, Lee, mGEMM, MobiSys 2022",
    .params = mgemm_params,
    .isas = ISA_ALL,
    .tolerance = 1.0,
    .plan = make_plan,
    .clear = clear,
    .pack = pack,
    .run = mgemm_run,
};
