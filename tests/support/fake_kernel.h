/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of a plain, right kernel, for tests whose kernels misbehave.  */
#ifndef ARENABENCH_TESTS_SUPPORT_FAKE_KERNEL_H
#define ARENABENCH_TESTS_SUPPORT_FAKE_KERNEL_H

#include "kernels/kernel.h"

/* Any layer; nothing is kept with its plan, so that nothing has to be cleared.  */
bool fake_kernel_plan(struct conv_plan *plan, const struct params *params, struct error *error);
void fake_kernel_clear(struct conv_plan *plan);

/* Layouts and the size of what is packed: the filter, then the bias.  */
void fake_kernel_layouts(struct conv_plan *plan);
void fake_kernel_pack(const struct conv_plan *plan, const float *filter, const float *bias,
                      float *packed);
void fake_kernel_run(const struct conv_plan *plan, const float *input, const float *packed,
                     float *output);

/* Instead of running: ends its process, or waits without end.  */
void fake_kernel_crash(const struct conv_plan *plan, const float *input, const float *packed,
                       float *output);
void fake_kernel_hang(const struct conv_plan *plan, const float *input, const float *packed,
                      float *output);

/* Waits until two of it run that have the same input: its first element counts them.  The output
 * is all ones if that came to pass within a minute.  */
void fake_kernel_meet(const struct conv_plan *plan, const float *input, const float *packed,
                      float *output);

/* A kernel of these parts that is called WORD and run by FUNCTION.  */
#define FAKE_KERNEL(word, function)                                                            \
    {                                                                                          \
        .name = word, .title = "t", .source = "t", .isas = 1U << ISA_GENERIC, .library = true, \
        .tolerance = 1.0, .plan = fake_kernel_plan, .clear = fake_kernel_clear,                \
        .pack = fake_kernel_pack, .run = function                                              \
    }

#endif
