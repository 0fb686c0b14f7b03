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

#include <stdbool.h>

#include "lib/base/checked.h"
#include "lib/place/gap_index.h"
#include "lib/problem/instance.h"
#include "lib/problem/search_statistics.h"
#include "solvers/fit/ties.h"
#include "solvers/fit/turns.h"
#include "solvers/shipped/tvm.h"
#include "solvers/shipped/tvm_climb.h"
#include "solvers/solver.h"

enum { ACCEPT_UPSTREAM, ACCEPT_KEEP_BEST };
enum { DRAWS_UPSTREAM, DRAWS_SEED };

/* What is tried in CLIMB's order, and the plan of it that was accepted last.  */
struct climbing {
    struct tvm_climb climb;
    struct plan *trial, *accepted;
};

static void climbing_init(struct climbing *climbing, const struct instance *instance,
                          const struct solver_env *env, struct plan *accepted)
{
    bool seeded = params_choice(env->params, "draws") == DRAWS_SEED;

    tvm_climb_init(&climbing->climb, instance, tvm_order(instance, env, TVM_BY_SIZE),
                   seeded ? env->seed : 0);
    climbing->trial = plan_new(instance);
    climbing->accepted = accepted;
}

static void climbing_clear(struct climbing *climbing)
{
    tvm_climb_clear(&climbing->climb);
    plan_free(climbing->trial);
}

/* One attempt; true when it was accepted.  */
static bool attempt(struct climbing *climbing, uint64_t number)
{
    struct tvm_climb *climb = &climbing->climb;
    struct plan *trial = climbing->trial;

    gap_place(climb->instance, climb->key, FIT_FIRST, trial);
    if (!tvm_climb_accepts(climb, trial->peak, climbing->accepted->peak, number)) {
        tvm_climb_undo(climb);
        return false;
    }
    plan_copy(climbing->accepted, trial);
    for (size_t b = 0; b < trial->n; b++)
        climb->at_top[b] = trial->offset[b] + climb->instance->buffer[b].size == trial->peak;
    return true;
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    int64_t attempts = params_int(env->params, "attempts"), done = 0;
    bool keep_best = params_choice(env->params, "accept") == ACCEPT_KEEP_BEST;
    struct plan *accepted = keep_best ? plan_new(instance) : plan;
    struct turns turns = turns_under(env);
    struct climbing climbing;
    enum outcome outcome = OUTCOME_FEASIBLE;

    if (env->work_limit > 0)
        attempts = min64(attempts, env->work_limit);
    climbing_init(&climbing, instance, env, accepted);
    turns_next(&turns);
    while (done < attempts && instance->n > 0) {
        bool taken = attempt(&climbing, (uint64_t)done);

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
        tvm_climb_propose(&climbing.climb);
    }
    search_statistics_add(env->statistics, STATISTIC_DECODINGS, done);
    climbing_clear(&climbing);
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
