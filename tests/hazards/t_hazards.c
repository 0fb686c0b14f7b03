/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans of problems with hazards against exhaustive searches that share nothing with the planners:
 * all offsets of up to four buffers with every feature at once, all orders of up to nine for the
 * peak.  */
#include <config.h>

#include "hazards/planners.h"

#include <math.h>

#include "lib/base/checked.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "tests/support/hazard_case.h"
#include "tests/support/tap.h"

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

/* Heuristics are judged by hazard_plan; and none is better than the best.  */
static bool no_better(const struct hazard_problem *problem, const struct hazard_answer *best)
{
    bool good = true;

    for (size_t i = 0; i < hazard_planner_count && good; i++) {
        struct hazard_answer answer;

        if (hazard_planners[i].exact)
            continue;
        good = plan_by(problem, hazard_planners[i].name, &few_turns, &answer) &&
               (!answer.plan || answer.value.overflow > best->value.overflow ||
                (answer.value.overflow == best->value.overflow &&
                 (problem->objective == HAZARD_COST ? answer.value.cost >= best->value.cost
                                                    : answer.value.peak >= best->value.peak)));
    }
    return good;
}

static void test_all_offsets(unsigned features, const char *what, int rounds)
{
    struct rng *rng = rng_new(1 + features);
    int wrong = 0;

    for (int round = 0; round < rounds && wrong == 0; round++) {
        struct hazard_problem problem;
        struct hazard_answer answer = {0};

        draw_problem(&problem, rng, (size_t)rng_range(rng, 1, 4), features);
        if (!plan_by(&problem, "exact", &no_limits, &answer) || !same_as_all(&problem, &answer) ||
            !no_better(&problem, &answer)) {
            wrong++;
            show_problem(&problem, &answer);
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
        if (!plan_by(&problem, "exact", &no_limits, &answer) || !answer.proven ||
            answer.value.peak != best) {
            wrong++;
            tap_diag("by orders %d", (int)best);
            show_problem(&problem, &answer);
        }
        hazard_problem_clear(&problem);
    }
    is_int(wrong, 0, "%s: %d graphs of up to %d buffers as by all orders", what, rounds, MOST);
    rng_free(rng);
}

int main(void)
{
    test_all_orders(APART, "apart", tap_tier(120, 1500));
    test_all_orders(EXCLUSIVE, "exclusive", tap_tier(120, 1500));
    test_all_orders(TOGETHER, "together", tap_tier(120, 1500));
    test_all_orders(APART | EXCLUSIVE | TOGETHER, "all three", tap_tier(200, 3000));
    test_all_offsets(FIXED | RESERVED | POOLS, "fixed, reserved, pools", tap_tier(50, 250));
    test_all_offsets(APART | EXCLUSIVE | TOGETHER | FIXED | RESERVED, "peaks", tap_tier(100, 400));
    test_all_offsets(COSTS, "costs", tap_tier(150, 1000));
    test_all_offsets(127, "all at once", tap_tier(150, 1000));
    return tap_done();
}
