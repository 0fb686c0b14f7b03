/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/support/hazard_case.h"

#include <dirent.h>
#include <stdlib.h>

#include "hazards/json.h"
#include "lib/base/checked.h"
#include "lib/base/file.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "tests/support/instances.h"
#include "tests/support/tap.h"

static bool alive_at(const struct instance *plain, size_t b, int64_t time)
{
    const struct buffer *buffer = &plain->buffer[b];
    bool alive = false;

    for (size_t i = 0; i < buffer->pieces; i++)
        alive |= plain->piece[buffer->first_piece + i].begin <= time &&
                 time < plain->piece[buffer->first_piece + i].end;
    return alive;
}

/* All times of random instances here are small.  */
enum { LAST_TIME = 12 };

static void find_groups(struct truth *truth, const struct hazard_problem *problem)
{
    for (size_t b = 0; b < truth->n; b++)
        truth->group[b] = b;
    for (size_t round = 0; round < truth->n; round++)
        for (size_t i = 0; i < problem->n_pairs; i++)
            if (problem->pair[i].kind == CONFLICT_TOGETHER) {
                size_t *a = &truth->group[problem->pair[i].a];
                size_t *b = &truth->group[problem->pair[i].b];

                *a = *b = *a < *b ? *a : *b;
            }
}

void find_truth(struct truth *truth, const struct hazard_problem *problem)
{
    *truth = (struct truth){.n = problem->plain->n};
    find_groups(truth, problem);
    for (size_t a = 0; a < truth->n; a++)
        for (size_t b = 0; b < truth->n; b++)
            for (int64_t time = 0; time < LAST_TIME; time++)
                truth->hard[a][b] |=
                    alive_at(problem->plain, a, time) && alive_at(problem->plain, b, time);
    for (size_t i = 0; i < problem->n_pairs; i++) {
        const struct conflict_pair *pair = &problem->pair[i];

        if (pair->kind != CONFLICT_TOGETHER)
            truth->hard[pair->a][pair->b] = truth->hard[pair->b][pair->a] =
                pair->kind == CONFLICT_APART;
    }
    for (size_t i = 0; i < problem->n_costs; i++) {
        const struct reuse_cost *cost = &problem->cost[i];

        truth->cost[cost->a][cost->b] += cost->cost;
        truth->cost[cost->b][cost->a] += cost->cost;
    }
    for (size_t a = 0; a < truth->n; a++)
        for (size_t b = 0; b < truth->n; b++) {
            const bool other_pool = problem->pool[a] != problem->pool[b];

            if (other_pool || truth->group[a] == truth->group[b])
                truth->hard[a][b] = false;
            if (other_pool || truth->group[a] == truth->group[b] || truth->hard[a][b])
                truth->cost[a][b] = 0;
        }
}

/* --- random problems --- */

static void add_buffers(struct hazard_problem *problem, struct rng *rng, size_t n, int64_t sizes)
{
    problem->plain = instance_new("random");
    problem->pool = memory_zalloc(n, sizeof *problem->pool);
    for (size_t b = 0; b < n; b++) {
        const int64_t size = rng_range(rng, 1, sizes),
                      alignment = rng_range(rng, 0, 3) == 0 ? 2 : 1;
        struct piece piece[2];
        size_t pieces = rng_range(rng, 0, 3) == 0 ? 2 : 1;
        int64_t time = rng_range(rng, 0, 4);

        for (size_t i = 0; i < pieces; i++) {
            piece[i] = (struct piece){time, time + rng_range(rng, 1, 3), 0, size, true};
            time = piece[i].end + rng_range(rng, 1, 2);
        }
        add_shape(problem->plain, piece, pieces, alignment);
    }
}

void add_pair(struct hazard_problem *problem, enum conflict_kind kind, size_t a, size_t b)
{
    problem->pair = memory_resize(problem->pair, problem->n_pairs + 1, sizeof *problem->pair);
    problem->pair[problem->n_pairs++] = (struct conflict_pair){kind, a, b};
}

/* Pairs that don't contradict one another: those together first, then of other groups.  */
static void add_pairs(struct hazard_problem *problem, struct rng *rng, unsigned features)
{
    const size_t n = problem->plain->n;
    struct truth truth = {.n = n};

    for (size_t b = 1; b < n; b++)
        if ((features & TOGETHER) != 0 && rng_range(rng, 0, 4) == 0) {
            const size_t a = (size_t)rng_range(rng, 0, (int64_t)b - 1);

            problem->pool[b] = problem->pool[a];
            problem->plain->buffer[b].fixed = -1;
            problem->plain->buffer[b].alignment = 1; /* an offset that is fixed may be odd */
            add_pair(problem, CONFLICT_TOGETHER, a, b);
        }
    find_groups(&truth, problem);
    for (size_t b = 1; b < n; b++)
        for (size_t a = 0; a < b; a++) {
            const int64_t drawn = rng_range(rng, 0, 9);

            if (truth.group[a] == truth.group[b])
                continue;
            if ((features & APART) != 0 && drawn < 2)
                add_pair(problem, CONFLICT_APART, b, a);
            else if ((features & EXCLUSIVE) != 0 && drawn < 5)
                add_pair(problem, CONFLICT_EXCLUSIVE, a, b);
        }
}

