/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "hazards/part.h"

#include "lib/base/bisect.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/sort.h"
#include "lib/problem/conflict_graph.h"
#include "lib/problem/instance.h"

/* --- buffers and pairs --- */

static void add_buffer(struct instance *plain, const struct instance *from, size_t b)
{
    const struct buffer *buffer = &from->buffer[b];
    size_t index = instance_add_pieces(plain, buffer->id, &from->piece[buffer->first_piece],
                                       buffer->pieces, buffer->alignment);

    plain->buffer[index].size = buffer->size;
    if (buffer->fixed >= 0)
        instance_fix(plain, index, buffer->fixed);
}

static void add_pair(struct hazard_part *part, size_t *room, struct conflict_pair pair)
{
    part->pair = memory_grow(part->pair, room, part->n_pairs + 1, sizeof *part->pair);
    part->pair[part->n_pairs++] = pair;
}

/* Ranges as buffers that live as long as all others, whatever these exclude.  */
static void add_reserved(struct hazard_part *part, const struct hazard_pool *pool, size_t *room)
{
    int64_t begin = INT64_MAX, end = INT64_MIN;

    for (size_t b = 0; b < part->own; b++) {
        begin = min64(begin, part->plain->buffer[b].begin);
        end = max64(end, part->plain->buffer[b].end);
    }
    for (size_t i = 0; i < pool->n_reserved && part->own > 0; i++) {
        const struct hazard_range *range = &pool->reserved[i];
        char *id = memory_printf("reserved %zu", i);
        size_t index = instance_add(part->plain, id, begin, end, range->end - range->begin, 1);

        memory_free(id);
        instance_fix(part->plain, index, range->begin);
        for (size_t b = 0; b < part->own; b++)
            add_pair(part, room, (struct conflict_pair){CONFLICT_APART, b, index});
    }
}

/* INDEX[b]: which buffer of the part buffer b of the problem is, or SIZE_MAX.  */
static void take_over(struct hazard_part *part, const struct hazard_problem *problem, size_t p,
                      size_t *index)
{
    size_t pairs_room = 0;

    for (size_t b = 0; b < problem->plain->n; b++) {
        index[b] = problem->pool[b] == p ? part->own : SIZE_MAX;
        if (index[b] == SIZE_MAX)
            continue;
        add_buffer(part->plain, problem->plain, b);
        part->buffer[part->own++] = b;
    }
    for (size_t i = 0; i < problem->n_pairs; i++) {
        const struct conflict_pair *pair = &problem->pair[i];

        if (index[pair->a] != SIZE_MAX && index[pair->b] != SIZE_MAX)
            add_pair(part, &pairs_room,
                     (struct conflict_pair){pair->kind, index[pair->a], index[pair->b]});
    }
    add_reserved(part, &problem->pools[p], &pairs_room);
}

/* --- costs --- */

static int compare_costs(const void *a, const void *b)
{
    const struct reuse_cost *x = a, *y = b;

    return ORDER(x->a, y->a) ?: ORDER(x->b, y->b);
}

static void add_costs(struct hazard_part *part, const struct hazard_problem *problem,
                      const size_t *index, const struct conflict_graph *graph)
{
    size_t count = 0;

    part->cost = memory_alloc(problem->n_costs, sizeof *part->cost);
    for (size_t i = 0; i < problem->n_costs; i++) {
        const struct reuse_cost *cost = &problem->cost[i];
        const size_t a = index[cost->a], b = index[cost->b];

        if (a == SIZE_MAX || b == SIZE_MAX || cost->cost == 0 ||
            part->node_of[a] == part->node_of[b] ||
            conflict_bit(conflict_row(graph, graph->row, graph->node_of[a]), graph->node_of[b]))
            continue;
        part->cost[count++] = (struct reuse_cost){a < b ? a : b, a < b ? b : a, cost->cost};
    }
    sort_stable(part->cost, count, sizeof *part->cost, compare_costs);
    for (size_t i = 0; i < count; i++)
        if (part->n_costs > 0 && compare_costs(&part->cost[part->n_costs - 1], &part->cost[i]) == 0)
            part->cost[part->n_costs - 1].cost =
                capped_add(part->cost[part->n_costs - 1].cost, part->cost[i].cost);
        else
            part->cost[part->n_costs++] = part->cost[i];
}

