/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tile of 4 vectors x 3 pixels where there are 16 registers, in assembly: 12
 * sums, 3 inputs and the weights in use fill them all, and GCC 12 does not find
 * that allocation in straight code.
 *
 * Fewest loads for a multiply-add decide where a core is shared or its caches are
 * far.  Across three taps side by side the inputs stay in their registers, a
 * window that moves by one pixel a tap: the filter's width in the micro-kernel, as
 * mGEMM has it.
 *
 *   taps          inputs a b c hold    loads, multiply-adds (4 vectors x 3 pixels)
 *   0             0 1 2                3 + 4, 12
 *   1             3 1 2                1 + 4, 12
 *   2             3 4 2                1 + 4, 12      17 loads for 36
 *
 * A tile of 2 vectors x 6 pixels without the window has 24 for 36.  With stride 2
 * the window moves along the even taps and then along the odd ones.  */
#ifndef ARENABENCH_KERNELS_MGEMM_MGEMM_TALL_H
#define ARENABENCH_KERNELS_MGEMM_MGEMM_TALL_H

#include <stdbool.h>

#include "kernels/mgemm/mgemm_taps.h"

/* Whether there is assembly for so many vectors and pixels.  */
#if KERNEL_VECTOR == 8 && defined __FMA__
#define MGEMM_IS_TALL(vectors, width) ((vectors) == 4 && (width) == 3)

/* The sums are operands, the rest has registers of its own.  */
#define TALL_a "%%ymm12"
#define TALL_b "%%ymm13"
#define TALL_c "%%ymm14"
#define TALL_WEIGHT "%%ymm15"

/* Input pixel N of STEP bytes, lane \i of its block, to all lanes of X.  */
#define TALL_INPUT(n, step, x) "vbroadcastss (" #n ")*(" #step ")+4*\\i(%[input]), " TALL_##x "\n\t"
/* Vector V of tap N for pixels whose inputs are in A, B and C.  STEP: bytes between
 * the weights of two lanes.  */
#define TALL_LOAD(n, v, step) \
    "vmovups (" #step ")*\\i+128*(" #n ")+32*" #v "(%[filter]), " TALL_WEIGHT "\n\t"
#define TALL_ADD(v, j, x) "vfmadd231ps " TALL_WEIGHT ", " TALL_##x ", %[s" #v #j "]\n\t"
#define TALL_ADD_3(n, v, step, a, b, c) \
    TALL_LOAD(n, v, step) TALL_ADD(v, 0, a) TALL_ADD(v, 1, b) TALL_ADD(v, 2, c)
#define TALL_ADD_01(n, v, step, a, b) TALL_LOAD(n, v, step) TALL_ADD(v, 0, a) TALL_ADD(v, 1, b)
#define TALL_ADD_12(n, v, step, b, c) TALL_LOAD(n, v, step) TALL_ADD(v, 1, b) TALL_ADD(v, 2, c)
/* Tap N of four vectors: for all pixels, for the first two, for the last two.  */
#define TALL_TAP(n, step, a, b, c)  \
    TALL_ADD_3(n, 0, step, a, b, c) \
    TALL_ADD_3(n, 1, step, a, b, c) TALL_ADD_3(n, 2, step, a, b, c) TALL_ADD_3(n, 3, step, a, b, c)
#define TALL_TAP_01(n, step, a, b) \
    TALL_ADD_01(n, 0, step, a, b)  \
    TALL_ADD_01(n, 1, step, a, b) TALL_ADD_01(n, 2, step, a, b) TALL_ADD_01(n, 3, step, a, b)
#define TALL_TAP_12(n, step, b, c) \
    TALL_ADD_12(n, 0, step, b, c)  \
    TALL_ADD_12(n, 1, step, b, c) TALL_ADD_12(n, 2, step, b, c) TALL_ADD_12(n, 3, step, b, c)

