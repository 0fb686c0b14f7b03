/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "workloads/readers/onnx/node.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/graph/reuse.h"
#include "workloads/readers/onnx/compute.h"
#include "workloads/readers/onnx/node_types.h"

/* --- errors --- */

static const char *node_name(const struct onnx_node *node)
{
    if (node->name[0] != '\0')
        return node->name;
    for (size_t i = 0; i < node->outputs; i++)
        if (node->output[i][0] != '\0')
            return node->output[i];
    return "";
}

bool onnx_at_node(struct onnx_build *build, const struct onnx_node *node)
{
    return error_prefix(build->error, "%s: node '%s' (%s%s%s)", build->path, node_name(node),
                        node->domain, node->domain[0] != '\0' ? "." : "", node->type);
}

/* Why input NAME of node I is not there.  */
static bool no_input(struct onnx_build *build, size_t i, const char *name)
{
    const struct onnx_graph *graph = build->scope->graph;

    if (build->error->text[0] != '\0')
        return false; /* memory */
    for (size_t later = i; later < graph->nodes; later++)
        for (size_t o = 0; o < graph->node[later].outputs; o++)
            if (strcmp(graph->node[later].output[o], name) == 0)
                return error_set(build->error,
                                 "it reads '%s' before node '%s' makes it: a cycle, or not in "
                                 "topological order",
                                 name, node_name(&graph->node[later]));
    return error_set(build->error, "it reads '%s', which nothing makes", name);
}

/* --- what becomes of a node --- */

static bool is_constant(const struct onnx_job *job)
{
    const struct onnx_op *op = &job->op;

    if (op->constant)
        return true;
    if (op->random || job->control != NULL)
        return false;
    for (size_t i = 0; i < op->read; i++)
        if (op->input[i] != NULL && !op->input[i]->constant)
            return false;
    return true;
}

static struct onnx_value *new_value(struct onnx_job *job, size_t i)
{
    struct onnx_value *value = onnx_take(&job->build->budget, 1, sizeof *value);

    if (value == NULL)
        return NULL;
    *value = (struct onnx_value){.name = job->op.node->output[i],
                                 .shape = job->op.result[i].shape,
                                 .dtype = job->op.result[i].dtype,
                                 .index = NETWORK_NONE};
    return onnx_define(job->build, value->name, value) ? value : NULL;
}

/* The tensor that a Constant has as its attribute, or NULL.  */
static const struct onnx_tensor *constant_tensor(const struct onnx_op *op)
{
    const struct onnx_attribute *value = onnx_attribute(op, "value", ONNX_ATTRIBUTE_TENSOR);

    return value != NULL && strcmp(op->node->type, "Constant") == 0 ? value->tensor : NULL;
}

static bool fold(struct onnx_job *job)
{
    struct onnx_op *op = &job->op;

    for (size_t i = 0; i < op->outputs; i++) {
        struct onnx_value *value;

        if (op->node->output[i][0] == '\0')
            continue;
        value = new_value(job, i);
        if (value == NULL)
            return false;
        value->constant = value->made = true;
        value->elements = op->result[i].elements;
        value->tensor = constant_tensor(op);
    }
    return true;
}

/* The role of a constant that OP reads as input SLOT.  */
static enum value_role role_of(const struct onnx_op *op, size_t slot)
{
    const struct onnx_value *value = op->input[slot];
    int64_t elements;
    bool single = shape_elements(&value->shape, &elements, NULL) && elements == 1;

    if (op->kind == OP_BATCH_NORM && slot >= 3)
        return VALUE_STATISTIC;
    if ((value->dtype == DTYPE_I32 && op->kind != OP_CONV && op->kind != OP_LINEAR) ||
        value->dtype == DTYPE_I64 || value->dtype == DTYPE_BOOL || (value->made && single))
        return VALUE_CONSTANT;
    return VALUE_WEIGHT;
}

/* The inputs as values of the network; PLACE[i] is where input i went.  What
 * the bodies of a control operator capture comes last.  */
