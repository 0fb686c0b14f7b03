/* SPDX-License-Identifier: Apache-2.0 */
/* A list of the placed buffers for each stretch of the time axis.
 *
 * A stretch is about as long as a buffer lives on average, so a lifetime reaches into
 * three on average, and what it has to look at lies in one place in memory.  Stretch after stretch
 * takes its entries out of the gaps that are left, of which there are few.  The cost of a placement
 * is the number of buffers in these stretches: little on the lifetimes of networks.
 *
 * A segment tree over time whose nodes kept sets of the addresses in use was here for lifetimes of
 * which a placement looks at more than 2,000 others.  It took more than twice the time, and memory
 * (seconds of a processor, tree and lists): greedy-by-size on uniform:n=40000 6.1 and 2.7, on
 * chain:n=200000,length=20000 4.5 and 3.6, first-fit-by-start on that 7.6 and 2.7.  */
#include <config.h>

#include "lib/place/gap_index.h"

#include <assert.h>

#include "lib/base/check.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/place/work_limit.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"

/* A placed buffer, or a life of one that has several: its steps, both inclusive, and its
 * addresses.  */
struct entry {
    uint32_t first, last;
    int64_t lo, hi;
};

/* Steps in which a buffer lives, both inclusive.  */
struct life {
    uint32_t first, last;
};

struct gap_index {
    unsigned shift; /* a stretch is so long, in steps: 2 to that power */
    size_t stretches;
    size_t *start;       /* room of stretch k: entry[start[k]..start[k + 1]) */
    uint32_t *count;     /* entries in stretch k, by ascending lo */
    struct entry *entry; /* a buffer is in each stretch that it reaches into */
    struct span_list gaps, spare;
    const struct instance *instance;
    struct life *life; /* of each piece, where buffers have several lives (pairs); NULL: from first
                          step to last */
    int64_t looks;     /* at entries and gaps, so far */
};

static void reserve(struct span_list *list, size_t room)
{
    list->span = memory_grow(list->span, &list->room, room, sizeof *list->span);
}

static size_t lives_of(const struct gap_index *index, const struct buffer *buffer)
{
    return index->life == NULL ? 1 : buffer->pieces;
}

static struct life life_of(const struct gap_index *index, const struct buffer *buffer, size_t i)
{
    if (index->life == NULL)
        return (struct life){buffer->first, buffer->last};
    return index->life[buffer->first_piece + i];
}

static void find_lives(struct gap_index *index)
{
    const size_t pieces = index->instance->pieces;
    uint32_t *step = memory_alloc(2 * pieces, sizeof *step);

    instance_piece_steps(index->instance, step, step + pieces);
    index->life = memory_alloc(pieces, sizeof *index->life);
    for (size_t p = 0; p < pieces; p++)
        index->life[p] = (struct life){step[p], step[pieces + p]};
    memory_free(step);
}

/* The power of two that is next to the mean lifetime in steps, or above it.  */
static unsigned find_shift(const struct instance *instance)
{
    uint64_t sum = 0;
    unsigned shift = 0;

    for (size_t b = 0; b < instance->n; b++)
        sum += instance->buffer[b].last - instance->buffer[b].first + 1;
    while ((uint64_t)instance->n << shift < sum)
        shift++;
    return shift;
}

/* Room for each stretch, as prefix sums; returns the sum.  */
static size_t make_rooms(struct gap_index *index, const struct instance *instance)
{
    size_t *room = index->start;

    /* What begins and what goes on: first the changes, then their sums.  */
    for (size_t b = 0; b < instance->n; b++)
        for (size_t i = 0; i < lives_of(index, &instance->buffer[b]); i++) {
            const struct life life = life_of(index, &instance->buffer[b], i);

            room[life.first >> index->shift]++;
            room[(life.last >> index->shift) +
                 1]--; /* wraps around, and back when it is added up */
        }
    for (size_t k = 1; k <= index->stretches; k++)
        room[k] += room[k - 1];
    for (size_t k = 0, sum = 0; k <= index->stretches; k++) {
        size_t here = room[k];

        room[k] = sum;
        sum += here;
    }
    return room[index->stretches];
}

