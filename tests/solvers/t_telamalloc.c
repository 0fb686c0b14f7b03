/* SPDX-License-Identifier: GPL-3.0-or-later */
/* telamalloc: by hand; what it promises; limits; the same plans as a plain one.  */
#include <config.h>

#include "lib/base/checked.h"
#include "lib/base/rng.h"
#include "lib/place/time_parts.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "tests/support/golden.h"
#include "tests/support/instances.h"
#include "tests/support/random_instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"

/* The example in its head comment.  */
static void by_hand(void)
{
    static const struct record row[] = {{0, 3, 2}, {0, 2, 3}, {1, 4, 4}, {3, 5, 5}};
    static const int64_t offset[] = {4, 6, 0, 4};
    struct instance *instance = golden_instance("by hand", row, 4, 0, 1);
    struct solver_run run = solver_run("telamalloc", instance, 1, 0);

    golden_offsets("telamalloc", instance, offset);
    is_int(run.nodes, 4, "each buffer is placed once");
    is_int(run.statistics.count[STATISTIC_EVICTIONS], 0, "and none is evicted");
    instance_free(instance);
}

/* b, d, c and a come in this order: 0, 1, 2 and, above 7 bytes, 3.  a could have the place of b
 * and c, which meet six, or on b that of c alone, which meets three; c then goes on top.  */
static void one_eviction(void)
{
    static const struct record row[] = {{0, 1, 5}, {0, 3, 1}, {0, 2, 1}, {1, 4, 1}};
    static const int64_t offset[] = {1, 0, 6, 1};
    struct instance *instance = golden_instance("one eviction", row, 4, 0, 1);
    struct solver_run run = solver_run("telamalloc", instance, 1, 0);

    golden_offsets("telamalloc", instance, offset);
    is_int(run.nodes, 4 + 5, "first fit, then one of four is placed twice");
    is_int(run.statistics.count[STATISTIC_EVICTIONS], 1, "as it is evicted");
    instance_free(instance);
}

/* The smallest instance with an optimum above its load: no number of evictions gets there.  */
static void evicts(void)
{
    struct instance *instance = gap_gadget(1);
    struct solver_run run = solver_run("telamalloc", instance, 1, 0);

    is_int(run.peak, 5, "the gadget's optimum, above its load of 4");
    is_int(run.outcome, OUTCOME_FEASIBLE, "which it does not prove");
    is_int(run.bound, 0, "nor says anything of");
    ok(run.statistics.count[STATISTIC_EVICTIONS] > 4 * (int64_t)instance->n,
       "4 bytes were given up after evictions");
    instance_free(instance);
}

static struct plan *first_fit(const struct instance *instance)
{
    struct plan *plan = plan_new(instance);

    solver_run_into("telamalloc", instance, &(struct solver_limits){.seed = 1, .work = 1}, plan);
    return plan;
}

/* Against its own first plan, which a work limit of one leaves.  */
static void promises(void)
{
    struct rng *rng = rng_new(2023);
    int rounds = tap_tier(4, 20), good = 0, better = 0, same = 0, all = 0;

    for (int round = 0; round < rounds; round++)
        for (int kind = 0; kind < RANDOM_KINDS; kind++, all++) {
            size_t n = (size_t)rng_range(rng, 1, 60);
            struct instance *instance = random_instance(rng, (enum random_kind)kind, n);
            struct plan *first = first_fit(instance);
            struct solver_run run = solver_run("telamalloc", instance, 3, 5000);
            struct solver_run again = solver_run("telamalloc", instance, 3, 5000);

            good += run.valid && run.streamed && run.peak <= first->peak &&
                    run.first_peak == first->peak && run.nodes <= 5000;
            better += run.peak < first->peak;
            same += run.offsets == again.offsets && run.nodes == again.nodes;
            plan_free(first);
            instance_free(instance);
        }
    is_int(good, all, "it streams ever better plans from first fit on, within the limit");
    ok(better > all / 2, "evictions make %d of %d plans better", better, all);
    is_int(same, all, "same seed and work limit, same plan");
    rng_free(rng);
}

static void times_out(void)
{
    struct instance *instance = gap_gadget(1);
    struct plan *plan = plan_new(instance);
    struct solver_run run = solver_run_into(
        "telamalloc", instance, &(struct solver_limits){.seed = 1, .seconds = 0.01}, plan);

    is_int(run.outcome, OUTCOME_TIMEOUT, "a time limit ends it");
    ok(run.valid && run.peak == 5, "with a plan");
    plan_free(plan);
    instance_free(instance);
}

