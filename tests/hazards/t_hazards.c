/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conflicts beyond one clock, and costs of reuse, against the definition and exhaustive searches
 * that share nothing with the planners: all offsets of up to four buffers with every feature at
 * once, all orders of up to nine for the peak.  */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hazards/greedy.h"
#include "hazards/part.h"
#include "hazards/planners.h"
#include "hazards/problem.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/judge/verify.h"
#include "lib/place/gap_index.h"
#include "lib/problem/conflicts.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "tests/support/instances.h"
#include "tests/support/tap.h"

enum { MOST = 9 };

/* --- the definition, once more --- */

/* Who may not share a byte, and what is paid where two do.  */
struct truth {
    size_t n;
    bool hard[MOST][MOST];
    size_t group[MOST]; /* the first of those that a buffer is together with */
    int64_t cost[MOST][MOST];
};

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

static void find_truth(struct truth *truth, const struct hazard_problem *problem)
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

enum { TOGETHER = 1, EXCLUSIVE = 2, APART = 4, FIXED = 8, RESERVED = 16, POOLS = 32, COSTS = 64 };

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

static void add_pair(struct hazard_problem *problem, enum conflict_kind kind, size_t a, size_t b)
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

static void add_pools(struct hazard_problem *problem, struct rng *rng, unsigned features,
                      int64_t capacity)
{
    problem->n_pools = (features & POOLS) != 0 ? 2 : 1;
    problem->pools = memory_zalloc(problem->n_pools, sizeof *problem->pools);
    for (size_t p = 0; p < problem->n_pools; p++) {
        struct hazard_pool *pool = &problem->pools[p];

        pool->name = memory_strdup("pool");
        pool->capacity = rng_range(rng, 2, capacity);
        if ((features & RESERVED) != 0 && rng_range(rng, 0, 1) == 0) {
            const int64_t begin = rng_range(rng, 0, 3);

            pool->reserved = memory_alloc(1, sizeof *pool->reserved);
            pool->reserved[pool->n_reserved++] =
                (struct hazard_range){begin, begin + rng_range(rng, 1, 2)};
        }
    }
}

