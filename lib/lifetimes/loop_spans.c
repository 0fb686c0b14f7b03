/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When tensors are in use: every read, in every copy of every body, of every
 * value, followed back to the tensor that holds it.
 *
 * Iterations are looked at modulo the unroll factor.  A read in copy c stands
 * for those in iterations c, c + k, c + 2k and so on; the first few of them may
 * read initial values, the others are all alike.  */
#include <config.h>

#include <assert.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/lifetimes/loop_layout.h"
#include "lib/problem/instance.h"

/* For whom a value is read.  */
struct reader {
    size_t entry, tag; /* as in struct loop_span */
    bool leaves;
};

static const struct reader plainly = {SIZE_MAX, 0, false};

/* Adds [BEGIN, END) to what TENSOR's spans cover.  */
static void hold(struct loop_layout *layout, size_t tensor, int64_t begin, int64_t end, size_t wrap,
                 struct reader reader)
{
    struct loop_tensor *held;

    if (tensor == SIZE_MAX)
        return;
    held = &layout->tensor[tensor];
    for (size_t i = 0; i < held->spans; i++) {
        struct loop_span *span = &held->span[i];

        if (span->begin == begin && span->wrap == wrap && span->entry == reader.entry &&
            span->tag == reader.tag && span->leaves == reader.leaves) {
            span->end = max64(span->end, end);
            return;
        }
    }
    held->span = memory_grow(held->span, &held->capacity, held->spans + 1, sizeof *held->span);
    held->span[held->spans++] =
        (struct loop_span){begin, end, wrap, reader.entry, reader.tag, reader.leaves};
}

void loop_hold(struct loop_layout *layout, size_t tensor, int64_t begin, int64_t end)
{
    hold(layout, tensor, begin, end, SIZE_MAX, plainly);
}

/* The iterations that stand for copy C of FRAME: C + I * copies, I below this.  */
static int64_t samples(const struct loop_frame *frame)
{
    return (int64_t)(frame->depth / frame->copies) + 2;
}

/* Sample I of copy C, -1 when the loop ends before.  */
static int64_t sample(const struct loop_frame *frame, size_t c, int64_t i)
{
    int64_t t = (int64_t)c + i * (int64_t)frame->copies;

    return t < frame->trips ? t : -1;
}

static size_t tensor_of(const struct loop_frame *frame, size_t c, size_t value)
{
    return frame->tensor[c * frame->network->n_values + value];
}

/* --- places that are written --- */

/* VALUE of copy C of frame F is being written, or is there, during [BEGIN, END)
 * of the same iteration.  Stacks are in use as long as their loop runs.  */
static void occupy(struct loop_layout *layout, size_t f, size_t c, size_t value, int64_t begin,
                   int64_t end)
{
    const struct loop_frame *frame = &layout->frame[f];
    const struct loop_frame *above;

    if (frame->place[value] == PLACE_OWN) {
        hold(layout, tensor_of(frame, c, value), begin, end, SIZE_MAX, plainly);
    } else if (frame->place[value] == PLACE_HOME && !frame->control->loop) {
        above = &layout->frame[frame->parent];
        occupy(layout, frame->parent, frame->parent_copy,
               above->network->op[frame->op].output[frame->home[value]->slot], begin, end);
    }
}

/* Whether output SLOT of a loop is a stack, which is there from the beginning.  */
static bool is_stack(const struct control *control, size_t slot)
{
    for (size_t i = 0; i < control->body[0].outputs; i++)
        if (control->body[0].output[i].slot == slot)
            return control->loop && control->body[0].output[i].kind == LEAVE_STACK;
    return false;
}

static size_t slot_of(const struct network_op *op, size_t value)
{
    size_t slot = 0;

    while (op->output[slot] != value)
        slot++;
    return slot;
}

