/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lengths that only a run knows: how many elements a NonZero finds, how many boxes a
 * NonMaxSuppression leaves.  A plan is for the most that each may be: of one value by its name,
 * VALUE=N, of all others by `lengths`.  What is made of such a length is worked out as if it were
 * that long.
 *
 * Where nobody gives them, the model is gone through to its end all the same, so that one message
 * names all of them.  */
#ifndef ARENABENCH_WORKLOADS_READERS_ONNX_LENGTHS_H
#define ARENABENCH_WORKLOADS_READERS_ONNX_LENGTHS_H

#include <stdbool.h>

#include "workloads/readers/onnx/rules/infer.h"
#include "workloads/readers/onnx/scope.h"

/* Reads parameter `lengths`; false with a message where it is neither a word that it may be nor a
 * number.  */
bool onnx_lengths_begin(struct onnx_build *build);

/* What the length of OP is called where somebody gives its most; empty: it cannot be given.  */
const char *onnx_length_name(const struct onnx_op *op);

/* Asks the rule of OP, which was refused for want of a length, again: with the most that `lengths`
 * gives, or, if that is not given, with as many as there can be, which is noted.  */
bool onnx_length_find(struct onnx_build *build, struct onnx_op *op);

/* Refuses lengths that were noted, all of them at once, whatever else is wrong.  */
bool onnx_lengths_end(struct onnx_build *build);
void onnx_lengths_clear(struct onnx_build *build);

#endif
