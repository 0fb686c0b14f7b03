/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/dives/shape_sections.h"

#include <assert.h>
#include <math.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/order.h"
#include "lib/place/dsa_pieces.h"
#include "lib/place/sections.h"
#include "lib/problem/instance.h"
#include "planner/disjunctive/pairs_bars.h"

static size_t find_spans(const struct dsa_piece *piece, size_t pieces, struct sections_span *span,
                         size_t *incidences)
{
    size_t sections;

    for (size_t i = 0; i < pieces; i++)
        span[i] = (struct sections_span){.begin = piece[i].begin, .end = piece[i].end};
    sections = sections_find(span, pieces);
    *incidences = 0;
    for (size_t i = 0; i < pieces; i++)
        *incidences += span[i].last - span[i].first + 1;
    return sections;
}

/* Adds PIECE to the COUNT parts that its section has so far: pieces of one buffer that are alive
 * together are one part.  Pieces come by buffer.  */
static size_t add_member(struct shape_part *member, size_t count, const struct dsa_piece *piece)
{
    struct shape_part *last = &member[count - (count > 0)];

    if (count > 0 && last->other == piece->buffer) {
        last->lo = min64(last->lo, piece->lo);
        last->hi = max64(last->hi, piece->hi);
        last->size += piece->hi - piece->lo;
        return count;
    }
    member[count] =
        (struct shape_part){(uint32_t)piece->buffer, piece->lo, piece->hi, piece->hi - piece->lo};
    return count + 1;
}

/* Room for all incidences is there; sections that have pieces of one buffer use less of it, and
 * are moved together.  */
static void fill_members(struct shape_sections *shapes, const struct dsa_piece *piece,
                         const struct sections_span *span, size_t pieces)
{
    size_t *room = memory_zalloc(shapes->sections + 1, sizeof *room);
    size_t *count = memory_zalloc(shapes->sections, sizeof *count), kept = 0;

    for (size_t i = 0; i < pieces; i++)
        for (size_t s = span[i].first; s <= span[i].last; s++)
            room[s + 1]++;
    for (size_t s = 0; s < shapes->sections; s++)
        room[s + 1] += room[s];
    for (size_t i = 0; i < pieces; i++)
        for (size_t s = span[i].first; s <= span[i].last; s++)
            count[s] = add_member(shapes->member + room[s], count[s], &piece[i]);
    for (size_t s = 0; s < shapes->sections; s++) {
        shapes->start[s] = kept;
        for (size_t i = 0; i < count[s]; i++) {
            shapes->member[kept++] = shapes->member[room[s] + i];
            shapes->total[s] += shapes->member[kept - 1].size;
        }
    }
    shapes->start[shapes->sections] = kept;
    memory_free(room);
    memory_free(count);
}

static void fill_parts(struct shape_sections *shapes)
{
    size_t *next = memory_zalloc(shapes->n + 1, sizeof *next);

    for (size_t i = 0; i < shapes->start[shapes->sections]; i++)
        shapes->first[shapes->member[i].other + 1]++;
    for (size_t b = 0; b < shapes->n; b++)
        next[b + 1] = shapes->first[b + 1] += shapes->first[b];
    for (size_t s = 0; s < shapes->sections; s++)
        for (size_t i = shapes->start[s]; i < shapes->start[s + 1]; i++) {
            struct shape_part *part = &shapes->part[next[shapes->member[i].other]++];

            *part = shapes->member[i];
            part->other = (uint32_t)s;
        }
    memory_free(next);
}

/* Areas wrap around where they don't fit, which changes no more than a tie.  */
static void fill_ranks(struct shape_sections *shapes)
{
    struct order_key *key = memory_alloc(shapes->n, sizeof *key);

    for (size_t b = 0; b < shapes->n; b++) {
        uint64_t area = 0;

        for (size_t i = shapes->first[b]; i < shapes->first[b + 1]; i++)
            area += (uint64_t)shapes->part[i].size;
        key[b] = (struct order_key){~(uint64_t)(shapes->first[b + 1] - shapes->first[b]), ~area, b};
    }
    order_sort(key, shapes->n);
    for (size_t i = 0; i < shapes->n; i++)
        shapes->rank[key[i].index] = (uint32_t)i;
    memory_free(key);
}

