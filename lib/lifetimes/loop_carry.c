/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which carried values can be found where their next values were made, and how
 * often a body has to be unrolled so that all can.
 *
 * Follow a carried value x from next value to next value until one is reached
 * that is made in the body: y, DEPTH iterations back (1 when y is next to x
 * itself).  With k copies of the body y is made again k iterations after it was
 * made, at its operator's place in the order.  So x finds it untouched when
 * depth < k, or when depth = k and x is read for the last time before y's
 * operator.  A cycle of carried values, which pass initial values around, needs
 * a multiple of its length.  */
#include <config.h>

#include "lib/lifetimes/loop_layout.h"

#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/graph/control.h"
#include "lib/graph/network.h"

/* Copies of one body beyond this are refused: the flat time line is unrolled
 * in full.  */
static const int64_t most_copies = 1 << 16;

static size_t next_of(const struct loop_frame *frame, size_t value)
{
    return frame->root[frame->input[value]->next];
}

struct loop_chain loop_chain_of(const struct loop_frame *frame, size_t value)
{
    size_t at = value, steps = 0, ahead;

    /* No chain is longer than there are carried values, unless it is a cycle.  */
    while (frame->place[at] == PLACE_CARRIED && steps <= frame->body->inputs) {
        at = next_of(frame, at);
        steps++;
    }
    if (frame->place[at] != PLACE_CARRIED)
        return (struct loop_chain){steps, at, 0};
    for (ahead = next_of(frame, at), steps = 1; ahead != at; steps++)
        ahead = next_of(frame, ahead);
    return (struct loop_chain){0, NETWORK_NONE, steps};
}

/* --- when values are made and read, as places in the order of operators --- */

struct use {
    const struct loop_frame *frame;
    int64_t *made; /* of each value; -1: before the first operator */
    int64_t *read; /* the last time, -1: never */
};

static void note_read(struct use *use, size_t value, int64_t at)
{
    size_t root = use->frame->root[value];

    use->read[root] = max64(use->read[root], at);
}

static struct use find_uses(const struct loop_frame *frame)
{
    const struct network *network = frame->network;
    int64_t end = (int64_t)network->n_ops;
    struct use use = {frame, memory_alloc(network->n_values, sizeof *use.made),
                      memory_alloc(network->n_values, sizeof *use.read)};

    for (size_t v = 0; v < network->n_values; v++)
        use.made[v] = use.read[v] = -1;
    for (size_t i = 0; i < network->n_ops; i++) {
        const struct network_op *op = &network->op[frame->order[i]];

        for (size_t j = 0; j < op->inputs; j++)
            note_read(&use, op->input[j], (int64_t)i);
        for (size_t j = 0; j < op->outputs; j++)
            use.made[op->output[j]] = (int64_t)i;
    }
    /* What leaves is there at the end of the iteration.  */
    for (size_t i = 0; i < frame->body->outputs; i++)
        note_read(&use, frame->body->output[i].value, end);
    return use;
}

static void free_uses(struct use *use)
{
    free(use->made);
    free(use->read);
}

/* The copies that VALUE, carried along CHAIN, needs to be found: 0 where the
 * place of its base never is written again.  */
static size_t copies_needed(const struct use *use, size_t value, struct loop_chain chain)
{
    if (chain.base == NETWORK_NONE || use->frame->place[chain.base] != PLACE_OWN)
        return 0;
    return use->read[value] < use->made[chain.base] ? chain.depth : chain.depth + 1;
}

/* --- deciding --- */

/* The least factor with which nothing is copied; -1: above the limit.  */
static int64_t least_factor(const struct use *use)
{
    const struct loop_frame *frame = use->frame;
    int64_t most = 1, together = 1;

    for (size_t i = 0; i < frame->body->inputs; i++) {
        size_t value = frame->body->input[i].value;
        struct loop_chain chain;

        if (frame->place[value] != PLACE_CARRIED)
            continue;
        chain = loop_chain_of(frame, value);
        most = max64(most, (int64_t)copies_needed(use, value, chain));
        if (chain.cycle > 0)
            together *= (int64_t)chain.cycle / gcd64(together, (int64_t)chain.cycle);
        if (together > most_copies)
            return -1;
    }
    return (most + together - 1) / together * together;
}

