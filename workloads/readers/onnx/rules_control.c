/* Loop, Scan and If.  A body is a network of its own (lib/control.h).
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

#include "lib/control.h"
#include "lib/memory.h"
#include "workloads/readers/onnx/node.h"

/* Counts above this mean "until the condition is false".  */
#define MAX_TRIPS INT32_MAX

struct onnx_control {
    struct control *control; /* slots are the file's until it is attached */
    size_t captures, capacity;
    struct onnx_value **capture;
    struct names captured; /* indices in capture, plus one, by name */
};

static struct onnx_control *begin(struct onnx_op *op, bool loop, int64_t trips, size_t bodies)
{
    op->control = memory_zalloc(1, sizeof *op->control);
    op->control->control = control_new(loop, trips, bodies);
    return op->control;
}

void onnx_control_free(struct onnx_control *control)
{
    if (control == NULL)
        return;
    control_free(control->control);
    names_clear(&control->captured);
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
    uintptr_t number = (uintptr_t)names_find(&control->captured, value->name);

    if (number == 0) {
        control->capture = memory_grow(control->capture, &control->capacity, control->captures + 1,
                                       sizeof(struct onnx_value *));
        control->capture[control->captures++] = value;
        number = control->captures;
        names_add(&control->captured, value->name, (void *)number);
    }
    return (size_t)number - 1;
}

/* Builds the nodes of the current scope into BODY and enters what they
 * capture; a capture's slot is its number.  VALUE[i] becomes output i.  */
static bool build_body(struct onnx_op *op, struct body *body, struct onnx_value **value)
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

/* The sub-graph of attribute NAME as the current scope, with its network in
 * BODY.  */
static bool enter(struct onnx_op *op, const char *name, size_t inputs, size_t outputs,
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

static bool has_shape(const struct onnx_value *value, const struct shape *shape, enum dtype dtype)
{
    return shape_equal(&value->shape, shape) && value->dtype == dtype;
}

/* Adds input I of the current body, carried on from VALUE (NULL: a condition
 * that begins as true).  */
static bool add_carried(struct onnx_op *op, struct body *body, size_t i, size_t slot)
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

/* Input I of BODY, carried, is VALUE in the next iteration.  */
static bool carry_on(struct onnx_op *op, struct body *body, size_t i,
                     const struct onnx_value *value)
{
    const struct value *input = &body->network->value[body->input[i].value];
    struct shape shape = shape_of(input);

    if (!has_shape(value, &shape, input->dtype))
        return error_set(op->error,
                         "carried value '%s' has another shape or type after an iteration than "
                         "before",
                         input->name);
    body->input[i].next = value->index;
    network_mark_output(body->network, value->index);
    return true;
}

static void leave_last(struct onnx_op *op, struct body *body, size_t slot,
                       const struct onnx_value *value)
{
    onnx_set(op, slot, &value->shape, value->dtype);
    if (slot < op->outputs)
        body_add_output(
            body, (struct body_output){.kind = LEAVE_LAST, .value = value->index, .slot = slot});
}

/* Output SLOT holds VALUE of each iteration.  */
static bool leave_stack(struct onnx_op *op, struct body *body, size_t slot,
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
        if (!add_carried(op, body, i + 1, i + 1))
            return false;
    return true;
}

static bool add_loop_outputs(struct onnx_op *op, struct body *body, size_t carried,
                             struct onnx_value *const *value)
{
    op->control->control->may_stop = !runs_through(op, body, value[0]);
    for (size_t i = 0; i <= carried; i++)
        if (!carry_on(op, body, i + 1, value[i]))
            return false;
    for (size_t i = 0; i < carried; i++)
        leave_last(op, body, i, value[1 + i]);
    for (size_t i = 1 + carried; i < op->build->scope->graph->outputs; i++)
        if (!leave_stack(op, body, i - 1, value[i], 0, false))
            return false;
    return true;
}

static bool infer_loop(struct onnx_op *op)
{
    size_t carried = op->inputs < 2 ? 0 : op->inputs - 2;
    struct onnx_value **value;
    struct body *body;
    int64_t trips;
    bool good;

    for (size_t i = 2; i < op->inputs; i++)
        if (op->input[i] == NULL)
            return error_set(op->error, "input %zu is missing", i);
    if (!find_trips(op, carried, &trips))
        return false;
    body = begin(op, true, trips, 1)->control->body;
    if (!enter(op, "body", 2 + carried, 1 + carried, body))
        return false;
    value = memory_alloc(op->build->scope->graph->outputs, sizeof(struct onnx_value *));
    good = add_loop_inputs(op, body, carried) && build_body(op, body, value) &&
           add_loop_outputs(op, body, carried, value);
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
    if (whole->shape.dim[axis] != op->control->control->trips)
        return error_set(op->error, "its inputs differ in length: %" PRId64 " and %" PRId64,
                         op->control->control->trips, whole->shape.dim[axis]);
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
        if (!add_carried(op, body, i, i))
            return false;
    for (size_t i = 0; i < op->inputs - states; i++)
        if (!add_slice(op, body, states, i))
            return false;
    if (!build_body(op, body, value))
        return false;
    for (size_t i = 0; i < states; i++) {
        if (!carry_on(op, body, i, value[i]))
            return false;
        leave_last(op, body, i, value[i]);
    }
    for (size_t i = states; i < op->build->scope->graph->outputs; i++)
        if (!leave_stack(op, body, i, value[i], listed(op, "scan_output_axes", i - states),
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
    body = begin(op, true, trips, 1)->control->body;
    if (!enter(op, "body", op->inputs, states, body))
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

    if (!enter(op, name, 0, op->outputs, body))
        return false;
    value = memory_alloc(op->build->scope->graph->outputs, sizeof(struct onnx_value *));
    good = build_body(op, body, value);
    for (size_t i = 0; good && i < op->outputs; i++) {
        if (op->result[i].given && !has_shape(value[i], &op->result[i].shape, op->result[i].dtype))
            good = error_set(op->error,
                             "its branches give output %zu different shapes or types, and its "
                             "condition is no constant",
                             i);
        else
            leave_last(op, body, i, value[i]);
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
    control = begin(op, false, 1, 2)->control;
    return add_branch(op, "then_branch", &control->body[0]) &&
           add_branch(op, "else_branch", &control->body[1]);
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

const struct onnx_rule onnx_rules_control[] = {
    {"Loop", "loop", OP_LOOP, infer_loop, NULL, 0},
    {"Scan", "scan", OP_LOOP, infer_scan, NULL, 0},
    {"If", "if", OP_BRANCH, infer_if, NULL, 0},
    {NULL, NULL, OP_OTHER, NULL, NULL, 0},
};
