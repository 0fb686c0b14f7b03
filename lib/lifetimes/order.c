/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/lifetimes/order.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/lifetimes/live.h"
#include "lib/lifetimes/order_private.h"

int64_t *order_layers(const struct network *network)
{
    int64_t *layer = memory_zalloc(network->n_ops, sizeof *layer);

    /* File order is topological.  */
    for (size_t o = 0; o < network->n_ops; o++) {
        const struct network_op *op = &network->op[o];

        for (size_t i = 0; i < op->inputs; i++) {
            size_t producer = network->value[op->input[i]].producer;

            if (producer != NETWORK_NONE)
                layer[o] = max64(layer[o], layer[producer] + 1);
        }
    }
    return layer;
}

/* The operators by layer, then file order: a counting sort.  FIRST[l] is where
 * layer l begins; there are LAYERS + 1 entries.  */
static size_t *by_layer(const struct network *network, size_t **first, size_t *layers)
{
    int64_t *layer = order_layers(network);
    size_t *order = memory_alloc(network->n_ops, sizeof *order), *next;
    size_t count = 0;

    for (size_t o = 0; o < network->n_ops; o++)
        if ((size_t)layer[o] + 1 > count)
            count = (size_t)layer[o] + 1;
    *first = memory_zalloc(count + 1, sizeof **first);
    for (size_t o = 0; o < network->n_ops; o++)
        (*first)[layer[o] + 1]++;
    for (size_t l = 0; l < count; l++)
        (*first)[l + 1] += (*first)[l];
    next = memory_copy(*first, count + 1, sizeof *next);
    for (size_t o = 0; o < network->n_ops; o++)
        order[next[layer[o]]++] = o;
    *layers = count;
    free(next);
    free(layer);
    return order;
}

struct schedule *order_groups(const struct network *network, int64_t groups)
{
    struct schedule *schedule = schedule_file_order(network);
    size_t *first, layers, *order = by_layer(network, &first, &layers);
    int64_t step = 0;

    schedule->serial = true;
    for (size_t l = 0; l < layers; l++) {
        int64_t width = (int64_t)(first[l + 1] - first[l]);
        int64_t size = width / groups + (width % groups != 0);

        for (int64_t i = 0; i < width; i++)
            schedule->step[order[first[l] + (size_t)i]] = step + i / size;
        step += (width + size - 1) / size;
        schedule->serial = schedule->serial && size == 1;
    }
    schedule->steps = step;
    free(order);
    free(first);
    return schedule;
}

/* Operators that are ready, in the order in which they became so.  */
struct queue {
    size_t *op;
    size_t head, tail;
};

/* Appends the operators of OP[0..COUNT) that wait for nothing; those that
 * became ready together stand in file order.  */
static void append_ready(struct queue *queue, const struct live *live, const size_t *op,
                         size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (live->waits[op[i]] == 0)
            queue->op[queue->tail++] = op[i];
}

static int compare_index(const void *a, const void *b)
{
    const size_t *x = a, *y = b;

    return ORDER(*x, *y);
}

static void start(struct queue *queue, const struct live *live)
{
    *queue = (struct queue){.op = memory_alloc(live->n_ops, sizeof *queue->op)};
    for (size_t o = 0; o < live->n_ops; o++)
        append_ready(queue, live, &o, 1);
}

/* Runs O and makes ready what waited for it only.  */
static void run(struct queue *queue, struct live *live, size_t o)
{
    size_t first = live->first_need[o], count = live->first_need[o + 1] - first;
    size_t before = queue->tail;

    live_run(live, o);
    append_ready(queue, live, live->need + first, count);
    qsort(queue->op + before, queue->tail - before, sizeof *queue->op, compare_index);
}

static void order_bfs(struct live *live, size_t *order)
{
    struct queue queue;

    start(&queue, live);
    for (size_t i = 0; i < live->n_ops; i++) {
        order[i] = queue.op[queue.head++];
        run(&queue, live, order[i]);
    }
    free(queue.op);
}

