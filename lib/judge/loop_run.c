/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A network with loops while it runs: operators, iterations, what enters and
 * what leaves.  */
#include <config.h>

#include "lib/judge/loop_run.h"

#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"

/* What an operator costs beside its cells: contents stay until the end, so this
 * also bounds memory, to about two million of them.  */
static const int64_t work_of_operator = 1024;

/* --- one iteration --- */

static bool run_control(struct running *running, size_t o);

static bool run_op(struct running *running, size_t o)
{
    const struct network_op *op = &running->frame->network->op[o];

    if (replay_is_too_much(running->replay))
        return false;
    running->replay->work += work_of_operator;
    if (op->control != NULL)
        return run_control(running, o);
    for (size_t i = 0; i < op->outputs; i++) {
        size_t output = op->output[i], root = running->frame->root[output];

        if (root != output) {
            running->holds[output] = running->holds[root];
            continue;
        }
        running->holds[output] = content_made(&running->replay->pool);
        running_write(running, output);
    }
    for (size_t i = 0; i < op->inputs; i++)
        if (!running_read(running, op->input[i], "read it"))
            return false;
    for (size_t i = 0; i < op->outputs; i++)
        if (!running_read(running, op->output[i], "had made it"))
            return false;
    return true;
}

bool running_run(struct running *running)
{
    for (size_t i = 0; i < running->frame->network->n_ops; i++)
        if (!run_op(running, running->frame->order[i]))
            return false;
    return true;
}

static size_t outer_input(const struct running *running, const struct body_input *input)
{
    return running->parent->frame->network->op[running->frame->op].input[input->slot];
}

static size_t outer_output(const struct running *running, const struct body_output *output)
{
    return running->parent->frame->network->op[running->frame->op].output[output->slot];
}

static int64_t slice_number(const struct running *running, bool reverse)
{
    return loop_slice_number(running->t, running->frame->trips, reverse);
}

/* Between a slice, contiguous at LITTLE, and the stretches of its place in WHOLE.  */
static void copy_slice(struct running *running, size_t whole, int axis, bool reverse, size_t little,
                       bool in)
{
    struct loop_slices slices = running_slices(running->parent, whole, axis);
    int64_t outside = running_address(running->parent, whole),
            inside = running_address(running, little);
    int64_t number = slice_number(running, reverse);

    for (int64_t i = 0; i < slices.stretches; i++) {
        int64_t there = (i * running->frame->trips + number) * slices.stretch;
        int64_t big = outside < 0 ? outside : outside + there;
        int64_t small = inside < 0 ? inside : inside + i * slices.stretch;

        if (in)
            replay_copy(running->replay, big, small, slices.stretch, running->parent->holds[whole],
                        there);
        else
            replay_copy(running->replay, small, big, slices.stretch, running->holds[little],
                        i * slices.stretch);
    }
}

/* What enters anew in every iteration.  */
static bool enter_iteration(struct running *running)
{
    const struct body *body = running->frame->body;

    if (replay_is_too_much(running->replay))
        return false;
    running->replay->work += work_of_operator;
    for (size_t i = 0; i < body->inputs; i++) {
        const struct body_input *input = &body->input[i];

        if (input->kind == ENTRY_COUNTER)
            running->holds[input->value] = content_made(&running->replay->pool);
        if (input->kind == ENTRY_CAPTURE)
            running->holds[input->value] = running->parent->holds[outer_input(running, input)];
        if (input->kind == ENTRY_SLICE) {
            size_t whole = outer_input(running, input);

            running->holds[input->value] =
                content_slice(&running->replay->pool, running->parent->holds[whole],
                              running->frame->trips, slice_number(running, input->reverse),
                              running_slices(running->parent, whole, input->axis).stretch);
        }
    }
    for (size_t i = 0; i < running->frame->gathers; i++) {
        const struct body_input *input = running->frame->gather[i];

        copy_slice(running, outer_input(running, input), input->axis, input->reverse, input->value,
                   true);
        if (!running_read(running, input->value, "had gathered it"))
            return false;
    }
    return true;
}

/* Checks what leaves, or will, and copies what is copied at the end.  */
static bool leave_iteration(struct running *running, struct content **stack)
{
    const struct loop_frame *frame = running->frame;

    for (size_t i = 0; i < frame->body->outputs; i++) {
        const struct body_output *output = &frame->body->output[i];

        if (!loop_output_counts(
                &running->parent->frame->network->value[outer_output(running, output)]))
            continue;
        if (!running_read(running, output->value, "ended"))
            return false;
        if (output->kind == LEAVE_STACK)
            content_put(stack[output->slot], slice_number(running, output->reverse),
                        running->holds[output->value]);
    }
    for (size_t i = 0; i < frame->leaving; i++) {
        const struct body_output *output = frame->leave[i];

        if (frame->control->loop)
            copy_slice(running, outer_output(running, output), output->axis, output->reverse,
                       output->value, false);
        else
            replay_copy(running->replay, running_address(running, output->value),
                        running_address(running->parent, outer_output(running, output)),
                        running_cells(running, output->value), running->holds[output->value], 0);
    }
    return true;
}

/* The moves at the end of an iteration that is not the last.  */
static void move_values(struct running *running)
{
    const struct loop_frame *frame = running->frame;
    const struct content *spare = NULL;
    int64_t spare_at =
        frame->spare == SIZE_MAX ? -1 : replay_address(running->replay, frame->spare);

    for (size_t i = 0; i < frame->moves; i++) {
        struct loop_move move = frame->move[i];
        size_t sized = move.to == NETWORK_NONE ? move.from : move.to;
        int64_t from = move.from == NETWORK_NONE ? spare_at : running_address(running, move.from);
        int64_t to = move.to == NETWORK_NONE ? spare_at : running_address(running, move.to);

        if (move.from != NETWORK_NONE)
            spare = running->holds[move.from];
        replay_copy(running->replay, from, to, running_cells(running, sized), spare, 0);
    }
}

