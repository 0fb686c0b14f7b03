/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/library/prepare.h"

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance_private.h"
#include "lib/problem/overlaps.h"

enum arenaplan_fault options_fault(const struct arenaplan_options *options)
{
    const struct arenaplan_allocator *allocator = &options->allocator;

    if (options->capacity < 0 || !(options->seconds >= 0.0) || options->work < 0 ||
        (allocator->allocate == NULL) != (allocator->release == NULL))
        return ARENAPLAN_FAULT_OPTION;
    return ARENAPLAN_FAULT_NONE;
}

/* --- checks --- */

static bool is_rectangle(const struct arenaplan_buffer *buffer)
{
    return buffer->piece == NULL;
}

static int64_t highest(const struct arenaplan_buffer *buffer)
{
    int64_t high = 0;

    for (size_t i = 0; i < buffer->pieces; i++)
        high = max64(high, buffer->piece[i].high);
    return high;
}

int64_t problem_size(const struct arenaplan_buffer *buffer)
{
    return buffer->size == 0 && !is_rectangle(buffer) ? highest(buffer) : buffer->size;
}

static bool pieces_overlap(const struct arenaplan_buffer *buffer)
{
    struct overlap_rectangle *rectangle;
    size_t a, b;
    bool found;

    if (buffer->pieces == 1)
        return false;
    rectangle = memory_alloc(buffer->pieces, sizeof *rectangle);
    for (size_t i = 0; i < buffer->pieces; i++) {
        const struct arenaplan_piece *piece = &buffer->piece[i];

        rectangle[i] =
            (struct overlap_rectangle){piece->begin, piece->end, piece->low, piece->high, i};
    }
    found = overlaps_find(rectangle, buffer->pieces, &a, &b);
    memory_free(rectangle);
    return found;
}

static enum arenaplan_fault pieces_fault(const struct arenaplan_buffer *buffer)
{
    if (buffer->pieces == 0)
        return ARENAPLAN_FAULT_PIECE;
    for (size_t i = 0; i < buffer->pieces; i++) {
        const struct arenaplan_piece *piece = &buffer->piece[i];

        if (piece->begin >= piece->end)
            return ARENAPLAN_FAULT_LIFETIME;
        if (piece->low < 0 || piece->low >= piece->high)
            return ARENAPLAN_FAULT_PIECE;
    }
    if (buffer->size != 0 && buffer->size < highest(buffer))
        return ARENAPLAN_FAULT_SIZE;
    return pieces_overlap(buffer) ? ARENAPLAN_FAULT_PIECE : ARENAPLAN_FAULT_NONE;
}

static enum arenaplan_fault buffer_fault(const struct arenaplan_buffer *buffer)
{
    if ((buffer->flags & ~ARENAPLAN_FIXED) != 0 || buffer->reserved != 0)
        return ARENAPLAN_FAULT_FLAGS;
    if (problem_is_fixed(buffer) && buffer->offset < 0)
        return ARENAPLAN_FAULT_OFFSET;
    if (buffer->size < 0)
        return ARENAPLAN_FAULT_SIZE;
    if (buffer->alignment < 0)
        return ARENAPLAN_FAULT_ALIGNMENT;
    if (!is_rectangle(buffer))
        return pieces_fault(buffer);
    if (buffer->pieces != 0)
        return ARENAPLAN_FAULT_PIECE;
    return buffer->begin < buffer->end ? ARENAPLAN_FAULT_NONE : ARENAPLAN_FAULT_LIFETIME;
}

/* What has to fit: all buffers above one another and above all fixed ones, each padded to any
 * alignment, and the difference of any two times.  */
struct extent {
    int64_t padded, most_alignment, first, last;
};

static bool extend(struct extent *extent, const struct arenaplan_buffer *buffer)
{
    int64_t begin = buffer->begin, end = buffer->end, span;

    for (size_t i = 0; i < buffer->pieces; i++) {
        begin = i == 0 ? buffer->piece[i].begin : min64(begin, buffer->piece[i].begin);
        end = i == 0 ? buffer->piece[i].end : max64(end, buffer->piece[i].end);
    }
    extent->first = min64(extent->first, begin);
    extent->last = max64(extent->last, end);
    return checked_sub(extent->last, extent->first, &span) &&
           checked_add(extent->padded, problem_size(buffer), &extent->padded) &&
           checked_add(extent->padded, max64(buffer->alignment, 1), &extent->padded) &&
           checked_add(extent->padded, extent->most_alignment, &extent->padded);
}

struct overlap_rectangle *problem_in_use(const struct arenaplan_problem *problem,
                                         const int64_t *offset, size_t *count)
{
    struct overlap_rectangle *rectangle = NULL;
    size_t room = 0;

    *count = 0;
    for (size_t b = 0; b < problem->count; b++) {
        const struct arenaplan_buffer *buffer = &problem->buffer[b];
        int64_t at = offset == NULL ? buffer->offset : offset[b];

        if (offset == NULL && !problem_is_fixed(buffer))
            continue;
        rectangle = memory_grow(rectangle, &room, *count + buffer->pieces + 1, sizeof *rectangle);
        if (is_rectangle(buffer) && buffer->size > 0)
            rectangle[(*count)++] =
                (struct overlap_rectangle){buffer->begin, buffer->end, at, at + buffer->size, b};
        for (size_t i = 0; i < buffer->pieces; i++) {
            const struct arenaplan_piece *piece = &buffer->piece[i];

            rectangle[(*count)++] = (struct overlap_rectangle){
                piece->begin, piece->end, at + piece->low, at + piece->high, b};
        }
    }
    return rectangle;
}

