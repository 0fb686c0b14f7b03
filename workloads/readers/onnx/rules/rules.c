/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "workloads/readers/onnx/rules/rules.h"

#include <string.h>

static const struct onnx_rule *const families[] = {
    onnx_rules_conv, onnx_rules_elementwise, onnx_rules_matrix, onnx_rules_move,
    onnx_rules_norm, onnx_rules_resize,      onnx_rules_select, onnx_rules_shape,
};

const struct onnx_rule *onnx_rule_find(const char *name)
{
    for (size_t f = 0; f < sizeof families / sizeof families[0]; f++)
        for (const struct onnx_rule *rule = families[f]; rule->name != NULL; rule++)
            if (strcmp(rule->name, name) == 0)
                return rule;
    return NULL;
}
