/* SPDX-License-Identifier: GPL-3.0-or-later */
/* glow: three orders from where the live bytes are most, and the best of the plans.
 *
 * Time is the trace: its events are one after the other, at each step what ends, in input order,
 * then what begins.  Until all are placed, the first event is taken at which the buffers that are
 * not placed and live after it have the most bytes together.  Of these goes next
 *
 *   1. the largest, of equal ones the one with the longest life (in events), then the first begun;
 *   2. the one with the longest life, of equal ones the largest, then the first begun.
 *   3. is the order of begins.
 *
 * A buffer goes to the lowest place that is free during its life.  The first of the three whose
 * peak is the load is the plan, else the one with the least peak, the first of equal ones.
 *
 *   offset 6 | a a a     a [0, 3), b [1, 4), c [0, 2) have 1, 4 and 2 bytes.  After b has begun
 *          4 | c c       there are most, 7, and b goes first; then c and a after c has begun.
 *          0 |   b b b
 *
 * planner=online is the allocator that runs beside a program: in the order of the trace, each into
 * the lowest gap between what is alive.  It is first-fit-by-start.
 *
 * Source: Glow, lib/CodeGen/MemoryAllocator.cpp, allocateAll, and allocate with deallocate.
 * Published as O(n (events + n^2)) three times; here an order is O(n log n) as long as few lives
 * reach far (solvers/fit/coverage.h), and a plan near that where the width is bounded
 * (lib/place/gap_index.c), with the same plan.
 * Guarantee: none is known but peak <= sum of the rounded sizes.
 * Differences: no limit of memory, so nothing is evicted.  Sizes are rounded up to the
 * alignment, one for all; upstream's is 64 bytes.  */
#include <config.h>

#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/place/gap_index.h"
#include "lib/problem/instance.h"
#include "solvers/fit/alignment.h"
#include "solvers/fit/coverage.h"
#include "solvers/fit/events.h"
#include "solvers/fit/ties.h"
#include "solvers/fit/turns.h"
#include "solvers/solver.h"

enum { PLANNER_ALL, PLANNER_ONLINE };
enum { TENSOR_ALIGNMENT = 64, STRATEGIES = 3 };

static const struct param params[] = {
    PARAM_ENUM("planner", "all", "the best of three plans, or first fit while the program runs",
               {"all", PLANNER_ALL}, {"online", PLANNER_ONLINE}),
    TIES_PARAM,
    PARAM_END,
};

/* The buffers in the order in which they are allocated.  */
struct trace {
    size_t n;
    size_t *buffer;
    int64_t *size;       /* rounded */
    size_t *begin, *end; /* numbers of its events; it lives in [begin, end) */
    int64_t load;        /* the most bytes that are alive after an event */
};

static void trace_init(struct trace *trace, const struct instance *instance,
                       const struct solver_env *env)
{
    size_t n = instance->n, *place = memory_alloc(n, sizeof *place);
    struct order_key *event = events_sort(instance, env);
    int64_t live = 0;

    *trace = (struct trace){.buffer = memory_alloc(n, sizeof *trace->buffer),
                            .size = memory_alloc(n, sizeof *trace->size),
                            .begin = memory_alloc(n, sizeof *trace->begin),
                            .end = memory_alloc(n, sizeof *trace->end)};
    for (size_t e = 0; e < 2 * n; e++) {
        size_t b = event_buffer(event[e]);

        if (!event_begins(event[e])) {
            trace->end[place[b]] = e;
            live -= trace->size[place[b]];
            continue;
        }
        place[b] = trace->n;
        trace->buffer[trace->n] = b;
        trace->size[trace->n] = align_up(instance->buffer[b].size, instance->max_alignment);
        live += trace->size[trace->n];
        trace->load = max64(trace->load, live);
        trace->begin[trace->n++] = e;
    }
    free(event);
    free(place);
}

static void trace_clear(struct trace *trace)
{
    free(trace->buffer);
    free(trace->size);
    free(trace->begin);
    free(trace->end);
}

/* The buffers that are not placed, as the leaves of a tree, in the order of the trace.  */
struct unplaced {
    size_t leaves; /* a power of two */
    size_t *rank;  /* node: the least rank below it, SIZE_MAX: none */
    size_t *end;   /* node: the latest end below it, 0: none */
};

static void pull_up(struct unplaced *unplaced, size_t v)
{
    size_t left = 2 * v, right = 2 * v + 1, *rank = unplaced->rank, *end = unplaced->end;

    rank[v] = rank[left] < rank[right] ? rank[left] : rank[right];
    end[v] = end[left] > end[right] ? end[left] : end[right];
}

/* KEY[0..n): places in the trace by rank.  */
static void unplaced_init(struct unplaced *unplaced, const struct trace *trace,
                          const struct order_key *key)
{
    for (unplaced->leaves = 1; unplaced->leaves < trace->n;)
        unplaced->leaves *= 2;
    unplaced->rank = memory_alloc(2 * unplaced->leaves, sizeof *unplaced->rank);
    unplaced->end = memory_zalloc(2 * unplaced->leaves, sizeof *unplaced->end);
    for (size_t v = 0; v < 2 * unplaced->leaves; v++)
        unplaced->rank[v] = SIZE_MAX;
    for (size_t r = 0; r < trace->n; r++) {
        unplaced->rank[unplaced->leaves + key[r].index] = r;
        unplaced->end[unplaced->leaves + key[r].index] = trace->end[key[r].index];
    }
    for (size_t v = unplaced->leaves; v-- > 1;)
        pull_up(unplaced, v);
}

