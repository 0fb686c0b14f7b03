/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "solvers/shipped/nnc_flow.h"

#include <stdlib.h>

#include "lib/problem/instance.h"
#include "solvers/fit/hops.h"

static int compare_neighbours(const void *a, const void *b)
{
    const struct nnc_neighbour *x = a, *y = b;

    if (x->distance != y->distance)
        return x->distance < y->distance ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

/* The inserted tensors of SIZE or more that are dead before tensor A is born
 * (BEFORE) or born after it is dead, nearest first.  */
static size_t find_neighbours(const struct nnc *nnc, size_t a, int64_t size, bool before,
                              struct nnc_neighbour *neighbour)
{
    size_t count = 0;

    for (size_t i = 0; i < nnc->instance->n; i++) {
        int64_t distance;

        if (nnc->node[i].group == NNC_NOBODY || nnc->node[i].size < size)
            continue;
        distance = before ? hops_after(nnc->hops, a, i) : hops_after(nnc->hops, i, a);
        if (distance > 0)
            neighbour[count++] = (struct nnc_neighbour){i, (uint64_t)distance};
    }
    qsort(neighbour, count, sizeof *neighbour, compare_neighbours);
    return count;
}

static void offer(struct nnc_place *place, size_t from, size_t to, uint64_t distance,
                  struct nnc_flow flow)
{
    if (distance < place->distance)
        *place = (struct nnc_place){from, to, distance, flow};
}

/* Edges from one of BEFORE to one of AFTER; from a node in BEFORE the first that
 * is wide enough is the nearest.  */
static void find_between(struct nnc *nnc, size_t befores, size_t afters, int64_t size,
                         struct nnc_place *place)
{
    for (size_t y = 0; y < befores && afters > 0; y++) {
        const struct nnc_node *node = &nnc->node[nnc->before[y].node];

        if (nnc->before[y].distance + nnc->after[0].distance >= place->distance)
            break;
        for (size_t e = 0; e < node->outs; e++)
            nnc->reach[node->out[e].to] = node->out[e].flow;
        for (size_t x = 0; x < afters; x++)
            if (nnc->reach[nnc->after[x].node].bytes >= size) {
                offer(place, nnc->before[y].node, nnc->after[x].node,
                      nnc->before[y].distance + nnc->after[x].distance,
                      nnc->reach[nnc->after[x].node]);
                break;
            }
        for (size_t e = 0; e < node->outs; e++)
            nnc->reach[node->out[e].to] = (struct nnc_flow){0, 0};
    }
}

struct nnc_place nnc_find_place(struct nnc *nnc, const struct nnc_candidate *candidate)
{
    struct nnc_place place = {NNC_NOBODY, NNC_NOBODY, UINT64_MAX, {0, 0}};
    int64_t size = candidate->size;
    size_t befores = find_neighbours(nnc, candidate->first, size, true, nnc->before);
    size_t afters = find_neighbours(nnc, candidate->last, size, false, nnc->after);

    for (size_t y = 0; y < befores; y++)
        if (nnc->node[nnc->before[y].node].to_sink.bytes >= size) {
            offer(&place, nnc->before[y].node, NNC_SINK, nnc->far + nnc->before[y].distance,
                  nnc->node[nnc->before[y].node].to_sink);
            break;
        }
    for (size_t x = 0; x < afters; x++)
        if (nnc->node[nnc->after[x].node].from_source.bytes >= size) {
            offer(&place, NNC_SOURCE, nnc->after[x].node, nnc->far + nnc->after[x].distance,
                  nnc->node[nnc->after[x].node].from_source);
            break;
        }
    find_between(nnc, befores, afters, size, &place);
    return place;
}

/* An edge that is wide enough, and that CANDIDATE can lie on.  */
static void offer_edge(const struct nnc *nnc, const struct nnc_candidate *candidate,
                       struct nnc_place *place, size_t from, size_t to, struct nnc_flow flow)
{
    int64_t before =
        from == NNC_SOURCE ? (int64_t)nnc->far : hops_after(nnc->hops, candidate->first, from);
    int64_t after = to == NNC_SINK ? (int64_t)nnc->far : hops_after(nnc->hops, to, candidate->last);
    uint64_t distance = (uint64_t)before + (uint64_t)after;

    if (flow.bytes < candidate->size || before <= 0 || after <= 0)
        return;
    if (distance == place->distance && from == place->from && to < place->to)
        *place = (struct nnc_place){from, to, distance, flow};
    else
        offer(place, from, to, distance, flow);
}

struct nnc_place nnc_find_first_place(const struct nnc *nnc, const struct nnc_candidate *candidate)
{
    struct nnc_place place = {NNC_NOBODY, NNC_NOBODY, UINT64_MAX, {0, 0}};

    for (size_t i = 0; i < nnc->instance->n; i++)
        if (nnc->node[i].group != NNC_NOBODY)
            offer_edge(nnc, candidate, &place, NNC_SOURCE, i, nnc->node[i].from_source);
    for (size_t i = 0; i < nnc->instance->n; i++) {
        if (nnc->node[i].group == NNC_NOBODY)
            continue;
        for (size_t e = 0; e < nnc->node[i].outs; e++)
            offer_edge(nnc, candidate, &place, i, nnc->node[i].out[e].to, nnc->node[i].out[e].flow);
        offer_edge(nnc, candidate, &place, i, NNC_SINK, nnc->node[i].to_sink);
    }
    return place;
}
