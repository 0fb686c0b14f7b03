/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Up to a few thousand buffers a plain scan of the placed ones, by ascending offset,
 * is several times faster than an index of gaps: it ends at the first placed buffer,
 * neighbour in time or not, that leaves room below itself, because all that follow lie
 * as high.  O(n^2) at worst.  */
#include <config.h>

#include "solvers/fit/decoder.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/bisect.h"
#include "lib/base/check.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/place/gap_index.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"

/* Above this the index is faster (measured on chains and on dense instances).  */
enum { MOST_SCANNED = 4000 };

struct placed {
    int64_t lo, hi;
    uint32_t first, last; /* steps */
};

struct decoder {
    const struct instance *instance;
    struct placed *placed; /* by lo; NULL: the index is used */
    struct order_key *key; /* what the index wants; NULL: the scan is used */
};

struct decoder *decoder_new(const struct instance *instance)
{
    struct decoder *decoder = memory_zalloc(1, sizeof *decoder);

    decoder->instance = instance;
    if (instance->n <= MOST_SCANNED && !instance->pairs)
        decoder->placed = memory_alloc(instance->n, sizeof *decoder->placed);
    else
        decoder->key = memory_zalloc(instance->n, sizeof *decoder->key);
    return decoder;
}

void decoder_free(struct decoder *decoder)
{
    if (decoder == NULL)
        return;
    free(decoder->placed);
    free(decoder->key);
    free(decoder);
}

/* The lowest place for BUFFER beside COUNT placed ones.  Which of them are neighbours
 * in time no processor can guess, so that is worked out without a branch.  */
static int64_t scan(const struct placed *placed, size_t count, const struct buffer *buffer)
{
    int64_t start = 0, size = buffer->size;
    uint32_t first = buffer->first, last = buffer->last;

    for (size_t i = 0; i < count && placed[i].lo - start < size; i++) {
        int64_t mask = -(int64_t)((placed[i].first <= last) & (first <= placed[i].last));

        start = max64(start, placed[i].hi & mask);
    }
    return start;
}

/* The same with an alignment.  */
static int64_t scan_aligned(const struct placed *placed, size_t count, const struct buffer *buffer)
{
    int64_t start = 0;

    for (size_t i = 0; i < count && placed[i].lo - start < buffer->size; i++)
        if (placed[i].first <= buffer->last && buffer->first <= placed[i].last &&
            placed[i].hi > start)
            start = align_up(placed[i].hi, buffer->alignment);
    return start;
}

/* Keeps PLACED[0..count) by lo.  */
static void insert(struct placed *placed, size_t count, const struct placed *added)
{
    size_t at = BISECT(i, 0, count, placed[i].lo <= added->lo);

    memmove(placed + at + 1, placed + at, (count - at) * sizeof *placed);
    placed[at] = *added;
}

static void check_placed(const struct placed *placed, size_t count)
{
    for (size_t i = 1; i < count; i++)
        CHECK(placed[i - 1].lo <= placed[i].lo, "decoder", "the placed ones stand by address");
}

void decoder_run(struct decoder *decoder, const uint32_t *order, struct plan *plan)
{
    const struct instance *instance = decoder->instance;

    assert(plan->n == decoder->instance->n);
    if (decoder->placed == NULL) {
        for (size_t i = 0; i < instance->n; i++)
            decoder->key[i].index = order[i];
        gap_place(instance, decoder->key, FIT_FIRST, plan);
        return;
    }
    plan->peak = 0;
    for (size_t i = 0; i < instance->n; i++) {
        const struct buffer *buffer = &instance->buffer[order[i]];
        int64_t start = buffer->alignment == 1 ? scan(decoder->placed, i, buffer)
                                               : scan_aligned(decoder->placed, i, buffer);
        const struct placed added = {start, start + buffer->size, buffer->first, buffer->last};

        insert(decoder->placed, i, &added);
        CHECK_INVARIANT(check_placed(decoder->placed, i + 1));
        plan->offset[order[i]] = start;
        plan->peak = max64(plan->peak, added.hi);
    }
    CHECK_INVARIANT(plan_check(instance, plan));
}
