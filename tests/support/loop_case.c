/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/support/loop_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/graph/schedule.h"
#include "lib/lifetimes/lifetimes.h"
#include "lib/lifetimes/loops.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "tests/support/instances.h"
#include "tests/support/tap.h"

/* --- by hand --- */

size_t case_input(struct network *network, const char *name, int64_t size)
{
    return network_add_value(network, name, VALUE_INPUT, DTYPE_I8, 1, &size);
}

size_t case_op(struct network *network, const char *name, int64_t size, const size_t *input,
               size_t inputs)
{
    size_t op = network_add_op(network, name, OP_OTHER, "test", input, inputs);

    return network_add_output(network, op, name, DTYPE_I8, 1, &size);
}

struct network *case_loop(struct network *body, size_t carried, const size_t *next, int64_t trips)
{
    struct network *network = network_new("case");
    struct control *control = control_new(true, trips, 1);
    size_t first[8], last[8], loop, end;

    body_set_network(&control->body[0], body);
    for (size_t i = 0; i < carried; i++) {
        char name[32];

        snprintf(name, sizeof name, "init%zu", i);
        first[i] = case_op(network, name, body->value[i].dim[0], NULL, 0);
        body_add_input(
            &control->body[0],
            (struct body_input){.kind = ENTRY_CARRIED, .value = i, .slot = i, .next = next[i]});
        body_add_output(&control->body[0], (struct body_output){.value = next[i], .slot = i});
    }
    loop = network_add_op(network, "loop", OP_LOOP, "loop", first, carried);
    for (size_t i = 0; i < carried; i++) {
        char name[32];

        snprintf(name, sizeof name, "last%zu", i);
        last[i] = network_add_output(network, loop, name, DTYPE_I8, 1, body->value[i].dim);
    }
    network_set_control(network, loop, control);
    end = case_op(network, "end", 1, last, carried);
    network_mark_output(network, end);
    return network;
}

/* --- at random --- */

struct shape {
    int rank;
    int64_t dim[3];
};

static const struct shape shapes[] = {{2, {2, 3}}, {2, {3, 3}}, {1, {5}}, {2, {4, 1}}};

static struct shape any_shape(struct rng *rng)
{
    return shapes[rng_range(rng, 0, sizeof shapes / sizeof shapes[0] - 1)];
}

static bool chance(struct rng *rng, int64_t percent)
{
    return rng_range(rng, 1, 100) <= percent;
}

static size_t any_value(struct rng *rng, const struct network *network)
{
    return (size_t)rng_range(rng, 0, (int64_t)network->n_values - 1);
}

/* One of the values with the shape of VALUE, which is one.  */
static size_t value_like(struct rng *rng, const struct network *network, size_t value)
{
    const struct value *like = &network->value[value];

    for (int tries = 0; tries < 20; tries++) {
        size_t v = any_value(rng, network);
        const struct value *other = &network->value[v];

        if (other->rank == like->rank &&
            memcmp(other->dim, like->dim, (size_t)like->rank * sizeof *like->dim) == 0)
            return v;
    }
    return value;
}

static size_t add_value(struct network *network, enum value_role role, struct shape shape)
{
    char name[24];

    snprintf(name, sizeof name, "v%zu", network->n_values);
    return network_add_value(network, name, role, DTYPE_I16, shape.rank, shape.dim);
}

static size_t add_output(struct network *network, size_t op, struct shape shape)
{
    char name[24];

    snprintf(name, sizeof name, "v%zu", network->n_values);
    return network_add_output(network, op, name, DTYPE_I16, shape.rank, shape.dim);
}

static size_t add_op(struct network *network, enum op_kind kind, const size_t *input, size_t inputs)
{
    char name[24];

    snprintf(name, sizeof name, "o%zu", network->n_ops);
    return network_add_op(network, name, kind, "test", input, inputs);
}

static size_t add_plain(struct rng *rng, struct network *network, struct shape shape)
{
    size_t input[3], inputs = (size_t)rng_range(rng, 0, 3), op;

    if (network->n_values == 0)
        inputs = 0;
    for (size_t i = 0; i < inputs; i++)
        input[i] = any_value(rng, network);
    op = add_op(network, OP_OTHER, input, inputs);
    if (chance(rng, 15)) {
        size_t mask = add_output(network, op, any_shape(rng));

        network->value[mask].optional = chance(rng, 50);
    }
    return add_output(network, op, shape);
}

static struct shape shape_of(const struct network *network, size_t value)
{
    struct shape shape = {network->value[value].rank, {0}};

