/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The memory of a network with loops while it runs: where values are, and
 * whether they are what they should be.  */
#include <config.h>

#include "lib/judge/loop_run.h"

#include <inttypes.h>

#include "lib/problem/plan.h"

int64_t replay_address(const struct loop_replay *replay, size_t tensor)
{
    int64_t within;
    size_t buffer = loop_buffer_of(replay->layout, tensor, &within);

    return (replay->plan->offset[buffer] + within) / replay->unit;
}

int64_t running_address(const struct running *running, size_t value)
{
    const struct loop_replay *replay = running->replay;
    const struct loop_view *view = &running->frame->view[value];
    const struct loop_region *region;
    size_t t = (size_t)running->t;
    int64_t at = -1;

    region = &view->region[t < view->first ? t : view->first + t % view->repeat];
    if (region->kind == REGION_TENSOR) {
        at = replay_address(replay, region->base);
    } else if (region->kind == REGION_PARENT) {
        at = running_address(running->parent, region->base);
    }
    return at < 0 ? at : at + (region->offset + region->stride * running->t) / replay->unit;
}

int64_t running_cells(const struct running *running, size_t value)
{
    return value_bytes(&running->frame->network->value[value]) / running->replay->unit;
}

struct loop_slices running_slices(const struct running *running, size_t value, int axis)
{
    struct loop_slices slices = loop_slices_of(&running->frame->network->value[value], axis);

    slices.stretch /= running->replay->unit;
    return slices;
}

void running_write(const struct running *running, size_t value)
{
    int64_t at = running_address(running, value), cells = running_cells(running, value);

    if (at < 0)
        return;
    running->replay->work += cells;
    for (int64_t i = 0; i < cells; i++)
        content_word(running->holds[value], i, &running->replay->arena[at + i]);
}

static bool intact(const struct running *running, size_t value)
{
    int64_t at = running_address(running, value), cells = running_cells(running, value);

    if (at < 0)
        return true;
    running->replay->work += cells;
    for (int64_t i = 0; i < cells; i++) {
        uint64_t word;

        if (content_word(running->holds[value], i, &word) && running->replay->arena[at + i] != word)
            return false;
    }
    return true;
}

bool running_read(const struct running *running, size_t value, const char *when)
{
    if (intact(running, value))
        return true;
    return error_set(running->replay->error,
                     "replay: value '%s%s' was overwritten before iteration %" PRId64 " %s",
                     running->frame->path, running->frame->network->value[value].name, running->t,
                     when);
}

void replay_copy(struct loop_replay *replay, int64_t from, int64_t to, int64_t cells,
                 const struct content *content, int64_t first)
{
    if (to < 0)
        return;
    replay->work += cells;
    for (int64_t i = 0; i < cells; i++) {
        if (from >= 0)
            replay->arena[to + i] = replay->arena[from + i];
        else
            content_word(content, first + i, &replay->arena[to + i]);
    }
}

bool replay_is_too_much(const struct loop_replay *replay)
{
    return replay->work > replay->most_work;
}
