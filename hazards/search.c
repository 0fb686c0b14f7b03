/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "hazards/search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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
    double heat;
    int64_t work;
};

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
        const struct reuse_cost *cost = &part->cost[draw(search, part->n_costs)];
        const size_t a = part->node_of[cost->a], b = part->node_of[cost->b];

        if (search->offset[a] < search->offset[b] + part->plain->buffer[cost->b].size &&
            search->offset[b] < search->offset[a] + part->plain->buffer[cost->a].size)
            return small_rng_bit(&search->rng) ? a : b;
    }
    return draw(search, part->nodes);
}

static void ruin(struct search *search)
{
    const struct hazard_part *part = search->part;
    const size_t wanted = 1 + draw(search, 8);
    size_t node = draw_payer(search);

    search->outs = 0;
    for (size_t tries = 0; search->outs < wanted && tries < 10 * wanted; tries++) {
        const struct hazard_node *own = &part->node[node];
        size_t next;

        take_out(search, node);
        if (own->arcs == 0 || draw(search, 4) == 0) {
            node = search->outs > 0 ? search->out[draw(search, search->outs)] : node;
            continue;
        }
        next = part->arc[own->first_arc + draw(search, own->arcs)].other;
        node = next;
    }
}

/* Back in a random order, or the largest first.  */
static void arrange(struct search *search)
{
    const bool by_size = draw(search, 2) == 0;

    for (size_t i = search->outs; i > 1; i--) {
        size_t k = draw(search, i);
        size_t node = search->out[k];
        int64_t old = search->old[k];

        search->out[k] = search->out[i - 1];
        search->old[k] = search->old[i - 1];
        search->out[i - 1] = node;
        search->old[i - 1] = old;
    }
    for (size_t i = 1; by_size && i < search->outs; i++)
        for (size_t k = i; k > 0 && search->part->node[search->out[k - 1]].size <
                                        search->part->node[search->out[k]].size;
             k--) {
            size_t node = search->out[k];
            int64_t old = search->old[k];

            search->out[k] = search->out[k - 1];
            search->old[k] = search->old[k - 1];
            search->out[k - 1] = node;
            search->old[k - 1] = old;
        }
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

void hazard_search(const struct hazard_part *part, const struct hazard_limits *limits,
                   int64_t bound, int64_t *offset, int64_t *cost)
{
    struct search search = {.part = part, .offset = offset};
    const double began = timer_now();

    *cost = hazard_part_cost(part, offset);
    if (part->n_costs == 0 || *cost <= bound)
        return;
    small_rng_seed(&search.rng, limits->seed);
    spots_init(&search.spots, part);
    search.best = memory_alloc(part->nodes, sizeof *search.best);
    search.old = memory_alloc(part->nodes, sizeof *search.old);
    search.out = memory_alloc(part->nodes, sizeof *search.out);
    memcpy(search.best, offset, part->nodes * sizeof *offset);
    search.cost = search.least = *cost;
    search.heat = 1.0;
    const char *h = getenv("HEAT0"), *h1 = getenv("HEAT1");
    double t0 = h ? atof(h) : 1.0, t1 = h1 ? atof(h1) : 0.05;
    for (int64_t turns = 0;; turns++) {
        double now = timer_now();
        if (search.work >= limits->work || now > limits->deadline || search.least <= bound)
            break;
        double f = (now - began) / (limits->deadline - began);
        search.heat = t0 * pow(t1 / t0, f);
        turn(&search);
        if (search.cost < search.least) {
            search.least = search.cost;
            memcpy(search.best, search.offset, part->nodes * sizeof *offset);
        }
        if (getenv("TRACE") && turns % 20000 == 0)
            fprintf(stderr, "%.1f turns %ld work %ld cost %ld least %ld\n", now - began,
                    (long)turns, (long)search.work, (long)search.cost, (long)search.least);
    }
    memcpy(offset, search.best, part->nodes * sizeof *offset);
    *cost = search.least;
    spots_clear(&search.spots);
    memory_free(search.best);
    memory_free(search.old);
    memory_free(search.out);
}