#define TALL_LANES(text) ".irp i,0,1,2,3,4,5,6,7\n\t" text ".endr"
#define TALL_LANE(text) ".irp i,0\n\t" text ".endr"
#define TALL_RUN(acc, text, from, weights)                                                \
    __asm__(text                                                                          \
            : [s00] "+x"((acc)->sum[0][0][0]), [s01] "+x"((acc)->sum[0][0][1]),           \
              [s02] "+x"((acc)->sum[0][0][2]), [s10] "+x"((acc)->sum[0][1][0]),           \
              [s11] "+x"((acc)->sum[0][1][1]), [s12] "+x"((acc)->sum[0][1][2]),           \
              [s20] "+x"((acc)->sum[0][2][0]), [s21] "+x"((acc)->sum[0][2][1]),           \
              [s22] "+x"((acc)->sum[0][2][2]), [s30] "+x"((acc)->sum[0][3][0]),           \
              [s31] "+x"((acc)->sum[0][3][1]), [s32] "+x"((acc)->sum[0][3][2])            \
            : [input] "r"(from), [filter] "r"(weights), "m"(*(const float(*)[64])(from)), \
              "m"(*(const float(*)[1024])(weights))                                       \
            : "xmm12", "xmm13", "xmm14", "xmm15")

/* One tap of all lanes of a block, whose weights are side by side: a block of a
 * pointwise layer.  */
INLINE void mgemm_tall_point(struct mgemm_accumulators *acc, const float *input,
                             const float *filter)
{
    TALL_RUN(acc,
             TALL_LANES(TALL_INPUT(0, 32, a) TALL_INPUT(1, 32, b) TALL_INPUT(2, 32, c)
                            TALL_TAP(0, 128, a, b, c)),
             input, filter);
}

/* Three taps of all lanes of a block.  EDGE: whole, or without the first tap of the
 * first pixel, or without the last tap of the last.  */
INLINE void mgemm_tall_keep_1(struct mgemm_accumulators *acc, const float *input,
                              const float *filter, enum mgemm_edge edge)
{
    if (edge == MGEMM_FIRST_PIXEL)
        TALL_RUN(acc,
                 TALL_LANES(TALL_INPUT(1, 32, b) TALL_INPUT(2, 32, c) TALL_TAP_12(0, 384, b, c)
                                TALL_INPUT(3, 32, a) TALL_TAP(1, 384, b, c, a) TALL_INPUT(4, 32, b)
                                    TALL_TAP(2, 384, c, a, b)),
                 input, filter);
    else if (edge == MGEMM_LAST_PIXEL)
        TALL_RUN(acc,
                 TALL_LANES(TALL_INPUT(0, 32, a) TALL_INPUT(1, 32, b) TALL_INPUT(2, 32, c)
                                TALL_TAP(0, 384, a, b, c) TALL_INPUT(3, 32, a)
                                    TALL_TAP(1, 384, b, c, a) TALL_TAP_01(2, 384, c, a)),
                 input, filter);
    else
        TALL_RUN(acc,
                 TALL_LANES(TALL_INPUT(0, 32, a) TALL_INPUT(1, 32, b) TALL_INPUT(2, 32, c) TALL_TAP(
                     0, 384, a, b, c) TALL_INPUT(3, 32, a) TALL_TAP(1, 384, b, c, a)
                                TALL_INPUT(4, 32, b) TALL_TAP(2, 384, c, a, b)),
                 input, filter);
}

/* The same with stride 2.  */
INLINE void mgemm_tall_keep_2(struct mgemm_accumulators *acc, const float *input,
                              const float *filter, enum mgemm_edge edge)
{
    if (edge == MGEMM_FIRST_PIXEL)
        TALL_RUN(acc,
                 TALL_LANES(TALL_INPUT(2, 32, b) TALL_INPUT(4, 32, c) TALL_TAP_12(0, 384, b, c)
                                TALL_INPUT(6, 32, a) TALL_TAP(2, 384, b, c, a) TALL_INPUT(1, 32, a)
                                    TALL_INPUT(3, 32, b) TALL_INPUT(5, 32, c)
                                        TALL_TAP(1, 384, a, b, c)),
                 input, filter);
    else if (edge == MGEMM_LAST_PIXEL)
        TALL_RUN(acc,
                 TALL_LANES(TALL_INPUT(0, 32, a) TALL_INPUT(2, 32, b) TALL_INPUT(4, 32, c)
                                TALL_TAP(0, 384, a, b, c) TALL_TAP_01(2, 384, b, c)
                                    TALL_INPUT(1, 32, a) TALL_INPUT(3, 32, b) TALL_INPUT(5, 32, c)
                                        TALL_TAP(1, 384, a, b, c)),
                 input, filter);
    else
        TALL_RUN(acc,
                 TALL_LANES(TALL_INPUT(0, 32, a) TALL_INPUT(2, 32, b) TALL_INPUT(4, 32, c) TALL_TAP(
                     0, 384, a, b, c) TALL_INPUT(6, 32, a) TALL_TAP(2, 384, b, c, a)
                                TALL_INPUT(1, 32, a) TALL_INPUT(3, 32, b) TALL_INPUT(5, 32, c)
                                    TALL_TAP(1, 384, a, b, c)),
                 input, filter);
}

