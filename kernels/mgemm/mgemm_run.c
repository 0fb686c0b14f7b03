/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "kernels/mgemm/mgemm_run.h"

#include <stdint.h>
#include <string.h>

#include "kernels/kernel.h"
#include "kernels/mgemm/gather.h"
#include "kernels/mgemm/mgemm_kept.h"
#include "kernels/mgemm/mgemm_plan.h"
#include "lib/base/checked.h"

struct tensors {
    const struct conv_plan *plan;
    const struct mgemm_plan *m;
    const float *input, *packed;
    float *output;
};

/* Where the loops stand.  */
struct place {
    const struct tensors *t;
    int64_t group, image;
    int64_t channel, channels; /* of the group's input */
    int64_t first, end;        /* blocks of the slab */
    const struct strip *strip; /* the columns */
    float *scatter;            /* the tile's buffer, or NULL */
    const float *source;       /* the input, or what was gathered of it */
    /* The next panel of weights, seen from this one, and how many lines of it for
     * each block of channels are still to be fetched.  */
    int64_t ahead, ahead_lines;
    /* Of this image and these channels, in floats: where tap 0 of output 0 is (it
     * may be padding), the group's weights and bias, the first output.  */
    int64_t input, filter, bias, output;
    struct mgemm_call call;
};

/* Rows and columns of tiles: TILES and LINES of the segments or fewer.  */
struct rectangle {
    const struct strip_segment *rows, *columns;
    int64_t row, lines;
};

/* Some of the rectangle's filter rows.  */
struct filter_rows {
    int64_t low, high;
    bool first, last; /* of all rounds of the place */
};

/* What all calls for these channels have in common.  */
static void start_channels(struct place *at, int64_t channel)
{
    const struct mgemm_plan *m = at->t->m;
    const int64_t from = at->group * m->filter.c + channel, lane = from % m->block;

    at->channel = channel;
    at->channels = min64(m->channels, m->filter.c - channel);
    at->input = at->image * m->input_image + from / m->block * m->input_block + m->input_start;
    at->filter = filter_layout_offset(&m->filter, at->group, 0);
    at->bias = filter_layout_bias_offset(&m->filter, at->group, 0);
    at->output =
        at->image * m->output_image + at->group * m->filter.k / m->vector * m->output_block;
    at->call = (struct mgemm_call){
        .channels = at->channels,
        .first_lane = lane,
        .first_channels = min64(at->channels, m->block - lane),
        .input_tap = m->input_tap,
        .input_pixel = m->input_pixel,
        .input_block = m->input_block,
        .input_row = m->input_row,
        .input_row2 = m->input_out_row,
        .output_block = m->output_block,
        .output_row2 = m->output_row,
    };
}

/* Where the tiles of a block write: into the output, or a single one into its
 * buffer.  */
static void set_output(struct place *at, const struct rectangle *r, const struct mgemm_block *block)
{
    const struct mgemm_plan *m = at->t->m;

    at->call.output_tile = r->columns->width * m->vector;
    at->call.output_line = r->rows->width * m->output_row;
    at->call.output = at->t->output + at->output + block->output + r->row * m->output_row +
                      r->columns->q * m->vector;
    if (at->scatter == NULL)
        return;
    at->call.output = at->scatter;
    at->call.output_row2 = r->columns->width * m->vector;
    at->call.output_block = r->rows->width * at->call.output_row2;
}

/* What the call's tiles fetch of the next panel: they go on where the tiles
 * before them ended.  */
static void set_ahead(struct place *at, int64_t tiles)
{
    const int64_t lines = min64(at->ahead_lines, tiles * at->call.tile_lines);

    at->call.ahead = at->ahead;
    at->call.ahead_lines = lines;
    at->ahead += lines * MGEMM_LINE;
    at->ahead_lines -= lines;
}

/* CHANNELS of the call from its first one on with FUNCTION; then the call is about the others.
 * BLOCKS: how many blocks of the input they end.  */
static void call_part(mgemm_function *function, struct mgemm_call *call, int64_t channels,
                      int64_t blocks)
{
    struct mgemm_call part = *call;

    if (channels == 0)
        return;
    part.channels = channels;
    part.first_channels = min64(channels, call->first_channels);
    part.relu = call->relu && channels == call->channels;
    function(&part);
    call->input += blocks * call->input_block;
    call->filter += channels * call->filter_channel;
    call->channels -= channels;
    call->accumulate = 1;
    call->ahead = call->ahead_lines = 0;
}

