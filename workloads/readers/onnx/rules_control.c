/* Loop, Scan and If.  A body is a network of its own (lib/graph/control.h).
 *
 * An If whose condition is a constant is no operator: the branch that it takes
 * is built in its place.  Otherwise both branches become bodies, and their
 * outputs have to agree in shape and type.  The number of iterations is what
 * the file says: a constant, the length of what a Scan goes through, or the
 * declared length of what a Loop stacks up; else a parameter with the name of
 * the trip count (or of the node, if it has none) has to say it.  */
#include <config.h>

#include "workloads/readers/onnx/control.h"

#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/memory.h"
#include "workloads/readers/onnx/node.h"

/* Counts above this mean "until the condition is false".  */
#define MAX_TRIPS INT32_MAX

/* --- Loop --- */

/* The length of the first output that stacks up, if the file declares one.  */
static bool declared_trips(struct onnx_op *op, size_t carried, int64_t *trips)
{
    for (size_t i = carried; i < op->outputs; i++) {
        const struct onnx_info *info = names_find(&op->build->scope->declared, op->node->output[i]);
        struct shape shape;
        enum dtype dtype;

        if (info != NULL && onnx_declared(op->build, info, false, &shape, &dtype) &&
            shape.rank > 0) {
            *trips = shape.dim[0];
            return true;
        }
    }
    return false;
}

static bool find_trips(struct onnx_op *op, size_t carried, int64_t *trips)
{
    const struct onnx_value *count = onnx_input(op, 0);
    const char *name = count != NULL ? count->name : op->node->name;
    bool known = count != NULL && count->data != NULL && count->data->integer != NULL &&
                 count->data->count == 1;

    if (known)
        *trips = count->data->integer[0];
    if ((!known || *trips > MAX_TRIPS) && !onnx_bound(op->build, name, trips) &&
        !declared_trips(op, carried, trips))
        return error_set(op->error,
                         "only a run knows how many iterations there are: bind it, as in FILE:%s=8",
                         name);
    if (*trips < 1 || *trips > MAX_TRIPS)
        return error_set(op->error, "%" PRId64 " iterations, expected 1 to %d", *trips, MAX_TRIPS);
    return true;
}

static bool is_true(const struct onnx_value *value)
{
    return value->data != NULL && value->data->integer != NULL && value->data->count == 1 &&
           value->data->integer[0] != 0;
}

/* Whether nothing can end the loop before its time: the condition begins as
 * true, and each iteration hands on a true one, or the one that it got.  */
static bool runs_through(const struct onnx_op *op, const struct body *body,
                         const struct onnx_value *next)
{
    const struct onnx_value *first = onnx_input(op, 1);
    const struct network *inside = body->network;
    size_t value = next->index;

    if (first != NULL && !is_true(first))
        return false;
    while (inside->value[value].producer != NETWORK_NONE &&
           inside->op[inside->value[value].producer].kind == OP_ALIAS)
        value = inside->op[inside->value[value].producer].input[0];
    return is_true(next) || value == body->input[1].value;
}

/* The body's inputs: the number of the iteration, the condition, and what is
 * carried.  */
static bool add_loop_inputs(struct onnx_op *op, struct body *body, size_t carried)
{
    struct shape scalar = {.rank = 0};
    struct onnx_value *counter;

    if (!onnx_add_input(op->build, 0, &scalar, DTYPE_I64, &counter))
        return false;
    body_add_input(body, (struct body_input){.kind = ENTRY_COUNTER,
                                             .value = counter->index,
                                             .slot = NETWORK_NONE,
                                             .next = NETWORK_NONE});
    for (size_t i = 0; i <= carried; i++)
        if (!onnx_body_carried(op, body, i + 1, i + 1))
            return false;
    return true;
}