static void find_costs_of_pairs(struct hazard_part *part)
{
    part->cost_of_pair = memory_alloc(part->n_pairs, sizeof *part->cost_of_pair);
    for (size_t i = 0; i < part->n_pairs; i++) {
        const size_t a = part->pair[i].a, b = part->pair[i].b;
        const struct reuse_cost sought = {a < b ? a : b, a < b ? b : a, 0};
        const size_t at = BISECT(c, 0, part->n_costs, compare_costs(&part->cost[c], &sought) < 0);
        const bool found = at < part->n_costs && compare_costs(&part->cost[at], &sought) == 0;

        part->cost_of_pair[i] = found && part->pair[i].kind == CONFLICT_EXCLUSIVE ? at : SIZE_MAX;
    }
}

struct conflict_pair *hazard_part_pairs(const struct hazard_part *part, const bool *hard,
                                        size_t *count)
{
    struct conflict_pair *pair = memory_alloc(part->n_pairs + part->n_costs, sizeof *pair);

    *count = 0;
    for (size_t i = 0; i < part->n_pairs; i++)
        if (hard == NULL || part->cost_of_pair[i] == SIZE_MAX || !hard[part->cost_of_pair[i]])
            pair[(*count)++] = part->pair[i];
    for (size_t i = 0; hard != NULL && i < part->n_costs; i++)
        if (hard[i])
            pair[(*count)++] =
                (struct conflict_pair){CONFLICT_APART, part->cost[i].a, part->cost[i].b};
    return pair;
}

/* --- nodes and arcs --- */

static void make_nodes(struct hazard_part *part, const struct conflict_graph *graph)
{
    const struct instance *plain = part->plain;

    part->node = memory_zalloc(plain->n, sizeof *part->node);
    part->node_of = memory_alloc(plain->n, sizeof *part->node_of);
    for (size_t b = 0; b < plain->n; b++) {
        const struct buffer *buffer = &plain->buffer[b];
        const size_t first = graph->group[graph->node_of[b]];
        struct hazard_node *node;

        part->node_of[b] = first == b ? part->nodes++ : part->node_of[first];
        node = &part->node[part->node_of[b]];
        if (first == b)
            *node = (struct hazard_node){0, 1, -1, buffer->begin, 0, 0};
        node->size = max64(node->size, buffer->size);
        node->fixed = max64(node->fixed, buffer->fixed);
        node->begin = min64(node->begin, buffer->begin);
        /* conflicts_apply refuses what does not fit.  */
        checked_lcm(node->alignment, buffer->alignment, &node->alignment);
    }
}

struct half_arc {
    size_t from;
    struct hazard_arc arc;
};

static int compare_halves(const void *a, const void *b)
{
    const struct half_arc *x = a, *y = b;

    return ORDER(x->from, y->from) ?: ORDER(x->arc.other, y->arc.other)
                                   ?: -ORDER(x->arc.cost, y->arc.cost);
}

struct halves {
    struct half_arc *half;
    size_t count, room;
};

/* From buffer A to B; PAIR: SIZE_MAX where they conflict.  */
static void add_half(struct halves *halves, const struct hazard_part *part, size_t a, size_t b,
                     size_t pair)
{
    const int64_t cost = pair == SIZE_MAX ? HAZARD_HARD : part->cost[pair].cost;

    halves->half =
        memory_grow(halves->half, &halves->room, halves->count + 1, sizeof *halves->half);
    halves->half[halves->count++] = (struct half_arc){
        part->node_of[a],
        {part->node_of[b], part->plain->buffer[a].size, part->plain->buffer[b].size, cost, pair}};
}

