/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The flat time line: frames, steps and tensors.  */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/graph/schedule.h"
#include "lib/lifetimes/loop_layout.h"

/* Everything grows with the flat time line, and so does the time of planners.  */
static const int64_t most_steps = 1 << 20;

size_t loop_add_tensor(struct loop_layout *layout, size_t owner, char *id, int64_t size)
{
    size_t index = layout->tensors;

    layout->tensor =
        memory_grow(layout->tensor, &layout->tensors_capacity, index + 1, sizeof *layout->tensor);
    layout->tensor[index] = (struct loop_tensor){.id = id,
                                                 .size = size,
                                                 .owner = owner,
                                                 .next = SIZE_MAX,
                                                 .group = index,
                                                 .block = SIZE_MAX};
    layout->tensors++;
    return index;
}

size_t loop_group(const struct loop_layout *layout, size_t tensor)
{
    while (layout->tensor[tensor].group != tensor)
        tensor = layout->tensor[tensor].group;
    return tensor;
}

/* Gives VALUE of copy C a tensor if it has one of its own.  */
static void add_tensor(struct loop_layout *layout, size_t f, size_t c, size_t value)
{
    struct loop_frame *frame = &layout->frame[f];
    const struct value *what = &frame->network->value[value];
    bool own = frame->place[value] == PLACE_OWN;
    char *id;

    if (!own && frame->place[value] != PLACE_SLOT && frame->place[value] != PLACE_STATIC)
        return;
    if (own && frame->copies > 1)
        id = memory_printf("%s%s:%zu", frame->path, what->name, c);
    else
        id = memory_printf("%s%s", frame->path, what->name);
    frame->tensor[c * frame->network->n_values + value] =
        loop_add_tensor(layout, f, id, value_bytes(what));
}

static size_t add_frame(struct loop_layout *layout, const struct network *network)
{
    size_t index = layout->frames;
    struct loop_frame *frame;

    layout->frame =
        memory_grow(layout->frame, &layout->frames_capacity, index + 1, sizeof *layout->frame);
    frame = &layout->frame[index];
    *frame = (struct loop_frame){
        .parent = SIZE_MAX,
        .parent_copy = SIZE_MAX,
        .op = NETWORK_NONE,
        .twin = index,
        .network = network,
        .trips = 1,
        .copies = 1,
        .spare = SIZE_MAX,
        .order = memory_alloc(network->n_ops, sizeof *frame->order),
    };
    for (size_t o = 0; o < network->n_ops; o++)
        frame->order[o] = o;
    layout->frames++;
    return index;
}

/* What every frame has once it is known how often it stands unrolled: room for
 * steps, and the tensors that are not one a copy.  */
static void equip(struct loop_layout *layout, size_t f)
{
    struct loop_frame *frame = &layout->frame[f];
    size_t ops = frame->copies * frame->network->n_ops;
    size_t values = frame->copies * frame->network->n_values;
    int64_t spare = 0;

    frame->head = frame->gathers > 0;
    frame->turn = frame->moves + frame->leaving > 0;
    frame->step = memory_alloc(ops, sizeof *frame->step);
    frame->child = memory_alloc(ops, sizeof *frame->child);
    frame->tensor = memory_alloc(values, sizeof *frame->tensor);
    for (size_t i = 0; i < ops; i++)
        frame->child[i] = SIZE_MAX;
    for (size_t i = 0; i < values; i++)
        frame->tensor[i] = SIZE_MAX;
    for (size_t v = 0; v < frame->network->n_values; v++)
        if (frame->place[v] == PLACE_STATIC && frame->twin != f)
            frame->tensor[v] = layout->frame[frame->twin].tensor[v];
        else if (frame->place[v] == PLACE_SLOT || frame->place[v] == PLACE_STATIC)
            add_tensor(layout, f, 0, v);
    for (size_t i = 0; i < frame->moves; i++)
        if (frame->move[i].to == NETWORK_NONE)
            spare = max64(spare, value_bytes(&frame->network->value[frame->move[i].from]));
    if (spare > 0) {
        size_t tensor = loop_add_tensor(layout, f, memory_printf("%sspare", frame->path), spare);

        layout->frame[f].spare = tensor;
    }
}

static bool emit(struct loop_layout *layout, size_t f, struct error *error);

/* "around/operator:copy.body/", the copy where there are several, and the body.  */
static char *path_of(const struct loop_frame *around, size_t copy, const struct network_op *op,
                     size_t b)
{
    char number[2][24] = {"", ""};

    if (around->copies > 1)
        snprintf(number[0], sizeof number[0], ":%zu", copy);
    if (op->control->bodies > 1)
        snprintf(number[1], sizeof number[1], ".%zu", b);
    return memory_printf("%s%s%s%s/", around->path, op->name, number[0], number[1]);
}