/* The step at which VALUE of copy C begins to be.  */
static int64_t made_step(const struct loop_layout *layout, const struct loop_frame *frame, size_t c,
                         size_t value)
{
    size_t producer = frame->network->value[value].producer;
    const struct network_op *op;
    size_t at;

    if (producer == NETWORK_NONE)
        return loop_copy_begin(frame, c); /* a slice that is copied at the head */
    op = &frame->network->op[producer];
    at = c * frame->network->n_ops + producer;
    if (op->control == NULL || is_stack(op->control, slot_of(op, value)))
        return frame->step[at];
    return layout->frame[frame->child[at]].exit;
}

/* --- places that are read --- */

static void touch(struct loop_layout *layout, size_t f, size_t value, int64_t made, int64_t read,
                  int64_t step, struct reader reader);

/* VALUE of the parent of frame F, in the copy in which F stands.  */
static void touch_parent(struct loop_layout *layout, size_t f, size_t value, int64_t step,
                         struct reader reader)
{
    const struct loop_frame *frame = &layout->frame[f];
    const struct loop_frame *above = &layout->frame[frame->parent];

    for (int64_t i = 0; i < samples(above); i++) {
        int64_t t = sample(above, frame->parent_copy, i);

        if (t >= 0)
            touch(layout, frame->parent, value, t, t, step, reader);
    }
}

/* The input of the operator of frame F, a body, that INPUT comes from.  */
static size_t outer_input(const struct loop_layout *layout, const struct loop_frame *frame,
                          const struct body_input *input)
{
    return layout->frame[frame->parent].network->op[frame->op].input[input->slot];
}

/* What a carried value starts with.  Cycles keep initial values for ever: that
 * is seen to where their loop stands.  */
static void touch_initial(struct loop_layout *layout, size_t f, size_t value, int64_t step)
{
    const struct loop_frame *frame = &layout->frame[f];
    const struct body_input *input = frame->input[value];

    if (input->slot != NETWORK_NONE && !frame->cyclic[value])
        touch_parent(layout, f, outer_input(layout, frame, input), step,
                     (struct reader){f, value, false});
}

static void touch_own(struct loop_layout *layout, size_t f, size_t value, int64_t made,
                      int64_t read, int64_t step, struct reader reader)
{
    const struct loop_frame *frame = &layout->frame[f];
    int64_t copies = (int64_t)frame->copies;
    size_t c = (size_t)(made % copies), tensor = tensor_of(frame, c, value);
    int64_t begin = made_step(layout, frame, c, value);

    if (read / copies == made / copies) {
        hold(layout, tensor, begin, step + 1, SIZE_MAX, reader);
        return;
    }
    assert(read / copies == made / copies + 1);
    hold(layout, tensor, begin, loop_copy_begin(frame, frame->copies), SIZE_MAX, plainly);
    hold(layout, tensor, frame->first, step + 1, f, reader);
}

/* VALUE as it is in iteration MADE is read at STEP, which is in iteration READ.  */
static void touch(struct loop_layout *layout, size_t f, size_t value, int64_t made, int64_t read,
                  int64_t step, struct reader reader)
{
    const struct loop_frame *frame = &layout->frame[f];
    size_t c = (size_t)(read % (int64_t)frame->copies);

    value = frame->root[value];
    for (; frame->place[value] == PLACE_CARRIED; made--) {
        if (made == 0) {
            touch_initial(layout, f, value, step);
            return;
        }
        value = frame->root[frame->input[value]->next];
    }
    switch (frame->place[value]) {
    case PLACE_OWN:
        touch_own(layout, f, value, made, read, step, reader);
        break;
    case PLACE_SLOT:
        hold(layout, frame->tensor[value], c == 0 ? frame->entry : loop_copy_last(frame, c - 1),
             step + 1, SIZE_MAX, reader);
        break;
    case PLACE_STATIC:
        hold(layout, frame->tensor[value], 0, step + 1, SIZE_MAX, plainly);
        break;
    case PLACE_CAPTURE:
        /* What a loop captures is kept until it is left.  */
        if (!frame->control->loop)
            touch_parent(layout, f, outer_input(layout, frame, frame->input[value]), step, reader);
        break;
    case PLACE_NONE:
    case PLACE_HOME:
    case PLACE_SLICE:
    case PLACE_CARRIED:
        break;
    }
}

