/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Initial and final values in a loop's own memory, where lifetimes allow it.
 *
 * In its first iteration a loop reads a carried value where the value around
 * it is; from then on it is where the next value was made.  When the initial
 * value is needed for nothing else, both can be one place, and the view needs no
 * region for the first iteration.  Likewise what is left of the last iteration
 * can stay where it is instead of being copied out.  */
#include <config.h>

#include "lib/lifetimes/loop_layout.h"

/* The same contents: an initial value, and what takes its place when the loop
 * comes around; a final value, and what is kept to be copied to it.  */
static bool may_meet(const struct loop_span *a, const struct loop_span *b, size_t frame, size_t tag,
                     bool leaves)
{
    if (leaves)
        return b->leaves && b->entry == frame;
    return a->entry == frame && a->tag == tag && !a->leaves && b->wrap == frame;
}

static bool tensors_meet(const struct loop_tensor *a, const struct loop_tensor *b, size_t frame,
                         size_t tag, bool leaves)
{
    for (size_t i = 0; i < a->spans; i++)
        for (size_t j = 0; j < b->spans; j++)
            if (a->span[i].begin < b->span[j].end && b->span[j].begin < a->span[i].end &&
                !may_meet(&a->span[i], &b->span[j], frame, tag, leaves))
                return true;
    return false;
}

/* The group of SECOND becomes part of that of FIRST.  */
static void join(struct loop_layout *layout, size_t first, size_t second)
{
    size_t last = first;

    while (layout->tensor[last].next != SIZE_MAX)
        last = layout->tensor[last].next;
    layout->tensor[last].next = second;
    layout->tensor[second].group = first;
}

/* Makes one group of those of A (a value around the frame) and B (one inside) if
 * no member of one is in use at the same time as one of the other.  */
static bool share(struct loop_layout *layout, size_t a, size_t b, size_t frame, size_t tag,
                  bool leaves)
{
    size_t first = loop_group(layout, a), second = loop_group(layout, b);

    if (first == second || layout->tensor[a].size != layout->tensor[b].size)
        return false;
    for (size_t i = first; i != SIZE_MAX; i = layout->tensor[i].next)
        for (size_t j = second; j != SIZE_MAX; j = layout->tensor[j].next)
            if (tensors_meet(&layout->tensor[i], &layout->tensor[j], frame, tag, leaves))
                return false;
    if (first < second)
        join(layout, first, second);
    else
        join(layout, second, first);
    return true;
}

/* The tensor that VALUE of the parent of FRAME is, if it is one of the parent's own
 * and the same in all iterations of this copy, or SIZE_MAX.  */
static size_t tensor_around(const struct loop_layout *layout, const struct loop_frame *frame,
                            size_t value)
{
    const struct loop_frame *above = &layout->frame[frame->parent];

    value = above->root[value];
    if (above->place[value] != PLACE_OWN)
        return SIZE_MAX;
    return above->tensor[frame->parent_copy * above->network->n_values + value];
}

/* Initial values.  A loop that never comes around has a place for each value
 * anyway.  */
static void share_entries(struct loop_layout *layout, size_t f)
{
    const struct loop_frame *frame = &layout->frame[f];
    const struct network_op *op = &layout->frame[frame->parent].network->op[frame->op];

    if (frame->trips <= (int64_t)frame->copies)
        return;
    for (size_t i = 0; i < frame->body->inputs; i++) {
        const struct body_input *input = &frame->body->input[i];
        size_t around;
        struct loop_region region;

        if (input->kind != ENTRY_CARRIED || input->slot == NETWORK_NONE ||
            frame->place[input->value] != PLACE_CARRIED || frame->cyclic[input->value])
            continue;
        around = tensor_around(layout, frame, op->input[input->slot]);
        /* Where the value is whenever the loop comes around to copy 0.  */
        region = loop_region_at(layout, frame, input->value,
                                (int64_t)(frame->copies * (frame->depth + 1)));
        if (around != SIZE_MAX && region.kind == REGION_TENSOR)
            share(layout, around, region.base, f, input->value, false);
    }
}

/* Final values.  Where a loop that may stop ends is not known, so it has to be
 * the same place in all copies.  */
static void share_exits(struct loop_layout *layout, size_t f)
{
    const struct loop_frame *frame = &layout->frame[f];
    const struct network_op *op = &layout->frame[frame->parent].network->op[frame->op];

    for (size_t i = 0; i < frame->body->outputs; i++) {
        const struct body_output *output = &frame->body->output[i];
        size_t around;
        struct loop_region region;

        if (output->kind != LEAVE_LAST)
            continue;
        if (frame->control->may_stop &&
            (frame->copies > 1 || frame->place[frame->root[output->value]] != PLACE_OWN))
            continue;
        around = tensor_around(layout, frame, op->output[output->slot]);
        region = loop_region_at(layout, frame, output->value, frame->trips - 1);
        if (around != SIZE_MAX && region.kind == REGION_TENSOR)
            share(layout, around, region.base, f, 0, true);
    }
}

bool loop_stays(const struct loop_layout *layout, const struct loop_frame *frame,
                const struct body_output *output)
{
    const struct network_op *op = &layout->frame[frame->parent].network->op[frame->op];
    size_t around = tensor_around(layout, frame, op->output[output->slot]);
    struct loop_region region = loop_straight(
        layout, frame, loop_region_at(layout, frame, output->value, frame->trips - 1));

    return around != SIZE_MAX && region.kind == REGION_TENSOR && region.offset == 0 &&
           region.stride == 0 && loop_group(layout, around) == loop_group(layout, region.base);
}

void loop_share(struct loop_layout *layout)
{
    for (size_t f = 1; f < layout->frames; f++)
        if (layout->frame[f].control->loop) {
            share_entries(layout, f);
            share_exits(layout, f);
        }
}
