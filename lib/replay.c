/* The replay: runs a network's schedule on an arena laid out by a plan.
 *
 * What lives when is taken from the network and the schedule alone, so a
 * mistake in the lifetimes that a plan was made for shows as a tensor that was
 * overwritten before its last reader.  */
#include <config.h>

#include "lib/verify.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/checked.h"
#include "lib/instance.h"
#include "lib/memory.h"
#include "lib/network.h"
#include "lib/plan.h"
#include "lib/schedule.h"

enum { WORD = sizeof(uint64_t) };
static const int64_t arena_limit = INT64_C(256) << 20;

struct replay {
    const struct network *network;
    const struct schedule *schedule;
    const struct instance *instance;
    size_t *buffer; /* of each value, NETWORK_NONE: not in the arena */
    int64_t *low;   /* of each buffer, in cells of the arena */
    int64_t *high;
    unsigned char *arena;
    size_t *order; /* operators by step */
    struct error *error;
};

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

/* --- how large the arena is --- */

/* Replaces addresses by the rank of the address among all starts and ends,
 * times the word size.  */
static int64_t shrink_to_segments(struct replay *replay)
{
    size_t n = replay->instance->n, distinct = 0;
    int64_t *cut = memory_alloc(2 * n, sizeof *cut);

    for (size_t b = 0; b < n; b++) {
        cut[2 * b] = replay->low[b];
        cut[2 * b + 1] = replay->high[b];
    }
    qsort(cut, 2 * n, sizeof *cut, compare64);
    for (size_t i = 0; i < 2 * n; i++)
        if (i == 0 || cut[i] != cut[i - 1])
            cut[distinct++] = cut[i];
    for (size_t b = 0; b < n; b++) {
        int64_t *low = bsearch(&replay->low[b], cut, distinct, sizeof *cut, compare64);
        int64_t *high = bsearch(&replay->high[b], cut, distinct, sizeof *cut, compare64);

        replay->low[b] = (low - cut) * WORD;
        replay->high[b] = (high - cut) * WORD;
    }
    free(cut);
    return (int64_t)distinct * WORD;
}

static int64_t divide_by_gcd(struct replay *replay, int64_t cells)
{
    int64_t divisor = 0;

    for (size_t b = 0; b < replay->instance->n; b++)
        divisor = gcd64(gcd64(divisor, replay->low[b]), replay->high[b]);
    for (size_t b = 0; b < replay->instance->n; b++) {
        replay->low[b] /= divisor;
        replay->high[b] /= divisor;
    }
    return cells / divisor;
}

static enum replay_kind lay_out(struct replay *replay, const struct plan *plan)
{
    size_t n = replay->instance->n;
    int64_t cells = 0;
    enum replay_kind kind = REPLAY_BYTES;

    replay->low = memory_alloc(n, sizeof *replay->low);
    replay->high = memory_alloc(n, sizeof *replay->high);
    for (size_t b = 0; b < n; b++) {
        replay->low[b] = plan->offset[b];
        replay->high[b] = plan->offset[b] + replay->instance->buffer[b].size;
        cells = max64(cells, replay->high[b]);
    }
    if (cells > arena_limit) {
        cells = divide_by_gcd(replay, cells);
        kind = REPLAY_SCALED;
    }
    if (cells > arena_limit) {
        cells = shrink_to_segments(replay);
        kind = REPLAY_SEGMENTS;
    }
    replay->arena = memory_alloc((size_t)cells, 1);
    return kind;
}

/* --- the run --- */

/* The buffer of every value: its own, or, where pure aliases share, that of
 * the value that the chain of aliases starts at.  What has none is a value that
 * does not count; its memory is no concern of the plan.  */
static void find_buffers(struct replay *replay)
{
    const struct network *network = replay->network;

    replay->buffer = memory_alloc(network->n_values, sizeof *replay->buffer);
    for (size_t v = 0; v < network->n_values; v++)
        replay->buffer[v] = NETWORK_NONE;
    for (size_t b = 0; b < replay->instance->n; b++)
        replay->buffer[replay->instance->origin->value[b]] = b;
    /* File order is topological: an input's buffer is known before its aliases'.  */
    for (size_t o = 0; o < network->n_ops && replay->instance->origin->alias; o++) {
        const struct network_op *op = &network->op[o];

        if (op->kind != OP_ALIAS)
            continue;
        for (size_t i = 0; i < op->outputs; i++)
            if (replay->buffer[op->output[i]] == NETWORK_NONE)
                replay->buffer[op->output[i]] = replay->buffer[op->input[0]];
    }
}

