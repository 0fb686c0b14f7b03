/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "solvers/library/callers_problem.h"

#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "lib/problem/pieces.h"

/* The pieces of BUFFER, behind COUNT others.  */
static size_t add_pieces(struct callers_problem *given, const struct instance *instance,
                         const struct buffer *buffer, size_t count, size_t *room)
{
    struct piece *disjoint;
    size_t pieces =
        pieces_disjoint(&instance->piece[buffer->first_piece], buffer->pieces, &disjoint);

    given->piece = memory_grow(given->piece, room, count + pieces, sizeof *given->piece);
    for (size_t i = 0; i < pieces; i++)
        given->piece[count + i] = (struct arenaplan_piece){disjoint[i].begin, disjoint[i].end,
                                                           disjoint[i].lo, disjoint[i].hi};
    memory_free(disjoint);
    return pieces;
}

static bool is_rectangle(const struct instance *instance, const struct buffer *buffer)
{
    const struct piece *piece = &instance->piece[buffer->first_piece];

    return buffer->pieces == 1 && piece->lo == 0 && piece->hi == buffer->size;
}

void callers_problem_init(struct callers_problem *given, const struct instance *instance)
{
    size_t count = 0, room = 0;

    *given = (struct callers_problem){.buffer = memory_alloc(instance->n, sizeof *given->buffer)};
    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];

        given->buffer[b] = (struct arenaplan_buffer){.begin = buffer->begin,
                                                     .end = buffer->end,
                                                     .size = buffer->size,
                                                     .alignment = buffer->alignment};
        if (buffer->fixed >= 0) {
            given->buffer[b].flags = ARENAPLAN_FIXED;
            given->buffer[b].offset = buffer->fixed;
        }
        if (is_rectangle(instance, buffer))
            continue;
        given->buffer[b].pieces = add_pieces(given, instance, buffer, count, &room);
        count += given->buffer[b].pieces;
    }
    count = 0; /* the pieces have stopped moving */
    for (size_t b = 0; b < instance->n; b++)
        if (given->buffer[b].pieces > 0) {
            given->buffer[b].piece = given->piece + count;
            count += given->buffer[b].pieces;
        }
    given->problem = (struct arenaplan_problem){sizeof given->problem, sizeof *given->buffer,
                                                given->buffer, instance->n};
}

void callers_problem_clear(struct callers_problem *given)
{
    memory_free(given->buffer);
    memory_free(given->piece);
}
