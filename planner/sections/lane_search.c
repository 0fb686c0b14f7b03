/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/sections/lane_search.h"

#include "lib/base/luby.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"
#include "lib/problem/search_statistics.h"

#define RESTART_UNIT 30
/* By how much weights differ at first: what a seed changes.  */
#define START_NOISE 0.01
/* Of so many runs, all but one are guided.  */
#define GUIDED_OF 4
/* The share of runs that begin on the path of the one before: with 0.5 to 0.97 D of MiniMalloc's
 * public instances is found in a half to a quarter of the placements, J in half (doc/tried.md).  */
#define SHARE_GOING_ON 0.75
/* How much more each failure counts than the one before.  */
#define FAILURE_GROWTH 1.001
/* Placements between two looks at the clock.  */
#define CLOCK_NODES 64

void lane_search_init(struct lane_search *search, const struct section_classes *problem,
                      const struct lane_options *options, uint32_t seed)
{
    *search = (struct lane_search){
        .options = *options,
        .rank = problem->rank[options->slack ? RANK_FULLEST : RANK_LENGTH],
        .node = memory_alloc(problem->n + 1, sizeof *search->node),
        .guide = memory_alloc(problem->n, sizeof *search->guide),
        .restart_unit = RESTART_UNIT,
    };
    lanes_init(&search->lanes, problem);
    for (size_t b = 0; b < problem->n; b++)
        search->guide[b] = LANES_NONE;
    small_rng_seed(&search->rng, seed);
    for (size_t s = 0; s < problem->sections; s++)
        search->lanes.weight[s] += START_NOISE * small_rng_unit(&search->rng);
}

void lane_search_clear(struct lane_search *search)
{
    lanes_clear(&search->lanes);
    memory_free(search->node);
    memory_free(search->guide);
}

void lane_search_count(const struct lane_search *search, struct search_statistics *sum)
{
    search_statistics_add(sum, STATISTIC_CONFLICTS, search->conflicts);
    search_statistics_add(sum, STATISTIC_RESTARTS, (int64_t)search->restarts);
}

/* --- choice --- */

/* Whether buffer B would lie where the guide has it.  */
static bool is_guided(const struct lane_search *search, size_t b)
{
    return search->guided && search->lanes.start[b] == search->guide[b];
}

/* Whether member B is placed before member C: one that would lie where the guide has it, then the
 * one with the least start; ties by rank.  */
static bool goes_first(const struct lane_search *search, size_t b, size_t c)
{
    const lane_number *start = search->lanes.start;

    if (is_guided(search, b) != is_guided(search, c))
        return is_guided(search, b);
    return start[b] != start[c] ? start[b] < start[c] : search->rank[b] < search->rank[c];
}

/* The first of the members of section S that start below LIMIT.  */
static size_t choose_member(const struct lane_search *search, size_t s, int64_t limit)
{
    const struct lane_state *lanes = &search->lanes;
    const struct section_classes *problem = lanes->problem;
    size_t best = SIZE_MAX;

    for (size_t i = problem->start[s]; i < problem->start[s + 1]; i++) {
        size_t b = problem->member[i];

        if (lanes->placed[b] || lanes->start[b] >= limit)
            continue;
        if (best == SIZE_MAX || goes_first(search, b, best))
            best = b;
    }
    return best;
}

static struct section_sight see(const void *context, size_t s)
{
    const struct lane_state *lanes = &((const struct lane_search *)context)->lanes;
    const struct lanes_look *look = &lanes->look[s / LANES_BLOCK];
    const size_t i = s % LANES_BLOCK;

    return (struct section_sight){look->least_start[i], look->end_1[i], lanes->crossing[s] == 0};
}

static double score_of(const void *context, size_t s)
{
    const struct lane_search *search = (const struct lane_search *)context;
    const struct lanes_look *look = &search->lanes.look[s / LANES_BLOCK];
    double score = (double)look->candidates[s % LANES_BLOCK] - SECTION_CANDIDATE_OFFSET;

    if (search->options.slack)
        score *=
            1.0 + (double)(lanes_at(search->lanes.limit, s) - look->least_start[s % LANES_BLOCK]);
    return score / search->lanes.weight[s];
}

static void choose(struct lane_search *search, size_t depth)
{
    struct search_node *node = &search->node[depth];
    struct section_choice choice =
        section_choose(search, see, score_of, search->options.parts,
                       search->lanes.problem->sections, search->node, depth);

    node->mark = lanes_mark(&search->lanes);
    node->child = choose_member(search, choice.section, choice.limit);
}

