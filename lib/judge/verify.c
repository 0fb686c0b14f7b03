/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The geometric check: a sweep over time with the live rectangles in a search
 * tree that is ordered by address and whose comparison calls overlapping
 * rectangles equal.  Inserting a rectangle then finds any live one that it
 * overlaps, and live ones never overlap one another.  */
#include <config.h>

#include "lib/judge/verify.h"

#include <inttypes.h>
#include <search.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "lib/problem/pieces.h"
#include "lib/problem/plan.h"

/* A rectangle in time x address.  */
struct rectangle {
    int64_t begin, end, bottom, top;
    size_t buffer;
};

static int compare_disjoint(const void *a, const void *b)
{
    const struct rectangle *x = a, *y = b;

    if (x->top <= y->bottom)
        return -1;
    return y->top <= x->bottom;
}

static int compare_begins(const void *a, const void *b)
{
    const struct rectangle *const *x = a, *const *y = b;

    return ORDER((*x)->begin, (*y)->begin) ?: ORDER((*x)->buffer, (*y)->buffer);
}

static int compare_ends(const void *a, const void *b)
{
    const struct rectangle *const *x = a, *const *y = b;

    return ORDER((*x)->end, (*y)->end);
}

static void tree_keep(void *node)
{
    (void)node; /* the rectangles are not the tree's */
}

static bool report_overlap(const struct instance *instance, const struct rectangle *a,
                           const struct rectangle *b, struct error *error)
{
    return error_set(error,
                     "buffers '%s' at [%" PRId64 ", %" PRId64 ") and '%s' at [%" PRId64 ", %" PRId64
                     ") overlap at step %" PRId64,
                     instance->buffer[b->buffer].id, b->bottom, b->top,
                     instance->buffer[a->buffer].id, a->bottom, a->top, max64(a->begin, b->begin));
}

static bool check_overlaps(const struct instance *instance, struct rectangle *rectangle,
                           size_t count, struct error *error)
{
    struct rectangle **by_begin = memory_alloc(count, sizeof *by_begin);
    struct rectangle **by_end = memory_alloc(count, sizeof *by_end);
    size_t ended = 0;
    void *live = NULL;
    bool good = true;

    for (size_t i = 0; i < count; i++)
        by_begin[i] = by_end[i] = &rectangle[i];
    qsort(by_begin, count, sizeof *by_begin, compare_begins);
    qsort(by_end, count, sizeof *by_end, compare_ends);
    for (size_t i = 0; i < count && good; i++) {
        struct rectangle *next = by_begin[i], **found;

        while (by_end[ended]->end <= next->begin)
            tdelete(by_end[ended++], &live, compare_disjoint);
        found = tsearch(next, &live, compare_disjoint);
        if (found == NULL)
            memory_exhausted();
        if (*found != next)
            good = report_overlap(instance, next, *found, error);
    }
    tdestroy(live, tree_keep);
    free(by_begin);
    free(by_end);
    return good;
}

/* The rectangles that the plan gives to every buffer.  */
static struct rectangle *place(const struct instance *instance, const struct plan *plan,
                               size_t *total)
{
    struct rectangle *rectangle = NULL;
    size_t capacity = 0, count = 0;

    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];
        const struct piece *piece = &instance->piece[buffer->first_piece];
        struct piece *disjoint = NULL;
        size_t pieces = buffer->pieces;

        if (pieces > 1) {
            pieces = pieces_disjoint(piece, pieces, &disjoint);
            piece = disjoint;
        }
        rectangle = memory_grow(rectangle, &capacity, count + pieces, sizeof *rectangle);
        for (size_t i = 0; i < pieces; i++)
            rectangle[count++] =
                (struct rectangle){piece[i].begin, piece[i].end, plan->offset[b] + piece[i].lo,
                                   plan->offset[b] + piece[i].hi, b};
        free(disjoint);
    }
    *total = count;
    return rectangle;
}

static bool misaligned(const struct buffer *buffer, int64_t offset, struct error *error)
{
    return error_set(error,
                     "buffer '%s': offset %" PRId64 " is not a multiple of alignment %" PRId64,
                     buffer->id, offset, buffer->alignment);
}

static bool check_offset(const struct instance *instance, const struct plan *plan, size_t b,
                         struct error *error)
{
    const struct buffer *buffer = &instance->buffer[b];
    int64_t end;

    if (plan->offset[b] < 0)
        return error_set(error, "buffer '%s': offset %" PRId64 " is negative", buffer->id,
                         plan->offset[b]);
    if (!checked_add(plan->offset[b], buffer->size, &end))
        return error_set(error, "buffer '%s': offset %" PRId64 " + size overflows", buffer->id,
                         plan->offset[b]);
    if (buffer->fixed >= 0 && plan->offset[b] != buffer->fixed)
        return error_set(error, "buffer '%s': offset %" PRId64 ", but it is fixed at %" PRId64,
                         buffer->id, plan->offset[b], buffer->fixed);
    if (plan->offset[b] % buffer->alignment != 0)
        return misaligned(buffer, plan->offset[b], error);
    for (size_t i = 0; i < buffer->pieces; i++) {
        const struct piece *piece = &instance->piece[buffer->first_piece + i];

        if (piece->tensor && (plan->offset[b] + piece->lo) % buffer->alignment != 0)
            return misaligned(buffer, plan->offset[b] + piece->lo, error);
    }
    return true;
}

static bool check_objects(const struct instance *instance, const struct plan *plan,
                          struct error *error)
{
    for (size_t b = 0; b < plan->n; b++) {
        const char *id = instance->buffer[b].id;

        if (plan->object[b] >= plan->objects)
            return error_set(error, "buffer '%s': object %zu of %zu", id, plan->object[b],
                             plan->objects);
        if (plan->object_size[plan->object[b]] < instance->buffer[b].size)
            return error_set(error, "buffer '%s': larger than its object %zu", id, plan->object[b]);
    }
    return true;
}

bool verify_plan(const struct instance *instance, const struct plan *plan, struct error *error)
{
    struct rectangle *rectangle;
    int64_t peak;
    size_t count;
    bool good;

    if (plan->n != instance->n)
        return error_set(error, "the plan has %zu buffers, the instance %zu", plan->n, instance->n);
    for (size_t b = 0; b < instance->n; b++)
        if (!check_offset(instance, plan, b, error))
            return false;
    if (plan->object != NULL && !check_objects(instance, plan, error))
        return false;
    rectangle = place(instance, plan, &count);
    good = check_overlaps(instance, rectangle, count, error);
    free(rectangle);
    if (!good)
        return false;
    peak = plan_peak(instance, plan);
    if (plan->peak != peak)
        return error_set(error, "the plan says peak %" PRId64 ", it is %" PRId64, plan->peak, peak);
    return true;
}
