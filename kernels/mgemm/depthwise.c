/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layers whose lanes are output channels: depthwise ones, and those of few channels a group.
 * Depthwise filters of 3 x 3 that miss at most one tap at each side, others 1, 3, 5, 7 and 9 wide,
 * and groups go over whole rows in one call.  For all others the output is cut into rectangles
 * whose pixels have the same taps; the large one in the middle has all of them.  */
#include <config.h>

#include "kernels/mgemm/depthwise.h"

#include <stdlib.h>

#include "kernels/mgemm/rows.h"
#include "kernels/pool.h"
#include "kernels/strip.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"

ISA_TABLE(sets, depthwise_set);

const struct depthwise_set *depthwise_set(enum isa isa)
{
    return sets[isa];
}

bool depthwise_suits(const struct conv_shape *shape, enum isa isa)
{
    return shape->groups > 1 && (shape->groups == shape->c || rows_set(shape, isa) != NULL);
}

/* Outputs [from, to) of one axis, which have the taps [low, high).  */
struct run {
    int64_t from, to, low, high;
};

struct runs {
    struct run *run;
    size_t count, capacity;
};

struct depthwise_plan {
    const struct depthwise_set *set;
    int64_t vector, blocks; /* of output channels */
    int64_t together;       /* blocks in an item of work */
    int64_t block_groups;
    int64_t chunks, chunk; /* pieces that the output's rows are cut into; rows of one */
    int64_t bias_start;
    bool kept; /* whole rows in one call; then which sides miss a tap: */
    bool top, bottom, left, right;
    rows_function *by_rows; /* whole rows in one call, wide filters and groups; or NULL */
    /* Of groups that lie across vectors: the steps of all blocks, and where a block's begin; or
     * NULL.  */
    struct rows_step *step;
    int64_t *first_step;
    struct runs rows, columns; /* worked out once: small layers have no time for it */
    struct pool *pool;
};

struct job {
    const struct conv_plan *plan;
    const struct depthwise_plan *d;
    const float *input, *packed;
    float *output;
};

/* Cuts the OUTPUTS outputs of an axis where the taps change.  */
static struct runs find_runs(const struct axis *axis, int64_t outputs)
{
    struct runs runs = {NULL, 0, 0};

    for (int64_t i = 0; i < outputs; i++) {
        struct run *last = runs.count > 0 ? &runs.run[runs.count - 1] : NULL;
        struct run run = {i, i + 1, 0, 0};

        axis_taps(axis, i, &run.low, &run.high);
        if (last != NULL && last->low == run.low && last->high == run.high) {
            last->to = i + 1;
            continue;
        }
        runs.run = memory_grow(runs.run, &runs.capacity, runs.count + 1, sizeof *runs.run);
        runs.run[runs.count++] = run;
    }
    return runs;
}

/* Of 3 taps all hit real input at each of the OUTPUTS outputs, but for the
 * outermost one at the first output and at the last.  */
static bool misses_sides(const struct runs *runs, int64_t outputs, bool *first, bool *last)
{
    *first = *last = false;
    for (size_t i = 0; i < runs->count; i++) {
        const struct run *run = &runs->run[i];
        const bool begins = run->from == 0 && run->to == 1 && run->low == 1 && run->high == 3;
        const bool ends =
            run->from == outputs - 1 && run->to == outputs && run->low == 0 && run->high == 2;

        *first = *first || begins;
        *last = *last || ends;
        if (!begins && !ends && (run->low != 0 || run->high != 3))
            return false;
    }
    return true;
}

/* The lanes of the output block that begins at channel FIRST read input
 * channels which may lie in two blocks.  Returns the first of them.  */
static int64_t pick_lanes(const struct conv_shape *shape, int64_t vector, int64_t first,
                          int32_t *lane, bool *two)
{
    const int64_t multiplier = shape->k / shape->c, block = first / multiplier / vector;

    *two = false;
    for (int64_t i = 0; i < vector; i++) {
        int64_t channel = min64((first + i) / multiplier, shape->c - 1);

        lane[i] = (int32_t)(channel - block * vector);
        *two = *two || lane[i] >= vector;
    }
    return block;
}

