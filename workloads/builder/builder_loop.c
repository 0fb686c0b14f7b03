/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "workloads/builder/builder.h"

#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/graph/control.h"
#include "workloads/builder/builder_private.h"

struct builder_loop {
    struct builder *around, *inside;
    char *name;
    struct control *control;
    size_t inputs, input_capacity, outputs, output_capacity;
    size_t *input; /* of the operator */
    struct body_output *output;
};

struct builder_loop *builder_loop_begin(struct builder *b, const char *name, int64_t trips)
{
    struct builder_loop *loop = memory_zalloc(1, sizeof *loop);

    loop->around = b;
    loop->name = memory_printf("%s%s", b->prefix, name);
    loop->inside = builder_new(name, b->dtype);
    loop->control = control_new(true, trips, 1);
    body_set_network(&loop->control->body[0], loop->inside->network);
    if (builder_failed(b))
        builder_fail(loop->inside, "%s", b->error.text);
    return loop;
}

struct builder *builder_loop_body(struct builder_loop *loop)
{
    return loop->inside;
}

/* Brings X in as an input of the body with the shape of RANK dimensions DIM.  */
static size_t enter(struct builder_loop *loop, const char *name, enum entry kind, size_t x,
                    int rank, const int64_t *dim)
{
    struct builder *inside = loop->inside;
    enum dtype dtype = builder_value(loop->around, x)->dtype;
    char *full = memory_printf("%s%s", inside->prefix, name);
    size_t value = network_add_value(inside->network, full, VALUE_INPUT, dtype, rank, dim);

    free(full);
    loop->input =
        memory_grow(loop->input, &loop->input_capacity, loop->inputs + 1, sizeof *loop->input);
    loop->input[loop->inputs] = x;
    body_add_input(&loop->control->body[0],
                   (struct body_input){
                       .kind = kind, .value = value, .slot = loop->inputs, .next = NETWORK_NONE});
    loop->inputs++;
    return value;
}

size_t builder_loop_carry(struct builder_loop *loop, const char *name, size_t first)
{
    struct value shape;

    if (builder_failed(loop->inside))
        return NETWORK_NONE;
    shape = *builder_value(loop->around, first);
    return enter(loop, name, ENTRY_CARRIED, first, shape.rank, shape.dim);
}

size_t builder_loop_slice(struct builder_loop *loop, const char *name, size_t x)
{
    struct value shape;

    if (builder_failed(loop->inside))
        return NETWORK_NONE;
    shape = *builder_value(loop->around, x);
    if (shape.rank == 0) {
        builder_fail(loop->inside, "%s: '%s' has no dimension to slice", loop->name, shape.name);
        return NETWORK_NONE;
    }
    return enter(loop, name, ENTRY_SLICE, x, shape.rank - 1, shape.dim + 1);
}

void builder_loop_next(struct builder_loop *loop, size_t carried, size_t next)
{
    struct body *body = &loop->control->body[0];

    if (builder_failed(loop->inside))
        return;
    for (size_t i = 0; i < body->inputs; i++)
        if (body->input[i].value == carried)
            body->input[i].next = next;
    network_mark_output(body->network, next);
}

static void leave(struct builder_loop *loop, enum leave kind, size_t x)
{
    loop->output =
        memory_grow(loop->output, &loop->output_capacity, loop->outputs + 1, sizeof *loop->output);
    loop->output[loop->outputs] =
        (struct body_output){.kind = kind, .value = x, .slot = loop->outputs};
    loop->outputs++;
}

void builder_loop_last(struct builder_loop *loop, size_t x)
{
    leave(loop, LEAVE_LAST, x);
}

void builder_loop_stack(struct builder_loop *loop, size_t x)
{
    leave(loop, LEAVE_STACK, x);
}

/* The output of operator OP that OUTPUT of the body leaves as.  */
static size_t add_output(struct builder_loop *loop, size_t op, const struct body_output *output)
{
    struct value shape = *builder_value(loop->inside, output->value);
    char *name = memory_printf("%s.%s", loop->name, shape.name);
    int64_t dim[NETWORK_MAX_RANK + 1] = {loop->control->trips};
    size_t value;

    for (int i = 0; i < shape.rank; i++)
        dim[i + 1] = shape.dim[i];
    if (output->kind == LEAVE_STACK)
        value =
            network_add_output(loop->around->network, op, name, shape.dtype, shape.rank + 1, dim);
    else
        value =
            network_add_output(loop->around->network, op, name, shape.dtype, shape.rank, shape.dim);
    free(name);
    return value;
}

void builder_loop_end(struct builder_loop *loop, size_t *output)
{
    struct builder *around = loop->around;
    bool failed = builder_failed(loop->inside);

    for (size_t i = 0; i < loop->outputs; i++)
        output[i] = NETWORK_NONE;
    if (failed) {
        builder_fail(around, "%s", loop->inside->error.text);
        control_free(loop->control);
    } else {
        size_t op =
            network_add_op(around->network, loop->name, OP_LOOP, "loop", loop->input, loop->inputs);

        for (size_t i = 0; i < loop->outputs; i++) {
            body_add_output(&loop->control->body[0], loop->output[i]);
            output[i] = add_output(loop, op, &loop->output[i]);
        }
        network_set_control(around->network, op, loop->control);
    }
    free(loop->inside);
    free(loop->name);
    free(loop->input);
    free(loop->output);
    free(loop);
}
