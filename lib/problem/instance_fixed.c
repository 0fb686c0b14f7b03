/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers whose offsets somebody else has chosen.  */
#include <config.h>

#include <assert.h>
#include <inttypes.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "lib/problem/instance_private.h"
#include "lib/problem/overlaps.h"
#include "lib/problem/pieces.h"

void instance_fix(struct instance *instance, size_t buffer, int64_t offset)
{
    assert(buffer < instance->n);
    instance->buffer[buffer].fixed = offset;
    instance->buffer[buffer].alignment = 1;
}

bool instance_fixed_end(struct instance *instance, int64_t *end, size_t *culprit,
                        struct error *error)
{
    *end = 0;
    instance->fixed = 0;
    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];
        int64_t own;

        if (buffer->fixed == -1)
            continue;
        *culprit = b;
        if (buffer->fixed < 0)
            return error_set(error, "buffer '%s': fixed offset %" PRId64 " is negative", buffer->id,
                             buffer->fixed);
        if (!checked_add(buffer->fixed, buffer->size, &own))
            return error_set(error, "buffer '%s': fixed offset %" PRId64 " + size overflows",
                             buffer->id, buffer->fixed);
        *end = max64(*end, own);
        instance->fixed++;
    }
    return true;
}

/* The disjoint rectangles of the fixed buffers, in steps and bytes of the arena: as owner each has
 * its own number, and BUFFER that of its buffer.  The caller frees both.  */
static struct overlap_rectangle *list_rectangles(const struct instance *instance, size_t *count,
                                                 size_t **buffer)
{
    struct overlap_rectangle *rectangle = NULL;
    size_t room = 0, buffer_room = 0;

    *count = 0;
    *buffer = NULL;
    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *fixed = &instance->buffer[b];
        struct piece *piece;
        size_t pieces;

        if (fixed->fixed < 0)
            continue;
        pieces = pieces_disjoint(&instance->piece[fixed->first_piece], fixed->pieces, &piece);
        rectangle = memory_grow(rectangle, &room, *count + pieces, sizeof *rectangle);
        *buffer = memory_grow(*buffer, &buffer_room, *count + pieces, sizeof **buffer);
        for (size_t i = 0; i < pieces; i++) {
            rectangle[*count] =
                (struct overlap_rectangle){piece[i].begin, piece[i].end, fixed->fixed + piece[i].lo,
                                           fixed->fixed + piece[i].hi, *count};
            (*buffer)[(*count)++] = b;
        }
        memory_free(piece);
    }
    return rectangle;
}

bool instance_check_fixed(const struct instance *instance, size_t *culprit, size_t *other,
                          struct error *error)
{
    size_t count, *buffer, a, b;
    struct overlap_rectangle *given = list_rectangles(instance, &count, &buffer);
    struct overlap_rectangle *sorted = memory_copy(given, count, sizeof *sorted);
    bool good = !overlaps_find(sorted, count, &a, &b);

    if (!good) {
        const struct overlap_rectangle *first = &given[a < b ? a : b],
                                       *later = &given[a < b ? b : a];

        *other = buffer[first->owner];
        *culprit = buffer[later->owner];
        error_set(error,
                  "buffers '%s' at [%" PRId64 ", %" PRId64 ") and '%s' at [%" PRId64 ", %" PRId64
                  "), whose offsets are fixed, overlap at step %" PRId64,
                  instance->buffer[*other].id, first->low, first->high,
                  instance->buffer[*culprit].id, later->low, later->high,
                  max64(first->begin, later->begin));
    }
    memory_free(sorted);
    memory_free(given);
    memory_free(buffer);
    return good;
}
