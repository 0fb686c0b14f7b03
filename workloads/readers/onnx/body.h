/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bodies of Loop, Scan and If, while the node around them is being built.
 * Slots are those of the node until it is finished.  */
#ifndef ARENABENCH_WORKLOADS_READERS_ONNX_BODY_H
#define ARENABENCH_WORKLOADS_READERS_ONNX_BODY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "workloads/readers/onnx/node.h"

/* The sub-graph of attribute NAME, which takes INPUTS and gives at least
 * OUTPUTS, as the current scope, with its network in BODY.  After true the
 * caller leaves the scope.  */
bool onnx_body_enter(struct onnx_job *job, const char *name, size_t inputs, size_t outputs,
                     struct body *body);

/* Adds input I of the body, carried on from input SLOT of the node; a slot that
 * was left out is a condition that begins as true.  */
bool onnx_body_carried(struct onnx_job *job, struct body *body, size_t i, size_t slot);

/* Builds the nodes of the body, whose own inputs are there, and enters what
 * they capture.  VALUE[i] becomes output i of the sub-graph.  */
bool onnx_body_build(struct onnx_job *job, struct body *body, struct onnx_value **value);

/* Entry I of BODY, carried, is VALUE in the next iteration.  */
bool onnx_body_carry_on(struct onnx_job *job, struct body *body, size_t i,
                        const struct onnx_value *value);

/* Output SLOT is VALUE as it is in the end, or VALUE of each iteration along
 * AXIS.  */
void onnx_body_leave_last(struct onnx_job *job, struct body *body, size_t slot,
                          const struct onnx_value *value);
bool onnx_body_leave_stack(struct onnx_job *job, struct body *body, size_t slot,
                           const struct onnx_value *value, int64_t axis, bool reverse);

bool onnx_has_type(const struct onnx_value *value, const struct shape *shape, enum dtype dtype);

#endif