static bool add_loop_outputs(struct onnx_op *op, struct body *body, size_t carried,
                             struct onnx_value *const *value)
{
    for (size_t i = 0; i <= carried; i++)
        if (!onnx_body_carry_on(op, body, i + 1, value[i]))
            return false;
    for (size_t i = 0; i < carried; i++)
        onnx_body_leave_last(op, body, i, value[1 + i]);
    for (size_t i = 1 + carried; i < op->build->scope->graph->outputs; i++)
        if (!onnx_body_leave_stack(op, body, i - 1, value[i], 0, false))
            return false;
    return true;
}

static bool infer_loop(struct onnx_op *op)
{
    size_t carried = op->inputs < 2 ? 0 : op->inputs - 2;
    struct onnx_value **value;
    struct control *control;
    int64_t trips;
    bool good;

    for (size_t i = 2; i < op->inputs; i++)
        if (op->input[i] == NULL)
            return error_set(op->error, "input %zu is missing", i);
    if (!find_trips(op, carried, &trips))
        return false;
    control = onnx_control_begin(op, true, trips, 1);
    if (!onnx_body_enter(op, "body", 2 + carried, 1 + carried, control->body))
        return false;
    value = memory_alloc(op->build->scope->graph->outputs, sizeof(struct onnx_value *));
    good = add_loop_inputs(op, control->body, carried) &&
           onnx_body_build(op, control->body, value) &&
           add_loop_outputs(op, control->body, carried, value);
    control->may_stop = good && !runs_through(op, control->body, value[0]);
    free(value);
    onnx_scope_leave(op->build);
    return good;
}

/* --- Scan --- */

/* Element I of attribute NAME, or 0.  */
static int64_t listed(const struct onnx_op *op, const char *name, size_t i)
{
    size_t count;
    const int64_t *number = onnx_ints(op, name, &count);

    return i < count ? number[i] : 0;
}

/* Adds input STATES + I of the body: what input SLOT has along its axis, a
 * slice at a time.  */
static bool add_slice(struct onnx_op *op, struct body *body, size_t states, size_t i)
{
    const struct onnx_value *whole = op->input[states + i];
    struct shape slice = {.rank = whole->shape.rank - 1};
    struct onnx_value *input;
    int axis;

    if (!shape_axis(listed(op, "scan_input_axes", i), whole->shape.rank, &axis, op->error))
        return false;
    if (whole->shape.dim[axis] != onnx_control_trips(op))
        return error_set(op->error, "its inputs differ in length: %" PRId64 " and %" PRId64,
                         onnx_control_trips(op), whole->shape.dim[axis]);
    for (int from = 0, to = 0; from < whole->shape.rank; from++)
        if (from != axis)
            slice.dim[to++] = whole->shape.dim[from];
    if (!onnx_add_input(op->build, states + i, &slice, whole->dtype, &input))
        return false;
    body_add_input(body,
                   (struct body_input){.kind = ENTRY_SLICE,
                                       .value = input->index,
                                       .slot = states + i,
                                       .next = NETWORK_NONE,
                                       .axis = axis,
                                       .reverse = listed(op, "scan_input_directions", i) == 1});
    return true;
}

static bool build_scan(struct onnx_op *op, struct body *body, size_t states,
                       struct onnx_value **value)
{
    for (size_t i = 0; i < states; i++)
        if (!onnx_body_carried(op, body, i, i))
            return false;
    for (size_t i = 0; i < op->inputs - states; i++)
        if (!add_slice(op, body, states, i))
            return false;
    if (!onnx_body_build(op, body, value))
        return false;
    for (size_t i = 0; i < states; i++) {
        if (!onnx_body_carry_on(op, body, i, value[i]))
            return false;
        onnx_body_leave_last(op, body, i, value[i]);
    }
    for (size_t i = states; i < op->build->scope->graph->outputs; i++)
        if (!onnx_body_leave_stack(op, body, i, value[i],
                                   listed(op, "scan_output_axes", i - states),
                                   listed(op, "scan_output_directions", i - states) == 1))
            return false;
    return true;
}

