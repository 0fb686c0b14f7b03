/* The loops around the dense tiles.  */
#ifndef ARENABENCH_KERNELS_MGEMM_MGEMM_RUN_H
#define ARENABENCH_KERNELS_MGEMM_MGEMM_RUN_H

struct conv_plan;

void mgemm_run(const struct conv_plan *plan, const float *input, const float *packed,
               float *output);

#endif
