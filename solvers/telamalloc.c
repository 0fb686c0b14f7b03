/* SPDX-License-Identifier: GPL-3.0-or-later */
/* telamalloc: placing with evictions below a capacity, and bisection of the capacity.
 *
 * Component of the conflict graph by component, buffers wait in a queue: the longest life first,
 * then the largest size, then the input's order.  Each takes the lowest place that is free
 * during its life.  Where that would reach above the capacity it takes, of the places at 0 and on
 * top of each buffer in its way, the one whose buffers meet the fewest others, all together;
 * these are evicted and wait at the end of the queue.  One time in ten it takes any of the places,
 * so that no two buffers evict one another for ever.  After a number of evictions the capacity is
 * given up.
 *
 * The first capacity has no end, then the range from the load to the best peak is halved; one that
 * was given up counts as too small.  Then all of that begins anew, with four times the
 * evictions.
 *
 * An example: a lives in [0,3) and has 2 bytes, b [0,2) 3, c [1,4) 4, d [3,5) 5; the load is 9.
 * c and a come first, c, the larger, at 0; a and b lie on it at 4 and 6, d at 4: the peak is
 * the load, and nothing is evicted.
 *
 * Source: Maas et al., "TelaMalloc: Efficient On-Chip Memory Allocation for Production Machine
 * Learning Accelerators" (ASPLOS 2023), which has no public code, as OmniMalloc
 * (fpedd/omnimalloc, Apache-2.0) adapts it to a minimum, from a description.  That says what is
 * evicted and that there are a random step and a budget; the numbers, the end of the queue
 * and what a place costs are ours.  Of the paper's solver in the loop nothing is left in that.
 * Complexity: O(n + k^2) a placement that evicts among k neighbours; memory linear.
 * Guarantee: none above first fit in the first order.
 * Goes on until the peak is the load or a limit is reached; a work limit counts placements.
 * Without limits there are three bisections.  The same seed and number of placements give the
 * same plan.  */
#include <config.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/base/timer.h"
#include "lib/place/gap_index.h"
#include "lib/place/orders.h"
#include "lib/place/part_runs.h"
#include "lib/place/time_parts.h"
#include "lib/problem/instance.h"
#include "lib/problem/search_statistics.h"
#include "solvers/solver.h"

/* Evictions a buffer before a capacity is given up, in the first bisection and at most, and by
 * how much that grows.  */
enum { FIRST_EVICTIONS = 4, MOST_EVICTIONS = 1 << 20, GROWTH = 4 };

/* Bisections when nobody sets a limit; a random place one time in so many; placements between
 * two looks at the clock.  */
enum { BISECTIONS = 3, RANDOM_STEP = 10, PLACEMENTS_A_LOOK = 64 };

enum answer { FOUND, GIVEN_UP, STOPPED };

struct tela {
    const struct instance *instance;
    const struct solver_env *env;
    struct plan *plan; /* the best; its nodes count placements */
    struct plan *trial;
    struct rng *rng;
    double deadline;
    bool timed_out;
    uint32_t *order;   /* as buffers wait at first */
    size_t *conflicts; /* of each buffer */
    uint32_t *queue;   /* a ring of n; each buffer is there once at most */
    size_t head, waiting;
    uint32_t *placed; /* by offset */
    size_t n_placed;
    uint32_t *near; /* those of them that one buffer meets, by offset */
    int64_t *place; /* where that one may go */
    int64_t evictions;
};

static bool over(struct tela *tela)
{
    int64_t work = tela->env->work_limit;

    if (work > 0 && tela->plan->nodes >= work)
        return true;
    if (tela->plan->nodes % PLACEMENTS_A_LOOK == 0 && timer_now() >= tela->deadline)
        tela->timed_out = true;
    return tela->timed_out;
}

static int64_t top_of(const struct tela *tela, uint32_t b)
{
    return tela->trial->offset[b] + tela->instance->buffer[b].size;
}

static void wait_last(struct tela *tela, uint32_t b)
{
    tela->queue[(tela->head + tela->waiting++) % tela->instance->n] = b;
}

static uint32_t first_waiting(struct tela *tela)
{
    uint32_t b = tela->queue[tela->head];

    tela->head = (tela->head + 1) % tela->instance->n;
    tela->waiting--;
    return b;
}