/* VALUE as it is in iteration T, the last one, is copied when frame F is left.  */
static void touch_leaving(struct loop_layout *layout, size_t f, size_t value, int64_t t)
{
    const struct loop_frame *frame = &layout->frame[f];
    struct loop_region region = loop_region_at(layout, frame, value, t);

    if (region.kind == REGION_TENSOR)
        hold(layout, region.base, frame->exit, frame->exit + 1, SIZE_MAX,
             (struct reader){f, 0, true});
    else if (region.kind == REGION_PARENT)
        touch_parent(layout, f, region.base, frame->exit, plainly);
}

/* --- operators --- */

static void touch_control(struct loop_layout *layout, size_t f, size_t c, int64_t t, size_t o)
{
    const struct network_op *op = &layout->frame[f].network->op[o];
    const struct loop_frame *child =
        &layout->frame[layout->frame[f].child[c * layout->frame[f].network->n_ops + o]];

    for (size_t i = 0; i < op->inputs; i++)
        touch(layout, f, op->input[i], t, t, child->entry, plainly);
    for (size_t i = 0; i < child->body->inputs && op->control->loop; i++) {
        const struct body_input *input = &child->body->input[i];

        if (input->slot != NETWORK_NONE &&
            (input->kind != ENTRY_CARRIED || child->cyclic[input->value]))
            touch(layout, f, op->input[input->slot], t, t, child->exit, plainly);
    }
    for (size_t i = 0; i < op->outputs; i++)
        occupy(layout, f, c, op->output[i], is_stack(op->control, i) ? child->entry : child->exit,
               child->exit + 1);
}

static void touch_op(struct loop_layout *layout, size_t f, size_t c, int64_t t, size_t o)
{
    const struct loop_frame *frame = &layout->frame[f];
    const struct network_op *op = &frame->network->op[o];
    int64_t step = frame->step[c * frame->network->n_ops + o];

    if (op->control != NULL) {
        touch_control(layout, f, c, t, o);
        return;
    }
    for (size_t i = 0; i < op->inputs; i++)
        touch(layout, f, op->input[i], t, t, step, plainly);
    for (size_t i = 0; i < op->outputs; i++)
        occupy(layout, f, c, op->output[i], step, step + 1);
}

/* --- bodies --- */

/* What has to be there at the end of iteration T, in copy C.  */
static void touch_end(struct loop_layout *layout, size_t f, size_t c, int64_t t)
{
    const struct loop_frame *frame = &layout->frame[f];
    int64_t last = loop_copy_last(frame, c);

    for (size_t i = 0; i < frame->body->inputs; i++)
        if (frame->body->input[i].kind == ENTRY_CARRIED)
            touch(layout, f, frame->body->input[i].next, t, t, last, plainly);
    for (size_t i = 0; i < frame->body->outputs; i++)
        touch(layout, f, frame->body->output[i].value, t, t, last, plainly);
}

/* What is written in copy C of a body other than by its operators.  */
static void occupy_copy(struct loop_layout *layout, size_t f, size_t c)
{
    const struct loop_frame *frame = &layout->frame[f];
    const struct network_op *op = &layout->frame[frame->parent].network->op[frame->op];
    int64_t begin = loop_copy_begin(frame, c), last = loop_copy_last(frame, c);

    for (size_t i = 0; i < frame->gathers; i++)
        occupy(layout, f, c, frame->gather[i]->value, begin, begin + 1);
    for (size_t i = 0; i < frame->moves; i++)
        hold(layout,
             frame->move[i].to == NETWORK_NONE ? frame->spare : frame->tensor[frame->move[i].to],
             last, last + 1, SIZE_MAX, plainly);
    for (size_t i = 0; i < frame->leaving; i++)
        occupy(layout, frame->parent, frame->parent_copy, op->output[frame->leave[i]->slot], last,
               last + 1);
    if (frame->control->loop)
        return;
    for (size_t v = 0; v < frame->network->n_values; v++)
        if (frame->place[v] == PLACE_HOME)
            occupy(layout, f, c, v, made_step(layout, frame, c, v), last + 1);
}

