/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The instance that pairs of buffers make: its conflicts are those of the definition, also of
 * partial orders, and gap_place puts buffers with several lives down as first fit does, arc by
 * arc.  */
#include <config.h>

#include "lib/problem/conflicts.h"

#include <string.h>

#include "hazards/greedy.h"
#include "hazards/part.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/judge/verify.h"
#include "lib/place/gap_index.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "solvers/solver.h"
#include "tests/support/hazard_case.h"
#include "tests/support/instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"

/* --- the instance that pairs make --- */

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
                good = lives_meet(instance, buffer_of[a], buffer_of[b]);
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
            show_problem(&problem, &(struct hazard_answer){0});
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
    add_pools(problem, 1);
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

/* --- planners that say that they know pairs --- */

/* What the harness gives them: the pieces, or as high as the buffer is.  */
static bool keeps_pairs(const struct solver *solver, const struct instance *instance)
{
    struct instance *seen =
        (solver->capabilities & SOLVER_SHAPES) != 0 ? NULL : instance_joined_in_bytes(instance);
    const struct solver_limits limits = {1, 2000, 0.05};
    struct plan *plan = plan_new(instance);
    struct solver_run run;
    struct error error;
    bool good;

    run = solver_run_into(solver->name, seen != NULL ? seen : instance, &limits, plan);
    plan->peak = plan_peak(instance, plan);
    good = run.outcome == OUTCOME_CRASHED || run.outcome == OUTCOME_TIMEOUT ||
           run.outcome == OUTCOME_SKIPPED || verify_plan(instance, plan, &error);
    if (!good)
        tap_diag("%s: %s", solver->name, error.text);
    plan_free(plan);
    instance_free(seen);
    return good;
}

static void test_planners(int rounds)
{
    struct rng *rng = rng_new(6);
    int wrong = 0, planners = 0;

    for (int round = 0; round < rounds; round++) {
        struct hazard_problem problem;
        size_t buffer_of[MOST];
        struct instance *instance;

        draw_problem(&problem, rng, (size_t)rng_range(rng, 2, MOST), APART | EXCLUSIVE | TOGETHER);
        instance = conflicts_apply(problem.plain, problem.pair, problem.n_pairs, buffer_of, NULL);
        planners = 0;
        for (const struct solver_entry *e = solver_registry; e->solver != NULL; e++)
            if ((e->solver->capabilities & SOLVER_PAIRS) != 0) {
                planners++;
                wrong += !keeps_pairs(e->solver, instance);
            }
        instance_free(instance);
        hazard_problem_clear(&problem);
    }
    ok(planners > 20, "%d planners say that they know pairs", planners);
    is_int(wrong, 0, "and each has valid plans of %d graphs", rounds);
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
            good = lives_meet(instance, buffer_of[a], buffer_of[b]) !=
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

/* The judge takes no pair that is apart for one that may share bytes because it is together.  */
static void test_contradiction(void)
{
    const int64_t offset[] = {0, 0};
    struct hazard_problem problem = {.name = memory_strdup("two"),
                                     .plain = instance_of_rows("a 0 1 4; b 0 1 4"),
                                     .pool = memory_zalloc(2, sizeof *problem.pool)};
    struct hazard_value value;
    struct error error;

    add_pools(&problem, 1);
    add_pair(&problem, CONFLICT_TOGETHER, 0, 1);
    ok(hazard_verify(&problem, offset, &value, &error), "what is together shares bytes");
    add_pair(&problem, CONFLICT_APART, 0, 1);
    ok(!hazard_verify(&problem, offset, &value, &error), "what is apart as well does not");
    hazard_problem_clear(&problem);
}

int main(void)
{
    test_contradiction();
    test_by_hand();
    test_contradictions();
    test_instances(tap_tier(2000, 20000));
    test_gaps(tap_tier(200, 2000));
    test_planners(tap_tier(10, 60));
    test_orders(tap_tier(1000, 10000));
    return tap_done();
}