/* One rectangle of one block of channels.  */
static void run_rectangle(const struct job *job, struct depthwise_call *call, const float *image,
                          float *plane, const float *filter, struct run p, struct run q)
{
    const struct depthwise_plan *d = job->d;
    const struct conv_shape *shape = &job->plan->request.shape;
    const int64_t v = d->vector, line = shape->w * v, out_line = job->plan->output.w * v;
    const int64_t y = p.from * shape->stride_h - shape->pad_top + p.low * shape->dilation_h;
    const int64_t x = q.from * shape->stride_w - shape->pad_left + q.low * shape->dilation_w;
    const int64_t lines = p.to - p.from, pixels = q.to - q.from;

    call->rows = q.low < q.high ? p.high - p.low : 0;
    call->taps = q.high - q.low;
    call->input = call->rows > 0 ? image + y * line + x * v : image;
    call->output = plane + p.from * out_line + q.from * v;
    call->filter = filter + (p.low * shape->s + q.low) * v;
    call->input_row = shape->dilation_h * line;
    call->input_tap = shape->dilation_w * v;
    call->filter_row = shape->s * v;
    call->pixels = pixels;
    call->lines = lines;
    call->input_pixel = shape->stride_w * v;
    call->input_line = shape->stride_h * line;
    call->output_pixel = v;
    call->output_line = out_line;
    if (lines > pixels) { /* tiles go along the longer side */
        call->pixels = lines;
        call->lines = pixels;
        call->input_pixel = shape->stride_h * line;
        call->input_line = shape->stride_w * v;
        call->output_pixel = out_line;
        call->output_line = v;
    }
    (call->lane != NULL ? d->set->gather : d->set->any)(call);
}

/* Rows [FIRST, END) of one block of channels.  */
static void run_kept(const struct job *job, struct depthwise_call *call, const float *image,
                     float *plane, int64_t first, int64_t end)
{
    const struct depthwise_plan *d = job->d;
    const struct conv_shape *shape = &job->plan->request.shape;
    const int64_t v = d->vector, line = shape->w * v, out_line = job->plan->output.w * v;

    call->input = image + (first * shape->stride_h - shape->pad_top) * line - shape->pad_left * v;
    call->output = plane + first * out_line;
    call->pixels = job->plan->output.w;
    call->lines = end - first;
    call->input_row = line;
    call->input_line = shape->stride_h * line;
    call->output_line = out_line;
    call->top = d->top && first == 0;
    call->bottom = d->bottom && end == job->plan->output.h;
    call->left = d->left;
    call->right = d->right;
    d->set->kept[shape->stride_w - 1][job->plan->request.relu](call);
}

/* What a block adds up for each tap: the channels of a group, or steps.  */
static int64_t block_channels(const struct depthwise_plan *d, const struct conv_shape *shape,
                              int64_t block)
{
    if (d->step == NULL)
        return shape->c / shape->groups;
    return d->first_step[block + 1] - d->first_step[block];
}

/* The same with wide filters, and with several channels a group.  */
static void run_by_rows(const struct job *job, const struct depthwise_call *common, int64_t block,
                        const float *image, float *plane, int64_t first, int64_t end)
{
    const struct depthwise_plan *d = job->d;
    const struct conv_shape *shape = &job->plan->request.shape;
    const struct rows_call call = {.input = image,
                                   .filter = common->filter,
                                   .bias = common->bias,
                                   .output = plane,
                                   .height = shape->h,
                                   .width = shape->w,
                                   .pad_top = shape->pad_top,
                                   .pad_left = shape->pad_left,
                                   .stride_h = shape->stride_h,
                                   .dilation_h = shape->dilation_h,
                                   .rows = shape->r,
                                   .channels = block_channels(d, shape, block),
                                   .step = d->step == NULL ? NULL : d->step + d->first_step[block],
                                   .pixels = job->plan->output.w,
                                   .first = first,
                                   .end = end,
                                   .relu = job->plan->request.relu};

    d->by_rows(&call);
}

