#include <config.h>

#include "planner/pairs/piece_refute.h"

#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"
#include "lib/judge/certificate.h"
#include "lib/problem/instance.h"
#include "planner/greedy/dsa_parts.h"
#include "planner/pairs/piece_state.h"

/* A choice; the side below comes first.  */
struct node {
    size_t mark; /* before the choice */
    size_t pair, gap;
    bool second; /* the side below is refuted */
};

struct writing {
    struct piece_state state;
    struct node *node; /* the path from the root; no deeper than there are gaps */
    size_t depth;
    const struct piece_problem *problem;
    FILE *out;
};

/* The gap to decide next: false when the least starts are a packing.  Of the pairs that overlap
 * there, the one with the least room on its better side, divided by how often it and its
 * buffers have failed (Smith and Cheng 1993).  */
static bool choose(const struct piece_state *state, struct node *choice)
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
            *choice = (struct node){piece_state_mark(state), p, g, false};
        }
    }
    return found;
}

/* A pair and a gap, in bytes.  */
static void write_cases(const struct writing *writing, const char *word, size_t p, size_t g)
{
    const struct piece_pair *pair = &writing->problem->pair[p];
    const struct piece_gap *gap = &writing->problem->gap[g];
    int64_t unit = writing->problem->unit;

    fprintf(writing->out, "%s %zu %zu %" PRId64 " %" PRId64 "\n", word, pair->a, pair->b,
            gap->below * unit, gap->above * unit);
}

static void write_forced(void *context, size_t pair, size_t gap, bool above)
{
    write_cases(context, above ? "above" : "below", pair, gap);
}

/* Deadlines are units: a byte less than a unit above the last one fits as little.  */
static void write_leaf(const struct writing *writing)
{
    const struct piece_conflict *conflict = &writing->state.conflict;
    int64_t unit = writing->problem->unit;

    if (conflict->section == SIZE_MAX)
        fprintf(writing->out, "path\n");
    else
        fprintf(writing->out, "overload %" PRId64 " %" PRId64 " %" PRId64 "\n",
                writing->problem->step[conflict->section], conflict->release * unit,
                conflict->deadline * unit + unit - 1);
}

/* Refuted cases, back to the first whose other side holds; false: none is left.  */
static bool turn(struct writing *writing)
{
    for (;;) {
        struct node *node;

        write_leaf(writing);
        while (writing->depth > 0 && writing->node[writing->depth - 1].second)
            writing->depth--;
        if (writing->depth == 0)
            return false;
        node = &writing->node[writing->depth - 1];
        piece_state_undo(&writing->state, node->mark);
        node->second = true;
        if (piece_state_post(&writing->state, node->pair, node->gap, true))
            return true;
    }
}

static bool refute(struct writing *writing, int64_t capacity, const struct refute_limits *limits,
                   struct error *error)
{
    if (!piece_state_reset(&writing->state, capacity))
        return write_leaf(writing), true;
    for (int64_t done = 0; done < limits->nodes && timer_now() < limits->deadline; done++) {
        struct node choice;

        if (limits->go_on != NULL && !limits->go_on(limits->context))
            return error_set(error, "interrupted");
        if (!choose(&writing->state, &choice))
            return error_set(error, "there is a plan with a lower peak");
        writing->node[writing->depth++] = choice;
        write_cases(writing, "branch", choice.pair, choice.gap);
        if (!piece_state_post(&writing->state, choice.pair, choice.gap, false) && !turn(writing))
            return true;
    }
    return error_set(error, "the refutation takes more than %" PRId64 " choices or too long",
                     limits->nodes);
}

bool piece_refute(const struct instance *instance, int64_t peak, const struct refute_limits *limits,
                  FILE *out, struct error *error)
{
    int64_t unit = dsa_unit(instance);
    struct piece_problem *problem = piece_problem_new(instance, unit);
    struct writing writing = {.problem = problem, .out = out};
    bool done;

    piece_state_init(&writing.state, problem);
    writing.node = memory_alloc(problem->gaps, sizeof *writing.node);
    writing.state.forced = write_forced;
    writing.state.context = &writing;
    fprintf(out, "%s\ninstance %016" PRIx64 "\ncapacity %" PRId64 "\n", CERTIFICATE_TITLE,
            instance_checksum(instance), peak - 1);
    /* Peaks are multiples of the unit in some optimal plan; in bytes each line is as
     * tight, as all that was rounded is less than a unit.  */
    done = refute(&writing, (peak - 1) / unit, limits, error);
    if (done)
        fprintf(out, "end\n");
    piece_state_clear(&writing.state);
    free(writing.node);
    piece_problem_free(problem);
    return done;
}
