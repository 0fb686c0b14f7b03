/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include <stdbool.h>

#include "lib/base/check.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/sort.h"
#include "lib/problem/instance.h"
#include "lib/problem/instance_private.h"

static void check_buffer(const struct instance *instance, const struct buffer *buffer)
{
    int64_t begin = INT64_MAX, end = INT64_MIN;

    for (size_t i = 0; i < buffer->pieces; i++) {
        const struct piece *piece = &instance->piece[buffer->first_piece + i];

        CHECK(piece->hi <= buffer->size, "instance", "a piece lies within its buffer");
        begin = min64(begin, piece->begin);
        end = max64(end, piece->end);
    }
    CHECK(buffer->begin == begin && buffer->end == end, "instance",
          "a buffer lives from its first piece to its last one");
    CHECK(buffer->size <= instance->max_size && buffer->alignment <= instance->max_alignment,
          "instance", "no buffer is larger, or aligned to more, than the most");
    CHECK(buffer->fixed < 0 ||
              (buffer->alignment == 1 && buffer->fixed + buffer->size <= instance->load),
          "instance", "a fixed buffer has nothing to align and ends at the load or below");
}

static int compare_lows(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;

    return ORDER(x->lo, y->lo);
}

/* Bytes of BUFFER in use at STEP; LIVE has room for its pieces.  */
static int64_t bytes_at(const struct instance *instance, const struct buffer *buffer, int64_t step,
                        struct piece *live)
{
    int64_t bytes = 0, top = 0;
    size_t count = 0;

    for (size_t i = 0; i < buffer->pieces; i++) {
        const struct piece *piece = &instance->piece[buffer->first_piece + i];

        if (piece->begin <= step && step < piece->end)
            live[count++] = *piece;
    }
    if (count > 1)
        sort_stable(live, count, sizeof *live, compare_lows);
    for (size_t i = 0; i < count; i++) {
        bytes += max64(0, live[i].hi - max64(top, live[i].lo));
        top = max64(top, live[i].hi);
    }
    return bytes;
}

/* Bytes and buffers in use are the most at some begin of a piece.  */
static void check_load(const struct instance *instance)
{
    struct piece *live = memory_alloc(instance->pieces, sizeof *live);
    int64_t load = 0, width = 0;
    bool all = true;

    for (size_t b = 0; b < instance->n; b++)
        if (instance->buffer[b].fixed >= 0)
            load = max64(load, instance->buffer[b].fixed + instance->buffer[b].size);
    for (size_t p = 0; p < instance->pieces; p++) {
        int64_t bytes = 0, buffers = 0;

        if (!check_due(p, instance->pieces)) {
            all = false;
            continue;
        }
        for (size_t b = 0; b < instance->n; b++) {
            int64_t own = bytes_at(instance, &instance->buffer[b], instance->piece[p].begin, live);

            bytes += own;
            buffers += own > 0;
        }
        load = max64(load, bytes);
        width = max64(width, buffers);
    }
    CHECK(all ? load == instance->load : load <= instance->load, "instance",
          "its load is the largest sum of bytes at a step, or end of a fixed buffer");
    CHECK(all ? width == instance->width : width <= instance->width, "instance",
          "its width is the largest number of buffers at a step");
    memory_free(live);
}

/* Two buffers share a step of the axis exactly if they do of time.  */
static void check_axis(const struct instance *instance)
{
    for (size_t a = 0; a < instance->n; a++) {
        const struct buffer *own = &instance->buffer[a];

        CHECK(own->first <= own->last && own->last < instance->steps, "instance",
              "a buffer lives at some step of the axis");
        for (size_t b = 0; b < instance->n && check_due(a, instance->n); b++)
            CHECK(buffers_conflict(own, &instance->buffer[b]) ==
                      buffers_overlap_in_time(own, &instance->buffer[b]),
                  "instance", "the axis says who is alive together");
    }
}

void instance_check(const struct instance *instance)
{
    size_t pieces = 0, fixed = 0;
    int64_t total = 0;

    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];

        CHECK(buffer->first_piece == pieces && buffer->pieces > 0, "instance",
              "the pieces of its buffers stand one buffer after the other");
        pieces += buffer->pieces;
        total += buffer->size;
        fixed += buffer->fixed >= 0;
        check_buffer(instance, buffer);
    }
    CHECK(pieces == instance->pieces, "instance", "each piece is a buffer's");
    CHECK(fixed == instance->fixed, "instance", "it knows how many buffers are fixed");
    CHECK(total == instance->total, "instance", "its total is the sum of the sizes");
    for (size_t i = 1; i < instance->n_overwrites; i++)
        CHECK(instance->overwrite[i - 1].by < instance->overwrite[i].by, "instance",
              "a piece overwrites one other at most, and links stand by it");
    check_axis(instance);
    check_load(instance);
}
