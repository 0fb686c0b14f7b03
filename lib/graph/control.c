/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/graph/control.h"

#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/graph/network.h"

struct control *control_new(bool loop, int64_t trips, size_t bodies)
{
    struct control *control = memory_zalloc(1, sizeof *control);

    control->loop = loop;
    control->trips = trips;
    control->bodies = bodies;
    control->body = memory_zalloc(bodies, sizeof *control->body);
    return control;
}

void control_free(struct control *control)
{
    if (control == NULL)
        return;
    for (size_t i = 0; i < control->bodies; i++) {
        network_free(control->body[i].network);
        free(control->body[i].input);
        free(control->body[i].output);
    }
    free(control->body);
    free(control);
}

struct control *control_copy(const struct control *control)
{
    struct control *copy = control_new(control->loop, control->trips, control->bodies);

    copy->may_stop = control->may_stop;
    for (size_t i = 0; i < control->bodies; i++) {
        const struct body *body = &control->body[i];

        body_set_network(&copy->body[i], network_copy(body->network));
        for (size_t j = 0; j < body->inputs; j++)
            body_add_input(&copy->body[i], body->input[j]);
        for (size_t j = 0; j < body->outputs; j++)
            body_add_output(&copy->body[i], body->output[j]);
    }
    return copy;
}

void body_set_network(struct body *body, struct network *network)
{
    body->network = network;
}

void body_add_input(struct body *body, struct body_input input)
{
    body->input = memory_resize(body->input, body->inputs + 1, sizeof input);
    body->input[body->inputs++] = input;
    if (input.kind == ENTRY_CARRIED && input.next < body->network->n_values)
        network_mark_output(body->network, input.next);
}

void body_add_output(struct body *body, struct body_output output)
{
    body->output = memory_resize(body->output, body->outputs + 1, sizeof output);
    body->output[body->outputs++] = output;
    if (output.value < body->network->n_values)
        network_mark_output(body->network, output.value);
}

/* BODY has NETWORK now, and what was value v is MAP[v].  */
static void replace_network(struct body *body, struct network *network, const size_t *map)
{
    body->network = network;
    for (size_t i = 0; i < body->inputs; i++) {
        body->input[i].value = map[body->input[i].value];
        if (body->input[i].kind == ENTRY_CARRIED)
            body->input[i].next = map[body->input[i].next];
    }
    for (size_t i = 0; i < body->outputs; i++)
        body->output[i].value = map[body->output[i].value];
}

void network_replace_bodies(struct network *network, network_rebuild *rebuild, const void *context)
{
    for (size_t o = 0; o < network->n_ops; o++) {
        struct control *control = network->op[o].control;

        for (size_t i = 0; control != NULL && i < control->bodies; i++) {
            struct body *body = &control->body[i];
            size_t *map = memory_alloc(body->network->n_values, sizeof *map);

            replace_network(body, rebuild(body->network, context, map), map);
            free(map);
        }
    }
}

/* --- sums --- */

bool control_macs(const struct control *control, int64_t *macs)
{
    int64_t most = 0;

    for (size_t i = 0; i < control->bodies; i++) {
        int64_t inside;

        if (!network_sum_macs(control->body[i].network, &inside))
            return false;
        most = max64(most, inside);
    }
    return checked_mul(most, control->trips, macs);
}

bool control_parameters(const struct control *control, int64_t *parameters)
{
    *parameters = 0;
    for (size_t i = 0; i < control->bodies; i++) {
        int64_t inside;

        if (!network_sum_parameters(control->body[i].network, &inside) ||
            !checked_add(*parameters, inside, parameters))
            return false;
    }
    return true;
}

/* --- checking --- */

/* One operator with its place in messages.  */
struct check {
    const struct network *network; /* around the operator */
    const struct network_op *op;
    const struct body *body;
    struct error *error;
};

static bool refuse(const struct check *check, const char *name, const char *what)
{
    return error_set(check->error, "network '%s': operator '%s': sub-graph '%s': '%s' %s",
                     check->network->name, check->op->name, check->body->network->name, name, what);
}

/* Whether TRIPS slices like SLICE along AXIS make up WHOLE: AXIS is left out of
 * the slice, or has length 1 there.  */
static bool is_slice(const struct value *slice, const struct value *whole, int axis, int64_t trips)
{
    int at = 0;

    if (slice->dtype != whole->dtype || axis < 0 || axis >= whole->rank ||
        whole->dim[axis] != trips || (slice->rank != whole->rank && slice->rank != whole->rank - 1))
        return false;
    for (int i = 0; i < whole->rank; i++) {
        if (i == axis && slice->rank != whole->rank)
            continue;
        if (slice->dim[at++] != (i == axis ? 1 : whole->dim[i]))
            return false;
    }
    return true;
}

static bool check_carried(const struct check *check, const struct body_input *input)
{
    const struct network *inside = check->body->network;
    const struct value *value = &inside->value[input->value];

    if (input->next >= inside->n_values)
        return refuse(check, value->name, "has no next value");
    if (!inside->value[input->next].output)
        return refuse(check, inside->value[input->next].name,
                      "is carried on, but is not an output of the sub-graph");
    if (!value_same_type(value, &inside->value[input->next]))
        return refuse(check, value->name, "and its next value differ in shape or type");
    return true;
}