static void add_costs(struct hazard_problem *problem, struct rng *rng)
{
    const size_t n = problem->plain->n;

    problem->cost = memory_alloc(n * n, sizeof *problem->cost);
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++)
            if (a != b && rng_range(rng, 0, 3) == 0)
                problem->cost[problem->n_costs++] = (struct reuse_cost){a, b, rng_range(rng, 0, 5)};
}

void add_pools(struct hazard_problem *problem, size_t count)
{
    problem->n_pools = count;
    problem->pools = memory_zalloc(count, sizeof *problem->pools);
    for (size_t p = 0; p < count; p++) {
        problem->pools[p].name = memory_strdup("pool");
        problem->pools[p].capacity = INT64_MAX;
    }
}

static void limit_pools(struct hazard_problem *problem, struct rng *rng, unsigned features,
                        int64_t capacity)
{
    for (size_t p = 0; p < problem->n_pools; p++) {
        struct hazard_pool *pool = &problem->pools[p];

        pool->capacity = rng_range(rng, 2, capacity);
        if ((features & RESERVED) != 0 && rng_range(rng, 0, 1) == 0) {
            const int64_t begin = rng_range(rng, 0, 3);

            pool->reserved = memory_alloc(1, sizeof *pool->reserved);
            pool->reserved[pool->n_reserved++] =
                (struct hazard_range){begin, begin + rng_range(rng, 1, 2)};
        }
    }
}

void draw_problem(struct hazard_problem *problem, struct rng *rng, size_t n, unsigned features)
{
    *problem = (struct hazard_problem){.name = memory_strdup("random")};
    add_buffers(problem, rng, n, (features & COSTS) != 0 ? 3 : 9);
    add_pools(problem, (features & POOLS) != 0 ? 2 : 1);
    limit_pools(problem, rng, features, 2 * (int64_t)n + 2);
    for (size_t b = 0; b < n; b++)
        problem->pool[b] = (size_t)rng_range(rng, 0, (int64_t)problem->n_pools - 1);
    /* Above all that may be reserved, and one only, so that nothing contradicts it.  */
    if ((features & FIXED) != 0 && rng_range(rng, 0, 1) == 0)
        instance_fix(problem->plain, 0, rng_range(rng, 5, 7));
    add_pairs(problem, rng, features);
    sealed(problem->plain);
    if ((features & COSTS) != 0)
        add_costs(problem, rng);
    problem->objective = (features & COSTS) != 0 ? HAZARD_COST : HAZARD_PEAK;
}

/* --- plans --- */

int64_t reserved_end(const struct hazard_problem *problem, size_t p)
{
    const struct hazard_pool *pool = &problem->pools[p];

    return pool->n_reserved > 0 ? pool->reserved[0].end : 0;
}

bool plan_by(const struct hazard_problem *problem, const char *name,
             const struct hazard_limits *limits, struct hazard_answer *answer)
{
    int64_t *offset = memory_zalloc(problem->plain->n, sizeof *offset);
    struct error error;
    const bool good =
        hazard_plan(problem, hazard_planner_named(name, &error), limits, offset, answer, &error);

    if (!good)
        tap_diag("%s: %s", name, error.text);
    memory_free(offset);
    return good;
}

void show_problem(const struct hazard_problem *problem, const struct hazard_answer *answer)
{
    for (size_t b = 0; b < problem->plain->n; b++) {
        const struct buffer *buffer = &problem->plain->buffer[b];

        tap_diag("%s [%d, %d) %zu pieces, %d bytes, alignment %d, fixed %d, pool %zu", buffer->id,
                 (int)buffer->begin, (int)buffer->end, (size_t)buffer->pieces, (int)buffer->size,
                 (int)buffer->alignment, (int)buffer->fixed, problem->pool[b]);
    }
    for (size_t i = 0; i < problem->n_pairs; i++)
        tap_diag("%s %zu %zu", conflict_kind_name(problem->pair[i].kind), problem->pair[i].a,
                 problem->pair[i].b);
    for (size_t i = 0; i < problem->n_costs; i++)
        tap_diag("cost %d: %zu %zu", (int)problem->cost[i].cost, problem->cost[i].a,
                 problem->cost[i].b);
    for (size_t p = 0; p < problem->n_pools; p++)
        tap_diag("pool of %d bytes, reserved [%d, %d)", (int)problem->pools[p].capacity,
                 problem->pools[p].n_reserved > 0 ? (int)problem->pools[p].reserved[0].begin : 0,
                 (int)reserved_end(problem, p));
    tap_diag("plan %d proven %d overflow %d cost %d (%d) peak %d (%d)", answer->plan,
             answer->proven, (int)answer->value.overflow, (int)answer->value.cost,
             (int)answer->cost_bound, (int)answer->value.peak, (int)answer->peak_bound);
}

char *hazard_text(const struct hazard_problem *problem)
{
    char *text;
    size_t length;
    FILE *out = memory_stream(&text, &length);

    if (!hazard_json_write(out, problem))
        tap_bail("can't write");
    memory_stream_close(out);
    return text;
}

void visit_json(const char *folder, void (*visit)(const char *path, void *context), void *context)
{
    struct dirent **entry;
    const int count = scandir(folder, &entry, NULL, alphasort);

    for (int i = 0; i < count; i++) {
        char *path = memory_printf("%s/%s", folder, entry[i]->d_name);

        if (file_is_called(path, ".json"))
            visit(path, context);
        else if (entry[i]->d_name[0] != '.')
            visit_json(path, visit, context);
        memory_free(path);
        free(entry[i]);
    }
    if (count >= 0)
        free(entry);
}
