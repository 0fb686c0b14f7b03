/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A few layers that stand for many.  */
#ifndef ARENABENCH_HARNESS_TIMING_CONV_SAMPLE_H
#define ARENABENCH_HARNESS_TIMING_CONV_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/layer.h"

/* Leaves COUNT of LIST's layers from FROM on, or all where there are no more.  Kinds (dense,
 * pointwise, depthwise, grouped) get equal shares, as far as each has so many.  Of one kind the
 * layers are sorted by filter, stride, pixels and channels, and those at equal distances are taken,
 * from a random begin: a systematic sample, in which each size of filter and image has its share.
 * The same SEED, from 1, takes the same layers.  */
void conv_sample(struct layer_list *list, size_t from, size_t count, uint32_t seed);

#endif
