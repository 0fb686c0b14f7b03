/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which buffers of a certificate are the same as others, or upside down.  */
#include <config.h>

#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/judge/certificate_known.h"
#include "lib/problem/instance.h"

/* Whether A and B use the same bytes at STEP.  */
static bool same_at(struct certificate_known *known, size_t a, size_t b, int64_t step)
{
    size_t count = certificate_known_stretches(known, a, step);
    struct certificate_span *copy = memory_copy(known->stretch, count, sizeof *copy);
    bool same = certificate_known_stretches(known, b, step) == count;

    for (size_t i = 0; i < count && same; i++)
        same = copy[i].lo == known->stretch[i].lo && copy[i].hi == known->stretch[i].hi;
    free(copy);
    return same;
}

/* What a buffer uses changes where a piece of it begins or ends, and nowhere else.  */
static bool same_where_changes(struct certificate_known *known, size_t a, size_t b, size_t of)
{
    const struct buffer *buffer = &known->instance->buffer[of - 1];

    for (size_t i = 0; i < buffer->pieces; i++) {
        const struct piece *piece = &known->instance->piece[buffer->first_piece + i];

        if (!same_at(known, a, b, piece->begin) || !same_at(known, a, b, piece->end))
            return false;
    }
    return true;
}

/* In units: 1 where each unit is aligned.  */
static int64_t alignment_of(const struct certificate_known *known, const struct buffer *buffer)
{
    return max64(1, buffer->alignment / known->unit);
}

bool certificate_known_twins(struct certificate_known *known, size_t a, size_t b)
{
    const struct buffer *x = &known->instance->buffer[a - 1], *y = &known->instance->buffer[b - 1];

    return x->fixed < 0 && y->fixed < 0 && x->size == y->size &&
           alignment_of(known, x) == alignment_of(known, y) && same_where_changes(known, a, b, a) &&
           same_where_changes(known, a, b, b);
}

static bool symmetric_at(struct certificate_known *known, size_t b, int64_t step)
{
    int64_t size = known->instance->buffer[b - 1].size / known->unit;
    size_t count = certificate_known_stretches(known, b, step);

    for (size_t i = 0; i < count; i++)
        if (known->stretch[i].lo + known->stretch[count - 1 - i].hi != size)
            return false;
    return true;
}

bool certificate_known_symmetric(struct certificate_known *known, size_t b)
{
    const struct buffer *buffer = &known->instance->buffer[b - 1];

    if (alignment_of(known, buffer) > 1 || buffer->fixed >= 0)
        return false;
    for (size_t i = 0; i < buffer->pieces; i++) {
        const struct piece *piece = &known->instance->piece[buffer->first_piece + i];

        if (!symmetric_at(known, b, piece->begin) || !symmetric_at(known, b, piece->end))
            return false;
    }
    return true;
}
