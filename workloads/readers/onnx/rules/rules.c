/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "workloads/readers/onnx/rules/rules.h"

#include <string.h>

/* Families whose operators take time in proportion to what they read and make, whatever their
 * attributes are, come first.  */
enum { LINEAR = 4 };

static const struct onnx_rule *const families[] = {
    onnx_rules_elementwise, onnx_rules_move,   onnx_rules_select, onnx_rules_shape, /* linear */
    onnx_rules_conv,        onnx_rules_matrix, onnx_rules_norm,   onnx_rules_resize,
};

const struct onnx_rule *onnx_rule_find(const char *name, bool *linear)
{
    for (size_t f = 0; f < sizeof families / sizeof families[0]; f++)
        for (const struct onnx_rule *rule = families[f]; rule->name != NULL; rule++)
            if (strcmp(rule->name, name) == 0) {
                *linear = f < LINEAR;
                return rule;
            }
    return NULL;
}
