/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "kernels/model/model.h"

#include "lib/base/checked.h"

double model_total(struct model_cost cost)
{
    return cost.output + cost.input + cost.filter;
}

struct model_cost model_table1(const struct model_block *block)
{
    const double taps = (double)block->hf * (double)block->wf;

    return (struct model_cost){
        .output = 2.0 / ((double)block->ci * taps),
        .input = 1.0 / ((double)block->co * taps),
        .filter = 1.0 / ((double)block->b * (double)block->ho * (double)block->wo),
    };
}

struct model_cost model_effective(const struct conv_shape *shape, int64_t co, int64_t wo,
                                  int64_t rows, int64_t kept, bool hfil_inside)
{
    const struct model_block block = {
        .b = 1, .co = co, .ho = rows, .wo = wo, .ci = 1, .hf = 1, .wf = kept};
    const double channels = (double)(shape->c / shape->groups);
    struct model_cost cost = model_table1(&block);

    cost.output = 2.0 / (channels * (double)shape->s * (hfil_inside ? (double)shape->r : 1.0));
    return cost;
}

int64_t model_input_pixels(int64_t wo, int64_t taps, int64_t stride, int64_t dilation)
{
    const int64_t g = gcd64(stride, dilation);

    return wo * taps - max64(0, wo - dilation / g) * max64(0, taps - stride / g);
}

struct model_cost model_exact(const struct conv_shape *shape, int64_t co, int64_t wo, int64_t rows,
                              bool inputs_kept, bool hfil_inside)
{
    const int64_t kept = inputs_kept ? shape->s : 1;
    struct model_cost cost = model_effective(shape, co, wo, rows, kept, hfil_inside);
    const int64_t reads = inputs_kept
                              ? model_input_pixels(wo, shape->s, shape->stride_w, shape->dilation_w)
                              : wo * shape->s;

    cost.input = (double)reads / ((double)wo * (double)co * (double)shape->s);
    return cost;
}