static void index_init(struct gap_index *index, const struct instance *instance)
{
    *index = (struct gap_index){.instance = instance};
    if (instance->n == 0)
        return;
    if (instance->pairs)
        find_lives(index);
    index->shift = find_shift(instance);
    index->stretches = ((instance->steps - 1) >> index->shift) + 1;
    index->start = memory_zalloc(index->stretches + 1, sizeof *index->start);
    index->count = memory_zalloc(index->stretches, sizeof *index->count);
    index->entry = memory_alloc(make_rooms(index, instance), sizeof *index->entry);
}

static void index_clear(struct gap_index *index)
{
    memory_free(index->start);
    memory_free(index->count);
    memory_free(index->entry);
    memory_free(index->life);
    memory_free(index->gaps.span);
    memory_free(index->spare.span);
}

/* Writes to LEFT what the entries of stretch K that are met leave of the gaps FROM.  An entry that
 * is not met has no addresses, so that no branch hangs on it.  */
static void take_out(const struct gap_index *index, size_t k, struct life life, int64_t size,
                     const struct span_list *from, struct span_list *left)
{
    const struct entry *entry = &index->entry[index->start[k]];
    size_t n = index->count[k], g = 0;
    uint32_t first = life.first, last = life.last;
    int64_t top = 0;

    reserve(left, from->count + n + 1);
    left->count = 0;
    for (size_t i = 0; i <= n; i++) {
        bool end = i == n, met = !end && entry[i].first <= last && entry[i].last >= first;
        int64_t lo = end ? INT64_MAX : met ? entry[i].lo : top;

        if (lo - top >= size) {
            while (from->span[g].hi <= top)
                g++;
            for (; g < from->count && from->span[g].lo < lo; g++) {
                struct span gap = {max64(from->span[g].lo, top), min64(from->span[g].hi, lo)};

                if (gap.hi - gap.lo >= size)
                    left->span[left->count++] = gap;
                if (from->span[g].hi > lo)
                    break;
            }
        }
        top = met ? max64(top, entry[i].hi) : top;
    }
}

/* Leaves in index->gaps those of them that stay free during LIFE and have SIZE.  */
static void narrow_gaps(struct gap_index *index, struct life life, int64_t size)
{
    for (size_t k = life.first >> index->shift; k <= life.last >> index->shift; k++) {
        struct span_list left = index->spare;

        take_out(index, k, life, size, &index->gaps, &left);
        index->looks += (int64_t)(index->count[k] + index->gaps.count);
        index->spare = index->gaps;
        index->gaps = left;
    }
}

/* Leaves in index->gaps those that stay free during the life of BUFFER and are as large, ascending;
 * the last one is endless.  */
static void find_gaps(struct gap_index *index, const struct buffer *buffer)
{
    reserve(&index->gaps, 1);
    index->gaps.count = 1;
    index->gaps.span[0] = (struct span){0, INT64_MAX};
    for (size_t i = 0; i < lives_of(index, buffer); i++)
        narrow_gaps(index, life_of(index, buffer, i), buffer->size);
}

static void enter(struct gap_index *index, struct life life, int64_t lo, int64_t hi)
{
    for (size_t k = life.first >> index->shift; k <= life.last >> index->shift; k++) {
        struct entry *entry = &index->entry[index->start[k]];
        size_t at = index->count[k]++;

        for (; at > 0 && entry[at - 1].lo > lo; at--)
            entry[at] = entry[at - 1];
        entry[at] = (struct entry){life.first, life.last, lo, hi};
    }
}

/* BUFFER lies at [LO, HI).  */
static void occupy(struct gap_index *index, const struct buffer *buffer, int64_t lo, int64_t hi)
{
    for (size_t i = 0; i < lives_of(index, buffer); i++)
        enter(index, life_of(index, buffer, i), lo, hi);
}