static size_t *network_inputs(struct onnx_job *job, size_t *count, size_t *place)
{
    const struct onnx_op *op = &job->op;
    size_t *input = memory_alloc(op->inputs + job->captures, sizeof *input);

    *count = 0;
    for (size_t i = 0; i < op->inputs; i++) {
        place[i] = NETWORK_NONE;
        if (op->input[i] == NULL)
            continue;
        place[i] = *count;
        input[(*count)++] = onnx_materialize(job->build, op->input[i], role_of(op, i));
    }
    for (size_t i = 0; i < job->captures; i++)
        input[(*count)++] = onnx_materialize(job->build, job->capture[i], VALUE_WEIGHT);
    return input;
}

static bool is_integer(const struct onnx_value *value)
{
    return value->dtype == DTYPE_I64 || value->dtype == DTYPE_I32;
}

/* Integers that are others plus a constant, for slices in the bodies of loops:
 * sums and differences with a constant, aliases and casts.  */
static void follow(const struct onnx_op *op, struct onnx_value *value)
{
    bool add = strcmp(op->node->type, "Add") == 0, sub = strcmp(op->node->type, "Sub") == 0;
    int64_t elements, number = 0;
    size_t from = 0;

    if (op->rule == NULL || op->inputs == 0 || !is_integer(value) ||
        !shape_elements(&value->shape, &elements, NULL) || elements != 1)
        return;
    if (add && onnx_integer(op->input[0], &number))
        from = 1;
    else if ((add || sub) && !onnx_integer(onnx_input(op, 1), &number))
        return;
    else if (!add && !sub && op->kind != OP_ALIAS && strcmp(op->node->type, "Cast") != 0)
        return;
    if (!is_integer(op->input[from]) ||
        !(sub ? checked_sub(op->input[from]->shift, number, &value->shift)
              : checked_add(op->input[from]->shift, number, &value->shift)))
        return;
    value->base = op->input[from]->base != NULL ? op->input[from]->base : op->input[from];
}

static bool add_outputs(struct onnx_job *job, size_t index)
{
    struct onnx_scope *scope = job->build->scope;
    const struct onnx_op *op = &job->op;

    for (size_t i = 0; i < op->outputs; i++) {
        const struct onnx_result *result = &op->result[i];
        struct onnx_value *value;
        char *name;

        if (op->node->output[i][0] == '\0')
            continue;
        value = new_value(job, i);
        if (value == NULL)
            return false;
        name = onnx_value_name(scope, value->name);
        value->index = network_add_output(scope->network, index, name, value->dtype,
                                          value->shape.rank, value->shape.dim);
        free(name);
        names_add(scope->value_names, scope->network->value[value->index].name, scope);
        scope->network->value[value->index].optional = result->optional;
        if (i == 0)
            follow(op, value);
    }
    return true;
}

static void add_reuse(struct network *network, const struct onnx_op *op, size_t index)
{
    if (op->slice)
        reuse_slice(network, index, 0, 0, op->start);
    else if (op->kind == OP_ALIAS) /* a mask is no part of the input */
        network_add_reuse(network, index, (struct op_reuse){.kind = REUSE_FORWARD});
    else
        reuse_infer(network, index);
}

/* Gives the bodies to operator INDEX of the network; PLACE[i] is where input i of
 * the node went.  */
static void attach_control(struct onnx_job *job, size_t index, const size_t *place)
{
    const struct onnx_op *op = &job->op;
    struct control *control = job->control;
    size_t own = 0, named = 0, *slot = memory_alloc(op->outputs, sizeof *slot);

    for (size_t i = 0; i < op->inputs; i++)
        own += place[i] != NETWORK_NONE;
    for (size_t i = 0; i < op->outputs; i++)
        slot[i] = op->node->output[i][0] == '\0' ? NETWORK_NONE : named++;
    for (size_t b = 0; b < control->bodies; b++) {
        struct body *body = &control->body[b];
        size_t kept = 0;

        for (size_t i = 0; i < body->inputs; i++)
            if (body->input[i].kind == ENTRY_CAPTURE)
                body->input[i].slot += own;
            else if (body->input[i].slot != NETWORK_NONE)
                body->input[i].slot = place[body->input[i].slot];
        for (size_t i = 0; i < body->outputs; i++) {
            body->output[kept] = body->output[i];
            body->output[kept].slot = slot[body->output[i].slot];
            kept += body->output[kept].slot != NETWORK_NONE;
        }
        body->outputs = kept;
    }
    free(slot);
    job->control = NULL;
    network_set_control(job->build->scope->network, index, control);
}

