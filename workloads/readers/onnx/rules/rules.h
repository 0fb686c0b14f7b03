/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rules of all families of operators.  */
#ifndef ARENABENCH_WORKLOADS_READERS_ONNX_RULES_RULES_H
#define ARENABENCH_WORKLOADS_READERS_ONNX_RULES_RULES_H

#include "workloads/readers/onnx/rules/infer.h"

/* The rule of a standard operator, or NULL.  *LINEAR says whether its time is in proportion to what
 * it reads and makes, whatever its attributes are.  */
const struct onnx_rule *onnx_rule_find(const char *name, bool *linear);

#endif
