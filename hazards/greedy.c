/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "hazards/greedy.h"

#include "hazards/spots.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/order.h"

static struct order_key *order_of(const struct hazard_part *part)
{
    struct order_key *key = memory_alloc(part->nodes, sizeof *key);

    for (size_t a = 0; a < part->nodes; a++) {
        const struct hazard_node *node = &part->node[a];

        key[a] = (struct order_key){node->fixed >= 0 ? 0 : key_descending(node->size),
                                    key_ascending(node->begin), a};
    }
    order_sort(key, part->nodes);
    return key;
}

static void clear_plan(const struct hazard_part *part, int64_t *offset)
{
    for (size_t a = 0; a < part->nodes; a++)
        offset[a] = part->node[a].fixed >= 0 ? part->node[a].fixed : NOWHERE;
}

/* --- first fit --- */

static bool in_the_way(const struct hazard_arc *arc, const bool *hard, int64_t start, int64_t its)
{
    return its != NOWHERE && (arc->cost == HAZARD_HARD || (hard != NULL && hard[arc->pair])) &&
           start < its + arc->its && its < start + arc->own;
}

/* Rises past what is in the way until nothing is.  */
static int64_t lowest(const struct hazard_part *part, const bool *hard, size_t a,
                      const int64_t *offset)
{
    const struct hazard_node *node = &part->node[a];
    const struct hazard_arc *arc = &part->arc[node->first_arc];
    int64_t start = 0;

    for (size_t i = 0, free = 0; free < node->arcs; i = (i + 1) % node->arcs, free++)
        if (in_the_way(&arc[i], hard, start, offset[arc[i].other])) {
            start = align_up(offset[arc[i].other] + arc[i].its, node->alignment);
            free = (size_t)-1;
        }
    return start;
}

void hazard_first_fit(const struct hazard_part *part, const bool *hard, int64_t *offset)
{
    struct order_key *key = order_of(part);

    clear_plan(part, offset);
    for (size_t i = 0; i < part->nodes; i++)
        if (offset[key[i].index] == NOWHERE)
            offset[key[i].index] = lowest(part, hard, key[i].index, offset);
    memory_free(key);
}

/* --- canonical greedy --- */

bool hazard_canonical_greedy(const struct hazard_part *part, int64_t *offset)
{
    struct order_key *key = order_of(part);
    struct spots spots;
    bool good = true;

    spots_init(&spots, part);
    clear_plan(part, offset);
    for (size_t i = 0; i < part->nodes && good; i++) {
        const size_t a = key[i].index;
        size_t best = 0;

        if (offset[a] != NOWHERE)
            continue;
        spots_find(&spots, a, SPOTS_ON_TOP, offset);
        good = spots.count > 0;
        for (size_t k = 1; k < spots.count; k++)
            if (spots.spot[k].cost < spots.spot[best].cost)
                best = k;
        if (good)
            offset[a] = spots.spot[best].offset;
    }
    spots_clear(&spots);
    memory_free(key);
    return good;
}

/* --- promote and repair --- */

/* The node that ends highest above the capacity, the first of equal ones; SIZE_MAX: none.  */
static size_t highest(const struct hazard_part *part, const int64_t *offset)
{
    int64_t top = part->capacity;
    size_t found = SIZE_MAX;

    for (size_t a = 0; a < part->nodes; a++)
        if (offset[a] + part->node[a].size > top) {
            top = offset[a] + part->node[a].size;
            found = a;
        }
    return found;
}

/* The first node that A stands on, by an arc that counts; NULL: none.  */
static const struct hazard_arc *support(const struct hazard_part *part, const bool *hard, size_t a,
                                        const int64_t *offset)
{
    const struct hazard_node *node = &part->node[a];

    for (size_t i = 0; i < node->arcs; i++) {
        const struct hazard_arc *arc = &part->arc[node->first_arc + i];

        if ((arc->cost == HAZARD_HARD || hard[arc->pair]) &&
            offset[arc->other] + arc->its == offset[a])
            return arc;
    }
    return NULL;
}

/* The cheapest pair that is hard in what holds up node A; SIZE_MAX: none.  */
static size_t cheapest(const struct hazard_part *part, const bool *hard, size_t a,
                       const int64_t *offset)
{
    size_t found = SIZE_MAX;

    while (offset[a] > 0) {
        const struct hazard_arc *arc = support(part, hard, a, offset);

        if (arc == NULL)
            break;
        if (arc->pair != SIZE_MAX && (found == SIZE_MAX || arc->cost < part->cost[found].cost ||
                                      (arc->cost == part->cost[found].cost && arc->pair < found)))
            found = arc->pair;
        a = arc->other;
    }
    return found;
}

bool hazard_promote_repair(const struct hazard_part *part, int64_t *offset)
{
    bool *hard = memory_alloc(part->n_costs, sizeof *hard);
    size_t over, pair = 0;

    for (size_t i = 0; i < part->n_costs; i++)
        hard[i] = true;
    while (hazard_first_fit(part, hard, offset),
           (over = highest(part, offset)) != SIZE_MAX && pair != SIZE_MAX) {
        pair = cheapest(part, hard, over, offset);
        if (pair != SIZE_MAX)
            hard[pair] = false;
    }
    memory_free(hard);
    return over == SIZE_MAX || hazard_canonical_greedy(part, offset);
}
