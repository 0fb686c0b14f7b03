/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/sections/section_search.h"

#include "lib/base/checked.h"
#include "lib/base/luby.h"
#include "lib/base/memory.h"
#include "lib/base/small_rng.h"
#include "lib/base/timer.h"
#include "lib/problem/search_statistics.h"
#include "planner/sections/section_rules.h"

/* Failures before the first restart, times Luby's sequence.  */
#define RESTART_UNIT 30
/* By how much weights differ at first: what a seed changes.  */
#define START_NOISE 0.01
/* How much more each failure counts than the one before: with less, single instances take many
 * times as long.  */
#define FAILURE_GROWTH 1.3
/* Placements between two looks at the clock.  */
#define CLOCK_NODES 8

void section_search_init(struct section_search *search, const struct section_classes *problem,
                         const struct section_options *options, uint32_t seed)
{
    struct small_rng rng;

    *search = (struct section_search){
        .options = *options,
        .node = memory_alloc(problem->n + 1, sizeof *search->node),
        .stopped_at = -1,
    };
    section_state_init(&search->state, problem);
    search->state.no_not_first = !options->not_first;
    search->state.subsets = options->subsets;
    if (options->learning) {
        search->learning = memory_zalloc(1, sizeof *search->learning);
        section_explainer_init(&search->learning->explainer, &search->state);
        section_nogoods_init(&search->learning->nogoods, options->nogoods);
    }
    small_rng_seed(&rng, seed);
    for (size_t s = 0; s < problem->sections; s++)
        search->state.section[s].weight *= 1.0 + START_NOISE * small_rng_unit(&rng);
}

void section_search_clear(struct section_search *search)
{
    if (search->learning != NULL) {
        section_explainer_clear(&search->learning->explainer);
        section_nogoods_clear(&search->learning->nogoods);
        memory_free(search->learning->nogood.literal);
        memory_free(search->learning);
    }
    section_state_clear(&search->state);
    memory_free(search->node);
}

void section_search_count(const struct section_search *search, struct search_statistics *sum)
{
    search_statistics_add(sum, STATISTIC_PLACEMENTS, search->nodes);
    search_statistics_add(sum, STATISTIC_CONFLICTS, search->counted.conflicts);
    search_statistics_add(sum, STATISTIC_RESTARTS, search->counted.restarts);
    search_statistics_add(sum, STATISTIC_NOGOODS, search->counted.nogoods);
    search_statistics_add(sum, STATISTIC_NOGOOD_HITS, search->counted.nogood_hits);
}

/* Of the members of section S that start below LIMIT, the one with the least start; ties by
 * rank.  */
static size_t choose_member(const struct section_search *search, size_t s, int64_t limit)
{
    const struct section_state *state = &search->state;
    const uint32_t *list = state->member + state->problem->start[s];
    const uint32_t *rank = state->problem->rank[RANK_LENGTH];
    const int64_t *start = state->start;
    size_t best = SIZE_MAX;

    for (size_t i = 0; i < state->section[s].count; i++) {
        size_t b = list[i];

        if (start[b] < limit && (best == SIZE_MAX || start[b] < start[best] ||
                                 (start[b] == start[best] && rank[b] < rank[best])))
            best = b;
    }
    return best;
}

static struct section_sight see(const void *context, size_t s)
{
    const struct section *section = &((const struct section_search *)context)->state.section[s];

    if (section->count == 0)
        return (struct section_sight){INT64_MAX, INT64_MAX, section->crossing == 0};
    return (struct section_sight){section->least_start, section->end_1, section->crossing == 0};
}

static double score_of(const void *context, size_t s)
{
    const struct section *section = &((const struct section_search *)context)->state.section[s];

    return ((double)section->candidates - SECTION_CANDIDATE_OFFSET) / section->weight;
}

static void choose(struct section_search *search, size_t depth)
{
    struct search_node *node = &search->node[depth];
    struct section_choice choice =
        section_choose(search, see, score_of, search->options.parts,
                       search->state.problem->sections, search->node, depth);

    node->mark = section_state_mark(&search->state);
    node->reasons = search->learning != NULL ? search->learning->explainer.reasons : 0;
    node->child = choose_member(search, choice.section, choice.limit);
}

/* What is left to spend.  */
struct limits {
    int64_t nodes, failures;
    double deadline;
};

static bool spent(const struct section_search *search, const struct limits *limits)
{
    return search->broken_off || search->nodes >= limits->nodes ||
           (search->nodes % CLOCK_NODES == 0 && timer_now() >= limits->deadline);
}

/* After the child of the node at DEPTH was refuted: postpones it.  False when that
 * refutes the node too.  */
static bool postpone(struct section_search *search, size_t depth)
{
    struct section_state *state = &search->state;
    size_t c = search->node[depth].child;
    int64_t least_start, least_end;

    section_state_undo(state, search->node[depth].mark);
    section_state_grow(state, FAILURE_GROWTH);
    section_state_neighbours(state, c, &least_start, &least_end);
    if (least_start >= section_state_end(state, c))
        return false;
    section_state_postpone(state, c, least_end, 0);
    return section_rules_apply(state);
}

/* Notes that the node at *DEPTH is refuted, and with it as many above it as follow.
 * False when the root is.  */
static bool backtrack(struct section_search *search, size_t *depth)
{
    for (;;) {
        if (postpone(search, *depth))
            return true;
        search->counted.conflicts++;
        if (*depth == 0)
            return false;
        (*depth)--;
    }
}

