#include <config.h>

#include "solvers/common/piece_search.h"

#include <stdlib.h>

#include "lib/checked.h"
#include "lib/memory.h"
#include "lib/timer.h"

/* Failures before the first restart; each restart allows half as many more.  */
#define FIRST_FAILURES 100

/* The clock is read once in so many choices.  */
#define CLOCK_INTERVAL 64

void piece_search_init(struct piece_search *search, const struct piece_problem *problem, bool plain)
{
    *search = (struct piece_search){
        .node = memory_alloc(problem->gaps, sizeof *search->node),
        .failures = FIRST_FAILURES,
    };
    piece_state_init(&search->state, problem, plain);
}

void piece_search_clear(struct piece_search *search)
{
    piece_state_clear(&search->state);
    free(search->node);
}

bool piece_search_choose(const struct piece_state *state, struct piece_node *choice)
{
    const struct piece_problem *problem = state->problem;
    double best = 0.0;
    bool found = false;

    for (size_t p = 0; p < problem->pairs; p++) {
        const struct piece_pair *pair = &problem->pair[p];
        size_t a = pair->a, b = pair->b;
        int64_t d = state->least[b] - state->least[a];

        for (size_t g = pair->gap; g < pair->gap + pair->gaps; g++) {
            const struct piece_gap *gap = &problem->gap[g];
            int64_t up, down;
            double score;

            if (d <= gap->below || d >= gap->above)
                continue;
            up = state->latest[b] - (state->least[a] + gap->above);
            down = state->latest[a] - (state->least[b] - gap->below);
            score = (double)(max64(up, down) + 1) /
                    (state->pair_weight[p] + state->buffer_weight[a] + state->buffer_weight[b]);
            if (found && score >= best)
                continue;
            best = score;
            found = true;
            *choice = (struct piece_node){piece_state_mark(state), p, g, up >= down, false};
        }
    }
    return found;
}

/* Back to the deepest choice whose other side is open, and onto that side, until one
 * holds.  False: there is none, all is refuted.  */
static bool turn(struct piece_search *search, int64_t *failures)
{
    for (;;) {
        struct piece_node *node;

        ++*failures;
        while (search->depth > 0 && search->node[search->depth - 1].second)
            search->depth--;
        if (search->depth == 0)
            return false;
        node = &search->node[search->depth - 1];
        piece_state_undo(&search->state, node->mark);
        node->second = true;
        node->above = !node->above;
        if (piece_state_post(&search->state, node->pair, node->gap, node->above))
            return true;
    }
}

/* Until it is decided or FAILURES more branches were refuted.  */
static enum piece_result descend(struct piece_search *search, int64_t failures, int64_t nodes,
                                 double deadline)
{
    int64_t failed = 0;

    if (!piece_state_reset(&search->state, search->state.capacity, true))
        return PIECES_REFUTED;
    search->depth = 0;
    while (failed < failures && search->nodes < nodes) {
        struct piece_node choice;

        if (!piece_search_choose(&search->state, &choice))
            return PIECES_PACKED;
        search->node[search->depth++] = choice;
        if (++search->nodes % CLOCK_INTERVAL == 0 && timer_now() >= deadline)
            return PIECES_STOPPED;
        if (!piece_state_post(&search->state, choice.pair, choice.gap, choice.above) &&
            !turn(search, &failed))
            return PIECES_REFUTED;
    }
    return PIECES_STOPPED;
}

enum piece_result piece_search_run(struct piece_search *search, int64_t capacity, int64_t nodes,
                                   double deadline)
{
    int64_t last = search->nodes + nodes;
    enum piece_result result = PIECES_STOPPED;

    if (capacity != search->state.capacity)
        search->failures = FIRST_FAILURES;
    search->state.capacity = capacity;
    while (result == PIECES_STOPPED && search->nodes < last && timer_now() < deadline) {
        result = descend(search, search->failures, last, deadline);
        search->failures += search->failures / 2;
    }
    return result;
}
