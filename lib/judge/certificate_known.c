/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/judge/certificate_known.h"

#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/bisect.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/judge/certificate_writer.h"
#include "lib/problem/instance.h"

static const struct buffer *buffer_of(const struct certificate_known *known, size_t b)
{
    return &known->instance->buffer[b - 1];
}

static int64_t alignment_of(const struct certificate_known *known, size_t b)
{
    return max64(1, buffer_of(known, b)->alignment / known->unit);
}

/* --- geometry --- */

static int compare_spans(const void *a, const void *b)
{
    const struct certificate_span *x = a, *y = b;

    return ORDER(x->lo, y->lo) ?: ORDER(x->hi, y->hi);
}

static void sort_spans(struct certificate_span *span, size_t count)
{
    if (count > 1)
        qsort(span, count, sizeof *span, compare_spans);
}

size_t certificate_known_stretches(struct certificate_known *known, size_t b, int64_t step)
{
    const struct buffer *buffer = buffer_of(known, b);
    size_t count = 0, kept = 0;

    known->stretch =
        memory_grow(known->stretch, &known->stretch_room, buffer->pieces, sizeof *known->stretch);
    for (size_t i = 0; i < buffer->pieces; i++) {
        const struct piece *piece = &known->instance->piece[buffer->first_piece + i];

        if (piece->begin <= step && step < piece->end)
            known->stretch[count++] =
                (struct certificate_span){piece->lo / known->unit, piece->hi / known->unit};
    }
    sort_spans(known->stretch, count);
    for (size_t i = 0; i < count; i++)
        if (kept > 0 && known->stretch[i].lo <= known->stretch[kept - 1].hi)
            known->stretch[kept - 1].hi = max64(known->stretch[kept - 1].hi, known->stretch[i].hi);
        else
            known->stretch[kept++] = known->stretch[i];
    known->stretches = kept;
    return kept;
}

static void add_gap(struct certificate_known *known, int64_t lo, int64_t hi)
{
    known->span = memory_grow(known->span, &known->gap_room, known->gaps + 1, sizeof *known->span);
    known->span[known->gaps++] = (struct certificate_span){lo, hi};
}

/* What pieces of A and B that share a step forbid of x_a - x_b, behind known->span[known->gaps).
 * Open intervals that only touch leave a number between them.  */
static void find_gaps(struct certificate_known *known, size_t a, size_t b)
{
    const struct buffer *x = buffer_of(known, a), *y = buffer_of(known, b);
    size_t first = known->gaps, kept = first;

    for (size_t i = 0; i < x->pieces; i++)
        for (size_t k = 0; k < y->pieces; k++) {
            const struct piece *p = &known->instance->piece[x->first_piece + i];
            const struct piece *q = &known->instance->piece[y->first_piece + k];

            if (p->begin < q->end && q->begin < p->end)
                add_gap(known, (q->lo - p->hi) / known->unit, (q->hi - p->lo) / known->unit);
        }
    if (known->gaps > first)
        sort_spans(known->span + first, known->gaps - first);
    for (size_t i = first; i < known->gaps; i++)
        if (kept > first && known->span[i].lo < known->span[kept - 1].hi)
            known->span[kept - 1].hi = max64(known->span[kept - 1].hi, known->span[i].hi);
        else
            known->span[kept++] = known->span[i];
    known->gaps = kept;
}

/* --- what there is --- */

/* Pairs, by the second buffer, and what they forbid.  */
static void find_pairs(struct certificate_known *known)
{
    size_t room = 0, gap_room = 0;

    known->gap = memory_grow(NULL, &gap_room, 1, sizeof *known->gap);
    for (size_t a = 1; a <= known->n; a++) {
        for (size_t b = 1; b < a && known->inside[a]; b++) {
            if (!known->inside[b] ||
                !buffers_overlap_in_time(buffer_of(known, a), buffer_of(known, b)))
                continue;
            known->lower = memory_grow(known->lower, &room, known->pairs + 1, sizeof *known->lower);
            known->gap = memory_grow(known->gap, &gap_room, known->pairs + 2, sizeof *known->gap);
            known->lower[known->pairs] = b;
            known->gap[known->pairs++] = known->gaps;
            find_gaps(known, a, b);
        }
        known->first[a + 1] = known->pairs;
    }
    known->gap[known->pairs] = known->gaps;
}

