/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the compiler made of the register tiles: the build counts it in their code, so that
 * the model's memory operations have something to stand beside.  */
#ifndef ARENABENCH_KERNELS_EMITTED_EMITTED_H
#define ARENABENCH_KERNELS_EMITTED_EMITTED_H

#include <stdint.h>

#include "kernels/kernel.h"

/* A function's innermost loop with the most multiply-adds.  */
struct emitted_loop {
    const char *isa, *name; /* "avx2", "tile_KEEP_r1_v4_w3" */
    int64_t multiply_adds;  /* of vectors */
    int64_t floats;         /* moved between memory and registers; 1 for a broadcast */
    int64_t spills;         /* vectors read from the stack or written to it */
};

/* Written by the build (build-aux/emitted); ends with a NULL name.  Empty where the code
 * can't be read: another processor's, or no objdump.  */
extern const struct emitted_loop emitted_registry[];

/* The loop that a dense mGEMM plan spends its time in, where every tap hits real input for
 * every pixel.  NULL: PLAN is another kernel's, or the loop is not known.  */
const struct emitted_loop *emitted_find(const struct conv_plan *plan);

/* Memory operations a multiply-accumulate in the loop, for vectors of VECTOR floats: weights,
 * inputs, and outputs that found no register.  */
double emitted_operations(const struct emitted_loop *loop, int vector);

#endif