/* --- learning --- */

/* The nogood of the state, which failed.  */
static void learn_conflict(struct section_learning *learning)
{
    section_explain_conflict(&learning->explainer);
    section_explain_finish(&learning->explainer, &learning->nogood);
}

/* Whether a nogood of the database refutes the state; if so, it becomes the state's.  */
static bool recall(struct section_search *search)
{
    struct section_learning *learning = search->learning;
    const struct section_nogood *known = section_nogoods_find(&learning->nogoods, &search->state);

    if (known == NULL)
        return false;
    search->counted.nogood_hits++;
    for (size_t i = 0; i < known->n; i++)
        section_explain_literal(&learning->explainer, known->literal[i].buffer,
                                known->literal[i].least);
    section_explain_finish(&learning->explainer, &learning->nogood);
    return true;
}

/* The child of the node at DEPTH was refuted by the nogood: it refutes the node too, or
 * the child is postponed.  False when the node is refuted, by what is the nogood then.  */
static bool learn_or_postpone(struct section_search *search, size_t depth)
{
    struct section_learning *learning = search->learning;
    struct section_state *state = &search->state;
    const struct section_nogood *nogood = &learning->nogood;
    size_t c = search->node[depth].child, reason;
    int64_t least_start, least_end;
    bool needed = false;

    section_state_undo(state, search->node[depth].mark);
    section_state_grow(state, FAILURE_GROWTH);
    learning->explainer.reasons = search->node[depth].reasons;
    for (size_t i = 0; i < nogood->n && !needed; i++)
        needed = state->start[nogood->literal[i].buffer] < nogood->literal[i].least;
    if (!needed) {
        for (size_t i = 0; i < nogood->n; i++)
            section_explain_literal(&learning->explainer, nogood->literal[i].buffer,
                                    nogood->literal[i].least);
        section_explain_finish(&learning->explainer, &learning->nogood);
        return false;
    }
    reason = section_explain_postponement(&learning->explainer, c, nogood);
    section_state_neighbours(state, c, &least_start, &least_end);
    section_state_postpone(state, c, least_end, reason);
    if (!section_rules_apply(state)) {
        learn_conflict(learning);
        return false;
    }
    return !recall(search);
}

/* As backtrack, with the nogood of the child of the node at *DEPTH.  On a large instance
 * it may take longer than what is left of the time, which breaks it off.  */
static bool jump_back(struct section_search *search, const struct limits *limits, size_t *depth)
{
    for (;;) {
        search->broken_off = timer_now() >= limits->deadline;
        if (search->broken_off || learn_or_postpone(search, *depth))
            return true;
        search->counted.conflicts++;
        search->counted.nogoods++;
        section_nogoods_add(&search->learning->nogoods, &search->state, &search->learning->nogood);
        if (*depth == 0)
            return false;
        (*depth)--;
    }
}

/* Places the child of NODE.  False when that is refuted.  */
static bool place(struct section_search *search, const struct search_node *node)
{
    search->nodes++;
    section_state_place(&search->state, node->child);
    if (section_rules_apply(&search->state))
        return search->learning == NULL || !recall(search);
    if (search->learning != NULL)
        learn_conflict(search->learning);
    return false;
}

/* One run without a restart.  */
static enum search_result dive(struct section_search *search, struct limits *limits)
{
    struct section_state *state = &search->state;
    size_t depth = search->depth;

    while (state->n_placed < state->problem->n) {
        if (spent(search, limits)) {
            search->depth = depth;
            return SEARCH_STOPPED;
        }
        choose(search, depth);
        if (place(search, &search->node[depth])) {
            depth++;
            continue;
        }
        search->counted.conflicts++;
        if (limits->failures-- <= 0)
            return SEARCH_STOPPED;
        if (!(search->learning != NULL ? jump_back(search, limits, &depth)
                                       : backtrack(search, &depth)))
            return SEARCH_REFUTED;
    }
    return SEARCH_SOLVED;
}

/* Nothing is placed.  False when that is refuted.  */
static bool begin(struct section_search *search, int64_t capacity)
{
    search->counted.restarts += search->restarts > 0 && capacity == search->state.capacity;
    search->depth = 0;
    if (search->learning != NULL)
        search->learning->explainer.reasons = 0;
    section_state_reset(&search->state, capacity);
    if (section_rules_apply(&search->state))
        return true;
    search->counted.conflicts++;
    if (search->learning != NULL)
        learn_conflict(search->learning);
    return false;
}

/* The failures that the next run may have.  */
static int64_t next_run(struct section_search *search)
{
    search->restarts++;
    return search->options.restarts ? RESTART_UNIT * luby(search->restarts) : INT64_MAX;
}

enum search_result section_search_run(struct section_search *search, int64_t capacity,
                                      int64_t nodes, double deadline)
{
    struct limits limits = {.nodes = search->nodes + nodes, .deadline = deadline};
    enum search_result result;

    if (search->learning != NULL)
        section_nogoods_begin(&search->learning->nogoods, capacity);
    do {
        if (search->stopped_at != capacity && !begin(search, capacity))
            return SEARCH_REFUTED;
        search->stopped_at = -1;
        search->broken_off = false;
        limits.failures = next_run(search);
        result = dive(search, &limits);
    } while (result == SEARCH_STOPPED && !spent(search, &limits));
    if (result == SEARCH_STOPPED && !search->options.restarts && !search->broken_off)
        search->stopped_at = capacity;
    return result;
}
