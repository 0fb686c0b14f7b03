/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The probes' loops, one set for each instruction set.  */
#ifndef ARENABENCH_KERNELS_MODEL_PROBE_SET_H
#define ARENABENCH_KERNELS_MODEL_PROBE_SET_H

#include <stdint.h>

struct probe_set {
    /* ROUNDS times 24 multiply-adds of vectors; the result depends on all.  */
    float (*multiply_add)(int64_t rounds);
    /* The same number one after the other: each needs the sum of the one before,
     * from its register or from memory.  */
    float (*chain)(int64_t rounds);
    float (*memory_chain)(int64_t rounds);
    /* Reads FLOATS floats, a multiple of 128.  */
    float (*read)(const float *from, int64_t floats);
    int vector;
};

enum { PROBE_MULTIPLY_ADDS = 24 };

#endif
