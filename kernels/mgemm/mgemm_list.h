/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of dense tiles: T(form, rows, vectors, width).
 *
 * Each tile has all that are smaller beside it, for the rest of a row and of the channels.
 * The balanced split of a row needs every width up to the widest.  Some of the widest spill: the
 * cliff is part of what the sweep shows.  With 16 vector registers vectors x width + vectors + 1
 * (or width + 1, whichever is less) of them are in use.  */
#ifndef ARENABENCH_KERNELS_MGEMM_MGEMM_LIST_H
#define ARENABENCH_KERNELS_MGEMM_MGEMM_LIST_H

#define WIDTHS_2(T, f, r, v) T(f, r, v, 1) T(f, r, v, 2)
#define WIDTHS_3(T, f, r, v) WIDTHS_2(T, f, r, v) T(f, r, v, 3)
#define WIDTHS_4(T, f, r, v) WIDTHS_3(T, f, r, v) T(f, r, v, 4)
#define WIDTHS_5(T, f, r, v) WIDTHS_4(T, f, r, v) T(f, r, v, 5)
#define WIDTHS_6(T, f, r, v) WIDTHS_5(T, f, r, v) T(f, r, v, 6)
#define WIDTHS_7(T, f, r, v) WIDTHS_6(T, f, r, v) T(f, r, v, 7)
#define WIDTHS_9(T, f, r, v) WIDTHS_7(T, f, r, v) T(f, r, v, 8) T(f, r, v, 9)
#define WIDTHS_10(T, f, r, v) WIDTHS_9(T, f, r, v) T(f, r, v, 10)
#define WIDTHS_12(T, f, r, v) WIDTHS_10(T, f, r, v) T(f, r, v, 11) T(f, r, v, 12)
#define WIDTHS_14(T, f, r, v) WIDTHS_12(T, f, r, v) T(f, r, v, 13) T(f, r, v, 14)
#define WIDTHS_20(T, f, r, v) \
    WIDTHS_14(T, f, r, v)     \
    T(f, r, v, 15) T(f, r, v, 16) T(f, r, v, 17) T(f, r, v, 18) T(f, r, v, 19) T(f, r, v, 20)
#define WIDTHS_24(T, f, r, v) \
    WIDTHS_20(T, f, r, v)     \
    T(f, r, v, 21) T(f, r, v, 22) T(f, r, v, 23) T(f, r, v, 24)

/* WIDE: all tiles worth a sweep.  SOME: the good ones of few vectors.
 * FEW: for what is rare.  PAIRS: two rows of output.  KEPT: filter width 3 unrolled,
 * KEPT_2: with stride 2; EDGES_2: what stands in for them where taps miss real input.
 * PLANES: one vector or two of planar input, where straight code does not have them.
 * ..._STRAIGHT: those of them that there is straight code for.  */
#if defined __AVX512F__ || defined __aarch64__ /* 32 vector registers */
#ifdef __AVX512F__
#define WIDE_STRAIGHT(T, f) WIDTHS_6(T, f, 1, 4)
#define SOME_STRAIGHT(T, f) WIDTHS_6(T, f, 1, 4)
#define KEPT_STRAIGHT(T, f) WIDTHS_7(T, f, 1, 3) WIDTHS_6(T, f, 1, 4)
#define KEPT_2_STRAIGHT(T, f) WIDTHS_6(T, f, 1, 4)
#define KEPT_2(T, f) WIDTHS_14(T, f, 1, 1) WIDTHS_10(T, f, 1, 2) WIDTHS_7(T, f, 1, 3)
#define KEPT_LOOPS(T, f) WIDTHS_14(T, f, 1, 1) WIDTHS_10(T, f, 1, 2)
#define SOME(T, f) WIDTHS_14(T, f, 1, 1) WIDTHS_12(T, f, 1, 2) WIDTHS_9(T, f, 1, 3)
#define WIDE(T, f) WIDTHS_24(T, f, 1, 1) WIDTHS_14(T, f, 1, 2) WIDTHS_9(T, f, 1, 3) T(f, 1, 4, 7)
#else
#define WIDE(T, f) \
    WIDTHS_24(T, f, 1, 1) WIDTHS_14(T, f, 1, 2) WIDTHS_9(T, f, 1, 3) WIDTHS_7(T, f, 1, 4)
#define SOME(T, f) WIDTHS_12(T, f, 1, 1) WIDTHS_12(T, f, 1, 2)
#define KEPT_2(T, f) WIDTHS_9(T, f, 1, 1) WIDTHS_6(T, f, 1, 2)
#endif
#define POINTS(T, f) \
    WIDTHS_14(T, f, 1, 1) WIDTHS_14(T, f, 1, 2) WIDTHS_9(T, f, 1, 3) WIDTHS_7(T, f, 1, 4)
