/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/lifetimes/streams.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/sort.h"
#include "lib/graph/fetch.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/lifetimes/lifetimes.h"
#include "lib/lifetimes/origin.h"
#include "lib/lifetimes/time_model.h"
#include "lib/problem/conflicts.h"
#include "lib/problem/instance.h"

/* --- list scheduling --- */

struct assigning {
    const struct network *network;
    const double *seconds;
    double *level;       /* of an operator: the longest path from its begin to the end */
    double *begin, *end; /* of one that is assigned */
    size_t *waits_for;   /* operators that are not assigned yet and make what it reads */
    size_t *rank;        /* in which turn it was assigned; SIZE_MAX: not yet */
    double *free_at;     /* of a stream */
    size_t *last;        /* the last operator of a stream; SIZE_MAX: none yet */
    size_t first;        /* stream for operators that are no fetches */
    struct streams *streams;
};

/* Fetches wait for the operator that is AHEAD + 1 before their reader, the next one that is no
 * fetch.  */
static void find_after(struct streams *streams, const struct network *network, size_t ahead)
{
    size_t *plain = memory_alloc(network->n_ops, sizeof *plain), count = 0;

    for (size_t x = 0; x < network->n_ops; x++) {
        streams->after[x] = NETWORK_NONE;
        if (!network_op_fetches(&network->op[x]))
            plain[count++] = x;
        else if (count > ahead)
            streams->after[x] = plain[count - 1 - ahead];
    }
    memory_free(plain);
}

/* Operators stand after those whose values they read, and which they wait for.  */
static void find_levels(struct assigning *all)
{
    const struct network *network = all->network;

    for (size_t x = network->n_ops; x-- > 0;) {
        const struct network_op *op = &network->op[x];
        const size_t after = all->streams->after[x];
        double longest = all->level[x];

        for (size_t o = 0; o < op->outputs; o++) {
            const struct value *value = &network->value[op->output[o]];

            for (size_t r = 0; r < value->readers; r++)
                longest = fmax(longest, all->level[value->reader[r]]);
        }
        all->level[x] = longest + all->seconds[x];
        if (after != NETWORK_NONE)
            all->level[after] = fmax(all->level[after], all->level[x]);
    }
}

static size_t producer_of(const struct assigning *all, size_t x, size_t slot)
{
    return all->network->value[all->network->op[x].input[slot]].producer;
}

static void count_waits(struct assigning *all)
{
    for (size_t x = 0; x < all->network->n_ops; x++) {
        all->rank[x] = SIZE_MAX;
        for (size_t i = 0; i < all->network->op[x].inputs; i++)
            all->waits_for[x] += producer_of(all, x, i) != NETWORK_NONE;
        all->waits_for[x] += all->streams->after[x] != NETWORK_NONE;
    }
}

/* Of the operators that wait for nothing, the one with the longest path, the first of equal ones.
 */
static size_t next_operator(const struct assigning *all)
{
    size_t next = SIZE_MAX;

    for (size_t x = 0; x < all->network->n_ops; x++)
        if (all->rank[x] == SIZE_MAX && all->waits_for[x] == 0 &&
            (next == SIZE_MAX || all->level[x] > all->level[next]))
            next = x;
    return next;
}

/* When what X reads is there; LAST is who made the last of that, or SIZE_MAX.  */
static double ready_at(const struct assigning *all, size_t x, size_t *last)
{
    double ready = 0.0;

    *last = SIZE_MAX;
    for (size_t i = 0; i < all->network->op[x].inputs; i++) {
        const size_t made = producer_of(all, x, i);

        if (made != NETWORK_NONE && (*last == SIZE_MAX || all->end[made] > ready)) {
            ready = all->end[made];
            *last = made;
        }
    }
    if (all->streams->after[x] != NETWORK_NONE)
        ready = fmax(ready, all->end[all->streams->after[x]]);
    return ready;
}

/* The stream, of COUNT, on which X begins first; LAST as for ready_at.  */
static size_t earliest_stream(const struct assigning *all, double ready, size_t last, size_t count)
{
    size_t best = last != SIZE_MAX ? all->streams->stream[last] : 0;

    best = best < all->first ? all->first : best;
    for (size_t k = all->first; k < all->first + count; k++)
        if (fmax(all->free_at[k], ready) < fmax(all->free_at[best], ready))
            best = k;
    return best;
}

/* The stream that X goes on with: of those that end with an operator whose values it reads the one
 * that ends last, the first of equal ones; else the next one, where nothing ran yet.  */
