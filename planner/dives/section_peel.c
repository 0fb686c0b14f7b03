/* SPDX-License-Identifier: Apache-2.0 */
/* Buffer b of size s and alignment a can start at floor((C - s) / a) + 1 multiples
 * of a.  A neighbour of size d, wherever it is, takes an open interval of length
 * s + d out of these, which holds at most (s + d - 1 + a - 1) / a multiples of a.  If
 * all neighbours together take less than there are, b fits whatever they do.
 *
 *   C = 10, s = 2: nine starts; neighbours of 3 and 2 take 4 and 3 of them: peeled.
 *
 * Once b is out, it is nobody's neighbour, so others may follow; b goes back after
 * them, next to exactly the neighbours that were counted.
 *
 * The neighbours' sum is that of all buffers less those that have ended before b
 * begins and those that begin after it has ended: two Fenwick trees (Fenwick 1994).  */
#include <config.h>

#include "planner/dives/section_peel.h"

#include <assert.h>
#include <stdbool.h>

#include "lib/base/check.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/order.h"
#include "lib/problem/instance.h"

/* Another pass is worth it while the last one peeled one buffer in so many.  */
enum { WORTH_A_PASS = 50 };

/* Of the buffers that are not peeled: how many, and their sizes in units.  */
struct tally {
    int64_t count, size;
};

struct peeler {
    const struct instance *instance;
    int64_t unit, capacity; /* in units */
    struct tally all;
    struct tally *ended; /* Fenwick tree by last step, from 1 */
    struct tally *begun; /* by first step */
};

static void tree_add(struct tally *tree, size_t steps, size_t step, struct tally change)
{
    for (size_t i = step + 1; i <= steps; i += i & -i) {
        tree[i].count += change.count;
        tree[i].size += change.size;
    }
}

/* Takes the buffers at the steps before STEP out of TALLY, SIGN times.  */
static void tree_subtract(const struct tally *tree, size_t step, int64_t sign, struct tally *tally)
{
    for (size_t i = step; i > 0; i -= i & -i) {
        tally->count -= sign * tree[i].count;
        tally->size -= sign * tree[i].size;
    }
}

static void count_buffer(struct peeler *peeler, size_t b, int64_t sign)
{
    const struct buffer *buffer = &peeler->instance->buffer[b];
    struct tally change = {sign, sign * (buffer->size / peeler->unit)};

    peeler->all.count += change.count;
    peeler->all.size += change.size;
    tree_add(peeler->ended, peeler->instance->steps, buffer->last, change);
    tree_add(peeler->begun, peeler->instance->steps, buffer->first, change);
}

static bool fits_anywhere(const struct peeler *peeler, size_t b)
{
    const struct buffer *buffer = &peeler->instance->buffer[b];
    int64_t size = buffer->size / peeler->unit;
    int64_t alignment = max64(1, buffer->alignment / peeler->unit);
    struct tally near = {-1, -size}; /* not itself */
    int64_t taken;

    if (size > peeler->capacity || buffer->fixed >= 0)
        return false;
    /* All, less ENDED before it begins, less (all - BEGUN until it ends).  */
    tree_subtract(peeler->ended, buffer->first, 1, &near);
    tree_subtract(peeler->begun, buffer->last + 1, -1, &near);
    return checked_mul(near.count, size - 1 + alignment - 1, &taken) &&
           checked_add(taken, near.size, &taken) &&
           taken / alignment < (peeler->capacity - size) / alignment + 1;
}

/* The smallest first: they go most easily, and the large ones profit.  */
static struct order_key *by_size(const struct instance *instance)
{
    struct order_key *key = memory_alloc(instance->n, sizeof *key);

    for (size_t b = 0; b < instance->n; b++)
        key[b] = (struct order_key){(uint64_t)instance->buffer[b].size, 0, b};
    order_sort(key, instance->n);
    return key;
}

/* Marks what goes, in the order in which it goes, from the end of ORDER down.  */
static size_t peel(struct peeler *peeler, bool *peeled, size_t *order)
{
    size_t n = peeler->instance->n, left = n, before;
    struct order_key *key = by_size(peeler->instance);

    do {
        size_t kept = 0;

        before = left;
        for (size_t i = 0; i < before; i++) {
            size_t b = key[i].index;

            if (!fits_anywhere(peeler, b)) {
                key[kept++] = key[i];
                continue;
            }
            count_buffer(peeler, b, -1);
            peeled[b] = true;
            order[--left] = b;
        }
    } while (before > left && (before - left) * WORTH_A_PASS >= before);
    memory_free(key);
    return left;
}

/* Each buffer of ORDER from LEFT on has room beside those before it, wherever these are: what
 * one that lives with it takes from it are size + own size - 1 starts, rounded to its own.  */
static void check_peeled(const struct peeler *peeler, const size_t *order, size_t left)
{
    const struct instance *instance = peeler->instance;

    for (size_t i = left; i < instance->n; i++) {
        const struct buffer *buffer = &instance->buffer[order[i]];
        int64_t size = buffer->size / peeler->unit;
        int64_t alignment = max64(1, buffer->alignment / peeler->unit), taken = 0;

        for (size_t k = 0; k < i && check_due(i, instance->n); k++) {
            const struct buffer *other = &instance->buffer[order[k]];

            if (buffers_overlap_in_time(buffer, other))
                taken += (other->size / peeler->unit + size - 1 + alignment - 1);
        }
        CHECK(taken / alignment <= (peeler->capacity - size) / alignment, "peeling",
              "a peeled buffer fits beside all that come before it");
    }
}

size_t section_peel(const struct instance *instance, int64_t unit, int64_t capacity, size_t *order)
{
    struct peeler peeler = {.instance = instance, .unit = unit, .capacity = capacity / unit};
    bool *peeled = memory_zalloc(instance->n, sizeof *peeled);
    size_t kept = 0, left;

    assert(unit > 0 && capacity >= 0);
    peeler.ended = memory_zalloc(instance->steps + 1, sizeof *peeler.ended);
    peeler.begun = memory_zalloc(instance->steps + 1, sizeof *peeler.begun);
    for (size_t b = 0; b < instance->n; b++)
        count_buffer(&peeler, b, 1);
    left = peel(&peeler, peeled, order);
    for (size_t b = 0; b < instance->n; b++)
        if (!peeled[b])
            order[kept++] = b;
    CHECK_INVARIANT(check_peeled(&peeler, order, left));
    memory_free(peeler.ended);
    memory_free(peeler.begun);
    memory_free(peeled);
    return left;
}
