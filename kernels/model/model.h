/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The model of memory operations: how many floats a kernel reads and writes
 * for each multiply-accumulate.
 *
 * Source: Park, Bin, Lee, mGEMM, MobiSys 2022, section 3.3 and 3.4.  Counts are
 * of elements, 4 without any reuse: an output is read and written, an input and
 * a weight are read.  */
#ifndef ARENABENCH_KERNELS_MODEL_MODEL_H
#define ARENABENCH_KERNELS_MODEL_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/graph/conv_shape.h"

/* What is in registers at a time: Table 1's block.  */
struct model_block {
    int64_t b, co, ho, wo, ci, hf, wf; /* each at least 1 */
};

/* Memory operations a multiply-accumulate, by operand.  */
struct model_cost {
    double output, input, filter;
};

double model_total(struct model_cost cost);

/* Table 1: each sub-tensor is read once for all the work of the block,
 *     2 / (ci hf wf) + 1 / (co hf wf) + 1 / (b ho wo).
 * The input's halo is left out, as in the paper.  */
struct model_cost model_table1(const struct model_block *block);

/* After the loop order: registers keep the outputs across all channels and
 * filter columns (and filter rows, when that loop is inside the kernel), and
 * inputs across KEPT filter columns: 1 where they are reloaded, the filter's
 * width where they stay.  */
struct model_cost model_effective(const struct conv_shape *shape, int64_t co, int64_t wo,
                                  int64_t rows, int64_t kept, bool hfil_inside);

/* Different input pixels of a row that WO output pixels and TAPS filter columns
 * touch.  From the first to the last there are
 *     span = stride (wo - 1) + dilation (taps - 1) + 1,
 * all of them touched but where stride and dilation leave holes.  In general,
 * with g = gcd(stride, dilation),
 *     wo taps - max(0, wo - dilation / g) max(0, taps - stride / g):
 * the pairs of pixel and tap that fall on one input form a chain in steps of
 * (dilation / g, -stride / g), and every link of a chain saves a read.  */
int64_t model_input_pixels(int64_t wo, int64_t taps, int64_t stride, int64_t dilation);

/* The same with the inputs counted that are really read: for a tile whose
 * inputs stay across the filter's width (or whose weights do, past which each
 * input streams once) the input term is pixels / (wo co taps), halo, stride and
 * dilation included; for one that reloads them 1 / co.  */
struct model_cost model_exact(const struct conv_shape *shape, int64_t co, int64_t wo, int64_t rows,
                              bool inputs_kept, bool hfil_inside);

#endif