static void fill_gaps(struct shape_sections *shapes, const struct dsa_piece *piece, size_t pieces)
{
    struct pairs_bar *bar;
    size_t bars = pairs_bars_find(piece, pieces, true, INFINITY, &bar);

    shapes->beside = memory_zalloc(shapes->n + 1, sizeof *shapes->beside);
    shapes->gap = memory_alloc(bars, sizeof *shapes->gap);
    for (size_t i = 0; i < bars; i++) {
        shapes->gap[i] = (struct shape_gap){(uint32_t)bar[i].b, bar[i].below, bar[i].above};
        shapes->beside[bar[i].a + 1]++;
    }
    for (size_t b = 0; b < shapes->n; b++)
        shapes->beside[b + 1] += shapes->beside[b];
    memory_free(bar);
}

static struct shape_sections *shapes_alloc(size_t n, size_t sections, size_t incidences)
{
    struct shape_sections *shapes = memory_alloc(1, sizeof *shapes);

    *shapes = (struct shape_sections){
        .n = n,
        .sections = sections,
        .size = memory_alloc(n, sizeof *shapes->size),
        .alignment = memory_alloc(n, sizeof *shapes->alignment),
        .fixed = memory_alloc(n, sizeof *shapes->fixed),
        .rank = memory_alloc(n, sizeof *shapes->rank),
        .first = memory_zalloc(n + 1, sizeof *shapes->first),
        .part = memory_alloc(incidences, sizeof *shapes->part),
        .start = memory_alloc(sections + 1, sizeof *shapes->start),
        .member = memory_alloc(incidences, sizeof *shapes->member),
        .total = memory_zalloc(sections, sizeof *shapes->total),
    };
    return shapes;
}

struct shape_sections *shape_sections_new(const struct instance *instance, int64_t unit,
                                          size_t most)
{
    struct shape_sections *shapes = NULL;
    struct sections_span *span;
    struct dsa_piece *piece;
    size_t pieces, sections, incidences;

    assert(unit > 0 && instance->n < UINT32_MAX);
    pieces = dsa_pieces_find(instance, unit, &piece);
    span = memory_alloc(pieces, sizeof *span);
    sections = find_spans(piece, pieces, span, &incidences);
    if (incidences <= most && (size_t)instance_overlapping_pairs(instance) <= most) {
        shapes = shapes_alloc(instance->n, sections, incidences);
        for (size_t b = 0; b < instance->n; b++) {
            shapes->size[b] = instance->buffer[b].size / unit;
            shapes->alignment[b] = max64(1, instance->buffer[b].alignment / unit);
            shapes->fixed[b] =
                instance->buffer[b].fixed < 0 ? -1 : instance->buffer[b].fixed / unit;
        }
        shapes->n_fixed = instance->fixed;
        fill_members(shapes, piece, span, pieces);
        fill_parts(shapes);
        fill_ranks(shapes);
        fill_gaps(shapes, piece, pieces);
    }
    memory_free(span);
    memory_free(piece);
    return shapes;
}

void shape_sections_free(struct shape_sections *shapes)
{
    if (shapes == NULL)
        return;
    memory_free(shapes->size);
    memory_free(shapes->alignment);
    memory_free(shapes->fixed);
    memory_free(shapes->rank);
    memory_free(shapes->first);
    memory_free(shapes->part);
    memory_free(shapes->start);
    memory_free(shapes->member);
    memory_free(shapes->total);
    memory_free(shapes->beside);
    memory_free(shapes->gap);
    memory_free(shapes);
}
