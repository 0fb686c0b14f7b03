/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tvm-hill-climb: swap two buffers in the order, place all again by first fit,
 * keep the order if that was no worse or a die says so.
 *
 * The first order is tvm-size's.  An attempt places all buffers in the current
 * order, each in the lowest gap that is large enough.  It is accepted if it is
 * the first one, or its peak is below the one accepted last, or, for the k-th
 * attempt after the first, when a number drawn from 0..99 is less than
 *
 *     floor(floor(50 (peak - accepted) / peak) / k)
 *
 * so a worse plan is the likelier to be taken the worse it is, and after the
 * first few attempts hardly any is.  Otherwise the last swap is taken back.
 * Then one of the buffers that end at the accepted plan's peak is drawn, N, and
 *
 *     level 1   the buffers that meet N and stand before it in the order;
 *     level 2   for each buffer c that meets N, those that meet c and stand
 *               before c, as often as there are such c;
 *
 * a buffer of level 1 changes places with one of level 2 (probability 74 / 100)
 * or of level 1.  It ends after 500 attempts, or when the peak is the load.
 *
 * Upstream keeps no incumbent: what it returns is the plan that was accepted
 * last, which may be worse than the best one seen, even than the first (by 12 %
 * on eight buffers of tests/solvers/t_tvm.c).  accept=keep-best goes the same way and
 * returns the best one.
 *
 * Source: Apache TVM, src/tir/usmp/algo/hill_climb.cc (in the main branch until
 * February 2025).  It draws with the C library's rand_r from seed 0; here is
 * glibc's generator, so that plans are the same everywhere.  When level 1 is
 * empty nothing is swapped, and a rejection then takes the swap before that back
 * once more: so it is upstream, and so it is here.
 * Published as O(conflicts of conflicts) an attempt; here O(n log n) to draw,
 * counting level 2 instead of listing it, and one placement (lib/place/gap_index.c),
 * near O(n log n); with the same plan.  Guarantee: none; keep-best is never above
 * the first fit it starts from.
 * Differences: those of tvm-size.  A work limit counts attempts.  With
 * accept=upstream nothing is streamed while it runs, or the harness would keep
 * the best plan where upstream returns the last.  */
#include <config.h>

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/place/gap_index.h"
#include "lib/problem/instance.h"
#include "lib/problem/search_statistics.h"
#include "solvers/fit/ties.h"
#include "solvers/fit/turns.h"
#include "solvers/shipped/tvm.h"
#include "solvers/solver.h"

enum { ACCEPT_UPSTREAM, ACCEPT_KEEP_BEST };
enum { DRAWS_UPSTREAM, DRAWS_SEED };

/* How many numbers below a limit were added, one by one: a Fenwick tree.  */
struct prefix_counts {
    size_t limit;
    size_t *count; /* entry i, from 1: of the i & -i numbers that end with i - 1 */
};

struct climb {
    const struct instance *instance;
    struct order_key *key;             /* the order: key[p].index is placed as number p, */
    size_t *position;                  /* and this is its inverse */
    uint32_t random;                   /* state of rand_r */
    size_t swapped[2];                 /* positions that changed places last */
    struct plan *trial;                /* of this attempt */
    struct plan *accepted;             /* the last one that was accepted */
    size_t *first_level;               /* scratch: buffers, */
    uint64_t *second_level;            /* how often the buffer at position p is in level 2, */
    struct prefix_counts begun, ended; /* and for counting that: buffers by first and last step */
};

/* glibc's rand_r: x' = 1103515245 x + 12345 modulo 2^32, three steps a number; of
 * each the bits from 16 on, 11 of the first and 10 of the others, the first ones
 * uppermost.  In [0, 2^31).  */
static uint32_t next_bits(uint32_t *state, unsigned bits)
{
    *state = *state * UINT32_C(1103515245) + 12345;
    return (*state >> 16) & ((UINT32_C(1) << bits) - 1);
}

static uint64_t draw(struct climb *climb, uint64_t below)
{
    uint32_t number = next_bits(&climb->random, 11);

    number = number << 10 ^ next_bits(&climb->random, 10);
    number = number << 10 ^ next_bits(&climb->random, 10);
    return number % below;
}

/* Empty, for numbers 0 .. LIMIT - 1.  */
static void prefix_counts_init(struct prefix_counts *counts, size_t limit)
{
    counts->limit = limit;
    counts->count = memory_zalloc(limit + 1, sizeof *counts->count);
}

