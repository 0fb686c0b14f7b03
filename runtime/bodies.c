/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "runtime/bodies.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/graph/computation.h"
#include "lib/graph/control.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "runtime/memory.h"
#include "runtime/run.h"

/* One body.  */
struct lane {
    const struct body *body;
    struct schedule *schedule;
    struct run_memory *memory;
    struct run *run;
    void **next; /* of each input that is carried, what it is in the next iteration */
};

struct bodies {
    const struct network_op *op;
    struct lane *lane;
};

/* --- what ONNX's operators say beside --- */

/* Input I of the text, as one of the operator's; NETWORK_NONE where there is none.  */
static size_t named_input(const struct network_op *op, const char *name, size_t i)
{
    const struct computation *computation = op->computation;

    if (computation == NULL || strcmp(computation->name, name) != 0 || i >= computation->inputs)
        return NETWORK_NONE;
    return computation->input[i];
}

/* What decides after an iteration of a Loop whether there is another one: the second input of its
 * body; NULL for other loops.  */
static const struct body_input *condition_of(const struct network_op *op)
{
    const struct body *body = &op->control->body[0];

    if (op->computation == NULL || strcmp(op->computation->name, "Loop") != 0 || body->inputs < 2 ||
        body->input[1].kind != ENTRY_CARRIED)
        return NULL;
    return &body->input[1];
}

bool bodies_accept(const struct network_op *op, struct error *error)
{
    const struct control *control = op->control;

    if (!control->loop && named_input(op, "If", 0) == NETWORK_NONE)
        return error_set(error, "%s: nothing says which branch is taken", op->type);
    if (control->loop && control->may_stop && condition_of(op) == NULL)
        return error_set(error, "%s: nothing says when it ends", op->type);
    for (size_t b = 0; b < control->bodies; b++)
        if (!run_check(control->body[b].network, error))
            return error_prefix(error, "%s: in a body", op->type);
    return true;
}

/* --- making them --- */

/* Images may lie in blocks where they are; all else is read where it lies.  */
static bool is_read_in_place(const struct body_input *entry, const struct tensor *const *input)
{
    return entry->kind == ENTRY_CAPTURE &&
           !(input[entry->slot]->rank == 4 && input[entry->slot]->dtype == DTYPE_F32);
}

static bool make_lane(struct lane *lane, const struct body *body, const struct tensor *const *input,
                      const struct run_options *options, struct error *error)
{
    void **given = memory_zalloc(body->network->n_values, sizeof *given);

    for (size_t i = 0; i < body->inputs; i++)
        if (is_read_in_place(&body->input[i], input))
            given[body->input[i].value] = input[body->input[i].slot]->data;
    *lane = (struct lane){
        .body = body,
        .schedule = schedule_file_order(body->network),
        .memory = run_memory_beside(body->network, given),
        .next = memory_zalloc(body->inputs, sizeof *lane->next),
    };
    free(given);
    for (size_t i = 0; i < body->inputs; i++)
        if (body->input[i].kind == ENTRY_CARRIED)
            lane->next[i] =
                memory_alloc((size_t)value_bytes(&body->network->value[body->input[i].value]), 1);
    lane->run = run_new(body->network, lane->schedule, lane->memory, options, error);
    return lane->run != NULL;
}

struct bodies *bodies_new(const struct network_op *op, const struct tensor *const *input,
                          const struct run_options *options, struct error *error)
{
    struct bodies *bodies = memory_zalloc(1, sizeof *bodies);

    bodies->op = op;
    bodies->lane = memory_zalloc(op->control->bodies, sizeof *bodies->lane);
    for (size_t b = 0; b < op->control->bodies; b++)
        if (!make_lane(&bodies->lane[b], &op->control->body[b], input, options, error)) {
            bodies_free(bodies);
            return NULL;
        }
    return bodies;
}

static void free_lane(struct lane *lane)
{
    run_free(lane->run);
    run_memory_free(lane->memory);
    schedule_free(lane->schedule);
    for (size_t i = 0; lane->next != NULL && i < lane->body->inputs; i++)
        free(lane->next[i]);
    free(lane->next);
}

void bodies_free(struct bodies *bodies)
{
    if (bodies == NULL)
        return;
    for (size_t b = 0; b < bodies->op->control->bodies; b++)
        free_lane(&bodies->lane[b]);
    free(bodies->lane);
    free(bodies);
}

/* --- what they are made of --- */

static int64_t bytes_of(const struct lane *lane, size_t value)
{
    return value_bytes(&lane->body->network->value[value]);
}

