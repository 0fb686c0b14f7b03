/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/judge/loop_replay.h"

#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/judge/loop_run.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"

static const int64_t most_cells = INT64_C(1) << 25;
/* Cells written and read in one replay.  */
static const int64_t most_work = INT64_C(1) << 31;
/* Numbers of iterations that are tried for loops that may stop.  */
static const int64_t most_runs = 8;

static bool run_network(struct loop_replay *replay)
{
    struct running running = {.replay = replay, .frame = &replay->layout->frame[0]};
    const struct network *network = running.frame->network;
    bool good;

    running.holds = memory_zalloc(network->n_values, sizeof *running.holds);
    for (size_t f = 0; f < replay->layout->frames; f++) {
        struct running any = {.replay = replay, .frame = &replay->layout->frame[f]};

        any.holds = memory_zalloc(any.frame->network->n_values, sizeof *any.holds);
        running_hold_stored(&any);
        for (size_t v = 0; v < any.frame->network->n_values; v++)
            if (any.frame->place[v] == PLACE_STATIC)
                running_write(&any, v);
        free(any.holds);
    }
    running_hold_stored(&running);
    good = running_run(&running);
    for (size_t v = 0; v < network->n_values && good; v++)
        if (network->value[v].output)
            good = running_read(&running, v, "ended");
    free(running.holds);
    return good;
}

/* The largest cell such that everything begins and ends at a multiple of it.  */
static int64_t find_unit(const struct loop_layout *layout, const struct instance *instance,
                         const struct plan *plan)
{
    int64_t unit = 0;

    for (size_t b = 0; b < instance->n; b++)
        unit = gcd64(gcd64(unit, plan->offset[b]), instance->buffer[b].size);
    for (size_t i = 0; i < layout->tensors; i++)
        unit = gcd64(unit, layout->tensor[i].offset);
    for (size_t f = 0; f < layout->frames; f++) {
        const struct loop_frame *frame = &layout->frame[f];

        for (size_t v = 0; v < frame->network->n_values; v++)
            unit = gcd64(unit, value_bytes(&frame->network->value[v]));
        for (size_t v = 0; v < frame->network->n_values; v++)
            for (size_t i = 0; i < frame->view[v].first + frame->view[v].repeat; i++)
                unit = gcd64(gcd64(unit, frame->view[v].region[i].offset),
                             frame->view[v].region[i].stride);
        for (size_t i = 0; i < frame->gathers + frame->leaving; i++) {
            const struct network *around = layout->frame[frame->parent].network;
            const struct network_op *op = &around->op[frame->op];
            bool in = i < frame->gathers;
            size_t whole = in ? op->input[frame->gather[i]->slot]
                              : op->output[frame->leave[i - frame->gathers]->slot];
            int axis = in ? frame->gather[i]->axis : frame->leave[i - frame->gathers]->axis;

            if (frame->control->loop)
                unit = gcd64(unit, loop_slices_of(&around->value[whole], axis).stretch);
        }
    }
    return unit == 0 ? 1 : unit;
}

/* How many runs it takes to see every body and every end.  */
static int64_t runs_needed(const struct loop_layout *layout)
{
    int64_t runs = 1;

    for (size_t f = 1; f < layout->frames; f++) {
        const struct loop_frame *frame = &layout->frame[f];

        runs = max64(runs, (int64_t)frame->control->bodies);
        if (frame->control->may_stop)
            runs = max64(runs, (int64_t)(frame->copies + frame->depth) + 1);
    }
    return min64(runs, most_runs);
}

bool loop_replay(const struct instance *instance, const struct plan *plan, enum replay_kind *kind,
                 struct error *error)
{
    struct loop_replay replay = {
        .layout = instance->loops, .plan = plan, .error = error, .most_work = most_work};
    enum replay_kind used;
    int64_t cells = 0, runs = runs_needed(instance->loops);
    bool good = true;

    replay.unit = find_unit(replay.layout, instance, plan);
    used = replay.unit == 1 ? REPLAY_BYTES : REPLAY_SCALED;
    for (size_t b = 0; b < instance->n; b++)
        cells = max64(cells, (plan->offset[b] + instance->buffer[b].size) / replay.unit);
    if (cells > most_cells) {
        used = REPLAY_NONE;
        runs = 0;
    }
    replay.arena = memory_zalloc((size_t)min64(cells, most_cells), sizeof *replay.arena);
    replay.stored = memory_alloc(replay.layout->tensors, sizeof *replay.stored);
    for (replay.run = 0; replay.run < runs && good; replay.run++) {
        for (size_t i = 0; i < replay.layout->tensors; i++)
            replay.stored[i] = NULL;
        good = run_network(&replay);
        content_pool_clear(&replay.pool);
    }
    if (replay_is_too_much(&replay)) {
        used = REPLAY_NONE;
        good = true;
    }
    free(replay.arena);
    free(replay.stored);
    if (kind != NULL)
        *kind = used;
    return good;
}
