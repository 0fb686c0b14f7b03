/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/dives/evictions.h"

#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/order.h"
#include "lib/base/timer.h"
#include "lib/place/dsa_pieces.h"
#include "lib/problem/instance.h"

/* Lists of neighbours are 16 MiB at most.  */
#define MOST_PAIRS ((int64_t)2 << 20)
/* The first gain of a try is so large a part of what the peak is above the least, the last one so
 * large or a unit.  */
enum { GAIN_SHARE = 5, LAST_SHARE = 64 };
/* Buffers that are placed at a capacity, for each one that there is.  */
enum { PATIENCE = 10 };
/* One start in so many, for each buffer that there is, is any one.  */
#define ANY_START UINT64_C(10)
/* Sums of worths and weights are numbers.  */
#define MOST_SIZE (INT64_C(1) << 40)
#define MOST_WEIGHT (UINT32_C(1) << 16)
/* Neighbours and ends that are looked at between two looks at the clock.  */
#define CLOCK_WORK 4096.0

/* Where starts are looked at one by one: up to so many, if they are no more for an event.  */
enum { MOST_STARTS = 4096, STARTS_AN_EVENT = 16 };

/* From start AT on WEIGHT more has to leave, or less.  */
struct eviction_event {
    int64_t at, weight;
};

void evictions_init(struct evictions *evictions, uint32_t seed)
{
    *evictions = (struct evictions){0};
    small_rng_seed(&evictions->rng, seed);
}

void evictions_clear(struct evictions *evictions)
{
    memory_free(evictions->size);
    memory_free(evictions->alignment);
    memory_free(evictions->worth);
    memory_free(evictions->start);
    memory_free(evictions->neighbour);
    memory_free(evictions->offset);
    memory_free(evictions->best);
    memory_free(evictions->weight);
    memory_free(evictions->waiting);
    memory_free(evictions->event);
    memory_free(evictions->change);
    *evictions = (struct evictions){0};
}

/* --- the beginning --- */

int64_t evictions_cost(const struct instance *instance, int64_t pairs, double work_a_node)
{
    if (pairs > MOST_PAIRS)
        return INT64_MAX;
    return (int64_t)((double)(2 * pairs + (int64_t)instance->n) / work_a_node) + 1;
}

/* 16 times the square root, rounded down.  */
static int64_t worth_of(int64_t size)
{
    int64_t square = min64(size, MOST_SIZE) * 256, root = 0;

    for (int64_t bit = INT64_C(1) << 24; bit > 0; bit /= 2)
        if ((root + bit) * (root + bit) <= square)
            root += bit;
    return root;
}

static void count_pair(void *context, size_t a, size_t b)
{
    struct evictions *evictions = context;

    evictions->start[a + 1]++;
    evictions->start[b + 1]++;
}

/* start[b] is where the next neighbour of b goes.  */
static void add_pair(void *context, size_t a, size_t b)
{
    struct evictions *evictions = context;

    evictions->neighbour[evictions->start[a]++] = (uint32_t)b;
    evictions->neighbour[evictions->start[b]++] = (uint32_t)a;
}

static void list_neighbours(struct evictions *evictions, const struct instance *instance,
                            int64_t unit)
{
    struct dsa_piece *piece;
    size_t pieces = dsa_pieces_find(instance, unit, &piece);

    evictions->start = memory_zalloc(evictions->n + 1, sizeof *evictions->start);
    dsa_pieces_each_pair(piece, pieces, count_pair, evictions);
    for (size_t b = 0; b < evictions->n; b++)
        evictions->start[b + 1] += evictions->start[b];
    evictions->neighbour =
        memory_alloc(evictions->start[evictions->n] + 1, sizeof *evictions->neighbour);
    dsa_pieces_each_pair(piece, pieces, add_pair, evictions);
    for (size_t b = evictions->n; b > 0; b--)
        evictions->start[b] = evictions->start[b - 1];
    evictions->start[0] = 0;
    memory_free(piece);
}

