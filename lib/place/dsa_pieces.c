/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "lib/place/dsa_pieces.h"

#include <assert.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/order.h"
#include "lib/place/sections.h"
#include "lib/problem/instance.h"
#include "lib/problem/pieces.h"

int64_t dsa_unit(const struct instance *instance)
{
    int64_t unit = 0;
    bool changed = true;

    /* Nothing divides 1 but itself, which is soon reached.  */
    for (size_t b = 0; b < instance->n && unit != 1; b++) {
        unit = gcd64(unit, instance->buffer[b].size);
        if (instance->buffer[b].fixed > 0)
            unit = gcd64(unit, instance->buffer[b].fixed);
    }
    for (size_t p = 0; p < instance->pieces && unit != 1; p++)
        unit = gcd64(gcd64(unit, instance->piece[p].lo), instance->piece[p].hi);
    while (changed && unit != 1) {
        changed = false;
        for (size_t b = 0; b < instance->n; b++) {
            int64_t alignment = instance->buffer[b].alignment;

            if (unit % alignment != 0 && alignment % unit != 0) {
                unit = gcd64(unit, alignment);
                changed = true;
            }
        }
    }
    return max64(unit, 1);
}

struct pieces {
    size_t count, capacity;
    struct dsa_piece *piece;
};

/* Adds a piece, or lengthens the piece of the same bytes that ends where it begins;
 * those of its buffer start at FIRST.  */
static void add_piece(struct pieces *pieces, size_t first, struct dsa_piece piece)
{
    for (size_t i = first; i < pieces->count; i++)
        if (pieces->piece[i].end == piece.begin && pieces->piece[i].lo == piece.lo &&
            pieces->piece[i].hi == piece.hi) {
            pieces->piece[i].end = piece.end;
            return;
        }
    pieces->piece =
        memory_grow(pieces->piece, &pieces->capacity, pieces->count + 1, sizeof *pieces->piece);
    pieces->piece[pieces->count++] = piece;
}

size_t dsa_pieces_find(const struct instance *instance, int64_t unit, struct dsa_piece **found)
{
    struct pieces pieces = {0};

    assert(unit > 0);
    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];
        size_t first = pieces.count, count;
        struct piece *disjoint;

        count = pieces_disjoint(&instance->piece[buffer->first_piece], buffer->pieces, &disjoint);
        for (size_t i = 0; i < count; i++)
            add_piece(&pieces, first,
                      (struct dsa_piece){b, disjoint[i].begin, disjoint[i].end,
                                         disjoint[i].lo / unit, disjoint[i].hi / unit, false});
        memory_free(disjoint);
        if (pieces.count == first + 1)
            pieces.piece[first].whole =
                pieces.piece[first].lo == 0 && pieces.piece[first].hi == buffer->size / unit;
    }
    *found = pieces.piece;
    return pieces.count;
}

size_t *dsa_pieces_sections(const struct dsa_piece *piece, size_t pieces, size_t *sections,
                            size_t **member)
{
    struct sections_span *span = memory_alloc(pieces, sizeof *span);
    size_t *start;

    for (size_t i = 0; i < pieces; i++)
        span[i] = (struct sections_span){.begin = piece[i].begin, .end = piece[i].end};
    *sections = sections_find(span, pieces);
    start = sections_list(span, pieces, *sections, member);
    memory_free(span);
    return start;
}

void dsa_pieces_each_pair(const struct dsa_piece *piece, size_t pieces,
                          void (*visit)(void *context, size_t a, size_t b), void *context)
{
    struct order_key *key = memory_alloc(pieces, sizeof *key);
    size_t *alive = memory_alloc(pieces, sizeof *alive);
    size_t count = 0;

    for (size_t i = 0; i < pieces; i++)
        key[i] = (struct order_key){key_ascending(piece[i].begin), 0, i};
    order_sort(key, pieces);
    for (size_t k = 0; k < pieces; k++) {
        size_t b = key[k].index, kept = 0;

        for (size_t i = 0; i < count; i++) {
            size_t a = alive[i];

            if (piece[a].end <= piece[b].begin)
                continue;
            alive[kept++] = a;
            if (piece[a].buffer != piece[b].buffer)
                visit(context, a, b);
        }
        alive[kept] = b;
        count = kept + 1;
    }
    memory_free(alive);
    memory_free(key);
}
