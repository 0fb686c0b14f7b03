/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/judge/replay_orders.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/lifetimes/origin.h"

/* So many operators of an order are brought forward, each for O(n).  */
enum { MOST_TARGETS = 256, RANDOM_TARGETS = 8 };

struct ordering {
    const struct network *network;
    size_t *sequence;    /* the schedule's */
    size_t *before;      /* the operator before each one on its stream, or NETWORK_NONE */
    const size_t *after; /* one that it waits for, or NETWORK_NONE */
    bool *done, *needed;
    size_t *waiting, n_waiting, room; /* whose needs have not been looked at */
    struct schedule *schedule;        /* the order that is made: of so many operators */
    int64_t count;
};

static void init(struct ordering *ordering, const struct origin *origin)
{
    const size_t n = origin->network->n_ops;
    size_t *last =
        memory_alloc(n, sizeof *last); /* of a stream: there are no more than operators */

    *ordering = (struct ordering){
        .network = origin->network,
        .sequence = schedule_sequence(origin->schedule),
        .before = memory_alloc(n, sizeof *ordering->before),
        .after = origin->after,
        .done = memory_zalloc(n, sizeof *ordering->done),
        .needed = memory_zalloc(n, sizeof *ordering->needed),
        .schedule = schedule_file_order(origin->network),
    };
    for (size_t k = 0; k < n; k++)
        last[k] = NETWORK_NONE;
    for (size_t i = 0; i < n; i++) {
        const size_t x = ordering->sequence[i];

        ordering->before[x] = last[origin->stream[x]];
        last[origin->stream[x]] = x;
    }
    memory_free(last);
}

/* Hands on the order.  */
static struct schedule *finish(struct ordering *ordering)
{
    free(ordering->sequence);
    memory_free(ordering->before);
    memory_free(ordering->done);
    memory_free(ordering->needed);
    memory_free(ordering->waiting);
    return ordering->schedule;
}

static void ask_for(struct ordering *ordering, size_t x)
{
    if (x == NETWORK_NONE || ordering->done[x] || ordering->needed[x])
        return;
    ordering->needed[x] = true;
    ordering->waiting = memory_grow(ordering->waiting, &ordering->room, ordering->n_waiting + 1,
                                    sizeof *ordering->waiting);
    ordering->waiting[ordering->n_waiting++] = x;
}

/* What is needed, in the schedule's order.  */
static void run_needed(struct ordering *ordering)
{
    for (size_t i = 0; i < ordering->network->n_ops; i++) {
        const size_t x = ordering->sequence[i];

        if (!ordering->needed[x])
            continue;
        ordering->needed[x] = false;
        ordering->done[x] = true;
        ordering->schedule->step[x] = ordering->count++;
    }
}

/* Runs TARGET, and before it only what has to run before it.  */
static void bring_forward(struct ordering *ordering, size_t target)
{
    const struct network *network = ordering->network;

    ask_for(ordering, target);
    while (ordering->n_waiting > 0) {
        const size_t x = ordering->waiting[--ordering->n_waiting];

        ask_for(ordering, ordering->before[x]);
        ask_for(ordering, ordering->after[x]);
        for (size_t i = 0; i < network->op[x].inputs; i++)
            ask_for(ordering, network->value[network->op[x].input[i]].producer);
    }
    run_needed(ordering);
}

static void run_rest(struct ordering *ordering)
{
    for (size_t x = 0; x < ordering->network->n_ops; x++)
        ordering->needed[x] = !ordering->done[x];
    run_needed(ordering);
}

static void run_ahead(struct ordering *ordering, const size_t *stream, size_t ahead)
{
    const size_t n = ordering->network->n_ops, stride = n / MOST_TARGETS + 1;
    size_t seen = 0;

    for (size_t i = 0; i < n; i++) {
        const size_t x = ordering->sequence[i];

        if (stream[x] == ahead && seen++ % stride == 0)
            bring_forward(ordering, x);
    }
}

static void run_randomly(struct ordering *ordering, uint32_t seed)
{
    struct rng *rng = rng_new(seed);

    for (int i = 0; i < RANDOM_TARGETS; i++)
        bring_forward(ordering, (size_t)rng_range(rng, 0, (int64_t)ordering->network->n_ops - 1));
    rng_free(rng);
}

static size_t count_streams(const struct origin *origin)
{
    size_t count = 1;

    for (size_t x = 0; origin->stream != NULL && x < origin->network->n_ops; x++)
        count = origin->stream[x] >= count ? origin->stream[x] + 1 : count;
    return count;
}

struct schedule *replay_order(const struct origin *origin, size_t turn)
{
    const size_t streams = count_streams(origin);
    const size_t ahead = streams < MOST_AHEAD ? streams : MOST_AHEAD;
    struct ordering ordering;

    if (turn == 0) {
        struct schedule *schedule = schedule_file_order(origin->network);

        memcpy(schedule->step, origin->schedule->step, schedule->n * sizeof *schedule->step);
        schedule->steps = origin->schedule->steps;
        schedule->serial = origin->schedule->serial;
        return schedule;
    }
    if (streams == 1 || turn > ahead + RANDOM_ORDERS)
        return NULL;
    init(&ordering, origin);
    if (turn <= ahead)
        run_ahead(&ordering, origin->stream, turn - 1);
    else
        run_randomly(&ordering, (uint32_t)turn);
    run_rest(&ordering);
    return finish(&ordering);
}
