/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "kernels/model/predict.h"

#include <math.h>
#include <string.h>

#include "kernels/mgemm/mgemm_kept.h"
#include "kernels/mgemm/mgemm_plan.h"
#include "kernels/mgemm/mgemm_run.h"
#include "lib/base/checked.h"

/* Inputs are broadcast once for all taps.  */
static bool keeps_inputs(const struct predict_tile *tile)
{
    return tile->form == MGEMM_KEEP || tile->form == MGEMM_KEEP_2 || tile->form == MGEMM_FILTER ||
           tile->window;
}

/* Of one row of the tile.  */
static int64_t count_inputs(const struct predict_tile *tile)
{
    return model_input_pixels(tile->width, tile->taps, tile->stride, 1);
}

static int64_t count_registers(const struct machine *machine, const struct predict_tile *tile)
{
    const int64_t pixels = tile->rows * tile->width;
    const int64_t registers = pixels * tile->vectors + (machine->fused ? 0 : 1);

    if (tile->window)
        return registers + tile->width + 1;
    if (tile->form == MGEMM_KEEP || tile->form == MGEMM_KEEP_2)
        return registers + count_inputs(tile) + 1;
    if (tile->form == MGEMM_FILTER)
        return registers + tile->taps * tile->vectors + 1;
    return registers + min64(pixels, tile->vectors) + 1;
}

static int64_t count_loads(const struct predict_tile *tile)
{
    const int64_t weights = tile->taps * tile->vectors;
    /* GCC gives a weight that is used only twice no register.  */
    const int64_t uses = tile->form == MGEMM_KEEP && tile->width == 2 ? 2 : 1;

    if (tile->window)
        return weights + count_inputs(tile);
    if (keeps_inputs(tile))
        return uses * weights + tile->rows * count_inputs(tile);
    return weights + tile->taps * tile->rows * tile->width;
}

/* Of a channel and filter row: a tap has its loop of 4, the channel one of 6, or of 2
 * where all lanes of a block are straight code.  */
static int64_t count_instructions(const struct machine *machine, const struct predict_tile *tile,
                                  int64_t spilled)
{
    const int64_t pixels = tile->rows * tile->width, sums = pixels * tile->vectors;
    const int64_t product = machine->fused ? 1 : 2, broadcast = machine->fused ? 1 : 2;
    const bool pixels_first = tile->vectors > pixels;
    int64_t copies = 0, tap;

    if (tile->window)
        return tile->taps * (tile->vectors + sums) + count_inputs(tile) + spilled + 2;
    if (keeps_inputs(tile)) {
        const int64_t inputs = tile->rows * count_inputs(tile);

        /* A kept weight that has no register is loaded where it would be copied.  */
        if (!machine->fused && tile->form == MGEMM_FILTER)
            copies = tile->taps * sums - inputs - spilled;
        else if (!machine->fused)
            copies = tile->taps * (sums - tile->vectors);
        return tile->taps * (tile->vectors + sums * product) + copies + inputs * broadcast +
               spilled + 6;
    }
    if (!machine->fused)
        copies = sums - (pixels_first ? tile->vectors : pixels);
    tap = tile->vectors + pixels * broadcast + sums * product + copies + spilled;
    return tile->taps * (tap + (tile->form == MGEMM_POINT ? 0 : 4)) + 6;
}

/* How many of a chain's taps go through memory, where registers are missing.
 * A loop over the taps loads and stores its spilled sums in each of them.  Taps
 * one after the other without a loop: kept inputs are spilled before sums are
 * when there is one vector, kept weights before all but a few sums.  */
static double count_detours(const struct predict_tile *tile, int64_t spilled)
{
    if (spilled == 0)
        return 0.0;
    if (tile->form == MGEMM_FILTER)
        return 1.0;
    if (tile->form == MGEMM_KEEP || tile->form == MGEMM_KEEP_2)
        return (double)min64(tile->taps, tile->vectors == 1 ? spilled / 3 : spilled);
    return (double)tile->taps;
}

struct predict_cost predict_tile(const struct machine *machine, const struct predict_tile *tile)
{
    const int64_t sums = tile->rows * tile->vectors * tile->width;
    const bool once = keeps_inputs(tile);
    struct predict_cost cost = {
        .registers = count_registers(machine, tile), .loads = count_loads(tile), .chains = sums};
    const double taps = (double)tile->taps;
    double detours, waiting, multiply_adds, memory;

