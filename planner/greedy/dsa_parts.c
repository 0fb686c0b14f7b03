#include <config.h>

#include "planner/greedy/dsa_parts.h"

#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "lib/problem/pieces.h"
#include "planner/greedy/order.h"

int64_t dsa_unit(const struct instance *instance)
{
    int64_t unit = 0;
    bool changed = true;

    for (size_t b = 0; b < instance->n; b++)
        unit = gcd64(unit, instance->buffer[b].size);
    for (size_t p = 0; p < instance->pieces; p++)
        unit = gcd64(gcd64(unit, instance->piece[p].lo), instance->piece[p].hi);
    while (changed) {
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

struct parts {
    size_t count, capacity;
    struct dsa_part *part;
};

/* Adds a part, or lengthens the part of the same bytes that ends where it begins;
 * those of its buffer start at FIRST.  */
static void add_part(struct parts *parts, size_t first, struct dsa_part part)
{
    for (size_t i = first; i < parts->count; i++)
        if (parts->part[i].end == part.begin && parts->part[i].lo == part.lo &&
            parts->part[i].hi == part.hi) {
            parts->part[i].end = part.end;
            return;
        }
    parts->part = memory_grow(parts->part, &parts->capacity, parts->count + 1, sizeof *parts->part);
    parts->part[parts->count++] = part;
}

size_t dsa_parts_find(const struct instance *instance, int64_t unit, struct dsa_part **part)
{
    struct parts parts = {0};

    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];
        size_t first = parts.count, count;
        struct piece *piece;

        count = pieces_disjoint(&instance->piece[buffer->first_piece], buffer->pieces, &piece);
        for (size_t i = 0; i < count; i++)
            add_part(&parts, first,
                     (struct dsa_part){b, piece[i].begin, piece[i].end, piece[i].lo / unit,
                                       piece[i].hi / unit, false});
        free(piece);
        if (parts.count == first + 1)
            parts.part[first].whole =
                parts.part[first].lo == 0 && parts.part[first].hi == buffer->size / unit;
    }
    *part = parts.part;
    return parts.count;
}

struct order_key *dsa_parts_by_begin(const struct dsa_part *part, size_t parts)
{
    struct order_key *key = memory_alloc(parts, sizeof *key);

    for (size_t i = 0; i < parts; i++)
        key[i] = (struct order_key){key_ascending(part[i].begin), 0, i};
    order_sort(key, parts);
    return key;
}

void dsa_parts_each_pair(const struct dsa_part *part, size_t parts,
                         void (*visit)(void *context, size_t a, size_t b), void *context)
{
    struct order_key *key = dsa_parts_by_begin(part, parts);
    size_t *alive = memory_alloc(parts, sizeof *alive);
    size_t count = 0;

    for (size_t k = 0; k < parts; k++) {
        size_t b = key[k].index, kept = 0;

        for (size_t i = 0; i < count; i++) {
            size_t a = alive[i];

            if (part[a].end <= part[b].begin)
                continue;
            alive[kept++] = a;
            if (part[a].buffer != part[b].buffer)
                visit(context, a, b);
        }
        alive[kept] = b;
        count = kept + 1;
    }
    free(alive);
    free(key);
}