static size_t branch_stream(const struct assigning *all, size_t x)
{
    size_t best = SIZE_MAX;

    for (size_t i = 0; i < all->network->op[x].inputs; i++) {
        const size_t made = producer_of(all, x, i);
        const size_t k = made != NETWORK_NONE ? all->streams->stream[made] : SIZE_MAX;

        if (k != SIZE_MAX && k >= all->first && all->last[k] == made &&
            (best == SIZE_MAX || all->free_at[k] > all->free_at[best]))
            best = k;
    }
    if (best != SIZE_MAX)
        return best;
    return all->streams->count < all->first ? all->first : all->streams->count;
}

static size_t choose_stream(const struct assigning *all, size_t x, double ready, size_t last,
                            size_t count)
{
    if (network_op_fetches(&all->network->op[x]))
        return 0;
    return count == STREAMS_BRANCHES ? branch_stream(all, x)
                                     : earliest_stream(all, ready, last, count);
}

/* X has ended: who waited for it waits for one less.  */
static void release(struct assigning *all, size_t x)
{
    const struct network_op *op = &all->network->op[x];

    for (size_t o = 0; o < op->outputs; o++) {
        const struct value *value = &all->network->value[op->output[o]];

        for (size_t r = 0; r < value->readers; r++)
            all->waits_for[value->reader[r]]--;
    }
    for (size_t y = all->first > 0 ? x + 1 : all->network->n_ops; y < all->network->n_ops; y++)
        all->waits_for[y] -= all->streams->after[y] == x;
}

static void assign(struct assigning *all, size_t x, size_t count, size_t turn)
{
    struct streams *streams = all->streams;
    size_t last;
    const double ready = ready_at(all, x, &last);
    const size_t best = choose_stream(all, x, ready, last, count);

    streams->stream[x] = best;
    streams->count = best >= streams->count ? best + 1 : streams->count;
    all->last[best] = x;
    all->begin[x] = fmax(all->free_at[best], ready);
    all->end[x] = all->free_at[best] = all->begin[x] + all->seconds[x];
    all->rank[x] = turn;
    streams->makespan_s = fmax(streams->makespan_s, all->end[x]);
    streams->serial_s += all->seconds[x];
    release(all, x);
}

struct begun {
    double begin;
    size_t rank, x;
};

static int compare_begun(const void *a, const void *b)
{
    const struct begun *x = a, *y = b;

    return ORDER(x->begin, y->begin) ?: ORDER(x->rank, y->rank);
}

/* A step for each operator, by when it begins.  */
static void order_operators(struct assigning *all)
{
    const size_t n = all->network->n_ops;
    struct begun *begun = memory_alloc(n, sizeof *begun);
    struct schedule *schedule = schedule_file_order(all->network);

    for (size_t x = 0; x < n; x++)
        begun[x] = (struct begun){all->begin[x], all->rank[x], x};
    sort_stable(begun, n, sizeof *begun, compare_begun);
    for (size_t i = 0; i < n; i++)
        schedule->step[begun[i].x] = (int64_t)i;
    all->streams->schedule = schedule;
    memory_free(begun);
}

static bool has_fetches(const struct network *network)
{
    for (size_t x = 0; x < network->n_ops; x++)
        if (network_op_fetches(&network->op[x]))
            return true;
    return false;
}

void streams_assign(struct streams *streams, const struct network *network, const double *seconds,
                    struct stream_wish wish)
{
    const size_t n = network->n_ops, most = 1 + (wish.count == STREAMS_BRANCHES ? n : wish.count);
    struct assigning all = {
        .network = network,
        .seconds = seconds,
        .level = memory_zalloc(n, sizeof *all.level),
        .begin = memory_zalloc(n, sizeof *all.begin),
        .end = memory_zalloc(n, sizeof *all.end),
        .waits_for = memory_zalloc(n, sizeof *all.waits_for),
        .rank = memory_zalloc(n, sizeof *all.rank),
        .free_at = memory_zalloc(most, sizeof *all.free_at),
        .last = memory_alloc(most, sizeof *all.last),
        .first = has_fetches(network),
        .streams = streams,
    };

    *streams = (struct streams){.stream = memory_zalloc(n, sizeof *streams->stream),
                                .after = memory_alloc(n, sizeof *streams->after)};
    find_after(streams, network, wish.ahead);
    for (size_t k = 0; k < most; k++)
        all.last[k] = SIZE_MAX;
    find_levels(&all);
    count_waits(&all);
    for (size_t turn = 0; turn < n; turn++)
        assign(&all, next_operator(&all), wish.count, turn);
    order_operators(&all);
    memory_free(all.level);
    memory_free(all.begin);
    memory_free(all.end);
    memory_free(all.waits_for);
    memory_free(all.rank);
    memory_free(all.free_at);
    memory_free(all.last);
}

