/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What searches count: the table, sums that other numbers give, the same again.  */
#include <config.h>

#include "lib/problem/search_statistics.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "solvers/solver.h"
#include "tests/support/instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"

static void table(void)
{
    for (size_t s = 0; s < STATISTICS; s++) {
        const struct search_statistic_row *row = &search_statistic_table[s];
        bool plain = row->name != NULL && islower((unsigned char)row->name[0]), alone = plain;

        for (const char *c = row->name; plain && *c != '\0'; c++)
            plain = islower((unsigned char)*c) || *c == '_';
        for (size_t t = 0; alone && t < s; t++)
            alone = strcmp(search_statistic_table[t].name, row->name) != 0;
        ok(plain && alone && row->unit != NULL && row->title != NULL,
           "statistic %zu has a plain name of its own, a unit and a title", s);
    }
}

/* What plan->nodes counts, by solver.  */
static int64_t work(const struct solver_run *run)
{
    static const enum search_statistic works[] = {STATISTIC_PLACEMENTS,   STATISTIC_DIVE_PLACEMENTS,
                                                  STATISTIC_PAIR_CHOICES, STATISTIC_TREE_NODES,
                                                  STATISTIC_DECODINGS,    STATISTIC_BOXINGS};
    int64_t sum = 0;

    /* Its placements are what its nodes try.  */
    if (run->statistics.count[STATISTIC_CAPACITIES] > 0)
        return run->statistics.count[STATISTIC_TREE_NODES];
    for (size_t i = 0; i < sizeof works / sizeof works[0]; i++)
        sum += run->statistics.count[works[i]];
    return sum;
}

/* Whether no part is more than the whole.  */
static bool in_proportion(const struct search_statistics *statistics)
{
    static const struct {
        enum search_statistic part, whole;
    } parts[] = {
        {STATISTIC_NOGOODS, STATISTIC_CONFLICTS},
        {STATISTIC_NOGOOD_HITS, STATISTIC_CONFLICTS},
        {STATISTIC_PAIR_NOGOODS, STATISTIC_PAIR_CONFLICTS},
        {STATISTIC_DIVES, STATISTIC_DIVE_PLACEMENTS},
        {STATISTIC_EVICTIONS, STATISTIC_PLACEMENTS},
    };
    bool good = true;

    for (size_t s = 0; s < STATISTICS; s++)
        good = good && statistics->count[s] >= 0;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        good = good && statistics->count[parts[i].part] <= statistics->count[parts[i].whole];
    return good;
}

static bool same(const struct search_statistics *a, const struct search_statistics *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* SPEC on tight instances: what it counts fits together, and to its nodes, of which
 * LOST says that a first plan's may be missing.  */
static void check(const char *spec, bool again_same, bool lost, int64_t limit)
{
    int rounds = tap_tier(2, 6), sums = 0, proportions = 0, sames = 0, taken = 0;

    for (int round = 0; round < rounds; round++) {
        char *workload = memory_printf("tight:steps=30,seed=%d", 1 + round);
        struct instance *instance = instance_of(workload);

        if (solver_applies(spec, instance)) {
            struct solver_run run = solver_run(spec, instance, 3, limit);
            struct solver_run again = solver_run(spec, instance, 3, limit);
            int64_t sum = work(&run);

            taken++;
            sums += lost ? sum >= run.nodes : sum == run.nodes;
            proportions += in_proportion(&run.statistics);
            sames += !again_same || same(&run.statistics, &again.statistics);
        }
        instance_free(instance);
        free(workload);
    }
    ok(sums == taken, "%s: its nodes are the sum of what they are", spec);
    ok(proportions == taken, "%s: no part is more than the whole", spec);
    ok(sames == taken, "%s: the same with the same seed", spec);
}

static void all_solvers(void)
{
    for (const struct solver_entry *entry = solver_registry; entry->solver != NULL; entry++)
        if ((entry->solver->capabilities & SOLVER_RAW_PARAMETER) == 0)
            check(entry->solver->name, true, strcmp(entry->solver->name, "branch-and-bound") == 0,
                  300);
    check("branch-and-bound:planner=off", true, false, 20000);
    check("branch-and-bound:planner=off,learning=off,disjunctive=off", true, false, 20000);
    check("glpk:warm=search", true, false, 300);
    check("tvm-hill-climb:accept=keep-best", true, false, 300);
    check("minimalloc:capacity=100", true, false, 300);
}

/* By hand.  */
static void known(void)
{
    static const struct {
        const char *spec;
        enum search_statistic which;
        int64_t want;
        const char *what;
    } cases[] = {
        {"greedy-by-size", STATISTIC_DECODINGS, 0, "no search"},
        {"branch-and-bound:planner=off,disjunctive=off", STATISTIC_DIVES, 0, "no dives"},
        {"branch-and-bound:planner=off,disjunctive=off,learning=off", STATISTIC_NOGOODS, 0,
         "no nogoods without learning"},
        {"branch-and-bound:planner=off,disjunctive=off", STATISTIC_PAIR_CHOICES, 0, "no orders"},
        {"minimalloc:capacity=5", STATISTIC_CAPACITIES, 1, "one question"},
        {"minimalloc:capacity=5", STATISTIC_PLACEMENTS, 7, "each buffer once"},
        {"minimalloc:capacity=5", STATISTIC_CONFLICTS, 0, "where all fits"},
        {"minimalloc:capacity=5", STATISTIC_RESTARTS, 0, "with the first order"},
        {"minimalloc", STATISTIC_CAPACITIES, 1, "at 4, and there is a plan of 5"},
        {"model-ilp", STATISTIC_MODEL_COLUMNS, 1 + 7 + 2 * 9, "peak, 7 addresses, 9 pairs"},
        {"model-ilp", STATISTIC_MODEL_ROWS, 7 + 3 * 9, "the same as rows"},
        {"annealing", STATISTIC_DECODINGS, 1000, "as many as without limits"},
        {"tvm-hill-climb:attempts=30", STATISTIC_DECODINGS, 30, "as it was told"},
    };
    struct instance *gadget = gap_gadget(1);

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct solver_run run = solver_run(cases[i].spec, gadget, 1, 0);

        is_int(run.statistics.count[cases[i].which], cases[i].want, "%s: %s: %s", cases[i].spec,
               search_statistic_table[cases[i].which].name, cases[i].what);
    }
    instance_free(gadget);
}