    cost.spilled = max64(0, cost.registers - machine->registers);
    cost.instructions = count_instructions(machine, tile, cost.spilled);
    cost.broadcasts = tile->rows * (once ? count_inputs(tile) : tile->taps * tile->width);
    detours = count_detours(tile, cost.spilled);
    waiting = detours * machine->memory_s + (taps - detours) * machine->latency_s;
    memory = (once ? 1.0 : taps) * (double)cost.spilled * machine->accumulator_s +
             (double)cost.loads * machine->load_s;
    multiply_adds = taps * (double)sums * machine->fma_s;
    cost.seconds = fmax(fmax(waiting, multiply_adds),
                        fmax(memory, (double)cost.instructions * machine->issue_s +
                                         (double)cost.broadcasts * machine->broadcast_s));
    if (tile->taps == 1 && tile->form != MGEMM_POINT)
        cost.seconds += machine->channel_s;
    return cost;
}

/* Where the loops stand.  */
struct walk {
    const struct conv_plan *plan;
    const struct mgemm_plan *m;
    const struct machine *machine;
    const struct strip *strip;         /* the columns */
    const struct strip_segment *lines; /* rows of tiles that are alike */
    double count, chunks;              /* of these; items of work that they are in */
    double times;                      /* that all this is done: input channels in blocks */
    double image_bytes;                /* input of all rows */
    double chunk_bytes;                /* of the rows of an item */
    double line_bytes;                 /* of the filter's rows for one row of tiles */
    double slab_bytes;                 /* weights of the slab for one block of input channels */
    struct prediction sum;
    double seconds;
};

/* Panels, of one slab's blocks of output channels, that are alike.  */
struct panel {
    int64_t co;
    double count;
    bool first; /* of the slab */
};

/* What a tile reads from which level of cache.  */
struct reading {
    double seconds; /* the quickest that the caches give it */
    double farther; /* of that, what the first level would not have taken */
};

/* Input rows that a row of tiles reads and the one before it did not, of all that
 * it reads.  */
static double fresh_rows(const struct walk *w)
{
    const struct conv_shape *shape = &w->plan->request.shape;
    const double step = (double)(w->lines->width * shape->stride_h);
    const double all = (double)(w->lines->taps + (w->lines->width - 1) * shape->stride_h);

    return fmin(1.0, step / fmax(1.0, all));
}

/* The bytes that pass between two uses of a float decide which level it comes
 * from.  A panel around the tiles: its weights are read again for each tile, and
 * input that is fresh was last read for the panel before it.  Tiles around the
 * panels: weights were last read for the tile before.  */
static struct reading read_tile(const struct walk *w, const struct strip_segment *part,
                                const struct panel *panel)
{
    const struct machine *machine = w->machine;
    const struct conv_shape *shape = &w->plan->request.shape;
    const double size = (double)sizeof(float), rows = (double)w->lines->taps;
    const double weights = rows * (double)(w->m->channels * part->taps * panel->co) * size;
    const double pixels =
        (double)model_input_pixels(part->width, part->taps, shape->stride_w, shape->dilation_w);
    const double input = rows * (double)(w->lines->width * w->m->channels) * pixels * size;
    const double near = weights + input, fresh = fresh_rows(w);
    const double all = w->image_bytes + w->slab_bytes;
    const double again = w->m->co_outside ? w->line_bytes + weights : w->line_bytes + w->slab_bytes;
    double from, weights_from, seconds;

    if (w->m->co_outside) {
        from = panel->first ? all : w->chunk_bytes + weights;
        weights_from = near;
    } else {
        from = panel->first ? all : near;
        weights_from = w->slab_bytes + input;
    }
    if (panel->first || w->m->co_outside)
        seconds = input * (fresh * machine_read(machine, from) +
                           (1.0 - fresh) * machine_read(machine, fmin(from, again)));
    else
        seconds = input * machine_read(machine, from);
    seconds += weights * machine_read(machine, weights_from);
    return (struct reading){seconds, seconds - (input + weights) * machine->read_s[0]};
}

/* How often a tile is called for a segment of columns and a panel.  */
static double count_calls(const struct walk *w)
{
    const double passes = w->m->hfil_outside ? (double)max64(1, w->lines->taps) : 1.0;

    return passes * (w->m->lines_inside ? w->chunks : w->count);
}