static void draw_problem(struct hazard_problem *problem, struct rng *rng, size_t n,
                         unsigned features)
{
    *problem = (struct hazard_problem){.name = memory_strdup("random")};
    add_buffers(problem, rng, n, (features & COSTS) != 0 ? 3 : 9);
    add_pools(problem, rng, features, 2 * (int64_t)n + 2);
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

/* --- all offsets --- */

struct exhaustive {
    const struct hazard_problem *problem;
    struct truth truth;
    int64_t capacity[2]; /* no plan ends above it */
    int64_t offset[MOST], cost, best;
};

static bool may_lie(const struct exhaustive *all, size_t b, int64_t offset)
{
    const struct buffer *buffer = all->problem->plain->buffer;
    const struct hazard_pool *pool = &all->problem->pools[all->problem->pool[b]];

    if (offset % buffer[b].alignment != 0 || (buffer[b].fixed >= 0 && offset != buffer[b].fixed))
        return false;
    for (size_t i = 0; i < pool->n_reserved; i++)
        if (offset < pool->reserved[i].end && pool->reserved[i].begin < offset + buffer[b].size)
            return false;
    for (size_t a = 0; a < b; a++)
        if ((all->truth.group[a] == all->truth.group[b] && all->offset[a] != offset) ||
            (all->truth.hard[a][b] && all->offset[a] < offset + buffer[b].size &&
             offset < all->offset[a] + buffer[a].size))
            return false;
    return true;
}

static int64_t paid(const struct exhaustive *all, size_t b)
{
    const struct buffer *buffer = all->problem->plain->buffer;
    int64_t cost = 0;

    for (size_t a = 0; a < b; a++)
        if (all->offset[a] < all->offset[b] + buffer[b].size &&
            all->offset[b] < all->offset[a] + buffer[a].size)
            cost += all->truth.cost[a][b];
    return cost;
}

static void try_all(struct exhaustive *all, size_t b)
{
    const struct hazard_problem *problem = all->problem;

    if (all->cost >= all->best)
        return;
    if (b == problem->plain->n) {
        all->best = all->cost;
        return;
    }
    for (int64_t o = 0; o + problem->plain->buffer[b].size <= all->capacity[problem->pool[b]];
         o++) {
        int64_t cost;

        if (!may_lie(all, b, o))
            continue;
        all->offset[b] = o;
        cost = paid(all, b);
        all->cost += cost;
        try_all(all, b + 1);
        all->cost -= cost;
    }
}

/* The least cost where pool P has capacity CAPACITY[P]; INT64_MAX: nothing fits.  */
static int64_t least_cost(struct exhaustive *all, int64_t first, int64_t second)
{
    all->capacity[0] = first;
    all->capacity[1] = second;
    all->cost = 0;
    all->best = INT64_MAX;
    try_all(all, 0);
    return all->best;
}

/* The least peak of pool P alone.  */
static int64_t least_peak(struct exhaustive *all, size_t p)
{
    for (int64_t peak = 0;; peak++)
        if (least_cost(all, p == 0 ? peak : 100, p == 0 ? 100 : peak) < INT64_MAX)
            return peak;
}

static int64_t reserved_end(const struct hazard_problem *problem, size_t p)
{
    const struct hazard_pool *pool = &problem->pools[p];

    return pool->n_reserved > 0 ? pool->reserved[0].end : 0;
}

static bool same_as_all(const struct hazard_problem *problem, const struct hazard_answer *answer)
{
    struct exhaustive all = {.problem = problem};
    int64_t peak[2] = {0}, room[2] = {0}, overflow = 0, sum = 0, cost;

    find_truth(&all.truth, problem);
    for (size_t p = 0; p < problem->n_pools; p++) {
        peak[p] = max64(least_peak(&all, p), reserved_end(problem, p));
        room[p] = max64(peak[p], problem->pools[p].capacity);
        overflow += max64(peak[p] - problem->pools[p].capacity, 0);
        sum += peak[p];
    }
    if (problem->objective == HAZARD_PEAK)
        return answer->proven && answer->value.peak == sum && answer->peak_bound == sum &&
               answer->value.overflow == overflow;
    cost = least_cost(&all, room[0], room[1]);
    return answer->proven && answer->value.overflow == overflow && answer->value.cost == cost &&
           answer->cost_bound == cost;
}

static const struct hazard_limits no_limits = {INFINITY, INT64_MAX, 1};
static const struct hazard_limits few_turns = {INFINITY, 300, 1};

static bool plan(const struct hazard_problem *problem, const char *name,
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

/* Heuristics are judged by hazard_plan; and none is better than the best.  */
static bool no_better(const struct hazard_problem *problem, const struct hazard_answer *best)
{
    bool good = true;

    for (size_t i = 0; i < hazard_planner_count && good; i++) {
        struct hazard_answer answer;

        if (hazard_planners[i].exact)
            continue;
        good = plan(problem, hazard_planners[i].name, &few_turns, &answer) &&
               (!answer.plan || answer.value.overflow > best->value.overflow ||
                (answer.value.overflow == best->value.overflow &&
                 (problem->objective == HAZARD_COST ? answer.value.cost >= best->value.cost
                                                    : answer.value.peak >= best->value.peak)));
    }
    return good;
}

static void show(const struct hazard_problem *problem, const struct hazard_answer *answer)
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

static void test_all_offsets(unsigned features, const char *what, int rounds)
{
    struct rng *rng = rng_new(1 + features);
    int wrong = 0;

    for (int round = 0; round < rounds && wrong == 0; round++) {
        struct hazard_problem problem;
        struct hazard_answer answer = {0};

        draw_problem(&problem, rng, (size_t)rng_range(rng, 1, 4), features);
        if (!plan(&problem, "exact", &no_limits, &answer) || !same_as_all(&problem, &answer) ||
            !no_better(&problem, &answer)) {
            wrong++;
            show(&problem, &answer);
        }
        hazard_problem_clear(&problem);
    }
    is_int(wrong, 0, "%s: %d problems as by all offsets, no planner better", what, rounds);
    rng_free(rng);
}

/* --- all orders --- */

/* How much of group A is in the way of group B.  */
static int64_t height(const struct hazard_problem *problem, const struct truth *truth, size_t a,
                      size_t b)
{
    int64_t most = 0;

    for (size_t x = 0; x < truth->n; x++)
        for (size_t y = 0; y < truth->n; y++)
            if (truth->group[x] == a && truth->group[y] == b && truth->hard[x][y])
                most = max64(most, problem->plain->buffer[x].size);
    return most;
}

struct orders {
    size_t n;
    int64_t height[MOST][MOST], size[MOST], alignment[MOST], offset[MOST], best;
    bool placed[MOST];
};

/* Each on top of all that is there and in its way: some order gives a best plan.  */
static void try_orders(struct orders *orders, size_t depth, int64_t peak)
{
    if (peak >= orders->best)
        return;
    if (depth == orders->n) {
        orders->best = peak;
        return;
    }
    for (size_t b = 0; b < orders->n; b++) {
        int64_t start = 0;

        if (orders->placed[b])
            continue;
        for (size_t a = 0; a < orders->n; a++)
            if (orders->placed[a] && orders->height[a][b] > 0)
                start = max64(start, orders->offset[a] + orders->height[a][b]);
        orders->offset[b] = align_up(start, orders->alignment[b]);
        orders->placed[b] = true;
        try_orders(orders, depth + 1, max64(peak, orders->offset[b] + orders->size[b]));
        orders->placed[b] = false;
    }
}

static int64_t best_order(const struct hazard_problem *problem)
{
    struct orders orders = {.best = INT64_MAX};
    struct truth truth;
    size_t head[MOST];

    find_truth(&truth, problem);
    for (size_t b = 0; b < truth.n; b++) {
        size_t *g = &orders.n;

        if (truth.group[b] != b)
            continue;
        head[*g] = b;
        orders.alignment[*g] = 1;
        for (size_t c = 0; c < truth.n; c++)
            if (truth.group[c] == b) {
                const struct buffer *buffer = &problem->plain->buffer[c];

                orders.size[*g] = max64(orders.size[*g], buffer->size);
                checked_lcm(orders.alignment[*g], buffer->alignment, &orders.alignment[*g]);
            }
        ++*g;
    }
    for (size_t g = 0; g < orders.n; g++)
        for (size_t h = 0; h < orders.n; h++)
            orders.height[g][h] = height(problem, &truth, head[g], head[h]);
    try_orders(&orders, 0, 0);
    return orders.best;
}

static void test_all_orders(unsigned features, const char *what, int rounds)
{
    struct rng *rng = rng_new(500 + features);
    int wrong = 0;

    for (int round = 0; round < rounds && wrong == 0; round++) {
        struct hazard_problem problem;
        struct hazard_answer answer = {0};
        int64_t best;

        draw_problem(&problem, rng, (size_t)rng_range(rng, 2, MOST), features);
        best = best_order(&problem);
        if (!plan(&problem, "exact", &no_limits, &answer) || !answer.proven ||
            answer.value.peak != best) {
            wrong++;
            tap_diag("by orders %d", (int)best);
            show(&problem, &answer);
        }
        hazard_problem_clear(&problem);
    }
    is_int(wrong, 0, "%s: %d graphs of up to %d buffers as by all orders", what, rounds, MOST);
    rng_free(rng);
}

/* --- the instance that pairs make --- */

/* Whether two buffers of it have a step in common.  */
static bool meet(const struct instance *instance, size_t a, size_t b)
{
    const struct buffer *x = &instance->buffer[a], *y = &instance->buffer[b];

    for (size_t i = 0; i < x->pieces; i++)
        for (size_t k = 0; k < y->pieces; k++) {
            const struct piece *p = &instance->piece[x->first_piece + i];
            const struct piece *q = &instance->piece[y->first_piece + k];

            if (p->begin < q->end && q->begin < p->end)
                return true;
        }
    return false;
}

/* Any offsets are a plan of the instance exactly if the judge of hazards says so.  */
static bool judged_alike(const struct hazard_problem *problem, const struct instance *instance,
                         const size_t *buffer_of, struct rng *rng)
{
    struct plan *drawn = plan_new(instance);
    int64_t offset[MOST];
    struct hazard_value value;
    bool alike;

    for (size_t b = 0; b < instance->n; b++)
        drawn->offset[b] = instance->buffer[b].alignment * rng_range(rng, 0, 20);
    for (size_t b = 0; b < problem->plain->n; b++)
        offset[b] = drawn->offset[buffer_of[b]];
    drawn->peak = plan_peak(instance, drawn);
    alike = verify_plan(instance, drawn, NULL) == hazard_verify(problem, offset, &value, NULL);
    plan_free(drawn);
    return alike;
}

static bool right_instance(const struct hazard_problem *problem, struct rng *rng)
{
    size_t buffer_of[MOST];
    struct instance *instance =
        conflicts_apply(problem->plain, problem->pair, problem->n_pairs, buffer_of, NULL);
    struct truth truth;
    bool good = instance != NULL;

    find_truth(&truth, problem);
    for (size_t a = 0; a < truth.n && good; a++)
        for (size_t b = 0; b < truth.n && good; b++) {
            good = (buffer_of[a] == buffer_of[b]) == (truth.group[a] == truth.group[b]);
            if (good && truth.group[a] != truth.group[b] && truth.hard[a][b])
                good = meet(instance, buffer_of[a], buffer_of[b]);
        }
    for (int i = 0; i < 30 && good; i++)
        good = judged_alike(problem, instance, buffer_of, rng);
    instance_free(instance);
    return good;
}

static void test_instances(int rounds)
{
    struct rng *rng = rng_new(3);
    int wrong = 0;

    for (int round = 0; round < rounds && wrong == 0; round++) {
        struct hazard_problem problem;

        draw_problem(&problem, rng, (size_t)rng_range(rng, 1, MOST),
                     (unsigned)rng_range(rng, 0, 7));
        if (!right_instance(&problem, rng)) {
            wrong++;
            show(&problem, &(struct hazard_answer){0});
        }
        hazard_problem_clear(&problem);
    }
    is_int(wrong, 0, "%d instances of pairs have the conflicts of the definition", rounds);
    rng_free(rng);
}

/* --- gaps between lives --- */

/* N lives, no two of one size, and pairs.  */
static void draw_many(struct hazard_problem *problem, struct rng *rng, size_t n)
{
    *problem = (struct hazard_problem){.name = memory_strdup("many")};
    problem->plain = instance_new("many");
    problem->pool = memory_zalloc(n, sizeof *problem->pool);
    add_pools(problem, rng, 0, 10);
    problem->pools[0].capacity = INT64_MAX;
    for (size_t b = 0; b < n; b++) {
        const int64_t begin = rng_range(rng, 0, 60), size = 64 * rng_range(rng, 1, 40);

        add_buffer(problem->plain, begin, begin + rng_range(rng, 1, 30), size + (int64_t)b,
                   rng_range(rng, 1, 4));
        for (size_t a = 0; a < b; a++)
            if (rng_range(rng, 0, 5) == 0)
                add_pair(problem, rng_range(rng, 0, 1) == 0 ? CONFLICT_APART : CONFLICT_EXCLUSIVE,
                         a, b);
    }
    sealed(problem->plain);
}

/* gap_place, which knows several lives of a buffer, and first fit, which asks each arc.  */
static bool placed_alike(const struct hazard_problem *problem)
{
    struct order_key *key = memory_alloc(problem->plain->n, sizeof *key);
    size_t *buffer_of = memory_alloc(problem->plain->n, sizeof *buffer_of);
    struct instance *instance =
        conflicts_apply(problem->plain, problem->pair, problem->n_pairs, buffer_of, NULL);
    struct plan *gaps = plan_new(instance);
    struct hazard_part part;
    int64_t *offset;
    bool same;

    for (size_t b = 0; b < instance->n; b++)
        key[b] = (struct order_key){key_descending(instance->buffer[b].size), 0, b};
    order_sort(key, instance->n);
    gap_place(instance, key, FIT_FIRST, gaps);
    if (!hazard_part_init(&part, problem, 0, NULL))
        tap_bail("pairs");
    offset = memory_alloc(part.nodes, sizeof *offset);
    hazard_first_fit(&part, NULL, offset);
    same = memcmp(offset, gaps->offset, part.nodes * sizeof *offset) == 0 &&
           verify_plan(instance, gaps, NULL);
    memory_free(offset);
    memory_free(key);
    memory_free(buffer_of);
    hazard_part_clear(&part);
    plan_free(gaps);
    instance_free(instance);
    return same;
}

static void test_gaps(int rounds)
{
    struct rng *rng = rng_new(5);
    int wrong = 0;

    for (int round = 0; round < rounds; round++) {
        struct hazard_problem problem;

        draw_many(&problem, rng, (size_t)rng_range(rng, 1, 50));
        wrong += !placed_alike(&problem);
        hazard_problem_clear(&problem);
    }
    is_int(wrong, 0, "%d graphs of up to 50 buffers are placed as arc by arc", rounds);
    rng_free(rng);
}

/* --- partial orders --- */

/* Lives from one event to another of a random partial order; two conflict unless one ends before,
 * or as, the other begins.  */
struct order {
    size_t events;
    bool before[2 * MOST][2 * MOST];
};

static void draw_order(struct order *order, struct rng *rng, size_t n)
{
    *order = (struct order){.events = 2 * n};
    for (size_t i = 0; i < 2 * n; i++)
        for (size_t k = i + 1; k < 2 * n; k++)
            order->before[i][k] = rng_range(rng, 0, 3) == 0;
    for (size_t m = 0; m < 2 * n; m++)
        for (size_t i = 0; i < 2 * n; i++)
            for (size_t k = 0; k < 2 * n; k++)
                order->before[i][k] |= order->before[i][m] && order->before[m][k];
}

/* Events stand in an order that extends the partial one: times are their numbers.  */
static bool right_order(struct rng *rng)
{
    const size_t n = (size_t)rng_range(rng, 2, MOST);
    struct hazard_problem problem = {.name = NULL};
    struct order order;
    size_t from[MOST], to[MOST], buffer_of[MOST];
    struct instance *instance;
    bool good;

    draw_order(&order, rng, n);
    problem.plain = instance_new("order");
    for (size_t b = 0; b < n; b++) {
        from[b] = (size_t)rng_range(rng, 0, 2 * (int64_t)n - 2);
        to[b] = (size_t)rng_range(rng, (int64_t)from[b] + 1, 2 * (int64_t)n - 1);
        add_buffer(problem.plain, (int64_t)from[b], (int64_t)to[b], rng_range(rng, 1, 9), 1);
    }
    sealed(problem.plain);
    for (size_t b = 0; b < n; b++)
        for (size_t a = 0; a < b; a++) {
            const bool ordered = to[a] == from[b] || to[b] == from[a] ||
                                 order.before[to[a]][from[b]] || order.before[to[b]][from[a]];

            if (!ordered && (to[a] <= from[b] || to[b] <= from[a]))
                add_pair(&problem, CONFLICT_APART, a, b);
        }
    instance = conflicts_apply(problem.plain, problem.pair, problem.n_pairs, buffer_of, NULL);
    good = instance != NULL;
    for (size_t b = 0; b < n && good; b++)
        for (size_t a = 0; a < b && good; a++)
            good = meet(instance, buffer_of[a], buffer_of[b]) !=
                   (to[a] == from[b] || to[b] == from[a] || order.before[to[a]][from[b]] ||
                    order.before[to[b]][from[a]]);
    instance_free(instance);
    hazard_problem_clear(&problem);
    return good;
}

static void test_orders(int rounds)
{
    struct rng *rng = rng_new(4);
    int wrong = 0;

    for (int round = 0; round < rounds; round++)
        wrong += !right_order(rng);
    is_int(wrong, 0, "%d partial orders: a linear extension and pairs apart conflict alike",
           rounds);
    rng_free(rng);
}

/* --- by hand --- */

/* Two branches of which one runs, on one stream: a b | c d, then e on another stream, unordered
 * with b.  */
static void test_by_hand(void)
{
    struct instance *plain = instance_of_rows("a 0 2 4; b 1 3 3; c 0 2 5; d 1 3 2; e 4 5 6");
    const struct conflict_pair pair[] = {
        {CONFLICT_EXCLUSIVE, 0, 2}, {CONFLICT_EXCLUSIVE, 0, 3}, {CONFLICT_EXCLUSIVE, 1, 2},
        {CONFLICT_EXCLUSIVE, 1, 3}, {CONFLICT_APART, 4, 1},
    };
    size_t buffer_of[5];
    struct instance *instance = conflicts_apply(plain, pair, 5, buffer_of, NULL);

    is_int(plain->load, 14, "by the clock alone all four are alive at once");
    is_int(instance->load, 9, "with branches and streams b and e are the largest clique");
    instance_free(instance);
    instance_free(plain);
}

static void test_contradictions(void)
{
    struct instance *plain = instance_of_rows("a 0 2 4; b 1 3 3; c 0 2 5; d 1 3 2");
    static const struct {
        size_t count;
        struct conflict_pair pair[3];
        const char *message;
    } row[] = {
        {1, {{CONFLICT_APART, 1, 1}}, "buffer 'b' is apart with itself; expected two buffers"},
        {2,
         {{CONFLICT_APART, 0, 1}, {CONFLICT_EXCLUSIVE, 1, 0}},
         "buffers 'b' and 'a' are exclusive, and apart"},
        {3,
         {{CONFLICT_TOGETHER, 0, 1}, {CONFLICT_TOGETHER, 2, 1}, {CONFLICT_APART, 2, 0}},
         "buffers 'c' and 'a' are apart, and together"},
    };
    size_t buffer_of[4];
    struct error error;

    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        error.text[0] = '\0';
        ok(conflicts_apply(plain, row[i].pair, row[i].count, buffer_of, &error) == NULL, "refused");
        is_text(error.text, row[i].message, "both are named");
    }
    instance_free(plain);
}

int main(void)
{
    test_by_hand();
    test_contradictions();
    test_instances(tap_tier(2000, 20000));
    test_gaps(tap_tier(200, 2000));
    test_orders(tap_tier(1000, 10000));
    test_all_orders(APART, "apart", tap_tier(300, 4000));
    test_all_orders(EXCLUSIVE, "exclusive", tap_tier(300, 4000));
    test_all_orders(TOGETHER, "together", tap_tier(300, 4000));
    test_all_orders(APART | EXCLUSIVE | TOGETHER, "all three", tap_tier(500, 8000));
    test_all_offsets(FIXED | RESERVED | POOLS, "fixed, reserved, pools", tap_tier(200, 2000));
    test_all_offsets(APART | EXCLUSIVE | TOGETHER | FIXED | RESERVED, "peaks", tap_tier(300, 3000));
    test_all_offsets(COSTS, "costs", tap_tier(300, 3000));
    test_all_offsets(127, "all at once", tap_tier(500, 5000));
    return tap_done();
}