static void touch_body(struct loop_layout *layout, size_t f)
{
    const struct loop_frame *frame = &layout->frame[f];
    const struct network_op *op = &layout->frame[frame->parent].network->op[frame->op];

    for (size_t c = 0; c < frame->copies; c++) {
        occupy_copy(layout, f, c);
        for (int64_t i = 0; i < samples(frame); i++)
            if (sample(frame, c, i) >= 0)
                touch_end(layout, f, c, sample(frame, c, i));
    }
    for (size_t v = 0; v < frame->network->n_values; v++)
        if (frame->place[v] == PLACE_SLOT)
            hold(layout, frame->tensor[v], frame->entry, frame->entry + 1, SIZE_MAX, plainly);
    for (size_t i = 0; i < frame->body->outputs && frame->control->loop; i++) {
        const struct body_output *output = &frame->body->output[i];
        int64_t ends = frame->control->may_stop ? frame->trips : 1;

        if (output->kind != LEAVE_LAST ||
            !loop_output_counts(
                &layout->frame[frame->parent].network->value[op->output[output->slot]]))
            continue;
        /* A loop that may stop can end in any copy, and early.  */
        ends = min64(ends, (int64_t)(frame->depth + frame->copies));
        for (int64_t back = 1; back <= ends; back++) {
            touch_leaving(layout, f, output->value, frame->trips - back);
            if (frame->control->may_stop)
                touch_leaving(layout, f, output->value, back - 1);
        }
    }
}

/* Stored values and outputs of the network itself.  */
static void touch_network(struct loop_layout *layout)
{
    const struct loop_frame *frame = &layout->frame[0];

    for (size_t v = 0; v < frame->network->n_values; v++) {
        size_t root = frame->root[v];

        if (frame->place[root] == PLACE_STATIC)
            hold(layout, frame->tensor[root], 0, 1, SIZE_MAX, plainly);
        if (frame->network->value[v].output)
            touch(layout, 0, v, 0, 0, layout->steps - 1, plainly);
    }
}

static void touch_stored(struct loop_layout *layout, const struct loop_frame *frame)
{
    for (size_t v = 0; v < frame->network->n_values; v++)
        if (frame->place[v] == PLACE_STATIC && frame->network->value[v].role != VALUE_INPUT) {
            hold(layout, frame->tensor[v], 0, layout->steps, SIZE_MAX, plainly);
            layout->tensor[frame->tensor[v]].stored = true;
        }
}

void loop_find_spans(struct loop_layout *layout)
{
    touch_network(layout);
    for (size_t f = 0; f < layout->frames; f++) {
        const struct loop_frame *frame = &layout->frame[f];

        touch_stored(layout, frame);
        for (size_t c = 0; c < frame->copies; c++)
            for (int64_t i = 0; i < samples(frame); i++)
                for (size_t o = 0; o < frame->network->n_ops && sample(frame, c, i) >= 0; o++)
                    touch_op(layout, f, c, sample(frame, c, i), o);
        if (frame->body != NULL)
            touch_body(layout, f);
    }
}

/* --- groups --- */

static int compare_pieces(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;

    return ORDER(x->begin, y->begin);
}

size_t loop_group_pieces(const struct loop_layout *layout, size_t tensor, struct piece **piece)
{
    size_t first = loop_group(layout, tensor), count = 0, capacity = 0, kept = 0;
    struct piece *all = NULL;

    for (size_t i = first; i != SIZE_MAX; i = layout->tensor[i].next)
        for (size_t j = 0; j < layout->tensor[i].spans; j++) {
            const struct loop_span *span = &layout->tensor[i].span[j];

            all = memory_grow(all, &capacity, count + 1, sizeof *all);
            all[count++] =
                (struct piece){span->begin, span->end, 0, layout->tensor[first].size, true};
        }
    if (count > 0)
        qsort(all, count, sizeof *all, compare_pieces);
    for (size_t i = 0; i < count; i++) {
        if (kept > 0 && all[i].begin <= all[kept - 1].end)
            all[kept - 1].end = max64(all[kept - 1].end, all[i].end);
        else
            all[kept++] = all[i];
    }
    *piece = all;
    return kept;
}
