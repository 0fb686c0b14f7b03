/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/oracles/plain_nnc.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"

/* Row and column 0 of the flow are the source, n + 1 the sink, b + 1 is buffer b.  */
struct flow {
    int64_t bytes, offset;
};

struct graph {
    const struct instance *instance;
    bool tuples;
    int64_t far;
    struct flow *flow;
    int64_t *size, *group_size;
    size_t *group; /* of each buffer from 1 on; 0: not inserted */
    size_t groups, left;
    bool *marked; /* found no place */
};

/* The buffers of one candidate in order of time; OTHER is SIZE_MAX for one alone.  */
struct choice {
    size_t index, other, first, last;
    int64_t size, interferes;
};

struct edge {
    size_t from, to;
    int64_t rank[6]; /* the least of all, one after the other, is taken */
};

static struct flow *cell(const struct graph *graph, size_t from, size_t to)
{
    return &graph->flow[from * (graph->instance->n + 2) + to];
}

/* The steps from the last of B to the first of A, or 0.  */
static int64_t after(const struct graph *graph, size_t a, size_t b)
{
    int64_t begin = graph->instance->buffer[a].begin, last = graph->instance->buffer[b].end - 1;

    return begin > last ? begin - last : 0;
}

static bool meet(const struct graph *graph, size_t a, size_t b)
{
    return buffers_overlap_in_time(&graph->instance->buffer[a], &graph->instance->buffer[b]);
}

static int64_t count_interferences(const struct graph *graph, size_t b)
{
    int64_t count = 0;

    for (size_t i = 0; i < graph->instance->n; i++)
        count += i != b && graph->group[i] == 0 && meet(graph, b, i);
    return count;
}

/* --- candidates --- */

static size_t add_alone(const struct graph *graph, struct choice *list)
{
    size_t count = 0;
    int64_t most = 0, largest = 0;

    for (size_t b = 0; b < graph->instance->n; b++) {
        int64_t interferes = count_interferences(graph, b);

        if (graph->group[b] != 0 || (graph->tuples && interferes < most) ||
            (!graph->tuples && graph->size[b] < largest))
            continue;
        if ((graph->tuples && interferes > most) || graph->size[b] > largest) {
            count = 0;
            largest = graph->size[b];
        }
        most = interferes;
        list[count++] = (struct choice){b, SIZE_MAX, b, b, graph->size[b], interferes};
    }
    return count;
}

static size_t add_pairs(const struct graph *graph, struct choice *list, size_t count)
{
    size_t alone = count;

    for (size_t i = 0; i < alone; i++)
        for (size_t k = 0; k < graph->instance->n; k++) {
            size_t b = list[i].index;

            if (graph->group[k] != 0 || graph->size[k] <= graph->size[b] || meet(graph, b, k))
                continue;
            list[count] = (struct choice){
                b, k, b, k, graph->size[k], list[i].interferes + count_interferences(graph, k)};
            if (after(graph, b, k) > 0) {
                list[count].first = k;
                list[count].last = b;
            }
            count++;
        }
    return count;
}

static int by_size_and_interferences(const void *a, const void *b)
{
    const struct choice *x = a, *y = b;

    if (x->size != y->size)
        return x->size > y->size ? -1 : 1;
    if (x->interferes != y->interferes)
        return x->interferes > y->interferes ? -1 : 1;
    if (x->index != y->index)
        return x->index < y->index ? -1 : 1;
    /* One alone comes first: SIZE_MAX + 1 is 0.  */
    return x->other + 1 < y->other + 1 ? -1 : 1;
}

/* --- places --- */

/* Of equal distances today's rule takes an edge to the sink, then one from the source, then
 * the one whose beginning is nearest; that of tuples the first row and column.  */
static void rank(const struct graph *graph, const struct choice *choice, struct edge *edge)
{
    size_t sink = graph->instance->n + 1;
    int64_t before = edge->from == 0 ? graph->far : after(graph, choice->first, edge->from - 1);
    int64_t behind = edge->to == sink ? graph->far : after(graph, edge->to - 1, choice->last);

    edge->rank[0] = before + behind;
    if (graph->tuples) {
        edge->rank[1] = (int64_t)edge->from;
        edge->rank[2] = (int64_t)edge->to;
        edge->rank[3] = edge->rank[4] = edge->rank[5] = 0;
        return;
    }
    edge->rank[1] = edge->to == sink ? 0 : edge->from == 0 ? 1 : 2;
    edge->rank[2] = before;
    edge->rank[3] = (int64_t)edge->from;
    edge->rank[4] = behind;
    edge->rank[5] = (int64_t)edge->to;
}

static bool comes_before(const struct edge *a, const struct edge *b)
{
    for (size_t i = 0; i < 6; i++)
        if (a->rank[i] != b->rank[i])
            return a->rank[i] < b->rank[i];
    return false;
}

/* Whether one end is a buffer, and the candidate can lie between both.  */
static bool can_lie(const struct graph *graph, const struct choice *choice, size_t from, size_t to)
{
    size_t sink = graph->instance->n + 1;

    return cell(graph, from, to)->bytes >= choice->size && (from != 0 || to != sink) &&
           (from == 0 || after(graph, choice->first, from - 1) > 0) &&
           (to == sink || after(graph, to - 1, choice->last) > 0);
}

