#include <config.h>

#include "solvers/common/section_search.h"

#include <math.h>
#include <stdlib.h>

#include "lib/checked.h"
#include "lib/memory.h"
#include "lib/rng.h"
#include "lib/timer.h"

/* Failures before the first restart, times Luby's sequence.  */
#define RESTART_UNIT 30
/* How much more each failure counts than the one before.  */
#define FAILURE_GROWTH 1.1
/* A section with one candidate less beats any weight less than this, and so on:
 * what is taken off the number of candidates.  */
#define CANDIDATE_OFFSET 0.9
/* Placements between two looks at the clock.  */
#define CLOCK_NODES 256

void section_search_init(struct section_search *search, const struct section_problem *problem,
                         size_t memo_bytes, uint32_t seed)
{
    struct rng *rng = rng_new(seed);

    *search = (struct section_search){
        .node = memory_alloc(problem->n + 1, sizeof *search->node),
    };
    section_state_init(&search->state, problem);
    section_memo_init(&search->memo, &search->state, memo_bytes);
    for (size_t s = 0; s < problem->sections; s++)
        search->state.section[s].weight *= 1.0 + 0.01 * rng_unit(rng);
    rng_free(rng);
}

void section_search_clear(struct section_search *search)
{
    section_memo_clear(&search->memo);
    section_state_clear(&search->state);
    free(search->node);
}

/* 1, 1, 2, 1, 1, 2, 4, ...: term I from 1 (Luby, Sinclair and Zuckerman 1993).  */
static int64_t luby(uint64_t i)
{
    uint64_t power = 1;

    while (power < i + 1)
        power *= 2;
    while (power != i + 1) {
        power /= 2;
        if (i >= power)
            i -= power - 1;
    }
    return (int64_t)(power / 2);
}

/* The member of section S with the least start, ties by rank.  */
static size_t lowest_member(const struct section_state *state, size_t s)
{
    const size_t *list = state->member + state->problem->start[s];
    size_t best = list[0];

    for (size_t i = 1; i < state->section[s].count; i++) {
        size_t b = list[i];

        if (state->start[b] < state->start[best] ||
            (state->start[b] == state->start[best] &&
             state->problem->rank[b] < state->problem->rank[best]))
            best = b;
    }
    return best;
}

/* The next buffer to place or postpone; some buffer is unplaced.  */
static size_t choose(const struct section_state *state)
{
    size_t best = SIZE_MAX;
    double best_score = INFINITY;
    int64_t least_end = INT64_MAX;

    for (size_t s = 0; s < state->problem->sections; s++)
        if (state->section[s].count > 0)
            least_end = min64(least_end, state->section[s].end_1);
    for (size_t s = 0; s < state->problem->sections; s++) {
        const struct section *section = &state->section[s];
        double score = ((double)section->candidates - CANDIDATE_OFFSET) / section->weight;

        if (section->count == 0 || section->least_start >= least_end)
            continue;
        if (best == SIZE_MAX || score < best_score) {
            best = s;
            best_score = score;
        }
    }
    return lowest_member(state, best);
}

/* What is left to spend.  */
struct limits {
    int64_t nodes, failures;
    double deadline;
};

static bool spent(const struct section_search *search, const struct limits *limits)
{
    return search->nodes >= limits->nodes ||
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
    return least_start < section_state_end(state, c) && section_state_postpone(state, c, least_end);
}

/* Notes that the node at *DEPTH is refuted, and with it as many above it as follow.
 * False when the root is.  */
static bool backtrack(struct section_search *search, size_t *depth)
{
    do {
        section_memo_add(&search->memo, &search->state);
        if (*depth == 0)
            return false;
        (*depth)--;
    } while (!postpone(search, *depth));
    return true;
}

/* One run without a restart.  */
static enum search_result dive(struct section_search *search, struct limits *limits)
{
    struct section_state *state = &search->state;
    size_t depth = 0;

    while (state->n_placed < state->problem->n) {
        size_t c;

        if (spent(search, limits))
            return SEARCH_STOPPED;
        c = choose(state);
        search->node[depth] = (struct search_node){section_state_mark(state), c};
        search->nodes++;
        if (section_state_place(state, c) && !section_memo_has(&search->memo, state)) {
            depth++;
            continue;
        }
        if (limits->failures-- <= 0)
            return SEARCH_STOPPED;
        if (!postpone(search, depth) && !backtrack(search, &depth))
            return SEARCH_REFUTED;
    }
    return SEARCH_SOLVED;
}

enum search_result section_search_run(struct section_search *search, int64_t capacity,
                                      int64_t nodes, double deadline)
{
    struct limits limits = {.nodes = search->nodes + nodes, .deadline = deadline};

    section_memo_begin(&search->memo, capacity);
    for (;;) {
        enum search_result result;

        if (!section_state_reset(&search->state, capacity))
            return SEARCH_REFUTED;
        limits.failures = RESTART_UNIT * luby(++search->restarts);
        result = dive(search, &limits);
        if (result != SEARCH_STOPPED || spent(search, &limits))
            return result;
    }
}
