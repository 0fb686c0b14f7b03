/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "hazards/search.h"

#include <math.h>
#include <string.h>

#include "hazards/spots.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/small_rng.h"
#include "lib/base/timer.h"
#include "lib/problem/instance.h"

struct search {
    const struct hazard_part *part;
    struct spots spots;
    struct small_rng rng;
    int64_t *offset, cost; /* where it is */
    int64_t *best, least;
    size_t *out, outs; /* nodes that were taken out */
    int64_t *old;      /* offsets of out[] before */
    double unit, heat;
    int64_t work;
};

/* A worse plan by one pair is taken by exp(-1 / heat).  */
#define HOT 1.0
#define COLD 0.05

/* At most so many nodes are taken out at once.  */
#define MOST_OUT 8

static size_t draw(struct search *search, size_t count)
{
    return (size_t)(small_rng_unit(&search->rng) * (double)count);
}

static bool overlap(const struct search *search, size_t node, const struct hazard_arc *arc)
{
    const int64_t own = search->offset[node], its = search->offset[arc->other];

    return its != NOWHERE && own < its + arc->its && its < own + arc->own;
}

/* What NODE pays where it is.  */
static int64_t pays(const struct search *search, size_t node)
{
    const struct hazard_node *own = &search->part->node[node];
    int64_t cost = 0;

    for (size_t i = 0; i < own->arcs; i++) {
        const struct hazard_arc *arc = &search->part->arc[own->first_arc + i];

        if (arc->cost != HAZARD_HARD && overlap(search, node, arc))
            cost += arc->cost;
    }
    return cost;
}

static void take_out(struct search *search, size_t node)
{
    if (search->offset[node] == NOWHERE || search->part->node[node].fixed >= 0)
        return;
    search->cost -= pays(search, node);
    search->old[search->outs] = search->offset[node];
    search->out[search->outs++] = node;
    search->offset[node] = NOWHERE;
}

/* A pair that pays: one of its two.  */
static size_t draw_payer(struct search *search)
{
    const struct hazard_part *part = search->part;

    for (int tries = 0; tries < 200; tries++) {
        const size_t i = draw(search, part->n_costs);

        if (hazard_part_pays(part, i, search->offset))
            return part->node_of[small_rng_bit(&search->rng) ? part->cost[i].a : part->cost[i].b];
    }
    return draw(search, part->nodes);
}

/* Takes out a payer and some nodes that can be in its way, near or far.  */
static void ruin(struct search *search)
{
    const struct hazard_part *part = search->part;
    const size_t wanted = 1 + draw(search, MOST_OUT);
    size_t node = draw_payer(search);

    search->outs = 0;
    search->work++;
    for (size_t tries = 0; search->outs < wanted && tries < 10 * wanted; tries++) {
        const struct hazard_node *own = &part->node[node];

        take_out(search, node);
        if (own->arcs > 0 && draw(search, 4) > 0)
            node = part->arc[own->first_arc + draw(search, own->arcs)].other;
        else if (search->outs > 0)
            node = search->out[draw(search, search->outs)];
    }
}

static void swap_out(struct search *search, size_t i, size_t k)
{
    const size_t node = search->out[i];
    const int64_t old = search->old[i];

    search->out[i] = search->out[k];
    search->old[i] = search->old[k];
    search->out[k] = node;
    search->old[k] = old;
}

/* In a random order, or the largest first.  */
static void arrange(struct search *search)
{
    const struct hazard_node *node = search->part->node;
    const bool by_size = small_rng_bit(&search->rng);

    for (size_t i = search->outs; i > 1; i--)
        swap_out(search, draw(search, i), i - 1);
    for (size_t i = 1; by_size && i < search->outs; i++)
        for (size_t k = i; k > 0 && node[search->out[k - 1]].size < node[search->out[k]].size; k--)
            swap_out(search, k, k - 1);
}

/* Puts NODE where it pays least; of such spots any.  */
static bool put_back(struct search *search, size_t node)
{
    struct spots *spots = &search->spots;
    size_t best = SIZE_MAX, ties = 0;

    spots_find(spots, node, SPOTS_ALL, search->offset);
    search->work++;
    for (size_t i = 0; i < spots->count; i++) {
        if (best == SIZE_MAX || spots->spot[i].cost < spots->spot[best].cost) {
            best = i;
            ties = 1;
        } else if (spots->spot[i].cost == spots->spot[best].cost && draw(search, ++ties) == 0) {
            best = i;
        }
    }
    if (best == SIZE_MAX)
        return false;
    search->offset[node] = spots->spot[best].offset;
    search->cost += spots->spot[best].cost;
    return true;
}

static void turn(struct search *search)
{
    const int64_t before = search->cost;
    bool good = true;
    size_t back = 0;

    ruin(search);
    arrange(search);
    while (back < search->outs && good)
        good = put_back(search, search->out[back++]);
    if (good && (search->cost <= before || small_rng_unit(&search->rng) <
                                               exp((double)(before - search->cost) / search->heat)))
        return;
    for (size_t i = 0; i < search->outs; i++)
        search->offset[search->out[i]] = search->old[i];
    search->cost = before;
}

/* Cools down while time, or work where that is what ends it, goes by.  */
static double heat_at(const struct search *search, const struct hazard_limits *limits, double began)
{
    const double by_work = (double)search->work / (double)limits->work;
    const double by_time = (timer_now() - began) / (limits->deadline - began);
    const double gone = fmax(by_work, isfinite(by_time) ? by_time : 0.0);

    return HOT * pow(COLD / HOT, fmin(gone, 1.0));
}

static void search_on(struct search *search, const struct hazard_limits *limits, int64_t bound)
{
    const size_t bytes = search->part->nodes * sizeof *search->offset;
    const double began = timer_now();

    memcpy(search->best, search->offset, bytes);
    while (search->least > bound && search->work < limits->work && timer_now() < limits->deadline) {
        search->heat = heat_at(search, limits, began) * search->unit;
        turn(search);
        if (search->cost >= search->least)
            continue;
        search->least = search->cost;
        memcpy(search->best, search->offset, bytes);
    }
    memcpy(search->offset, search->best, bytes);
}

/* The mean cost of a pair: what heat counts in.  */
static double unit_of(const struct hazard_part *part)
{
    double sum = 0.0;

    for (size_t i = 0; i < part->n_costs; i++)
        sum += (double)part->cost[i].cost;
    return sum / (double)part->n_costs;
}

void hazard_search(const struct hazard_part *part, const struct hazard_limits *limits,
                   int64_t bound, int64_t *offset, int64_t *cost)
{
    struct search search = {.part = part, .offset = offset};

    *cost = hazard_part_cost(part, offset);
    if (part->n_costs == 0 || *cost <= bound)
        return;
    search.cost = search.least = *cost;
    search.unit = unit_of(part);
    search.best = memory_alloc(part->nodes, sizeof *search.best);
    search.old = memory_alloc(part->nodes, sizeof *search.old);
    search.out = memory_alloc(part->nodes, sizeof *search.out);
    small_rng_seed(&search.rng, limits->seed);
    spots_init(&search.spots, part);
    search_on(&search, limits, bound);
    *cost = search.least;
    spots_clear(&search.spots);
    memory_free(search.best);
    memory_free(search.old);
    memory_free(search.out);
}
