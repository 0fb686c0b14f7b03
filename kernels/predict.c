#include <config.h>

#include "kernels/predict.h"

#include <math.h>
#include <string.h>

#include "kernels/mgemm_plan.h"
#include "lib/checked.h"

static int64_t count_registers(const struct machine *machine, const struct predict_tile *tile)
{
    const int64_t pixels = tile->rows * tile->width;
    const int64_t registers = pixels * tile->vectors + (machine->fused ? 0 : 1);

    if (tile->form == MGEMM_KEEP)
        return registers + tile->width + tile->taps - 1 + 1;
    if (tile->form == MGEMM_FILTER)
        return registers + tile->taps * tile->vectors + 1;
    return registers + min64(pixels, tile->vectors) + 1;
}

static int64_t count_loads(const struct predict_tile *tile)
{
    const int64_t weights = tile->taps * tile->vectors;
    /* GCC gives a weight that is used only twice no register.  */
    const int64_t uses = tile->form == MGEMM_KEEP && tile->width == 2 ? 2 : 1;

    if (tile->form == MGEMM_KEEP || tile->form == MGEMM_FILTER)
        return uses * weights + tile->rows * (tile->width + tile->taps - 1);
    return weights + tile->taps * tile->rows * tile->width;
}

/* Of a channel and filter row: a tap has its loop of 4, the channel one of 6.  */
static int64_t count_instructions(const struct machine *machine, const struct predict_tile *tile,
                                  int64_t spilled)
{
    const int64_t pixels = tile->rows * tile->width, sums = pixels * tile->vectors;
    const int64_t product = machine->fused ? 1 : 2, broadcast = machine->fused ? 1 : 2;
    const bool pixels_first = tile->vectors > pixels;
    int64_t copies = 0, tap;

    if (tile->form == MGEMM_KEEP || tile->form == MGEMM_FILTER) {
        const int64_t inputs = tile->rows * (tile->width + tile->taps - 1);

        if (!machine->fused)
            copies = tile->taps * (sums - (tile->form == MGEMM_KEEP ? tile->vectors : 0));
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
    if (tile->form == MGEMM_KEEP)
        return (double)min64(tile->taps, tile->vectors == 1 ? spilled / 3 : spilled);
    return (double)tile->taps;
}

struct predict_cost predict_tile(const struct machine *machine, const struct predict_tile *tile)
{
    const int64_t sums = tile->rows * tile->vectors * tile->width;
    const bool once = tile->form == MGEMM_KEEP || tile->form == MGEMM_FILTER;
    struct predict_cost cost = {
        .registers = count_registers(machine, tile), .loads = count_loads(tile), .chains = sums};
    const double taps = (double)tile->taps;
    double detours, waiting, multiply_adds, memory;

    cost.spilled = max64(0, cost.registers - machine->registers);
    cost.instructions = count_instructions(machine, tile, cost.spilled);
    cost.broadcasts = tile->rows * (once ? tile->width + tile->taps - 1 : tile->taps * tile->width);
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

/* Where the loops stand; bytes that pass between two uses.  */
struct walk {
    const struct conv_plan *plan;
    const struct mgemm_plan *m;
    const struct machine *machine;
    const struct strip *strip;
    int64_t rows, filter_rows;
    double hit;        /* share of the rows times filter rows that hit real input */
    double row_bytes;  /* input of the row of tiles */
    double slab_bytes; /* weights of the slab for these filter rows */
    struct prediction sum;
    double seconds;
};

static double pixels_bytes(const struct walk *w, int64_t width, int64_t taps)
{
    const struct conv_shape *shape = &w->plan->request.shape;
    const int64_t pixels = model_input_pixels(width, taps, shape->stride_w, shape->dilation_w);

    return (double)(w->rows * w->filter_rows * w->m->channels * pixels) * (double)sizeof(float);
}

/* What a tile reads from which level of cache.  */
struct reading {
    double seconds; /* the quickest that the caches give it */
    double farther; /* of that, what the first level would not have taken */
};

/* FIRST_BLOCK: of the slab's channel blocks; FIRST_TILE: of the row.  */
static struct reading read_tile(const struct walk *w, const struct strip_segment *part, int64_t co,
                                bool first_block, bool first_tile)
{
    const double weights =
        (double)(w->filter_rows * w->m->channels * part->taps * co) * (double)sizeof(float);
    const double input = pixels_bytes(w, part->width, part->taps);
    const double all = w->row_bytes + w->slab_bytes, near = weights + input;
    double input_from, weights_from, seconds;

    if (w->m->co_outside) {
        input_from = first_block ? all : w->row_bytes + weights;
        weights_from = first_tile ? all : near;
    } else {
        input_from = first_block ? all : near;
        weights_from = w->slab_bytes + input;
    }
    /* Filter rows outside: the block's turn comes again for each of them, with
     * one row of its tile's input.  */
    if (w->m->hfil_outside && !first_block && !w->m->co_outside)
        input_from /= (double)max64(1, w->filter_rows);
    seconds = input * machine_read(w->machine, input_from) +
              weights * machine_read(w->machine, weights_from);
    return (struct reading){seconds, seconds - (input + weights) * w->machine->read_s[0]};
}

/* The tiles of a segment, which share a call.  */
static void add_call(struct walk *w, const struct strip_segment *part, int64_t co, bool first_block,
                     bool first_tile)
{
    const struct mgemm_plan *m = w->m;
    const bool whole = part->whole && part->taps == m->filter.s;
    const struct predict_tile tile = {whole ? m->form : m->edge_form, w->rows, co / m->vector,
                                      part->width, part->taps};
    const double sums = (double)(tile.rows * tile.vectors * tile.width);
    const double count = (double)part->tiles;
    const double blocks = ceil((double)m->filter.c / (double)m->channels);
    const double passes = blocks * (m->hfil_outside ? (double)max64(1, w->filter_rows) : 1.0);
    const double channels = (double)(w->filter_rows * m->filter.c);
    struct predict_cost cost = {.seconds = 0.0};
    struct reading read = {0.0, 0.0};
    double core = 0.0, hit = w->hit, overhead;

    if (part->taps > 0 && w->filter_rows > 0) {
        hit *= (double)strip_hits(w->strip, part) / (double)(part->width * part->taps);
        cost = predict_tile(w->machine, &tile);
        core = cost.seconds * channels * hit;
        read = read_tile(w, part, co, first_block, first_tile);
        read.seconds *= blocks;
        read.farther *= blocks;
        if (cost.registers > w->sum.tile.registers)
            w->sum.tile = cost;
    }
    overhead = passes * (w->machine->call_s +
                         count * (w->machine->tile_s + sums * w->machine->accumulator_s));
    w->sum.multiply_add_s += count * channels * hit * (double)part->taps * sums * w->machine->fma_s;
    w->sum.core_s += count * core;
    w->sum.overhead_s += overhead;
    w->seconds += count * fmax(core + w->machine->exposed * read.farther, read.seconds) + overhead;
}

/* All tiles of a row for one block of channels.  */
static void add_block(struct walk *w, int64_t co, bool first_block)
{
    for (size_t i = 0; i < w->strip->segments; i++)
        add_call(w, &w->strip->segment[i], co, first_block, i == 0);
}

/* One row of tiles from output row ROW on, one slab.  */
static void add_rows(struct walk *w, int64_t row, const struct strip_segment *rows, int64_t slab)
{
    const struct mgemm_plan *m = w->m;
    const int64_t first = slab * m->slab_blocks;
    const int64_t end = min64(first + m->slab_blocks, filter_layout_blocks(&m->filter));
    double weights = 0.0;

    w->rows = rows->width;
    w->filter_rows = rows->taps;
    w->hit = (double)strip_hits(&m->lines, rows) / (double)max64(1, rows->width * rows->taps);
    w->strip = m->has_last && row == m->rows - 1 ? &m->last_strip : &m->strip;
    w->row_bytes = 0.0;
    for (size_t i = 0; i < w->strip->segments; i++)
        w->row_bytes += (double)w->strip->segment[i].tiles *
                        pixels_bytes(w, w->strip->segment[i].width, m->filter.s);
    for (int64_t block = first; block < end; block++)
        weights += (double)filter_layout_width(&m->filter, block);
    w->slab_bytes =
        weights * (double)(rows->taps * m->channels * m->filter.s) * (double)sizeof(float);
    for (int64_t block = first; block < end; block++)
        add_block(w, filter_layout_width(&m->filter, block), block == first);
}

/* Follows mgemm_run.c's items of work for one image and group.  */
static void add_slab(struct walk *w, int64_t slab)
{
    const struct mgemm_plan *m = w->m;

    for (size_t i = 0; i < m->lines.segments; i++) {
        const struct strip_segment *rows = &m->lines.segment[i];

        for (int64_t line = 0; line < rows->tiles; line++)
            add_rows(w, rows->q + line * rows->width, rows, slab);
    }
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
    for (int64_t slab = 0; slab < m->slabs; slab++)
        add_slab(&w, slab);
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
                    m->form == MGEMM_KEEP || m->form == MGEMM_FILTER, !m->hfil_outside);
    return true;
}

int predict_compare(const struct prediction *a, const struct prediction *b)
{
    if (a->seconds != b->seconds)
        return a->seconds < b->seconds ? -1 : 1;
    return (model_total(a->ops) > model_total(b->ops)) -
           (model_total(a->ops) < model_total(b->ops));
}
