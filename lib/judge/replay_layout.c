/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The replay's arena: what each value is made of, and where that lies.
 *
 * Only the network says what may be made of what: a view of its input, a
 * concatenation of its inputs.  The instance says where values lie; where that
 * agrees, bytes are shared, and everywhere else a value is all its own.  */
#include <config.h>

#include "lib/judge/replay_private.h"
#include "lib/lifetimes/origin.h"

#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"

/* Byte by byte a plan of a hundred MiB took half a second, a thousand times the planner's own;
 * fewer cells say the same (replay_shrink).  */
static const int64_t arena_limit = INT64_C(64) << 10;

/* --- what values are made of --- */

/* Appends to the segments of VALUE; neighbours of one pattern are one.  */
static void add_segment(struct replay *replay, size_t value, int64_t low, int64_t high, size_t tag)
{
    if (replay->count[value] > 0) {
        struct replay_segment *last = &replay->segment[replay->segments - 1];

        if (last->high == low && last->tag == tag) {
            last->high = high;
            return;
        }
    }
    replay->segment = memory_grow(replay->segment, &replay->capacity, replay->segments + 1,
                                  sizeof *replay->segment);
    replay->segment[replay->segments++] = (struct replay_segment){low, high, tag};
    replay->count[value]++;
}

bool replay_lies_at(const struct replay *replay, size_t in, size_t out, int64_t offset)
{
    const struct origin *origin = replay->instance->origin;

    return origin->buffer[in] != SIZE_MAX && origin->buffer[in] == origin->buffer[out] &&
           origin->place[out] == origin->place[in] + offset;
}

/* What SOURCE is made of between LOW and HIGH becomes part of VALUE.  */
static void add_part(struct replay *replay, size_t value, size_t source, int64_t low, int64_t high)
{
    for (size_t i = 0; i < replay->count[source]; i++) {
        struct replay_segment part = replay->segment[replay->first[source] + i];

        part.low = max64(part.low, low);
        part.high = min64(part.high, high);
        if (part.low < part.high)
            add_segment(replay, value, part.low, part.high, part.tag);
    }
}

/* Whether output SLOT of OP is a view of an input and lies where that is;
 * SOURCE is the input.  */
static bool is_view(const struct replay *replay, const struct network_op *op, size_t slot,
                    size_t *source)
{
    size_t out = op->output[slot];

    for (size_t i = 0; i < op->reuses; i++) {
        const struct op_reuse *reuse = &op->reuse[i];

        *source = op->input[reuse->input];
        if (reuse->kind == REUSE_FORWARD && reuse->output == slot &&
            replay_lies_at(replay, *source, out, reuse->offset))
            return true;
    }
    if (op->kind != OP_ALIAS)
        return false;
    *source = op->input[0];
    return replay_lies_at(replay, *source, out, 0);
}

/* Output SLOT of OP, cells [LOW, HIGH): a view is what its source is made of; the
 * parts that lie in a concatenation stay what they are; the rest is its own.  */
static void compose(struct replay *replay, const struct network_op *op, size_t slot, int64_t low,
                    int64_t high)
{
    size_t value = op->output[slot], source;
    int64_t at = low;

    if (is_view(replay, op, slot, &source)) {
        add_part(replay, value, source, low, high);
        return;
    }
    for (size_t i = 0; i < op->reuses; i++) {
        const struct op_reuse *reuse = &op->reuse[i];
        size_t part = op->input[reuse->input];
        int64_t begin = low + reuse->offset;

        if (reuse->kind != REUSE_PLACE || reuse->output != slot || begin < at ||
            !replay_lies_at(replay, value, part, reuse->offset))
            continue;
        if (begin > at)
            add_segment(replay, value, at, begin, value);
        at = begin + value_bytes(&replay->network->value[part]);
        add_part(replay, value, part, begin, at);
    }
    if (at < high)
        add_segment(replay, value, at, high, value);
}

/* Starts VALUE's segments, if it is in the arena: bytes [LOW, HIGH).  */
static bool start(struct replay *replay, const struct plan *plan, size_t value, int64_t *low,
                  int64_t *high)
{
    const struct origin *origin = replay->instance->origin;

    replay->first[value] = replay->segments;
    if (origin->buffer[value] == SIZE_MAX)
        return false;
    *low = plan->offset[origin->buffer[value]] + origin->place[value];
    *high = *low + value_bytes(&replay->network->value[value]);
    replay->cells = max64(replay->cells, *high);
    return *low < *high;
}

/* File order is topological: what a value is made of comes before it.  */
static void compose_all(struct replay *replay, const struct plan *plan)
{
    const struct network *network = replay->network;
    int64_t low, high;

    replay->first = memory_zalloc(network->n_values, sizeof *replay->first);
    replay->count = memory_zalloc(network->n_values, sizeof *replay->count);
    for (size_t v = 0; v < network->n_values; v++)
        if (network->value[v].producer == NETWORK_NONE && start(replay, plan, v, &low, &high))
            add_segment(replay, v, low, high, v);
    for (size_t o = 0; o < network->n_ops; o++)
        for (size_t i = 0; i < network->op[o].outputs; i++)
            if (start(replay, plan, network->op[o].output[i], &low, &high))
                compose(replay, &network->op[o], i, low, high);
}

/* --- how large the arena is --- */

/* A value is written whole and read whole, so that the bytes between two neighbouring starts or
 * ends are alike at any time: the first word is as good as all.  */
void replay_shrink(struct replay *replay)
{
    size_t n = replay->segments, distinct = 0;
    int64_t *cut = memory_alloc(2 * n, sizeof *cut);

    for (size_t i = 0; i < n; i++) {
        cut[2 * i] = replay->segment[i].low;
        cut[2 * i + 1] = replay->segment[i].high;
    }
    qsort(cut, 2 * n, sizeof *cut, compare64);
    for (size_t i = 0; i < 2 * n; i++)
        if (i == 0 || cut[i] != cut[i - 1])
            cut[distinct++] = cut[i];
    for (size_t i = 0; i < n; i++) {
        struct replay_segment *segment = &replay->segment[i];
        int64_t *low = bsearch(&segment->low, cut, distinct, sizeof *cut, compare64);
        int64_t *high = bsearch(&segment->high, cut, distinct, sizeof *cut, compare64);

        segment->low = (low - cut) * REPLAY_WORD;
        segment->high = (high - cut) * REPLAY_WORD;
    }
    free(cut);
    replay->cells = (int64_t)distinct * REPLAY_WORD;
}

static int64_t divide_by_gcd(struct replay *replay)
{
    int64_t divisor = 0;

    for (size_t i = 0; i < replay->segments; i++)
        divisor = gcd64(gcd64(divisor, replay->segment[i].low), replay->segment[i].high);
    for (size_t i = 0; i < replay->segments; i++) {
        replay->segment[i].low /= divisor;
        replay->segment[i].high /= divisor;
    }
    return replay->cells / divisor;
}

enum replay_kind replay_lay_out(struct replay *replay, const struct plan *plan)
{
    enum replay_kind kind = REPLAY_BYTES;

    replay->cells = 0;
    compose_all(replay, plan);
    if (replay->cells > arena_limit) {
        replay->cells = divide_by_gcd(replay);
        kind = REPLAY_SCALED;
    }
    if (replay->cells > arena_limit) {
        replay_shrink(replay);
        kind = REPLAY_SEGMENTS;
    }
    return kind;
}
