/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/sections/section_minimise.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>

#include "lib/base/beside.h"
#include "lib/base/checked.h"
#include "lib/base/timer.h"
#include "lib/place/part_runs.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "lib/problem/search_statistics.h"
#include "lib/problem/solver_env.h"
#include "planner/pairs/pairs_log.h"
#include "planner/pairs/pairs_search.h"
#include "planner/sections/section_finder.h"
#include "planner/sections/section_problem.h"
#include "planner/sections/section_windows.h"

#define MEMO_BYTES ((size_t)64 << 20)
#define WINDOW_MEMO_BYTES ((size_t)8 << 20)

/* More pairs than this are not decided one by one.  */
#define MOST_PAIRS 30000
/* To learn from one placement costs more on a large instance, and to decide one order with the
 * square of its pairs: budgets are for one with fewer incidences of buffers and sections, and
 * fewer pairs.  */
#define USUAL_INCIDENCES 5000
#define USUAL_PAIRS 1000

enum technique { FIND, DIVE, PLAN, GUIDE, LEARN, ORDERS, WINDOWS, TECHNIQUES };

/* What the threads share.  */
struct minimiser {
    struct part_instance part;
    struct section_problem *problem;
    const struct section_minimise_options *options;
    double begun, deadline;
    int64_t first; /* the bound at first: the load, of this part or of another */
    bool logged;   /* somebody asks for a certificate: only what decides orders proves then */
    struct section_bounds bounds;
    atomic_bool over; /* a limit was reached */

    pthread_mutex_t lock;   /* of what follows */
    struct part_runs *runs; /* deadline and env don't change */
    int64_t nodes, most;    /* placements, and the most there may be */
};

/* A thread's searches.  */
struct worker {
    struct minimiser *shared;
    bool uses[TECHNIQUES];
    struct section_finder finder;
    struct section_search learning;
    struct section_windows windows;
    struct pairs_problem *pairs; /* made when their orders are searched first */
    struct pairs_search orders;
    struct pairs_log log;             /* of that, where somebody asks for it */
    int64_t learn_cost, pair_cost;    /* of a placement that learns, of an order: a measure */
    struct part_turns turns;          /* of the planner */
    struct search_statistics planned; /* what it has counted */
};

/* --- what is shared --- */

static int64_t low_of(const struct minimiser *shared)
{
    return atomic_load_explicit(&shared->bounds.low, memory_order_relaxed);
}

static int64_t high_of(const struct minimiser *shared)
{
    return atomic_load_explicit(&shared->bounds.high, memory_order_relaxed);
}

/* Whether a packing within CAPACITY is neither known nor refuted.  */
static bool is_open(const struct minimiser *shared, int64_t capacity)
{
    return capacity >= low_of(shared) && capacity <= high_of(shared) &&
           !atomic_load_explicit(&shared->over, memory_order_relaxed);
}

/* Bounds in units from those in bytes; the lock is held.  High is below low once nothing
 * is left to decide.  */
static void set_bounds(struct minimiser *shared)
{
    int64_t peak = shared->runs->peak[shared->part.part], bound = shared->runs->bound;
    int64_t low = bound / shared->part.unit;
    int64_t high = peak > bound ? (peak - 1) / shared->part.unit : low - 1;

    atomic_store_explicit(&shared->bounds.low, low, memory_order_relaxed);
    atomic_store_explicit(&shared->bounds.high, high, memory_order_relaxed);
}

/* Capacities below LOW units are refuted.  */
static void raise_bound(struct minimiser *shared, int64_t low)
{
    pthread_mutex_lock(&shared->lock);
    part_runs_raise_bound(shared->runs, low * shared->part.unit);
    set_bounds(shared);
    pthread_mutex_unlock(&shared->lock);
}

/* A packing in units.  */
static void offer(struct minimiser *shared, const int64_t *start)
{
    pthread_mutex_lock(&shared->lock);
    part_runs_offer_packing(shared->runs, &shared->part, start);
    set_bounds(shared);
    pthread_mutex_unlock(&shared->lock);
}

static void copy_best(struct minimiser *shared, int64_t *start)
{
    pthread_mutex_lock(&shared->lock);
    for (size_t b = 0; b < shared->problem->n; b++)
        start[b] = shared->runs->plan->offset[shared->part.member[b]] / shared->part.unit;
    pthread_mutex_unlock(&shared->lock);
}

