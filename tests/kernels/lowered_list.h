/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In place of kernels/mgemm/mgemm_list.h where tests/kernels/lowered.sh compiles the tiles: of
 * each form enough to have every branch of the template; every width up to the
 * widest and every smaller number of vectors, as plans expect.  Straight code (S, L, K, Q) is
 * for AVX2 alone.  */
#ifndef ARENABENCH_TESTS_KERNELS_LOWERED_LIST_H
#define ARENABENCH_TESTS_KERNELS_LOWERED_LIST_H

#define TO_2(T, f, r, v) T(f, r, v, 1) T(f, r, v, 2)
#define TO_3(T, f, r, v) TO_2(T, f, r, v) T(f, r, v, 3)
#define TWO(T, f) TO_2(T, f, 1, 1) TO_2(T, f, 1, 2)

#define MGEMM_LIST(S, T, L, P, K, Q) \
    TO_3(T, BLOCKED_1, 1, 1)         \
    TO_3(T, BLOCKED_1, 1, 2)         \
    TO_2(T, BLOCKED_1, 1, 3)         \
    TO_2(T, BLOCKED_1, 1, 4)         \
    TO_2(T, BLOCKED_1, 2, 1)         \
    TO_2(T, BLOCKED_1, 2, 2)         \
    TWO(T, BLOCKED_2)                \
    TWO(T, BLOCKED_ANY)              \
    TWO(T, PLANAR_1)                 \
    TWO(T, PLANAR_2)                 \
    TWO(T, PLANAR_ANY)               \
    TO_3(P, POINT, 1, 1)             \
    TO_3(P, POINT, 1, 2)             \
    TO_2(P, POINT, 1, 3) TO_2(P, POINT, 1, 4) TWO(T, KEEP) TWO(T, KEEP_2) TWO(T, FILTER)

#define MGEMM_KEPT_LIST(T) TWO(T, KEEP) TWO(T, KEEP_2)

#endif
