/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "solvers/shipped/tvm.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "lib/problem/instance.h"
#include "lib/problem/solver_env.h"
#include "solvers/fit/ties.h"

bool tvm_applicable(const struct instance *instance, const struct params *params,
                    struct error *reason)
{
    if (params_choice(params, "rounding") == TVM_ROUND_OWN)
        return true;
    for (size_t b = 1; b < instance->n; b++)
        if (instance->buffer[b].alignment != instance->buffer[0].alignment)
            return error_set(reason,
                             "a buffer would get the alignment of the one below: %" PRId64
                             " and %" PRId64 " differ (rounding=own repairs that)",
                             instance->buffer[0].alignment, instance->buffer[b].alignment);
    return true;
}

struct named {
    const char *id;
    size_t index;
};

/* Names are unique, so the order is total.  */
static int by_name_descending(const void *a, const void *b)
{
    const struct named *x = a, *y = b;

    return strcmp(y->id, x->id);
}

/* Sorts the buffers of KEY[0..count), whose keys are equal, by name.  */
static void sort_by_name(const struct instance *instance, struct order_key *key, size_t count)
{
    struct named *named = memory_alloc(count, sizeof *named);

    for (size_t i = 0; i < count; i++)
        named[i] = (struct named){instance->buffer[key[i].index].id, key[i].index};
    qsort(named, count, sizeof *named, by_name_descending);
    for (size_t i = 0; i < count; i++)
        key[i].index = named[i].index;
    free(named);
}

static void sort_ties_by_name(const struct instance *instance, struct order_key *key)
{
    for (size_t i = 0, end; i < instance->n; i = end) {
        for (end = i + 1;
             end < instance->n && key[end].major == key[i].major && key[end].minor == key[i].minor;)
            end++;
        if (end - i > 1)
            sort_by_name(instance, key + i, end - i);
    }
}

/* EQUAL: the buffers, those with equal keys in that order.  */
static struct order_key *sort_buffers(const struct instance *instance, const size_t *equal,
                                      enum tvm_order order)
{
    size_t n = instance->n;
    size_t *conflicts = instance_conflicts(instance);
    struct order_key *key = memory_alloc(n, sizeof *key);

    for (size_t i = 0; i < n; i++) {
        size_t b = equal[i];
        uint64_t size = ~(uint64_t)instance->buffer[b].size, met = ~(uint64_t)conflicts[b];

        key[i] = order == TVM_BY_SIZE ? (struct order_key){size, met, b}
                                      : (struct order_key){met, size, b};
    }
    free(conflicts);
    order_sort(key, n);
    return key;
}

struct order_key *tvm_order(const struct instance *instance, const struct solver_env *env,
                            enum tvm_order order)
{
    size_t *equal = ties_order(env, instance->n, TIES_FIRST);
    struct order_key *key = sort_buffers(instance, equal, order);

    free(equal);
    if (ties_upstream(env))
        sort_ties_by_name(instance, key);
    return key;
}

struct order_key *tvm_published_order(const struct instance *instance, enum tvm_order order)
{
    size_t *equal = memory_alloc(instance->n, sizeof *equal);
    struct order_key *key;

    for (size_t i = 0; i < instance->n; i++)
        equal[i] = i;
    key = sort_buffers(instance, equal, order);
    free(equal);
    sort_ties_by_name(instance, key);
    return key;
}
