/* SPDX-License-Identifier: GPL-3.0-or-later */
/* idealloc: boxes of buffers, boxes of boxes, and an order that comes from unboxing them.
 *
 * 1. Where no two lifetimes overlap all buffers lie at 0; where all sizes are equal they
 *    go into the rows of the coloured interval graph.  Otherwise the largest first (then
 *    the longest life), each into the lowest gap, gives the plan to beat.
 * 2. Boxing (solvers/boxing/boxing.h).  With r = largest / smallest size and lg^2 r its squared
 *    binary logarithm, epsilon goes from ((lg^2 r)^7 / r)^(1/6) towards mu lg^2 r,
 *    mu = (sqrt 5 - 1) / 2, by a hundredth of what is left at a time, until three values in
 *    a row do not lower the ratio of heights that Theorem 16's variant leaves.  Where that
 *    stretch is empty a dummy of 2216.54 times the smallest size lives all the time; it is
 *    boxed too and forgotten afterwards.
 * 3. Corollary 15 puts what is left into boxes of one height, largest size / mu.  They are
 *    coloured and unboxed to loose offsets, which need not be a plan; in their order the
 *    buffers go into the lowest gap.
 * 4. Again from 2 with the epsilon found, with other critical points, while lives are
 *    left and the peak is above max-frag times the load.  Until January 2025 a better plan
 *    gave the lives back: renew=on.
 *
 * Unboxing, by an example: boxes of 6, X around a [0,4) and b [2,6) of 3 bytes, Y around
 * c [6,10) of 5 and d [10,12) of 2, Z around e [3,7) of 4 and f [5,8) of 2.
 *
 *    12 +---+                            X takes row 0, Z overlaps it and takes row 1, Y
 *       | Z |   f at 10, e at 6          finds row 0 free again.  a and b are equal and
 *     6 +---+---+                        take rows of X; c and d do not overlap and both
 *       | X | Y |   a at 0, b at 3,      lie at the bottom of Y; e and f do and differ, so
 *     0 +---+---+   c and d at 0         the higher one lies below.
 *
 * Source: C. Lamprakos et al., "idealloc", arXiv 2504.04874, and its code in Rust
 * (cappadokes/idealloc, coreba/src/algo), after A. Buchsbaum et al., "OPT versus LOAD in
 * dynamic storage allocation", SIAM J. Computing 33(3), 2004.
 * Complexity: near O(n log n) for each boxing where the recursion of Theorem 2 splits well,
 * and a placement each (lib/place/gap_index.c).
 * Guarantee: never worse than first-fit-by-size.  That of the publication, 1 + O((h_max /
 * load)^(1/7)) times the load, is for its own boxing, not for this variant.
 * Differences: critical points are drawn from the seed (there from the system).  What hangs
 * on the order of a hash table or an unstable sort there goes by birth here and then by
 * ties=.  Boxes are made one after the other, not in parallel.  Versions of the code
 * differ in the fit of both placements: fit=first as its article says, or best.  An
 * alignment moves the start of a gap up; boxing does not see it.  Heights are whole bytes,
 * rounded up, so that scaling all sizes can change the plan.  */
#include <config.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/base/timer.h"
#include "lib/place/best_greedy.h"
#include "lib/place/gap_index.h"
#include "lib/place/time_walk.h"
#include "lib/problem/instance.h"
#include "lib/problem/search_statistics.h"
#include "solvers/boxing/boxing.h"
#include "solvers/fit/ties.h"
#include "solvers/solver.h"

/* Heights stay whole numbers in floating point up to this size.  */
#define MOST_SIZE (INT64_C(1) << 40)

static const double dummy_ratio = 2216.54, step = 0.01;
enum { TRIES = 3 };

struct run {
    const struct instance *instance;
    const struct solver_env *env;
    struct plan *plan; /* the best so far */
    struct plan *trial;
    size_t *order; /* the buffers as ties has them: job j is buffer order[j] */
    struct boxing boxing;
    struct job_list list;
    double *loose; /* of each job */
    struct order_key *key;
    double most; /* the largest height, the dummy's too */
    double epsilon;
    double deadline; /* by timer_now; INFINITY: none */
    double placing;  /* seconds that the last placement took */
    bool timed_out;
};

/* No boxing begins that there would be no time to place.  */
static bool out_of_time(struct run *run)
{
    if (timer_now() + run->placing >= run->deadline)
        run->timed_out = true;
    return run->timed_out;
}