static size_t find_near(struct tela *tela, const struct buffer *buffer)
{
    size_t count = 0;

    for (size_t i = 0; i < tela->n_placed; i++)
        if (buffers_conflict(&tela->instance->buffer[tela->placed[i]], buffer))
            tela->near[count++] = tela->placed[i];
    return count;
}

static int64_t lowest_place(const struct tela *tela, size_t near, const struct buffer *buffer)
{
    int64_t start = 0;

    for (size_t i = 0; i < near; i++) {
        if (tela->trial->offset[tela->near[i]] - start >= buffer->size)
            break;
        start = max64(start, align_up(top_of(tela, tela->near[i]), buffer->alignment));
    }
    return start;
}

static bool is_in_the_way(const struct tela *tela, uint32_t other, int64_t start, int64_t size)
{
    return tela->trial->offset[other] < start + size && start < top_of(tela, other);
}

/* How many buffers those meet that lie in the way of BUFFER at START.  Most of the time goes by
 * here: inside of its caller it has too few registers.  */
static __attribute__((noinline)) size_t cost(const struct tela *tela, size_t near,
                                             const struct buffer *buffer, int64_t start)
{
    size_t sum = 0;

    for (size_t i = 0; i < near; i++)
        if (is_in_the_way(tela, tela->near[i], start, buffer->size))
            sum += tela->conflicts[tela->near[i]];
    return sum;
}

/* The place within CAPACITY for whose sake others go.  There is one at 0.  */
static int64_t choose_place(struct tela *tela, size_t near, const struct buffer *buffer,
                            int64_t capacity)
{
    size_t places = 0, best = 0, least = SIZE_MAX;

    tela->place[places++] = 0;
    for (size_t i = 0; i < near; i++) {
        int64_t start = align_up(top_of(tela, tela->near[i]), buffer->alignment);

        if (start + buffer->size <= capacity)
            tela->place[places++] = start;
    }
    if (rng_range(tela->rng, 1, RANDOM_STEP) == 1)
        return tela->place[rng_range(tela->rng, 0, (int64_t)places - 1)];
    for (size_t i = 0; i < places; i++) {
        size_t sum = cost(tela, near, buffer, tela->place[i]);

        if (sum < least) {
            least = sum;
            best = i;
        }
    }
    return tela->place[best];
}

/* Takes out what is in the way of BUFFER at START; how many.  */
static int64_t evict(struct tela *tela, const struct buffer *buffer, int64_t start)
{
    size_t kept = 0, before = tela->n_placed;

    for (size_t i = 0; i < before; i++) {
        uint32_t other = tela->placed[i];

        if (buffers_conflict(&tela->instance->buffer[other], buffer) &&
            is_in_the_way(tela, other, start, buffer->size))
            wait_last(tela, other);
        else
            tela->placed[kept++] = other;
    }
    tela->n_placed = kept;
    return (int64_t)(before - kept);
}

static void put(struct tela *tela, uint32_t b, int64_t start)
{
    size_t at = tela->n_placed++;

    for (; at > 0 && tela->trial->offset[tela->placed[at - 1]] > start; at--)
        tela->placed[at] = tela->placed[at - 1];
    tela->placed[at] = b;
    tela->trial->offset[b] = start;
}

/* A packing within CAPACITY, with at most BUDGET evictions, in the trial.  */
static enum answer attempt(struct tela *tela, int64_t capacity, int64_t budget)
{
    size_t n = tela->instance->n;

    memcpy(tela->queue, tela->order, n * sizeof *tela->queue);
    tela->head = tela->n_placed = 0;
    tela->waiting = n;
    while (tela->waiting > 0) {
        uint32_t b = first_waiting(tela);
        const struct buffer *buffer = &tela->instance->buffer[b];
        size_t near = find_near(tela, buffer);
        int64_t start = lowest_place(tela, near, buffer);

        if (start > capacity - buffer->size) {
            int64_t evicted;

            start = choose_place(tela, near, buffer, capacity);
            evicted = evict(tela, buffer, start);
            tela->evictions += evicted;
            budget -= evicted;
        }
        put(tela, b, start);
        tela->plan->nodes++;
        if (over(tela))
            return STOPPED;
        if (budget < 0)
            return GIVEN_UP;
    }
    return FOUND;
}

