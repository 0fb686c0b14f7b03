/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/io/draw_pieces.h"

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/memory.h"
#include "lib/base/order.h"
#include "lib/problem/instance.h"
#include "lib/problem/pieces.h"

size_t draw_slab(const struct piece *piece, size_t first, size_t count)
{
    size_t n = 1;

    while (first + n < count && piece[first + n].begin == piece[first].begin)
        n++;
    return n;
}

/* Joins neighbouring slabs that cover the same bytes, so that no seams show.
 * Returns how many rectangles are left.  */
static size_t join_slabs(struct piece *piece, size_t count)
{
    size_t kept = 0, last = 0; /* the last slab that was kept: piece[last..kept) */

    for (size_t slab = 0, n; slab < count; slab += n) {
        bool same;

        n = draw_slab(piece, slab, count);
        same = kept - last == n && piece[last].end == piece[slab].begin;
        for (size_t i = 0; i < n && same; i++)
            same = piece[last + i].lo == piece[slab + i].lo &&
                   piece[last + i].hi == piece[slab + i].hi;
        for (size_t i = 0; i < n; i++) {
            if (same)
                piece[last + i].end = piece[slab].end;
            else
                piece[kept + i] = piece[slab + i];
        }
        if (!same) {
            last = kept;
            kept += n;
        }
    }
    return kept;
}

size_t draw_pieces(const struct instance *instance, size_t b, struct piece **piece)
{
    const struct buffer *buffer = &instance->buffer[b];
    size_t count = pieces_disjoint(&instance->piece[buffer->first_piece], buffer->pieces, piece);

    return join_slabs(*piece, count);
}

size_t *draw_order(const struct instance *instance, enum draw_order order)
{
    struct order_key *key = memory_alloc(instance->n, sizeof *key);
    size_t *sorted = memory_alloc(instance->n, sizeof *sorted);

    for (size_t b = 0; b < instance->n; b++) {
        uint64_t size = key_descending(instance->buffer[b].size);
        uint64_t begin = key_ascending(instance->buffer[b].begin);

        key[b] = (struct order_key){order == DRAW_SIZE ? size : begin,
                                    order == DRAW_SIZE ? begin : size, b};
    }
    if (order != DRAW_GIVEN)
        order_sort(key, instance->n);
    for (size_t b = 0; b < instance->n; b++)
        sorted[b] = key[b].index;
    memory_free(key);
    return sorted;
}

void draw_span(const struct instance *instance, int64_t *begin, int64_t *end)
{
    *begin = *end = 0;
    for (size_t i = 0; i < instance->n; i++) {
        const struct buffer *buffer = &instance->buffer[i];

        if (i == 0 || buffer->begin < *begin)
            *begin = buffer->begin;
        if (i == 0 || buffer->end > *end)
            *end = buffer->end;
    }
    if (*end == *begin)
        *end = *begin + 1;
}