/* Places in the order of run->key; keeps and streams what is better.  */
static bool place(struct run *run)
{
    enum gap_fit fit = params_choice(run->env->params, "fit");
    const double start = timer_now();

    order_sort(run->key, run->instance->n);
    gap_place(run->instance, run->key, fit, run->trial);
    run->placing = timer_now() - start;
    run->trial->nodes = run->plan->nodes;
    return solver_offer(run->env, run->trial, run->plan);
}

static void bootstrap(struct run *run)
{
    greedy_order(run->instance, BY_SIZE, BY_LENGTH, run->order, run->key);
    place(run);
}

/* --- jobs --- */

/* The times at which a buffer begins or ends as numbers from 0: what lies two steps or
 * more apart is 4 apart, what one step apart 2.  So critical points are where they would be
 * in steps, but numbers stay small, and every lifetime has a middle.  */
static void add_jobs(struct run *run)
{
    const struct buffer *buffer = run->instance->buffer;
    size_t n = run->instance->n, moments;
    size_t *begin = memory_alloc(n, sizeof *begin), *end = memory_alloc(n, sizeof *end);
    int64_t *time = memory_alloc(2 * n, sizeof *time), *at = memory_zalloc(2 * n, sizeof *at);

    moments = time_moments(run->instance, begin, end);
    for (size_t b = 0; b < n; b++) {
        time[begin[b]] = buffer[b].begin;
        time[end[b]] = buffer[b].end;
    }
    for (size_t m = 1; m < moments; m++)
        at[m] = at[m - 1] + (time[m] - time[m - 1] > 1 ? 4 : 2);
    for (size_t j = 0; j < n; j++) {
        size_t b = run->order[j];

        boxing_add(&run->boxing, buffer[b].size, at[begin[b]], at[end[b]]);
    }
    run->most = (double)run->instance->max_size;
    free(at);
    free(time);
    free(end);
    free(begin);
}

/* The stretch of epsilon for sizes with the ratio R.  */
static void epsilon_range(double r, double *low, double *high)
{
    double lg2r = log2(r) * log2(r);

    *low = pow(pow(lg2r, 7.0) / r, 1.0 / 6.0);
    *high = boxing_mu_limit * lg2r;
}

/* A dummy where the stretch is empty.  Leaves the stretch in LOW and HIGH.  */
static void make_range(struct run *run, double *low, double *high)
{
    int64_t least = INT64_MAX, last = 0;

    for (size_t j = 0; j < run->boxing.originals; j++) {
        least = min64(least, run->boxing.job[j].height);
        last = max64(last, run->boxing.job[j].death);
    }
    epsilon_range(run->most / (double)least, low, high);
    if (*low < *high)
        return;
    run->most = ceil(dummy_ratio * (double)least);
    boxing_add(&run->boxing, (int64_t)run->most, 0, last);
    epsilon_range(run->most / (double)least, low, high);
}

/* --- the search --- */

/* Tries values of epsilon; leaves the best in run->epsilon and what it makes in run->list.
 * The draws of each are its own, so the best one is made once more.  */
static void find_epsilon(struct run *run, double low, double high)
{
    double least = INFINITY, epsilon = low;
    uint32_t seed = run->env->seed, best_seed = seed;

    run->epsilon = low;
    for (int tries = TRIES; tries > 0 && !out_of_time(run); seed += seed == UINT32_MAX ? 2 : 1) {
        double r;

        boxing_restart(&run->boxing, &run->list);
        rng_free(run->boxing.rng);
        run->boxing.rng = rng_new(seed);
        boxing_rogue(&run->boxing, &run->list, epsilon);
        r = boxing_scale(&run->boxing, &run->list, epsilon).r;
        tries = r < least ? TRIES : tries - 1;
        if (r < least) {
            least = r;
            run->epsilon = epsilon;
            best_seed = seed;
        }
        epsilon += (high - epsilon) * step;
    }
    boxing_restart(&run->boxing, &run->list);
    rng_free(run->boxing.rng);
    run->boxing.rng = rng_new(best_seed);
    boxing_rogue(&run->boxing, &run->list, run->epsilon);
}