/* --- the same in the plainest way, as the head of telamalloc.c says it --- */

enum { MOST = 24 };

struct plain {
    const struct instance *instance;
    struct rng *rng;
    size_t order[MOST];
    int64_t offset[MOST], best[MOST]; /* -1: waits */
    int64_t placed[MOST];             /* when */
    int64_t peak, work, nodes, evictions;
};

static const struct buffer *of(const struct plain *plain, size_t b)
{
    return &plain->instance->buffer[b];
}

static bool meet(const struct plain *plain, size_t a, size_t b)
{
    return a != b && of(plain, a)->begin < of(plain, b)->end &&
           of(plain, b)->begin < of(plain, a)->end;
}

static bool clash(const struct plain *plain, size_t a, int64_t start, size_t b)
{
    return meet(plain, a, b) && plain->offset[b] >= 0 &&
           start < plain->offset[b] + of(plain, b)->size &&
           plain->offset[b] < start + of(plain, a)->size;
}

static int64_t on_top(const struct plain *plain, size_t a, size_t b)
{
    int64_t end = plain->offset[b] + of(plain, b)->size;

    while (end % of(plain, a)->alignment != 0)
        end++;
    return end;
}

/* Of those that are placed the next one by offset, then by when: AFTER is the last one; SIZE_MAX:
 * none.  */
static size_t next_placed(const struct plain *plain, size_t after)
{
    size_t next = SIZE_MAX;

    for (size_t b = 0; b < plain->instance->n; b++) {
        const int64_t *offset = plain->offset, *placed = plain->placed;

        if (offset[b] < 0 ||
            (after != SIZE_MAX && (offset[b] < offset[after] ||
                                   (offset[b] == offset[after] && placed[b] <= placed[after]))))
            continue;
        if (next == SIZE_MAX || offset[b] < offset[next] ||
            (offset[b] == offset[next] && placed[b] < placed[next]))
            next = b;
    }
    return next;
}

/* 0 and the tops of what A meets, by offset.  */
static size_t places(const struct plain *plain, size_t a, int64_t capacity, int64_t *place)
{
    size_t count = 1;

    place[0] = 0;
    for (size_t b = next_placed(plain, SIZE_MAX); b != SIZE_MAX; b = next_placed(plain, b))
        if (meet(plain, a, b) && on_top(plain, a, b) <= capacity - of(plain, a)->size)
            place[count++] = on_top(plain, a, b);
    return count;
}

static size_t others(const struct plain *plain, size_t a, int64_t start)
{
    size_t sum = 0;

    for (size_t b = 0; b < plain->instance->n; b++)
        for (size_t c = 0; c < plain->instance->n && clash(plain, a, start, b); c++)
            sum += meet(plain, b, c);
    return sum;
}

static int64_t lowest(const struct plain *plain, size_t a, const int64_t *place, size_t count)
{
    int64_t start = INT64_MAX;

    for (size_t i = 0; i < count; i++) {
        bool is_free = true;

        for (size_t b = 0; b < plain->instance->n; b++)
            is_free = is_free && !clash(plain, a, place[i], b);
        if (is_free && place[i] < start)
            start = place[i];
    }
    return start;
}

/* 1: found; 0: given up; -1: the limit.  Waiting are those from the first on.  */
static int plain_attempt(struct plain *plain, int64_t capacity, int64_t budget)
{
    size_t n = plain->instance->n, waiting[MOST], waits = n;

    for (size_t i = 0; i < n; i++) {
        waiting[i] = plain->order[i];
        plain->offset[i] = -1;
    }
    while (waits > 0) {
        int64_t place[MOST + 1], start;
        size_t a = waiting[0], count = places(plain, a, INT64_MAX, place), gone = 0;

        waits--;
        for (size_t i = 0; i < waits; i++)
            waiting[i] = waiting[i + 1];
        start = lowest(plain, a, place, count);
        if (start + of(plain, a)->size > capacity) {
            count = places(plain, a, capacity, place);
            if (rng_range(plain->rng, 1, 10) == 1) {
                start = place[rng_range(plain->rng, 0, (int64_t)count - 1)];
            } else {
                start = place[0];
                for (size_t i = 1; i < count; i++)
                    if (others(plain, a, place[i]) < others(plain, a, start))
                        start = place[i];
            }
            for (size_t b = next_placed(plain, SIZE_MAX); b != SIZE_MAX; b = next_placed(plain, b))
                if (clash(plain, a, start, b)) {
                    waiting[waits++] = b;
                    gone++;
                }
            for (size_t i = waits - gone; i < waits; i++)
                plain->offset[waiting[i]] = -1;
        }
        plain->offset[a] = start;
        plain->placed[a] = plain->nodes++;
        plain->evictions += (int64_t)gone;
        budget -= (int64_t)gone;
        if (plain->work > 0 && plain->nodes >= plain->work)
            return -1;
        if (budget < 0)
            return 0;
    }
    return 1;
}

