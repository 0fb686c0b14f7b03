/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include <stdbool.h>
#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "tests/oracles/plain_planners.h"
#include "tests/oracles/plain_pools.h"

/* The free tokens as Relax's multimap has them: by bytes, of equal ones the one
 * that was inserted first.  */
struct token {
    int64_t bytes;
    size_t id;
};

struct pool {
    struct token *token;
    size_t count;
};

static void insert(struct pool *pool, struct token token)
{
    size_t at = pool->count++;

    for (; at > 0 && pool->token[at - 1].bytes > token.bytes; at--)
        pool->token[at] = pool->token[at - 1];
    pool->token[at] = token;
}

static struct token erase(struct pool *pool, size_t at)
{
    struct token token = pool->token[at];

    for (pool->count--; at < pool->count; at++)
        pool->token[at] = pool->token[at + 1];
    return token;
}

/* lower_bound, and upper_bound as that of one more.  */
static size_t lower_bound(const struct pool *pool, __int128 bytes)
{
    size_t at = 0;

    while (at < pool->count && pool->token[at].bytes < bytes)
        at++;
    return at;
}

static struct token request(struct pool *pool, int64_t size, size_t *tokens)
{
    size_t begin = lower_bound(pool, size / 16), mid = lower_bound(pool, size);
    size_t end = lower_bound(pool, (__int128)size * 16 + 1);
    struct token token = {size, *tokens};

    if (mid != end)
        return erase(pool, mid);
    if (mid != begin) {
        token = erase(pool, mid - 1);
        token.bytes = size;
        return token;
    }
    (*tokens)++;
    return token;
}

void plain_relax(const struct instance *instance, struct plan *plan)
{
    size_t *order = plain_order(instance, plain_earlier, false);
    struct pool pool = {memory_alloc(instance->n, sizeof *pool.token), 0};
    struct token *of = memory_alloc(instance->n, sizeof *of);
    bool *released = memory_zalloc(instance->n, sizeof *released);

    plan_use_objects(plan, LAYOUT_OBJECTS);
    plan->objects = 0;
    for (size_t i = 0; i < instance->n; i++) {
        int64_t now = instance->buffer[order[i]].begin;

        for (;;) { /* those that ended, an end after the other */
            size_t next = SIZE_MAX;

            for (size_t j = 0; j < i; j++)
                if (!released[order[j]] && instance->buffer[order[j]].end <= now &&
                    (next == SIZE_MAX ||
                     instance->buffer[order[j]].end < instance->buffer[next].end))
                    next = order[j];
            if (next == SIZE_MAX)
                break;
            insert(&pool, of[next]);
            released[next] = true;
        }
        of[order[i]] = request(&pool, instance->buffer[order[i]].size, &plan->objects);
        plan->object[order[i]] = of[order[i]].id;
    }
    plan_stack_objects(instance, plan);
    free(order);
    free(pool.token);
    free(of);
    free(released);
}