    memcpy(shape.dim, network->value[value].dim, sizeof shape.dim);
    return shape;
}

static void add_alias(struct rng *rng, struct network *network)
{
    size_t input = any_value(rng, network);

    add_output(network, add_op(network, OP_ALIAS, &input, 1), shape_of(network, input));
}

/* A loop or branch while it is put together: the inputs that its operator will
 * have.  */
struct making {
    struct rng *rng;
    struct network *around;
    struct control *control;
    struct body *body;
    size_t inputs, input[16];
};

static void enter(struct making *making, struct body_input input, struct shape shape)
{
    input.value = add_value(making->body->network, VALUE_INPUT, shape);
    input.next = input.value; /* the true one follows */
    body_add_input(making->body, input);
}

static void add_captures(struct making *making, int64_t most)
{
    for (int64_t i = rng_range(making->rng, 0, most); i > 0; i--) {
        size_t value = any_value(making->rng, making->around);

        making->input[making->inputs] = value;
        enter(making, (struct body_input){.kind = ENTRY_CAPTURE, .slot = making->inputs++},
              shape_of(making->around, value));
    }
}

static void add_slices(struct making *making)
{
    int64_t trips = making->control->trips;

    for (int64_t i = rng_range(making->rng, 0, 2); i > 0; i--) {
        int axis = (int)rng_range(making->rng, 0, 1);
        struct shape whole = {2, {axis == 0 ? trips : 3, axis == 0 ? 4 : trips}};
        struct shape slice = {2, {axis == 0 ? 1 : 3, axis == 0 ? 4 : 1}};

        if (chance(making->rng, 50))
            slice = (struct shape){1, {axis == 0 ? 4 : 3}};
        making->input[making->inputs] = add_plain(making->rng, making->around, whole);
        enter(making,
              (struct body_input){.kind = ENTRY_SLICE,
                                  .slot = making->inputs++,
                                  .axis = axis,
                                  .reverse = chance(making->rng, 40)},
              slice);
    }
}

static void add_carried(struct making *making)
{
    for (int64_t i = rng_range(making->rng, 1, 4); i > 0; i--) {
        size_t value = any_value(making->rng, making->around);
        struct body_input input = {.kind = ENTRY_CARRIED, .slot = NETWORK_NONE};

        if (chance(making->rng, 90)) {
            making->input[making->inputs] = value;
            input.slot = making->inputs++;
        }
        enter(making, input, shape_of(making->around, value));
    }
    if (chance(making->rng, 20))
        enter(making, (struct body_input){.kind = ENTRY_COUNTER, .slot = NETWORK_NONE},
              any_shape(making->rng));
}

/* The next values: made for the purpose, or anything of the shape.  */
static void add_nexts(struct making *making)
{
    struct network *inside = making->body->network;

    for (size_t i = 0; i < making->body->inputs; i++) {
        struct body_input *input = &making->body->input[i];

        if (input->kind != ENTRY_CARRIED)
            continue;
        if (chance(making->rng, 50))
            add_plain(making->rng, inside, shape_of(inside, input->value));
        inside->value[input->value].output = false;
        input->next = value_like(making->rng, inside, input->value);
    }
    for (size_t i = 0; i < making->body->inputs; i++)
        if (making->body->input[i].kind == ENTRY_CARRIED)
            network_mark_output(inside, making->body->input[i].next);
}

/* VALUE stacked along a dimension that is new, or has length 1.  */
static struct shape stacked(struct rng *rng, struct shape shape, int64_t trips, int *axis)
{
    *axis = (int)rng_range(rng, 0, shape.rank);
    if (*axis < shape.rank && shape.dim[*axis] == 1) {
        shape.dim[*axis] = trips;
        return shape;
    }
    for (int i = shape.rank; i > *axis; i--)
        shape.dim[i] = shape.dim[i - 1];
    shape.dim[*axis] = trips;
    shape.rank++;
    return shape;
}

static void add_ops(struct rng *rng, struct network *network, int depth, int64_t most);

