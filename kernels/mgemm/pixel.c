/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "kernels/mgemm/pixel.h"

#include <stdlib.h>

#include "kernels/pool.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"

ISA_TABLE(sets, pixel_set);

/* Fewer weights one thread reads faster than it wakes another.  */
enum { WORTHWHILE = 64 * 1024, PARTS = 4 };

struct pixel_plan {
    const struct pixel_set *set;
    struct filter_layout filter;
    int64_t parts; /* that the blocks are shared in */
    int64_t bias_start;
    struct pool *pool;
    int64_t first[]; /* channel of each block, and the end: a small layer has no time to divide */
};

struct pixel_job {
    const struct conv_plan *plan;
    const float *input, *packed;
    float *output;
};

bool pixel_suits(const struct conv_shape *shape)
{
    return shape->h == 1 && shape->w == 1 && shape->r == 1 && shape->s == 1 && shape->groups == 1 &&
           conv_shape_out_h(shape) == 1 && conv_shape_out_w(shape) == 1 && shape->pad_top == 0 &&
           shape->pad_left == 0;
}

/* Some blocks of one image.  */
static void run_item(void *context, int64_t item)
{
    const struct pixel_job *job = context;
    const struct pixel_plan *p = job->plan->state;
    const struct conv_plan *plan = job->plan;
    const int64_t image = item / p->parts, part = item % p->parts;
    const int64_t blocks = filter_layout_blocks(&p->filter), end = blocks * (part + 1) / p->parts;
    float *const output = job->output + layout_index(&plan->output, image, 0, 0, 0);
    struct pixel_call call = {.input = job->input + layout_index(&plan->input, image, 0, 0, 0),
                              .channels = p->filter.c,
                              .relu = plan->request.relu};

    for (int64_t i = blocks * part / p->parts; i < end; i++) {
        const int64_t first = p->first[i], vectors = (p->first[i + 1] - first) / p->filter.vector;

        call.filter = job->packed + first * p->filter.c;
        call.bias = job->packed + p->bias_start + first;
        call.output = output + first;
        p->set->block[vectors - 1](&call);
    }
}

static void run(const struct conv_plan *plan, const float *input, const float *packed,
                float *output)
{
    const struct pixel_plan *p = plan->state;
    struct pixel_job job = {plan, input, packed, output};

    pool_run(p->pool, plan->request.shape.n * p->parts, run_item, &job);
}

static void pack(const struct conv_plan *plan, const float *filter, const float *bias,
                 float *packed)
{
    const struct pixel_plan *p = plan->state;

    filter_layout_pack(&p->filter, filter, packed);
    filter_layout_pack_bias(&p->filter, bias, packed + p->bias_start);
}

static void clear(struct conv_plan *plan)
{
    struct pixel_plan *p = plan->state;

    if (plan->request.pool == NULL)
        pool_free(p->pool);
    free(p);
}

/* Vectors of a block: fewer than the widest has where threads would have too few blocks.  */
static int64_t block_vectors(const struct conv_plan *plan, const struct pixel_set *set, bool shared)
{
    const int64_t vector = isa_vector(plan->request.isa);
    const int64_t vectors = (plan->request.shape.k + vector - 1) / vector;

    return shared ? max64(1, min64(set->vectors, vectors / (2 * plan->request.threads)))
                  : set->vectors;
}

static bool make_plan(struct conv_plan *plan, const struct params *params, struct error *error)
{
    const struct conv_shape *shape = &plan->request.shape;
    const int64_t v = isa_vector(plan->request.isa), threads = plan->request.threads;
    const struct pixel_set *set = sets[plan->request.isa];
    const bool shared = threads > 1 && shape->k >= WORTHWHILE / shape->c;
    const int64_t vectors = block_vectors(plan, set, shared);
    const struct filter_layout filter = filter_layout(shape, vectors * v, v);
    const int64_t weights = filter_layout_floats(&filter);
    struct pixel_plan *p;

    (void)params; /* who gives one gets the tiles of mGEMM proper */
    plan->input = layout_input(shape, v);
    plan->output = layout_output(shape, v);
    if (layout_floats(&plan->input) < 0 || layout_floats(&plan->output) < 0 || weights < 0 ||
        !checked_add(weights, filter_layout_bias_floats(&filter), &plan->packed_floats))
        return error_set(error, "mgemm: the tensors' bytes overflow 64 bits");
    p = memory_zalloc(1,
                      sizeof *p + (size_t)(filter_layout_blocks(&filter) + 1) * sizeof *p->first);
    for (int64_t i = 0; i <= filter_layout_blocks(&filter); i++)
        p->first[i] = filter_layout_first(&filter, i);
    p->set = set;
    p->filter = filter;
    p->bias_start = weights;
    p->parts = shared ? min64(filter_layout_blocks(&filter), PARTS * threads) : 1;
    p->pool = pool_take(plan->request.pool, plan->request.threads, error);
    if (p->pool == NULL) {
        free(p);
        return false;
    }
    plan->state = p;
    plan->choice = (struct conv_choice){
        .co = vectors * v, .wo = 1, .ci = v, .wf = "reload", .rows = 1, .cco = vectors * v};
    return true;
}

const struct conv_kernel pixel_kernel = {
    .name = "mgemm",
    .title = "mGEMM for one pixel: a matrix times a vector",
    .source = "Park, Bin, Lee, mGEMM, MobiSys 2022",
    .isas = ISA_ALL,
    .tolerance = 1.0,
    .plan = make_plan,
    .clear = clear,
    .pack = pack,
    .run = run,
};