static size_t add_body(struct loop_layout *layout, size_t parent, size_t copy, size_t o, size_t b)
{
    const struct network_op *op = &layout->frame[parent].network->op[o];
    size_t index = add_frame(layout, op->control->body[b].network);
    struct loop_frame *frame = &layout->frame[index], *above = &layout->frame[parent];

    frame->parent = parent;
    frame->parent_copy = copy;
    frame->op = o;
    frame->control = op->control;
    frame->body = &op->control->body[b];
    frame->trips = op->control->trips;
    frame->path = path_of(above, copy, op, b);
    if (copy > 0)
        frame->twin = above->child[o] + b;
    else if (above->twin != parent)
        frame->twin = layout->frame[above->twin].child[o] + b;
    return index;
}

/* A loop or a branch: a step to enter, the bodies, a step to leave.  */
static bool emit_control(struct loop_layout *layout, size_t f, size_t c, size_t o,
                         struct error *error)
{
    const struct control *control = layout->frame[f].network->op[o].control;
    int64_t entry = layout->steps++;
    size_t child = layout->frames;

    layout->frame[f].child[c * layout->frame[f].network->n_ops + o] = child;
    for (size_t b = 0; b < control->bodies; b++)
        add_body(layout, f, c, o, b);
    for (size_t b = 0; b < control->bodies; b++) {
        struct loop_frame *frame = &layout->frame[child + b];

        frame->entry = entry;
        loop_find_places(layout, frame);
        if (control->loop && !loop_decide(frame, &layout->options, error))
            return false;
        equip(layout, child + b);
        if (!emit(layout, child + b, error))
            return false;
    }
    for (size_t b = 0; b < control->bodies; b++)
        layout->frame[child + b].exit = layout->steps;
    layout->steps++;
    return true;
}

static bool emit_op(struct loop_layout *layout, size_t f, size_t c, size_t o, struct error *error)
{
    const struct network *network = layout->frame[f].network;
    const struct network_op *op = &network->op[o];

    if (layout->steps >= most_steps)
        return error_set(error,
                         "operator '%s': with its loops unrolled the network would take more than "
                         "%" PRId64 " steps",
                         op->name, most_steps);
    layout->frame[f].step[c * network->n_ops + o] = layout->steps;
    for (size_t i = 0; i < op->outputs; i++)
        add_tensor(layout, f, c, op->output[i]);
    if (op->control != NULL)
        return emit_control(layout, f, c, o, error);
    layout->steps++;
    return true;
}

/* The copies of frame F, one after the other.  A copy has at least one step.  */
static bool emit(struct loop_layout *layout, size_t f, struct error *error)
{
    layout->frame[f].first = layout->steps;
    for (size_t c = 0; c < layout->frame[f].copies; c++) {
        int64_t begin = layout->steps;

        layout->steps += layout->frame[f].head;
        for (size_t i = 0; i < layout->frame[f].gathers; i++)
            add_tensor(layout, f, c, layout->frame[f].gather[i]->value);
        for (size_t i = 0; i < layout->frame[f].network->n_ops; i++)
            if (!emit_op(layout, f, c, layout->frame[f].order[i], error))
                return false;
        layout->steps += layout->frame[f].turn;
        if (layout->steps == begin)
            layout->steps++;
        layout->frame[f].period = layout->steps - begin;
    }
    return true;
}

struct step_ref {
    int64_t step;
    size_t op;
};

static int compare_steps(const void *a, const void *b)
{
    const struct step_ref *x = a, *y = b;

    return ORDER(x->step, y->step) ?: ORDER(x->op, y->op);
}

static void order_by(struct loop_frame *frame, const struct schedule *schedule)
{
    size_t n = frame->network->n_ops;
    struct step_ref *ref = memory_alloc(n, sizeof *ref);

    for (size_t o = 0; o < n; o++)
        ref[o] = (struct step_ref){schedule->step[o], o};
    qsort(ref, n, sizeof *ref, compare_steps);
    for (size_t o = 0; o < n; o++)
        frame->order[o] = ref[o].op;
    free(ref);
}

bool loop_build_frames(struct loop_layout *layout, const struct schedule *schedule,
                       struct error *error)
{
    size_t f = add_frame(layout, layout->network);
    struct loop_frame *frame = &layout->frame[f];

    frame->path = memory_strdup("");
    order_by(frame, schedule);
    loop_find_places(layout, frame);
    equip(layout, f);
    if (!emit(layout, f, error))
        return false;
    layout->frame[f].entry = 0;
    layout->frame[f].exit = layout->steps;
    return true;
}
