/* Symbolic dimensions, bound by parameters: model.onnx:batch=8,seq=128.
 *
 * A dimension without a name is called INPUT.AXIS.  Where no dimension is
 * called batch, `batch` binds the symbolic leading one of the inputs, whatever
 * its name, if they agree on it.  */
#ifndef ARENABENCH_WORKLOADS_READERS_ONNX_BIND_H
#define ARENABENCH_WORKLOADS_READERS_ONNX_BIND_H

#include <stdbool.h>
#include <stdint.h>

#include "workloads/readers/onnx/scope.h"

/* Sets up BUILD for the parameters that bind dimensions.  */
void onnx_bind_begin(struct onnx_build *build);
/* Refuses parameters that bind nothing.  */
bool onnx_bind_end(struct onnx_build *build);

/* The whole number that parameter NAME gives; false: it is not given.  */
bool onnx_bound(struct onnx_build *build, const char *name, int64_t *result);

/* Type and shape that INFO declares, all of it, or false; with MUST there is a
 * message then.  */
bool onnx_declared(struct onnx_build *build, const struct onnx_info *info, bool must,
                   struct shape *shape, enum dtype *dtype);

#endif
