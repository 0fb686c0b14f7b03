/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/sections/section_finder.h"

#include "lib/base/checked.h"
#include "lib/base/luby.h"
#include "lib/base/memory.h"
#include "lib/base/sort.h"
#include "lib/problem/instance.h"
#include "planner/dives/section_classes.h"
#include "planner/sections/section_problem.h"

/* Placements before the portfolio begins.  */
#define PORTFOLIO_FROM 4000
/* Failures before a search that follows a packing begins anew, times Luby's sequence.  */
#define GUIDED_RESTART_UNIT 50

/* The portfolio.  Orders are strings of keys (section_problem_ranks).  */
static const struct {
    const char *order;
    enum section_score score;
    bool backward;
    int64_t unit; /* failures before its first restart; 0: the usual number */
} members[] = {
    {"WAT", SCORE_CANDIDATES, false, 0}, {"TWA", SCORE_CANDIDATES, false, 0},
    {"TAW", SCORE_CANDIDATES, true, 0},  {"TZ", SCORE_CANDIDATES, false, 0},
    {"TWA", SCORE_PRODUCT, false, 100},  {"WAT", SCORE_SLACK, true, 0},
    {"ZW", SCORE_PRODUCT, false, 0},
};
enum { MEMBERS = sizeof members / sizeof *members };

void section_finder_init(struct section_finder *finder, const struct section_problem *problem,
                         const struct section_options *options, bool portfolio,
                         const struct section_bounds *bounds, size_t memo_bytes, uint32_t seed)
{
    struct section_options guided = *options;

    *finder = (struct section_finder){
        .problem = problem,
        .portfolio = portfolio,
        .best = memory_alloc(problem->n, sizeof *finder->best),
        .reach = 1,
        .seed = seed,
    };
    guided.restart_unit = GUIDED_RESTART_UNIT;
    section_search_init(&finder->packing, problem, options, memo_bytes, seed);
    section_search_init(&finder->guided, problem, &guided, memo_bytes, seed);
    finder->packing.bounds = finder->guided.bounds = bounds;
    finder->guided.guide = finder->best;
}

void section_finder_clear(struct section_finder *finder)
{
    section_search_clear(&finder->packing);
    section_search_clear(&finder->guided);
    memory_free(finder->member);
    memory_free(finder->ranks);
    memory_free(finder->weights);
    memory_free(finder->best);
    memory_free(finder->found);
    for (size_t i = 0; i < SECTION_DIVERS; i++)
        if (finder->diver[i].classes != NULL) {
            section_dives_clear(&finder->diver[i].dives);
            section_classes_free(finder->diver[i].classes);
        }
}

/* The first member goes on with the weights that there are; the others begin anew.  */
static void begin_portfolio(struct section_finder *finder)
{
    size_t n = finder->problem->n, sections = finder->problem->sections;

    finder->member = memory_alloc(MEMBERS, sizeof *finder->member);
    finder->ranks = memory_alloc(MEMBERS * n, sizeof *finder->ranks);
    finder->weights = memory_alloc(MEMBERS * sections, sizeof *finder->weights);
    for (size_t i = 0; i < MEMBERS; i++) {
        size_t *rank = finder->ranks + i * n;
        double *weight = finder->weights + i * sections;

        section_problem_ranks(finder->problem, members[i].order, rank);
        for (size_t s = 0; s < sections; s++)
            weight[s] = 1.0;
        finder->member[i] = (struct section_turn){
            .choice = {members[i].score, members[i].backward, rank, members[i].unit},
            .weight = weight,
            .increment = 1.0,
        };
    }
    section_search_take_turns(&finder->packing, finder->member, MEMBERS);
}

enum search_result section_finder_look(struct section_finder *finder, int64_t capacity,
                                       int64_t nodes, double deadline)
{
    if (finder->portfolio && finder->member == NULL && finder->packing.nodes >= PORTFOLIO_FROM)
        begin_portfolio(finder);
    return section_search_run(&finder->packing, capacity, nodes, deadline);
}

enum search_result section_finder_descend(struct section_finder *finder, int64_t low, int64_t high,
                                          int64_t *capacity, int64_t nodes, double deadline)
{
    enum search_result result;

    *capacity = max64(low, high - (finder->reach - 1));
    result = section_search_run(&finder->guided, *capacity, nodes, deadline);
    if (result == SEARCH_SOLVED)
        finder->reach *= 2;
    else if (finder->reach > 1)
        finder->reach /= 2;
    return result;
}

