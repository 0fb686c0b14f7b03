/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The replay: runs a network's schedule on an arena laid out by a plan.
 *
 * What lives when, and which operator may write over its input, is taken from
 * the network and the schedule alone, so a mistake in the lifetimes or pieces
 * that a plan was made for shows as a tensor that was overwritten before its
 * last reader.  */
#include <config.h>

#include "lib/judge/verify.h"
#include "lib/lifetimes/origin.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/graph/schedule.h"
#include "lib/judge/loop_replay.h"
#include "lib/judge/replay_orders.h"
#include "lib/judge/replay_private.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"

enum { WORD = REPLAY_WORD };

const char *replay_name(enum replay_kind kind)
{
    static const char *const names[] = {"none", "bytes", "scaled", "segments"};

    return names[kind];
}

/* --- the arena --- */

/* A word that differs from value to value (splitmix64's finalizer).  */
static uint64_t pattern(size_t value)
{
    uint64_t word = ((uint64_t)value + 1) * UINT64_C(0x9e3779b97f4a7c15);

    word = (word ^ (word >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    word = (word ^ (word >> 27)) * UINT64_C(0x94d049bb133111eb);
    return word ^ (word >> 31);
}

/* The byte of WORD that belongs at address AT: the pattern depends on the
 * address modulo the word only, so that whole words can be copied.  */
static unsigned char pattern_byte(uint64_t word, int64_t at)
{
    return (unsigned char)(word >> (8 * (at % WORD)));
}

/* The word as it lies in memory at an aligned address.  */
static uint64_t pattern_word(uint64_t word)
{
    unsigned char byte[WORD];

    for (int i = 0; i < WORD; i++)
        byte[i] = pattern_byte(word, i);
    memcpy(&word, byte, WORD);
    return word;
}

static void fill(unsigned char *arena, int64_t low, int64_t high, uint64_t word)
{
    uint64_t whole = pattern_word(word);
    int64_t at = low;

    for (; at < high && at % WORD != 0; at++)
        arena[at] = pattern_byte(word, at);
    for (; at + WORD <= high; at += WORD)
        memcpy(arena + at, &whole, WORD);
    for (; at < high; at++)
        arena[at] = pattern_byte(word, at);
}

static bool intact(const unsigned char *arena, int64_t low, int64_t high, uint64_t word)
{
    uint64_t whole = pattern_word(word), difference = 0;
    int64_t at = low;

    for (; at < high && at % WORD != 0; at++)
        difference |= (uint64_t)(arena[at] ^ pattern_byte(word, at));
    for (; at + WORD <= high; at += WORD) {
        uint64_t found;

        memcpy(&found, arena + at, WORD);
        difference |= found ^ whole;
    }
    for (; at < high; at++)
        difference |= (uint64_t)(arena[at] ^ pattern_byte(word, at));
    return difference == 0;
}

/* --- the run --- */

static void write_value(struct replay *replay, size_t value)
{
    for (size_t i = 0; i < replay->count[value]; i++) {
        const struct replay_segment *segment = &replay->segment[replay->first[value] + i];

        fill(replay->arena, segment->low, segment->high, pattern(segment->tag));
    }
}

/* Reads VALUE, but not cells [LOW, HIGH), which may be none.  */
static bool read_beside(struct replay *replay, size_t value, int64_t low, int64_t high,
                        int64_t step)
{
    for (size_t i = 0; i < replay->count[value]; i++) {
        const struct replay_segment *segment = &replay->segment[replay->first[value] + i];
        uint64_t word = pattern(segment->tag);

        if (intact(replay->arena, segment->low, min64(segment->high, low), word) &&
            intact(replay->arena, max64(segment->low, high), segment->high, word))
            continue;
        return error_set(
            replay->error,
            "replay: value '%s' (buffer '%s') was overwritten before step %" PRId64 " read it",
            replay->network->value[value].name,
            replay->instance->buffer[replay->instance->origin->buffer[value]].id, step);
    }
    return true;
}

static bool read_value(struct replay *replay, size_t value, int64_t step)
{
    return read_beside(replay, value, 0, 0, step);
}

/* After OP has written its outputs, what is left of the value that it read in
 * slot INPUT: all of it, or where the operator may write an output over it and
 * does so, the rest.  */
static bool read_again(struct replay *replay, const struct network_op *op, size_t input,
                       int64_t step)
{
    size_t x = op->input[input];

    for (size_t i = 0; i < op->reuses; i++) {
        const struct op_reuse *reuse = &op->reuse[i];
        size_t y = op->output[reuse->output];

        if (reuse->kind == REUSE_OVERWRITE && reuse->input == input && replay->count[y] > 0 &&
            replay_lies_at(replay, x, y, reuse->offset)) {
            const struct replay_segment *first = &replay->segment[replay->first[y]];

            return read_beside(replay, x, first->low, first[replay->count[y] - 1].high, step);
        }
    }
    return read_value(replay, x, step);
}

/* All operators of a step run at once: every input is read, every output is
 * written, then every input and output has to be there, but for what an operator
 * wrote over itself.  Writing a view, or a part of a concatenation in place,
 * changes nothing.  */
static bool run_step(struct replay *replay, const size_t *ops, size_t count, int64_t step)
{
    for (size_t i = 0; i < count; i++) {
        const struct network_op *op = &replay->network->op[ops[i]];

        for (size_t j = 0; j < op->inputs; j++)
            if (!read_value(replay, op->input[j], step))
                return false;
    }
    for (size_t i = 0; i < count; i++) {
        const struct network_op *op = &replay->network->op[ops[i]];

        for (size_t j = 0; j < op->outputs; j++)
            write_value(replay, op->output[j]);
    }
    for (size_t i = 0; i < count; i++) {
        const struct network_op *op = &replay->network->op[ops[i]];

        for (size_t j = 0; j < op->inputs; j++)
            if (!read_again(replay, op, j, step))
                return false;
        for (size_t j = 0; j < op->outputs; j++)
            if (!read_value(replay, op->output[j], step))
                return false;
    }
    return true;
}

static bool run(struct replay *replay, const size_t *order)
{
    const struct network *network = replay->network;
    size_t next;

    for (size_t v = 0; v < network->n_values; v++)
        if (network->value[v].producer == NETWORK_NONE)
            write_value(replay, v);
    for (size_t at = 0; at < network->n_ops; at = next) {
        int64_t step = replay->schedule->step[order[at]];

        for (next = at; next < network->n_ops; next++)
            if (replay->schedule->step[order[next]] != step)
                break;
        if (!run_step(replay, &order[at], next - at, step))
            return false;
    }
    for (size_t v = 0; v < network->n_values; v++) {
        const struct value *value = &network->value[v];
        bool stays =
            value->output || (value->producer == NETWORK_NONE && value->role != VALUE_INPUT);

        if (stays && !read_value(replay, v, replay->schedule->steps))
            return false;
    }
    return true;
}

/* In each order in which the operators may run; but for the schedule's on a word of each stretch,
 * which takes no time and loses nothing.  */
static bool run_orders(struct replay *replay)
{
    bool good = true;

    for (size_t turn = 0; good; turn++) {
        struct schedule *schedule = replay_order(replay->instance->origin, turn);
        size_t *order;

        if (schedule == NULL)
            return true;
        if (turn == 1)
            replay_shrink(replay);
        order = schedule_sequence(schedule);
        replay->schedule = schedule;
        /* Cleared: else values of a replay before could stand where nobody has written.  */
        replay->arena = memory_zalloc((size_t)replay->cells, 1);
        good = run(replay, order);
        if (!good && turn > 0)
            error_prefix(replay->error, "in an order in which one stream runs ahead");
        free(replay->arena);
        free(order);
        schedule_free(schedule);
    }
    return false;
}

bool verify_replay(const struct instance *instance, const struct plan *plan, enum replay_kind *kind,
                   struct error *error)
{
    struct replay replay = {.instance = instance, .error = error};
    enum replay_kind used = REPLAY_NONE;
    bool good = true;

    if (instance->loops != NULL)
        return loop_replay(instance, plan, kind, error);
    if (instance->origin != NULL && instance->n > 0) {
        replay.network = instance->origin->network;
        used = replay_lay_out(&replay, plan);
        good = run_orders(&replay);
        free(replay.segment);
        free(replay.first);
        free(replay.count);
    }
    if (kind != NULL)
        *kind = used;
    return good;
}
