/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "lib/place/holes.h"

#include "lib/base/bisect.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/sort.h"

void holes_init(struct holes *holes, size_t n)
{
    *holes = (struct holes){.first = memory_zalloc(n + 1, sizeof *holes->first)};
}

void holes_clear(struct holes *holes)
{
    memory_free(holes->first);
    memory_free(holes->hole);
}

void holes_add(struct holes *holes, struct hole hole)
{
    holes->hole = memory_grow(holes->hole, &holes->room, holes->count + 1, sizeof *holes->hole);
    holes->hole[holes->count++] = hole;
}

static int compare_holes(const void *p, const void *q)
{
    const struct hole *x = p, *y = q;

    return ORDER(x->below, y->below) ?: ORDER(x->above, y->above);
}

/* Those that overlap are joined.  What only touch leave a number between them.  */
void holes_close(struct holes *holes)
{
    size_t from = holes->first[holes->n], kept = from;

    if (holes->count > from)
        sort_stable(holes->hole + from, holes->count - from, sizeof *holes->hole, compare_holes);
    for (size_t i = from; i < holes->count; i++)
        if (kept > from && holes->hole[i].below < holes->hole[kept - 1].above)
            holes->hole[kept - 1].above = max64(holes->hole[kept - 1].above, holes->hole[i].above);
        else
            holes->hole[kept++] = holes->hole[i];
    holes->count = holes->first[++holes->n] = kept;
}

/* The hole of B that START is in; NULL: none.  */
static const struct hole *hole_at(const struct holes *holes, size_t b, int64_t start)
{
    size_t first = holes->first[b], last = holes->first[b + 1];
    size_t at = BISECT(i, first, last, holes->hole[i].above <= start);

    return at < last && holes->hole[at].below < start ? &holes->hole[at] : NULL;
}

int64_t holes_next(const struct holes *holes, size_t b, int64_t start, int64_t alignment)
{
    const struct hole *hole;

    start = align_up(start, alignment);
    while ((hole = hole_at(holes, b, start)) != NULL)
        start = align_up(hole->above, alignment);
    return start;
}

int64_t holes_weakest(const struct holes *holes, size_t b, int64_t least, int64_t alignment)
{
    int64_t before = holes_next(holes, b, max64(0, least), alignment) - 1;

    /* The last start before that is no answer.  */
    while (before >= 0) {
        const struct hole *hole;

        before -= before % alignment;
        hole = hole_at(holes, b, before);
        if (hole == NULL)
            return before + 1;
        before = hole->below;
    }
    return 0;
}
