/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers whose offsets somebody else has chosen.  */
#include <config.h>

#include <assert.h>
#include <inttypes.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/sort.h"
#include "lib/problem/instance.h"
#include "lib/problem/instance_private.h"
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

/* --- overlaps --- */

/* A rectangle of a fixed buffer, in steps and bytes of the arena.  */
struct rectangle {
    int64_t begin, end, bottom, top;
    size_t buffer;
};

/* The sweep over time: which rectangles are alive, by their rank by address, as the leaves of a
 * tree in which each node counts the live ones below it.  Live ones never overlap, so a new one
 * overlaps some of them exactly if it overlaps the next one below or above.  */
struct sweep {
    size_t count, leaves;
    struct rectangle *rectangle; /* by ascending bottom: the index is the rank */
    size_t *live;                /* of node V, whose children are 2 V and 2 V + 1 */
};

static int compare_bottoms(const void *a, const void *b)
{
    const struct rectangle *x = a, *y = b;

    return ORDER(x->bottom, y->bottom) ?: ORDER(x->buffer, y->buffer) ?: ORDER(x->begin, y->begin);
}

static void sweep_init(struct sweep *sweep, const struct instance *instance)
{
    size_t capacity = 0;

    *sweep = (struct sweep){.leaves = 1};
    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];
        struct piece *piece;
        size_t pieces;

        if (buffer->fixed < 0)
            continue;
        pieces = pieces_disjoint(&instance->piece[buffer->first_piece], buffer->pieces, &piece);
        sweep->rectangle = memory_grow(sweep->rectangle, &capacity, sweep->count + pieces,
                                       sizeof *sweep->rectangle);
        for (size_t i = 0; i < pieces; i++)
            sweep->rectangle[sweep->count++] =
                (struct rectangle){piece[i].begin, piece[i].end, buffer->fixed + piece[i].lo,
                                   buffer->fixed + piece[i].hi, b};
        memory_free(piece);
    }
    sort_stable(sweep->rectangle, sweep->count, sizeof *sweep->rectangle, compare_bottoms);
    while (sweep->leaves < sweep->count)
        sweep->leaves *= 2;
    sweep->live = memory_zalloc(2 * sweep->leaves, sizeof *sweep->live);
}

static void set_live(struct sweep *sweep, size_t rank, bool live)
{
    for (size_t v = sweep->leaves + rank; v > 0; v /= 2)
        sweep->live[v] += live ? 1 : SIZE_MAX;
}

/* The live rectangle of the next rank below RANK (STEP 0) or above it (STEP 1); SIZE_MAX: none.  */
static size_t next_live(const struct sweep *sweep, size_t rank, size_t step)
{
    size_t v = sweep->leaves + rank;

    while (v > 1 && (v % 2 == step || sweep->live[v ^ 1] == 0))
        v /= 2;
    if (v <= 1)
        return SIZE_MAX;
    for (v ^= 1; v < sweep->leaves;)
        v = sweep->live[2 * v + (1 - step)] > 0 ? 2 * v + (1 - step) : 2 * v + step;
    return v - sweep->leaves;
}

/* A rectangle begins or ends; what ends at a step comes before what begins there.  */
struct turn {
    int64_t time;
    bool begins;
    size_t rank;
};

static int compare_turns(const void *a, const void *b)
{
    const struct turn *x = a, *y = b;

    return ORDER(x->time, y->time) ?: ORDER(x->begins, y->begins) ?: ORDER(x->rank, y->rank);
}

static struct turn *list_turns(const struct sweep *sweep)
{
    struct turn *turn = memory_alloc(2 * sweep->count, sizeof *turn);

    for (size_t r = 0; r < sweep->count; r++) {
        turn[2 * r] = (struct turn){sweep->rectangle[r].begin, true, r};
        turn[2 * r + 1] = (struct turn){sweep->rectangle[r].end, false, r};
    }
    sort_stable(turn, 2 * sweep->count, sizeof *turn, compare_turns);
    return turn;
}

static bool report(const struct instance *instance, const struct rectangle *a,
                   const struct rectangle *b, struct error *error)
{
    return error_set(error,
                     "buffers '%s' at [%" PRId64 ", %" PRId64 ") and '%s' at [%" PRId64 ", %" PRId64
                     "), whose offsets are fixed, overlap at step %" PRId64,
                     instance->buffer[a->buffer].id, a->bottom, a->top,
                     instance->buffer[b->buffer].id, b->bottom, b->top, max64(a->begin, b->begin));
}

/* The live rectangle that the one of RANK overlaps; SIZE_MAX: none.  */
static size_t find_overlap(const struct sweep *sweep, size_t rank)
{
    size_t below = next_live(sweep, rank, 0), above = next_live(sweep, rank, 1);

    if (below != SIZE_MAX && sweep->rectangle[below].top > sweep->rectangle[rank].bottom)
        return below;
    if (above != SIZE_MAX && sweep->rectangle[above].bottom < sweep->rectangle[rank].top)
        return above;
    return SIZE_MAX;
}

bool instance_check_fixed(const struct instance *instance, size_t *culprit, size_t *other,
                          struct error *error)
{
    struct sweep sweep;
    struct turn *turn;
    bool good = true;

    sweep_init(&sweep, instance);
    turn = list_turns(&sweep);
    for (size_t i = 0; i < 2 * sweep.count && good; i++) {
        size_t rank = turn[i].rank, found = turn[i].begins ? find_overlap(&sweep, rank) : SIZE_MAX;
        const struct rectangle *a = &sweep.rectangle[rank], *b = a;

        set_live(&sweep, rank, turn[i].begins);
        if (found == SIZE_MAX)
            continue;
        b = &sweep.rectangle[found];
        *culprit = a->buffer > b->buffer ? a->buffer : b->buffer;
        *other = a->buffer > b->buffer ? b->buffer : a->buffer;
        good =
            a->buffer > b->buffer ? report(instance, b, a, error) : report(instance, a, b, error);
    }
    memory_free(turn);
    memory_free(sweep.live);
    memory_free(sweep.rectangle);
    return good;
}
