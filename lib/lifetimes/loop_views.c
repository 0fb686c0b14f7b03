/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Multi-view tensors: where a value is in every iteration.  */
#include <config.h>

#include <string.h>

#include "lib/base/memory.h"
#include "lib/lifetimes/loop_layout.h"

static struct loop_region none(void)
{
    return (struct loop_region){.kind = REGION_NONE};
}

static struct loop_region in_tensor(size_t tensor)
{
    if (tensor == SIZE_MAX)
        return none();
    return (struct loop_region){.kind = REGION_TENSOR, .base = tensor};
}

static struct loop_region in_parent(size_t value)
{
    return (struct loop_region){.kind = REGION_PARENT, .base = value};
}

/* The slices of VALUE of the parent along AXIS.  */
static struct loop_region in_slices(const struct loop_layout *layout,
                                    const struct loop_frame *frame, size_t value, int axis,
                                    bool reverse)
{
    struct loop_region region = in_parent(value);
    int64_t size =
        loop_slices_of(&layout->frame[frame->parent].network->value[value], axis).stretch;

    region.stride = reverse ? -size : size;
    region.offset = reverse ? (frame->trips - 1) * size : 0;
    return region;
}

/* Where VALUE, which is not found through another carried one, is in iteration
 * T.  */
static struct loop_region place_at(const struct loop_layout *layout, const struct loop_frame *frame,
                                   size_t value, int64_t t)
{
    const struct network_op *op =
        frame->body == NULL ? NULL : &layout->frame[frame->parent].network->op[frame->op];
    const struct body_input *input = frame->input[value];
    const struct body_output *home = frame->home[value];
    size_t copy = (size_t)(t % (int64_t)frame->copies);

    switch (frame->place[value]) {
    case PLACE_OWN:
        return in_tensor(frame->tensor[copy * frame->network->n_values + value]);
    case PLACE_STATIC:
    case PLACE_SLOT:
        return in_tensor(frame->tensor[value]);
    case PLACE_HOME:
        if (!frame->control->loop)
            return in_parent(op->output[home->slot]);
        return in_slices(layout, frame, op->output[home->slot], home->axis, home->reverse);
    case PLACE_CAPTURE:
        return in_parent(op->input[input->slot]);
    case PLACE_SLICE:
        return in_slices(layout, frame, op->input[input->slot], input->axis, input->reverse);
    case PLACE_NONE:
    case PLACE_CARRIED:
        break;
    }
    return none();
}

struct loop_region loop_region_at(const struct loop_layout *layout, const struct loop_frame *frame,
                                  size_t value, int64_t t)
{
    struct loop_region region;
    int64_t back = 0;

    value = frame->root[value];
    for (; frame->place[value] == PLACE_CARRIED; back++) {
        const struct body_input *input = frame->input[value];

        if (t == back) {
            if (input->slot == NETWORK_NONE)
                return none();
            return in_parent(
                layout->frame[frame->parent].network->op[frame->op].input[input->slot]);
        }
        value = frame->root[input->next];
    }
    region = place_at(layout, frame, value, t - back);
    /* It was there BACK iterations before.  */
    region.offset -= back * region.stride;
    return region;
}

struct loop_region loop_straight(const struct loop_layout *layout, const struct loop_frame *frame,
                                 struct loop_region region)
{
    struct loop_region at = region;

    while (at.kind == REGION_PARENT) {
        const struct loop_frame *above = &layout->frame[frame->parent];
        size_t value = above->root[at.base];
        struct loop_region there;

        if (above->place[value] == PLACE_CARRIED)
            return region;
        there = place_at(layout, above, value, (int64_t)frame->parent_copy);
        if (there.stride != 0)
            return region;
        at.kind = there.kind;
        at.base = there.base;
        at.offset += there.offset;
        frame = above;
    }
    return at;
}

static bool same_place(const struct loop_layout *layout, struct loop_region a, struct loop_region b)
{
    if (a.kind == REGION_TENSOR && b.kind == REGION_TENSOR) {
        a.base = loop_group(layout, a.base);
        b.base = loop_group(layout, b.base);
    }
    return a.kind == b.kind && a.offset == b.offset && a.stride == b.stride &&
           (a.kind == REGION_NONE || a.base == b.base);
}

/* The repeat length of a carried value, before it is shortened.  */
static size_t period_of(const struct loop_frame *frame, size_t value)
{
    struct loop_chain chain;

    if (frame->place[value] != PLACE_CARRIED)
        return frame->copies;
    chain = loop_chain_of(frame, value);
    return chain.cycle > 0 ? chain.cycle : frame->copies;
}

/* Regions of their own for as many iterations as values are carried, which is
 * enough for any; then as few as say the same.  */
static struct loop_view view_of(const struct loop_layout *layout, const struct loop_frame *frame,
                                size_t value)
{
    size_t root = frame->root[value];
    size_t repeat = period_of(frame, root);
    size_t first = frame->place[root] == PLACE_CARRIED ? frame->body->inputs : 0;
    struct loop_view view;
    bool one = true;

    /* FIRST is a multiple of the repeat length, so that region FIRST + i is that of
     * the iterations that are i modulo it.  */
    first = (first + repeat - 1) / repeat * repeat;
    view.region = memory_alloc(first + repeat, sizeof *view.region);
    for (size_t i = 0; i < first + repeat; i++)
        view.region[i] =
            loop_straight(layout, frame, loop_region_at(layout, frame, value, (int64_t)i));
    for (size_t i = 1; i < repeat; i++)
        one = one && same_place(layout, view.region[first], view.region[first + i]);
    view.repeat = one ? 1 : repeat;
    view.first = first;
    while (view.first > 0 && same_place(layout, view.region[view.first - 1],
                                        view.region[first + (view.first - 1) % view.repeat]))
        view.first--;
    memmove(&view.region[view.first], &view.region[first], view.repeat * sizeof *view.region);
    return view;
}

void loop_build_views(struct loop_layout *layout)
{
    for (size_t f = 0; f < layout->frames; f++) {
        struct loop_frame *frame = &layout->frame[f];

        frame->view = memory_alloc(frame->network->n_values, sizeof *frame->view);
        for (size_t v = 0; v < frame->network->n_values; v++)
            frame->view[v] = view_of(layout, frame, v);
    }
}
