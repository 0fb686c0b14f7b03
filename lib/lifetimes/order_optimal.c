/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order of the operators with the smallest load.
 *
 * What is alive depends only on the set of operators that ran (lib/lifetimes/live.h), so
 * an order is a path through the down-sets of the graph, from none to all, and
 * its load the largest weight of an edge on it: a bottleneck shortest path,
 * found as Dijkstra's algorithm finds it, least load first.  Three rules keep
 * the number of sets small:
 *
 *   - No order is below the largest need of one operator, so paths below that
 *     count as equal to it.
 *   - Free moves.  If running O next keeps within the load of the path so far
 *     and afterwards no more is alive than before, then O may as well run at
 *     once: whatever runs before it in an optimal order finds no more alive
 *     after O than without it, because what O frees only grows as other
 *     operators run.
 *   - Paths at or above the best known load are left out; when nothing is left
 *     the order that came with that load is optimal.
 *
 * Held and Karp's dynamic programming (1962) for sequencing is the ancestor;
 * on memory: Liu (1987) for trees; Ahn et al. (2020, Serenity) for networks.  */
#include <config.h>

#include "lib/lifetimes/order_private.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/lifetimes/live.h"
#include "lib/lifetimes/order.h"

#define NO_SET SIZE_MAX

/* A down-set that was reached.  */
struct reached {
    int64_t load; /* of the best path to it that is known */
    size_t from;  /* the set before, NO_SET for the first */
    size_t op;    /* what ran then; free moves followed */
    uint64_t hash;
    size_t next; /* in its hash chain */
    size_t ran;  /* operators in it */
    bool done;
};

struct search {
    struct live *live;
    size_t *log;   /* the operators that ran in LIVE, in order */
    size_t words;  /* of a set of operators */
    uint64_t *key; /* words of each set */
    struct reached *set;
    size_t sets, key_capacity, set_capacity;
    size_t *chain; /* hash table: a power of two of heads */
    size_t chains;
    size_t *heap; /* sets to go on from, the least first */
    size_t heap_used, heap_capacity;
    int64_t floor; /* no order has a smaller load */
    int64_t best;  /* what has to be beaten */
};

/* --- the heap: by load, then the fuller set, then age --- */

static bool before(const struct search *search, size_t a, size_t b)
{
    const struct reached *x = &search->set[a], *y = &search->set[b];

    if (x->load != y->load)
        return x->load < y->load;
    if (x->ran != y->ran)
        return x->ran > y->ran;
    return a < b;
}