static bool find(const struct graph *graph, const struct choice *choice, struct edge *best)
{
    bool found = false;

    for (size_t from = 0; from <= graph->instance->n; from++)
        for (size_t to = 1; to <= graph->instance->n + 1; to++) {
            struct edge edge = {from, to, {0}};

            if (!can_lie(graph, choice, from, to))
                continue;
            rank(graph, choice, &edge);
            if (!found || comes_before(&edge, best))
                *best = edge;
            found = true;
        }
    return found;
}

/* --- insertion --- */

static void put(struct graph *graph, size_t b, size_t group, int64_t offset, struct plan *plan)
{
    graph->group[b] = group;
    graph->left--;
    plan->offset[b] = offset;
}

/* FIRST and LAST follow one another between FROM and TO, at OFFSET.  */
static void join(struct graph *graph, const struct choice *choice, size_t from, size_t to,
                 int64_t offset)
{
    int64_t size = graph->size[choice->first], next = graph->size[choice->last];
    size_t first = choice->first + 1, last = choice->last + 1;

    *cell(graph, from, first) = (struct flow){size, offset};
    if (first == last) {
        *cell(graph, first, to) = (struct flow){size, offset};
        return;
    }
    *cell(graph, first, last) = (struct flow){min64(size, next), offset};
    *cell(graph, last, to) = (struct flow){next, offset};
    if (next > size)
        *cell(graph, from, last) = (struct flow){next - size, offset + size};
    if (size > next)
        *cell(graph, first, to) = (struct flow){size - next, offset + next};
}

static void insert(struct graph *graph, const struct choice *choice, const struct edge *edge,
                   struct plan *plan)
{
    size_t from = edge != NULL ? edge->from : 0, to = edge != NULL ? edge->to : plan->n + 1, group;
    int64_t offset = 0;

    if (edge == NULL) {
        graph->group_size[graph->groups++] = choice->size;
        group = graph->groups;
        for (size_t i = 0; i < plan->n; i++)
            if (graph->group[i] == 0 && graph->size[i] <= choice->size &&
                (after(graph, choice->first, i) > 0 || after(graph, i, choice->last) > 0))
                graph->marked[i] = false;
    } else {
        struct flow *flow = cell(graph, from, to);

        group = graph->group[(from == 0 ? to : from) - 1];
        offset = flow->offset;
        *flow = (struct flow){flow->bytes - choice->size, offset + choice->size};
    }
    put(graph, choice->index, group, offset, plan);
    if (choice->other != SIZE_MAX)
        put(graph, choice->other, group, offset, plan);
    join(graph, choice, from, to, offset);
}

static void step(struct graph *graph, struct choice *list, struct plan *plan)
{
    size_t count = add_alone(graph, list), taken = 0;
    bool found = false;
    struct edge edge;

    if (graph->tuples)
        count = add_pairs(graph, list, count);
    qsort(list, count, sizeof *list, by_size_and_interferences);
    for (size_t i = 0; i < count && !found; i++) {
        if (!graph->tuples && graph->marked[list[i].index])
            continue;
        found = find(graph, &list[i], &edge);
        if (found)
            taken = i;
        else
            graph->marked[list[i].index] = true;
    }
    insert(graph, &list[taken], found ? &edge : NULL, plan);
}

static void solve(const struct instance *instance, bool tuples, struct plan *plan)
{
    size_t n = instance->n;
    int64_t begin = INT64_MAX, end = INT64_MIN, base = 0;
    struct choice *list = memory_alloc(n * (n + 1), sizeof *list);
    struct graph graph = {.instance = instance, .tuples = tuples, .left = n};

    graph.flow = memory_zalloc((n + 2) * (n + 2), sizeof *graph.flow);
    graph.size = memory_alloc(n, sizeof *graph.size);
    graph.group_size = memory_alloc(n, sizeof *graph.group_size);
    graph.group = memory_zalloc(n, sizeof *graph.group);
    graph.marked = memory_zalloc(n, sizeof *graph.marked);
    for (size_t b = 0; b < n; b++) {
        graph.size[b] = align_up(instance->buffer[b].size, instance->max_alignment);
        begin = min64(begin, instance->buffer[b].begin);
        end = max64(end, instance->buffer[b].end);
    }
    graph.far = n > 0 ? end - begin : 1;
    while (graph.left > 0)
        step(&graph, list, plan);
    for (size_t g = 1; g <= graph.groups; g++) {
        for (size_t b = 0; b < n; b++)
            plan->offset[b] += graph.group[b] == g ? base : 0;
        base += graph.group_size[g - 1];
    }
    plan->peak = plan_peak(instance, plan);
    free(list);
    free(graph.flow);
    free(graph.size);
    free(graph.group_size);
    free(graph.group);
    free(graph.marked);
}

void plain_nnc_size(const struct instance *instance, struct plan *plan)
{
    solve(instance, false, plan);
}

void plain_nnc_tuples(const struct instance *instance, struct plan *plan)
{
    solve(instance, true, plan);
}
