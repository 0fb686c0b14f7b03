/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dimensions, bound by parameters: model.onnx:batch=8,seq=128.
 *
 * A symbolic one has its name; one without a name, or one that the file fixes, is called
 * INPUT.AXIS.  Where no dimension or input is called batch, `batch` binds the leading
 * dimension of the inputs, whatever its name: the symbolic ones, if they agree on it, or, where
 * all are fixed, the fixed ones, if they are equal.  */
#ifndef ARENABENCH_WORKLOADS_READERS_ONNX_BIND_H
#define ARENABENCH_WORKLOADS_READERS_ONNX_BIND_H

#include <stdbool.h>

#include "workloads/readers/onnx/scope.h"

/* Finds a number for each dimension of the model's inputs; those without are named all at once,
 * with what has to be written.  */
bool onnx_bind_inputs(struct onnx_build *build);

/* Type and shape that INFO declares, all of it, or false; INPUT says that it is one of the
 * model's, whose fixed dimensions may be given others.  There is a message then.  */
bool onnx_declared(struct onnx_build *build, const struct onnx_info *info, bool input,
                   struct shape *shape, enum dtype *dtype);

#endif