/* From iteration to iteration.  */
static bool carry_on(struct running *running, bool last)
{
    const struct loop_frame *frame = running->frame;
    const struct body *body = frame->body;
    const struct content **next = memory_alloc(body->inputs, sizeof *next);
    bool good = true;

    for (size_t i = 0; i < body->inputs && good; i++) {
        if (body->input[i].kind != ENTRY_CARRIED)
            continue;
        next[i] = running->holds[body->input[i].next];
        good = running_read(running, body->input[i].next, "carried it on");
    }
    if (good && !last) {
        move_values(running);
        running->t++;
        for (size_t i = 0; i < body->inputs; i++)
            if (body->input[i].kind == ENTRY_CARRIED)
                running->holds[body->input[i].value] = next[i];
        for (size_t i = 0; i < body->inputs && good; i++)
            if (frame->place[body->input[i].value] == PLACE_SLOT)
                good = running_read(running, body->input[i].value, "had it copied");
    }
    free(next);
    return good;
}

/* --- loops and branches --- */

/* What is carried into the first iteration.  */
static bool enter_loop(struct running *running)
{
    const struct loop_frame *frame = running->frame;

    for (size_t i = 0; i < frame->body->inputs; i++) {
        const struct body_input *input = &frame->body->input[i];
        size_t outer = input->slot == NETWORK_NONE ? NETWORK_NONE : outer_input(running, input);

        if (input->kind != ENTRY_CARRIED)
            continue;
        running->holds[input->value] = outer == NETWORK_NONE ? content_made(&running->replay->pool)
                                                             : running->parent->holds[outer];
        if (frame->place[input->value] != PLACE_SLOT)
            continue;
        replay_copy(running->replay,
                    outer == NETWORK_NONE ? -1 : running_address(running->parent, outer),
                    running_address(running, input->value), running_cells(running, input->value),
                    running->holds[input->value], 0);
        if (!running_read(running, input->value, "had it copied in"))
            return false;
    }
    return true;
}

/* Hands the outputs over to the parent.  */
static bool leave_control(struct running *running, struct content **stack)
{
    const struct loop_frame *frame = running->frame;

    for (size_t i = 0; i < frame->body->outputs; i++) {
        const struct body_output *output = &frame->body->output[i];
        size_t outer = outer_output(running, output);
        bool last = output->kind == LEAVE_LAST;

        running->parent->holds[outer] = last ? running->holds[output->value] : stack[output->slot];
        if (!loop_output_counts(&running->parent->frame->network->value[outer]))
            continue;
        if (last && frame->control->loop && !loop_stays(running->replay->layout, frame, output)) {
            if (!running_read(running, output->value, "was copied out"))
                return false;
            replay_copy(running->replay, running_address(running, output->value),
                        running_address(running->parent, outer),
                        running_cells(running, output->value), running->holds[output->value], 0);
        }
        if (!running_read(running->parent, outer, "had left it"))
            return false;
    }
    return true;
}

/* Runs the body of RUNNING, TRIPS times.  */
static bool run_body(struct running *running, int64_t trips)
{
    const struct loop_frame *frame = running->frame;
    const struct network_op *op = &running->parent->frame->network->op[frame->op];
    struct content **stack = memory_zalloc(op->outputs, sizeof *stack);
    bool good = true;

    for (size_t i = 0; i < frame->body->outputs; i++) {
        const struct body_output *output = &frame->body->output[i];

        if (output->kind == LEAVE_STACK)
            stack[output->slot] = content_stack(
                &running->replay->pool, frame->trips,
                running_slices(running->parent, outer_output(running, output), output->axis)
                    .stretch);
    }
    good = enter_loop(running);
    for (int64_t i = 0; i < trips && good; i++)
        good = enter_iteration(running) && running_run(running) &&
               leave_iteration(running, stack) && carry_on(running, i == trips - 1);
    good = good && leave_control(running, stack);
    free(stack);
    return good;
}

void running_hold_stored(struct running *running)
{
    const struct loop_frame *frame = running->frame;
    struct loop_replay *replay = running->replay;

    for (size_t v = 0; v < frame->network->n_values; v++) {
        if (frame->network->value[v].producer != NETWORK_NONE)
            continue;
        if (frame->place[v] == PLACE_STATIC) {
            const struct content **stored = &replay->stored[frame->tensor[v]];

            if (*stored == NULL)
                *stored = content_made(&replay->pool);
            running->holds[v] = *stored;
        } else {
            running->holds[v] = content_made(&replay->pool);
        }
    }
}

static bool run_control(struct running *running, size_t o)
{
    const struct loop_frame *frame = running->frame;
    const struct control *control = frame->network->op[o].control;
    struct loop_replay *replay = running->replay;
    size_t copy = (size_t)running->t % frame->copies, b = 0;
    struct running inside = {.replay = replay, .parent = running};
    int64_t trips = control->trips;
    bool good;

    for (size_t i = 0; i < frame->network->op[o].inputs; i++)
        if (!running_read(running, frame->network->op[o].input[i], "entered a sub-graph"))
            return false;
    if (!control->loop)
        b = (replay->branches++ + (size_t)replay->run) % control->bodies;
    if (control->may_stop)
        trips = max64(1, trips - replay->run);
    inside.frame = &replay->layout->frame[frame->child[copy * frame->network->n_ops + o] + b];
    inside.holds = memory_zalloc(inside.frame->network->n_values, sizeof *inside.holds);
    running_hold_stored(&inside);
    good = run_body(&inside, trips);
    free(inside.holds);
    return good;
}