static void prefix_counts_reset(struct prefix_counts *counts)
{
    memset(counts->count, 0, (counts->limit + 1) * sizeof *counts->count);
}

static void prefix_counts_clear(struct prefix_counts *counts)
{
    free(counts->count);
}

static void prefix_counts_add(struct prefix_counts *counts, size_t number)
{
    assert(number < counts->limit);
    for (size_t i = number + 1; i <= counts->limit; i += i & -i)
        counts->count[i]++;
}

static size_t prefix_counts_before(const struct prefix_counts *counts, size_t number)
{
    size_t sum = 0;

    assert(number <= counts->limit);
    for (size_t i = number; i > 0; i -= i & -i)
        sum += counts->count[i];
    return sum;
}

static void climb_init(struct climb *climb, const struct instance *instance,
                       const struct solver_env *env, struct plan *accepted)
{
    size_t n = instance->n;
    bool seeded = params_choice(env->params, "draws") == DRAWS_SEED;

    *climb = (struct climb){.instance = instance, .accepted = accepted};
    climb->key = tvm_order(instance, env, TVM_BY_SIZE);
    climb->position = memory_alloc(n, sizeof *climb->position);
    for (size_t p = 0; p < n; p++)
        climb->position[climb->key[p].index] = p;
    climb->random = seeded ? env->seed : 0;
    climb->trial = plan_new(instance);
    climb->first_level = memory_alloc(n, sizeof *climb->first_level);
    climb->second_level = memory_alloc(n, sizeof *climb->second_level);
    prefix_counts_init(&climb->begun, instance->steps);
    prefix_counts_init(&climb->ended, instance->steps);
}

static void climb_clear(struct climb *climb)
{
    free(climb->key);
    free(climb->position);
    plan_free(climb->trial);
    free(climb->first_level);
    free(climb->second_level);
    prefix_counts_clear(&climb->begun);
    prefix_counts_clear(&climb->ended);
}

static void swap(struct climb *climb, size_t p, size_t q)
{
    struct order_key key = climb->key[p];

    climb->key[p] = climb->key[q];
    climb->key[q] = key;
    climb->position[climb->key[p].index] = p;
    climb->position[climb->key[q].index] = q;
}

static bool meets(const struct climb *climb, size_t a, size_t b)
{
    const struct buffer *buffer = climb->instance->buffer;

    return a != b && buffers_conflict(&buffer[a], &buffer[b]);
}

/* A worse peak's chance in per cent is worked out in size_t upstream, and wraps
 * around where 50 times the difference passes 2^64.  */
static bool accepts(struct climb *climb, uint64_t attempt)
{
    uint64_t peak = (uint64_t)climb->trial->peak, accepted = (uint64_t)climb->accepted->peak;

    if (attempt == 0 || peak < accepted)
        return true;
    return draw(climb, 100) < 50 * (peak - accepted) / peak / attempt;
}

/* One of the buffers that end at the peak, by their places in the order.  */
static size_t draw_highest(struct climb *climb)
{
    const struct instance *instance = climb->instance;
    const struct plan *plan = climb->accepted;
    size_t count = 0, chosen;

    for (size_t p = 0; p < instance->n; p++) {
        size_t b = climb->key[p].index;

        if (plan->offset[b] + instance->buffer[b].size == plan->peak)
            climb->first_level[count++] = b;
    }
    chosen = (size_t)draw(climb, count);
    return climb->first_level[chosen];
}

static size_t list_first_level(struct climb *climb, size_t highest)
{
    size_t count = 0;

    for (size_t p = 0; p < climb->position[highest]; p++)
        if (meets(climb, climb->key[p].index, highest))
            climb->first_level[count++] = climb->key[p].index;
    return count;
}

/* From the last place to the first: BEGUN and ENDED hold the buffers that meet
 * HIGHEST and stand later.  A buffer meets those of them that neither begin after
 * its last step nor end before its first one.  */