/* Of neighbours that any buffer has.  */
static size_t most_neighbours(const struct evictions *evictions)
{
    size_t most = 0;

    for (size_t b = 0; b < evictions->n; b++) {
        size_t count = evictions->start[b + 1] - evictions->start[b];

        most = count > most ? count : most;
    }
    return most;
}

void evictions_begin(struct evictions *evictions, const struct instance *instance, int64_t unit,
                     int64_t pairs, double work_a_node)
{
    size_t n = instance->n;

    evictions->n = n;
    evictions->size = memory_alloc(n, sizeof *evictions->size);
    evictions->alignment = memory_alloc(n, sizeof *evictions->alignment);
    evictions->worth = memory_alloc(n, sizeof *evictions->worth);
    evictions->offset = memory_alloc(n, sizeof *evictions->offset);
    evictions->best = memory_alloc(n, sizeof *evictions->best);
    evictions->weight = memory_alloc(n, sizeof *evictions->weight);
    evictions->waiting = memory_alloc(n, sizeof *evictions->waiting);
    evictions->change = memory_zalloc(MOST_STARTS, sizeof *evictions->change);
    evictions->peak = INT64_MAX;
    evictions->work_a_node = work_a_node;
    evictions->nodes = evictions_cost(instance, pairs, work_a_node);
    for (size_t b = 0; b < n; b++) {
        evictions->size[b] = instance->buffer[b].size / unit;
        evictions->alignment[b] = max64(1, instance->buffer[b].alignment / unit);
        evictions->worth[b] = worth_of(evictions->size[b]);
    }
    list_neighbours(evictions, instance, unit);
    evictions->event = memory_alloc(2 * most_neighbours(evictions) + 1, sizeof *evictions->event);
}

void evictions_follow(struct evictions *evictions, const int64_t *offset, int64_t unit,
                      int64_t peak)
{
    if (peak >= evictions->peak)
        return;
    for (size_t b = 0; b < evictions->n; b++)
        evictions->best[b] = offset[b] / unit;
    evictions->peak = peak;
    evictions->trying = false;
}

/* --- where a buffer goes back to --- */

/* The starts of a buffer are the multiples of its alignment, from 0 to LAST of them.  */
struct starts {
    int64_t alignment, last;
    int shift;      /* the alignment is that power of two; -1: it is none */
    int64_t weight; /* what leaves for the first one */
    size_t events;  /* where that changes */
};

/* What is chosen among ranges of starts for which the same has to leave.  */
struct choice {
    int64_t least, first, last;
    uint64_t equal; /* ranges with the least so far */
};

/* VALUE >= 0 in alignments, rounded up.  */
static inline int64_t in_alignments(const struct starts *starts, int64_t value)
{
    int64_t most = value + starts->alignment - 1;

    return starts->shift >= 0 ? most >> starts->shift : most / starts->alignment;
}

static struct starts starts_of(const struct evictions *evictions, size_t b)
{
    int64_t alignment = evictions->alignment[b];
    bool power = (alignment & (alignment - 1)) == 0;

    return (struct starts){
        .alignment = alignment,
        .last = (evictions->capacity - evictions->size[b]) / alignment,
        .shift = power ? __builtin_ctzll((uint64_t)alignment) : -1,
    };
}

/* Fills in what leaves for each start of buffer B; the events are in no order.  */
static void find_events(struct evictions *evictions, size_t b, struct starts *starts)
{
    int64_t size = evictions->size[b];
    struct eviction_event *event = evictions->event;
    size_t count = 0;

    for (size_t i = evictions->start[b]; i < evictions->start[b + 1]; i++) {
        size_t d = evictions->neighbour[i];
        int64_t change = evictions->worth[d] * (int64_t)evictions->weight[d], from, to;

        if (evictions->offset[d] < 0)
            continue;
        from = in_alignments(starts, max64(0, evictions->offset[d] - size + 1));
        to = in_alignments(starts, evictions->offset[d] + evictions->size[d]);
        if (from > starts->last || from >= to)
            continue;
        if (from == 0)
            starts->weight += change;
        else
            event[count++] = (struct eviction_event){from, change};
        if (to <= starts->last)
            event[count++] = (struct eviction_event){to, -change};
    }
    starts->events = count;
}

