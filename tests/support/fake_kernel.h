/* The parts of a plain, right kernel, for tests whose kernels misbehave.  */
#ifndef ARENABENCH_TESTS_SUPPORT_FAKE_KERNEL_H
#define ARENABENCH_TESTS_SUPPORT_FAKE_KERNEL_H

struct conv_plan;

/* Layouts and the size of what is packed: the filter, then the bias.  */
void fake_kernel_layouts(struct conv_plan *plan);
void fake_kernel_pack(const struct conv_plan *plan, const float *filter, const float *bias,
                      float *packed);
void fake_kernel_run(const struct conv_plan *plan, const float *input, const float *packed,
                     float *output);

#endif