/* Whether a pixel at an end misses a tap and a function that keeps inputs does that.  */
static bool is_kept_edge(const struct walk *w, const struct strip_segment *part,
                         const struct panel *panel)
{
    const struct mgemm_plan *m = w->m;
    const enum mgemm_edge edge = mgemm_find_edge(w->strip, part);
    const int64_t vectors = panel->co / m->vector;

    return part->taps == m->filter.s && m->channels % m->vector == 0 &&
           (m->set->tile[m->form][w->lines->width - 1][vectors - 1][part->width - 1]
                    ->blocks[edge] != NULL ||
            mgemm_kept_edge(w->plan->request.isa, m->form, edge, vectors, part->width) != NULL);
}

static struct predict_tile describe_tile(const struct walk *w, const struct strip_segment *part,
                                         const struct panel *panel)
{
    const struct conv_shape *shape = &w->plan->request.shape;
    const struct mgemm_plan *m = w->m;
    const bool whole = part->whole && part->taps == m->filter.s;
    const bool kept = whole || is_kept_edge(w, part, panel);
    struct predict_tile tile = {.form = kept ? m->form : m->edge_form,
                                .rows = w->lines->width,
                                .vectors = panel->co / m->vector,
                                .width = part->width,
                                .taps = part->taps,
                                .stride = shape->stride_w};
    const struct mgemm_tile *entry =
        m->set->tile[tile.form][tile.rows - 1][tile.vectors - 1][tile.width - 1];

    tile.window = whole && m->keep && mgemm_window(entry, tile.taps, shape->dilation_w);
    return tile;
}

/* The tiles of a segment of columns, for all rows and panels that are alike.  */
static void add_tiles(struct walk *w, const struct strip_segment *part, const struct panel *panel)
{
    const struct mgemm_plan *m = w->m;
    const struct predict_tile tile = describe_tile(w, part, panel);
    const double sums = (double)(tile.rows * tile.vectors * tile.width);
    const double count = panel->count * w->count * (double)part->tiles;
    const double channels = (double)(w->lines->taps * m->channels);
    const double passes = m->hfil_outside ? (double)max64(1, w->lines->taps) : 1.0;
    struct predict_cost cost = {.seconds = 0.0};
    struct reading read = {0.0, 0.0};
    double core = 0.0, hit = 0.0, overhead;

    if (part->taps > 0 && w->lines->taps > 0) {
        hit = (double)strip_hits(w->strip, part) / (double)(part->width * part->taps) *
              (double)strip_hits(&m->lines, w->lines) / (double)(w->lines->width * w->lines->taps);
        cost = predict_tile(w->machine, &tile);
        core = cost.seconds * channels * hit;
        read = read_tile(w, part, panel);
        if (cost.registers > w->sum.tile.registers)
            w->sum.tile = cost;
    }
    overhead = panel->count * count_calls(w) * w->machine->call_s +
               passes * count * (w->machine->tile_s + sums * w->machine->accumulator_s);
    w->sum.multiply_add_s +=
        w->times * count * channels * hit * (double)part->taps * sums * w->machine->fma_s;
    w->sum.core_s += w->times * count * core;
    w->sum.overhead_s += w->times * overhead;
    w->seconds +=
        w->times *
        (count * fmax(core + w->machine->exposed * read.farther, read.seconds) + overhead);
}

/* COUNT rows of tiles like LINES, all columns.  LAST: the ones that a pointwise
 * layer's flattened image ends with.  */
static void add_lines(struct walk *w, const struct strip_segment *lines, double count, bool last,
                      const struct panel *panel)
{
    const struct mgemm_plan *m = w->m;
    const double rows = (double)(lines->taps + (lines->width - 1) * m->vertical.stride);

    w->lines = lines;
    w->count = count;
    w->chunks = ceil(count * (double)lines->width / (double)m->chunk);
    w->line_bytes = w->image_bytes * fmin(1.0, rows / (double)m->vertical.length);
    w->strip = last ? &m->last_strip : &m->strip;
    for (size_t i = 0; i < w->strip->segments; i++)
        add_tiles(w, &w->strip->segment[i], panel);
}