static void count_lane(const struct lane *lane, struct run_facts *facts)
{
    const struct run_facts own = run_facts(lane->run);

    if (facts->others == 0 && own.others > 0)
        memcpy(facts->reason, own.reason, sizeof facts->reason);
    facts->operators += own.operators;
    facts->idle += own.idle;
    facts->convolutions += own.convolutions;
    facts->others += own.others;
    facts->scratch_bytes += own.scratch_bytes;
    facts->workspace_bytes = max64(facts->workspace_bytes, own.workspace_bytes);
    facts->weight_bytes += own.weight_bytes;
    facts->body_bytes += lane->memory->own_bytes + own.body_bytes;
    for (size_t i = 0; i < lane->body->inputs; i++)
        if (lane->next[i] != NULL)
            facts->body_bytes += bytes_of(lane, lane->body->input[i].value);
}

void bodies_count(const struct bodies *bodies, struct run_facts *facts)
{
    for (size_t b = 0; b < bodies->op->control->bodies; b++)
        count_lane(&bodies->lane[b], facts);
}

/* In one use: what enter() and carry_on() copy as input I.  */
static int64_t entering_bytes(const struct lane *lane, size_t i, const struct tensor *const *input,
                              int64_t trips)
{
    const struct body_input *entry = &lane->body->input[i];
    int64_t bytes = bytes_of(lane, entry->value);

    switch (entry->kind) {
    case ENTRY_CAPTURE:
        return input[entry->slot]->data == lane->memory->value[entry->value] ? 0 : bytes;
    case ENTRY_CARRIED:
        /* In and out again, but what the loop begins with of its own.  */
        return capped_mul(bytes, 2 * trips - (entry->slot == NETWORK_NONE));
    case ENTRY_SLICE:
        return capped_mul(bytes, trips);
    case ENTRY_COUNTER:
        break;
    }
    return 0;
}

static int64_t copied_by_lane(const struct lane *lane, const struct tensor *const *input,
                              const struct tensor *const *output, int64_t trips)
{
    int64_t bytes = capped_mul(run_facts(lane->run).copied_bytes, trips);

    for (size_t i = 0; i < lane->body->inputs; i++)
        bytes = capped_add(bytes, entering_bytes(lane, i, input, trips));
    for (size_t i = 0; i < lane->body->outputs; i++) {
        const struct body_output *exit = &lane->body->output[i];
        int64_t times = exit->kind == LEAVE_STACK ? trips : 1;

        if (output[exit->slot] != NULL)
            bytes = capped_add(bytes, capped_mul(bytes_of(lane, exit->value), times));
    }
    return bytes;
}

int64_t bodies_copied(const struct bodies *bodies, const struct tensor *const *input,
                      const struct tensor *const *output)
{
    const struct control *control = bodies->op->control;
    int64_t most = 0;

    for (size_t b = 0; b < control->bodies; b++)
        most = max64(most, copied_by_lane(&bodies->lane[b], input, output, control->trips));
    return most;
}

/* --- what enters and leaves --- */

/* Slice INDEX of WHOLE along AXIS: into PART, or from there.  */
static void move_slice(const struct tensor *whole, int axis, int64_t index, char *part, bool out)
{
    size_t outer = 1, row = dtype_size(whole->dtype), length = (size_t)whole->dim[axis];

    for (int d = 0; d < whole->rank; d++)
        if (d < axis)
            outer *= (size_t)whole->dim[d];
        else if (d > axis)
            row *= (size_t)whole->dim[d];
    for (size_t o = 0; o < outer; o++) {
        char *slice = (char *)whole->data + (o * length + (size_t)index) * row;

        if (out)
            memcpy(slice, part + o * row, row);
        else
            memcpy(part + o * row, slice, row);
    }
}

static void enter_counter(const struct value *value, void *memory, int64_t t)
{
    if (value->dtype == DTYPE_I32)
        *(int32_t *)memory = (int32_t)t;
    else
        *(int64_t *)memory = t;
}

