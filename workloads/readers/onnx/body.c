/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "workloads/readers/onnx/body.h"

#include "lib/base/memory.h"

/* Number of VALUE, of the graph around, among the captures.  */
static size_t capture_number(struct onnx_job *job, struct onnx_value *value)
{
    if (value->captor != job->number) {
        job->capture = memory_grow(job->capture, &job->capacity, job->captures + 1,
                                   sizeof(struct onnx_value *));
        value->captor = job->number;
        value->capture = job->captures;
        job->capture[job->captures++] = value;
    }
    return value->capture;
}

/* A capture's slot is its number until the operator is finished.  */
bool onnx_body_build(struct onnx_job *job, struct body *body, struct onnx_value **value)
{
    struct onnx_build *build = job->build;
    struct onnx_scope *scope = build->scope;

    if (!onnx_add_initializers(build) || !onnx_add_nodes(build))
        return false;
    for (size_t i = 0; i < scope->graph->outputs; i++) {
        value[i] = onnx_output(build, i);
        if (value[i] == NULL)
            return false;
        onnx_materialize(build, value[i], VALUE_CONSTANT);
    }
    onnx_settle(scope->network);
    for (size_t i = 0; i < scope->captures; i++)
        body_add_input(body, (struct body_input){
                                 .kind = ENTRY_CAPTURE,
                                 .value = scope->capture[i]->index,
                                 .slot = capture_number(job, scope->capture[i]->outer),
                                 .next = NETWORK_NONE,
                             });
    return true;
}

bool onnx_body_enter(struct onnx_job *job, const char *name, size_t inputs, size_t outputs,
                     struct body *body)
{
    const struct onnx_attribute *attribute = onnx_attribute(&job->op, name, ONNX_ATTRIBUTE_GRAPH);

    if (attribute == NULL)
        return error_set(job->op.error, "it has no sub-graph '%s'", name);
    if (attribute->graph->inputs != inputs || attribute->graph->outputs < outputs)
        return error_set(job->op.error,
                         "sub-graph '%s' has %zu inputs and %zu outputs, expected %zu and at least "
                         "%zu",
                         name, attribute->graph->inputs, attribute->graph->outputs, inputs,
                         outputs);
    body_set_network(body, onnx_scope_enter(job->build, attribute->graph, false)->network);
    return true;
}

bool onnx_has_type(const struct onnx_value *value, const struct shape *shape, enum dtype dtype)
{
    return shape_equal(&value->shape, shape) && value->dtype == dtype;
}

bool onnx_body_carried(struct onnx_job *job, struct body *body, size_t i, size_t slot)
{
    const struct onnx_value *first = onnx_input(&job->op, slot);
    struct shape scalar = {.rank = 0};
    struct onnx_value *input;

    if (!onnx_add_input(job->build, i, first == NULL ? &scalar : &first->shape,
                        first == NULL ? DTYPE_BOOL : first->dtype, &input))
        return false;
    body_add_input(body, (struct body_input){
                             .kind = ENTRY_CARRIED,
                             .value = input->index,
                             .slot = first == NULL ? NETWORK_NONE : slot,
                             .next = NETWORK_NONE,
                         });
    return true;
}

bool onnx_body_carry_on(struct onnx_job *job, struct body *body, size_t i,
                        const struct onnx_value *value)
{
    const struct value *input = &body->network->value[body->input[i].value];
    struct shape shape = shape_of(input);

    if (!onnx_has_type(value, &shape, input->dtype))
        return error_set(job->op.error,
                         "carried value '%s' has another shape or type after an iteration than "
                         "before",
                         input->name);
    body->input[i].next = value->index;
    network_mark_output(body->network, value->index);
    return true;
}

void onnx_body_leave_last(struct onnx_job *job, struct body *body, size_t slot,
                          const struct onnx_value *value)
{
    onnx_set(&job->op, slot, &value->shape, value->dtype);
    if (slot < job->op.outputs)
        body_add_output(
            body, (struct body_output){.kind = LEAVE_LAST, .value = value->index, .slot = slot});
}

bool onnx_body_leave_stack(struct onnx_job *job, struct body *body, size_t slot,
                           const struct onnx_value *value, int64_t axis, bool reverse)
{
    struct shape shape = value->shape;
    int at;

    if (shape.rank == NETWORK_MAX_RANK)
        return error_set(job->op.error, "'%s' has no room for a dimension more", value->name);
    shape.rank++;
    if (!shape_axis(axis, shape.rank, &at, job->op.error))
        return false;
    for (int i = shape.rank - 1; i > at; i--)
        shape.dim[i] = shape.dim[i - 1];
    shape.dim[at] = job->control->trips;
    onnx_set(&job->op, slot, &shape, value->dtype);
    if (slot < job->op.outputs)
        body_add_output(body, (struct body_output){.kind = LEAVE_STACK,
                                                   .value = value->index,
                                                   .slot = slot,
                                                   .axis = at,
                                                   .reverse = reverse});
    return true;
}
