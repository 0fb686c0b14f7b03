/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mgemm:preset=paper, the plan as the publication has it.  */
#ifndef ARENABENCH_KERNELS_MGEMM_MGEMM_PAPER_H
#define ARENABENCH_KERNELS_MGEMM_MGEMM_PAPER_H

#include <stdbool.h>

#include "kernels/kernel.h"

/* The parameters of the family that the preset stands for on the plan's layer, from those
 * that were given with it.  False with the reason where the layer has no such plan, or a
 * parameter was given that the preset sets.  The caller clears PAPER with params_clear.  */
bool mgemm_paper_params(const struct conv_plan *plan, const struct params *given,
                        struct params *paper, struct error *error);

#endif
