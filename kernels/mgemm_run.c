#include <config.h>

#include "kernels/mgemm_run.h"

#include <stdint.h>

#include "kernels/kernel.h"
#include "kernels/mgemm_plan.h"
#include "lib/checked.h"

struct tensors {
    const struct conv_plan *plan;
    const struct mgemm_plan *m;
    const float *input, *packed;
    float *output;
};

/* Where the loops stand.  */
struct place {
    const struct tensors *t;
    const struct strip *strip;
    int64_t group, image;
    int64_t row, rows; /* of output, in the tile */
    float *scatter;    /* the tile's buffer, or NULL */
    /* Of these rows, in floats: where tap 0 of column 0 is (it may be padding),
     * the group's weights and bias, the first output.  */
    int64_t input, filter, bias, output;
    struct mgemm_call call;
};

/* Filter rows [low, high) of a tile's calls; first: nothing was added up
 * before; last: nothing will be.  */
struct filter_rows {
    int64_t low, high;
    bool first, last;
};

/* What all calls for these output rows have in common.  */
static void start_rows(struct place *at)
{
    const struct mgemm_plan *m = at->t->m;
    const int64_t channel = at->group * m->filter.c;

    at->input = at->image * m->input_image + channel / m->block * m->input_block + m->input_start +
                at->row * m->input_out_row;
    at->filter = filter_layout_offset(&m->filter, at->group, 0);
    at->bias = filter_layout_bias_offset(&m->filter, at->group, 0);
    at->output = at->image * m->output_image +
                 at->group * m->filter.k / m->vector * m->output_block + at->row * m->output_row;
    at->call = (struct mgemm_call){
        .channels = m->filter.c,
        .first_lane = channel % m->block,
        .first_channels = min64(m->filter.c, m->block - channel % m->block),
        .input_tap = m->input_tap,
        .input_pixel = m->input_pixel,
        .input_block = m->input_block,
        .input_row = m->input_row,
        .input_row2 = m->input_out_row,
        .output_block = m->output_block,
        .output_row2 = m->output_row,
    };
}

static void set_output(struct place *at, const struct strip_segment *segment, int64_t q,
                       const struct mgemm_block *block)
{
    const int64_t vector = at->t->m->vector;

    if (at->scatter == NULL) {
        at->call.output = at->t->output + at->output + block->output + q * vector;
        return;
    }
    at->call.output = at->scatter + (q - segment->q) * vector;
    at->call.output_row2 = segment->width * vector;
    at->call.output_block = at->rows * at->call.output_row2;
}

/* One call of a tile.  */
static void run_call(struct place *at, const struct strip_segment *segment,
                     const struct strip_call *part, const struct mgemm_block *block,
                     struct filter_rows rows)
{
    const struct mgemm_plan *m = at->t->m;
    const int64_t input =
        at->input + rows.low * m->input_row + part->q * m->input_pixel + part->tap * m->input_tap;
    const int64_t filter = at->filter + block->filter +
                           (rows.low * m->filter.c * m->filter.s + part->tap) * block->width;
    const enum mgemm_form form = part->taps == m->filter.s ? m->form : m->edge_form;

    at->call.input = at->t->input + input;
    at->call.filter = at->t->packed + filter;
    at->call.bias = at->t->packed + at->bias + block->bias;
    set_output(at, segment, part->q, block);
    at->call.tiles = segment->tiles;
    at->call.filter_rows = part->taps > 0 ? rows.high - rows.low : 0;
    at->call.taps = part->taps;
    at->call.filter_skip = (m->filter.s - part->taps) * block->width;
    at->call.input_tile = part->width * m->input_pixel;
    at->call.output_tile = part->width * m->vector;
    m->set->tile[form][at->rows - 1][block->vectors - 1][part->width - 1](&at->call);
}

/* The tile's buffer to the lanes of the output that are this group's.  */
static void scatter_tile(const struct place *at, const struct strip_segment *segment, int64_t block)
{
    const struct mgemm_plan *m = at->t->m;
    const int64_t first = at->group * m->filter.k + block * m->filter.co;
    const int64_t channels = min64(m->filter.co, m->filter.k - block * m->filter.co);

    for (int64_t k = 0; k < channels; k++)
        for (int64_t y = 0; y < at->rows; y++)
            for (int64_t x = 0; x < segment->width; x++)
                at->t->output[layout_index(&at->t->plan->output, at->image, first + k, at->row + y,
                                           segment->q + x)] =
                    at->scatter[k / m->vector * at->call.output_block + y * at->call.output_row2 +
                                x * m->vector + k % m->vector];
}

/* A tile, or several of one width side by side, for one block of channels.
 * ReLU comes with the last call; a call without taps does it where the last
 * one covers only some of the columns.  */
