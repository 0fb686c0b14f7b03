/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mgemm:preset=paper: Algorithm 2 of Park, Bin and Lee (mGEMM, MobiSys 2022) as it was
 * published, from a summary of the paper's section 3 and, for what that leaves open, the
 * authors' public code (GitHub: cakeng/GEMM_Plus), of which facts were taken and no text.
 *
 * The paper's:
 *  - In the kernel the filter's width is the innermost loop that moves on, with inputs and
 *    outputs in registers across it; around it are all input channels, so outputs are
 *    loaded and stored once for each filter row and for nothing else.  wf=keep, cci: all.
 *  - The filter's height is outside of the kernel, for want of registers.  hfil=outside.
 *  - Around that, from the outside: slabs of cc_o output channels, images, output rows,
 *    tiles of w_o pixels, filter rows, blocks of c_o channels of the slab.  order=tile-co.
 *  - cc_o: as many output channels as have fewer bytes of weights than the last-level cache
 *    (the authors' code takes 1 MiB; that is what stands here where the system says nothing).
 *  - One output row and one image in a tile.  rows=1.
 *  - Layouts N-(C/c_i)-H-W-c_i and (K/c_o)-R-C-S-c_o; c_i is a vector, in all layers.
 *  - c_o is two vectors, as in the authors' code.
 *  - Pointwise: the same with a filter of one, which is a matrix product; nothing is reused
 *    across a width of one.  Depthwise layers have no parameters: that the filter stays in
 *    registers, as in the paper, is what depthwise.c does by itself.
 *
 * Ours:
 *  - Vectors of 8 and 16, and of 4 without multiply-adds; and on all of them, NEON too, a
 *    register holds one input for all lanes.  The authors' kernels for NEON load c_i inputs
 *    at a time and multiply by a lane, so they need no register for a broadcast.
 *  - w_o is the widest tile in the list whose inputs, outputs and weights of one tap fit into
 *    the registers; theirs hold those of one tap or two (3 x 3: 8 pixels, here 9 on NEON).
 *  - The pixels of a row are split evenly, as are the channels into slabs; a pointwise image
 *    is one long row; threads take chunks of rows of a slab.
 *  - No halo is copied, and a tile whose first or last pixel misses a tap has code of its own
 *    that leaves it out with inputs kept, as there; but one that misses more (a row that is a
 *    single tile), or that has not whole blocks of input channels, reloads its inputs.
 *  - Filters that are 1 or 3 wide, without dilation; theirs have 5, 7 and dilation 2 as well.  */
#include <config.h>

#include "kernels/mgemm/mgemm_paper.h"

#include <inttypes.h>
#include <stdlib.h>

#include "kernels/cache.h"
#include "kernels/mgemm/mgemm_plan.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"

static const int64_t assumed_cache = 1 << 20;

static bool check_given(const struct params *given, struct error *error)
{
    static const char *const set[] = {"ci", "wf", "hfil", "rows", "order", "cci"};

    for (size_t i = 0; i < sizeof set / sizeof set[0]; i++)
        if (params_given(given, set[i]))
            return error_set(error,
                             "mgemm: preset=paper sets %s; expected only co, wo, cco and "
                             "llc beside it",
                             set[i]);
    return true;
}

static bool check_shape(const struct conv_plan *plan, struct error *error)
{
    const struct conv_shape *shape = &plan->request.shape;

    if (shape->s != 1 && shape->s != 3)
        return error_set(error,
                         "mgemm: preset=paper is there for filter widths 1 and 3, not %" PRId64,
                         shape->s);
    if (shape->s == 3 && (shape->stride_w > 2 || shape->dilation_w != 1))
        return error_set(error, "mgemm: preset=paper keeps inputs at strides 1 and 2, dilation 1");
    if (shape->groups > 1 && shape->k / shape->groups % isa_vector(plan->request.isa) != 0)
        return error_set(error, "mgemm: preset=paper is there for groups of whole vectors");
    return true;
}

/* The slab of as many whole blocks of CO channels as have fewer than LLC bytes of weights;
 * as many slabs as that makes share the channels evenly.  */
static int64_t slab(const struct conv_shape *shape, int64_t co, int64_t llc)
{
    const int64_t block =
        shape->r * shape->s * (shape->c / shape->groups) * co * (int64_t)sizeof(float);
    const int64_t blocks = (shape->k / shape->groups + co - 1) / co;
    const int64_t fit = max64(1, (llc - 1) / block), slabs = (blocks + fit - 1) / fit;

    return (blocks + slabs - 1) / slabs * co;
}

/* The widest tile of the list up to that.  */
static int64_t choose_width(const struct conv_plan *plan, int64_t vectors)
{
    const enum mgemm_form form = mgemm_find_form(&plan->request.shape, &plan->choice);
    const int64_t widest = mgemm_widest(mgemm_set(plan->request.isa), form, 1, (int)vectors);

    return min64(widest, mgemm_kept_width(plan, vectors));
}

bool mgemm_paper_params(const struct conv_plan *plan, const struct params *given,
                        struct params *paper, struct error *error)
{
    const struct conv_shape *shape = &plan->request.shape;
    const int64_t vector = isa_vector(plan->request.isa), channels = shape->c / shape->groups;
    const char *wf = shape->s == 3 ? "keep" : "reload";
    const struct param *const table = mgemm_params;
    struct conv_plan would = *plan;
    int64_t co = params_int(given, "co"), wo = params_int(given, "wo");
    int64_t cco = params_int(given, "cco"), llc = params_int(given, "llc");
    char *text;
    bool parsed;

    if (!check_given(given, error) || !check_shape(plan, error))
        return false;
    would.choice = (struct conv_choice){.ci = vector, .wf = wf, .rows = 1};
    if (co == 0)
        co = min64(2, (shape->k / shape->groups + vector - 1) / vector) * vector;
    if (wo == 0 && co % vector == 0 && co / vector <= MGEMM_MAX_VECTORS)
        wo = choose_width(&would, co / vector);
    if (llc == 0)
        llc = cache_last_level(CACHE_FOLDER);
    if (cco == 0)
        cco = slab(shape, co, llc > 0 ? llc : assumed_cache);
    text = memory_printf("co=%" PRId64 ",wo=%" PRId64 ",ci=%" PRId64 ",wf=%s,hfil=outside,rows=1,"
                         "cco=%" PRId64 ",order=tile-co,cci=%" PRId64,
                         co, wo, vector, wf, cco, channels);
    parsed = params_parse(paper, "mgemm", text, &table, 1, error);
    free(text);
    return parsed;
}
