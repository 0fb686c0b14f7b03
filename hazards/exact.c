/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "hazards/exact.h"

#include <string.h>

#include "hazards/cores.h"
#include "hazards/oracle.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"

/* Placements for a question before it is put off.  */
#define WORK_FIRST 20000

/* Nodes that the search puts down before the hitting sets.  */
#define WORK_BEFORE_PROOF 20000

/* Of the time that is left: for the first cores, for hitting sets, for one call of the master, for
 * the least peak where nothing fits.  */
#define SHARE_OF_CORES 0.1
#define SHARE_OF_PROOF 0.5
#define SHARE_OF_MASTER 0.3
#define SHARE_OF_PEAK 0.5

struct run {
    const struct hazard_part *part;
    const struct hazard_limits *limits;
    struct oracle oracle;
    struct cores cores;
    struct hazard_result result;
    int64_t *offset; /* the best plan */
    int64_t *trial;
    bool *hard, *core;
    int64_t *weight; /* of a pair: what no core has charged yet */
    bool open;       /* a question was put off */
    uint32_t searches;
};

static void take_plan(struct run *run)
{
    const int64_t cost = hazard_part_cost(run->part, run->trial);

    if (run->result.plan && cost >= run->result.cost)
        return;
    run->result.plan = true;
    run->result.cost = cost;
    memcpy(run->offset, run->trial, run->part->nodes * sizeof *run->trial);
}

static bool goes_on(const struct run *run)
{
    return timer_now() < run->limits->deadline && run->result.bound < run->result.cost;
}

/* Core C takes as much weight from its pairs as the lightest of them has: so that what cores cost
 * adds up.  Returns that.  */
static int64_t charge(struct run *run, const struct core *core)
{
    int64_t least = core->count > 0 ? INT64_MAX : 0;

    for (size_t k = 0; k < core->count; k++)
        least = min64(least, run->weight[core->pair[k]]);
    for (size_t k = 0; k < core->count; k++)
        if ((run->weight[core->pair[k]] -= least) == 0)
            run->hard[core->pair[k]] = false;
    return capped_mul(least, (int64_t)core->least);
}

/* Finds core after core of pairs that are hard, cliques first, until none is left or UNTIL; HARD
 * loses pairs of each.  Returns what they cost together.  */
static int64_t find_cores(struct run *run, double until)
{
    const struct hazard_part *part = run->part;
    enum oracle_answer answer = ORACLE_NEVER;
    int64_t sum = 0;

    while (timer_now() < until && answer == ORACLE_NEVER) {
        const size_t before = run->cores.count;

        if (oracle_cliques(&run->oracle, run->hard, &run->cores) == 0) {
            memcpy(run->core, run->hard, part->n_costs * sizeof *run->core);
            run->oracle.deadline = until;
            answer = oracle_core(&run->oracle, run->core, run->trial);
            if (answer == ORACLE_NEVER)
                cores_add(&run->cores, run->core);
        }
        for (size_t c = before; c < run->cores.count; c++)
            sum = capped_add(sum, charge(run, &run->cores.core[c]));
    }
    if (answer == ORACLE_FITS)
        take_plan(run);
    run->open = answer == ORACLE_UNKNOWN;
    return sum;
}

static void reset_weights(struct run *run)
{
    for (size_t i = 0; i < run->part->n_costs; i++)
        run->weight[i] = run->part->cost[i].cost;
}

/* Cheap sets that hit all cores, until the others can be kept apart.  */
static void hit(struct run *run, double until)
{
    const struct hazard_part *part = run->part;
    bool *pays = memory_zalloc(part->n_costs, sizeof *pays), best;

    while (goes_on(run) && timer_now() < until) {
        const double now = timer_now(), rest = until - now;
        const size_t before = run->cores.count;

        if (!cores_hit(&run->cores, now + SHARE_OF_MASTER * rest, pays, &run->result.bound,
                       &best) ||
            !goes_on(run))
            break;
        for (size_t i = 0; i < part->n_costs; i++)
            run->hard[i] = !pays[i];
        reset_weights(run);
        find_cores(run, until);
        if (run->cores.count > before)
            continue;
        if (!run->open || !best)
            break;
        run->oracle.work = capped_mul(run->oracle.work, 4);
    }
    memory_free(pays);
}

