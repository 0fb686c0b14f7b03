/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Included before all else where tests/kernels/lowered.sh compiles the kernels of
 * AVX-512 for a processor without it.  */
#ifndef ARENABENCH_TESTS_KERNELS_LOWERED_H
#define ARENABENCH_TESTS_KERNELS_LOWERED_H

#pragma GCC diagnostic ignored "-Wpsabi" /* no vector of 16 passes between files */

#include "kernels/mgemm/vector.h"

/* No register holds a vector of 16 here.  */
#undef VEC_PIN
#define VEC_PIN(value) ((void)0)

/* For kernels/isa.c: AVX-512 is there where AVX2 is.  */
#define __builtin_cpu_supports(feature) (__builtin_cpu_supports("avx2"))

#endif
