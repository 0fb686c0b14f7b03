/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/dives/pair_turns.h"

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"
#include "lib/place/dsa_pieces.h"
#include "lib/place/sections.h"
#include "lib/problem/instance.h"

/* Making the pairs of a section takes as long as so much work for each two of its parts.  */
#define WORK_A_SQUARE 2

/* Pairs of parts in sections: tens of MiB.  */
#define MOST_SQUARES ((double)(2 << 20))

/* The disjunctive search is begun with once the dives have done so many times as much as that
 * costs.  */
enum { DIVES_FIRST = 4 };

/* Conflicts below the best peak before it is asked for less.  */
enum { TRIES = 50 };

/* The squares of how many pieces there are in each section, together.  */
static double squares(const struct instance *instance, int64_t unit)
{
    struct dsa_piece *piece;
    size_t pieces = dsa_pieces_find(instance, unit, &piece);
    struct sections_span *span = memory_alloc(pieces, sizeof *span);
    size_t sections, *count;
    double sum = 0.0, alive = 0.0;

    for (size_t i = 0; i < pieces; i++)
        span[i] = (struct sections_span){.begin = piece[i].begin, .end = piece[i].end};
    sections = sections_find(span, pieces);
    count = memory_zalloc(2 * (sections + 1), sizeof *count); /* that begin, that end before */
    for (size_t i = 0; i < pieces; i++) {
        count[2 * span[i].first]++;
        count[2 * span[i].last + 3]++;
    }
    for (size_t s = 0; s < sections; s++) {
        alive += (double)count[2 * s] - (double)count[2 * s + 1];
        sum += alive * alive;
    }
    memory_free(count);
    memory_free(span);
    memory_free(piece);
    return sum;
}

void pair_turns_measure(struct pair_turns *turns, const struct instance *instance, int64_t unit,
                        double work_a_neighbour)
{
    int64_t overlaps = instance_overlapping_pairs(instance);
    double neighbours = 2.0 * (double)overlaps / (double)instance->n;

    *turns = (struct pair_turns){
        .instance = instance,
        .unit = unit,
        .overlaps = overlaps,
        .asked = -1,
        .cost = INT64_MAX,
        .work_a_node = work_a_neighbour * (1.0 + neighbours),
        .begun = timer_now(),
    };
}

void pair_turns_init(struct pair_turns *turns, const struct instance *instance, int64_t unit,
                     double work_a_neighbour)
{
    double sum = squares(instance, unit);

    pair_turns_measure(turns, instance, unit, work_a_neighbour);
    if (sum <= MOST_SQUARES)
        turns->cost = (int64_t)(WORK_A_SQUARE * sum / turns->work_a_node) + 1;
}

bool pair_turns_begin(struct pair_turns *turns, int64_t spent, int64_t left, double deadline,
                      int64_t gain)
{
    double now = timer_now();

    if (turns->problem != NULL)
        return true;
    if (spent / DIVES_FIRST < turns->cost || left < turns->cost ||
        deadline - now < now - turns->begun)
        return false;
    turns->problem = pairs_problem_new_until(turns->instance, turns->unit, deadline);
    if (turns->problem == NULL)
        return false;
    turns->nodes = turns->cost;
    turns->gain = gain;
    pairs_search_init(&turns->least, turns->problem);
    pairs_search_init(&turns->below, turns->problem);
    pairs_rules_set_light(&turns->least.rules, true);
    pairs_rules_set_light(&turns->below.rules, true);
    return true;
}

void pair_turns_clear(struct pair_turns *turns)
{
    if (turns->problem == NULL)
        return;
    pairs_search_clear(&turns->least);
    pairs_search_clear(&turns->below);
    pairs_problem_free(turns->problem);
}

static enum pairs_result run(struct pair_turns *turns, struct pairs_search *search,
                             int64_t capacity, int64_t nodes, double deadline)
{
    int64_t before = search->rules.work;
    double work = (double)nodes * turns->work_a_node;
    enum pairs_result result;

    search->rules.work_end = work < (double)(INT64_MAX / 2) ? before + (int64_t)work : INT64_MAX;
    result = pairs_search_run(search, capacity, INT64_MAX / 2, deadline);
    work = (double)(search->rules.work - before) / turns->work_a_node;
    turns->nodes += min64(nodes, (int64_t)work + 1);
    turns->start = search->start;
    return result;
}

bool pair_turns_ask(struct pair_turns *turns, int64_t capacity, int64_t nodes, double deadline)
{
    return capacity > turns->least.refuted &&
           run(turns, &turns->least, capacity, nodes, deadline) == PAIRS_PACKED;
}

bool pair_turns_ask_below(struct pair_turns *turns, int64_t capacity, int64_t upper, int64_t nodes,
                          double deadline)
{
    int64_t low = max64(capacity, turns->below.refuted) + 1, high = upper - 1;
    enum pairs_result result;

    if (low > high)
        return false;
    if (turns->asked < low || turns->asked > high) {
        turns->gain = min64(turns->gain, (high - low) / 2);
        turns->asked = high - turns->gain;
        turns->conflicts = turns->below.conflicts;
    }
    result = run(turns, &turns->below, turns->asked, nodes, deadline);
    if (result == PAIRS_PACKED) {
        turns->gain = clipped_add(turns->gain, max64(1, turns->gain));
    } else if (turns->below.conflicts - turns->conflicts >= TRIES || result == PAIRS_REFUTED) {
        turns->gain /= 2;
        turns->asked = -1;
    }
    return result == PAIRS_PACKED;
}

void pair_turns_count(const struct pair_turns *turns, struct search_statistics *sum)
{
    if (turns->problem == NULL)
        return;
    pairs_search_count(&turns->least, sum);
    pairs_search_count(&turns->below, sum);
}
