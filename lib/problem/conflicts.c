/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/problem/conflicts.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/conflict_graph.h"
#include "lib/problem/instance.h"

const char *conflict_kind_name(enum conflict_kind kind)
{
    static const char *const name[] = {"apart", "exclusive", "together"};

    return name[kind];
}

/* A node at a step: one of the clock that it is left out of, or one more.  */
struct event {
    size_t node, step;
};

struct events {
    struct event *event;
    size_t count, room;
    size_t *first; /* of node a: event[first[a]..first[a + 1]), by step, once they are sorted */
};

static void add_event(struct events *events, size_t node, size_t step)
{
    events->event =
        memory_grow(events->event, &events->room, events->count + 1, sizeof *events->event);
    events->event[events->count++] = (struct event){node, step};
}

/* By node; they come by step.  */
static void sort_events(struct events *events, size_t n)
{
    struct event *sorted = memory_alloc(events->count, sizeof *sorted);
    size_t *at = memory_zalloc(n + 2, sizeof *at);

    for (size_t i = 0; i < events->count; i++)
        at[events->event[i].node + 2]++;
    for (size_t a = 1; a <= n; a++)
        at[a + 1] += at[a];
    for (size_t i = 0; i < events->count; i++)
        sorted[at[events->event[i].node + 1]++] = events->event[i];
    memory_free(events->event);
    events->event = sorted;
    events->first = at;
}

static void clear_events(struct events *events)
{
    memory_free(events->event);
    memory_free(events->first);
}

/* The steps of the clock at which nodes have to give way to others, which they exclude.  LIVES[a]
 * becomes whether a is left at some step.  */
static void leave_out(struct conflict_graph *graph, struct events *left, bool *lives)
{
    uint64_t *alive = memory_alloc(2 * graph->words, sizeof *alive);
    uint64_t *kept = alive + graph->words;

    for (size_t s = 0; s < graph->steps && graph->exclusive; s++) {
        conflict_alive(graph, s, alive);
        memcpy(kept, alive, graph->words * sizeof *alive);
        conflict_keep(graph, kept);
        for (size_t a = conflict_next(graph, alive, 0); a != SIZE_MAX;
             a = conflict_next(graph, alive, a + 1)) {
            lives[a] |= conflict_bit(kept, a);
            if (!conflict_bit(kept, a))
                add_event(left, a, s);
        }
    }
    for (size_t a = 0; a < graph->n && !graph->exclusive; a++)
        lives[a] = true;
    sort_events(left, graph->n);
    memory_free(alive);
}

/* One step more for each clique, and for a node that lives nowhere.  Returns their number.  */
static size_t add_steps(struct conflict_graph *graph, struct events *more, bool *lives)
{
    size_t *member = memory_alloc(graph->n, sizeof *member), count, steps = 0;
    int64_t most = graph->exclusive ? 0 : graph->instance->load;

    for (; (count = conflict_clique(graph, member, &most)) > 0; steps++)
        for (size_t i = 0; i < count; i++) {
            add_event(more, member[i], steps);
            lives[member[i]] = true;
        }
    for (size_t a = 0; a < graph->n; a++)
        if (!lives[a])
            add_event(more, a, steps++);
    sort_events(more, graph->n);
    memory_free(member);
    return steps;
}

/* --- the instance --- */

struct pieces {
    struct piece *piece;
    size_t count, room;
};

/* One more, which goes on from the last where it is as high.  */
static void add_piece(struct pieces *pieces, struct piece piece)
{
    struct piece *last = pieces->count > 0 ? &pieces->piece[pieces->count - 1] : NULL;

    if (last != NULL && last->end == piece.begin && last->lo == piece.lo && last->hi == piece.hi) {
        last->end = piece.end;
        return;
    }
    pieces->piece =
        memory_grow(pieces->piece, &pieces->room, pieces->count + 1, sizeof *pieces->piece);
    pieces->piece[pieces->count++] = piece;
}

/* PIECE of NODE without the steps that it is left out of.  */
static void add_rest(const struct conflict_graph *graph, const struct events *left, size_t node,
                     struct piece piece, struct pieces *pieces)
{
    for (size_t i = left->first[node]; i < left->first[node + 1]; i++) {
        const int64_t from = graph->step[left->event[i].step];
        const int64_t to = graph->step[left->event[i].step + 1];

        if (to <= piece.begin || from >= piece.end)
            continue;
        if (piece.begin < from)
            add_piece(pieces, (struct piece){piece.begin, from, piece.lo, piece.hi, piece.tensor});
        piece.begin = to;
        if (piece.begin >= piece.end)
            return;
    }
    add_piece(pieces, piece);
}