/* --- search --- */

/* After the child of the node at DEPTH was refuted: postpones it.  False when that refutes the node
 * too.  */
static bool postpone(struct lane_search *search, size_t depth)
{
    struct lane_state *lanes = &search->lanes;
    size_t c = search->node[depth].child;
    int64_t least_start, least_end;

    lanes_undo(lanes, search->node[depth].mark);
    lanes_grow(lanes, FAILURE_GROWTH);
    lanes_neighbours(lanes, c, &least_start, &least_end);
    if (least_start >= lanes_end(lanes, c))
        return false;
    lanes_postpone(lanes, c, least_end);
    return lanes_apply(lanes, true);
}

/* Notes that the node at *DEPTH is refuted, and with it as many above it as follow, of those that
 * chose in its part or what that is a part of.  False when the root is.  */
static bool backtrack(struct lane_search *search, size_t *depth)
{
    for (;;) {
        const struct search_node *refuted = &search->node[*depth];

        if (postpone(search, *depth))
            return true;
        search->conflicts++;
        do {
            if (*depth == 0)
                return false;
            (*depth)--;
        } while (search->node[*depth].to <= refuted->from ||
                 refuted->to <= search->node[*depth].from);
    }
}

/* What is left to spend, and how far a run came with it.  */
struct limits {
    int64_t nodes, failures;
    double deadline;
    size_t most_placed;
};

static bool spent(const struct lane_search *search, const struct limits *limits)
{
    return search->nodes >= limits->nodes ||
           (search->nodes % CLOCK_NODES == 0 && timer_now() >= limits->deadline);
}

/* More are placed than this run had placed before.  What places as many as any run is the
 * guide.  */
static void note_reach(struct lane_search *search, struct limits *limits)
{
    const struct lane_state *lanes = &search->lanes;

    limits->most_placed = lanes->n_placed;
    if (lanes->n_placed < search->guide_placed)
        return;
    search->guide_placed = lanes->n_placed;
    for (size_t b = 0; b < lanes->problem->n; b++)
        search->guide[b] = lanes->placed[b] ? lanes->start[b] : LANES_NONE;
}

/* One run without a restart, from *DEPTH on; where it stopped is *DEPTH then.  */
static enum search_result dive(struct lane_search *search, struct limits *limits, size_t *depth)
{
    struct lane_state *lanes = &search->lanes;

    while (lanes->n_placed < lanes->problem->n) {
        if (lanes->n_placed > limits->most_placed)
            note_reach(search, limits);
        if (spent(search, limits))
            return SEARCH_STOPPED;
        choose(search, *depth);
        search->nodes++;
        lanes_place(lanes, search->node[*depth].child);
        if (lanes_apply(lanes, false)) {
            ++*depth;
            continue;
        }
        search->conflicts++;
        if (limits->failures-- <= 0)
            return SEARCH_STOPPED;
        if (!backtrack(search, depth))
            return SEARCH_REFUTED;
    }
    return SEARCH_SOLVED;
}

/* Begins a run: at *DEPTH of the path of the one before, or with nothing placed.  False when there
 * is no packing.  */
static bool begin(struct lane_search *search, int64_t capacity, size_t *depth)
{
    if (*depth > 0 && small_rng_unit(&search->rng) < SHARE_GOING_ON) {
        *depth = (size_t)((double)*depth * small_rng_unit(&search->rng));
        lanes_undo(&search->lanes, search->node[*depth].mark);
        return true;
    }
    *depth = 0;
    return lanes_reset(&search->lanes, capacity) && lanes_apply(&search->lanes, false);
}

enum search_result lane_search_run(struct lane_search *search, int64_t capacity, int64_t nodes,
                                   double deadline)
{
    struct limits limits = {.nodes = search->nodes + nodes, .deadline = deadline};
    enum search_result result;
    size_t depth = 0; /* of the last run's end */

    if (capacity != search->lanes.capacity)
        search->guide_placed = 0;
    do {
        if (!begin(search, capacity, &depth))
            return SEARCH_REFUTED;
        limits.failures = search->restart_unit * luby(++search->restarts);
        search->guided = search->restarts % GUIDED_OF != 0;
        limits.most_placed = 0;
        result = dive(search, &limits, &depth);
    } while (result == SEARCH_STOPPED && !spent(search, &limits));
    return result;
}
