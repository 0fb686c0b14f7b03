/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The operators with sub-graphs.  */
#ifndef ARENABENCH_WORKLOADS_READERS_ONNX_CONTROL_H
#define ARENABENCH_WORKLOADS_READERS_ONNX_CONTROL_H

#include "workloads/readers/onnx/node.h"

/* Ends with a NULL name.  */
extern const struct onnx_control_rule onnx_control_rules[];

#endif