void streams_clear(struct streams *streams)
{
    memory_free(streams->stream);
    memory_free(streams->after);
    schedule_free(streams->schedule);
}

/* --- what happens before what --- */

/* What happens before BY, and that itself, happens before X.  */
static void add_before(uint64_t *before, size_t words, size_t x, size_t by)
{
    for (size_t w = 0; w < words; w++)
        before[x * words + w] |= before[by * words + w];
    before[x * words + by / 64] |= UINT64_C(1) << by % 64;
}

uint64_t *streams_before(const struct streams *streams, const struct network *network,
                         size_t *words)
{
    const size_t n = network->n_ops;
    uint64_t *before = memory_zalloc(n * ((n + 63) / 64), sizeof *before);
    size_t *sequence = schedule_sequence(streams->schedule);
    size_t *last = memory_alloc(n + 1, sizeof *last); /* of a stream */

    *words = (n + 63) / 64;
    for (size_t k = 0; k <= n; k++)
        last[k] = SIZE_MAX;
    for (size_t i = 0; i < n; i++) {
        const size_t x = sequence[i];

        if (last[streams->stream[x]] != SIZE_MAX)
            add_before(before, *words, x, last[streams->stream[x]]);
        last[streams->stream[x]] = x;
        for (size_t slot = 0; slot < network->op[x].inputs; slot++) {
            const size_t made = network->value[network->op[x].input[slot]].producer;

            if (made != NETWORK_NONE)
                add_before(before, *words, x, made);
        }
        if (streams->after[x] != NETWORK_NONE)
            add_before(before, *words, x, streams->after[x]);
    }
    free(sequence);
    memory_free(last);
    return before;
}

/* --- buffers --- */

/* Who uses a buffer.  */
struct use {
    size_t buffer, x;
};

struct uses {
    struct use *use;
    size_t count, room;
    size_t *first;     /* of buffer b: use[first[b]..first[b + 1]) */
    bool *from, *till; /* it is there before all, or after */
};

static int compare_uses(const void *a, const void *b)
{
    const struct use *x = a, *y = b;

    return ORDER(x->buffer, y->buffer) ?: ORDER(x->x, y->x);
}

static void add_use(struct uses *uses, size_t buffer, size_t x)
{
    uses->use = memory_grow(uses->use, &uses->room, uses->count + 1, sizeof *uses->use);
    uses->use[uses->count++] = (struct use){buffer, x};
}

static void find_uses(struct uses *uses, const struct instance *instance)
{
    const struct origin *origin = instance->origin;
    const struct network *network = origin->network;

    uses->first = memory_zalloc(instance->n + 1, sizeof *uses->first);
    uses->from = memory_zalloc(instance->n, sizeof *uses->from);
    uses->till = memory_zalloc(instance->n, sizeof *uses->till);
    for (size_t v = 0; v < network->n_values; v++) {
        const struct value *value = &network->value[v];
        const size_t b = origin->buffer[v];

        if (b == SIZE_MAX)
            continue;
        uses->from[b] |= value->producer == NETWORK_NONE;
        uses->till[b] |=
            value->output || (value->producer == NETWORK_NONE && value->role != VALUE_INPUT);
        if (value->producer != NETWORK_NONE)
            add_use(uses, b, value->producer);
        for (size_t r = 0; r < value->readers; r++)
            add_use(uses, b, value->reader[r]);
    }
    sort_stable(uses->use, uses->count, sizeof *uses->use, compare_uses);
    for (size_t i = 0; i < uses->count; i++)
        uses->first[uses->use[i].buffer + 1] = i + 1;
    for (size_t b = 1; b <= instance->n; b++)
        if (uses->first[b] < uses->first[b - 1])
            uses->first[b] = uses->first[b - 1];
}

static void clear_uses(struct uses *uses)
{
    memory_free(uses->use);
    memory_free(uses->first);
    memory_free(uses->from);
    memory_free(uses->till);
}

/* Fills in COMMON with the operators that happen before all that use buffer B.  */
static void find_common(const struct uses *uses, size_t b, const uint64_t *before, size_t words,
                        uint64_t *common)
{
    memset(common, uses->from[b] ? 0 : 0xff, words * sizeof *common);
    for (size_t i = uses->first[b]; i < uses->first[b + 1]; i++)
        for (size_t w = 0; w < words; w++)
            common[w] &= before[uses->use[i].x * words + w];
}

