/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a node makes: by the rule of its operator, or as the file declares it.  */
#ifndef ARENABENCH_WORKLOADS_READERS_ONNX_NODE_TYPES_H
#define ARENABENCH_WORKLOADS_READERS_ONNX_NODE_TYPES_H

#include <stdbool.h>

struct onnx_job;
struct onnx_op;

/* Fills in what JOB's operator is and makes; one with sub-graphs is built.  False with a message
 * without a place.  */
bool onnx_infer_node(struct onnx_job *job);

/* That there is an output, and each has a type, and a size that fits.  */
bool onnx_check_results(const struct onnx_op *op);

#endif