static void take(struct tela *tela)
{
    tela->trial->peak = plan_peak(tela->instance, tela->trial);
    tela->trial->nodes = tela->plan->nodes;
    plan_copy(tela->plan, tela->trial);
    solver_stream(tela->env, tela->plan);
}

/* False: a limit is reached, or the peak is the load.  */
static bool bisect(struct tela *tela, int64_t budget)
{
    int64_t low = tela->instance->load;

    while (low < tela->plan->peak) {
        int64_t capacity = low + (tela->plan->peak - low) / 2;
        enum answer answer = attempt(tela, capacity, budget);

        if (answer == STOPPED)
            return false;
        if (answer == FOUND)
            take(tela);
        else
            low = capacity + 1;
    }
    return tela->plan->peak > tela->instance->load && !over(tela);
}

/* By component, length of life, size and input.  */
static uint32_t *first_order(const struct instance *instance)
{
    size_t n = instance->n, *part = memory_alloc(n, sizeof *part);
    struct order_key *key = memory_alloc(n, sizeof *key);
    uint32_t *order = memory_alloc(n, sizeof *order);

    time_parts(instance, part);
    greedy_order(instance, BY_LENGTH, BY_SIZE, NULL, key);
    for (size_t i = 0; i < n; i++) {
        key[i].major = part[key[i].index];
        key[i].minor = 0;
    }
    order_sort(key, n); /* stable */
    for (size_t i = 0; i < n; i++)
        order[i] = (uint32_t)key[i].index;
    free(key);
    free(part);
    return order;
}

/* Without a capacity nothing is evicted: that is first fit, by an index of gaps.  */
static void place_first(struct tela *tela)
{
    size_t n = tela->instance->n;
    struct order_key *key = memory_zalloc(n, sizeof *key);

    for (size_t i = 0; i < n; i++)
        key[i].index = tela->order[i];
    gap_place(tela->instance, key, FIT_FIRST, tela->trial);
    tela->plan->nodes = (int64_t)n;
    free(key);
    take(tela);
}

static void search(struct tela *tela)
{
    int64_t n = (int64_t)tela->instance->n, evictions = FIRST_EVICTIONS;
    bool limited = tela->env->work_limit > 0 || tela->env->time_limit > 0.0;
    bool goes_on;

    place_first(tela);
    goes_on = tela->plan->peak > tela->instance->load && !over(tela);
    for (int i = 0; goes_on && (limited || i < BISECTIONS); i++) {
        goes_on = bisect(tela, evictions * n);
        evictions = min64(evictions * GROWTH, MOST_EVICTIONS);
    }
    search_statistics_add(tela->env->statistics, STATISTIC_EVICTIONS, tela->evictions);
    search_statistics_add(tela->env->statistics, STATISTIC_PLACEMENTS, tela->plan->nodes);
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    size_t n = instance->n;
    struct tela tela = {
        .instance = instance,
        .env = env,
        .plan = plan,
        .trial = plan_new(instance),
        .rng = rng_new(env->seed),
        .deadline = solver_deadline(env),
        .order = first_order(instance),
        .conflicts = instance_conflicts(instance),
        .queue = memory_alloc(n, sizeof *tela.queue),
        .placed = memory_alloc(n, sizeof *tela.placed),
        .near = memory_alloc(n, sizeof *tela.near),
        .place = memory_alloc(n + 1, sizeof *tela.place),
    };

    search(&tela);
    plan_free(tela.trial);
    rng_free(tela.rng);
    free(tela.order);
    free(tela.conflicts);
    free(tela.queue);
    free(tela.placed);
    free(tela.near);
    free(tela.place);
    return tela.timed_out ? OUTCOME_TIMEOUT : OUTCOME_FEASIBLE;
}

const struct solver solver_telamalloc = {
    .name = "telamalloc",
    .title = "TelaMalloc, adapted",
    .source = "Maas et al., TelaMalloc, ASPLOS 2023; OmniMalloc",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SEED | SOLVER_ANYTIME,
    .layout = LAYOUT_ARENA,
    .solve = solve,
};
