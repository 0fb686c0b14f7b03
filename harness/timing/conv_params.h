/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of kernels as text.  */
#ifndef ARENABENCH_HARNESS_TIMING_CONV_PARAMS_H
#define ARENABENCH_HARNESS_TIMING_CONV_PARAMS_H

#include "kernels/kernel.h"

/* TEXT with numbers of vectors (co=2v) as numbers of channels, for vectors of
 * VECTOR floats.  The caller frees it.  */
char *conv_params_in_vectors(const char *text, int vector);

/* The parameters that make a plan choose CHOICE; "" where the kernel has none.
 * The caller frees it.  */
char *conv_params_of(const struct conv_choice *choice);

#endif
