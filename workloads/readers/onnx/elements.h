/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For runs: what stored values hold, and what nodes compute.  Planning asks for neither.  */
#ifndef ARENABENCH_WORKLOADS_READERS_ONNX_ELEMENTS_H
#define ARENABENCH_WORKLOADS_READERS_ONNX_ELEMENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/graph/computation.h"
#include "lib/graph/elements.h"
#include "workloads/readers/onnx/node.h"
#include "workloads/readers/onnx/scope.h"

/* A stored tensor's elements, as the machine has them; the caller's hold.  NULL with a message
 * where the file does not have them.  */
struct elements *onnx_tensor_elements(const struct onnx_tensor *tensor, enum dtype dtype,
                                      int64_t count, struct error *error);

/* The elements of a constant, NULL with a message where they are in no way known.  The build
 * holds them until it is over.  */
struct elements *onnx_value_elements(struct onnx_build *build, struct onnx_value *value);

/* The build takes over ELEMENTS, for as long as it lasts; returns them.  */
struct elements *onnx_hold_elements(struct onnx_build *build, struct elements *elements);

/* Lets go of what the build holds.  */
void onnx_elements_clear(struct onnx_build *build);

/* What the node computes, for operator INDEX of the network; PLACE[i] is where input i went.  */
void onnx_set_computation(struct onnx_job *job, size_t index, const size_t *place);

/* The elements of outputs that are made of constants alone.  False without a message: nobody here
 * can work them out, and the node has to be run.  */
bool onnx_fold_elements(struct onnx_job *job, struct elements **result);

#endif