/* The published rule: a gap is measured from its aligned start.  */
static int64_t choose_gap(const struct span_list *gaps, const struct buffer *buffer,
                          const void *context)
{
    const enum gap_fit *fit = context;
    int64_t least = INT64_MAX;
    int64_t offset = align_up(gaps->span[gaps->count - 1].lo, buffer->alignment);

    for (size_t i = 0; i + 1 < gaps->count; i++) {
        int64_t start = align_up(gaps->span[i].lo, buffer->alignment);
        int64_t length = gaps->span[i].hi - start;

        if (length < buffer->size || length >= least)
            continue;
        least = *fit == FIT_UNEVEN ? gaps->span[i].hi - gaps->span[i].lo : length;
        offset = start;
        if (*fit == FIT_FIRST)
            break;
    }
    return offset;
}

/* Asks memory for what a find for BUFFER will read: where its stretches are, and with ENTRIES, once
 * that has come, what is in them.  */
static void fetch(const struct gap_index *index, const struct buffer *buffer, bool entries)
{
    enum { LINE = 64, MOST_BYTES = 8 * LINE };
    size_t low = buffer->first >> index->shift, high = buffer->last >> index->shift;

    if (!entries) {
        __builtin_prefetch(&index->start[low]);
        __builtin_prefetch(&index->count[low]);
        return;
    }
    for (size_t k = low; k <= high && k < low + 2; k++) {
        const char *at = (const char *)&index->entry[index->start[k]];
        size_t bytes = (size_t)index->count[k] * sizeof *index->entry;

        for (size_t i = 0; i <= bytes && i < MOST_BYTES; i += LINE)
            __builtin_prefetch(at + i);
    }
}

/* How many turns before its own what a buffer needs is asked for.  */
enum { AHEAD_BUFFER = 24, AHEAD_STRETCHES = 12, AHEAD_ENTRIES = 6 };

static void fetch_ahead(const struct gap_index *index, const struct instance *instance,
                        const struct order_key *key, size_t i)
{
    if (i + AHEAD_BUFFER < instance->n)
        buffer_fetch(&instance->buffer[key[i + AHEAD_BUFFER].index]);
    if (i + AHEAD_STRETCHES < instance->n)
        fetch(index, &instance->buffer[key[i + AHEAD_STRETCHES].index], false);
    if (i + AHEAD_ENTRIES < instance->n)
        fetch(index, &instance->buffer[key[i + AHEAD_ENTRIES].index], true);
}

/* LIMIT may be NULL.  */
static bool place_from(const struct instance *instance, const struct order_key *key, size_t fixed,
                       gap_rule *choose, const void *context, struct work_limit *limit,
                       struct plan *plan)
{
    struct gap_index index;
    bool goes_on = true;
    size_t i;

    assert(fixed <= instance->n && plan->n == instance->n);
    index_init(&index, instance);
    plan->peak = 0;
    for (i = 0; i < instance->n && goes_on; i++) {
        size_t b = key[i].index;
        const struct buffer *buffer = &instance->buffer[b];
        int64_t before = index.looks, top;

        fetch_ahead(&index, instance, key, i);
        if (i >= fixed) {
            find_gaps(&index, buffer);
            plan->offset[b] = choose(&index.gaps, buffer, context);
        }
        top = plan->offset[b] + buffer->size;
        plan->peak = max64(plan->peak, top);
        occupy(&index, buffer, plan->offset[b], top);
        goes_on = limit == NULL || work_goes_on(limit, index.looks - before + 1);
    }
    index_clear(&index);
    return i == instance->n;
}

void gap_place(const struct instance *instance, const struct order_key *key, enum gap_fit fit,
               struct plan *plan)
{
    place_from(instance, key, 0, choose_gap, &fit, NULL, plan);
    CHECK_INVARIANT(plan_check(instance, plan));
}

bool gap_place_until(const struct instance *instance, const struct order_key *key, size_t fixed,
                     enum gap_fit fit, struct work_limit *limit, struct plan *plan)
{
    return place_from(instance, key, fixed, choose_gap, &fit, limit, plan);
}

void gap_place_by(const struct instance *instance, const struct order_key *key, gap_rule *choose,
                  const void *context, struct plan *plan)
{
    place_from(instance, key, 0, choose, context, NULL, plan);
}