/* What node of PLAIN's buffer B has.  */
static void add_node(const struct conflict_graph *graph, const struct events *left,
                     const struct events *more, size_t b, struct pieces *pieces)
{
    const struct buffer *buffer = &graph->instance->buffer[b];
    const size_t node = graph->node_of[b];
    const int64_t end = graph->step[graph->steps];

    for (size_t i = 0; i < buffer->pieces; i++)
        add_rest(graph, left, node, graph->instance->piece[buffer->first_piece + i], pieces);
    for (size_t i = more->first[node]; i < more->first[node + 1]; i++) {
        const int64_t time = end + (int64_t)more->event[i].step;

        add_piece(pieces, (struct piece){time, time + 1, 0, buffer->size, true});
    }
}

/* What the buffers that are together with B, which is the first of them, have in common.  */
static bool add_buffer(const struct conflict_graph *graph, const struct events *left,
                       const struct events *more, size_t b, struct instance *instance,
                       size_t *buffer_of, struct error *error)
{
    const struct buffer *buffer = graph->instance->buffer;
    struct pieces pieces = {0};
    int64_t alignment = 1, size = 0, fixed = -1;
    bool good = true;
    size_t index;

    for (size_t c = b; c < graph->n && good; c++) {
        if (graph->group[graph->node_of[c]] != b)
            continue;
        good = checked_lcm(alignment, buffer[c].alignment, &alignment) ||
               error_set(error, "buffers '%s' and '%s' are together, but no alignment fits both",
                         buffer[b].id, buffer[c].id);
        add_node(graph, left, more, c, &pieces);
        size = max64(size, buffer[c].size);
        fixed = max64(fixed, buffer[c].fixed);
        buffer_of[c] = instance->n;
    }
    index = instance_add_pieces(instance, buffer[b].id, pieces.piece, pieces.count, alignment);
    instance->buffer[index].size = size;
    instance->buffer[index].reads = buffer[b].reads;
    instance->buffer[index].writes = buffer[b].writes;
    if (fixed >= 0)
        instance_fix(instance, index, fixed);
    memory_free(pieces.piece);
    return good;
}

static struct instance *build(const struct conflict_graph *graph, const struct events *left,
                              const struct events *more, size_t *buffer_of, struct error *error)
{
    const struct instance *plain = graph->instance;
    struct instance *instance = instance_new(plain->name);
    bool good = true;

    instance->pairs = true;

    for (size_t b = 0; b < graph->n && good; b++)
        good = graph->group[graph->node_of[b]] != b ||
               add_buffer(graph, left, more, b, instance, buffer_of, error);
    for (size_t i = 0; i < plain->n_empty; i++)
        instance_add(instance, plain->empty[i].id, plain->empty[i].begin, plain->empty[i].end, 0,
                     1);
    if (!good || !instance_seal(instance, NULL, error)) {
        instance_free(instance);
        return NULL;
    }
    return instance;
}

struct instance *conflicts_apply(const struct instance *plain, const struct conflict_pair *pair,
                                 size_t count, size_t *buffer_of, struct error *error)
{
    struct events left = {0}, more = {0};
    struct conflict_graph graph;
    struct instance *instance = NULL;
    size_t steps;
    int64_t end;
    bool *lives;

    assert(plain->n_overwrites == 0);
    if (!conflict_graph_init(&graph, plain, pair, count, error))
        return NULL;
    lives = memory_zalloc(graph.n, sizeof *lives);
    leave_out(&graph, &left, lives);
    steps = add_steps(&graph, &more, lives);
    if (graph.n > 0 && !checked_add(graph.step[graph.steps], (int64_t)steps, &end))
        error_set(error, "the time axis ends at %" PRId64 ", which leaves no room for %zu steps",
                  graph.step[graph.steps], steps);
    else
        instance = build(&graph, &left, &more, buffer_of, error);
    memory_free(lives);
    clear_events(&left);
    clear_events(&more);
    conflict_graph_clear(&graph);
    return instance;
}