/* Up to WANTED placements to spend; less than none gives back what was not spent.  */
static int64_t take_nodes(struct minimiser *shared, int64_t wanted)
{
    int64_t taken;

    pthread_mutex_lock(&shared->lock);
    taken = min64(wanted, shared->most - shared->nodes);
    shared->nodes += taken;
    pthread_mutex_unlock(&shared->lock);
    return taken;
}

/* --- the techniques --- */

/* Notes what a search said about CAPACITY; START is a packing where it says so.  What is refuted
 * without a log counts for nothing where one is asked for.  */
static void note(struct minimiser *shared, int64_t capacity, enum search_result result,
                 const int64_t *start, bool logged)
{
    if (result == SEARCH_SOLVED)
        offer(shared, start);
    else if (result == SEARCH_REFUTED && (logged || !shared->logged))
        raise_bound(shared, capacity + 1);
}

static int64_t find(struct worker *worker, int64_t capacity, int64_t nodes, double deadline)
{
    struct section_search *packing = &worker->finder.packing;
    int64_t before = packing->nodes;

    note(worker->shared, capacity, section_finder_look(&worker->finder, capacity, nodes, deadline),
         packing->state.start, false);
    return packing->nodes - before;
}

static int64_t guide(struct worker *worker, int64_t low, int64_t nodes, double deadline)
{
    struct section_search *guided = &worker->finder.guided;
    int64_t before = guided->nodes, capacity;
    enum search_result result;

    copy_best(worker->shared, worker->finder.best);
    result = section_finder_descend(&worker->finder, low, high_of(worker->shared), &capacity, nodes,
                                    deadline);
    note(worker->shared, capacity, result, guided->state.start, false);
    return guided->nodes - before;
}

/* All divers in turn, so that none has to wait for rounds with more placements.  */
static int64_t dive(struct worker *worker, int64_t low, int64_t nodes, double deadline)
{
    struct minimiser *shared = worker->shared;
    struct section_finder *finder = &worker->finder;
    int64_t before = section_finder_dived(finder), used = 0;

    while (used < nodes && is_open(shared, low) && timer_now() < deadline) {
        int64_t some = min64(nodes - used, nodes / SECTION_DIVERS + 1);

        copy_best(shared, finder->best);
        if (section_finder_dive(finder, shared->part.instance, shared->part.unit, low,
                                high_of(shared), low == shared->first, some, deadline))
            offer(shared, finder->found);
        used = section_finder_dived(finder) - before;
    }
    return used;
}

/* The planner from the best plan on.  */
static int64_t plan_on(struct worker *worker, int64_t nodes, double deadline)
{
    struct minimiser *shared = worker->shared;
    struct part_turn turn = {worker->turns.seed, nodes, low_of(shared) * shared->part.unit,
                             deadline, &worker->planned};
    struct plan *plan = plan_new(shared->part.instance);
    int64_t before, spent;

    pthread_mutex_lock(&shared->lock);
    part_runs_copy(shared->runs, &shared->part, plan);
    pthread_mutex_unlock(&shared->lock);
    before = plan->peak;
    shared->runs->planner(shared->part.instance, &turn, plan);
    spent = plan->nodes;
    part_turns_next(&worker->turns, plan->peak < before);
    pthread_mutex_lock(&shared->lock);
    part_runs_offer(shared->runs, &shared->part, plan->offset, plan->peak);
    set_bounds(shared);
    pthread_mutex_unlock(&shared->lock);
    plan_free(plan);
    return spent;
}

static int64_t learn(struct worker *worker, int64_t capacity, int64_t nodes, double deadline)
{
    struct section_search *learning = &worker->learning;
    int64_t before = learning->nodes;

    note(worker->shared, capacity, section_search_run(learning, capacity, nodes, deadline),
         learning->state.start, false);
    return learning->nodes - before;
}

static void begin_orders(struct worker *worker)
{
    struct minimiser *shared = worker->shared;
    const struct part_runs *runs = shared->runs;

    worker->pairs = pairs_problem_new(shared->part.instance, shared->part.unit);
    pairs_search_init(&worker->orders, worker->pairs);
    if (!shared->logged)
        return;
    pairs_log_init(&worker->log, runs->instance, runs->env->sink);
    worker->log.member = shared->part.member;
    pairs_search_log(&worker->orders, &worker->log);
}