/* The last boxing, unboxing and placement.  */
static bool place_boxes(struct run *run, double mu)
{
    boxing_corollary15(&run->boxing, &run->list, run->most / mu, mu);
    boxing_unbox(&run->boxing, &run->list, run->loose);
    for (size_t j = 0; j < run->instance->n; j++) {
        uint64_t bits;

        /* Numbers from 0 up are ordered as their bits are.  */
        memcpy(&bits, &run->loose[j], sizeof bits);
        run->key[j] =
            (struct order_key){bits, key_ascending(run->boxing.job[j].birth), run->order[j]};
    }
    return place(run);
}

static void box(struct run *run)
{
    double low, high, mu, target;
    int64_t most_lives = params_int(run->env->params, "lives"), lives = most_lives;
    int64_t load = run->instance->load, most_nodes = run->env->work_limit;
    bool renew = params_on(run->env->params, "renew");

    target = floor((double)load * params_real(run->env->params, "max-frag"));
    add_jobs(run);
    make_range(run, &low, &high);
    run->loose = memory_zalloc(run->boxing.originals, sizeof *run->loose);
    find_epsilon(run, low, high);
    mu = boxing_scale(&run->boxing, &run->list, run->epsilon).mu;
    if (mu > boxing_mu_limit)
        mu = 0.99 * boxing_mu_limit;
    while (run->plan->peak > load && !out_of_time(run)) {
        run->plan->nodes++;
        lives = place_boxes(run, mu) && renew ? most_lives : lives - 1;
        if (lives <= 0 || (double)run->plan->peak <= target ||
            (most_nodes > 0 && run->plan->nodes >= most_nodes))
            break;
        boxing_restart(&run->boxing, &run->list);
        boxing_rogue(&run->boxing, &run->list, run->epsilon);
    }
}

/* --- easy instances --- */

/* Rows of the coloured interval graph, from the lowest on.  */
static void place_rows(struct run *run)
{
    size_t n = run->instance->n;
    uint32_t *row = memory_alloc(n, sizeof *row);

    add_jobs(run);
    boxing_restart(&run->boxing, &run->list);
    boxing_rows(&run->boxing, run->list.job, n, row);
    for (size_t i = 0; i < n; i++)
        run->key[i] = (struct order_key){row[i], 0, run->order[run->list.job[i]]};
    free(row);
    place(run);
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    struct run run = {
        .instance = instance,
        .env = env,
        .plan = plan,
        .trial = plan_new(instance),
        .order = ties_order(env, instance->n, TIES_FIRST),
        .key = memory_alloc(instance->n, sizeof *run.key),
        .deadline = solver_deadline(env),
    };

    boxing_init(&run.boxing, rng_new(env->seed));
    plan->peak = instance->width > 1 ? INT64_MAX : instance->max_size;
    if (instance->width > 1 && greedy_is_equal(instance))
        place_rows(&run);
    else if (instance->width > 1) {
        bootstrap(&run);
        if (plan->peak > instance->load)
            box(&run);
    }
    search_statistics_add(env->statistics, STATISTIC_BOXINGS, plan->nodes);
    rng_free(run.boxing.rng);
    boxing_clear(&run.boxing);
    job_list_clear(&run.list);
    free(run.loose);
    free(run.key);
    free(run.order);
    plan_free(run.trial);
    return run.timed_out ? OUTCOME_TIMEOUT : OUTCOME_FEASIBLE;
}

static bool applicable(const struct instance *instance, const struct params *params,
                       struct error *reason)
{
    (void)params;
    if (instance->max_size > MOST_SIZE)
        return error_set(reason, "a size of %" PRId64 " bytes is above 2^40", instance->max_size);
    return true;
}

static const struct param params[] = {
    {"lives", PARAM_INT, "1", NULL, 1.0, 1e9, "boxings before it ends"},
    PARAM_SWITCH("renew", "off", "a better plan gives all lives back, as it did until 2025"),
    {"max-frag", PARAM_REAL, "1", NULL, 1.0, 1e9, "peak / load that is good enough"},
    PARAM_ENUM("fit", "first", "the gap that a buffer goes to", {"first", FIT_FIRST},
               {"best", FIT_BEST}),
    TIES_PARAM,
    PARAM_END,
};

const struct solver solver_idealloc = {
    .name = "idealloc",
    .title = "idealloc, boxing",
    .source = "Lamprakos et al. 2025; Buchsbaum et al. 2004",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SEED,
    .layout = LAYOUT_ARENA,
    .params = params,
    .applicable = applicable,
    .solve = solve,
};
