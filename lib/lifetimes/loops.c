/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/lifetimes/loops.h"

#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/graph/schedule.h"
#include "lib/lifetimes/loop_layout.h"
#include "lib/lifetimes/nest.h"
#include "lib/problem/instance.h"

bool network_has_loops(const struct network *network)
{
    for (size_t o = 0; o < network->n_ops; o++)
        if (network->op[o].control != NULL)
            return true;
    return false;
}

const struct nest *loop_layout_nest(const struct loop_layout *layout)
{
    return layout == NULL ? NULL : layout->nest;
}

static void layout_free(struct loop_layout *layout)
{
    if (layout == NULL)
        return;
    nest_free(layout->nest);
    for (size_t f = 0; f < layout->frames; f++) {
        struct loop_frame *frame = &layout->frame[f];

        for (size_t v = 0; frame->view != NULL && v < frame->network->n_values; v++)
            free(frame->view[v].region);
        free(frame->path);
        free(frame->root);
        free(frame->place);
        free(frame->input);
        free(frame->home);
        free(frame->cyclic);
        free(frame->view);
        free(frame->move);
        free(frame->gather);
        free(frame->leave);
        free(frame->order);
        free(frame->step);
        free(frame->child);
        free(frame->tensor);
    }
    for (size_t i = 0; i < layout->tensors; i++) {
        free(layout->tensor[i].id);
        free(layout->tensor[i].span);
    }
    free(layout->frame);
    free(layout->tensor);
    network_free(layout->network);
    free(layout);
}

int64_t loop_layout_unroll(const struct loop_layout *layout)
{
    int64_t most = 1;

    for (size_t f = 0; f < layout->frames; f++)
        most = max64(most, (int64_t)layout->frame[f].copies);
    return most;
}

double loop_layout_trips(const struct loop_layout *layout)
{
    double most = 1;

    for (size_t f = 0; f < layout->frames; f++) {
        double trips = 1;

        for (size_t at = f; at != 0; at = layout->frame[at].parent)
            trips *= (double)layout->frame[at].trips;
        if (trips > most)
            most = trips;
    }
    return most;
}

/* --- bytes copied --- */

/* Adds TIMES * BYTES to SUM.  */
static bool add_times(int64_t *sum, int64_t times, int64_t bytes)
{
    return checked_mul(times, bytes, &bytes) && checked_add(*sum, bytes, sum);
}

static bool add_copies(struct loop_copies *sum, int64_t times, struct loop_copies more)
{
    return add_times(&sum->entry, times, more.entry) && add_times(&sum->turn, times, more.turn) &&
           add_times(&sum->exit, times, more.exit);
}

/* What one execution of the body of FRAME copies by itself.  */
static bool count_own(const struct loop_layout *layout, const struct loop_frame *frame,
                      struct loop_copies *copies)
{
    const struct network *network = frame->network;
    const struct loop_frame *above = &layout->frame[frame->parent];
    const struct network_op *op = &above->network->op[frame->op];
    bool fits = true;

    for (size_t v = 0; v < network->n_values; v++)
        if (frame->place[v] == PLACE_SLOT && frame->input[v]->slot != NETWORK_NONE)
            fits = fits && add_times(&copies->entry, 1, value_bytes(&network->value[v]));
    for (size_t i = 0; i < frame->moves; i++) {
        struct loop_move move = frame->move[i];
        size_t value = move.to == NETWORK_NONE ? move.from : move.to;

        fits =
            fits && add_times(&copies->turn, frame->trips - 1, value_bytes(&network->value[value]));
    }
    for (size_t i = 0; i < frame->gathers; i++)
        fits = fits && add_times(&copies->turn, frame->trips,
                                 value_bytes(&network->value[frame->gather[i]->value]));
    for (size_t i = 0; i < frame->leaving; i++)
        fits = fits && add_times(&copies->turn, frame->trips,
                                 value_bytes(&network->value[frame->leave[i]->value]));
    for (size_t i = 0; i < frame->body->outputs && frame->control->loop; i++) {
        const struct body_output *output = &frame->body->output[i];
        const struct value *whole = &above->network->value[op->output[output->slot]];

        if (output->kind == LEAVE_LAST && loop_output_counts(whole) &&
            !loop_stays(layout, frame, output))
            fits = fits && add_times(&copies->exit, 1, value_bytes(whole));
    }
    return fits;
}

static bool count_frame(const struct loop_layout *layout, size_t f, struct loop_copies *copies);

/* What the bodies copy that the operators of copy C of frame F run: of a branch
 * the one that copies most.  */
static bool count_copy(const struct loop_layout *layout, size_t f, size_t c,
                       struct loop_copies *copies)
{
    const struct loop_frame *frame = &layout->frame[f];