static bool keep(struct onnx_job *job)
{
    struct onnx_scope *scope = job->build->scope;
    const struct onnx_op *op = &job->op;
    size_t *place = memory_alloc(op->inputs, sizeof *place), inputs, index;
    size_t *input = network_inputs(job, &inputs, place);
    char *name = onnx_op_name(scope, node_name(op->node));
    bool good;

    index = network_add_op(scope->network, name, op->kind, op->type, input, inputs);
    names_add(scope->op_names, scope->network->op[index].name, scope);
    scope->network->op[index].conv = op->conv;
    scope->network->op[index].macs = op->macs;
    if (job->build->runnable)
        onnx_set_computation(job, index, place);
    /* Elements that the file does not have are an error then.  */
    good = job->build->error->text[0] == '\0' && add_outputs(job, index);
    if (good)
        add_reuse(scope->network, op, index);
    if (good && job->control != NULL)
        attach_control(job, index, place);
    free(name);
    free(input);
    free(place);
    return good;
}

/* A node on constants of which nobody can say what it makes is run like others, where that is to
 * be known and its shapes do not make it a constant.  */
static bool fold_or_keep(struct onnx_job *job)
{
    bool good = is_constant(job) && (constant_tensor(&job->op) != NULL || onnx_compute(job) ||
                                     job->op.constant || !job->build->runnable);

    return good ? fold(job) : keep(job);
}

static bool find_inputs(struct onnx_build *build, struct onnx_op *op, size_t node)
{
    for (size_t i = 0; i < op->inputs; i++) {
        const char *name = op->node->input[i];

        if (name[0] == '\0')
            continue;
        op->input[i] = onnx_look_up(build, name);
        if (op->input[i] == NULL)
            return no_input(build, node, name);
    }
    return true;
}

static bool add_node(struct onnx_build *build, size_t i)
{
    const struct onnx_node *node = &build->scope->graph->node[i];
    struct onnx_job job = {
        .build = build,
        .number = ++build->jobs,
        .op = {.node = node,
               .opset = build->model->opset,
               .inputs = node->inputs,
               .read = node->inputs,
               .outputs = node->outputs,
               .input = memory_zalloc(node->inputs, sizeof *job.op.input),
               .result = memory_zalloc(node->outputs, sizeof *job.op.result),
               .batch = build->batch,
               .most = -1,
               .budget = &build->budget,
               .error = build->error},
    };
    bool good = find_inputs(build, &job.op, i) && onnx_infer_node(&job);

    if (good && !job.inlined)
        good = onnx_check_results(&job.op) && fold_or_keep(&job);
    control_free(job.control);
    free(job.capture);
    free(job.op.input);
    free(job.op.result);
    return good || onnx_at_node(build, node);
}

/* A dropout whose mask is read makes something: it is no pure alias.  */
void onnx_settle(struct network *network)
{
    for (size_t o = 0; o < network->n_ops; o++) {
        struct network_op *op = &network->op[o];

        if (op->kind == OP_ALIAS && op->outputs > 1 &&
            (network->value[op->output[1]].readers > 0 || network->value[op->output[1]].output))
            op->kind = OP_OTHER;
    }
}

bool onnx_add_nodes(struct onnx_build *build)
{
    const struct onnx_graph *graph = build->scope->graph;

    for (size_t i = 0; i < graph->nodes; i++)
        if (!add_node(build, i))
            return false;
    return true;
}
