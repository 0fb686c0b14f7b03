#include <config.h>

#include "solvers/common/piece_refute.h"

#include <inttypes.h>

#include "lib/certificate.h"
#include "lib/instance.h"
#include "lib/memory.h"
#include "lib/timer.h"
#include "solvers/common/dsa_model.h"
#include "solvers/common/piece_search.h"

struct writing {
    struct piece_search search;
    const struct piece_problem *problem;
    FILE *out;
};

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
    const struct piece_conflict *conflict = &writing->search.state.conflict;
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
    struct piece_search *search = &writing->search;

    for (;;) {
        struct piece_node *node;

        write_leaf(writing);
        while (search->depth > 0 && search->node[search->depth - 1].second)
            search->depth--;
        if (search->depth == 0)
            return false;
        node = &search->node[search->depth - 1];
        piece_state_undo(&search->state, node->mark);
        node->second = true;
        if (piece_state_post(&search->state, node->pair, node->gap, true))
            return true;
    }
}

static bool refute(struct writing *writing, int64_t capacity, int64_t nodes, double deadline,
                   struct error *error)
{
    struct piece_search *search = &writing->search;
    bool open = piece_state_reset(&search->state, capacity, false);

    if (!open)
        return write_leaf(writing), true;
    while (search->nodes++ < nodes && timer_now() < deadline) {
        struct piece_node choice;

        if (!piece_search_choose(&search->state, &choice))
            return error_set(error, "there is a plan with a lower peak");
        choice.above = false; /* the order in which a certificate has the cases */
        search->node[search->depth++] = choice;
        write_cases(writing, "branch", choice.pair, choice.gap);
        if (!piece_state_post(&search->state, choice.pair, choice.gap, false) && !turn(writing))
            return true;
    }
    return error_set(error, "the refutation takes more than %" PRId64 " choices or too long",
                     search->nodes - 1);
}

bool piece_refute(const struct instance *instance, int64_t peak, int64_t nodes, double deadline,
                  FILE *out, struct error *error)
{
    int64_t unit = dsa_unit(instance);
    struct piece_problem *problem = piece_problem_new(instance, unit);
    struct writing writing = {.problem = problem, .out = out};
    bool done;

    piece_search_init(&writing.search, problem, true);
    writing.search.state.forced = write_forced;
    writing.search.state.context = &writing;
    fprintf(out, "%s\ninstance %016" PRIx64 "\ncapacity %" PRId64 "\n", CERTIFICATE_TITLE,
            instance_checksum(instance), peak - 1);
    /* Peaks are multiples of the unit in some optimal plan; in bytes each line is as
     * tight, as all that was rounded is less than a unit.  */
    done = refute(&writing, (peak - 1) / unit, nodes, deadline, error);
    if (done)
        fprintf(out, "end\n");
    piece_search_clear(&writing.search);
    piece_problem_free(problem);
    return done;
}