/* Whether VALUE has to be copied when the body stands COPIES times.  */
static bool has_to_be_copied(const struct use *use, size_t value, size_t copies)
{
    const struct loop_frame *frame = use->frame;
    struct loop_chain chain = loop_chain_of(frame, value);

    if (chain.cycle > 0)
        return copies % chain.cycle != 0;
    /* What is copied is copied over at the end of the iteration.  */
    return frame->place[chain.base] == PLACE_SLOT || copies_needed(use, value, chain) > copies;
}

/* Turns carried values into copied ones until the others can be found.  A copy
 * at the end of the iteration is one more read.  */
static void choose_copied(struct loop_frame *frame, struct use *use, bool all)
{
    bool changed = true;

    while (changed) {
        changed = false;
        for (size_t i = 0; i < frame->body->inputs; i++) {
            size_t value = frame->body->input[i].value;

            if (frame->place[value] != PLACE_CARRIED || next_of(frame, value) == value)
                continue;
            if (!all && !has_to_be_copied(use, value, frame->copies))
                continue;
            note_read(use, next_of(frame, value), (int64_t)frame->network->n_ops);
            frame->place[value] = PLACE_SLOT;
            changed = true;
        }
    }
}

/* --- the moves, one after the other --- */

static void add_move(struct loop_frame *frame, size_t from, size_t to)
{
    frame->move[frame->moves++] = (struct loop_move){from, to};
}

/* A value is written only when nothing waits to be copied from it.  Where only
 * cycles are left, one of their values goes to the spare tensor first.  */
static void order_moves(struct loop_frame *frame)
{
    size_t inputs = frame->body->inputs, left = 0;
    size_t *waiting = memory_zalloc(frame->network->n_values, sizeof *waiting);
    size_t *from = memory_alloc(frame->network->n_values, sizeof *from);
    bool *pending = memory_zalloc(frame->network->n_values, sizeof *pending);

    for (size_t i = 0; i < inputs; i++) {
        size_t value = frame->body->input[i].value;

        if (frame->place[value] != PLACE_SLOT)
            continue;
        from[value] = next_of(frame, value);
        if (from[value] == value)
            continue;
        pending[value] = true;
        waiting[from[value]]++;
        left++;
    }
    frame->move = memory_alloc(2 * left, sizeof *frame->move);
    while (left > 0) {
        size_t before = left;

        for (size_t i = 0; i < inputs; i++) {
            size_t value = frame->body->input[i].value;

            if (!pending[value] || waiting[value] > 0)
                continue;
            add_move(frame, from[value], value);
            pending[value] = false;
            if (from[value] != NETWORK_NONE)
                waiting[from[value]]--;
            left--;
        }
        for (size_t i = 0; i < inputs && before == left; i++) {
            size_t value = frame->body->input[i].value;

            if (!pending[value])
                continue;
            /* Who waits for VALUE, exactly one, copies from the spare tensor.  */
            add_move(frame, value, NETWORK_NONE);
            for (size_t j = 0; j < inputs; j++)
                if (pending[frame->body->input[j].value] &&
                    from[frame->body->input[j].value] == value)
                    from[frame->body->input[j].value] = NETWORK_NONE;
            waiting[value] = 0;
            break;
        }
    }
    free(waiting);
    free(from);
    free(pending);
}

/* How far values are carried, and which ones hold initial values for ever.  */
static void note_chains(struct loop_frame *frame)
{
    for (size_t i = 0; i < frame->body->inputs; i++) {
        size_t value = frame->body->input[i].value;
        struct loop_chain chain;

        if (frame->place[value] != PLACE_CARRIED)
            continue;
        chain = loop_chain_of(frame, value);
        frame->cyclic[value] = chain.cycle > 0;
        if (chain.depth > frame->depth)
            frame->depth = chain.depth;
    }
}

bool loop_decide(struct loop_frame *frame, const struct loop_options *options, struct error *error)
{
    struct use use = find_uses(frame);
    int64_t factor = 1;

    if (options->treatment == LOOPS_UNROLL)
        factor = options->unroll > 0 ? options->unroll : least_factor(&use);
    if (factor > 0)
        factor = min64(factor, frame->trips);
    if (factor <= 0 || factor > most_copies) {
        free_uses(&use);
        return error_set(error,
                         "sub-graph '%s' would have to be unrolled more than %" PRId64 " times",
                         frame->network->name, most_copies);
    }
    frame->copies = (size_t)factor;
    /* What is unrolled in full never comes around.  */
    if (options->treatment == LOOPS_COPY || frame->trips > factor)
        choose_copied(frame, &use, options->treatment == LOOPS_COPY);
    free_uses(&use);
    order_moves(frame);
    note_chains(frame);
    return true;
}