static bool infer_scan(struct onnx_op *op)
{
    int64_t scans = onnx_int(op, "num_scan_inputs", 0), trips;
    const struct shape *first;
    struct onnx_value **value;
    struct body *body;
    size_t states;
    int axis;
    bool good;

    if (op->opset < 9)
        return error_set(op->error, "Scan of operator set 8, with its batch, is not known here");
    if (!onnx_needs(op, op->inputs))
        return false;
    if (scans < 1 || (uint64_t)scans > op->inputs)
        return error_set(op->error, "num_scan_inputs is %" PRId64 " of %zu inputs", scans,
                         op->inputs);
    states = op->inputs - (size_t)scans;
    first = &op->input[states]->shape;
    if (!shape_axis(listed(op, "scan_input_axes", 0), first->rank, &axis, op->error))
        return false;
    trips = first->dim[axis];
    if (trips < 1 || trips > MAX_TRIPS)
        return error_set(op->error, "%" PRId64 " iterations, expected 1 to %d", trips, MAX_TRIPS);
    body = onnx_control_begin(op, true, trips, 1)->body;
    if (!onnx_body_enter(op, "body", op->inputs, states, body))
        return false;
    value = memory_alloc(op->build->scope->graph->outputs, sizeof(struct onnx_value *));
    good = build_scan(op, body, states, value);
    free(value);
    onnx_scope_leave(op->build);
    return good;
}

/* --- If --- */

/* Builds the branch in the place of the node.  */
static bool inline_branch(struct onnx_op *op, const char *name)
{
    const struct onnx_attribute *branch = onnx_attribute(op, name, ONNX_ATTRIBUTE_GRAPH);
    struct onnx_value **value;
    bool good;

    if (branch == NULL || branch->graph->outputs < op->outputs)
        return error_set(op->error, "it has no sub-graph '%s' with %zu outputs", name, op->outputs);
    value = memory_alloc(op->outputs, sizeof(struct onnx_value *));
    onnx_scope_enter(op->build, branch->graph, true);
    good = onnx_add_initializers(op->build) && onnx_add_nodes(op->build);
    for (size_t i = 0; good && i < op->outputs; i++) {
        value[i] = onnx_output(op->build, i);
        good = value[i] != NULL;
    }
    onnx_scope_leave(op->build);
    for (size_t i = 0; good && i < op->outputs; i++)
        good =
            op->node->output[i][0] == '\0' || onnx_define(op->build, op->node->output[i], value[i]);
    free(value);
    op->inlined = true;
    return good;
}

static bool add_branch(struct onnx_op *op, const char *name, struct body *body)
{
    struct onnx_value **value;
    bool good;

    if (!onnx_body_enter(op, name, 0, op->outputs, body))
        return false;
    value = memory_alloc(op->build->scope->graph->outputs, sizeof(struct onnx_value *));
    good = onnx_body_build(op, body, value);
    for (size_t i = 0; good && i < op->outputs; i++) {
        if (op->result[i].given &&
            !onnx_has_type(value[i], &op->result[i].shape, op->result[i].dtype))
            good = error_set(op->error,
                             "its branches give output %zu different shapes or types, and its "
                             "condition is no constant",
                             i);
        else
            onnx_body_leave_last(op, body, i, value[i]);
    }
    free(value);
    onnx_scope_leave(op->build);
    return good;
}

static bool infer_if(struct onnx_op *op)
{
    const struct onnx_value *condition = onnx_input(op, 0);
    struct control *control;

    if (!onnx_needs(op, 1))
        return false;
    if (condition->data != NULL && condition->data->integer != NULL && condition->data->count == 1)
        return inline_branch(op, condition->data->integer[0] != 0 ? "then_branch" : "else_branch");
    control = onnx_control_begin(op, false, 1, 2);
    return add_branch(op, "then_branch", &control->body[0]) &&
           add_branch(op, "else_branch", &control->body[1]);
}

const struct onnx_rule onnx_rules_control[] = {
    {"Loop", "loop", OP_LOOP, infer_loop, NULL, 0},
    {"Scan", "scan", OP_LOOP, infer_scan, NULL, 0},
    {"If", "if", OP_BRANCH, infer_if, NULL, 0},
    {NULL, NULL, OP_OTHER, NULL, NULL, 0},
};
