/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "hazards/problem.h"

#include <inttypes.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"

void hazard_problem_clear(struct hazard_problem *problem)
{
    for (size_t p = 0; p < problem->n_pools; p++) {
        memory_free(problem->pools[p].name);
        memory_free(problem->pools[p].reserved);
    }
    memory_free(problem->pools);
    memory_free(problem->pool);
    memory_free(problem->pair);
    memory_free(problem->cost);
    memory_free(problem->number);
    for (size_t b = 0; problem->label != NULL && b < problem->plain->n; b++)
        memory_free(problem->label[b]);
    memory_free(problem->label);
    memory_free(problem->profile);
    memory_free(problem->name);
    instance_free(problem->plain);
}

/* --- the judge --- */

/* What pairs say of two buffers, as bits of 1 << kind.  */
struct sayings {
    size_t n;
    unsigned char *of; /* of a, b: at a * n + b */
    size_t *group;
};

static void sayings_init(struct sayings *sayings, const struct hazard_problem *problem)
{
    const size_t n = problem->plain->n;

    *sayings = (struct sayings){n, memory_zalloc(n * n, 1), memory_alloc(n, sizeof(size_t))};
    for (size_t b = 0; b < n; b++)
        sayings->group[b] = b;
    for (size_t i = 0; i < problem->n_pairs; i++) {
        const struct conflict_pair *pair = &problem->pair[i];
        const unsigned char bit = (unsigned char)(1U << pair->kind);
        const size_t old = sayings->group[pair->b], new = sayings->group[pair->a];

        sayings->of[pair->a * n + pair->b] |= bit;
        sayings->of[pair->b * n + pair->a] |= bit;
        for (size_t b = 0; pair->kind == CONFLICT_TOGETHER && b < n; b++)
            if (sayings->group[b] == old)
                sayings->group[b] = new;
    }
}

static void sayings_clear(struct sayings *sayings)
{
    memory_free(sayings->of);
    memory_free(sayings->group);
}

static bool live_together(const struct instance *plain, size_t a, size_t b)
{
    const struct buffer *x = &plain->buffer[a], *y = &plain->buffer[b];

    for (size_t i = 0; i < x->pieces; i++)
        for (size_t k = 0; k < y->pieces; k++) {
            const struct piece *p = &plain->piece[x->first_piece + i];
            const struct piece *q = &plain->piece[y->first_piece + k];

            if (p->begin < q->end && q->begin < p->end)
                return true;
        }
    return false;
}

static bool may_not_share(const struct hazard_problem *problem, const struct sayings *sayings,
                          size_t a, size_t b)
{
    const unsigned char said = sayings->of[a * sayings->n + b];

    if ((said & 1U << CONFLICT_APART) != 0)
        return true;
    return sayings->group[a] != sayings->group[b] && (said & 1U << CONFLICT_EXCLUSIVE) == 0 &&
           live_together(problem->plain, a, b);
}

static bool share_bytes(const struct hazard_problem *problem, const int64_t *offset, size_t a,
                        size_t b)
{
    const struct buffer *buffer = problem->plain->buffer;

    return problem->pool[a] == problem->pool[b] && offset[a] < offset[b] + buffer[b].size &&
           offset[b] < offset[a] + buffer[a].size;
}

static bool check_offset(const struct hazard_problem *problem, size_t b, int64_t offset,
                         struct error *error)
{
    const struct buffer *buffer = &problem->plain->buffer[b];
    const struct hazard_pool *pool = &problem->pools[problem->pool[b]];
    int64_t end;

