/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "solvers/search/order_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"
#include "lib/place/orders.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "lib/problem/search_statistics.h"
#include "lib/problem/solver_env.h"
#include "solvers/fit/decoder.h"

/* When nobody sets a limit.  */
enum { DECODINGS = 1000 };

void order_search_init(struct order_search *search, const struct instance *instance,
                       const struct solver_env *env, struct plan *plan)
{
    int64_t without_limits = env->time_limit > 0.0 ? INT64_MAX : DECODINGS;

    *search = (struct order_search){
        .instance = instance,
        .env = env,
        .plan = plan,
        .trial = plan_new(instance),
        .order = memory_zalloc(instance->n, sizeof *search->order),
        .decoder = decoder_new(instance),
        .most = env->work_limit > 0 ? env->work_limit : without_limits,
        .deadline = solver_deadline(env),
    };
    plan->peak = INT64_MAX;
}

enum outcome order_search_end(struct order_search *search)
{
    search_statistics_add(search->env->statistics, STATISTIC_DECODINGS, search->plan->nodes);
    plan_free(search->trial);
    free(search->order);
    decoder_free(search->decoder);
    return search->timed_out ? OUTCOME_TIMEOUT : OUTCOME_FEASIBLE;
}

void order_search_start(struct order_search *search, uint32_t *order)
{
    static const enum greedy_measure starts[] = {BY_SIZE, BY_AREA, BY_LENGTH};
    const struct instance *instance = search->instance;
    struct order_key *key = memory_alloc(instance->n, sizeof *key);
    size_t *equal = memory_alloc(instance->n, sizeof *equal);

    greedy_order(instance, BY_SIZE, BY_LENGTH, NULL, key);
    for (size_t i = 0; i < instance->n; i++)
        equal[i] = key[i].index;
    for (size_t s = 0; s < sizeof starts / sizeof *starts; s++) {
        greedy_order(instance, starts[s], BY_NOTHING, equal, key);
        for (size_t i = 0; i < instance->n; i++)
            order[i] = (uint32_t)key[i].index;
        order_search_try(search, order);
    }
    memcpy(order, search->order, instance->n * sizeof *order);
    free(equal);
    free(key);
}

bool order_search_over(struct order_search *search)
{
    if (search->plan->nodes == 0)
        return false;
    if (search->plan->nodes >= search->most || search->plan->peak <= search->instance->load)
        return true;
    if (timer_now() + search->slowest >= search->deadline)
        search->timed_out = true;
    return search->timed_out;
}

int64_t order_search_try(struct order_search *search, const uint32_t *order)
{
    struct plan *plan = search->plan;
    double start;

    if (order_search_over(search))
        return INT64_MAX;
    start = timer_now();
    decoder_run(search->decoder, order, search->trial);
    search->slowest = fmax(search->slowest, timer_now() - start);
    search->trial->nodes = plan->nodes + 1;
    if (solver_offer(search->env, search->trial, plan))
        memcpy(search->order, order, search->instance->n * sizeof *order);
    plan->nodes = search->trial->nodes;
    return search->trial->peak;
}
