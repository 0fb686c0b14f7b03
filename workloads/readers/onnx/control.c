#include <config.h>

#include "workloads/readers/onnx/control.h"

#include <stdint.h>
#include <stdlib.h>

#include "lib/base/memory.h"
#include "workloads/readers/onnx/node.h"

struct onnx_control {
    size_t number;           /* among all, from 1 */
    struct control *control; /* slots are the file's until it is attached */
    size_t captures, capacity;
    struct onnx_value **capture;
};

struct control *onnx_control_begin(struct onnx_op *op, bool loop, int64_t trips, size_t bodies)
{
    op->control = memory_zalloc(1, sizeof *op->control);
    op->control->number = ++op->build->controls;
    op->control->control = control_new(loop, trips, bodies);
    return op->control->control;
}

int64_t onnx_control_trips(const struct onnx_op *op)
{
    return op->control->control->trips;
}

void onnx_control_free(struct onnx_control *control)
{
    if (control == NULL)
        return;
    control_free(control->control);
    free(control->capture);
    free(control);
}

size_t onnx_control_captures(const struct onnx_control *control)
{
    return control->captures;
}

struct onnx_value *onnx_control_capture(const struct onnx_control *control, size_t i)
{
    return control->capture[i];
}

/* --- bodies --- */

/* Number of VALUE, of the graph around, among the captures.  */
static size_t capture_number(struct onnx_control *control, struct onnx_value *value)
{
    if (value->captor != control->number) {
        control->capture = memory_grow(control->capture, &control->capacity, control->captures + 1,
                                       sizeof(struct onnx_value *));
        value->captor = control->number;
        value->capture = control->captures;
        control->capture[control->captures++] = value;
    }
    return value->capture;
}

/* A capture's slot is its number until the operator is finished.  */
bool onnx_body_build(struct onnx_op *op, struct body *body, struct onnx_value **value)
{
    struct onnx_build *build = op->build;
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
                                 .slot = capture_number(op->control, scope->capture[i]->outer),
                                 .next = NETWORK_NONE,
                             });
    return true;
}

bool onnx_body_enter(struct onnx_op *op, const char *name, size_t inputs, size_t outputs,
                     struct body *body)
{
    const struct onnx_attribute *attribute = onnx_attribute(op, name, ONNX_ATTRIBUTE_GRAPH);

    if (attribute == NULL)
        return error_set(op->error, "it has no sub-graph '%s'", name);
    if (attribute->graph->inputs != inputs || attribute->graph->outputs < outputs)
        return error_set(op->error,
                         "sub-graph '%s' has %zu inputs and %zu outputs, expected %zu and at least "
                         "%zu",
                         name, attribute->graph->inputs, attribute->graph->outputs, inputs,
                         outputs);
    body_set_network(body, onnx_scope_enter(op->build, attribute->graph, false)->network);
    return true;
}

bool onnx_has_type(const struct onnx_value *value, const struct shape *shape, enum dtype dtype)
{
    return shape_equal(&value->shape, shape) && value->dtype == dtype;
}

bool onnx_body_carried(struct onnx_op *op, struct body *body, size_t i, size_t slot)
{
    const struct onnx_value *first = onnx_input(op, slot);
    struct shape scalar = {.rank = 0};
    struct onnx_value *input;

    if (!onnx_add_input(op->build, i, first == NULL ? &scalar : &first->shape,
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

bool onnx_body_carry_on(struct onnx_op *op, struct body *body, size_t i,
                        const struct onnx_value *value)
{
    const struct value *input = &body->network->value[body->input[i].value];
    struct shape shape = shape_of(input);

    if (!onnx_has_type(value, &shape, input->dtype))
        return error_set(op->error,
                         "carried value '%s' has another shape or type after an iteration than "
                         "before",
                         input->name);
    body->input[i].next = value->index;
    network_mark_output(body->network, value->index);
    return true;
}

void onnx_body_leave_last(struct onnx_op *op, struct body *body, size_t slot,
                          const struct onnx_value *value)
{
    onnx_set(op, slot, &value->shape, value->dtype);
    if (slot < op->outputs)
        body_add_output(
            body, (struct body_output){.kind = LEAVE_LAST, .value = value->index, .slot = slot});
}

bool onnx_body_leave_stack(struct onnx_op *op, struct body *body, size_t slot,
                           const struct onnx_value *value, int64_t axis, bool reverse)
{
    struct shape shape = value->shape;
    int at;

    if (shape.rank == NETWORK_MAX_RANK)
        return error_set(op->error, "'%s' has no room for a dimension more", value->name);
    shape.rank++;
    if (!shape_axis(axis, shape.rank, &at, op->error))
        return false;
    for (int i = shape.rank - 1; i > at; i--)
        shape.dim[i] = shape.dim[i - 1];
    shape.dim[at] = op->control->control->trips;
    onnx_set(op, slot, &shape, value->dtype);
    if (slot < op->outputs)
        body_add_output(body, (struct body_output){.kind = LEAVE_STACK,
                                                   .value = value->index,
                                                   .slot = slot,
                                                   .axis = at,
                                                   .reverse = reverse});
    return true;
}

/* --- the finished operator --- */

void onnx_control_attach(struct onnx_op *op, size_t index, const size_t *place)
{
    struct control *control = op->control->control;
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
    op->control->control = NULL;
    network_set_control(op->build->scope->network, index, control);
}