static void push(struct search *search, size_t item)
{
    size_t at = search->heap_used++;

    search->heap =
        memory_grow(search->heap, &search->heap_capacity, search->heap_used, sizeof *search->heap);
    while (at > 0 && before(search, item, search->heap[(at - 1) / 2])) {
        search->heap[at] = search->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    search->heap[at] = item;
}

static size_t pop(struct search *search)
{
    size_t top = search->heap[0], item = search->heap[--search->heap_used], at = 0;

    for (;;) {
        size_t child = 2 * at + 1;

        if (child >= search->heap_used)
            break;
        if (child + 1 < search->heap_used &&
            before(search, search->heap[child + 1], search->heap[child]))
            child++;
        if (!before(search, search->heap[child], item))
            break;
        search->heap[at] = search->heap[child];
        at = child;
    }
    search->heap[at] = item;
    return top;
}

/* --- the sets --- */

static uint64_t hash_of(const uint64_t *key, size_t words)
{
    uint64_t hash = UINT64_C(14695981039346656037);

    for (size_t w = 0; w < words; w++) {
        hash ^= key[w];
        hash *= UINT64_C(1099511628211);
        hash ^= hash >> 29;
    }
    return hash;
}

static void key_of(const struct live *live, uint64_t *key, size_t words)
{
    memset(key, 0, words * sizeof *key);
    for (size_t o = 0; o < live->n_ops; o++)
        if (live->run[o])
            key[o / 64] |= UINT64_C(1) << (o % 64);
}

static void rehash(struct search *search)
{
    search->chains = search->chains == 0 ? 1024 : 2 * search->chains;
    free(search->chain);
    search->chain = memory_alloc(search->chains, sizeof *search->chain);
    for (size_t c = 0; c < search->chains; c++)
        search->chain[c] = NO_SET;
    for (size_t s = 0; s < search->sets; s++) {
        size_t c = search->set[s].hash & (search->chains - 1);

        search->set[s].next = search->chain[c];
        search->chain[c] = s;
    }
}

/* Notes that the set of operators that ran in LIVE is reached.  */
static void reach(struct search *search, struct reached reached)
{
    const struct live *live = search->live;
    size_t words = search->words, c;
    uint64_t *key;

    if (search->sets >= search->chains)
        rehash(search);
    search->key = memory_grow(search->key, &search->key_capacity, (search->sets + 1) * words,
                              sizeof *search->key);
    key = search->key + search->sets * words;
    key_of(live, key, words);
    reached.hash = hash_of(key, words);
    reached.ran = live->ran;
    c = reached.hash & (search->chains - 1);
    for (size_t s = search->chain[c]; s != NO_SET; s = search->set[s].next) {
        struct reached *old = &search->set[s];

        if (old->hash != reached.hash ||
            memcmp(search->key + s * words, key, words * sizeof *key) != 0)
            continue;
        if (!old->done && reached.load < old->load) {
            old->load = reached.load;
            old->from = reached.from;
            old->op = reached.op;
            push(search, s);
        }
        return;
    }
    search->set =
        memory_grow(search->set, &search->set_capacity, search->sets + 1, sizeof *search->set);
    reached.next = search->chain[c];
    search->set[search->sets] = reached;
    search->chain[c] = search->sets;
    push(search, search->sets++);
}

/* --- moves --- */

static bool is_ready(const struct live *live, size_t o)
{
    return !live->run[o] && live->waits[o] == 0;
}

static void run(struct search *search, size_t o)
{
    search->log[search->live->ran] = o;
    live_run(search->live, o);
}

/* Runs what is free within LOAD until nothing is.  */
static void free_moves(struct search *search, int64_t load)
{
    struct live *live = search->live;

    for (bool moved = true; moved;) {
        moved = false;
        for (size_t o = 0; o < live->n_ops; o++) {
            if (!is_ready(live, o) || live_change(live, o) > 0 || live_during(live, o) > load)
                continue;
            run(search, o);
            moved = true;
        }
    }
}

/* Takes back operators until COUNT are left.  */
static void back_to(struct search *search, size_t count)
{
    live_undo_all(search->live, search->log + count, search->live->ran - count);
}

/* Goes to the state after the operators of set S, from the start; file order
 * is topological.  */
static void go_to(struct search *search, size_t s)
{
    const uint64_t *key = search->key + s * search->words;

    back_to(search, 0);
    for (size_t o = 0; o < search->live->n_ops; o++)
        if ((key[o / 64] >> (o % 64) & 1) != 0)
            run(search, o);
}

/* Goes on from set S by every operator that is ready.  */
static void expand(struct search *search, size_t s)
{
    struct live *live = search->live;
    size_t ran = search->set[s].ran;

    search->set[s].done = true;
    go_to(search, s);
    for (size_t o = 0; o < live->n_ops; o++) {
        int64_t load;

        if (!is_ready(live, o))
            continue;
        load = max64(search->set[s].load, live_during(live, o));
        if (load >= search->best)
            continue;
        run(search, o);
        free_moves(search, load);
        reach(search, (struct reached){.load = load, .from = s, .op = o});
        back_to(search, ran);
    }
}

/* Writes the path to set S, which holds all operators, to ORDER.  */
static void write_order(struct search *search, size_t s, size_t *order)
{
    size_t *path = NULL, capacity = 0, length = 0;

    for (; s != NO_SET; s = search->set[s].from) {
        path = memory_grow(path, &capacity, length + 1, sizeof *path);
        path[length++] = s;
    }
    back_to(search, 0);
    while (length-- > 0) {
        const struct reached *set = &search->set[path[length]];

        if (set->from != NO_SET)
            run(search, set->op);
        free_moves(search, set->load);
    }
    memcpy(order, search->log, search->live->n_ops * sizeof *order);
    free(path);
}

/* The largest need of one operator on its own: what it reads and makes, and
 * what is there all the time.  */
static int64_t largest_need(const struct live *live)
{
    int64_t floor = live->bytes + live->unread, kept = 0;

    for (size_t g = 0; g < live->n_groups; g++)
        kept += live->kept[g] ? live->size[g] : 0;
    floor = max64(floor, kept);
    for (size_t o = 0; o < live->n_ops; o++) {
        int64_t need = 0;

        for (size_t i = live->first_read[o]; i < live->first_read[o + 1]; i++)
            need += live->size[live->read[i]];
        for (size_t i = live->first_made[o]; i < live->first_made[o + 1]; i++)
            need += live->size[live->made[i]];
        floor = max64(floor, need);
    }
    return floor;
}

/* Searches until an order is proven; false at the limit.  */
static bool look(struct search *search, size_t *order)
{
    free_moves(search, search->floor);
    reach(search, (struct reached){.load = search->floor, .from = NO_SET});
    while (search->sets <= ORDER_OPTIMAL_SETS) {
        size_t s;

        if (search->heap_used == 0)
            return true;
        s = pop(search);
        if (search->set[s].ran == search->live->n_ops) {
            write_order(search, s, order);
            return true;
        }
        if (!search->set[s].done)
            expand(search, s);
    }
    return false;
}

bool order_optimal(struct live *live, size_t *order, int64_t best, const char *name,
                   struct error *error)
{
    struct search search = {
        .live = live,
        .log = memory_alloc(live->n_ops, sizeof *search.log),
        .words = live->n_ops / 64 + 1,
        .floor = largest_need(live),
        .best = best,
    };
    bool proven = best <= search.floor || look(&search, order);

    back_to(&search, 0);
    free(search.log);
    free(search.key);
    free(search.set);
    free(search.chain);
    free(search.heap);
    return proven || error_set(error,
                               "network '%s': order=optimal gave up after %zu sets of operators; "
                               "order=greedy has no limit",
                               name, search.sets);
}