/* Whole blocks of channels with BLOCKS, what there is of others before and behind them apart.  */
static void call_blocks(const struct mgemm_tile *tile, mgemm_function *blocks,
                        const struct mgemm_call *call, int64_t vector)
{
    struct mgemm_call rest = *call;
    const int64_t first = call->first_lane > 0 ? call->first_channels : 0;
    const int64_t odd = (call->channels - first) % vector;

    if (call->channels - first - odd == 0) {
        tile->any(call);
        return;
    }
    call_part(tile->any, &rest, first, 1);
    rest.first_lane = 0;
    rest.first_channels = vector;
    call_part(blocks, &rest, rest.channels - odd, (rest.channels - odd) / vector);
    rest.first_channels = odd;
    call_part(tile->any, &rest, odd, 0);
}

/* The taps [FROM, TO) of the call, which all pixels have.  */
static void call_taps(const struct mgemm_tile *tile, const struct mgemm_call *call, int64_t from,
                      int64_t to, bool accumulate, bool relu, int64_t vector)
{
    struct mgemm_call part = *call;

    part.input += from * call->input_tap;
    part.filter += from * call->filter_tap;
    part.columns += from;
    part.taps = to - from;
    part.edge = MGEMM_WHOLE;
    part.accumulate = accumulate;
    part.relu = relu;
    call_blocks(tile, tile->blocks[MGEMM_WHOLE], &part, vector);
}

/* One tap of the call that some pixels have, which are side by side: for a narrower tile of TILES
 * it is whole.  */
static void call_some(const struct mgemm_tile *const *tiles, const struct mgemm_call *call,
                      int64_t tap, int64_t vector)
{
    const uint32_t hit = call->columns[tap];
    const int first = hit == 0 ? 0 : __builtin_ctz(hit), width = __builtin_popcount(hit);
    const uint32_t every = (UINT32_C(1) << width) - 1;
    struct mgemm_call part = *call;

    if (width == 0)
        return;
    part.output += first * vector;
    part.input += tap * call->input_tap + first * call->input_pixel;
    part.filter += tap * call->filter_tap;
    part.columns = &every;
    part.every = every;
    call_taps(tiles[width - 1], &part, 0, 1, true, false, vector);
}

/* Taps that hit real input for every pixel follow one another, and are done apart.  The others add
 * to what those began, and where negative sums become 0 one of those is the last of all.  */
static void call_masks(const struct mgemm_tile *const *tiles, int64_t width,
                       const struct mgemm_call *call, int64_t vector)
{
    const struct mgemm_tile *tile = tiles[width - 1];
    int64_t low = 0, high = call->taps, first;

    while (low < high && call->columns[low] != call->every)
        low++;
    while (high > low && call->columns[high - 1] != call->every)
        high--;
    if (tile->blocks[MGEMM_WHOLE] == NULL || high - low < 2 || call->channels < 3 * vector) {
        tile->any(call);
        return;
    }
    first = call->relu ? high - 1 : high;
    call_taps(tile, call, low, first, call->accumulate, false, vector);
    for (int64_t tap = 0; tap < call->taps; tap++)
        if (tap < low || tap >= high)
            call_some(tiles, call, tap, vector);
    if (first < high)
        call_taps(tile, call, first, high, true, true, vector);
}

bool mgemm_window(const struct mgemm_tile *tile, int64_t taps, int64_t dilation)
{
    const bool planes = tile->taps3 != NULL;

    return tile->window && dilation == 1 && (taps == 3 || (planes && taps == 7));
}

void mgemm_call_tile(const struct mgemm_tile *const *tiles, int64_t width,
                     const struct mgemm_call *call, int64_t vector)
{
    const struct mgemm_tile *tile = tiles[width - 1];
    const bool side_by_side =
        call->edge == MGEMM_WHOLE && call->input_tap == 1 && (call->keep || !tile->window);

    if (side_by_side && call->taps == 3 && tile->taps3 != NULL)
        tile->taps3(call);
    else if (side_by_side && call->taps == 7 && tile->taps7 != NULL)
        tile->taps7(call);
    else if (tile->blocks[call->edge] != NULL)
        call_blocks(tile, tile->blocks[call->edge], call, vector);
    else if (call->edge == MGEMM_MASKS || call->edge == MGEMM_BOTH_PIXELS)
        call_masks(tiles, width, call, vector);
    else
        tile->any(call);
}