INLINE void mgemm_tall_keep(struct mgemm_accumulators *acc, const float *input, const float *filter,
                            int stride, enum mgemm_edge edge)
{
    if (stride == 1)
        mgemm_tall_keep_1(acc, input, filter, edge);
    else
        mgemm_tall_keep_2(acc, input, filter, edge);
}

/* All taps of one channel, which is by itself in memory.  */
INLINE void mgemm_tall_plane(struct mgemm_accumulators *acc, const float *input,
                             const float *filter, int taps, int stride)
{
    if (taps == 3 && stride == 1)
        TALL_RUN(acc,
                 TALL_LANE(TALL_INPUT(0, 4, a) TALL_INPUT(1, 4, b) TALL_INPUT(2, 4, c)
                               TALL_TAP(0, 0, a, b, c) TALL_INPUT(3, 4, a) TALL_TAP(1, 0, b, c, a)
                                   TALL_INPUT(4, 4, b) TALL_TAP(2, 0, c, a, b)),
                 input, filter);
    else if (taps == 3)
        TALL_RUN(acc,
                 TALL_LANE(TALL_INPUT(0, 4, a) TALL_INPUT(2, 4, b) TALL_INPUT(4, 4, c) TALL_TAP(
                     0, 0, a, b, c) TALL_INPUT(6, 4, a) TALL_TAP(2, 0, b, c, a) TALL_INPUT(1, 4, a)
                               TALL_INPUT(3, 4, b) TALL_INPUT(5, 4, c) TALL_TAP(1, 0, a, b, c)),
                 input, filter);
    else if (stride == 1)
        TALL_RUN(acc,
                 TALL_LANE(TALL_INPUT(0, 4, a) TALL_INPUT(1, 4, b) TALL_INPUT(2, 4, c) TALL_TAP(
                     0, 0, a, b, c) TALL_INPUT(3, 4, a) TALL_TAP(1, 0, b, c, a) TALL_INPUT(4, 4, b)
                               TALL_TAP(2, 0, c, a, b) TALL_INPUT(5, 4, c) TALL_TAP(3, 0, a, b, c)
                                   TALL_INPUT(6, 4, a) TALL_TAP(4, 0, b, c, a) TALL_INPUT(7, 4, b)
                                       TALL_TAP(5, 0, c, a, b) TALL_INPUT(8, 4, c)
                                           TALL_TAP(6, 0, a, b, c)),
                 input, filter);
    else
        TALL_RUN(acc,
                 TALL_LANE(TALL_INPUT(0, 4, a) TALL_INPUT(2, 4, b) TALL_INPUT(4, 4, c) TALL_TAP(
                     0, 0, a, b, c) TALL_INPUT(6, 4, a) TALL_TAP(2, 0, b, c, a) TALL_INPUT(8, 4, b)
                               TALL_TAP(4, 0, c, a, b) TALL_INPUT(10, 4, c) TALL_TAP(6, 0, a, b, c)
                                   TALL_INPUT(1, 4, a) TALL_INPUT(3, 4, b) TALL_INPUT(5, 4, c)
                                       TALL_TAP(1, 0, a, b, c) TALL_INPUT(7, 4, a)
                                           TALL_TAP(3, 0, b, c, a) TALL_INPUT(9, 4, b)
                                               TALL_TAP(5, 0, c, a, b)),
                 input, filter);
}
#else
#define MGEMM_IS_TALL(vectors, width) false

INLINE void mgemm_tall_point(struct mgemm_accumulators *acc, const float *input,
                             const float *filter)
{
    (void)acc;
    (void)input;
    (void)filter;
}

INLINE void mgemm_tall_keep(struct mgemm_accumulators *acc, const float *input, const float *filter,
                            int stride, enum mgemm_edge edge)
{
    (void)acc;
    (void)input;
    (void)filter;
    (void)stride;
    (void)edge;
}

INLINE void mgemm_tall_plane(struct mgemm_accumulators *acc, const float *input,
                             const float *filter, int taps, int stride)
{
    (void)acc;
    (void)input;
    (void)filter;
    (void)taps;
    (void)stride;
}
#endif

#endif