static void run_segment(struct place *at, const struct strip_segment *segment, int64_t block,
                        struct filter_rows rows)
{
    const struct strip_call *part = &at->strip->call[segment->first_call];
    const struct mgemm_block *entry = &at->t->m->block_table[block];
    const bool relu = at->t->plan->request.relu && rows.last;
    const bool empty = rows.low >= rows.high;
    const size_t calls = empty ? 1 : segment->calls;

    for (size_t i = 0; i < calls; i++) {
        at->call.accumulate = !(rows.first && i == 0);
        at->call.relu = relu && calls == 1;
        run_call(at, segment, &part[i], entry, rows);
    }
    if (relu && calls > 1) {
        struct strip_call none = {segment->q, segment->width, part->tap, 0};

        at->call.relu = 1;
        run_call(at, segment, &none, entry, rows);
    }
    if (at->scatter != NULL && rows.last)
        scatter_tile(at, segment, block);
}

/* The filter rows of one round: all of them, or one at a time.  */
static bool next_rows(const struct mgemm_plan *m, int64_t low, int64_t high,
                      struct filter_rows *rows)
{
    if (rows->low == rows->high) /* before the first round */
        rows->first = true;
    else if (rows->high == high)
        return false;
    else
        rows->first = false;
    rows->low = rows->first ? low : rows->high;
    rows->high = m->hfil_outside && rows->low < high ? rows->low + 1 : high;
    rows->last = rows->high == high;
    return true;
}

static void run_tile(struct place *at, const struct strip_segment *segment, int64_t first_block,
                     int64_t end_block, int64_t low, int64_t high)
{
    struct filter_rows rows = {0, 0, true, true};

    if (low >= high) {
        for (int64_t block = first_block; block < end_block; block++)
            run_segment(at, segment, block, rows);
        return;
    }
    while (next_rows(at->t->m, low, high, &rows))
        for (int64_t block = first_block; block < end_block; block++)
            run_segment(at, segment, block, rows);
}

/* Output rows that have the same filter rows, all blocks of a slab.  */
static void run_rows(struct place *at, int64_t slab, int64_t low, int64_t high)
{
    const struct mgemm_plan *m = at->t->m;
    const int64_t first = slab * m->slab_blocks;
    const int64_t end = min64(first + m->slab_blocks, filter_layout_blocks(&m->filter));

    at->strip = m->has_last && at->row == m->rows - 1 ? &m->last_strip : &m->strip;
    start_rows(at);
    if (m->co_outside) {
        for (int64_t block = first; block < end; block++)
            for (size_t i = 0; i < at->strip->segments; i++)
                run_tile(at, &at->strip->segment[i], block, block + 1, low, high);
        return;
    }
    for (size_t i = 0; i < at->strip->segments; i++)
        run_tile(at, &at->strip->segment[i], first, end, low, high);
}

/* One item of work: a group of output rows of one image for one slab.  Slabs
 * are outermost, so that threads share the slab's weights.  */
static void run_item(void *context, int64_t item)
{
    const struct tensors *t = context;
    const struct mgemm_plan *m = t->m;
    float buffer[MGEMM_MAX_ROWS * MGEMM_MAX_VECTORS * MGEMM_MAX_WIDTH * MGEMM_MAX_VECTOR_LENGTH];
    const int64_t row = item % m->row_groups * m->tile_rows;
    const int64_t image = item / m->row_groups % t->plan->request.shape.n;
    const int64_t slab = item / m->row_groups / t->plan->request.shape.n;
    struct place at = {.t = t,
                       .group = slab / m->slabs,
                       .image = image,
                       .row = row,
                       .rows = min64(m->tile_rows, m->rows - row),
                       .scatter = m->scatter ? buffer : NULL};
    int64_t low, high, low2, high2;

    axis_taps(&m->vertical, row, &low, &high);
    axis_taps(&m->vertical, row + at.rows - 1, &low2, &high2);
    if (low == low2 && high == high2) {
        run_rows(&at, slab % m->slabs, low, high);
        return;
    }
    at.rows = 1;
    run_rows(&at, slab % m->slabs, low, high);
    at.row++;
    run_rows(&at, slab % m->slabs, low2, high2);
}

/* The lanes beyond the last channel, which no group writes.  */
static void clear_filling(const struct tensors *t)
{
    struct tensor_layout filled = t->plan->output;
    const int64_t last = filled.c;

    filled.c = align_up(filled.c, filled.block);
    for (int64_t n = 0; n < filled.n; n++)
        for (int64_t c = last; c < filled.c; c++)
            for (int64_t h = 0; h < filled.h; h++)
                for (int64_t w = 0; w < filled.w; w++)
                    t->output[layout_index(&filled, n, c, h, w)] = 0.0F;
}

void mgemm_run(const struct conv_plan *plan, const float *input, const float *packed, float *output)
{
    const struct mgemm_plan *m = plan->state;
    struct tensors t = {plan, m, input, packed, output};

    pool_run(m->pool, m->filter.groups * m->slabs * plan->request.shape.n * m->row_groups, run_item,
             &t);
    if (m->scatter)
        clear_filling(&t);
}
