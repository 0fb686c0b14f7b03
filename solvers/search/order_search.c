/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "solvers/search/order_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "lib/problem/search_statistics.h"
#include "lib/problem/solver_env.h"
#include "planner/greedy/order.h"
#include "solvers/fit/decoder.h"

/* The share of the time limit that is used: the clock is looked at before each
 * decoding only, and decodings need not take as long as those before.  */
#define TIME_SHARE 0.98

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
        .deadline = env->time_limit > 0.0 ? timer_now() + TIME_SHARE * env->time_limit : INFINITY,
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

enum start { BY_SIZE, BY_AREA, BY_LENGTH, STARTS };

static uint64_t start_key(const struct buffer *buffer, enum start start)
{
    uint64_t length = lifetime_length(buffer), area;

    if (start == BY_SIZE)
        return ~(uint64_t)buffer->size;
    if (start == BY_LENGTH)
        return ~length;
    return ~(__builtin_mul_overflow(length, (uint64_t)buffer->size, &area) ? UINT64_MAX : area);
}

void order_search_start(struct order_search *search, uint32_t *order)
{
    size_t n = search->instance->n;
    struct order_key *key = memory_alloc(n, sizeof *key);

    for (enum start start = BY_SIZE; start < STARTS; start++) {
        for (size_t b = 0; b < n; b++) {
            const struct buffer *buffer = &search->instance->buffer[b];

            key[b] = (struct order_key){~(uint64_t)buffer->size, ~lifetime_length(buffer), b};
        }
        order_sort(key, n);
        for (size_t i = 0; i < n; i++) {
            key[i].major = start_key(&search->instance->buffer[key[i].index], start);
            key[i].minor = 0;
        }
        order_sort(key, n); /* stable */
        for (size_t i = 0; i < n; i++)
            order[i] = (uint32_t)key[i].index;
        order_search_try(search, order);
    }
    memcpy(order, search->order, n * sizeof *order);
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
    if (search->trial->peak < plan->peak) {
        plan_copy(plan, search->trial);
        memcpy(search->order, order, search->instance->n * sizeof *order);
        if (search->env->incumbent != NULL)
            search->env->incumbent(search->env->context, plan);
    }
    plan->nodes = search->trial->nodes;
    return search->trial->peak;
}
