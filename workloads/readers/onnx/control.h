/* Loop, Scan and If: their bodies, while the node around them is being built.  */
#ifndef ARENABENCH_WORKLOADS_READERS_ONNX_CONTROL_H
#define ARENABENCH_WORKLOADS_READERS_ONNX_CONTROL_H

#include <stdbool.h>
#include <stddef.h>

#include "workloads/readers/onnx/build.h"

struct onnx_control;

/* The values of the graph around the node that its bodies read, each once.
 * They follow the node's own inputs.  */
size_t onnx_control_captures(const struct onnx_control *control);
struct onnx_value *onnx_control_capture(const struct onnx_control *control, size_t i);

/* Gives the bodies to operator INDEX of the network; PLACE[i] is where input i
 * of the node went.  */
void onnx_control_attach(struct onnx_op *op, size_t index, const size_t *place);

void onnx_control_free(struct onnx_control *control); /* accepts NULL */

#endif