static void reverse(size_t *item, size_t count)
{
    for (size_t i = 0; i < count / 2; i++) {
        size_t other = item[count - 1 - i];

        item[count - 1 - i] = item[i];
        item[i] = other;
    }
}

/* A stack: what became ready last lies on top, the first in file order of
 * what became ready together uppermost.  */
static void order_dfs(struct live *live, size_t *order)
{
    struct queue stack;

    start(&stack, live);
    reverse(stack.op, stack.tail);
    for (size_t i = 0; i < live->n_ops; i++) {
        size_t before;

        order[i] = stack.op[--stack.tail];
        before = stack.tail;
        run(&stack, live, order[i]);
        reverse(stack.op + before, stack.tail - before);
    }
    free(stack.op);
}

/* Whether A is the better operator to run next.  */
static bool better(const struct live *live, size_t a, size_t b)
{
    int64_t change_a = live_change(live, a), change_b = live_change(live, b);
    int64_t during_a = live_during(live, a), during_b = live_during(live, b);

    if (change_a != change_b)
        return change_a < change_b;
    if (during_a != during_b)
        return during_a < during_b;
    return a < b;
}

static void order_greedy(struct live *live, size_t *order)
{
    struct queue ready;

    start(&ready, live);
    for (size_t i = 0; i < live->n_ops; i++) {
        size_t best = 0;

        for (size_t r = 1; r < ready.tail; r++)
            if (better(live, ready.op[r], ready.op[best]))
                best = r;
        order[i] = ready.op[best];
        ready.op[best] = ready.op[--ready.tail];
        run(&ready, live, order[i]);
    }
    free(ready.op);
}

/* Starts from the best of the other orders.  */
static bool find_optimal(const struct network *network, struct live *live, size_t *order,
                         struct error *error)
{
    void (*const simple[])(struct live *, size_t *) = {order_greedy, order_dfs, order_bfs};
    size_t *other = memory_alloc(live->n_ops, sizeof *other);
    int64_t best;

    for (size_t o = 0; o < live->n_ops; o++)
        order[o] = o;
    best = live_load(live, order);
    for (size_t s = 0; s < sizeof simple / sizeof *simple; s++) {
        int64_t load;

        simple[s](live, other);
        live_undo_all(live, other, live->n_ops);
        load = live_load(live, other);
        if (load < best) {
            best = load;
            memcpy(order, other, live->n_ops * sizeof *order);
        }
    }
    free(other);
    return order_optimal(live, order, best, network->name, error);
}

static bool find_order(const struct network *network, enum order kind, struct live *live,
                       size_t *order, struct error *error)
{
    switch (kind) {
    case ORDER_DFS:
        order_dfs(live, order);
        return true;
    case ORDER_BFS:
        order_bfs(live, order);
        return true;
    case ORDER_GREEDY:
        order_greedy(live, order);
        return true;
    case ORDER_OPTIMAL:
        return find_optimal(network, live, order, error);
    case ORDER_FILE:
    case ORDER_LAYERS:
        break;
    }
    return true;
}

struct schedule *order_schedule(const struct network *network, enum order order,
                                const struct lifetime_options *options, struct error *error)
{
    struct schedule *schedule;
    struct live *live;
    size_t *sequence;
    bool found;

    if (order == ORDER_FILE)
        return schedule_file_order(network);
    if (order == ORDER_LAYERS)
        return order_groups(network, (int64_t)max64((int64_t)network->n_ops, 1));
    live = live_new(network, options, error);
    if (live == NULL)
        return NULL;
    sequence = memory_alloc(network->n_ops, sizeof *sequence);
    found = find_order(network, order, live, sequence, error);
    live_free(live);
    schedule = found ? schedule_file_order(network) : NULL;
    for (size_t i = 0; i < network->n_ops && found; i++)
        schedule->step[sequence[i]] = (int64_t)i;
    free(sequence);
    return schedule;
}