enum mgemm_edge mgemm_find_edge(const struct strip *strip, const struct strip_segment *columns)
{
    const uint32_t *mask = strip_masks(strip, columns);
    const uint32_t all = (UINT32_C(1) << columns->width) - 1;
    const int64_t last = columns->taps - 1;
    int64_t misses = 0;
    bool at_first, at_last;

    for (int64_t tap = 0; tap < columns->taps; tap++)
        misses += mask[tap] != all;
    if (misses == 0)
        return MGEMM_WHOLE;
    at_first = columns->width > 1 && mask[0] == all - 1;
    at_last = columns->width > 1 && mask[last] == all >> 1;
    if (misses == 2 && at_first && at_last)
        return MGEMM_BOTH_PIXELS;
    if (misses == 1 && at_first)
        return MGEMM_FIRST_PIXEL;
    return misses == 1 && at_last ? MGEMM_LAST_PIXEL : MGEMM_MASKS;
}

/* The tiles of FORM for the rectangle and block, by their width.  */
static const struct mgemm_tile *const *find_tiles(const struct mgemm_plan *m, enum mgemm_form form,
                                                  const struct rectangle *r,
                                                  const struct mgemm_block *block)
{
    return m->set->tile[form][r->rows->width - 1][block->vectors - 1];
}

/* Whether a tile of the plan's form does the call, or one of its form for edges must.  */
static bool does_edges(const struct mgemm_plan *m, const struct mgemm_tile *tile,
                       const struct mgemm_call *call)
{
    if (call->taps < m->filter.s)
        return false;
    return call->edge == MGEMM_WHOLE || (tile->blocks[call->edge] != NULL &&
                                         call->channels % m->vector == 0 && call->first_lane == 0);
}

/* The function that does the call where a pixel at the row's end misses a tap, with inputs
 * kept; NULL: there is none.  */
static mgemm_function *find_edge_function(const struct place *at, const struct rectangle *r,
                                          const struct mgemm_block *block,
                                          const struct mgemm_call *call)
{
    const struct mgemm_plan *m = at->t->m;

    if (call->taps < m->filter.s || call->channels % m->vector != 0 || call->first_lane != 0)
        return NULL;
    return mgemm_kept_edge(at->t->plan->request.isa, m->form, call->edge, block->vectors,
                           r->columns->width);
}

/* Calls the tile of the plan's form, or what stands in for it.  */
static void call_form(const struct place *at, const struct rectangle *r,
                      const struct mgemm_block *block, const struct mgemm_call *call)
{
    const struct mgemm_plan *m = at->t->m;
    const int64_t width = r->columns->width;
    const struct mgemm_tile *const *tiles = find_tiles(m, m->form, r, block);
    mgemm_function *edge;

    if (does_edges(m, tiles[width - 1], call)) {
        mgemm_call_tile(tiles, width, call, m->vector);
        return;
    }
    edge = find_edge_function(at, r, block, call);
    if (edge != NULL) {
        edge(call);
        return;
    }
    tiles = find_tiles(m, m->edge_form, r, block);
    mgemm_call_tile(tiles, width, call, m->vector);
}

/* The rectangle for one block of output channels.  */
static void run_call(struct place *at, const struct rectangle *r, const struct mgemm_block *block,
                     const struct filter_rows *rows)
{
    const struct mgemm_plan *m = at->t->m;
    const struct strip_segment *columns = r->columns;
    const int64_t row = r->rows->tap + rows->low; /* of the filter */
    struct mgemm_call *call = &at->call;

    call->input = at->source + at->input + r->row * m->input_out_row + row * m->input_row +
                  columns->q * m->input_pixel + columns->tap * m->input_tap;
    call->filter_row = m->filter.c * m->filter.s * block->width;
    call->filter = at->t->packed + at->filter + block->filter + row * call->filter_row +
                   (at->channel * m->filter.s + columns->tap) * block->width;
    call->bias = at->t->packed + at->bias + block->bias;
    set_output(at, r, block);
    call->tiles = columns->tiles;
    call->lines = r->lines;
    call->input_tile = columns->width * m->input_pixel;
    call->input_line = r->rows->width * m->input_out_row;
    call->filter_rows = columns->taps > 0 ? rows->high - rows->low : 0;
    call->taps = columns->taps;
    call->columns = strip_masks(at->strip, columns);
    call->rows = strip_masks(&m->lines, r->rows) + rows->low;
    set_ahead(at, columns->tiles * r->lines);
    call->edge = mgemm_find_edge(at->strip, columns);
    call->every = (UINT32_C(1) << columns->width) - 1;
    call->filter_tap = block->width;
    call->filter_channel = m->filter.s * block->width;
    call->accumulate = !rows->first;
    call->relu = at->t->plan->request.relu && rows->last;
    call->keep = m->keep;
    call_form(at, r, block, call);
}

