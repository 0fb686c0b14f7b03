/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/oracles/every_capacity.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/judge/verify.h"
#include "lib/place/dsa_pieces.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "planner/disjunctive/pairs_search.h"
#include "planner/sections/section_search.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"

enum { MANY_NODES = 1 << 30, MOST_SHOWN = 6 };

const struct section_options finding = {.not_first = true, .parts = true, .restarts = true};
const struct section_options refuting = {
    .not_first = true, .subsets = true, .parts = true, .learning = true, .nogoods = 200};

/* Whether START, in units, is a packing within CAPACITY bytes.  */
static bool is_packing(const struct instance *instance, const int64_t *start, int64_t unit,
                       int64_t capacity)
{
    struct plan *plan = plan_new(instance);
    struct error error = {""};
    bool valid;

    for (size_t b = 0; b < instance->n; b++)
        plan->offset[b] = start[b] * unit;
    plan->peak = plan_peak(instance, plan);
    valid = plan->peak <= capacity && verify_plan(instance, plan, &error);
    plan_free(plan);
    return valid;
}

/* Whether SEARCH is right about CAPACITY, in units.  */
static bool right_about(struct section_search *search, const struct instance *instance,
                        int64_t capacity, int64_t optimum, int64_t unit)
{
    enum search_result result = section_search_run(search, capacity, MANY_NODES, INFINITY);
    int64_t *start;
    bool right;

    if (capacity * unit < optimum)
        return result == SEARCH_REFUTED;
    if (result != SEARCH_SOLVED)
        return false;
    start = memory_alloc(instance->n, sizeof *start);
    section_classes_starts(search->state.problem, search->state.start, start);
    right = is_packing(instance, start, unit, capacity * unit);
    free(start);
    return right;
}

bool sections_right(const struct instance *instance, int64_t optimum,
                    const struct section_options *options)
{
    int64_t unit = dsa_unit(instance);
    struct section_classes *problem = section_classes_of(instance, unit, false, false);
    struct section_search search;
    bool right = instance->fixed > 0 || problem->load == instance->load / unit;

    section_search_init(&search, problem, options, 1);
    for (int64_t capacity = problem->load; capacity <= optimum / unit; capacity++)
        right = right && right_about(&search, instance, capacity, optimum, unit);
    /* From above again: what was refuted stays so.  */
    for (int64_t capacity = optimum / unit; capacity >= problem->load; capacity--)
        right = right && right_about(&search, instance, capacity, optimum, unit);
    section_search_clear(&search);
    section_classes_free(problem);
    return right;
}

/* What the search over orders says of CAPACITY bytes.  */
static bool orders_right_about(const struct instance *instance, int64_t capacity, int64_t optimum)
{
    int64_t unit = dsa_unit(instance);
    struct pairs_problem *problem = pairs_problem_new(instance, unit);
    struct pairs_search search;
    enum pairs_result result;
    bool right;

    pairs_search_init(&search, problem);
    result = pairs_search_run(&search, capacity / unit, MANY_NODES, INFINITY);
    if (capacity < optimum)
        right = result == PAIRS_REFUTED;
    else
        right = result == PAIRS_PACKED && is_packing(instance, search.start, unit, capacity);
    pairs_search_clear(&search);
    pairs_problem_free(problem);
    return right;
}

bool orders_right(const struct instance *instance, int64_t optimum)
{
    bool right = true;

    for (int64_t capacity = instance->load; right && capacity <= optimum + 1; capacity++)
        right = orders_right_about(instance, capacity, optimum);
    return right;
}

bool every_search_right(const struct instance *instance, int64_t optimum)
{
    /* Without buffers there is nothing to search.  */
    return instance->n == 0 ||
           (sections_right(instance, optimum, &finding) &&
            sections_right(instance, optimum, &refuting) && orders_right(instance, optimum));
}

void capacity_judge(struct capacity_tally *tally, const struct instance *instance, int64_t optimum)
{
    struct solver_run run = solver_run("branch-and-bound:planner=off", instance, 1, 0);
    bool right = every_search_right(instance, optimum), proven = solver_run_proves(&run, optimum);

    tally->all++;
    tally->right += right;
    tally->proven += proven;
    tally->above += optimum > instance->load;
    if ((right && proven) || 2 * tally->all - tally->right - tally->proven > MOST_SHOWN)
        return;
    tap_diag("%s: %s, optimum %" PRId64 ", load %" PRId64 ", branch-and-bound %" PRId64
             " to %" PRId64,
             instance->name, right ? "searches right" : "a search is wrong", optimum,
             instance->load, run.bound, run.peak);
    for (size_t b = 0; b < instance->n; b++)
        tap_diag("  %" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64, instance->buffer[b].begin,
                 instance->buffer[b].end, instance->buffer[b].size, instance->buffer[b].alignment);
}

void capacity_report(const struct capacity_tally *tally, const char *what)
{
    is_int(tally->right, tally->all, "%s: right at every capacity", what);
    is_int(tally->proven, tally->all, "%s: the optimum is proven", what);
}
