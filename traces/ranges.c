/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sorted array in chunks: who looks for an address reads two stretches of memory that lie close
 * together each, where a search tree would wait for memory at each of its levels.  */
#include <config.h>

#include "traces/ranges.h"

#include <string.h>

#include "lib/base/bisect.h"
#include "lib/base/memory.h"

enum { CHUNK = 128 };

struct range_chunk {
    size_t count;
    struct range item[CHUNK];
};

void ranges_clear(struct ranges *ranges)
{
    for (size_t c = 0; c < ranges->chunks; c++)
        memory_free(ranges->chunk[c]);
    memory_free(ranges->chunk);
    memory_free(ranges->low);
    *ranges = (struct ranges){.count = 0};
}

/* The chunk that LOW belongs to: the last one that begins there or below, or the first.  */
static size_t chunk_of(const struct ranges *ranges, uint64_t low)
{
    const size_t above = BISECT(c, 0, ranges->chunks, ranges->low[c] <= low);

    return above == 0 ? 0 : above - 1;
}

const struct range *ranges_meeting(const struct ranges *ranges, uint64_t low, uint64_t last)
{
    const size_t c = chunk_of(ranges, low);
    const struct range_chunk *chunk = ranges->chunks == 0 ? NULL : ranges->chunk[c];
    const size_t i = chunk == NULL ? 0 : BISECT(k, 0, chunk->count, chunk->item[k].last < low);
    const struct range *found = NULL;

    if (chunk != NULL && i < chunk->count)
        found = &chunk->item[i];
    else if (c + 1 < ranges->chunks)
        found = &ranges->chunk[c + 1]->item[0];
    return found != NULL && found->low <= last ? found : NULL;
}

const struct range *ranges_highest(const struct ranges *ranges)
{
    const struct range_chunk *chunk =
        ranges->chunks == 0 ? NULL : ranges->chunk[ranges->chunks - 1];

    return chunk == NULL ? NULL : &chunk->item[chunk->count - 1];
}

/* An empty chunk behind the first AT; who fills it says where it begins.  */
static struct range_chunk *insert_chunk(struct ranges *ranges, size_t at)
{
    const size_t behind = ranges->chunks - at;

    ranges->chunk =
        memory_grow(ranges->chunk, &ranges->chunks_room, ranges->chunks + 1, sizeof *ranges->chunk);
    ranges->low =
        memory_grow(ranges->low, &ranges->lows_room, ranges->chunks + 1, sizeof *ranges->low);
    memmove(ranges->chunk + at + 1, ranges->chunk + at, behind * sizeof *ranges->chunk);
    memmove(ranges->low + at + 1, ranges->low + at, behind * sizeof *ranges->low);
    ranges->chunk[at] = memory_alloc(1, sizeof *ranges->chunk[at]);
    ranges->chunk[at]->count = 0;
    ranges->chunks++;
    return ranges->chunk[at];
}

/* The upper half of the chunk C becomes one of its own.  */
static void halve(struct ranges *ranges, size_t c)
{
    struct range_chunk *upper = insert_chunk(ranges, c + 1), *lower = ranges->chunk[c];

    upper->count = lower->count / 2;
    lower->count -= upper->count;
    memcpy(upper->item, lower->item + lower->count, upper->count * sizeof *upper->item);
    ranges->low[c + 1] = upper->item[0].low;
}

void ranges_add(struct ranges *ranges, struct range range)
{
    size_t c = chunk_of(ranges, range.low), i;
    struct range_chunk *chunk;

    if (ranges->chunks == 0)
        insert_chunk(ranges, 0);
    if (ranges->chunk[c]->count == CHUNK) {
        halve(ranges, c);
        c += ranges->low[c + 1] < range.low;
    }
    chunk = ranges->chunk[c];
    i = BISECT(k, 0, chunk->count, chunk->item[k].low < range.low);
    memmove(chunk->item + i + 1, chunk->item + i, (chunk->count - i) * sizeof *chunk->item);
    chunk->item[i] = range;
    chunk->count++;
    ranges->low[c] = chunk->item[0].low;
    ranges->count++;
}

static void remove_chunk(struct ranges *ranges, size_t c)
{
    const size_t behind = --ranges->chunks - c;

    memory_free(ranges->chunk[c]);
    memmove(ranges->chunk + c, ranges->chunk + c + 1, behind * sizeof *ranges->chunk);
    memmove(ranges->low + c, ranges->low + c + 1, behind * sizeof *ranges->low);
}

void ranges_remove(struct ranges *ranges, uint64_t low)
{
    const size_t c = chunk_of(ranges, low);
    struct range_chunk *chunk = ranges->chunks == 0 ? NULL : ranges->chunk[c];
    const size_t i = chunk == NULL ? 0 : BISECT(k, 0, chunk->count, chunk->item[k].low < low);

    if (chunk == NULL || i == chunk->count || chunk->item[i].low != low)
        return;
    chunk->count--;
    memmove(chunk->item + i, chunk->item + i + 1, (chunk->count - i) * sizeof *chunk->item);
    ranges->count--;
    if (chunk->count == 0)
        remove_chunk(ranges, c);
    else
        ranges->low[c] = chunk->item[0].low;
}

void ranges_cover(struct ranges *ranges, uint64_t low, uint64_t last)
{
    const struct range *met;

    while ((met = ranges_meeting(ranges, low == 0 ? 0 : low - 1,
                                 last == UINT64_MAX ? last : last + 1)) != NULL) {
        const uint64_t start = met->low;

        if (met->low <= low && met->last >= last)
            return;
        low = met->low < low ? met->low : low;
        last = met->last > last ? met->last : last;
        ranges_remove(ranges, start);
    }
    ranges_add(ranges, (struct range){low, last, 0});
}

void ranges_list(const struct ranges *ranges, struct range *into)
{
    for (size_t c = 0; c < ranges->chunks; c++) {
        const struct range_chunk *chunk = ranges->chunk[c];

        memcpy(into, chunk->item, chunk->count * sizeof *into);
        into += chunk->count;
    }
}
