/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "hazards/planners.h"

#include <math.h>
#include <string.h>

#include "hazards/greedy.h"
#include "hazards/oracle.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"
#include "lib/problem/instance.h"

/* --- the planners --- */

/* PLAN: OFFSET is one, which a heuristic knows nothing else about.  */
static struct hazard_result heuristic(const struct hazard_part *part, const int64_t *offset,
                                      bool plan)
{
    return (struct hazard_result){.plan = plan, .cost = plan ? hazard_part_cost(part, offset) : 0};
}

static struct hazard_result first_fit(const struct hazard_part *part,
                                      const struct hazard_limits *limits, int64_t *offset)
{
    (void)limits;
    hazard_first_fit(part, NULL, offset);
    return heuristic(part, offset, true);
}

static struct hazard_result promote_all(const struct hazard_part *part,
                                        const struct hazard_limits *limits, int64_t *offset)
{
    bool *hard = memory_alloc(part->n_costs, sizeof *hard);

    (void)limits;
    for (size_t i = 0; i < part->n_costs; i++)
        hard[i] = true;
    hazard_first_fit(part, hard, offset);
    memory_free(hard);
    return heuristic(part, offset, true);
}

static struct hazard_result canonical_greedy(const struct hazard_part *part,
                                             const struct hazard_limits *limits, int64_t *offset)
{
    (void)limits;
    return heuristic(part, offset, hazard_canonical_greedy(part, offset));
}

static struct hazard_result promote_repair(const struct hazard_part *part,
                                           const struct hazard_limits *limits, int64_t *offset)
{
    (void)limits;
    return heuristic(part, offset, hazard_promote_repair(part, offset));
}

/* From the greedy plan; where that does not fit, from one of the exact planner.  */
static struct hazard_result ruin_recreate(const struct hazard_part *part,
                                          const struct hazard_limits *limits, int64_t *offset)
{
    struct oracle oracle = {part, limits->deadline, 0, 0};
    const bool plan =
        hazard_canonical_greedy(part, offset) || oracle_ask(&oracle, NULL, offset) == ORACLE_FITS;
    struct hazard_result result = heuristic(part, offset, plan);

    if (plan)
        hazard_search(part, limits, 0, offset, &result.cost);
    return result;
}

#define DSA_SOLVER "dsa-solver, docs/dsa_rp_algorithms.md"

const struct hazard_planner hazard_planners[] = {
    {"first-fit", "First fit", DSA_SOLVER, false, first_fit},
    {"promote-all", "All pairs apart", DSA_SOLVER, false, promote_all},
    {"canonical-greedy", "Cheapest spot", DSA_SOLVER, false, canonical_greedy},
    {"promote-repair", "Apart, then repaired", DSA_SOLVER, false, promote_repair},
    {"ruin-recreate", "Ruin and recreate", "this project, after Schrimpf et al. 2000", false,
     ruin_recreate},
    {"exact", "Implicit hitting sets",
     "this project, after Moreno-Centeno and Karp 2013, and Caro and Wei", true, hazard_solve},
};
const size_t hazard_planner_count = sizeof hazard_planners / sizeof hazard_planners[0];

const struct hazard_planner *hazard_planner_named(const char *name, struct error *error)
{
    char *names = memory_strdup("");

    for (size_t i = 0; i < hazard_planner_count; i++) {
        if (strcmp(hazard_planners[i].name, name) == 0) {
            memory_free(names);
            return &hazard_planners[i];
        }
        names = memory_append(names, "%s%s", i > 0 ? ", " : "", hazard_planners[i].name);
    }
    error_set(error, "no planner '%s'; expected one of %s", name, names);
    memory_free(names);
    return NULL;
}

/* --- all pools --- */

static void add_result(const struct hazard_pool *pool, const struct hazard_result *result,
                       struct hazard_answer *answer)
{
    const int64_t peak = max64(result->peak_bound, hazard_reserved_end(pool));

    answer->plan = answer->plan && result->plan;
    answer->proven = answer->proven && result->proven;
    answer->peak_bound = capped_add(answer->peak_bound, peak);
    answer->overflow_bound = capped_add(answer->overflow_bound, max64(peak - pool->capacity, 0));
    answer->cost_bound = capped_add(answer->cost_bound, result->bound);
    answer->cores += result->cores;
    answer->asked += result->asked;
}

static bool plan_pool(const struct hazard_problem *problem, size_t p, size_t *left,
                      const struct hazard_planner *planner, const struct hazard_limits *limits,
                      int64_t *offset, struct hazard_answer *answer, struct error *error)
{
    struct hazard_limits share = *limits;
    struct hazard_result result = {.plan = true, .proven = true};
    struct hazard_part part;
    int64_t *found;

    if (!hazard_part_init(&part, problem, p, error))
        return false;
    found = memory_zalloc(part.nodes, sizeof *found);
    if (part.own > 0) {
        if (!isinf(limits->deadline))
            share.deadline =
                timer_now() + (limits->deadline - timer_now()) * (double)part.own / (double)*left;
        *left -= part.own;
        result = planner->solve(&part, &share, found);
    }
    for (size_t b = 0; b < part.own && result.plan; b++)
        offset[part.buffer[b]] = found[part.node_of[b]];
    add_result(&problem->pools[p], &result, answer);
    memory_free(found);
    hazard_part_clear(&part);
    return true;
}

bool hazard_plan(const struct hazard_problem *problem, const struct hazard_planner *planner,
                 const struct hazard_limits *limits, int64_t *offset, struct hazard_answer *answer,
                 struct error *error)
{
    size_t left = problem->plain->n;

    *answer = (struct hazard_answer){.plan = true, .proven = true};
    for (size_t p = 0; p < problem->n_pools; p++)
        if (!plan_pool(problem, p, &left, planner, limits, offset, answer, error))
            return false;
    if (!answer->plan) {
        answer->proven = false;
        return true;
    }
    return hazard_verify(problem, offset, &answer->value, error) ||
           error_prefix(error, "the plan of %s is wrong", planner->name);
}
