/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators with sub-graphs: what is refused, and that copies and passes keep
 * them whole.  */
#include <config.h>

#include "lib/graph/control.h"

#include <string.h>

#include "lib/graph/expand.h"
#include "lib/graph/fuse.h"
#include "lib/graph/network.h"
#include "tests/support/loop_case.h"
#include "tests/support/tap.h"
#include "workloads/builder/builder.h"

/* y = f(x, w) from x, w; x <= y; 5 iterations; y leaves.  */
static struct network *loop(void)
{
    struct network *network = network_new("loop"), *body = network_new("body");
    struct control *control = control_new(true, 5, 1);
    size_t x = case_input(network, "x", 8), w = case_input(network, "w", 3);
    size_t in[2] = {case_input(body, "x", 8), case_input(body, "w", 3)}, y, op;

    y = case_op(body, "y", 8, in, 2);
    body_set_network(&control->body[0], body);
    body_add_input(
        &control->body[0],
        (struct body_input){.kind = ENTRY_CARRIED, .value = in[0], .slot = 0, .next = y});
    body_add_input(&control->body[0],
                   (struct body_input){.kind = ENTRY_CAPTURE, .value = in[1], .slot = 1});
    body_add_output(&control->body[0], (struct body_output){.value = y, .slot = 0});
    op = network_add_op(network, "loop", OP_LOOP, "loop", (const size_t[]){x, w}, 2);
    y = network_add_output(network, op, "y", DTYPE_I8, 1, (const int64_t[]){8});
    network_set_control(network, op, control);
    network_mark_output(network, y);
    return network;
}

static struct body *body_of(struct network *network)
{
    return &network->op[0].control->body[0];
}

static void refused(struct network *network, const char *what)
{
    struct error error = {""};

    ok(!network_check(network, &error) && strstr(error.text, what) != NULL, "refused: %s",
       error.text);
    network_free(network);
}

/* A loop, `network`, that CHANGE makes wrong.  */
#define REFUSED(change, why)   \
    do {                       \
        network = loop();      \
        change;                \
        refused(network, why); \
    } while (0)

static void faults(void)
{
    struct network *network = loop();
    struct error error = {""};

    ok(network_check(network, &error), "a loop is a network%s", error.text);
    network_free(network);
    REFUSED(network->op[0].control->trips = 0, "0 iterations");
    REFUSED(network->op[0].kind = OP_OTHER, "a sub-graph that it cannot run");
    REFUSED((control_free(network->op[0].control), network->op[0].control = NULL), "no sub-graph");
    REFUSED(body_of(network)->input[0].next = 99, "'x' has no next value");
    REFUSED(body_of(network)->input[0].next = 1, "not an output of the sub-graph");
    REFUSED(
        (body_of(network)->network->value[1].output = true, body_of(network)->input[0].next = 1),
        "differ in shape");
    REFUSED(body_of(network)->input[1].slot = 7, "the operator has not");
    REFUSED(body_of(network)->input[1].slot = 0, "differs from the operator's input");
    REFUSED(body_of(network)->input[1].value = 0, "entered twice");
    REFUSED(body_of(network)->inputs = 1, "an input that nothing enters");
    REFUSED(body_of(network)->input[1].value = 2, "is entered, but is not an input");
    REFUSED(body_of(network)->input[1].kind = ENTRY_SLICE, "not a slice of the operator's input");
    REFUSED(body_of(network)->outputs = 0, "gives no y");
    REFUSED(body_of(network)->output[0].slot = 3, "no such value or output");
    REFUSED(body_of(network)->output[0].kind = LEAVE_STACK, "not a slice of the operator's output");
}

/* Loops in loops, LEVELS of them.  */
static struct network *nested(int levels)
{
    struct network *inside = network_new("innermost");
    size_t x = case_input(inside, "x", 4), op;

    network_mark_output(inside, CASE_OP(inside, "y", 4, x));
    for (int i = 0; i < levels; i++) {
        struct network *network = network_new("around");
        struct control *control = control_new(true, 2, 1);
        size_t last = inside->n_values - 1;

        body_set_network(&control->body[0], inside);
        body_add_input(&control->body[0], (struct body_input){.kind = ENTRY_CARRIED, .next = last});
        body_add_output(&control->body[0], (struct body_output){.value = last});
        x = case_input(network, "x", 4);
        op = network_add_op(network, "loop", OP_LOOP, "loop", &x, 1);
        network_mark_output(
            network, network_add_output(network, op, "y", DTYPE_I8, 1, (const int64_t[]){4}));
        network_set_control(network, op, control);
        inside = network;
    }
    return inside;
}

static void depth(void)
{
    struct network *network = nested(CONTROL_MAX_DEPTH - 1);
    struct error error = {""};

    ok(network_check(network, &error), "as many levels as there may be%s", error.text);
    network_free(network);
    refused(nested(CONTROL_MAX_DEPTH), "levels of sub-graphs");
}

/* A body with a convolution in two groups, a normalisation and an activation.  */
static struct network *layers(void)
{
    struct builder *b = builder_new("layers", DTYPE_F32), *body;
    size_t x = builder_input(b, "x", 4, (const int64_t[]){1, 4, 3, 3}), y;
    struct builder_loop *steps = builder_loop_begin(b, "loop", 3);

    body = builder_loop_body(steps);
    x = builder_loop_carry(steps, "x", x);
    y = builder_conv(body, "conv", x, 4, .r = 3, .pad = 1, .groups = 2);
    y = builder_relu(body, "relu", builder_batch_norm(body, "norm", y));
    builder_loop_next(steps, x, y);
    builder_loop_last(steps, y);
    builder_loop_end(steps, &y);
    builder_output(b, y);
    return builder_finish(b, NULL);
}

static void passes(void)
{
    struct network *network = layers(), *copy = network_copy(network);
    struct error error = {""};

    is_int(network_macs(network), 3 * 4 * 2 * 9 * 9, "work of all iterations");
    is_int(network_parameters(network), 4 * 2 * 9 + 8, "weights of a body count once");
    network_free(network);
    ok(network_check(copy, &error), "a copy stands by itself%s", error.text);
    copy = network_fuse(copy, FUSE_ALL);
    ok(network_check(copy, &error), "fused%s", error.text);
    is_int((int64_t)body_of(copy)->network->n_ops, 1, "one operator is left in the body");
    is_int((int64_t)body_of(copy)->input[0].next, (int64_t)body_of(copy)->network->op[0].output[0],
           "and is carried on");
    copy = network_expand_groups(copy);
    ok(network_check(copy, &error), "expanded%s", error.text);
    is_int((int64_t)body_of(copy)->network->n_ops, 4, "into a split, two parts and their join");
    network_free(copy);
}

/* An error inside comes out.  */
static void builder_errors(void)
{
    struct builder *b = builder_new("wrong", DTYPE_F32);
    size_t x = builder_input(b, "x", 2, (const int64_t[]){3, 4}), y;
    struct builder_loop *steps = builder_loop_begin(b, "loop", 3);
    struct error error = {""};

    x = builder_loop_slice(steps, "x", x);
    builder_loop_last(steps, builder_conv(builder_loop_body(steps), "conv", x, 4, .r = 3));
    builder_loop_end(steps, &y);
    builder_output(b, y);
    ok(builder_finish(b, &error) == NULL && strstr(error.text, "expected 4") != NULL, "%s",
       error.text);
}

int main(void)
{
    faults();
    depth();
    passes();
    builder_errors();
    return tap_done();
}