static bool is_alias_of_input(const struct replay *replay, size_t op)
{
    const struct network_op *alias = &replay->network->op[op];

    return alias->kind == OP_ALIAS &&
           replay->buffer[alias->output[0]] == replay->buffer[alias->input[0]];
}

/* A value and its aliases carry the pattern of their buffer's first value.  */
static uint64_t value_pattern(const struct replay *replay, size_t value)
{
    return pattern(replay->instance->origin->value[replay->buffer[value]]);
}

static void write_value(struct replay *replay, size_t value)
{
    size_t b = replay->buffer[value];

    if (b != NETWORK_NONE)
        fill(replay->arena, replay->low[b], replay->high[b], value_pattern(replay, value));
}

static bool read_value(struct replay *replay, size_t value, int64_t step)
{
    size_t b = replay->buffer[value];

    if (b == NETWORK_NONE ||
        intact(replay->arena, replay->low[b], replay->high[b], value_pattern(replay, value)))
        return true;
    return error_set(replay->error,
                     "replay: value '%s' (buffer '%s') was overwritten before step %" PRId64
                     " read it",
                     replay->network->value[value].name, replay->instance->buffer[b].id, step);
}

struct step_ref {
    int64_t step;
    size_t op;
};

static int compare_steps(const void *a, const void *b)
{
    const struct step_ref *x = a, *y = b;

    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    return (x->op > y->op) - (x->op < y->op);
}

static void order_operators(struct replay *replay)
{
    size_t n = replay->network->n_ops;
    struct step_ref *ref = memory_alloc(n, sizeof *ref);

    for (size_t o = 0; o < n; o++)
        ref[o] = (struct step_ref){replay->schedule->step[o], o};
    qsort(ref, n, sizeof *ref, compare_steps);
    replay->order = memory_alloc(n, sizeof *replay->order);
    for (size_t i = 0; i < n; i++)
        replay->order[i] = ref[i].op;
    free(ref);
}

/* All operators of a step run at once: every output is written, then every
 * input and output has to be there.  */
static bool run_step(struct replay *replay, const size_t *ops, size_t count, int64_t step)
{
    for (size_t i = 0; i < count; i++) {
        const struct network_op *op = &replay->network->op[ops[i]];

        if (!is_alias_of_input(replay, ops[i]))
            for (size_t j = 0; j < op->outputs; j++)
                write_value(replay, op->output[j]);
    }
    for (size_t i = 0; i < count; i++) {
        const struct network_op *op = &replay->network->op[ops[i]];

        for (size_t j = 0; j < op->inputs; j++)
            if (!read_value(replay, op->input[j], step))
                return false;
        for (size_t j = 0; j < op->outputs; j++)
            if (!read_value(replay, op->output[j], step))
                return false;
    }
    return true;
}

static bool run(struct replay *replay)
{
    const struct network *network = replay->network;
    size_t next;

    for (size_t v = 0; v < network->n_values; v++)
        if (network->value[v].producer == NETWORK_NONE)
            write_value(replay, v);
    for (size_t at = 0; at < network->n_ops; at = next) {
        int64_t step = replay->schedule->step[replay->order[at]];

        for (next = at; next < network->n_ops; next++)
            if (replay->schedule->step[replay->order[next]] != step)
                break;
        if (!run_step(replay, &replay->order[at], next - at, step))
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

bool verify_replay(const struct instance *instance, const struct plan *plan, enum replay_kind *kind,
                   struct error *error)
{
    struct replay replay = {.instance = instance, .error = error};
    enum replay_kind used = REPLAY_NONE;
    bool good = true;

    if (instance->origin != NULL && instance->n > 0) {
        replay.network = instance->origin->network;
        replay.schedule = instance->origin->schedule;
        used = lay_out(&replay, plan);
        find_buffers(&replay);
        order_operators(&replay);
        good = run(&replay);
        free(replay.arena);
        free(replay.low);
        free(replay.high);
        free(replay.buffer);
        free(replay.order);
    }
    if (kind != NULL)
        *kind = used;
    return good;
}