/* What the body finds in iteration T of TRIPS.  */
static void enter(const struct lane *lane, const struct tensor *const *input, int64_t t,
                  int64_t trips)
{
    const struct network *network = lane->body->network;

    for (size_t i = 0; i < lane->body->inputs; i++) {
        const struct body_input *entry = &lane->body->input[i];
        const struct tensor *from = entry->slot == NETWORK_NONE ? NULL : input[entry->slot];
        void *to = lane->memory->value[entry->value];
        size_t bytes = (size_t)value_bytes(&network->value[entry->value]);

        if (entry->kind == ENTRY_COUNTER)
            enter_counter(&network->value[entry->value], to, t);
        else if (entry->kind == ENTRY_SLICE)
            move_slice(from, entry->axis, entry->reverse ? trips - 1 - t : t, to, false);
        else if (entry->kind == ENTRY_CARRIED && t > 0)
            memcpy(to, lane->next[i], bytes);
        else if (from == NULL)
            memset(to, 1, bytes); /* a condition that is true */
        else if (t == 0 && from->data != to)
            memcpy(to, from->data, bytes);
    }
}

/* All are read before one of them enters: a next value may be another input.  */
static void carry_on(const struct lane *lane)
{
    for (size_t i = 0; i < lane->body->inputs; i++) {
        const struct body_input *entry = &lane->body->input[i];

        if (entry->kind == ENTRY_CARRIED)
            memcpy(lane->next[i], lane->memory->value[entry->next],
                   (size_t)value_bytes(&lane->body->network->value[entry->next]));
    }
}

static void leave(const struct lane *lane, enum leave kind, const struct tensor *const *output,
                  int64_t t, int64_t trips)
{
    for (size_t i = 0; i < lane->body->outputs; i++) {
        const struct body_output *exit = &lane->body->output[i];
        const struct tensor *to = output[exit->slot];
        char *from = lane->memory->value[exit->value];

        if (exit->kind != kind || to == NULL)
            continue;
        if (kind == LEAVE_STACK)
            move_slice(to, exit->axis, exit->reverse ? trips - 1 - t : t, from, true);
        else
            memcpy(to->data, from, (size_t)tensor_elements(to) * dtype_size(to->dtype));
    }
}

/* --- loops --- */

static bool stacks(const struct body *body)
{
    for (size_t i = 0; i < body->outputs; i++)
        if (body->output[i].kind == LEAVE_STACK)
            return true;
    return false;
}

/* Iteration T of those that end by a condition: whether another one follows.  */
static bool goes_on(const struct bodies *bodies)
{
    const struct body_input *condition = condition_of(bodies->op);

    return condition == NULL || *(bool *)bodies->lane[0].memory->value[condition->next];
}

/* Of a Loop, the most iterations that its inputs allow.  */
static bool find_most(const struct bodies *bodies, const struct tensor *const *input, int64_t *most,
                      struct error *error)
{
    const struct control *control = bodies->op->control;
    size_t count = named_input(bodies->op, "Loop", 0), first = named_input(bodies->op, "Loop", 1);

    *most = control->trips;
    if (count != NETWORK_NONE)
        *most = tensor_integer(input[count], 0);
    if (*most < 1 || (first != NETWORK_NONE && tensor_integer(input[first], 0) == 0))
        return error_set(error, "it has no iteration");
    return true;
}

static bool wrong_end(const struct control *control, int64_t done, struct error *error)
{
    return error_set(error, "it ended after %" PRId64 " iterations, and was read for %" PRId64,
                     done, control->trips);
}

static bool run_loop(const struct bodies *bodies, const struct tensor *const *input,
                     const struct tensor *const *output, struct error *error)
{
    const struct control *control = bodies->op->control;
    const struct lane *lane = &bodies->lane[0];
    int64_t most, done = 0;
    bool more = true;

    if (!find_most(bodies, input, &most, error))
        return false;
    while (more && done < control->trips) {
        enter(lane, input, done, control->trips);
        if (!run_once(lane->run, error))
            return error_prefix(error, "iteration %" PRId64, done);
        leave(lane, LEAVE_STACK, output, done, control->trips);
        carry_on(lane);
        more = ++done < most && goes_on(bodies);
    }
    if (more)
        return error_set(error, "it goes on after %" PRId64 " iterations, and was read for no more",
                         done);
    if (done < control->trips && stacks(lane->body))
        return wrong_end(control, done, error);
    leave(lane, LEAVE_LAST, output, 0, control->trips);
    return true;
}

bool bodies_run(const struct bodies *bodies, const struct tensor *const *input,
                const struct tensor *const *output, struct error *error)
{
    const struct lane *lane;
    size_t condition;

    if (bodies->op->control->loop)
        return run_loop(bodies, input, output, error);
    condition = named_input(bodies->op, "If", 0);
    lane = &bodies->lane[tensor_integer(input[condition], 0) != 0 ? 0 : 1];
    enter(lane, input, 0, 1);
    if (!run_once(lane->run, error))
        return false;
    leave(lane, LEAVE_LAST, output, 0, 1);
    return true;
}