/* For the starts FROM to END, which is not among them, WEIGHT leaves.  */
static inline void consider(struct evictions *evictions, struct choice *choice, int64_t from,
                            int64_t end, int64_t weight)
{
    if (weight > choice->least)
        return;
    choice->equal = weight < choice->least ? 1 : choice->equal + 1;
    choice->least = weight;
    if (choice->equal > 1 && small_rng_next(&evictions->rng) % choice->equal > 0)
        return;
    choice->first = from;
    choice->last = end - 1;
}

/* By Shell's method, with Ciura's steps and from there on 9/4 of the step before.  Few events are
 * the rule, but a buffer may be alive together with a million.  */
static void sort_events(struct eviction_event *event, size_t count)
{
    static const size_t steps[] = {1035711, 460316, 204585, 90927, 40412, 17961, 7983, 3548, 1577,
                                   701,     301,    132,    57,    23,    10,    4,    1};

    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++)
        for (size_t i = steps[k]; i < count; i++) {
            struct eviction_event moved = event[i];
            size_t to = i;

            for (; to >= steps[k] && event[to - steps[k]].at > moved.at; to -= steps[k])
                event[to] = event[to - steps[k]];
            event[to] = moved;
        }
}

/* Of many starts only the events are looked at, in their order.  */
static void choose_by_events(struct evictions *evictions, const struct starts *starts,
                             struct choice *choice)
{
    struct eviction_event *event = evictions->event;
    int64_t weight = starts->weight, from = 0;

    sort_events(event, starts->events);
    for (size_t i = 0; i < starts->events;) {
        int64_t at = event[i].at, change = 0;

        for (; i < starts->events && event[i].at == at; i++)
            change += event[i].weight;
        if (change == 0)
            continue;
        consider(evictions, choice, from, at, weight);
        from = at;
        weight += change;
    }
    consider(evictions, choice, from, starts->last + 1, weight);
}

/* Of few starts each one is.  */
static void choose_by_starts(struct evictions *evictions, const struct starts *starts,
                             struct choice *choice)
{
    int64_t *change = evictions->change, weight = starts->weight, from = 0;

    for (size_t i = 0; i < starts->events; i++)
        change[evictions->event[i].at] += evictions->event[i].weight;
    for (int64_t at = 1; at <= starts->last; at++) {
        if (change[at] == 0)
            continue;
        consider(evictions, choice, from, at, weight);
        from = at;
        weight += change[at];
        change[at] = 0;
    }
    consider(evictions, choice, from, starts->last + 1, weight);
}

/* Of the ranges of starts for which least has to leave one at random, and there its first or its
 * last start.  Now and then any start: a few buffers may evict one another in a cycle.  *WEIGHT: 0
 * if nothing has to leave.  */
static int64_t choose_start(struct evictions *evictions, const struct starts *starts,
                            int64_t *weight)
{
    struct choice choice = {.least = INT64_MAX};

    if (small_rng_next(&evictions->rng) % (ANY_START * evictions->n) == 0) {
        *weight = INT64_MAX;
        return (int64_t)(small_rng_next(&evictions->rng) % (uint64_t)(starts->last + 1)) *
               starts->alignment;
    }
    if (starts->last < MOST_STARTS && (size_t)starts->last < STARTS_AN_EVENT * starts->events)
        choose_by_starts(evictions, starts, &choice);
    else
        choose_by_events(evictions, starts, &choice);
    *weight = choice.least;
    return (small_rng_bit(&evictions->rng) ? choice.last : choice.first) * starts->alignment;
}

static void take_out(struct evictions *evictions, size_t b)
{
    evictions->offset[b] = -1;
    evictions->waiting[evictions->waits++] = (uint32_t)b;
}