/* Hard arcs between two nodes become one: whichever is below, all that conflicts of it is.  */
static void join_halves(struct hazard_part *part, struct halves *halves)
{
    size_t count = 0;

    sort_stable(halves->half, halves->count, sizeof *halves->half, compare_halves);
    part->arc = memory_alloc(halves->count, sizeof *part->arc);
    for (size_t i = 0; i < halves->count; i++) {
        const struct half_arc *half = &halves->half[i];
        struct hazard_node *node = &part->node[half->from];
        struct hazard_arc *last = count > 0 ? &part->arc[count - 1] : NULL;

        if (node->arcs > 0 && last->other == half->arc.other && last->cost == HAZARD_HARD &&
            half->arc.cost == HAZARD_HARD) {
            last->own = max64(last->own, half->arc.own);
            last->its = max64(last->its, half->arc.its);
            continue;
        }
        if (node->arcs++ == 0)
            node->first_arc = count;
        part->arc[count++] = half->arc;
    }
}

static void make_arcs(struct hazard_part *part, const struct conflict_graph *graph)
{
    struct halves halves = {0};

    for (size_t a = 0; a < graph->n; a++)
        for (size_t b = conflict_next(graph, conflict_row(graph, graph->row, a), 0); b != SIZE_MAX;
             b = conflict_next(graph, conflict_row(graph, graph->row, a), b + 1))
            add_half(&halves, part, graph->buffer_of[a], graph->buffer_of[b], SIZE_MAX);
    for (size_t i = 0; i < part->n_costs; i++) {
        add_half(&halves, part, part->cost[i].a, part->cost[i].b, i);
        add_half(&halves, part, part->cost[i].b, part->cost[i].a, i);
    }
    join_halves(part, &halves);
    memory_free(halves.half);
}

/* Whether there is an instance of the pairs: conflicts_apply says what contradicts what.  */
static bool try_pairs(const struct hazard_part *part, struct error *error)
{
    size_t *buffer_of = memory_alloc(part->plain->n, sizeof *buffer_of);
    struct instance *instance =
        conflicts_apply(part->plain, part->pair, part->n_pairs, buffer_of, error);

    memory_free(buffer_of);
    instance_free(instance);
    return instance != NULL;
}

bool hazard_part_init(struct hazard_part *part, const struct hazard_problem *problem, size_t p,
                      struct error *error)
{
    const size_t n = problem->plain->n;
    size_t *index = memory_alloc(n, sizeof *index);
    struct conflict_graph graph;
    bool good;

    *part = (struct hazard_part){.plain = instance_new(problem->plain->name),
                                 .buffer = memory_alloc(n, sizeof *part->buffer),
                                 .capacity = problem->pools[p].capacity,
                                 .objective = problem->objective};
    take_over(part, problem, p, index);
    good = instance_seal(part->plain, NULL, error) && try_pairs(part, error) &&
           conflict_graph_init(&graph, part->plain, part->pair, part->n_pairs, error);
    if (good) {
        make_nodes(part, &graph);
        add_costs(part, problem, index, &graph);
        find_costs_of_pairs(part);
        make_arcs(part, &graph);
        conflict_graph_clear(&graph);
    } else {
        hazard_part_clear(part);
    }
    memory_free(index);
    return good;
}

void hazard_part_clear(struct hazard_part *part)
{
    instance_free(part->plain);
    memory_free(part->buffer);
    memory_free(part->pair);
    memory_free(part->cost_of_pair);
    memory_free(part->cost);
    memory_free(part->node_of);
    memory_free(part->node);
    memory_free(part->arc);
}

bool hazard_part_pays(const struct hazard_part *part, size_t i, const int64_t *offset)
{
    const struct buffer *buffer = part->plain->buffer;
    const size_t a = part->cost[i].a, b = part->cost[i].b;
    const int64_t own = offset[part->node_of[a]], its = offset[part->node_of[b]];

    return own < its + buffer[b].size && its < own + buffer[a].size;
}

int64_t hazard_part_cost(const struct hazard_part *part, const int64_t *offset)
{
    int64_t sum = 0;

    for (size_t i = 0; i < part->n_costs; i++)
        if (hazard_part_pays(part, i, offset))
            sum = capped_add(sum, part->cost[i].cost);
    return sum;
}