static bool check_input(const struct check *check, const struct body_input *input)
{
    const struct network *inside = check->body->network;
    const struct value *value = &inside->value[input->value], *outside = NULL;
    bool loop = check->op->control->loop;

    if (value->role != VALUE_INPUT)
        return refuse(check, value->name, "is entered, but is not an input of the sub-graph");
    if (!loop && input->kind != ENTRY_CAPTURE)
        return refuse(check, value->name, "is entered as only a loop can");
    if (input->slot != NETWORK_NONE && input->slot >= check->op->inputs)
        return refuse(check, value->name, "comes from an input that the operator has not");
    if (input->slot != NETWORK_NONE)
        outside = &check->network->value[check->op->input[input->slot]];
    switch (input->kind) {
    case ENTRY_COUNTER:
        return outside == NULL ||
               refuse(check, value->name, "is a counter, but comes from outside");
    case ENTRY_SLICE:
        if (outside == NULL || !is_slice(value, outside, input->axis, check->op->control->trips))
            return refuse(check, value->name, "is not a slice of the operator's input");
        return true;
    case ENTRY_CARRIED:
        if (!check_carried(check, input))
            return false;
        return outside == NULL || value_same_type(value, outside) ||
               refuse(check, value->name, "differs from the operator's input in shape or type");
    case ENTRY_CAPTURE:
        return (outside != NULL && value_same_type(value, outside)) ||
               refuse(check, value->name, "differs from the operator's input in shape or type");
    }
    return false;
}

static bool check_inputs(const struct check *check)
{
    const struct network *inside = check->body->network;
    size_t *times = memory_zalloc(inside->n_values, sizeof *times);
    bool good = true;

    for (size_t i = 0; i < check->body->inputs && good; i++) {
        const struct body_input *input = &check->body->input[i];

        if (input->value >= inside->n_values)
            good = error_set(check->error, "network '%s': operator '%s': no value %zu to enter",
                             check->network->name, check->op->name, input->value);
        else if (times[input->value]++ > 0)
            good = refuse(check, inside->value[input->value].name, "is entered twice");
        else
            good = check_input(check, input);
    }
    for (size_t v = 0; v < inside->n_values && good; v++)
        if (inside->value[v].role == VALUE_INPUT && times[v] == 0)
            good = refuse(check, inside->value[v].name, "is an input that nothing enters");
    free(times);
    return good;
}

static bool check_output(const struct check *check, const struct body_output *output)
{
    const struct value *value = &check->body->network->value[output->value];
    const struct value *outside = &check->network->value[check->op->output[output->slot]];

    if (!value->output)
        return refuse(check, value->name, "leaves, but is not an output of the sub-graph");
    if (output->kind == LEAVE_LAST)
        return value_same_type(value, outside) ||
               refuse(check, value->name, "differs from the operator's output in shape or type");
    if (!check->op->control->loop)
        return refuse(check, value->name, "leaves as only a loop can");
    return is_slice(value, outside, output->axis, check->op->control->trips) ||
           refuse(check, value->name, "is not a slice of the operator's output");
}

static bool check_outputs(const struct check *check)
{
    bool *given = memory_zalloc(check->op->outputs, sizeof *given), good = true;

    for (size_t i = 0; i < check->body->outputs && good; i++) {
        const struct body_output *output = &check->body->output[i];

        if (output->value >= check->body->network->n_values || output->slot >= check->op->outputs)
            good = error_set(check->error, "network '%s': operator '%s': no such value or output",
                             check->network->name, check->op->name);
        else if (given[output->slot])
            good = refuse(check, check->body->network->value[output->value].name,
                          "leaves as an output that is given already");
        else
            good = given[output->slot] = check_output(check, output);
    }
    for (size_t i = 0; i < check->op->outputs && good; i++)
        if (!given[i])
            good =
                error_set(check->error, "network '%s': operator '%s': sub-graph '%s' gives no %s",
                          check->network->name, check->op->name, check->body->network->name,
                          check->network->value[check->op->output[i]].name);
    free(given);
    return good;
}

bool control_check(const struct network *network, const struct network_op *op, int depth,
                   struct error *error)
{
    const struct control *control = op->control;

    if (depth + 1 >= CONTROL_MAX_DEPTH)
        return error_set(error, "network '%s': operator '%s': more than %d levels of sub-graphs",
                         network->name, op->name, CONTROL_MAX_DEPTH);
    if (control->trips < 1 || (!control->loop && control->trips != 1))
        return error_set(error, "network '%s': operator '%s': %" PRId64 " iterations",
                         network->name, op->name, control->trips);
    if (control->loop != (op->kind == OP_LOOP) || control->bodies < 1 ||
        (control->loop && control->bodies != 1))
        return error_set(error, "network '%s': operator '%s': %zu sub-graphs", network->name,
                         op->name, control->bodies);
    for (size_t i = 0; i < control->bodies; i++) {
        struct check check = {network, op, &control->body[i], error};

        if (!network_check_body(control->body[i].network, depth + 1, error))
            return error_prefix(error, "network '%s': operator '%s'", network->name, op->name);
        if (!check_inputs(&check) || !check_outputs(&check))
            return false;
    }
    return true;
}
