/* SPDX-License-Identifier: Apache-2.0 */
/* Dives for buffers of several pieces, and around fixed offsets, as a way of section_plan.h: all of
 * them are staged (shape_dives.h).  */
#include <config.h>

#include "lib/base/memory.h"
#include "lib/base/order.h"
#include "lib/place/shape_fit.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "lib/problem/solver_env.h"
#include "planner/dives/dive_settings.h"
#include "planner/dives/plan_ways.h"
#include "planner/dives/shape_sections.h"

/* shape_place looks at all pairs of buffers: up to so many of these.  */
enum { MOST_PLACED = 5000 };
/* Of ten dives the last so many follow the best plan.  */
enum { GUIDED_OF_TEN = 3 };
/* In how many of the tightest sections candidates are counted, from dive to dive.  */
static const size_t looks[] = {4, 16};
enum { KINDS = sizeof looks / sizeof *looks };

void pieces_take_greedy(struct planner *planner)
{
    if (planner->best.instance->n <= MOST_PLACED &&
        shape_place_best_until(planner->best.instance, planner->limits->deadline,
                               planner->best.trial))
        incumbent_take(&planner->best);
}

/* Places all again, each where it fits, in the order of the trial's offsets.  */
static void drop_all(struct planner *planner)
{
    const struct instance *instance = planner->best.instance;
    struct plan *trial = planner->best.trial;
    struct order_key *key;

    if (instance->n > MOST_PLACED)
        return;
    key = memory_alloc(instance->n, sizeof *key);
    for (size_t b = 0; b < instance->n; b++)
        key[b] = (struct order_key){key_ascending(trial->offset[b]), 0, b};
    order_sort(key, instance->n);
    if (shape_place_until(instance, key, planner->limits->deadline, trial))
        incumbent_take(&planner->best);
    memory_free(key);
}

void pieces_take_packing(struct planner *planner, const int64_t *start)
{
    incumbent_take_packing(&planner->best, start);
    drop_all(planner);
}

void pieces_turn(struct planner *planner)
{
    struct pieces *pieces = &planner->pieces;
    uint64_t round = pieces->staged++;
    struct shape_dive kind = {looks[round % KINDS], DIVE_STAGE_FAILURES, NULL};
    int64_t high = planner_upper(planner), low = planner->load;

    if (round % 10 >= 10 - GUIDED_OF_TEN) {
        for (size_t b = 0; b < planner->best.instance->n; b++)
            pieces->guide[b] = planner->best.plan->offset[b] / planner->best.unit;
        kind.guide = pieces->guide;
    }
    pieces->dives.node_end = pieces->dives.nodes + planner_left(planner);
    if (shape_dives_stage(&pieces->dives, round % 2 == 0 ? low : low + (high - low) / 2, high,
                          kind))
        pieces_take_packing(planner, pieces->dives.start);
}

void pieces_begin(struct planner *planner)
{
    const struct instance *instance = planner->best.instance;
    struct pieces *pieces = &planner->pieces;

    pieces->shapes = shape_sections_new(instance, planner->best.unit, DIVE_MOST_INCIDENCES);
    if (pieces->shapes == NULL)
        return;
    pieces->guide = memory_alloc(instance->n, sizeof *pieces->guide);
    shape_dives_init(&pieces->dives, pieces->shapes, planner->best.env->seed);
    pieces->dives.deadline = planner->limits->deadline;
}

void pieces_end(struct planner *planner)
{
    struct pieces *pieces = &planner->pieces;

    if (pieces->shapes == NULL)
        return;
    shape_dives_count(&pieces->dives, planner->best.env->statistics);
    shape_dives_clear(&pieces->dives);
    shape_sections_free(pieces->shapes);
    memory_free(pieces->guide);
}
