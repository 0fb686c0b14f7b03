/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "solvers/fit/ties.h"

#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "lib/problem/solver_env.h"

enum { CHOICE_UPSTREAM, CHOICE_INDEX, CHOICE_SHUFFLE };

const struct param_choice ties_choices[] = {
    {"upstream", CHOICE_UPSTREAM}, {"index", CHOICE_INDEX}, {"shuffle", CHOICE_SHUFFLE}, {NULL, 0}};

bool ties_upstream(const struct solver_env *env)
{
    return params_choice(env->params, "ties") == CHOICE_UPSTREAM;
}

size_t *ties_order(const struct solver_env *env, size_t n, enum ties_upstream upstream)
{
    size_t *order = memory_alloc(n, sizeof *order);
    unsigned choice = params_choice(env->params, "ties");

    for (size_t i = 0; i < n; i++)
        order[i] = choice == CHOICE_UPSTREAM && upstream == TIES_LAST ? n - 1 - i : i;
    if (choice == CHOICE_SHUFFLE) {
        struct rng *rng = rng_new(env->seed);

        rng_shuffle(rng, order, n, sizeof *order);
        rng_free(rng);
    }
    return order;
}

size_t *ties_ranks(const struct solver_env *env, size_t n, enum ties_upstream upstream)
{
    size_t *order = ties_order(env, n, upstream), *rank = memory_alloc(n, sizeof *rank);

    for (size_t i = 0; i < n; i++)
        rank[order[i]] = i;
    free(order);
    return rank;
}

struct order_key *ties_sort(const struct instance *instance, const struct solver_env *env,
                            enum ties_upstream upstream, enum greedy_measure major,
                            enum greedy_measure minor)
{
    size_t *order = ties_order(env, instance->n, upstream);
    struct order_key *key = memory_alloc(instance->n, sizeof *key);

    greedy_order(instance, major, minor, order, key);
    free(order);
    return key;
}

struct order_key *ties_sort_thrice(const struct instance *instance, const struct solver_env *env,
                                   enum ties_upstream upstream, enum greedy_measure major,
                                   enum greedy_measure minor, enum greedy_measure least)
{
    struct order_key *key = ties_sort(instance, env, upstream, least, BY_NOTHING);
    size_t *equal = memory_alloc(instance->n, sizeof *equal);

    for (size_t i = 0; i < instance->n; i++)
        equal[i] = key[i].index;
    greedy_order(instance, major, minor, equal, key);
    free(equal);
    return key;
}