static int64_t decide_orders(struct worker *worker, int64_t capacity, int64_t nodes,
                             double deadline)
{
    struct minimiser *shared = worker->shared;
    int64_t before = worker->orders.nodes;
    enum pairs_result result;

    if (worker->pairs == NULL)
        begin_orders(worker);
    result = pairs_search_run(&worker->orders, capacity, nodes, deadline);
    note(shared, capacity,
         result == PAIRS_PACKED    ? SEARCH_SOLVED
         : result == PAIRS_REFUTED ? SEARCH_REFUTED
                                   : SEARCH_STOPPED,
         worker->orders.start, true);
    return worker->orders.nodes - before;
}

/* NODES are what it may use if it comes to that: a window that refuted before has as many
 * as that took.  WANTED are meant.  */
static int64_t search_windows(struct worker *worker, int64_t capacity, int64_t wanted,
                              int64_t nodes, double deadline)
{
    int64_t before = worker->windows.nodes;

    if (section_windows_refute(&worker->windows, capacity, wanted, nodes, deadline))
        raise_bound(worker->shared, capacity + 1);
    return worker->windows.nodes - before;
}

/* Orders and windows do not look at the bounds.  Where another thread may decide what
 * they are at, they look up after a tenth of the time so far, or this.  */
#define LOOK_UP_SHARE 0.1
#define LOOK_UP_SECONDS 0.02

static double look_up_at(const struct minimiser *shared)
{
    double now = timer_now();

    if (shared->options->threads == 1)
        return shared->deadline;
    return fmin(shared->deadline,
                now + fmax(LOOK_UP_SECONDS, LOOK_UP_SHARE * (now - shared->begun)));
}

/* At least one where there is any.  */
static int64_t share(int64_t nodes, int64_t cost)
{
    return (nodes + cost - 1) / cost;
}

/* One turn of a technique with about NODES placements.  */
static void take_turn(struct worker *worker, enum technique technique, int64_t capacity,
                      int64_t nodes)
{
    struct minimiser *shared = worker->shared;
    int64_t taken =
        take_nodes(shared, technique == WINDOWS ? shared->most / shared->options->threads : nodes);
    int64_t used = 0;

    switch (technique) {
    case FIND:
        used = find(worker, capacity, taken, shared->deadline);
        break;
    case DIVE:
        used = dive(worker, capacity, taken, look_up_at(shared));
        break;
    case PLAN:
        used = plan_on(worker, taken, look_up_at(shared));
        break;
    case GUIDE:
        used = guide(worker, capacity, taken, shared->deadline);
        break;
    case LEARN:
        used = learn(worker, capacity, share(taken, worker->learn_cost), shared->deadline);
        break;
    case ORDERS:
        used = decide_orders(worker, capacity, share(taken, worker->pair_cost), look_up_at(shared));
        break;
    default:
        used = search_windows(worker, capacity, nodes, taken, look_up_at(shared));
    }
    take_nodes(shared, used - taken);
}

/* --- turns --- */

/* Placements of each technique in a round; twice as many in each next one.  One that learns costs
 * five to ten times as much as one that does not, one of the planner a tenth or less.  */
struct turns {
    int64_t nodes[TECHNIQUES];
};

/* Above the load a refutation is likely.  At the load a packing is: what refutes has its first
 * round, in which most of what can be refuted is, then a small share; the planner comes later.  */
static const struct turns at_load = {
    {[FIND] = 1000, [DIVE] = 0, [PLAN] = 0, [GUIDE] = 0, [LEARN] = 200}};
static const struct turns above_load = {{[FIND] = 100,
                                         [DIVE] = 6400,
                                         [PLAN] = 3200,
                                         [GUIDE] = 800,
                                         [LEARN] = 400,
                                         [ORDERS] = 1600,
                                         [WINDOWS] = 1600}};
#define SHARE_AT_LOAD 16
#define LEARN_SHARE 64     /* the same of what learns */
#define WINDOWS_FROM 16000 /* placements for a packing at the load */
#define DIVES_FROM 8000
#define DIVES_FOR_ONE 16 /* of the planner's placements, for one of find's */
#define PLANS_FOR_ONE 4  /* where alignments count; each is several (part_runs.h) */
#define GUIDED_FROM 8000
#define FIRST_SHARE 2.0 /* of what the planner has in a round */