/* --- dives --- */

/* Failures of the first search at the load, times Luby's sequence.  */
#define DIVE_FAILURES 30
/* Of ten staged dives, the last so many follow the best packing.  */
#define GUIDED_OF_TEN 4
/* Of four dives at the load, the last is staged.  */
#define SEARCHES_OF_FOUR 3
/* One search in three follows it, too, when it is above the bound by one part in so many or
 * less.  */
#define NEAR_LOW 50
#define LOG_BYTES ((size_t)4 << 20)

static const struct {
    const char *order;
    bool backward, tight;
} divers[SECTION_DIVERS] = {{"TAW", false, false}, {"ZW", false, true},  {"TWA", false, false},
                            {"ZW", true, true},    {"WAT", true, false}, {"ZW", false, false}};

static void begin_diver(struct section_finder *finder, struct section_diver *diver,
                        const struct instance *instance, int64_t unit)
{
    size_t *all = memory_alloc(instance->n, sizeof *all), *rank = all, which = finder->next;
    struct section_classes *classes;

    for (size_t b = 0; b < instance->n; b++)
        all[b] = b;
    classes = diver->classes = section_classes_new(instance, unit, all, instance->n, true,
                                                   divers[which].backward, SIZE_MAX);
    /* In the place of the first order of ties, the one that its dives ask for.  Copies of a class
     * differ in no key.  */
    section_problem_ranks(finder->problem, divers[which].order, rank);
    for (size_t c = 0; c < classes->n; c++)
        classes->rank[0][c] = (uint32_t)rank[classes->copy[classes->copy_start[c]]];
    section_dives_init(&diver->dives, diver->classes, LOG_BYTES, finder->seed);
    if (finder->found == NULL)
        finder->found = memory_alloc(instance->n, sizeof *finder->found);
    memory_free(all);
}

/* What staged dives follow.  */
static void follow(struct section_diver *diver, const int64_t *best)
{
    const struct section_classes *classes = diver->classes;

    diver->dives.best_peak = 0;
    for (size_t c = 0; c < classes->n; c++) {
        size_t from = classes->copy_start[c], to = classes->copy_start[c + 1];

        for (size_t i = from; i < to; i++)
            diver->dives.best[i] = best[classes->copy[i]];
        sort_stable(diver->dives.best + from, to - from, sizeof *diver->dives.best, compare64);
    }
}

bool section_finder_dive(struct section_finder *finder, const struct instance *instance,
                         int64_t unit, int64_t low, int64_t high, bool likely, int64_t nodes,
                         double deadline)
{
    struct section_diver *diver = &finder->diver[finder->next];
    struct section_dives *dives = &diver->dives;
    bool found = false, tight = divers[finder->next].tight;
    bool near = high - low <= low / NEAR_LOW;

    if (diver->classes == NULL)
        begin_diver(finder, diver, instance, unit);
    finder->next = (finder->next + 1) % SECTION_DIVERS;
    dives->node_end = dives->nodes + nodes;
    dives->deadline = deadline;
    follow(diver, finder->best);
    for (int64_t k = 0; !found && !section_dives_spent(dives); k++)
        if (likely && k % 4 < SEARCHES_OF_FOUR)
            found = section_dives_search(
                dives, low, DIVE_FAILURES * luby(++diver->rounds),
                (struct section_dive){.guided = near && k % 4 == 1, .tight = tight});
        else
            found = section_dives_stage(
                dives, low, high + 1,
                (struct section_dive){.guided = diver->staged++ % 10 >= 10 - GUIDED_OF_TEN,
                                      .tight = tight});
    for (size_t i = 0; found && i < instance->n; i++)
        finder->found[diver->classes->copy[i]] = dives->best[i];
    return found;
}

void section_finder_count(const struct section_finder *finder, struct search_statistics *sum)
{
    section_search_count(&finder->packing, sum);
    section_search_count(&finder->guided, sum);
    for (size_t i = 0; i < SECTION_DIVERS; i++)
        section_dives_count(&finder->diver[i].dives, sum);
}

int64_t section_finder_dived(const struct section_finder *finder)
{
    int64_t nodes = 0;

    for (size_t i = 0; i < SECTION_DIVERS; i++)
        nodes += finder->diver[i].dives.nodes;
    return nodes;
}