#define FEW(T, f) WIDTHS_9(T, f, 1, 1) WIDTHS_9(T, f, 1, 2)
#define PAIRS(T, f) WIDTHS_6(T, f, 2, 1) WIDTHS_6(T, f, 2, 2)
#define KEPT(T, f) WIDTHS_14(T, f, 1, 1) WIDTHS_10(T, f, 1, 2) WIDTHS_6(T, f, 1, 3)
#ifdef __AVX512F__
#define PLANES_STRAIGHT(T, f) WIDTHS_12(T, f, 1, 2) WIDTHS_6(T, f, 1, 3) WIDTHS_6(T, f, 1, 4)
#define PLANES(T, f) WIDTHS_12(T, f, 1, 1)
#endif
#else
#if defined __AVX2__ && defined __FMA__
#define WIDE_STRAIGHT(T, f) WIDTHS_6(T, f, 1, 2) WIDTHS_4(T, f, 1, 3) WIDTHS_3(T, f, 1, 4)
#define SOME_STRAIGHT(T, f) WIDTHS_6(T, f, 1, 2)
#define PLANES_STRAIGHT(T, f) WIDTHS_6(T, f, 1, 2) WIDTHS_3(T, f, 1, 3) WIDTHS_3(T, f, 1, 4)
#define POINTS_STRAIGHT(T, f) WIDTHS_6(T, f, 1, 2) WIDTHS_4(T, f, 1, 3) WIDTHS_3(T, f, 1, 4)
#define KEPT_STRAIGHT(T, f) WIDTHS_3(T, f, 1, 4)
#define WIDE(T, f) WIDTHS_14(T, f, 1, 1) T(f, 1, 2, 7) T(f, 1, 3, 5) T(f, 1, 4, 4)
#define SOME(T, f) WIDTHS_12(T, f, 1, 1)
#define POINTS(T, f) WIDE(T, f)
#define KEPT_LOOPS(T, f) WIDTHS_10(T, f, 1, 1) WIDTHS_6(T, f, 1, 2) WIDTHS_4(T, f, 1, 3)
#define KEPT_2(T, f) WIDTHS_4(T, f, 1, 1) WIDTHS_3(T, f, 1, 2) WIDTHS_3(T, f, 1, 3)
#define EDGES_2(T, f) WIDTHS_3(T, f, 1, 3) WIDTHS_3(T, f, 1, 4)
#else
#define WIDE(T, f) \
    WIDTHS_14(T, f, 1, 1) WIDTHS_7(T, f, 1, 2) WIDTHS_5(T, f, 1, 3) WIDTHS_4(T, f, 1, 4)
#define SOME(T, f) WIDTHS_12(T, f, 1, 1) WIDTHS_6(T, f, 1, 2)
#define POINTS(T, f) WIDE(T, f)
#define KEPT_2(T, f) WIDTHS_4(T, f, 1, 1) WIDTHS_3(T, f, 1, 2)
#endif
#define FEW(T, f) WIDTHS_6(T, f, 1, 1) WIDTHS_6(T, f, 1, 2)
#define PAIRS(T, f) WIDTHS_3(T, f, 2, 1) WIDTHS_3(T, f, 2, 2)
#define KEPT(T, f) \
    WIDTHS_10(T, f, 1, 1) WIDTHS_6(T, f, 1, 2) WIDTHS_4(T, f, 1, 3) WIDTHS_3(T, f, 1, 4)
#endif
#ifndef WIDE_STRAIGHT
#define WIDE_STRAIGHT(T, f)
#define SOME_STRAIGHT(T, f)
#define KEPT_STRAIGHT(T, f)
#endif
#ifndef KEPT_2_STRAIGHT
#define KEPT_2_STRAIGHT(T, f) KEPT_STRAIGHT(T, f)
#endif
#ifndef KEPT_LOOPS
#define KEPT_LOOPS(T, f) KEPT(T, f)
#endif
#ifndef EDGES_2
#define EDGES_2(T, f)
#endif
#ifndef POINTS_STRAIGHT
#define POINTS_STRAIGHT(T, f)
#endif
#ifndef PLANES_STRAIGHT
#define PLANES_STRAIGHT(T, f)
#endif
#ifndef PLANES
#define PLANES(T, f) SOME(T, f)
#endif

/* S: blocked input, straight code; T: loops; L: planar input, straight code for some filters;
 * P, Q: pointwise, loops and straight code; K: inputs kept, straight code.  */
#define MGEMM_LIST(S, T, L, P, K, Q) \
    WIDE_STRAIGHT(S, BLOCKED_1)      \
    WIDE(T, BLOCKED_1)               \
    PAIRS(T, BLOCKED_1)              \
    SOME_STRAIGHT(S, BLOCKED_2)      \
    SOME(T, BLOCKED_2)               \
    FEW(T, BLOCKED_ANY)              \
    PLANES_STRAIGHT(L, PLANAR_1)     \
    PLANES(T, PLANAR_1)              \
    PLANES_STRAIGHT(L, PLANAR_2)     \
    PLANES(T, PLANAR_2)              \
    FEW(T, PLANAR_ANY)               \
    POINTS_STRAIGHT(Q, POINT)        \
    POINTS(P, POINT)                 \
    KEPT_STRAIGHT(K, KEEP)           \
    KEPT_LOOPS(T, KEEP)              \
    KEPT_2_STRAIGHT(K, KEEP_2)       \
    KEPT_2(T, KEEP_2)                \
    EDGES_2(T, BLOCKED_2)            \
    KEPT(T, FILTER)

/* Kept inputs in loops, which mgemm_kept_set.c has the edges of.  */
#define MGEMM_KEPT_LIST(T) KEPT_LOOPS(T, KEEP) KEPT_2(T, KEEP_2)

#endif