static void next_turns(struct turns *turns, bool load)
{
    int64_t *nodes = turns->nodes;

    for (size_t t = 0; t < TECHNIQUES; t++)
        nodes[t] *= 2;
    if (!load)
        return;
    nodes[LEARN] = nodes[FIND] / LEARN_SHARE;
    nodes[WINDOWS] = nodes[FIND] < WINDOWS_FROM ? 0 : nodes[FIND] / SHARE_AT_LOAD;
    nodes[ORDERS] = nodes[WINDOWS] / 4;
    nodes[DIVE] = nodes[FIND] < DIVES_FROM ? 0 : DIVES_FOR_ONE * nodes[FIND];
    nodes[PLAN] = nodes[FIND] < DIVES_FROM ? 0 : PLANS_FOR_ONE * nodes[FIND];
    nodes[GUIDE] = nodes[FIND] < GUIDED_FROM ? 0 : nodes[FIND] / 2;
}

static void check_limits(struct minimiser *shared)
{
    bool timed_out = timer_now() >= shared->deadline, over;

    pthread_mutex_lock(&shared->lock);
    shared->runs->timed_out = shared->runs->timed_out || timed_out;
    over = timed_out || shared->nodes >= shared->most;
    pthread_mutex_unlock(&shared->lock);
    if (over)
        atomic_store_explicit(&shared->over, true, memory_order_relaxed);
}

/* Rounds for a capacity above the bound: where there is a packing it may be hard to find,
 * and the bound can still be refuted.  */
#define ROUNDS_AHEAD 6

/* What TECHNIQUE spends in this round: where only what decides orders proves, it does so in place
 * of what learns.  */
static int64_t nodes_of(const struct worker *worker, const struct turns *turns, size_t technique)
{
    const struct minimiser *shared = worker->shared;

    if (technique == PLAN)
        return (int64_t)(worker->turns.share * (double)turns->nodes[PLAN]);
    if (technique == ORDERS && shared->logged)
        return max64(turns->nodes[ORDERS], turns->nodes[LEARN]);
    return turns->nodes[technique];
}

/* Until CAPACITY is decided or a limit is reached, or it is above the bound and hard.  */
static void decide(struct worker *worker, int64_t capacity)
{
    struct minimiser *shared = worker->shared;
    bool load = capacity == shared->first;
    struct turns turns = load ? at_load : above_load;

    for (int round = 1; capacity == low_of(shared) || round <= ROUNDS_AHEAD; round++) {
        for (size_t t = 0; t < TECHNIQUES; t++) {
            int64_t nodes = nodes_of(worker, &turns, t);

            if (worker->uses[t] && nodes > 0 && is_open(shared, capacity) &&
                timer_now() < shared->deadline)
                take_turn(worker, (enum technique)t, capacity, nodes);
        }
        if (!is_open(shared, capacity))
            return;
        check_limits(shared);
        next_turns(&turns, load);
    }
}

/* The next capacity to ask about: the lower bound at first; after STEP - 1 more
 * units were refuted in a row, as many above it, but no further than half way.  */
static int64_t next_capacity(int64_t low, int64_t high, int64_t step)
{
    return step == 1 ? low : min64(clipped_add(low, step - 1), low + (high - low) / 2);
}

static void work(struct worker *worker)
{
    struct minimiser *shared = worker->shared;
    int64_t step = 1;

    while (is_open(shared, low_of(shared))) {
        int64_t capacity = next_capacity(low_of(shared), high_of(shared), step);

        decide(worker, capacity);
        step = low_of(shared) > capacity ? clipped_add(step, step) : 1;
    }
}

/* --- threads --- */