    for (size_t o = 0; o < frame->network->n_ops; o++) {
        size_t child = frame->child[c * frame->network->n_ops + o];
        struct loop_copies most = {0, 0, 0};

        if (child == SIZE_MAX)
            continue;
        for (size_t b = 0; b < frame->network->op[o].control->bodies; b++) {
            struct loop_copies one = {0, 0, 0};

            if (!count_frame(layout, child + b, &one))
                return false;
            if (b == 0 || one.entry + one.turn + one.exit > most.entry + most.turn + most.exit)
                most = one;
        }
        if (!add_copies(copies, 1, most))
            return false;
    }
    return true;
}

static bool count_frame(const struct loop_layout *layout, size_t f, struct loop_copies *copies)
{
    const struct loop_frame *frame = &layout->frame[f];
    int64_t whole = frame->trips / (int64_t)frame->copies;
    int64_t sum;

    if (frame->body != NULL && !count_own(layout, frame, copies))
        return false;
    for (size_t c = 0; c < frame->copies; c++) {
        struct loop_copies inside = {0, 0, 0};
        bool more = (int64_t)c < frame->trips % (int64_t)frame->copies;

        if (!count_copy(layout, f, c, &inside) || !add_copies(copies, whole + more, inside))
            return false;
    }
    return checked_add(copies->entry, copies->turn, &sum) && checked_add(sum, copies->exit, &sum);
}

struct loop_copies loop_layout_copies(const struct loop_layout *layout)
{
    return layout->copies;
}

/* --- the instance --- */

size_t loop_buffer_of(const struct loop_layout *layout, size_t tensor, int64_t *offset)
{
    *offset = 0;
    for (tensor = loop_group(layout, tensor); layout->tensor[tensor].block != SIZE_MAX;
         tensor = loop_group(layout, layout->tensor[tensor].block))
        *offset += layout->tensor[tensor].offset;
    return layout->tensor[tensor].buffer;
}

struct group {
    size_t tensor, pieces;
    struct piece *piece;
};

static int compare_groups(const void *a, const void *b)
{
    const struct group *x = a, *y = b;

    return ORDER(x->piece[0].begin, y->piece[0].begin) ?: ORDER(x->tensor, y->tensor);
}

/* A buffer a group, in the order in which they are born.  */
static void add_buffers(struct instance *instance, struct loop_layout *layout)
{
    struct group *group = memory_alloc(layout->tensors, sizeof *group);
    size_t count = 0;

    for (size_t i = 0; i < layout->tensors; i++) {
        if (layout->tensor[i].group != i || layout->tensor[i].block != SIZE_MAX)
            continue;
        group[count].tensor = i;
        group[count].pieces = loop_group_pieces(layout, i, &group[count].piece);
        count++;
    }
    qsort(group, count, sizeof *group, compare_groups);
    for (size_t i = 0; i < count; i++) {
        struct loop_tensor *tensor = &layout->tensor[group[i].tensor];
        char *id = instance_clean_id(tensor->id);

        tensor->buffer = instance_add_pieces(instance, id, group[i].piece, group[i].pieces, 1);
        free(id);
        free(group[i].piece);
    }
    free(group);
}

static bool lay_out(struct loop_layout *layout, const struct schedule *schedule,
                    struct error *error)
{
    if (!network_check(layout->network, error) || !schedule_check(schedule, layout->network, error))
        return false;
    if (!schedule->serial)
        return error_set(error, "network '%s' has loops, which take one operator a step",
                         layout->network->name);
    if (!loop_build_frames(layout, schedule, error))
        return false;
    loop_find_spans(layout);
    if (layout->options.subgraphs != SUBGRAPHS_BLOCK)
        loop_share(layout);
    else if (!loop_make_blocks(layout, error))
        return false;
    loop_build_views(layout);
    return count_frame(layout, 0, &layout->copies) ||
           error_set(error, "the bytes that its loops copy overflow 64 bits");
}

struct instance *loops_instance(struct network *network, struct schedule *schedule,
                                const struct lifetime_options *lifetimes,
                                const struct loop_options *options, struct error *error)
{
    struct loop_layout *layout = memory_zalloc(1, sizeof *layout);
    struct instance *instance;
    bool good;

    layout->network = network;
    layout->options = *options;
    layout->lifetimes = *lifetimes;
    good = lay_out(layout, schedule, error);
    schedule_free(schedule);
    if (!good) {
        error_prefix(error, "network '%s'", network->name);
        layout_free(layout);
        return NULL;
    }
    instance = instance_new(network->name);
    instance->loops = layout;
    instance->loops_free = layout_free;
    add_buffers(instance, layout);
    if (options->subgraphs == SUBGRAPHS_BUFFERS)
        layout->nest = loop_nest(layout, instance->n);
    instance_make_ids_unique(instance);
    if (instance_seal(instance, NULL, error))
        return instance;
    error_prefix(error, "network '%s'", network->name);
    instance_free(instance);
    return NULL;
}
