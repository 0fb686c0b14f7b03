/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Buffers that are idle for a while, as a tensor for each stretch in which they are in
 * use: for planners that place these at one offset and let others lie between them.  */
#ifndef ARENABENCH_SOLVERS_FIT_STRETCHES_H
#define ARENABENCH_SOLVERS_FIT_STRETCHES_H

#include <stddef.h>

struct instance;

/* The instance in which each buffer whose pieces are stretches of all of it, one after the
 * other, is a buffer a stretch, and every other one its bounding rectangle.  Those of one
 * buffer follow one another in time; TENSOR[b] is the first of buffer b.  Offsets and
 * sizes are the same.  NULL where the sizes add up to too much.  The caller frees it.  */
struct instance *stretches_cut(const struct instance *instance, size_t *tensor);

#endif