/* Where fixed buffers end, and that no two of them overlap.  */
static struct fault fixed_fault(const struct arenaplan_problem *problem, int64_t *end)
{
    struct fault fault = {ARENAPLAN_FAULT_NONE, SIZE_MAX, SIZE_MAX};
    struct overlap_rectangle *rectangle;
    size_t count, fixed = 0;
    int64_t own;

    *end = 0;
    for (size_t b = 0; b < problem->count; b++) {
        const struct arenaplan_buffer *buffer = &problem->buffer[b];

        if (!problem_is_fixed(buffer))
            continue;
        if (!checked_add(buffer->offset, problem_size(buffer), &own))
            return (struct fault){ARENAPLAN_FAULT_OVERFLOW, b, SIZE_MAX};
        *end = max64(*end, own);
        fixed++;
    }
    if (fixed < 2)
        return fault;
    rectangle = problem_in_use(problem, NULL, &count);
    if (overlaps_find(rectangle, count, &fault.other, &fault.buffer))
        fault.what = ARENAPLAN_FAULT_OVERLAP;
    memory_free(rectangle);
    if (fault.buffer < fault.other) {
        own = (int64_t)fault.buffer;
        fault.buffer = fault.other;
        fault.other = (size_t)own;
    }
    return fault;
}

bool problem_check(const struct arenaplan_problem *problem, struct fault *fault)
{
    struct extent extent = {0, 1, INT64_MAX, INT64_MIN};

    *fault = (struct fault){ARENAPLAN_FAULT_NONE, SIZE_MAX, SIZE_MAX};
    for (size_t b = 0; b < problem->count && fault->what == ARENAPLAN_FAULT_NONE; b++) {
        *fault = (struct fault){buffer_fault(&problem->buffer[b]), b, SIZE_MAX};
        extent.most_alignment = max64(extent.most_alignment, problem->buffer[b].alignment);
    }
    if (fault->what == ARENAPLAN_FAULT_NONE)
        *fault = fixed_fault(problem, &extent.padded);
    for (size_t b = 0; b < problem->count && fault->what == ARENAPLAN_FAULT_NONE; b++) {
        bool fits = extend(&extent, &problem->buffer[b]);

        *fault =
            (struct fault){fits ? ARENAPLAN_FAULT_NONE : ARENAPLAN_FAULT_OVERFLOW, b, SIZE_MAX};
    }
    if (fault->what == ARENAPLAN_FAULT_NONE)
        fault->buffer = SIZE_MAX;
    return fault->what == ARENAPLAN_FAULT_NONE;
}

/* --- the instance --- */

/* Sizes that the arrays have.  */
static void count_all(const struct arenaplan_problem *problem, size_t *buffers, size_t *pieces)
{
    *buffers = *pieces = 0;
    for (size_t b = 0; b < problem->count; b++) {
        const struct arenaplan_buffer *buffer = &problem->buffer[b];

        if (problem_size(buffer) == 0)
            continue;
        ++*buffers;
        *pieces += is_rectangle(buffer) ? 1 : buffer->pieces;
    }
}

static void add_buffer(struct instance *instance, const struct arenaplan_buffer *buffer)
{
    struct buffer *added = &instance->buffer[instance->n++];
    struct piece *piece = &instance->piece[instance->pieces];

    *added = (struct buffer){
        .id = "",
        .size = problem_size(buffer),
        .alignment = problem_is_fixed(buffer) ? 1 : max64(buffer->alignment, 1),
        .begin = buffer->begin,
        .end = buffer->end,
        .first_piece = (uint32_t)instance->pieces,
        .pieces = is_rectangle(buffer) ? 1 : (uint32_t)buffer->pieces,
        .fixed = problem_is_fixed(buffer) ? buffer->offset : -1,
    };
    if (is_rectangle(buffer))
        *piece = (struct piece){buffer->begin, buffer->end, 0, buffer->size, true};
    for (size_t i = 0; i < buffer->pieces; i++) {
        const struct arenaplan_piece *given = &buffer->piece[i];

        piece[i] = (struct piece){given->begin, given->end, given->low, given->high, true};
        added->begin = i == 0 ? given->begin : min64(added->begin, given->begin);
        added->end = i == 0 ? given->end : max64(added->end, given->end);
    }
    instance->pieces += added->pieces;
    instance->fixed += added->fixed >= 0;
    instance->max_size = max64(instance->max_size, added->size);
    instance->max_alignment = max64(instance->max_alignment, added->alignment);
    instance->total += added->size;
}

void prepare(struct prepared *prepared, const struct arenaplan_problem *problem)
{
    struct instance *instance = &prepared->instance;
    bool several = false;
    size_t buffers, pieces;

    count_all(problem, &buffers, &pieces);
    if (pieces > UINT32_MAX)
        memory_exhausted();
    *prepared = (struct prepared){
        .instance = {.max_alignment = 1, .nameless = true},
        .index = buffers == problem->count ? NULL : memory_alloc(buffers, sizeof *prepared->index),
    };
    instance->name = prepared->name;
    instance->buffer = memory_alloc(buffers, sizeof *instance->buffer);
    instance->piece = memory_alloc(pieces, sizeof *instance->piece);
    for (size_t b = 0; b < problem->count; b++) {
        const struct arenaplan_buffer *buffer = &problem->buffer[b];

        if (problem_size(buffer) == 0)
            continue;
        if (prepared->index != NULL)
            prepared->index[instance->n] = b;
        several = several || !is_rectangle(buffer);
        add_buffer(instance, buffer);
    }
    instance_set_axis(instance);
    instance->shapes = several && instance_has_shapes(instance);
}

void prepared_clear(struct prepared *prepared)
{
    memory_free(prepared->instance.buffer);
    memory_free(prepared->instance.piece);
    memory_free(prepared->index);
}
