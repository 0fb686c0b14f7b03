/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "lib/place/gap_buckets.h"

#include <string.h>

#include "lib/base/check.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/place/address_set.h"
#include "lib/place/gap_check.h"
#include "lib/problem/instance.h"

/* Entries that a placement looks at: more than that on average are the tree's.  */
enum { MOST_LOOKED_AT = 2000 };

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

/* Room for each bucket, as prefix sums; returns the sum.  */
static size_t make_rooms(struct gap_buckets *buckets, const struct instance *instance)
{
    size_t *room = buckets->start;

    /* What begins and what goes on: first the changes, then their sums.  */
    for (size_t b = 0; b < instance->n; b++) {
        size_t after = (instance->buffer[b].last >> buckets->shift) + 1;

        room[instance->buffer[b].first >> buckets->shift]++;
        room[after]--; /* wraps around, and back when it is added up */
    }
    for (size_t k = 1; k <= buckets->buckets; k++)
        room[k] += room[k - 1];
    for (size_t k = 0, sum = 0; k <= buckets->buckets; k++) {
        size_t here = room[k];

        room[k] = sum;
        sum += here;
    }
    return room[buckets->buckets];
}

static bool is_cheap(const struct gap_buckets *buckets, const struct instance *instance)
{
    uint64_t looked_at = 0, most = (uint64_t)MOST_LOOKED_AT * instance->n;

    for (size_t b = 0; b < instance->n && looked_at <= most; b++)
        looked_at += buckets->start[(instance->buffer[b].last >> buckets->shift) + 1] -
                     buckets->start[instance->buffer[b].first >> buckets->shift];
    return looked_at <= most;
}

bool gap_buckets_init(struct gap_buckets *buckets, const struct instance *instance)
{
    size_t room;

    *buckets = (struct gap_buckets){0};
    if (instance->n == 0)
        return false;
    buckets->shift = find_shift(instance);
    buckets->buckets = ((instance->steps - 1) >> buckets->shift) + 1;
    buckets->start = memory_zalloc(buckets->buckets + 1, sizeof *buckets->start);
    room = make_rooms(buckets, instance);
    if (!is_cheap(buckets, instance)) {
        gap_buckets_clear(buckets);
        return false;
    }
    buckets->count = memory_zalloc(buckets->buckets, sizeof *buckets->count);
    buckets->entry = memory_alloc(room, sizeof *buckets->entry);
    return true;
}

void gap_buckets_clear(struct gap_buckets *buckets)
{
    memory_free(buckets->start);
    memory_free(buckets->count);
    memory_free(buckets->entry);
    memory_free(buckets->spare.span);
    *buckets = (struct gap_buckets){0};
}

/* Writes to LEFT what the entries of bucket K that are met leave of the gaps FROM.  An entry that
 * is not met has no addresses, so that no branch hangs on it.  */
static void take_out(const struct gap_buckets *buckets, size_t k, const struct buffer *buffer,
                     const struct span_list *from, struct span_list *left)
{
    const struct bucket_entry *entry = &buckets->entry[buckets->start[k]];
    size_t n = buckets->count[k], g = 0;
    uint32_t first = buffer->first, last = buffer->last;
    int64_t size = buffer->size, top = 0;

    span_list_reserve(left, from->count + n + 1);
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

int64_t gap_buckets_find(struct gap_buckets *buckets, const struct buffer *buffer,
                         struct span_list *gaps)
{
    int64_t looks = 0;

    span_list_reserve(gaps, 1);
    gaps->count = 1;
    gaps->span[0] = (struct span){0, INT64_MAX};
    for (size_t k = buffer->first >> buckets->shift; k <= buffer->last >> buckets->shift; k++) {
        struct span_list left = buckets->spare;

        take_out(buckets, k, buffer, gaps, &left);
        looks += (int64_t)(buckets->count[k] + gaps->count);
        buckets->spare = *gaps;
        *gaps = left;
    }
    return looks;
}

void gap_buckets_add(struct gap_buckets *buckets, const struct buffer *buffer, int64_t lo,
                     int64_t hi)
{
    for (size_t k = buffer->first >> buckets->shift; k <= buffer->last >> buckets->shift; k++) {
        struct bucket_entry *entry = &buckets->entry[buckets->start[k]];
        size_t at = buckets->count[k]++;

        for (; at > 0 && entry[at - 1].lo > lo; at--)
            entry[at] = entry[at - 1];
        entry[at] = (struct bucket_entry){buffer->first, buffer->last, lo, hi};
    }
}

void gap_buckets_check(const struct gap_buckets *buckets, const struct gap_placed *placed)
{
    size_t entries = 0, expected = 0;

    if (!check_due(placed->count, placed->count + buckets->buckets))
        return;
    for (size_t k = 0; k < buckets->buckets; k++) {
        const struct bucket_entry *entry = &buckets->entry[buckets->start[k]];

        CHECK(buckets->start[k] + buckets->count[k] <= buckets->start[k + 1], "gap buckets",
              "a bucket stays within its room");
        for (size_t i = 0; i < buckets->count[k]; i++) {
            CHECK(i == 0 || entry[i - 1].lo <= entry[i].lo, "gap buckets",
                  "entries stand by address");
            CHECK(entry[i].first >> buckets->shift <= k && k <= entry[i].last >> buckets->shift,
                  "gap buckets", "an entry reaches into its bucket");
        }
        entries += buckets->count[k];
    }
    for (size_t i = 0; i < placed->count; i++) {
        const struct buffer *buffer = &placed->instance->buffer[placed->key[i].index];

        expected += (buffer->last >> buckets->shift) - (buffer->first >> buckets->shift) + 1;
    }
    CHECK(entries == expected, "gap buckets", "a placed buffer is in each of its buckets, once");
}

void gap_buckets_fetch(const struct gap_buckets *buckets, const struct buffer *buffer, bool entries)
{
    enum { LINE = 64, MOST_BYTES = 8 * LINE };
    size_t low = buffer->first >> buckets->shift, high = buffer->last >> buckets->shift;

    if (!entries) {
        __builtin_prefetch(&buckets->start[low]);
        __builtin_prefetch(&buckets->count[low]);
        return;
    }
    for (size_t k = low; k <= high && k < low + 2; k++) {
        const char *at = (const char *)&buckets->entry[buckets->start[k]];
        size_t bytes = (size_t)buckets->count[k] * sizeof *buckets->entry;

        for (size_t i = 0; i <= bytes && i < MOST_BYTES; i += LINE)
            __builtin_prefetch(at + i);
    }
}
