/* The bodies of Loop, Scan and If, while the node around them is being built.
 * Slots are those of the node until it is finished.  */
#ifndef ARENABENCH_WORKLOADS_READERS_ONNX_CONTROL_H
#define ARENABENCH_WORKLOADS_READERS_ONNX_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/graph/control.h"
#include "workloads/readers/onnx/build.h"

struct onnx_control;

/* OP becomes a loop or branch with so many bodies, which stay its own.  */
struct control *onnx_control_begin(struct onnx_op *op, bool loop, int64_t trips, size_t bodies);
void onnx_control_free(struct onnx_control *control); /* accepts NULL */
int64_t onnx_control_trips(const struct onnx_op *op);

/* The values of the graph around the node that its bodies read, each once.
 * They follow the node's own inputs.  */
size_t onnx_control_captures(const struct onnx_control *control);
struct onnx_value *onnx_control_capture(const struct onnx_control *control, size_t i);

/* Gives the bodies to operator INDEX of the network; PLACE[i] is where input i
 * of the node went.  */
void onnx_control_attach(struct onnx_op *op, size_t index, const size_t *place);

/* The sub-graph of attribute NAME, which takes INPUTS and gives at least
 * OUTPUTS, as the current scope, with its network in BODY.  After true the
 * caller leaves the scope.  */
bool onnx_body_enter(struct onnx_op *op, const char *name, size_t inputs, size_t outputs,
                     struct body *body);

/* Adds input I of the body, carried on from input SLOT of the node; a slot that
 * was left out is a condition that begins as true.  */
bool onnx_body_carried(struct onnx_op *op, struct body *body, size_t i, size_t slot);

/* Builds the nodes of the body, whose own inputs are there, and enters what
 * they capture.  VALUE[i] becomes output i of the sub-graph.  */
bool onnx_body_build(struct onnx_op *op, struct body *body, struct onnx_value **value);

/* Entry I of BODY, carried, is VALUE in the next iteration.  */
bool onnx_body_carry_on(struct onnx_op *op, struct body *body, size_t i,
                        const struct onnx_value *value);

/* Output SLOT is VALUE as it is in the end, or VALUE of each iteration along
 * AXIS.  */
void onnx_body_leave_last(struct onnx_op *op, struct body *body, size_t slot,
                          const struct onnx_value *value);
bool onnx_body_leave_stack(struct onnx_op *op, struct body *body, size_t slot,
                           const struct onnx_value *value, int64_t axis, bool reverse);

bool onnx_has_type(const struct onnx_value *value, const struct shape *shape, enum dtype dtype);

#endif