/* Some rows of one block of channels of one image.  */
static void run_block(const struct job *job, int64_t n, int64_t block, int64_t first, int64_t end)
{
    const struct depthwise_plan *d = job->d;
    const struct conv_shape *shape = &job->plan->request.shape;
    const int64_t v = d->vector;
    const int64_t before =
        d->step == NULL ? block * block_channels(d, shape, block) : d->first_step[block];
    const float *filter = job->packed + before * shape->r * shape->s * v;
    const float *image;
    float *plane;
    int64_t from = block;
    int32_t lane[16];
    struct depthwise_call call = {.filter = filter,
                                  .bias = job->packed + d->bias_start + block * v,
                                  .relu = job->plan->request.relu};

    if (shape->k != shape->c) {
        bool two;

        from = pick_lanes(shape, v, block * v, lane, &two);
        call.lane = lane;
        call.next_block = two ? shape->h * shape->w * v : 0;
    }
    image = job->input + layout_index(&job->plan->input, n, from * v, 0, 0);
    plane = job->output + layout_index(&job->plan->output, n, block * v, 0, 0);
    if (d->kept) {
        run_kept(job, &call, image, plane, first, end);
        return;
    }
    if (d->by_rows != NULL) {
        run_by_rows(job, &call, block, image, plane, first, end);
        return;
    }
    for (size_t i = 0; i < d->rows.count; i++) {
        struct run p = d->rows.run[i];

        p.from = max64(p.from, first);
        p.to = min64(p.to, end);
        for (size_t j = 0; p.from < p.to && j < d->columns.count; j++)
            run_rectangle(job, &call, image, plane, filter, p, d->columns.run[j]);
    }
}

/* One item of work: some rows of some blocks of channels of one image.  */
static void run_item(void *context, int64_t item)
{
    const struct job *job = context;
    const struct depthwise_plan *d = job->d;
    const int64_t first = item % d->chunks * d->chunk, rest = item / d->chunks;
    const int64_t end = min64(first + d->chunk, job->plan->output.h);
    const int64_t block = rest % d->block_groups * d->together, n = rest / d->block_groups;

    for (int64_t i = block; i < min64(block + d->together, d->blocks); i++)
        run_block(job, n, i, first, end);
}

static void run(const struct conv_plan *plan, const float *input, const float *packed,
                float *output)
{
    struct depthwise_plan *d = plan->state;
    struct job job = {plan, d, input, packed, output};

    pool_run(d->pool, plan->request.shape.n * d->block_groups * d->chunks, run_item, &job);
}

/* The weights of groups that lie across vectors, step by step.  */
static void pack_steps(const struct depthwise_plan *d, const struct conv_shape *shape,
                       const float *filter, float *packed)
{
    const int64_t channels = shape->c / shape->groups, plane = shape->r * shape->s;

    for (int64_t block = 0; block < d->blocks; block++)
        for (int64_t r = 0; r < shape->r; r++)
            for (int64_t i = d->first_step[block]; i < d->first_step[block + 1]; i++)
                for (int64_t s = 0; s < shape->s; s++)
                    for (int64_t l = 0; l < d->vector; l++) {
                        const int64_t k = block * d->vector + l, c = d->step[i].channel[l];

                        *packed++ =
                            c < 0 ? 0.0F : filter[(k * channels + c) * plane + r * shape->s + s];
                    }
}

static void pack(const struct conv_plan *plan, const float *filter, const float *bias,
                 float *packed)
{
    const struct depthwise_plan *d = plan->state;
    const struct conv_shape *shape = &plan->request.shape;

    if (d->step != NULL)
        pack_steps(d, shape, filter, packed);
    else
        layout_pack_lanes(shape, d->vector, filter, packed);
    for (int64_t k = 0; k < d->blocks * d->vector; k++)
        packed[d->bias_start + k] = bias != NULL && k < shape->k ? bias[k] : 0.0F;
}

static void clear(struct conv_plan *plan)
{
    struct depthwise_plan *d = plan->state;

    if (plan->request.pool == NULL)
        pool_free(d->pool);
    free(d->rows.run);
    free(d->columns.run);
    free(d->step);
    free(d->first_step);
    free(d);
}

/* Several items of work a thread: blocks of channels together, or rows where there
 * are few blocks.  */
static void cut_work(const struct conv_plan *plan, struct depthwise_plan *d)
{
    const int64_t rows = plan->output.h, blocks = d->blocks * plan->request.shape.n;
    const int64_t wanted = plan->request.threads == 1 ? 1 : 4 * plan->request.threads;
    int64_t chunks = max64(1, min64((wanted + blocks - 1) / blocks, rows / 2));

    d->chunk = (rows + chunks - 1) / chunks;
    d->chunks = (rows + d->chunk - 1) / d->chunk;
    d->together = max64(1, min64(d->blocks, blocks / wanted));
    d->block_groups = (d->blocks + d->together - 1) / d->together;
}