static void unplaced_clear(struct unplaced *unplaced)
{
    free(unplaced->rank);
    free(unplaced->end);
}

static void unplaced_remove(struct unplaced *unplaced, size_t place)
{
    size_t v = unplaced->leaves + place;

    unplaced->rank[v] = SIZE_MAX;
    unplaced->end[v] = 0;
    for (v /= 2; v >= 1; v /= 2)
        pull_up(unplaced, v);
}

/* Lowers *BEST to the least rank of those below node V, which has the leaves [LOW, HIGH), that live
 * after EVENT.  */
static void search(const struct unplaced *unplaced, const struct trace *trace, size_t v, size_t low,
                   size_t high, size_t event, size_t *best)
{
    size_t middle = low + (high - low) / 2;

    if (low >= trace->n || trace->begin[low] > event || unplaced->end[v] <= event ||
        unplaced->rank[v] >= *best)
        return;
    if (high - low == 1) {
        *best = unplaced->rank[v];
        return;
    }
    search(unplaced, trace, 2 * v, low, middle, event, best);
    search(unplaced, trace, 2 * v + 1, middle, high, event, best);
}

/* Orders 1 and 2.  KEY: places in the trace by rank at first, then buffers as they are placed.  */
static void order_by_load(const struct trace *trace, struct order_key *key)
{
    struct unplaced unplaced;
    struct coverage live; /* bytes after each event */
    size_t *place = memory_alloc(trace->n, sizeof *place);

    unplaced_init(&unplaced, trace, key);
    coverage_init(&live, 2 * trace->n);
    for (size_t i = 0; i < trace->n; i++) {
        place[i] = key[i].index;
        coverage_add(&live, trace->begin[i], trace->end[i], trace->size[i]);
    }
    for (size_t i = 0; i < trace->n; i++) {
        size_t best = SIZE_MAX, p;

        search(&unplaced, trace, 1, 0, unplaced.leaves, coverage_highest(&live), &best);
        p = place[best];
        key[i].index = trace->buffer[p];
        unplaced_remove(&unplaced, p);
        coverage_add(&live, trace->begin[p], trace->end[p], -trace->size[p]);
    }
    coverage_clear(&live);
    unplaced_clear(&unplaced);
    free(place);
}

static void order_by(const struct trace *trace, int strategy, struct order_key *key)
{
    for (size_t i = 0; i < trace->n; i++) {
        uint64_t size = ~(uint64_t)trace->size[i], life = ~(trace->end[i] - trace->begin[i]);

        key[i] = (struct order_key){strategy == 1 ? size : life, strategy == 1 ? life : size, i};
        if (strategy == 3)
            key[i] = (struct order_key){0, 0, trace->buffer[i]};
    }
    if (strategy < 3) {
        order_sort(key, trace->n);
        order_by_load(trace, key);
    }
}

/* The lowest gap, from a multiple of the alignment CONTEXT points to.  */
static int64_t lowest(const struct span_list *gaps, const struct buffer *buffer,
                      const void *context)
{
    const int64_t *alignment = context;
    size_t i = 0;

    while (gaps->span[i].hi - align_up(gaps->span[i].lo, *alignment) < buffer->size)
        i++;
    return align_up(gaps->span[i].lo, *alignment);
}

static enum outcome place_best(const struct instance *instance, const struct solver_env *env,
                               const struct trace *trace, struct plan *plan)
{
    struct order_key *key = memory_alloc(instance->n, sizeof *key);
    struct plan *trial = plan_new(instance);
    struct turns turns = turns_under(env);
    int64_t least = INT64_MAX;
    enum outcome outcome = OUTCOME_FEASIBLE;

    for (int strategy = 1; strategy <= STRATEGIES && least > trace->load; strategy++) {
        int64_t total;

        if (!turns_next(&turns)) {
            outcome = OUTCOME_TIMEOUT;
            break;
        }
        order_by(trace, strategy, key);
        gap_place_by(instance, key, lowest, &instance->max_alignment, trial);
        total = align_up(trial->peak, instance->max_alignment);
        if (total < least) {
            least = total;
            plan_copy(plan, trial);
            solver_stream(env, plan);
        }
    }
    plan_free(trial);
    free(key);
    return outcome;
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    enum outcome outcome = OUTCOME_FEASIBLE;
    struct trace trace;

    if (params_choice(env->params, "planner") == PLANNER_ONLINE) {
        struct order_key *key = ties_sort(instance, env, TIES_FIRST, BY_BEGIN, BY_NOTHING);

        gap_place_by(instance, key, lowest, &instance->max_alignment, plan);
        free(key);
        return outcome;
    }
    trace_init(&trace, instance, env);
    if (instance->n > 0)
        outcome = place_best(instance, env, &trace, plan);
    trace_clear(&trace);
    return outcome;
}

static unsigned gains(const struct params *given)
{
    return params_choice(given, "planner") == PLANNER_ONLINE ? SOLVER_ONLINE : 0;
}

const struct solver solver_glow = {
    .name = "glow",
    .title = "Glow, memory allocator",
    .source = "Glow, lib/CodeGen/MemoryAllocator.cpp",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_INPUT_ORDER | SOLVER_SHIPPED,
    .layout = LAYOUT_ARENA,
    .native = {.offset = TENSOR_ALIGNMENT},
    .params = params,
    .gains = gains,
    .applicable = alignment_applicable,
    .solve = solve,
};