static void add_loop(struct rng *rng, struct network *network, int depth)
{
    struct making making = {.rng = rng, .around = network};
    struct shape shape[4];
    size_t outputs = (size_t)rng_range(rng, 1, 4), op;

    making.control = control_new(true, rng_range(rng, 1, 7), 1);
    making.control->may_stop = chance(rng, 20);
    making.body = &making.control->body[0];
    body_set_network(making.body, network_new("body"));
    add_captures(&making, 2);
    add_slices(&making);
    add_carried(&making);
    add_ops(rng, making.body->network, depth + 1, 4);
    add_nexts(&making);
    for (size_t i = 0; i < outputs; i++) {
        struct body_output output = {.slot = i, .value = any_value(rng, making.body->network)};

        shape[i] = shape_of(making.body->network, output.value);
        if (chance(rng, 50) && shape[i].rank < 3) {
            output.kind = LEAVE_STACK;
            output.reverse = chance(rng, 30);
            shape[i] = stacked(rng, shape[i], making.control->trips, &output.axis);
        }
        body_add_output(making.body, output);
    }
    if (chance(rng, 20))
        making.input[making.inputs++] = any_value(rng, network); /* a trip count, say */
    op = add_op(network, OP_LOOP, making.input, making.inputs);
    for (size_t i = 0; i < outputs; i++) {
        size_t value = add_output(network, op, shape[i]);

        network->value[value].optional = chance(rng, 20);
    }
    network_set_control(network, op, making.control);
}

static void add_branch(struct rng *rng, struct network *network, int depth)
{
    struct making making = {.rng = rng, .around = network};
    size_t outputs = (size_t)rng_range(rng, 1, 2), op;
    struct shape shape[2] = {any_shape(rng), any_shape(rng)};

    making.control = control_new(false, 1, (size_t)rng_range(rng, 2, 3));
    making.input[making.inputs++] = any_value(rng, network); /* the condition */
    for (size_t b = 0; b < making.control->bodies; b++) {
        making.body = &making.control->body[b];
        body_set_network(making.body, network_new("branch"));
        add_captures(&making, 2);
        add_ops(rng, making.body->network, depth + 1, 3);
        for (size_t i = 0; i < outputs; i++) {
            size_t made = add_plain(rng, making.body->network, shape[i]);

            body_add_output(making.body,
                            (struct body_output){
                                .value = value_like(rng, making.body->network, made), .slot = i});
        }
    }
    op = add_op(network, OP_BRANCH, making.input, making.inputs);
    for (size_t i = 0; i < outputs; i++)
        add_output(network, op, shape[i]);
    network_set_control(network, op, making.control);
}

static void add_ops(struct rng *rng, struct network *network, int depth, int64_t most)
{
    for (int64_t i = rng_range(rng, 1, most); i > 0; i--) {
        int64_t kind = network->n_values == 0 ? 0 : rng_range(rng, 1, 100);

        if (kind <= 40 + 15 * depth)
            add_plain(rng, network, any_shape(rng));
        else if (kind <= 55 + 12 * depth || depth >= 3)
            add_alias(rng, network);
        else if (kind <= 85)
            add_loop(rng, network, depth);
        else
            add_branch(rng, network, depth);
    }
}

struct network *case_random(struct rng *rng)
{
    struct network *network = network_new("random");

    for (int64_t i = rng_range(rng, 0, 2); i > 0; i--)
        add_value(network, chance(rng, 50) ? VALUE_INPUT : VALUE_WEIGHT, any_shape(rng));
    add_ops(rng, network, 0, 4);
    add_loop(rng, network, 0);
    add_ops(rng, network, 0, 3);
    network_mark_output(network, network->n_values - 1);
    if (chance(rng, 40))
        network_mark_output(network, any_value(rng, network));
    return network;
}

/* --- plans and instances --- */

struct plan *case_plan(const struct instance *instance, struct rng *rng)
{
    struct plan *plan = plan_new(instance);
    size_t *order = memory_alloc(instance->n, sizeof *order);

    for (size_t i = 0; i < instance->n; i++)
        order[i] = i;
    rng_shuffle(rng, order, instance->n, sizeof *order);
    for (size_t i = 0; i < instance->n; i++) {
        size_t b = order[i];
        bool moved = true;

        plan->offset[b] = 0;
        while (moved) {
            moved = false;
            for (size_t j = 0; j < i; j++) {
                size_t other = order[j];
                int64_t top = plan->offset[other] + instance->buffer[other].size;

                if (plan->offset[b] < top &&
                    plan->offset[other] < plan->offset[b] + instance->buffer[b].size &&
                    lives_meet(instance, b, other)) {
                    plan->offset[b] = top;
                    moved = true;
                }
            }
        }
    }
    plan->peak = plan_peak(instance, plan);
    free(order);
    return plan;
}

struct instance *case_instance(struct network *network, const struct loop_options *options)
{
    struct lifetime_options lifetimes = {.io = IO_NONE};
    struct error error = {""};
    struct instance *instance =
        loops_instance(network, schedule_file_order(network), &lifetimes, options, &error);

    if (instance == NULL)
        ok(false, "an instance: %s", error.text);
    return instance;
}