static bool is_alive(const struct certificate_known *known, size_t b, int64_t step)
{
    const struct buffer *buffer = buffer_of(known, b);

    return known->inside[b] && buffer->begin <= step && step < buffer->end;
}

/* Something begins at each moment; between two of them buffers only end.  */
static void find_moments(struct certificate_known *known)
{
    const struct instance *instance = known->instance;
    size_t room = known->n, count = 0;

    known->moment = memory_alloc(instance->pieces, sizeof *known->moment);
    for (size_t p = 0; p < instance->pieces; p++)
        known->moment[p] = instance->piece[p].begin;
    if (instance->pieces > 1)
        qsort(known->moment, instance->pieces, sizeof *known->moment, compare64);
    for (size_t p = 0; p < instance->pieces; p++)
        if (p == 0 || known->moment[p] != known->moment[p - 1])
            known->moment[known->moments++] = known->moment[p];
    known->alive_first = memory_zalloc(known->moments + 1, sizeof *known->alive_first);
    for (size_t m = 0; m < known->moments; m++) {
        for (size_t b = 1; b <= known->n; b++) {
            if (!is_alive(known, b, known->moment[m]))
                continue;
            known->alive = memory_grow(known->alive, &room, count + 1, sizeof *known->alive);
            known->alive[count++] = b;
        }
        known->alive_first[m + 1] = count;
    }
}

const size_t *certificate_known_alive(struct certificate_known *known, int64_t step, size_t *count)
{
    size_t m = BISECT(i, 0, known->moments, known->moment[i] <= step);

    *count = 0;
    if (!known->paired) {
        for (size_t b = 1; b <= known->n; b++)
            if (is_alive(known, b, step))
                known->alive[(*count)++] = b;
        return known->alive;
    }
    *count = m == 0 ? 0 : known->alive_first[m] - known->alive_first[m - 1];
    return m == 0 ? NULL : known->alive + known->alive_first[m - 1];
}

/* Whether the unit divides what the buffers inside consist of, and fits their alignments.  */
static bool unit_fits(const struct certificate_known *known)
{
    int64_t unit = known->unit;

    for (size_t b = 1; b <= known->n; b++) {
        const struct buffer *buffer = buffer_of(known, b);

        if (!known->inside[b])
            continue;
        if (buffer->size % unit != 0 ||
            (buffer->alignment % unit != 0 && unit % buffer->alignment != 0))
            return false;
        for (size_t i = 0; i < buffer->pieces; i++)
            if (known->instance->piece[buffer->first_piece + i].lo % unit != 0 ||
                known->instance->piece[buffer->first_piece + i].hi % unit != 0)
                return false;
    }
    return true;
}

/* --- bounds --- */

/* Where the bound of x_b - x_a is; SIZE_MAX: there is none.  */
static size_t slot_of(const struct certificate_known *known, int64_t a, int64_t b)
{
    size_t high = (size_t)max64(a, b), low = (size_t)min64(a, b), p;

    if (a < 0 || b < 0 || a == b || high > known->n || !known->inside[high])
        return SIZE_MAX;
    if (low == 0)
        return 2 * high + (b == 0);
    p = BISECT(i, known->first[high], known->first[high + 1], known->lower[i] < low);
    if (p == known->first[high + 1] || known->lower[p] != low)
        return SIZE_MAX;
    return 2 * (known->n + 1 + p) + (size_t)(b < a);
}

bool certificate_known_has(const struct certificate_known *known, int64_t a, int64_t b)
{
    return slot_of(known, a, b) != SIZE_MAX;
}