    if (offset < 0 || !checked_add(offset, buffer->size, &end))
        return error_set(error, "buffer '%s': offset %" PRId64 " is none", buffer->id, offset);
    if (offset % buffer->alignment != 0)
        return error_set(error,
                         "buffer '%s': offset %" PRId64 " is no multiple of alignment %" PRId64,
                         buffer->id, offset, buffer->alignment);
    if (buffer->fixed >= 0 && offset != buffer->fixed)
        return error_set(error, "buffer '%s': offset %" PRId64 ", but it is fixed at %" PRId64,
                         buffer->id, offset, buffer->fixed);
    for (size_t i = 0; i < pool->n_reserved; i++)
        if (offset < pool->reserved[i].end && pool->reserved[i].begin < end)
            return error_set(error,
                             "buffer '%s' at [%" PRId64 ", %" PRId64 ") reaches into [%" PRId64
                             ", %" PRId64 "), which is reserved",
                             buffer->id, offset, end, pool->reserved[i].begin,
                             pool->reserved[i].end);
    return true;
}

static bool check_pair(const struct hazard_problem *problem, const struct sayings *sayings,
                       const int64_t *offset, size_t a, size_t b, struct error *error)
{
    const struct buffer *buffer = problem->plain->buffer;

    if ((sayings->of[a * sayings->n + b] & 1U << CONFLICT_TOGETHER) != 0 &&
        (offset[a] != offset[b] || problem->pool[a] != problem->pool[b]))
        return error_set(error,
                         "buffers '%s' at %" PRId64 " and '%s' at %" PRId64 " have to be together",
                         buffer[a].id, offset[a], buffer[b].id, offset[b]);
    if (share_bytes(problem, offset, a, b) && may_not_share(problem, sayings, a, b))
        return error_set(error,
                         "buffers '%s' at [%" PRId64 ", %" PRId64 ") and '%s' at [%" PRId64
                         ", %" PRId64 ") conflict, but overlap",
                         buffer[a].id, offset[a], offset[a] + buffer[a].size, buffer[b].id,
                         offset[b], offset[b] + buffer[b].size);
    return true;
}

int64_t hazard_reserved_end(const struct hazard_pool *pool)
{
    int64_t end = 0;

    for (size_t i = 0; i < pool->n_reserved; i++)
        end = max64(end, pool->reserved[i].end);
    return end;
}

int64_t hazard_pool_peak(const struct hazard_problem *problem, size_t p, const int64_t *offset)
{
    int64_t peak = hazard_reserved_end(&problem->pools[p]);

    for (size_t b = 0; b < problem->plain->n; b++)
        if (problem->pool[b] == p)
            peak = max64(peak, offset[b] + problem->plain->buffer[b].size);
    return peak;
}

static struct hazard_value value_of(const struct hazard_problem *problem,
                                    const struct sayings *sayings, const int64_t *offset)
{
    struct hazard_value value = {0};

    for (size_t p = 0; p < problem->n_pools; p++) {
        const int64_t peak = hazard_pool_peak(problem, p, offset);

        value.peak = capped_add(value.peak, peak);
        value.overflow = capped_add(value.overflow, max64(peak - problem->pools[p].capacity, 0));
    }
    for (size_t i = 0; i < problem->n_costs; i++) {
        const struct reuse_cost *cost = &problem->cost[i];

        if (share_bytes(problem, offset, cost->a, cost->b) &&
            sayings->group[cost->a] != sayings->group[cost->b])
            value.cost = capped_add(value.cost, cost->cost);
    }
    return value;
}

bool hazard_verify(const struct hazard_problem *problem, const int64_t *offset,
                   struct hazard_value *value, struct error *error)
{
    const size_t n = problem->plain->n;
    struct sayings sayings;
    bool good = true;

    for (size_t b = 0; b < n; b++)
        if (!check_offset(problem, b, offset[b], error))
            return false;
    sayings_init(&sayings, problem);
    for (size_t a = 0; a < n && good; a++)
        for (size_t b = a + 1; b < n && good; b++)
            good = check_pair(problem, &sayings, offset, a, b, error);
    if (good)
        *value = value_of(problem, &sayings, offset);
    sayings_clear(&sayings);
    return good;
}