static void plain_take(struct plain *plain)
{
    plain->peak = 0;
    for (size_t b = 0; b < plain->instance->n; b++) {
        plain->best[b] = plain->offset[b];
        plain->peak = max64(plain->peak, plain->offset[b] + of(plain, b)->size);
    }
}

/* Which comes first: the part of time, the longer life, the larger size, the input's order.  */
static bool is_before(const struct plain *plain, const size_t *part, size_t a, size_t b)
{
    const struct buffer *x = of(plain, a), *y = of(plain, b);

    if (part[a] != part[b])
        return part[a] < part[b];
    if (x->end - x->begin != y->end - y->begin)
        return x->end - x->begin > y->end - y->begin;
    return x->size != y->size ? x->size > y->size : a < b;
}

static void plain_order(struct plain *plain)
{
    size_t n = plain->instance->n, part[MOST];

    time_parts(plain->instance, part);
    for (size_t b = 0; b < n; b++) {
        size_t at = b;

        for (; at > 0 && is_before(plain, part, b, plain->order[at - 1]); at--)
            plain->order[at] = plain->order[at - 1];
        plain->order[at] = b;
    }
}

static void plain_search(struct plain *plain)
{
    int64_t load = plain->instance->load, n = (int64_t)plain->instance->n, work = plain->work;
    int answer = 1;

    plain_order(plain);
    plain->work = 0; /* the first plan is always made */
    plain_attempt(plain, INT64_MAX, 0);
    plain->work = work;
    plain_take(plain);
    if (work > 0 && plain->nodes >= work)
        return;
    for (int64_t round = 0, budget = 4 * n; answer >= 0 && (work > 0 || round < 3);
         round++, budget *= 4) {
        int64_t low = load;

        if (plain->peak <= load)
            return;
        while (answer >= 0 && low < plain->peak) {
            int64_t capacity = low + (plain->peak - low) / 2;

            answer = plain_attempt(plain, capacity, budget);
            if (answer == 1)
                plain_take(plain);
            else
                low = capacity + 1;
        }
    }
}

static void against_the_plain_one(void)
{
    struct rng *rng = rng_new(2024);
    int rounds = tap_tier(15, 60), same = 0, all = 0, evicted = 0;

    for (int round = 0; round < rounds; round++)
        for (int kind = 0; kind < RANDOM_KINDS; kind++, all++) {
            size_t n = (size_t)rng_range(rng, 6, MOST);
            struct instance *instance = random_instance(rng, (enum random_kind)kind, n);
            struct solver_limits limits = {
                .seed = (uint32_t)round + 1,
                .work = round % 3 == 0 ? 0 : rng_range(rng, 1, round % 3 == 1 ? 40 : 2000)};
            struct plain plain = {
                .instance = instance, .rng = rng_new(limits.seed), .work = limits.work};
            struct plan *plan = plan_new(instance);
            struct solver_run run = solver_run_into("telamalloc", instance, &limits, plan);
            bool equal;

            plain_search(&plain);
            equal = run.nodes == plain.nodes &&
                    run.statistics.count[STATISTIC_PLACEMENTS] == plain.nodes &&
                    run.statistics.count[STATISTIC_EVICTIONS] == plain.evictions;
            for (size_t b = 0; b < instance->n; b++)
                equal = equal && plan->offset[b] == plain.best[b];
            same += equal;
            evicted += plain.evictions > 0;
            rng_free(plain.rng);
            plan_free(plan);
            instance_free(instance);
        }
    is_int(same, all, "offsets, placements and evictions of the plain one");
    ok(evicted > all / 3, "(%d of %d with evictions)", evicted, all);
    rng_free(rng);
}

int main(void)
{
    by_hand();
    one_eviction();
    evicts();
    promises();
    times_out();
    against_the_plain_one();
    return tap_done();
}