int64_t certificate_known_least(const struct certificate_known *known, int64_t a, int64_t b)
{
    return known->least[slot_of(known, a, b)];
}

/* The first multiple of ALIGNMENT from VALUE on, which may be negative.  */
static int64_t rounded(int64_t value, int64_t alignment)
{
    int64_t rest = value % alignment;

    return rest == 0 ? value : value - rest + (rest > 0 ? alignment : 0);
}

/* What is at SLOT is LEAST or more: the next value that it can have.  */
static int64_t next_value(const struct certificate_known *known, size_t slot, int64_t least)
{
    size_t p = slot / 2, last;

    if (p <= known->n)
        return rounded(least, alignment_of(known, p));
    p -= known->n + 1;
    last = known->gap[p + 1];
    for (size_t g = known->gap[p]; g < last; g++) {
        const struct certificate_span *span = &known->span[g];

        if (slot % 2 == 0 && span->lo < least && least <= span->hi)
            return span->hi;
        if (slot % 2 == 1 && -span->hi < least && least <= -span->lo)
            return -span->lo;
    }
    return least;
}

void certificate_known_raise(struct certificate_known *known, int64_t a, int64_t b, int64_t least)
{
    size_t slot = slot_of(known, a, b);

    if (least <= known->least[slot])
        return;
    known->change =
        memory_grow(known->change, &known->change_room, known->changes + 1, sizeof *known->change);
    known->change[known->changes++] = (struct certificate_change){slot, known->least[slot]};
    known->least[slot] = next_value(known, slot, least);
    known->broken = known->broken || known->least[slot] > -known->least[slot ^ 1];
}

void certificate_known_back(struct certificate_known *known, size_t changes)
{
    while (known->changes > changes) {
        const struct certificate_change *change = &known->change[--known->changes];

        known->least[change->slot] = change->least;
    }
}

bool certificate_known_init(struct certificate_known *known, const struct instance *instance,
                            const struct certificate_scope *scope, struct error *error)
{
    *known = (struct certificate_known){
        .instance = instance,
        .n = instance->n,
        .unit = scope->unit,
        .capacity = scope->capacity / scope->unit,
        .inside = memory_zalloc(instance->n + 1, sizeof *known->inside),
    };
    for (size_t b = 1; b <= known->n; b++)
        known->inside[b] =
            scope->begin <= buffer_of(known, b)->begin && buffer_of(known, b)->end <= scope->end;
    if (!unit_fits(known))
        return error_set(error, "the unit %" PRId64 " does not fit the sizes and alignments",
                         scope->unit);
    known->first = memory_zalloc(known->n + 2, sizeof *known->first);
    known->alive = memory_alloc(known->n, sizeof *known->alive);
    known->least = memory_zalloc(2 * (known->n + 1), sizeof *known->least);
    for (size_t b = 1; b <= known->n; b++) {
        int64_t latest = known->capacity - buffer_of(known, b)->size / known->unit;

        known->broken = known->broken || (known->inside[b] && latest < 0);
        known->least[2 * b + 1] = rounded(-latest, alignment_of(known, b));
    }
    return true;
}

void certificate_known_pair(struct certificate_known *known)
{
    size_t slot = 2 * (known->n + 1), slots;

    if (known->paired)
        return;
    known->paired = true;
    find_pairs(known);
    find_moments(known);
    slots = slot + 2 * known->pairs;
    known->least = memory_resize(known->least, slots, sizeof *known->least);
    for (; slot < slots; slot++)
        known->least[slot] = -known->capacity;
}

void certificate_known_clear(struct certificate_known *known)
{
    free(known->inside);
    free(known->first);
    free(known->lower);
    free(known->gap);
    free(known->span);
    free(known->moment);
    free(known->alive_first);
    free(known->alive);
    free(known->least);
    free(known->change);
    free(known->stretch);
}