static void search(struct run *run, double until, int64_t work)
{
    struct hazard_limits limits = *run->limits;

    limits.deadline = until;
    limits.work = min64(limits.work, work);
    limits.seed += run->searches++;
    if (goes_on(run))
        hazard_search(run->part, &limits, run->result.bound, run->offset, &run->result.cost);
}

/* There is a plan.  What is easy is proven before the long search.  */
static void lower_cost(struct run *run)
{
    const double end = run->limits->deadline, now = timer_now();

    for (size_t i = 0; i < run->part->n_costs; i++)
        run->hard[i] = true;
    reset_weights(run);
    run->oracle.work = WORK_FIRST;
    run->result.bound = find_cores(run, now + SHARE_OF_CORES * (end - now));
    search(run, end, WORK_BEFORE_PROOF);
    hit(run, timer_now() + SHARE_OF_PROOF * (end - timer_now()));
    search(run, end, INT64_MAX);
    run->result.proven = run->result.bound >= run->result.cost;
}

static void run_on(const struct hazard_part *part, const struct hazard_limits *limits,
                   int64_t *offset, struct hazard_result *result)
{
    struct run run = {
        .part = part,
        .limits = limits,
        .oracle = {part, limits->deadline, 0, 0},
        .cores = {.part = part},
        .result = {.plan = true, .cost = hazard_part_cost(part, offset)},
        .offset = offset,
        .trial = memory_zalloc(part->nodes, sizeof *run.trial),
        .hard = memory_zalloc(part->n_costs, sizeof *run.hard),
        .core = memory_alloc(part->n_costs, sizeof *run.core),
        .weight = memory_alloc(part->n_costs, sizeof *run.weight),
    };

    lower_cost(&run);
    run.result.peak_bound = result->peak_bound;
    run.result.cores = run.cores.count;
    run.result.asked = run.oracle.asked + result->asked;
    *result = run.result;
    cores_clear(&run.cores);
    memory_free(run.trial);
    memory_free(run.hard);
    memory_free(run.core);
    memory_free(run.weight);
}

/* The least peak, and how little it can cost.  */
static void exceed(const struct hazard_part *part, struct oracle *oracle,
                   const struct hazard_limits *limits, int64_t *offset,
                   struct hazard_result *result)
{
    struct hazard_part wider = *part;

    oracle->deadline = timer_now() + SHARE_OF_PEAK * (limits->deadline - timer_now());
    result->plan = oracle_peak(oracle, offset, &wider.capacity, &result->peak_bound);
    result->asked = oracle->asked;
    if (!result->plan)
        return;
    run_on(&wider, limits, offset, result);
    result->proven = result->proven && result->peak_bound >= wider.capacity;
}

struct hazard_result hazard_solve(const struct hazard_part *part,
                                  const struct hazard_limits *limits, int64_t *offset)
{
    struct hazard_result result = {0};
    struct oracle oracle = {part, limits->deadline, limits->work, 0};
    int64_t peak;

    if (part->objective == HAZARD_PEAK) {
        result.plan = oracle_peak(&oracle, offset, &peak, &result.peak_bound);
        result.proven = result.plan && result.peak_bound >= peak;
        result.cost = result.plan ? hazard_part_cost(part, offset) : 0;
        result.asked = oracle.asked;
        return result;
    }
    switch (oracle_ask(&oracle, NULL, offset)) {
    case ORACLE_FITS:
        result.asked = oracle.asked;
        run_on(part, limits, offset, &result);
        break;
    case ORACLE_NEVER:
        exceed(part, &oracle, limits, offset, &result);
        break;
    case ORACLE_UNKNOWN:
        break;
    }
    return result;
}
