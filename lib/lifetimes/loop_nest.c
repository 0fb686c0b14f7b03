/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which buffers belong to which loop, for planners that take loops apart.
 *
 * A value of the network around a loop that shares the buffer of one inside
 * (loop_share.c) is thereby tied to the loop's memory.  Where two loops side by side
 * have a buffer, it belongs to what is around both.  */
#include <config.h>

#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/lifetimes/loop_layout.h"
#include "lib/lifetimes/nest.h"

/* Number of the part that each frame's tensors are in.  Frames come after those they
 * stand in; branches are no parts.  */
static size_t *number_parts(const struct loop_layout *layout, size_t *parts)
{
    size_t *part = memory_alloc(layout->frames, sizeof *part);

    *parts = 0;
    part[0] = NEST_NONE;
    for (size_t f = 1; f < layout->frames; f++)
        part[f] = layout->frame[f].control->loop ? (*parts)++ : part[layout->frame[f].parent];
    return part;
}

/* The innermost of the parts that TENSOR's group lies in, or one of several.  */
static size_t innermost(const struct loop_layout *layout, const struct nest *nest,
                        const size_t *part, size_t tensor)
{
    size_t inner = NEST_NONE;

    for (size_t i = tensor; i != SIZE_MAX; i = layout->tensor[i].next) {
        size_t other = part[layout->tensor[i].owner];

        if (!layout->tensor[i].stored && nest_common(nest, inner, other) == inner)
            inner = other;
    }
    return inner;
}

/* The part that the group of TENSOR belongs to: the innermost that all the others are
 * around, or what is around those side by side.  */
static size_t home_of(const struct loop_layout *layout, const struct nest *nest, const size_t *part,
                      size_t tensor)
{
    size_t inner = innermost(layout, nest, part, tensor), home = inner;

    for (size_t i = tensor; i != SIZE_MAX; i = layout->tensor[i].next) {
        size_t other = part[layout->tensor[i].owner], common = nest_common(nest, inner, other);

        if (!layout->tensor[i].stored && common != other)
            home = nest_common(nest, home, common);
    }
    return home;
}

struct nest *loop_nest(const struct loop_layout *layout, size_t buffers)
{
    size_t parts, *part = number_parts(layout, &parts);
    struct nest *nest = nest_new(parts, buffers);

    for (size_t f = 1; f < layout->frames; f++) {
        const struct loop_frame *frame = &layout->frame[f];

        if (frame->control->loop)
            nest->part[part[f]] = (struct nest_part){
                .path = memory_strdup(frame->path),
                .around = part[frame->parent],
                .begin = frame->entry,
                .end = frame->exit + 1,
            };
    }
    for (size_t i = 0; i < layout->tensors; i++)
        if (layout->tensor[i].group == i)
            nest->home[layout->tensor[i].buffer] = home_of(layout, nest, part, i);
    free(part);
    return nest;
}
