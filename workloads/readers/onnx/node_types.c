/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "workloads/readers/onnx/node_types.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "workloads/readers/onnx/bind.h"
#include "workloads/readers/onnx/given.h"
#include "workloads/readers/onnx/lengths.h"
#include "workloads/readers/onnx/node.h"
#include "workloads/readers/onnx/rules/rules.h"

/* What the file declares of the outputs, where inference does not say.  */
static bool take_declared(struct onnx_build *build, struct onnx_op *op)
{
    for (size_t i = 0; i < op->outputs; i++) {
        const char *name = op->node->output[i];
        const struct onnx_info *info;
        struct shape shape;
        enum dtype dtype;

        if (name[0] == '\0' || op->result[i].given)
            continue;
        info = names_find(&build->scope->declared, name);
        if (info == NULL || !onnx_declared(build, info, false, &shape, &dtype))
            return false;
        onnx_set(op, i, &shape, dtype);
    }
    return op->outputs > 0;
}

bool onnx_is_standard(const struct onnx_node *node)
{
    return node->domain[0] == '\0' || strcmp(node->domain, "ai.onnx") == 0;
}

/* Standard operators whose results are no dense tensors.  */
static const char *no_tensor(const struct onnx_node *node)
{
    static const struct {
        const char *type, *made;
    } table[] = {
        {"Optional", "an optional"},
        {"SequenceConstruct", "a sequence"},
        {"SequenceEmpty", "a sequence"},
        {"SequenceErase", "a sequence"},
        {"SequenceInsert", "a sequence"},
        {"SequenceMap", "sequences"},
        {"SplitToSequence", "a sequence"},
        {"StringNormalizer", "strings"},
        {"OptionalGetElement", "an optional's content"},
    };

    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (onnx_is_standard(node) && strcmp(table[i].type, node->type) == 0)
            return table[i].made;
    return NULL;
}

static bool infer_unknown(struct onnx_build *build, struct onnx_op *op)
{
    const char *made = no_tensor(op->node);

    op->type = "other";
    op->kind = OP_OTHER;
    op->random = true; /* who knows */
    if (take_declared(build, op))
        return true;
    if (made != NULL)
        return error_set(op->error, "it makes %s, and only dense tensors have a size before a run",
                         made);
    return error_set(op->error, "unknown operator, and the file does not declare (value_info) the "
                                "shapes of its outputs");
}

static bool infer_plain(struct onnx_build *build, struct onnx_op *op)
{
    int64_t most;

    op->rule = onnx_is_standard(op->node) ? onnx_rule_find(op->node->type, &op->linear) : NULL;
    if (op->rule == NULL)
        return infer_unknown(build, op);
    op->type = op->rule->word;
    op->kind = op->rule->kind;
    if (onnx_is_bound(build, onnx_length_name(op), &most))
        op->most = most;
    if (onnx_needs_rule(op) && op->rule->infer(op))
        return !op->asked || onnx_bound(build, onnx_length_name(op), &most);
    if (!op->open)
        return false;
    if (take_declared(build, op)) {
        op->error->text[0] = '\0';
        return true;
    }
    if (onnx_length_find(build, op))
        return true;
    build->undecided = true;
    strncat(op->error->text, ", and the file does not declare it (value_info)",
            sizeof op->error->text - strlen(op->error->text) - 1);
    return false;
}

bool onnx_infer_node(struct onnx_job *job)
{
    const struct onnx_control_rule *rule = job->build->control_rules;
    struct onnx_op *op = &job->op;

    if (onnx_is_standard(op->node) && op->opset < 1)
        return error_set(op->error,
                         "the version of the standard operators is missing (opset_import)");
    while (rule->name != NULL &&
           !(onnx_is_standard(op->node) && strcmp(rule->name, op->node->type) == 0))
        rule++;
    if (rule->name == NULL)
        return infer_plain(job->build, op);
    op->type = rule->word;
    op->kind = rule->kind;
    return rule->build(job);
}

bool onnx_check_results(const struct onnx_op *op)
{
    size_t named = 0;

    for (size_t i = 0; i < op->outputs; i++) {
        int64_t elements;

        if (op->node->output[i][0] == '\0')
            continue;
        if (!op->result[i].given)
            return error_set(op->error, "it has no output %zu", i);
        if (!onnx_elements(&op->result[i].shape, op->result[i].dtype, &elements, op->error))
            return error_prefix(op->error, "output '%s'", op->node->output[i]);
        named++;
    }
    return named > 0 || error_set(op->error, "it has no output");
}