/* CHANNELS of a tile that lie side by side, from its buffer to the output.  */
static void scatter_channels(const struct place *at, const struct rectangle *r, const float *from,
                             float *to, int64_t channels)
{
    const struct mgemm_plan *m = at->t->m;
    const int64_t vector = m->vector;

    for (int64_t y = 0; y < r->rows->width; y++)
        for (int64_t x = 0; x < r->columns->width; x++) {
            const float *pixel = from + y * at->call.output_row2 + x * vector;
            float *out = to + y * m->output_row + x * vector;

            if (channels == 16) /* a length that is known is a copy of a vector or two */
                memcpy(out, pixel, 16 * sizeof *out);
            else if (channels == 8)
                memcpy(out, pixel, 8 * sizeof *out);
            else
                for (int64_t k = 0; k < channels; k++)
                    out[k] = pixel[k];
        }
}

/* The tile's buffer to the lanes of the output that are this group's, as far as there are some
 * side by side in both at a time.  */
static void scatter_tile(const struct place *at, const struct rectangle *r,
                         const struct mgemm_block *block)
{
    const struct mgemm_plan *m = at->t->m;
    const int64_t first = at->group * m->filter.k + block->first, vector = m->vector;
    const int64_t channels = min64(block->width, m->filter.k - block->first);
    float *output = at->t->output + at->image * m->output_image + r->row * m->output_row +
                    r->columns->q * vector;
    int64_t run;

    for (int64_t k = 0; k < channels; k += run) {
        const int64_t lane = k % vector, out_lane = (first + k) % vector;

        run = min64(channels - k, vector - max64(lane, out_lane));
        scatter_channels(at, r, at->scatter + k / vector * at->call.output_block + lane,
                         output + (first + k) / vector * m->output_block + out_lane, run);
    }
}

/* The blocks [FIRST, END) of a rectangle, with all filter rows at once or one
 * row after the other.  */
static void run_rectangle(struct place *at, const struct rectangle *r, int64_t first, int64_t end)
{
    const struct mgemm_plan *m = at->t->m;
    const int64_t taps = r->rows->taps, step = m->hfil_outside ? 1 : max64(1, taps);
    int64_t low = 0;

    do {
        const struct filter_rows rows = {low, min64(taps, low + step), low == 0 && at->channel == 0,
                                         low + step >= taps &&
                                             at->channel + at->channels == m->filter.c};

        for (int64_t block = first; block < end; block++) {
            run_call(at, r, &m->block_table[block], &rows);
            if (at->scatter != NULL)
                scatter_tile(at, r, &m->block_table[block]);
        }
        low += step;
    } while (low < taps);
}

/* All columns of some rows.  */
static void run_columns(struct place *at, struct rectangle *r, int64_t first, int64_t end)
{
    for (size_t i = 0; i < at->strip->segments; i++) {
        r->columns = &at->strip->segment[i];
        run_rectangle(at, r, first, end);
    }
}

/* The rows [ROW, ROW_END) for some blocks.  */
static void run_rows(struct place *at, int64_t row, int64_t row_end, int64_t first, int64_t end)
{
    const struct mgemm_plan *m = at->t->m;

    for (size_t i = 0; i < m->lines.segments; i++) {
        const struct strip_segment *rows = &m->lines.segment[i];
        const int64_t from = max64(row, rows->q);
        const int64_t to = min64(row_end, rows->q + rows->tiles * rows->width);
        struct rectangle r = {.rows = rows, .row = from, .lines = (to - from) / rows->width};

        if (from >= to)
            continue;
        if (m->lines_inside) {
            run_columns(at, &r, first, end);
            continue;
        }
        r.lines = 1;
        for (; r.row < to; r.row += rows->width)
            run_columns(at, &r, first, end);
    }
}

/* Where the panel after this one is, seen from this one: the weights of the next
 * block of the slab, of its next input channels, or of the next slab.  0 where
 * this panel comes again before that.  */
static int64_t next_panel(const struct place *at, int64_t block)
{
    const struct mgemm_plan *m = at->t->m;
    const struct mgemm_block *table = m->block_table;
    const int64_t channel = m->filter.s * table[block].width;

    if (m->row_groups * at->t->plan->request.shape.n > 1)
        return 0;
    if (block + 1 < at->end)
        return table[block + 1].filter - table[block].filter;
    if (at->channel + at->channels < m->filter.c)
        return table[at->first].filter - table[block].filter + at->channels * channel;
    if (at->end < filter_layout_blocks(&m->filter))
        return table[at->end].filter - table[block].filter - at->channel * channel;
    return 0;
}

