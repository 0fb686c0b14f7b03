/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the places of a frame's values are found, before it is known how often
 * it stands unrolled.  */
#include <config.h>

#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/lifetimes/loop_layout.h"

bool loop_output_counts(const struct value *value)
{
    return value_bytes(value) > 0 && (!value->optional || value->readers > 0 || value->output);
}

struct loop_slices loop_slices_of(const struct value *whole, int axis)
{
    struct loop_slices slices = {(int64_t)dtype_size(whole->dtype), 1};

    for (int i = 0; i < axis; i++)
        slices.stretches *= whole->dim[i];
    for (int i = axis + 1; i < whole->rank; i++)
        slices.stretch *= whole->dim[i];
    return slices;
}

static const struct value *outside(const struct loop_layout *layout, const struct loop_frame *frame,
                                   size_t value)
{
    return &layout->frame[frame->parent].network->value[value];
}

static const struct network_op *operator_of(const struct loop_layout *layout,
                                            const struct loop_frame *frame)
{
    return &layout->frame[frame->parent].network->op[frame->op];
}

/* --- what enters --- */

static enum place place_of_input(const struct loop_layout *layout, struct loop_frame *frame,
                                 const struct body_input *input)
{
    const struct value *whole;

    switch (input->kind) {
    case ENTRY_COUNTER:
        return PLACE_NONE;
    case ENTRY_CAPTURE:
        return PLACE_CAPTURE;
    case ENTRY_CARRIED:
        return PLACE_CARRIED;
    case ENTRY_SLICE:
        whole = outside(layout, frame, operator_of(layout, frame)->input[input->slot]);
        if (loop_slices_of(whole, input->axis).stretches == 1)
            return PLACE_SLICE;
        frame->gather[frame->gathers++] = input;
        return PLACE_OWN;
    }
    return PLACE_NONE;
}

/* --- what is made inside or stored --- */

/* Roles of each group of values, by its root.  */
static struct lifetime_roles *find_roles(const struct loop_frame *frame)
{
    const struct network *network = frame->network;
    struct lifetime_roles *roles = memory_zalloc(network->n_values, sizeof *roles);

    for (size_t v = 0; v < network->n_values; v++)
        lifetime_roles_add(&roles[frame->root[v]], &network->value[v]);
    return roles;
}

static enum place place_of_value(const struct loop_layout *layout, struct loop_frame *frame,
                                 size_t v, struct lifetime_roles roles)
{
    const struct value *value = &frame->network->value[v];

    if (frame->root[v] != v || value_bytes(value) == 0 || !roles.alive)
        return PLACE_NONE;
    if (frame->input[v] != NULL)
        return place_of_input(layout, frame, frame->input[v]);
    /* Inputs and outputs of a body are no inputs and outputs of the network.  */
    if (frame->body != NULL)
        roles.input = roles.output = false;
    if (!lifetime_counts(&roles, &layout->lifetimes))
        return PLACE_NONE;
    return value->producer == NETWORK_NONE ? PLACE_STATIC : PLACE_OWN;
}

/* --- what leaves --- */

/* Whether OUTPUT can be made right where it leaves to, or else has to be copied
 * there at the end of the iteration or branch.  */
static bool can_be_made_at_home(const struct loop_layout *layout, const struct loop_frame *frame,
                                const struct body_output *output)
{
    size_t value = frame->root[output->value];
    const struct value *whole =
        outside(layout, frame, operator_of(layout, frame)->output[output->slot]);

    if (frame->place[value] != PLACE_OWN || frame->network->value[value].producer == NETWORK_NONE)
        return false;
    return !frame->control->loop || loop_slices_of(whole, output->axis).stretches == 1;
}

static void place_outputs(const struct loop_layout *layout, struct loop_frame *frame)
{
    const struct network_op *op = operator_of(layout, frame);

    for (size_t i = 0; i < frame->body->outputs; i++) {
        const struct body_output *output = &frame->body->output[i];
        size_t value = frame->root[output->value];

        if (!loop_output_counts(outside(layout, frame, op->output[output->slot])))
            continue;
        if (frame->control->loop && output->kind == LEAVE_LAST)
            continue; /* once, when the loop is left */
        if (can_be_made_at_home(layout, frame, output)) {
            frame->place[value] = PLACE_HOME;
            frame->home[value] = output;
        } else {
            frame->leave[frame->leaving++] = output;
        }
    }
}

void loop_find_places(const struct loop_layout *layout, struct loop_frame *frame)
{
    size_t values = frame->network->n_values;
    struct lifetime_roles *roles;

    frame->root = lifetime_roots(frame->network, layout->lifetimes.alias);
    frame->place = memory_alloc(values, sizeof *frame->place);
    frame->input = memory_zalloc(values, sizeof *frame->input);
    frame->home = memory_zalloc(values, sizeof *frame->home);
    frame->cyclic = memory_zalloc(values, sizeof *frame->cyclic);
    if (frame->body != NULL) {
        frame->gather = memory_alloc(frame->body->inputs, sizeof *frame->gather);
        frame->leave = memory_alloc(frame->body->outputs, sizeof *frame->leave);
        for (size_t i = 0; i < frame->body->inputs; i++)
            frame->input[frame->body->input[i].value] = &frame->body->input[i];
    }
    roles = find_roles(frame);
    for (size_t v = 0; v < values; v++)
        frame->place[v] = place_of_value(layout, frame, v, roles[v]);
    free(roles);
    if (frame->body != NULL)
        place_outputs(layout, frame);
}
