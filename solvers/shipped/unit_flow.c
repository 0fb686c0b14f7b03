/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A path of least cost in the residual graph by Bellman and Ford's rule with a queue in
 * rounds: the vertices whose distance fell in one round are looked at in the next, in
 * the order in which they fell; a vertex's arcs in the order given, each arc's way back
 * counted as an arc of its other end; only a smaller distance replaces.  */
#include <config.h>

#include "solvers/shipped/unit_flow.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "lib/base/memory.h"

#define UNREACHED INT64_MAX

/* Way 2a is arc a, way 2a + 1 leads back.  */
struct residual {
    size_t vertices;
    struct flow_arc *arc;
    size_t *first, *way; /* of vertex v: way[first[v]] .. way[first[v + 1] - 1] */
    int64_t *distance;
    size_t *arrived; /* by which way */
    size_t *round;   /* in which a vertex was last put into a queue */
    size_t *now, *next;
};

static void residual_init(struct residual *residual, size_t vertices, struct flow_arc *arc,
                          size_t arcs)
{
    size_t *filled = memory_zalloc(vertices, sizeof *filled);

    residual->vertices = vertices;
    residual->arc = arc;
    residual->first = memory_zalloc(vertices + 1, sizeof *residual->first);
    residual->way = memory_alloc(2 * arcs, sizeof *residual->way);
    residual->distance = memory_alloc(vertices, sizeof *residual->distance);
    residual->arrived = memory_alloc(vertices, sizeof *residual->arrived);
    residual->round = memory_zalloc(vertices, sizeof *residual->round);
    residual->now = memory_alloc(vertices, sizeof *residual->now);
    residual->next = memory_alloc(vertices, sizeof *residual->next);
    for (size_t a = 0; a < arcs; a++) {
        arc[a].flow = 0;
        residual->first[arc[a].from + 1]++;
        residual->first[arc[a].to + 1]++;
    }
    for (size_t v = 0; v < vertices; v++)
        residual->first[v + 1] += residual->first[v];
    for (size_t a = 0; a < arcs; a++) {
        size_t from = arc[a].from, to = arc[a].to;

        residual->way[residual->first[from] + filled[from]++] = 2 * a;
        residual->way[residual->first[to] + filled[to]++] = 2 * a + 1;
    }
    free(filled);
}

static void residual_clear(struct residual *residual)
{
    free(residual->first);
    free(residual->way);
    free(residual->distance);
    free(residual->arrived);
    free(residual->round);
    free(residual->now);
    free(residual->next);
}

/* Follows the ways out of V; vertices whose distance falls go to the next queue, which
 * has COUNT, in round ROUND.  */
static size_t relax(struct residual *residual, size_t v, size_t round, size_t count)
{
    for (size_t i = residual->first[v]; i < residual->first[v + 1]; i++) {
        size_t way = residual->way[i];
        const struct flow_arc *arc = &residual->arc[way / 2];
        bool back = way % 2 == 1;
        size_t to = back ? arc->from : arc->to;
        int64_t distance = residual->distance[v] + (back ? -arc->cost : arc->cost);

        if (arc->flow != (back ? 1 : 0) || distance >= residual->distance[to])
            continue;
        residual->distance[to] = distance;
        residual->arrived[to] = way;
        if (residual->round[to] != round) {
            residual->round[to] = round;
            residual->next[count++] = to;
        }
    }
    return count;
}

/* *ROUND goes on from search to search, so that no marks have to be taken back.  */
static bool find_path(struct residual *residual, size_t source, size_t sink, size_t *round)
{
    size_t count = 1;

    for (size_t v = 0; v < residual->vertices; v++)
        residual->distance[v] = UNREACHED;
    residual->distance[source] = 0;
    residual->now[0] = source;
    while (count > 0) {
        size_t *queue = residual->now, found = 0;

        ++*round;
        for (size_t i = 0; i < count; i++)
            found = relax(residual, queue[i], *round, found);
        residual->now = residual->next;
        residual->next = queue;
        count = found;
    }
    return residual->distance[sink] != UNREACHED;
}

void unit_flow(size_t vertices, size_t source, size_t sink, struct flow_arc *arc, size_t arcs)
{
    struct residual residual;
    size_t round = 0;

    assert(source < vertices && sink < vertices && source != sink);
    residual_init(&residual, vertices, arc, arcs);
    while (find_path(&residual, source, sink, &round))
        for (size_t v = sink; v != source;) {
            struct flow_arc *on_path = &arc[residual.arrived[v] / 2];
            bool back = residual.arrived[v] % 2 == 1;

            on_path->flow = back ? 0 : 1;
            v = back ? on_path->to : on_path->from;
        }
    residual_clear(&residual);
}