static void cut(const struct conv_plan *plan, struct depthwise_plan *d)
{
    const struct conv_shape *s = &plan->request.shape;
    const struct axis vertical = {s->h, s->pad_top, s->stride_h, s->dilation_h, s->r};
    const struct axis horizontal = {s->w, s->pad_left, s->stride_w, s->dilation_w, s->s};
    const struct rows_set *set = rows_set(s, plan->request.isa);
    const int64_t p = plan->output.h, q = plan->output.w;

    d->rows = find_runs(&vertical, p);
    d->columns = find_runs(&horizontal, q);
    d->kept = s->groups == s->k && s->k == s->c && s->r == 3 && s->s == 3 && s->dilation_h == 1 &&
              s->dilation_w == 1 && s->stride_h == s->stride_w && s->stride_w <= 2 && q >= 2 &&
              misses_sides(&d->rows, p, &d->top, &d->bottom) &&
              misses_sides(&d->columns, q, &d->left, &d->right);
    if (set != NULL && !d->kept)
        d->by_rows = set->tile[s->stride_w - 1][rows_width(set, q) - 1];
}

/* The steps of all blocks; returns how many they are.  */
static int64_t list_steps(const struct conv_shape *shape, struct depthwise_plan *d)
{
    d->first_step = memory_zalloc((size_t)d->blocks + 1, sizeof *d->first_step);
    for (int64_t i = 0; i < d->blocks; i++)
        d->first_step[i + 1] = d->first_step[i] + rows_steps(shape, d->vector, i, NULL);
    d->step = memory_alloc((size_t)d->first_step[d->blocks], sizeof *d->step);
    for (int64_t i = 0; i < d->blocks; i++)
        rows_steps(shape, d->vector, i, d->step + d->first_step[i]);
    return d->first_step[d->blocks];
}

static bool make_plan(struct conv_plan *plan, const struct params *params, struct error *error)
{
    const struct conv_shape *shape = &plan->request.shape;
    struct depthwise_plan *d;
    struct filter_layout filter = {1, shape->k, shape->c / shape->groups, shape->r, shape->s, 1, 1};
    int64_t v = isa_vector(plan->request.isa), weights;

    for (size_t i = 0; i < params->count; i++)
        if (params->value[i].given)
            return error_set(error, "mgemm: depthwise layers have no parameter %s",
                             params->value[i].param->name);
    filter.co = filter.vector = v;
    weights = filter_layout_floats(&filter);
    plan->input = layout_input(shape, v);
    plan->output = layout_output(shape, v);
    if (layout_floats(&plan->input) < 0 || layout_floats(&plan->output) < 0 || weights < 0)
        return error_set(error, "mgemm: the tensors' bytes overflow 64 bits");
    d = memory_zalloc(1, sizeof *d);
    d->pool = pool_take(plan->request.pool, plan->request.threads, error);
    if (d->pool == NULL) {
        free(d);
        return false;
    }
    d->set = depthwise_set(plan->request.isa);
    d->vector = v;
    d->blocks = (shape->k + v - 1) / v;
    if (shape->groups < shape->c && rows_split(shape, v))
        weights = list_steps(shape, d) * shape->r * shape->s * v;
    d->bias_start = weights;
    cut(plan, d);
    plan->packed_floats = weights + d->blocks * v;
    plan->state = d;
    plan->choice = (struct conv_choice){
        .co = v, .wo = d->set->width, .ci = v, .wf = "filter", .rows = 1, .cco = v};
    if (d->kept) { /* the columns that an input is a tap of */
        plan->choice.wo = 4 - shape->stride_w;
        plan->choice.rows = d->set->rows[shape->stride_w - 1];
    }
    if (d->by_rows != NULL)
        plan->choice.wo = rows_width(rows_set(shape, plan->request.isa), plan->output.w);
    cut_work(plan, d);
    return true;
}

const struct conv_kernel depthwise_kernel = {
    .name = "mgemm",
    .title = "mGEMM with output channels as lanes: depthwise layers and small groups",
    .source = "Park, Bin, Lee, mGEMM, MobiSys 2022",
    .isas = ISA_ALL,
    .tolerance = 1.0,
    .plan = make_plan,
    .clear = clear,
    .pack = pack,
    .run = run,
};