static void worker_init(struct worker *worker, struct minimiser *shared, uint32_t seed)
{
    const struct section_minimise_options *options = shared->options;
    int64_t all_pairs = instance_overlapping_pairs(shared->part.instance);
    int64_t pairs = min64(all_pairs, MOST_PAIRS);
    int64_t incidences = (int64_t)shared->problem->start[shared->problem->sections];

    *worker = (struct worker){
        .shared = shared,
        .uses = {[FIND] = true,
                 [DIVE] = options->dives,
                 [PLAN] = shared->runs->planner != NULL &&
                          shared->part.instance->max_alignment > shared->part.unit,
                 [GUIDE] = options->guide,
                 [LEARN] = options->learn && !shared->logged,
                 [ORDERS] = options->orders && all_pairs <= MOST_PAIRS,
                 [WINDOWS] = options->windows && !shared->logged},
        .learn_cost = 1 + incidences / USUAL_INCIDENCES,
        .pair_cost = 1 + pairs * pairs / (USUAL_PAIRS * USUAL_PAIRS),
        .turns = part_turns_of(seed, FIRST_SHARE),
    };
    section_finder_init(&worker->finder, shared->problem, &options->find, options->portfolio,
                        &shared->bounds, MEMO_BYTES, seed);
    section_search_init(&worker->learning, shared->problem, &options->refute, MEMO_BYTES, seed);
    worker->learning.bounds = &shared->bounds;
    section_windows_init(&worker->windows, shared->problem, &options->refute, options->full_width,
                         WINDOW_MEMO_BYTES, seed);
}

/* Ends a worker whose thread has ended, and adds what it counted to those of the run.  */
static void worker_clear(struct worker *worker)
{
    struct search_statistics *sum = worker->shared->runs->env->statistics;

    section_finder_count(&worker->finder, sum);
    section_search_count(&worker->learning, sum);
    search_statistics_join(sum, &worker->windows.statistics);
    search_statistics_join(sum, &worker->planned);
    if (worker->pairs != NULL) {
        pairs_search_count(&worker->orders, sum);
        pairs_search_clear(&worker->orders);
        pairs_log_clear(&worker->log);
    }
    pairs_problem_free(worker->pairs);
    section_finder_clear(&worker->finder);
    section_search_clear(&worker->learning);
    section_windows_clear(&worker->windows);
}

static void work_beside(void *context)
{
    struct worker *worker = context;

    work(worker);
}

/* One thread is out of memory, perhaps while it holds the lock.  */
static void hurry(void *context)
{
    struct minimiser *shared = context;

    atomic_store_explicit(&shared->over, true, memory_order_relaxed);
    pthread_mutex_unlock(&shared->lock);
}

/* What the second thread does alone.  */
static bool is_second(enum technique technique)
{
    return technique == DIVE || technique == PLAN || technique == GUIDE || technique == WINDOWS;
}

static void work_on_two(struct minimiser *shared, uint32_t seed)
{
    struct worker worker[2];
    bool given[TECHNIQUES];
    struct beside beside = {
        .work = work_beside, .context = &worker[1], .hurry = hurry, .shared = shared};

    worker_init(&worker[0], shared, seed);
    worker_init(&worker[1], shared, seed < UINT32_MAX ? seed + 1 : 1);
    for (size_t t = 0; t < TECHNIQUES; t++) {
        bool second = is_second((enum technique)t);

        given[t] = worker[0].uses[t];
        worker[0].uses[t] = given[t] && !second;
        worker[1].uses[t] = given[t] && (second || t == FIND);
    }
    if (beside_start(&beside)) {
        work(&worker[0]);
        beside_end(&beside);
    } else {
        for (size_t t = 0; t < TECHNIQUES; t++)
            worker[0].uses[t] = given[t];
        work(&worker[0]);
    }
    worker_clear(&worker[0]);
    worker_clear(&worker[1]);
}

static void work_on_one(struct minimiser *shared, uint32_t seed)
{
    struct worker worker;

    worker_init(&worker, shared, seed);
    work(&worker);
    worker_clear(&worker);
}

bool section_minimise(struct part_runs *runs, size_t part,
                      const struct section_minimise_options *options)
{
    struct minimiser shared = {
        .options = options,
        .begun = timer_now(),
        .deadline = runs->deadline,
        .runs = runs,
        .most = part_runs_nodes_left(runs),
    };

    part_instance_begin(&shared.part, runs, part);
    shared.problem = section_problem_new(shared.part.instance, shared.part.unit);
    beside_lock_init(&shared.lock);
    shared.logged = runs->env->sink != NULL && options->orders &&
                    instance_overlapping_pairs(shared.part.instance) <= MOST_PAIRS;
    set_bounds(&shared);
    shared.first = low_of(&shared);
    (options->threads > 1 ? work_on_two : work_on_one)(&shared, runs->env->seed);
    pthread_mutex_destroy(&shared.lock);
    runs->plan->nodes += shared.nodes;
    section_problem_free(shared.problem);
    part_instance_end(&shared.part);
    return !atomic_load(&shared.over);
}