static uint64_t count_second_level(struct climb *climb, size_t highest)
{
    uint64_t later = 0, total = 0;

    prefix_counts_reset(&climb->begun);
    prefix_counts_reset(&climb->ended);
    for (size_t p = climb->instance->n; p-- > 0;) {
        size_t b = climb->key[p].index;
        const struct buffer *buffer = &climb->instance->buffer[b];

        climb->second_level[p] = later == 0
                                     ? 0
                                     : prefix_counts_before(&climb->begun, buffer->last + 1) -
                                           prefix_counts_before(&climb->ended, buffer->first);
        total += climb->second_level[p];
        if (meets(climb, b, highest)) {
            prefix_counts_add(&climb->begun, buffer->first);
            prefix_counts_add(&climb->ended, buffer->last);
            later++;
        }
    }
    return total;
}

/* Number I of level 2 in the order of places, as often as each is in it.  */
static size_t second_level_at(const struct climb *climb, uint64_t i)
{
    size_t p = 0;

    for (; i >= climb->second_level[p]; p++)
        i -= climb->second_level[p];
    return climb->key[p].index;
}

static void propose(struct climb *climb)
{
    size_t highest = draw_highest(climb);
    size_t first_level = list_first_level(climb, highest), one, other;
    uint64_t second_level;

    if (first_level == 0)
        return;
    second_level = count_second_level(climb, highest);
    one = climb->first_level[draw(climb, first_level)];
    do {
        if (second_level > 0 && draw(climb, 100) > 25)
            other = second_level_at(climb, draw(climb, second_level));
        else
            other = climb->first_level[draw(climb, first_level)];
    } while (other == one && (first_level >= 2 || second_level >= 2));
    if (other == one)
        return;
    climb->swapped[0] = climb->position[one];
    climb->swapped[1] = climb->position[other];
    swap(climb, climb->swapped[0], climb->swapped[1]);
}

/* One attempt; true when it was accepted.  */
static bool attempt(struct climb *climb, uint64_t number)
{
    gap_place(climb->instance, climb->key, FIT_FIRST, climb->trial);
    if (!accepts(climb, number)) {
        swap(climb, climb->swapped[1], climb->swapped[0]);
        return false;
    }
    plan_copy(climb->accepted, climb->trial);
    return true;
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    int64_t attempts = params_int(env->params, "attempts"), done = 0;
    bool keep_best = params_choice(env->params, "accept") == ACCEPT_KEEP_BEST;
    struct plan *accepted = keep_best ? plan_new(instance) : plan;
    struct turns turns = turns_under(env);
    struct climb climb;
    enum outcome outcome = OUTCOME_FEASIBLE;

    if (env->work_limit > 0)
        attempts = min64(attempts, env->work_limit);
    climb_init(&climb, instance, env, accepted);
    turns_next(&turns);
    while (done < attempts && instance->n > 0) {
        bool taken = attempt(&climb, (uint64_t)done);

        plan->nodes = accepted->nodes = ++done;
        if (keep_best && taken && (done == 1 || accepted->peak < plan->peak)) {
            plan_copy(plan, accepted);
            solver_stream(env, plan);
        }
        if (taken && accepted->peak <= instance->load)
            break;
        if (!turns_next(&turns) && done < attempts) {
            outcome = OUTCOME_TIMEOUT;
            break;
        }
        propose(&climb);
    }
    search_statistics_add(env->statistics, STATISTIC_DECODINGS, done);
    climb_clear(&climb);
    if (keep_best)
        plan_free(accepted);
    return outcome;
}

static const struct param params[] = {
    PARAM_ENUM("accept", "upstream",
               "return the plan that was accepted last (as published) or the best one seen",
               {"upstream", ACCEPT_UPSTREAM}, {"keep-best", ACCEPT_KEEP_BEST}),
    {"attempts", PARAM_INT, "500", NULL, 1, PARAM_NO_LIMIT, "placements of all buffers"},
    PARAM_ENUM("draws", "upstream",
               "what rand_r starts from: 0 (as published) or the seed of the run",
               {"upstream", DRAWS_UPSTREAM}, {"seed", DRAWS_SEED}),
    TVM_ROUNDING_PARAM,
    TIES_PARAM,
    PARAM_END,
};

const struct solver solver_tvm_hill_climb = {
    .name = "tvm-hill-climb",
    .title = "TVM USMP, hill climb",
    .source = "Apache TVM, tir/usmp/algo/hill_climb.cc",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SEED | SOLVER_SHIPPED,
    .layout = LAYOUT_ARENA,
    .native = {.offset = TVM_ALIGNMENT},
    .params = params,
    .applicable = tvm_applicable,
    .solve = solve,
};