/* All rows of an image for PANEL.  */
static void add_panel(struct walk *w, const struct panel *panel)
{
    const struct mgemm_plan *m = w->m;

    for (size_t i = 0; i < m->lines.segments; i++) {
        const struct strip_segment *lines = &m->lines.segment[i];
        const bool last = m->has_last && i + 1 == m->lines.segments;
        const double count = (double)lines->tiles - (last ? 1.0 : 0.0);

        if (count > 0.0)
            add_lines(w, lines, count, false, panel);
        if (last)
            add_lines(w, lines, 1.0, true, panel);
    }
}

/* A slab, COUNT times: its panels in runs that are alike.  */
static void add_slab(struct walk *w, int64_t slab, double count)
{
    const struct mgemm_plan *m = w->m;
    const int64_t first = slab * m->slab_blocks;
    const int64_t end = min64(first + m->slab_blocks, filter_layout_blocks(&m->filter));
    const double taps = (double)(m->filter.r * m->filter.s * m->channels) * (double)sizeof(float);

    w->slab_bytes = 0.0;
    for (int64_t block = first; block < end; block++)
        w->slab_bytes += (double)filter_layout_width(&m->filter, block) * taps;
    for (int64_t block = first; block < end;) {
        struct panel panel = {filter_layout_width(&m->filter, block), count, block == first};
        int64_t next = block + 1;

        while (!panel.first && next < end && filter_layout_width(&m->filter, next) == panel.co)
            next++;
        panel.count *= (double)(next - block);
        add_panel(w, &panel);
        block = next;
    }
}

/* Slabs of the same blocks: their widths only fall.  */
static bool alike(const struct mgemm_plan *m, int64_t a, int64_t b)
{
    const int64_t blocks = filter_layout_blocks(&m->filter);
    const int64_t last_a = min64((a + 1) * m->slab_blocks, blocks) - 1;
    const int64_t last_b = min64((b + 1) * m->slab_blocks, blocks) - 1;

    return last_a - last_b == (a - b) * m->slab_blocks &&
           filter_layout_width(&m->filter, a * m->slab_blocks) ==
               filter_layout_width(&m->filter, b * m->slab_blocks) &&
           filter_layout_width(&m->filter, last_a) == filter_layout_width(&m->filter, last_b);
}

/* Of one image, for one block of input channels.  */
static double input_bytes(const struct mgemm_plan *m, const struct conv_shape *shape)
{
    return (double)(m->channels * shape->h * shape->w) * (double)sizeof(float);
}

bool predict_plan(const struct conv_plan *plan, const struct machine *machine,
                  struct prediction *prediction)
{
    const struct mgemm_plan *m = plan->state;
    struct walk w = {.plan = plan, .m = m, .machine = machine};
    int64_t items, turns;
    double times;

    memset(prediction, 0, sizeof *prediction);
    if (strcmp(plan->kernel->name, "mgemm") != 0 || plan->choice.order == NULL)
        return false;
    w.times = ceil((double)m->filter.c / (double)m->channels);
    w.image_bytes = input_bytes(m, &plan->request.shape);
    w.chunk_bytes = w.image_bytes * fmin(1.0, (double)m->chunk / (double)m->rows);
    for (int64_t slab = 0, next; slab < m->slabs; slab = next) {
        next = slab + 1;
        while (next < m->slabs && alike(m, slab, next))
            next++;
        add_slab(&w, slab, (double)(next - slab));
    }
    /* Images and groups do the same again; threads share the items evenly.  */
    items = m->filter.groups * m->slabs * plan->request.shape.n * m->row_groups;
    turns = (items + plan->request.threads - 1) / plan->request.threads;
    times = (double)(m->filter.groups * plan->request.shape.n);
    *prediction = w.sum;
    prediction->seconds = w.seconds * times * (double)turns / (double)items;
    prediction->multiply_add_s *= times;
    prediction->core_s *= times;
    prediction->overhead_s *= times;
    prediction->ops =
        model_exact(&plan->request.shape, plan->choice.co, plan->choice.wo, plan->choice.rows,
                    m->keep || m->form == MGEMM_FILTER, !m->hfil_outside);
    return true;
}

int predict_compare(const struct prediction *a, const struct prediction *b)
{
    return ORDER(a->seconds, b->seconds) ?: ORDER(model_total(a->ops), model_total(b->ops));
}
