/* SPDX-License-Identifier: Apache-2.0 */
/* What is true of the pieces of an instance: chains, rectangles.  */
#include <config.h>

#include "lib/problem/instance_private.h"

#include "lib/base/bisect.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/sort.h"
#include "lib/problem/instance.h"
#include "lib/problem/pieces.h"

static int compare_overwrites(const void *a, const void *b)
{
    const struct overwrite *x = a, *y = b;

    return ORDER(x->by, y->by) ?: ORDER(x->of, y->of);
}

/* The buffer of a piece; buffers have ascending first pieces.  */
static size_t buffer_of(const struct instance *instance, size_t piece)
{
    return BISECT(b, 1, instance->n, instance->buffer[b].first_piece <= piece) - 1;
}

static bool check_link(const struct instance *instance, const struct overwrite *link,
                       struct error *error)
{
    const struct piece *by = &instance->piece[link->by], *of = &instance->piece[link->of];
    size_t b = buffer_of(instance, link->by);
    const char *id = instance->buffer[b].id;

    if (link->by == link->of || b != buffer_of(instance, link->of))
        return error_set(error, "buffer '%s': a piece overwrites itself or another buffer's", id);
    if (by->begin != of->end - 1 || by->lo < of->lo || by->hi > of->hi)
        return error_set(error,
                         "buffer '%s': a piece does not begin inside the one that it overwrites, "
                         "at that one's last step",
                         id);
    return true;
}

bool instance_check_overwrites(struct instance *instance, struct error *error)
{
    bool *overwritten = memory_zalloc(instance->pieces, sizeof *overwritten), good = true;

    if (instance->n_overwrites > 0)
        sort_stable(instance->overwrite, instance->n_overwrites, sizeof *instance->overwrite,
                    compare_overwrites);
    for (size_t i = 0; i < instance->n_overwrites && good; i++) {
        const struct overwrite *link = &instance->overwrite[i];

        good = check_link(instance, link, error);
        if (good && (overwritten[link->of] || (i > 0 && link[-1].by == link->by)))
            good = error_set(error, "buffer '%s': its overwrites do not form a chain",
                             instance->buffer[buffer_of(instance, link->by)].id);
        overwritten[link->of] = true;
    }
    memory_free(overwritten);
    return good;
}

/* Disjoint pieces, ordered by begin, make a rectangle when each is as high as
 * the buffer and begins where the one before it ends.  */
static bool is_rectangle(const struct buffer *buffer, const struct piece *piece)
{
    struct piece *disjoint = NULL;
    size_t count = buffer->pieces;
    bool rectangle = true;

    if (count > 1) {
        count = pieces_disjoint(piece, count, &disjoint);
        piece = disjoint;
    }
    for (size_t i = 0; i < count && rectangle; i++)
        rectangle = piece[i].lo == 0 && piece[i].hi == buffer->size &&
                    (i == 0 || piece[i].begin == piece[i - 1].end);
    memory_free(disjoint);
    return rectangle;
}

bool instance_has_shapes(const struct instance *instance)
{
    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];

        if (!is_rectangle(buffer, &instance->piece[buffer->first_piece]))
            return true;
    }
    return false;
}
