/* Nodes: their inputs, rules and outputs; and stored tensors.  */
#ifndef ARENABENCH_WORKLOADS_READERS_ONNX_NODE_H
#define ARENABENCH_WORKLOADS_READERS_ONNX_NODE_H

#include <stdbool.h>

#include "workloads/readers/onnx/build.h"

/* A value of the current scope or of those around it, or NULL.  */
struct onnx_value *onnx_look_up(struct onnx_build *build, const char *name);

/* Names that are not taken in the network; the caller frees them and adds
 * them to the scope's names once they are.  */
char *onnx_op_name(const struct onnx_scope *scope, const char *wanted);
char *onnx_value_name(const struct onnx_scope *scope, const char *wanted);

/* The initializers of the scope's graph, as constants.  */
bool onnx_add_initializers(struct onnx_build *build);

/* VALUE becomes the constant that TENSOR holds, with its elements if they are
 * few and of a type that shapes can hang on.  The message has no place.  */
bool onnx_constant(struct onnx_build *build, const struct onnx_tensor *tensor,
                   struct onnx_value *value);

#endif