/* Places the last one that waits.  Returns what was looked at.  */
static size_t place_next(struct evictions *evictions)
{
    size_t b = evictions->waiting[--evictions->waits];
    struct starts starts = starts_of(evictions, b);
    int64_t weight, start, end;

    find_events(evictions, b, &starts);
    start = choose_start(evictions, &starts, &weight);
    end = start + evictions->size[b];
    evictions->offset[b] = start;
    if (weight > 0 && evictions->weight[b] < MOST_WEIGHT)
        evictions->weight[b]++;
    for (size_t i = evictions->start[b]; i < evictions->start[b + 1] && weight > 0; i++) {
        size_t d = evictions->neighbour[i];

        if (evictions->offset[d] >= 0 && evictions->offset[d] < end &&
            start < evictions->offset[d] + evictions->size[d])
            take_out(evictions, d);
    }
    return evictions->start[b + 1] - evictions->start[b] + starts.events;
}

/* --- capacities --- */

/* GAIN below the peak, but no lower than LEAST, which no buffer is above.  */
static void set_capacity(struct evictions *evictions, int64_t least)
{
    evictions->gain = max64(1, min64(evictions->gain, evictions->peak - least));
    evictions->capacity = evictions->peak - evictions->gain;
    evictions->left = PATIENCE * (int64_t)evictions->n;
}

/* Begins with the best packing.  */
static void begin_try(struct evictions *evictions, int64_t least)
{
    if (evictions->gain == 0)
        evictions->gain = (evictions->peak - least) / GAIN_SHARE;
    set_capacity(evictions, least);
    evictions->trying = true;
    evictions->waits = 0;
    memcpy(evictions->offset, evictions->best, evictions->n * sizeof *evictions->offset);
    for (size_t b = 0; b < evictions->n; b++) {
        evictions->weight[b] = 1;
        if (evictions->offset[b] + evictions->size[b] > evictions->capacity)
            take_out(evictions, b);
    }
}

/* After too many evictions: the capacity rises, or another try begins.  */
static void give_up(struct evictions *evictions, int64_t least)
{
    evictions->trying = evictions->gain > 1 + (evictions->peak - least) / LAST_SHARE;
    evictions->gain = evictions->trying ? evictions->gain / 2 : 0;
    if (evictions->trying)
        set_capacity(evictions, least);
}

/* All are placed: each falls onto what is below it, and that is the best packing.  */
static void settle(struct evictions *evictions)
{
    struct order_key *key = memory_alloc(evictions->n, sizeof *key);

    for (size_t b = 0; b < evictions->n; b++)
        key[b] = (struct order_key){key_ascending(evictions->offset[b]), 0, b};
    order_sort(key, evictions->n);
    evictions->peak = 0;
    for (size_t k = 0; k < evictions->n; k++) {
        size_t b = key[k].index;
        int64_t floor = 0;

        for (size_t i = evictions->start[b]; i < evictions->start[b + 1]; i++) {
            size_t d = evictions->neighbour[i];

            if (evictions->offset[d] < evictions->offset[b])
                floor = max64(floor, evictions->offset[d] + evictions->size[d]);
        }
        evictions->offset[b] = align_up(floor, evictions->alignment[b]);
        evictions->peak = max64(evictions->peak, evictions->offset[b] + evictions->size[b]);
    }
    memory_free(key);
    memcpy(evictions->best, evictions->offset, evictions->n * sizeof *evictions->best);
    evictions->gain *= 2;
    evictions->trying = false;
}

bool evictions_turn(struct evictions *evictions, int64_t least, int64_t nodes, double deadline)
{
    double most = (double)nodes * evictions->work_a_node, work = 0.0, clock = 0.0;
    bool found = false;

    while (work < most && evictions->peak > least && !found) {
        if (work >= clock) {
            if (timer_now() >= deadline)
                break;
            clock = work + CLOCK_WORK;
        }
        if (!evictions->trying)
            begin_try(evictions, least);
        if (evictions->left-- <= 0)
            give_up(evictions, least);
        else if (evictions->waits > 0)
            work += (double)place_next(evictions);
        found = evictions->trying && evictions->waits == 0;
    }
    if (found)
        settle(evictions);
    evictions->nodes += min64(nodes, (int64_t)(work / evictions->work_a_node) + 1);
    return found;
}
