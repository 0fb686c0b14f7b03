/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "lib/place/part_runs.h"

#include <assert.h>
#include <math.h>

#include "lib/base/check.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"
#include "lib/place/best_greedy.h"
#include "lib/place/dsa_pieces.h"
#include "lib/place/time_parts.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "lib/problem/solver_env.h"

/* By how much the planner's share changes with a better plan and without one, and within what.  */
#define SHARE_RISE 2.0
#define SHARE_FALL 0.8
#define LEAST_SHARE 1.0
#define MOST_SHARE 8.0

void part_runs_begin(struct part_runs *runs, const struct instance *instance,
                     const struct solver_env *env, double deadline, struct plan *plan)
{
    *runs = (struct part_runs){
        .instance = instance,
        .env = env,
        .plan = plan,
        .part = memory_alloc(instance->n, sizeof *runs->part),
        .deadline = deadline,
    };
    runs->parts = time_parts(instance, runs->part);
    runs->peak = memory_zalloc(runs->parts, sizeof *runs->peak);
    best_greedy(instance, runs->part, runs->parts, deadline, plan);
}

void part_runs_raise_bound(struct part_runs *runs, int64_t bound)
{
    if (bound <= runs->bound)
        return;
    runs->bound = bound;
    runs->asked = false;
    if (runs->joined)
        return;
    runs->plan->lower_bound = bound;
    if (runs->env->bound != NULL)
        runs->env->bound(runs->env->context, bound);
}

static void check_peaks(const struct part_runs *runs)
{
    int64_t *peak = memory_alloc(runs->parts, sizeof *peak);

    plan_check(runs->instance, runs->plan);
    time_parts_peaks(runs->instance, runs->part, runs->parts, runs->plan, peak);
    for (size_t p = 0; p < runs->parts; p++)
        CHECK(peak[p] <= runs->peak[p], "parts", "no part of the plan is above its peak");
    memory_free(peak);
    CHECK(runs->joined || runs->asked || runs->bound <= runs->plan->peak, "parts",
          "no bound is above the peak of a plan");
}

/* The whole gets better only when no other part is as high.  */
void part_runs_offer(struct part_runs *runs, const struct part_instance *part,
                     const int64_t *offset, int64_t peak)
{
    int64_t before = runs->plan->peak;

    assert(part->part < runs->parts && peak >= 0);
    if (peak >= runs->peak[part->part])
        return;
    runs->peak[part->part] = peak;
    for (size_t i = 0; i < part->instance->n; i++)
        runs->plan->offset[part->member[i]] = offset[i];
    runs->plan->peak = 0;
    for (size_t p = 0; p < runs->parts; p++)
        runs->plan->peak = max64(runs->plan->peak, runs->peak[p]);
    CHECK_INVARIANT(check_peaks(runs));
    if (runs->plan->peak < before)
        solver_stream(runs->env, runs->plan);
}

void part_runs_offer_packing(struct part_runs *runs, const struct part_instance *part,
                             const int64_t *start)
{
    const struct instance *instance = part->instance;
    int64_t *offset = memory_alloc(instance->n, sizeof *offset), peak = 0;

    for (size_t b = 0; b < instance->n; b++) {
        offset[b] = start[b] * part->unit;
        peak = max64(peak, offset[b] + instance->buffer[b].size);
    }
    part_runs_offer(runs, part, offset, peak);
    memory_free(offset);
}

void part_runs_copy(const struct part_runs *runs, const struct part_instance *part,
                    struct plan *plan)
{
    for (size_t b = 0; b < part->instance->n; b++)
        plan->offset[b] = runs->plan->offset[part->member[b]];
    plan->peak = runs->peak[part->part];
}

static uint32_t next_seed(uint32_t seed)
{
    return seed < UINT32_MAX ? seed + 1 : 1;
}

struct part_turns part_turns_of(uint32_t seed, double share)
{
    return (struct part_turns){next_seed(seed), share};
}

void part_turns_next(struct part_turns *turns, bool better)
{
    turns->seed = next_seed(turns->seed);
    turns->share = better ? fmin(MOST_SHARE, turns->share * SHARE_RISE)
                          : fmax(LEAST_SHARE, turns->share * SHARE_FALL);
}

/* The part with the highest plan; the first of equal ones.  */
static size_t worst_part(const struct part_runs *runs)
{
    size_t worst = 0;

    for (size_t p = 1; p < runs->parts; p++)
        if (runs->peak[p] > runs->peak[worst])
            worst = p;
    return worst;
}

int64_t part_runs_nodes_left(const struct part_runs *runs)
{
    int64_t limit = runs->env->work_limit;

    return limit > 0 ? max64(0, limit - runs->plan->nodes) : INT64_MAX / 2;
}

static bool limits_reached(struct part_runs *runs)
{
    if (timer_now() >= runs->deadline)
        runs->timed_out = true;
    return runs->timed_out ||
           (runs->env->work_limit > 0 && runs->plan->nodes >= runs->env->work_limit);
}

enum outcome part_runs_solve(struct part_runs *runs,
                             bool (*solve)(struct part_runs *runs, size_t part))
{
    const struct plan *plan = runs->plan;

    time_parts_peaks(runs->instance, runs->part, runs->parts, plan, runs->peak);
    solver_stream(runs->env, runs->plan);
    part_runs_raise_bound(runs, runs->instance->load);
    while (plan->peak > runs->bound && !limits_reached(runs))
        if (!solve(runs, worst_part(runs)))
            break;
    memory_free(runs->part);
    memory_free(runs->peak);
    if (plan->peak == runs->bound)
        return OUTCOME_OPTIMAL;
    return runs->timed_out ? OUTCOME_TIMEOUT : OUTCOME_FEASIBLE;
}

void part_instance_begin(struct part_instance *part, const struct part_runs *runs, size_t index)
{
    size_t count = 0;

    *part = (struct part_instance){
        .part = index,
        .member = memory_alloc(runs->instance->n, sizeof *part->member),
    };
    for (size_t b = 0; b < runs->instance->n; b++)
        if (runs->part[b] == index)
            part->member[count++] = b;
    part->instance = instance_subset(runs->instance, part->member, count);
    part->unit = dsa_unit(part->instance);
}

void part_instance_end(struct part_instance *part)
{
    instance_free(part->instance);
    memory_free(part->member);
}