/* Tiles of one block in ROWS of output.  */
static int64_t count_tiles(const struct place *at, int64_t rows)
{
    int64_t tiles = 0;

    for (size_t i = 0; i < at->strip->segments; i++)
        tiles += at->strip->segment[i].tiles;
    return max64(1, rows / at->t->m->tile_rows) * tiles;
}

/* The panel of one block and the channels of the place.  Its tiles share what there is to fetch of
 * the next one.  */
static void run_panel(struct place *at, int64_t row, int64_t row_end, int64_t block)
{
    const struct mgemm_plan *m = at->t->m;
    const int64_t floats = m->block * m->filter.s * m->block_table[block].width;
    const int64_t lines = (floats + MGEMM_LINE - 1) / MGEMM_LINE;
    const int64_t tiles = count_tiles(at, row_end - row);
    const int step = MGEMM_LINES(m->form, m->vector);

    at->ahead = next_panel(at, block);
    at->ahead_lines = at->ahead == 0 ? 0 : lines;
    at->call.tile_lines = step;
    if (m->vector == 16 && m->form != MGEMM_POINT)
        at->call.tile_lines = (int)align_up((lines + tiles - 1) / tiles, step);
    run_rows(at, row, row_end, block, block + 1);
}

/* The place's channels of the pixels that count for ROW of the flattened output.  */
static void gather_row(const struct place *at, int64_t row, float *to)
{
    const struct conv_shape *shape = &at->t->plan->request.shape;
    const struct mgemm_plan *m = at->t->m;
    const int64_t length = m->input_block / m->block, first = row * length;
    const struct gather gather = {
        .image = at->t->input + at->image * m->input_image,
        .first = first,
        .end = min64(first + length, conv_shape_out_h(shape) * conv_shape_out_w(shape)),
        .channel = at->channel,
        .channels = at->channels,
        .vector = m->block,
        .block = m->input_block,
    };

    if (m->patches)
        gather_taps(shape, &gather, to);
    else
        gather_pixels(shape, &gather, to);
}

/* The rows [ROW, END) of the slab; GATHERED: where the input of the one row goes, or NULL.  */
static void run_slab(struct place *at, int64_t row, int64_t end, float *gathered)
{
    const struct mgemm_plan *m = at->t->m;

    for (int64_t channel = 0; channel < m->filter.c; channel += m->channels) {
        start_channels(at, channel);
        if (gathered != NULL) {
            gather_row(at, row, gathered);
            at->input = 0;
        }
        if (!m->co_outside)
            run_rows(at, row, end, at->first, at->end);
        for (int64_t block = at->first; m->co_outside && block < at->end; block++)
            run_panel(at, row, end, block);
    }
}

/* A row of pixels that are gathered.  Not inline: its frame is large.  */
static __attribute__((noinline)) void run_gathered(struct place *at, int64_t row)
{
    _Alignas(64) float gathered[MGEMM_GATHERED]; /* a vector is in one line */

    at->source = gathered;
    run_slab(at, row, row + 1, gathered);
}

/* One item of work: some output rows of one image for one slab.  Slabs are
 * outermost, so that threads share the slab's weights.  */
static void run_item(void *context, int64_t item)
{
    const struct tensors *t = context;
    const struct mgemm_plan *m = t->m;
    float buffer[MGEMM_MAX_ROWS * MGEMM_MAX_VECTORS * MGEMM_MAX_WIDTH * MGEMM_MAX_VECTOR_LENGTH];
    const int64_t row = item % m->row_groups * m->chunk, end = min64(row + m->chunk, m->rows);
    const int64_t slab = item / m->row_groups / t->plan->request.shape.n;
    struct place at = {.t = t,
                       .group = slab / m->slabs,
                       .image = item / m->row_groups % t->plan->request.shape.n,
                       .first = slab % m->slabs * m->slab_blocks,
                       .strip = m->has_last && row == m->rows - 1 ? &m->last_strip : &m->strip,
                       .scatter = m->scatter ? buffer : NULL,
                       .source = t->input};

    at.end = min64(at.first + m->slab_blocks, filter_layout_blocks(&m->filter));
    if (m->gathers)
        run_gathered(&at, row);
    else
        run_slab(&at, row, end, NULL);
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