/* Whether all that use buffer A are in COMMON.  */
static bool dead_before(const struct uses *uses, size_t a, const uint64_t *common)
{
    for (size_t i = uses->first[a]; i < uses->first[a + 1]; i++)
        if ((common[uses->use[i].x / 64] >> uses->use[i].x % 64 & 1) == 0)
            return false;
    return !uses->till[a] && uses->first[a] < uses->first[a + 1];
}

/* Pairs of buffers that don't overlap in the order of the schedule, and of which neither is dead
 * before the other is born.  The earlier one in that order is the only one that could be.  */
static struct conflict_pair *find_pairs(const struct instance *instance,
                                        const struct streams *streams, size_t *pairs)
{
    struct conflict_pair *pair = NULL;
    struct uses uses = {0};
    size_t words, room = 0, count = 0;
    uint64_t *before = streams_before(streams, instance->origin->network, &words);
    uint64_t *common = memory_alloc(words, sizeof *common);

    find_uses(&uses, instance);
    for (size_t b = 0; b < instance->n; b++) {
        find_common(&uses, b, before, words, common);
        for (size_t a = 0; a < instance->n; a++) {
            if (instance->buffer[a].end > instance->buffer[b].begin ||
                dead_before(&uses, a, common))
                continue;
            pair = memory_grow(pair, &room, count + 1, sizeof *pair);
            pair[count++] = (struct conflict_pair){CONFLICT_APART, a, b};
        }
    }
    clear_uses(&uses);
    memory_free(before);
    memory_free(common);
    *pairs = count;
    return pair;
}

/* PLAIN, which is given up, with what may be in use at once apart.  Its buffers stay as they are,
 * and so does where they come from.  */
static struct instance *keep_apart(struct instance *plain, const struct streams *streams,
                                   struct error *error)
{
    size_t pairs, *buffer_of = memory_alloc(plain->n, sizeof *buffer_of);
    struct conflict_pair *pair = find_pairs(plain, streams, &pairs);
    struct instance *instance = conflicts_apply(plain, pair, pairs, buffer_of, error);

    if (instance != NULL) {
        instance->origin = plain->origin;
        instance->origin_free = plain->origin_free;
        plain->origin = NULL;
    }
    instance_free(plain);
    memory_free(pair);
    memory_free(buffer_of);
    return instance;
}

/* Whatever becomes of it, STREAMS and the network, which PLAIN has, are taken over.  */
static struct instance *finish(struct instance *plain, struct streams *streams, struct error *error)
{
    if (plain->n_overwrites > 0) {
        error_set(error, "operators overwrite their inputs in place, which streams don't know; "
                         "expected inplace=off");
        instance_free(plain);
        memory_free(streams->stream);
        memory_free(streams->after);
        return NULL;
    }
    plain->origin->stream = streams->stream;
    plain->origin->after = streams->after;
    plain->origin->makespan_s = streams->makespan_s;
    plain->origin->serial_s = streams->serial_s;
    return keep_apart(plain, streams, error);
}

struct instance *streams_instance(struct network *network, struct stream_wish wish,
                                  const double *measured, const struct lifetime_options *options,
                                  struct error *error)
{
    double *seconds = time_model_times(&time_model_default, network);
    struct instance *plain;
    struct streams streams;

    if (measured != NULL)
        memcpy(seconds, measured, network->n_ops * sizeof *seconds);

    /* As one after the other, each operator but the last is followed by a synchronisation.  */
    for (size_t x = 0; x < network->n_ops; x++)
        seconds[x] += time_model_default.sync_s;
    streams_assign(&streams, network, seconds, wish);
    streams.makespan_s = fmax(streams.makespan_s - time_model_default.sync_s, 0.0);
    streams.serial_s = fmax(streams.serial_s - time_model_default.sync_s, 0.0);
    free(seconds);
    plain = lifetimes_instance(network, streams.schedule, options, error);
    if (plain != NULL)
        return finish(plain, &streams, error);
    memory_free(streams.stream); /* the schedule went with the network */
    memory_free(streams.after);
    return NULL;
}

struct time_figures streams_times(const struct origin *origin)
{
    struct time_figures figures =
        time_model_run(&time_model_default, origin->network, origin->schedule, NULL);

    if (origin->stream == NULL)
        return figures;
    figures.serial_s = origin->serial_s;
    figures.scheduled_s = origin->makespan_s;
    figures.speed_up = figures.scheduled_s > 0.0 ? figures.serial_s / figures.scheduled_s : 1.0;
    return figures;
}