/* What each technique counts where nothing else does the work.  */
static void at_work(void)
{
    static const struct {
        const char *spec;
        enum search_statistic which;
    } cases[] = {
        {"branch-and-bound:planner=off", STATISTIC_CONFLICTS},
        {"branch-and-bound:planner=off,disjunctive=off", STATISTIC_NOGOODS},
        {"branch-and-bound:planner=off,disjunctive=off", STATISTIC_NOGOOD_HITS},
        {"branch-and-bound:planner=off,disjunctive=off,learning=off", STATISTIC_RESTARTS},
        {"branch-and-bound:planner=off,learning=off", STATISTIC_PAIR_NOGOODS},
        {"branch-and-bound:planner=off,learning=off", STATISTIC_PAIR_CONFLICTS},
        {"glpk:warm=search,warm-nodes=6000", STATISTIC_PAIR_RESTARTS},
        {"minimalloc", STATISTIC_CONFLICTS},
        {"minimalloc", STATISTIC_RESTARTS},
        {"section-first", STATISTIC_DIVE_FAILURES},
    };
    static const char *const tight[] = {"tight:steps=40,seed=4", "tight:steps=60,seed=1",
                                        "tight:steps=30,low=5,high=25"};
    struct search_statistics sum[sizeof cases / sizeof cases[0]] = {{{0}}};

    for (size_t t = 0; t < sizeof tight / sizeof tight[0]; t++) {
        struct instance *instance = instance_of(tight[t]);

        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            struct solver_run run = solver_run(cases[i].spec, instance, 1, 6000);

            search_statistics_join(&sum[i], &run.statistics);
        }
        instance_free(instance);
    }
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        ok(sum[i].count[cases[i].which] > 0, "%s: %" PRId64 " %s", cases[i].spec,
           sum[i].count[cases[i].which], search_statistic_table[cases[i].which].name);
}

/* A chain, which one dive packs within the load.  */
static void no_conflict(void)
{
    static const char *const specs[] = {"section-first", "branch-and-bound"};
    struct instance *chain = instance_of("chain:n=20,sizes=equal,skip=0");

    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        struct solver_run run = solver_run(specs[i], chain, 1, 0);

        ok(run.outcome == OUTCOME_OPTIMAL &&
               run.statistics.count[STATISTIC_DIVE_PLACEMENTS] <= (int64_t)chain->n,
           "%s: at the load", specs[i]);
        is_int(run.statistics.count[STATISTIC_DIVE_FAILURES] +
                   run.statistics.count[STATISTIC_CONFLICTS],
               0, "%s: without a conflict", specs[i]);
    }
    instance_free(chain);
}

/* Nobody has to ask.  */
static void not_asked(void)
{
    struct search_statistics sum = {{0}}, more = {{0}};

    search_statistics_add(NULL, STATISTIC_DIVES, 1);
    search_statistics_join(NULL, &sum);
    more.count[STATISTIC_NOGOODS] = 2;
    search_statistics_add(&sum, STATISTIC_DIVES, 3);
    search_statistics_join(&sum, &more);
    search_statistics_join(&sum, &more);
    ok(sum.count[STATISTIC_DIVES] == 3 && sum.count[STATISTIC_NOGOODS] == 4, "sums");
}

int main(void)
{
    table();
    all_solvers();
    known();
    at_work();
    no_conflict();
    not_asked();
    return tap_done();
}
