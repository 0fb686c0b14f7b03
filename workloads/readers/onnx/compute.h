/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What nodes compute: on constants now, which folds them, and on others for those who run the
 * network.
 *
 * Planning folds what is small (ONNX_FOLD_LIMIT) and cheap, since shapes can hang on it; for a run
 * all constants are worked out, up to 2 GiB.  */
#ifndef ARENABENCH_WORKLOADS_READERS_ONNX_COMPUTE_H
#define ARENABENCH_WORKLOADS_READERS_ONNX_COMPUTE_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/graph/computation.h"
#include "lib/graph/elements.h"
#include "workloads/readers/onnx/node.h"
#include "workloads/readers/onnx/scope.h"

/* The elements of a constant, NULL with a message where they are in no way known.  The build
 * holds them until it is over.  */
struct elements *onnx_value_elements(struct onnx_build *build, struct onnx_value *value);

/* What the node computes, for operator INDEX of the network; PLACE[i] is where input i went.  */
void onnx_set_computation(struct onnx_job *job, size_t index, const size_t *place);

/* Runs a node on constants, where its rule does not know the elements of its outputs already; those
 * are in its results then, as long as the build lasts.  False without a message: nobody here can
 * work them out.  */
bool onnx_compute(struct onnx_job *job);

#endif
