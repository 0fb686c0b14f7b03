/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loop, Scan and If.  A body is a network of its own (lib/graph/control.h).
 *
 * An If whose condition is known is no operator: the branch that it takes
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
#include "workloads/readers/onnx/bind.h"
#include "workloads/readers/onnx/body.h"
#include "workloads/readers/onnx/given.h"

/* Counts above this mean "until the condition is false".  */
#define MAX_TRIPS INT32_MAX

/* --- Loop --- */

/* The length of the first output that stacks up, if the file declares one.  */
static bool declared_trips(struct onnx_job *job, size_t carried, int64_t *trips)
{
    for (size_t i = carried; i < job->op.outputs; i++) {
        const struct onnx_info *info =
            names_find(&job->build->scope->declared, job->op.node->output[i]);
        struct shape shape;
        enum dtype dtype;

        if (info != NULL && onnx_declared(job->build, info, false, &shape, &dtype) &&
            shape.rank > 0) {
            *trips = shape.dim[0];
            return true;
        }
    }
    return false;
}

static bool unknown_trips(struct onnx_job *job, const char *name)
{
    char *more = memory_printf("%s=8", name), *example = onnx_example(job->build, more);

    error_set(job->op.error,
              "only a run knows how many iterations there are: give a number, as in %s", example);
    free(more);
    free(example);
    return false;
}

static bool find_trips(struct onnx_job *job, size_t carried, int64_t *trips)
{
    const struct onnx_value *count = onnx_input(&job->op, 0);
    const char *name = count != NULL ? count->name : job->op.node->name;
    bool known = onnx_integer(count, trips);

    if ((!known || *trips > MAX_TRIPS) && !onnx_bound(job->build, name, trips) &&
        !declared_trips(job, carried, trips))
        return unknown_trips(job, name);
    if (*trips < 1 || *trips > MAX_TRIPS)
        return error_set(job->op.error, "%" PRId64 " iterations, expected 1 to %d", *trips,
                         MAX_TRIPS);
    return true;
}

static bool is_true(const struct onnx_value *value)
{
    int64_t number;

    return onnx_integer(value, &number) && number != 0;
}

/* Whether nothing can end the loop before its time: the condition begins as
 * true, and each iteration hands on a true one, or the one that it got.  */
