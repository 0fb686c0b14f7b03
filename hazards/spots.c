/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "hazards/spots.h"

#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"

/* From AT on, to be in the way costs CHANGE more.  An overlap is one of open intervals: it begins
 * behind an offset, and ends at one.  */
struct spot_event {
    int64_t at;
    int64_t cost; /* HAZARD_HARD: may not be there at all */
    enum event_kind { ENDS, CANDIDATE, BEGINS } kind;
};

void spots_init(struct spots *spots, const struct hazard_part *part)
{
    size_t most = 0;

    for (size_t a = 0; a < part->nodes; a++)
        most = part->node[a].arcs > most ? part->node[a].arcs : most;
    spots->room = 4 * most + 3;
    spots->part = part;
    spots->count = 0;
    spots->spot = memory_alloc(spots->room, sizeof *spots->spot);
    spots->event = memory_alloc(spots->room, sizeof *spots->event);
}

void spots_clear(struct spots *spots)
{
    memory_free(spots->spot);
    memory_free(spots->event);
}

static int compare_events(const void *a, const void *b)
{
    const struct spot_event *x = a, *y = b;

    return ORDER(x->at, y->at) ?: ORDER(x->kind, y->kind);
}

static int64_t align_down(int64_t value, int64_t alignment)
{
    return value - value % alignment;
}

/* All that begins, ends, or is worth a look, up to the offset TOP.  */
static size_t list_events(struct spots *spots, size_t node, enum spots_menu menu,
                          const int64_t *offset, int64_t top)
{
    const struct hazard_node *own = &spots->part->node[node];
    const struct hazard_arc *arc = &spots->part->arc[own->first_arc];
    struct spot_event *event = spots->event;
    size_t count = 0;

    event[count++] = (struct spot_event){0, 0, CANDIDATE};
    if (menu == SPOTS_ALL)
        event[count++] = (struct spot_event){align_down(top, own->alignment), 0, CANDIDATE};
    for (size_t i = 0; i < own->arcs; i++) {
        const int64_t at = offset[arc[i].other];
        const int64_t below = at - arc[i].own, above = at + arc[i].its;

        if (at == NOWHERE)
            continue;
        event[count++] = (struct spot_event){below, arc[i].cost, BEGINS};
        event[count++] = (struct spot_event){above, arc[i].cost, ENDS};
        if (menu == SPOTS_ALL && below >= 0 && below <= top)
            event[count++] = (struct spot_event){align_down(below, own->alignment), 0, CANDIDATE};
        if (align_up(above, own->alignment) <= top)
            event[count++] = (struct spot_event){align_up(above, own->alignment), 0, CANDIDATE};
    }
    return count;
}

void spots_find(struct spots *spots, size_t node, enum spots_menu menu, const int64_t *offset)
{
    const int64_t top = spots->part->capacity - spots->part->node[node].size;
    int64_t cost = 0;
    size_t count, hard = 0;

    spots->count = 0;
    if (top < 0)
        return;
    count = list_events(spots, node, menu, offset, top);
    qsort(spots->event, count, sizeof *spots->event, compare_events);
    for (size_t i = 0; i < count; i++) {
        const struct spot_event *event = &spots->event[i];
        const bool last = spots->count > 0 && spots->spot[spots->count - 1].offset == event->at;

        if (event->kind == CANDIDATE) {
            if (hard == 0 && !last)
                spots->spot[spots->count++] = (struct spot){event->at, cost};
        } else if (event->cost == HAZARD_HARD) {
            hard += event->kind == BEGINS ? 1 : (size_t)-1;
        } else {
            cost = event->kind == BEGINS ? capped_add(cost, event->cost) : cost - event->cost;
        }
    }
}