static bool runs_through(const struct onnx_job *job, const struct body *body,
                         const struct onnx_value *next)
{
    const struct onnx_value *first = onnx_input(&job->op, 1);
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
static bool add_loop_inputs(struct onnx_job *job, struct body *body, size_t carried)
{
    struct shape scalar = {.rank = 0};
    struct onnx_value *counter;

    if (!onnx_add_input(job->build, 0, &scalar, DTYPE_I64, &counter))
        return false;
    body_add_input(body, (struct body_input){.kind = ENTRY_COUNTER,
                                             .value = counter->index,
                                             .slot = NETWORK_NONE,
                                             .next = NETWORK_NONE});
    for (size_t i = 0; i <= carried; i++)
        if (!onnx_body_carried(job, body, i + 1, i + 1))
            return false;
    return true;
}

static bool add_loop_outputs(struct onnx_job *job, struct body *body, size_t carried,
                             struct onnx_value *const *value)
{
    for (size_t i = 0; i <= carried; i++)
        if (!onnx_body_carry_on(job, body, i + 1, value[i]))
            return false;
    for (size_t i = 0; i < carried; i++)
        onnx_body_leave_last(job, body, i, value[1 + i]);
    for (size_t i = 1 + carried; i < job->build->scope->graph->outputs; i++)
        if (!onnx_body_leave_stack(job, body, i - 1, value[i], 0, false))
            return false;
    return true;
}

static bool build_loop(struct onnx_job *job)
{
    size_t carried = job->op.inputs < 2 ? 0 : job->op.inputs - 2;
    struct onnx_value **value;
    struct control *control;
    int64_t trips;
    bool good;

    for (size_t i = 2; i < job->op.inputs; i++)
        if (job->op.input[i] == NULL)
            return error_set(job->op.error, "input %zu is missing", i);
    if (!find_trips(job, carried, &trips))
        return false;
    job->control = control = control_new(true, trips, 1);
    if (!onnx_body_enter(job, "body", 2 + carried, 1 + carried, control->body))
        return false;
    value = memory_alloc(job->build->scope->graph->outputs, sizeof(struct onnx_value *));
    good = add_loop_inputs(job, control->body, carried) &&
           onnx_body_build(job, control->body, value) &&
           add_loop_outputs(job, control->body, carried, value);
    control->may_stop = good && !runs_through(job, control->body, value[0]);
    free(value);
    onnx_scope_leave(job->build);
    return good;
}

/* --- Scan --- */

/* Element I of attribute NAME, or 0.  */
static int64_t listed(const struct onnx_job *job, const char *name, size_t i)
{
    size_t count;
    const int64_t *number = onnx_ints(&job->op, name, &count);

    return i < count ? number[i] : 0;
}

/* Adds input STATES + I of the body: what input SLOT has along its axis, a
 * slice at a time.  */
static bool add_slice(struct onnx_job *job, struct body *body, size_t states, size_t i)
{
    const struct onnx_value *whole = job->op.input[states + i];
    struct shape slice = {.rank = whole->shape.rank - 1};
    struct onnx_value *input;
    int axis;

    if (!shape_axis(listed(job, "scan_input_axes", i), whole->shape.rank, &axis, job->op.error))
        return false;
    if (whole->shape.dim[axis] != job->control->trips)
        return error_set(job->op.error, "its inputs differ in length: %" PRId64 " and %" PRId64,
                         job->control->trips, whole->shape.dim[axis]);
    for (int from = 0, to = 0; from < whole->shape.rank; from++)
        if (from != axis)
            slice.dim[to++] = whole->shape.dim[from];
    if (!onnx_add_input(job->build, states + i, &slice, whole->dtype, &input))
        return false;
    body_add_input(body,
                   (struct body_input){.kind = ENTRY_SLICE,
                                       .value = input->index,
                                       .slot = states + i,
                                       .next = NETWORK_NONE,
                                       .axis = axis,
                                       .reverse = listed(job, "scan_input_directions", i) == 1});
    return true;
}

static bool fill_scan(struct onnx_job *job, struct body *body, size_t states,
                      struct onnx_value **value)
{
    for (size_t i = 0; i < states; i++)
        if (!onnx_body_carried(job, body, i, i))
            return false;
    for (size_t i = 0; i < job->op.inputs - states; i++)
        if (!add_slice(job, body, states, i))
            return false;
    if (!onnx_body_build(job, body, value))
        return false;
    for (size_t i = 0; i < states; i++) {
        if (!onnx_body_carry_on(job, body, i, value[i]))
            return false;
        onnx_body_leave_last(job, body, i, value[i]);
    }
    for (size_t i = states; i < job->build->scope->graph->outputs; i++)
        if (!onnx_body_leave_stack(job, body, i, value[i],
                                   listed(job, "scan_output_axes", i - states),
                                   listed(job, "scan_output_directions", i - states) == 1))
            return false;
    return true;
}

static bool build_scan(struct onnx_job *job)
{
    int64_t scans = onnx_int(&job->op, "num_scan_inputs", 0), trips;
    const struct shape *first;
    struct onnx_value **value;
    struct body *body;
    size_t states;
    int axis;
    bool good;

    if (job->op.opset < 9)
        return error_set(job->op.error,
                         "Scan of operator set 8, with its batch, is not known here");
    if (!onnx_needs(&job->op, job->op.inputs))
        return false;
    if (scans < 1 || (uint64_t)scans > job->op.inputs)
        return error_set(job->op.error, "num_scan_inputs is %" PRId64 " of %zu inputs", scans,
                         job->op.inputs);
    states = job->op.inputs - (size_t)scans;
    first = &job->op.input[states]->shape;
    if (!shape_axis(listed(job, "scan_input_axes", 0), first->rank, &axis, job->op.error))
        return false;
    trips = first->dim[axis];
    if (trips < 1 || trips > MAX_TRIPS)
        return error_set(job->op.error, "%" PRId64 " iterations, expected 1 to %d", trips,
                         MAX_TRIPS);
    job->control = control_new(true, trips, 1);
    body = job->control->body;
    if (!onnx_body_enter(job, "body", job->op.inputs, states, body))
        return false;
    value = memory_alloc(job->build->scope->graph->outputs, sizeof(struct onnx_value *));
    good = fill_scan(job, body, states, value);
    free(value);
    onnx_scope_leave(job->build);
    return good;
}

/* --- If --- */

/* Builds the branch in the place of the node.  */
static bool inline_branch(struct onnx_job *job, const char *name)
{
    const struct onnx_attribute *branch = onnx_attribute(&job->op, name, ONNX_ATTRIBUTE_GRAPH);
    struct onnx_value **value;
    bool good;

    if (branch == NULL || branch->graph->outputs < job->op.outputs)
        return error_set(job->op.error, "it has no sub-graph '%s' with %zu outputs", name,
                         job->op.outputs);
    value = memory_alloc(job->op.outputs, sizeof(struct onnx_value *));
    onnx_scope_enter(job->build, branch->graph, true);
    good = onnx_add_initializers(job->build) && onnx_add_nodes(job->build);
    for (size_t i = 0; good && i < job->op.outputs; i++) {
        value[i] = onnx_output(job->build, i);
        good = value[i] != NULL;
    }
    onnx_scope_leave(job->build);
    for (size_t i = 0; good && i < job->op.outputs; i++)
        good = job->op.node->output[i][0] == '\0' ||
               onnx_define(job->build, job->op.node->output[i], value[i]);
    free(value);
    job->inlined = true;
    return good;
}

static bool add_branch(struct onnx_job *job, const char *name, struct body *body)
{
    struct onnx_value **value;
    bool good;

    if (!onnx_body_enter(job, name, 0, job->op.outputs, body))
        return false;
    value = memory_alloc(job->build->scope->graph->outputs, sizeof(struct onnx_value *));
    good = onnx_body_build(job, body, value);
    for (size_t i = 0; good && i < job->op.outputs; i++) {
        if (job->op.result[i].given &&
            !onnx_has_type(value[i], &job->op.result[i].shape, job->op.result[i].dtype))
            good = error_set(job->op.error,
                             "its branches give output %zu different shapes or types, and its "
                             "condition is not known",
                             i);
        else
            onnx_body_leave_last(job, body, i, value[i]);
    }
    free(value);
    onnx_scope_leave(job->build);
    return good;
}

static bool build_if(struct onnx_job *job)
{
    int64_t condition;

    if (!onnx_needs(&job->op, 1))
        return false;
    if (onnx_integer(job->op.input[0], &condition))
        return inline_branch(job, condition != 0 ? "then_branch" : "else_branch");
    job->control = control_new(false, 1, 2);
    if (add_branch(job, "then_branch", &job->control->body[0]) &&
        add_branch(job, "else_branch", &job->control->body[1]))
        return true;
    /* It may be a branch that no run with these sizes takes.  */
    job->build->undecided = true;
    return false;
}

const struct onnx_control_rule onnx_control_rules[] = {
    {"Loop", "loop", OP_LOOP, build_loop},
    {"Scan", "scan", OP_LOOP, build_scan},
    {"If", "if", OP_BRANCH, build_if},
    {NULL, NULL, OP_OTHER, NULL},
};
