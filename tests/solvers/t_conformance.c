/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every solver has to do, for each one in the registry and each choice of
 * its parameters, on fixed and on random instances.  */
#include <config.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "lib/base/rng.h"
#include "lib/judge/verify.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "solvers/solver.h"
#include "tests/oracles/brute_force.h"
#include "tests/support/instances.h"
#include "tests/support/random_instances.h"
#include "tests/support/tap.h"

/* A solver with one setting of its parameters.  */
struct candidate {
    const struct solver *solver;
    const char *setting; /* "choice=last", or "" */
};

/* Exact solvers get few buffers and a time limit, which they may reach.  */
enum { EXACT_BUFFERS = 6 };
static const double exact_time_s = 2;

/* Searches without a proof get as many iterations.  */
enum { ITERATIONS = 20 };

/* The solver's own run, or SKIPPED.  *PLAN is always made.  */
static enum outcome run(const struct candidate *candidate, const struct instance *instance,
                        struct plan **plan)
{
    const struct solver *solver = candidate->solver;
    bool join = instance->shapes && (solver->capabilities & SOLVER_SHAPES) == 0;
    struct instance *joined = join ? instance_joined(instance) : NULL;
    const struct instance *seen = join ? joined : instance;
    enum outcome outcome = OUTCOME_SKIPPED;
    struct params params;
    struct error error = {""};
    struct solver_env env = {
        .params = &params,
        .seed = 1,
        .time_limit = solver->kind == SOLVER_EXACT ? exact_time_s : 0,
        .work_limit = solver->kind == SOLVER_EXACT ? 0 : ITERATIONS,
    };

    if (!params_parse(&params, solver->name, candidate->setting, &solver->params, 1, &error)) {
        tap_diag("%s", error.text);
        abort();
    }
    *plan = plan_new(instance);
    if ((instance->max_alignment == 1 || (solver->capabilities & SOLVER_ALIGNMENT) != 0) &&
        (solver->applicable == NULL || solver->applicable(seen, &params, &error)))
        outcome = solver->solve(seen, &env, *plan);
    params_clear(&params);
    instance_free(joined);
    return outcome;
}

/* The sum of the sizes, each padded as much as it can need: what a planner that
 * shares nothing takes at most.  An object starts at a multiple of each tenant's
 * alignment, so their common multiple stands for all of them.  */
static int64_t generous_peak(const struct instance *instance, enum layout layout)
{
    int64_t sum = 0, common = 1;

    for (size_t b = 0; b < instance->n && layout == LAYOUT_OBJECTS; b++)
        common *= instance->buffer[b].alignment / gcd64(common, instance->buffer[b].alignment);
    for (size_t b = 0; b < instance->n; b++)
        sum += instance->buffer[b].size + max64(common, instance->buffer[b].alignment) - 1;
    return sum;
}

/* A request takes more than its size, so that all together may need more than their sum.  */
static bool rounds_up(const struct candidate *candidate)
{
    return strcmp(candidate->solver->name, "pytorch-caching") == 0 ||
           strcmp(candidate->solver->name, "buddy") == 0 ||
           strcmp(candidate->solver->name, "size-classes") == 0;
}

static bool wrong(const struct candidate *candidate, const struct instance *instance,
                  const char *what)
{
    tap_diag("%s:%s on %s (n = %zu): %s", candidate->solver->name, candidate->setting,
             instance->name, instance->n, what);
    return false;
}

/* Against the exhaustive search.  */
static bool good_peak(const struct candidate *candidate, const struct instance *instance,
                      enum outcome outcome, int64_t peak)
{
    int64_t optimum = brute_force_optimum(instance);

    if (peak < optimum)
        return wrong(candidate, instance, "a peak below the optimum");
    if (outcome == OUTCOME_OPTIMAL && peak > optimum)
        return wrong(candidate, instance, "called optimal, but there is better");
    return true;
}

/* Judges one finished run.  */
static bool good_run(const struct candidate *candidate, const struct instance *instance,
                     enum outcome outcome, const struct plan *plan)
{
    bool exact = candidate->solver->kind == SOLVER_EXACT;
    struct error error = {""};

    /* A heuristic can prove a peak too: one equal to the load.  */
    if (outcome != OUTCOME_FEASIBLE && outcome != OUTCOME_OPTIMAL &&
        !(exact && outcome == OUTCOME_TIMEOUT))
        return wrong(candidate, instance, outcome_name(outcome));
    if (!verify_plan(instance, plan, &error))
        return wrong(candidate, instance, error.text);
    if (plan->layout != candidate->solver->layout)
        return wrong(candidate, instance, "another layout than it declares");
    if (plan->peak < instance->load ||
        (plan->peak > generous_peak(instance, plan->layout) && !rounds_up(candidate)))
        return wrong(candidate, instance, "the peak is out of its limits");
    if (plan->lower_bound < 0 || plan->lower_bound > plan->peak)
        return wrong(candidate, instance, "the lower bound is out of its limits");
    if (outcome == OUTCOME_OPTIMAL && plan->lower_bound != plan->peak &&
        plan->peak != instance->load)
        return wrong(candidate, instance, "optimal without the proof");
    return instance->n > EXACT_BUFFERS || instance->shapes ||
           good_peak(candidate, instance, outcome, plan->peak);
}

/* Two runs, both good, with the same plan.  */
static bool conforms(const struct candidate *candidate, const struct instance *instance)
{
    struct plan *plan, *again;
    enum outcome outcome = run(candidate, instance, &plan), second;
    bool good = true;

    if (outcome != OUTCOME_SKIPPED) {
        good = good_run(candidate, instance, outcome, plan);
        second = run(candidate, instance, &again);
        if (outcome != OUTCOME_TIMEOUT && second != OUTCOME_TIMEOUT &&
            (second != outcome || plan->peak != again->peak ||
             memcmp(plan->offset, again->offset, instance->n * sizeof *plan->offset) != 0))
            good = wrong(candidate, instance, "a second run gives another plan");
        plan_free(again);
    }
    plan_free(plan);
    return good;
}

/* --- fixed instances --- */

struct row {
    int64_t begin, end, size, alignment;
};

#define HUGE_SIZE (INT64_C(1) << 60)

static const struct fixture {
    const char *name;
    size_t n;
    struct row row[EXACT_BUFFERS];
} fixtures[] = {
    {"empty", 0, {{0, 0, 0, 0}}},
    {"one buffer", 1, {{0, 1, 1, 1}}},
    {"one aligned buffer", 1, {{-5, 9, 3, 64}}},
    {"all equal", 4, {{0, 2, 5, 1}, {0, 2, 5, 1}, {0, 2, 5, 1}, {0, 2, 5, 1}}},
    {"touching", 3, {{0, 2, 5, 1}, {2, 4, 5, 1}, {4, 6, 5, 1}}},
    {"nested lives", 3, {{0, 10, 3, 1}, {2, 8, 5, 1}, {4, 6, 7, 1}}},
    {"alignment mix", 4, {{0, 3, 5, 1}, {1, 4, 7, 8}, {2, 5, 9, 3}, {0, 5, 2, 10}}},
    {"alignment above all sizes", 3, {{0, 3, 1, 4096}, {0, 3, 2, 4096}, {0, 3, 3, 1}}},
    {"huge sizes", 3, {{0, 2, HUGE_SIZE, 1}, {1, 3, HUGE_SIZE - 1, 1}, {2, 4, HUGE_SIZE + 1, 1}}},
    {"tiny beside huge", 3, {{0, 2, HUGE_SIZE, 1}, {1, 3, 1, 1}, {2, 4, HUGE_SIZE, 1}}},
    {"negative times", 3, {{-9, -3, 4, 1}, {-4, 0, 5, 1}, {-1, 3, 6, 1}}},
    {"far times", 2, {{INT64_MIN / 2, 0, 4, 1}, {-1, INT64_MAX / 2, 5, 1}}},
    {"a hole in time", 2, {{0, 1, 4, 1}, {1000000, 1000001, 5, 1}}},
};

static void fixed(const struct candidate *candidate)
{
    for (size_t i = 0; i < sizeof fixtures / sizeof fixtures[0]; i++) {
        const struct fixture *fixture = &fixtures[i];
        struct instance *instance = instance_new(fixture->name);

        for (size_t b = 0; b < fixture->n; b++) {
            const struct row *row = &fixture->row[b];
            const char id[] = {(char)('a' + b), '\0'};

            instance_add(instance, id, row->begin, row->end, row->size, row->alignment);
        }
        sealed(instance);
        ok(conforms(candidate, instance), "%s:%s on %s", candidate->solver->name,
           candidate->setting, fixture->name);
        instance_free(instance);
    }
}

/* An overwrite chain beside a rectangle that fits over its short end.  */
static void shapes(const struct candidate *candidate)
{
    struct instance *instance = instance_of_rows("chain 0 3 0-8 + 2 5 0-4; late 3 5 6");

    ok(conforms(candidate, instance), "%s:%s on shapes", candidate->solver->name,
       candidate->setting);
    instance_free(instance);
}

/* --- random instances --- */

static size_t draw_n(const struct candidate *candidate, struct rng *rng)
{
    return (size_t)rng_range(rng, 0, candidate->solver->kind == SOLVER_EXACT ? 5 : 60);
}

/* Settings that are not the default one get fewer: there are many.  */
static int rounds_of(const struct candidate *candidate)
{
    if (candidate->solver->kind == SOLVER_EXACT)
        return tap_tier(2, 8);
    return candidate->setting[0] != '\0' ? tap_tier(8, 25) : tap_tier(20, 120);
}

static void random_ones(const struct candidate *candidate)
{
    struct rng *rng = rng_new(99);
    int rounds = rounds_of(candidate), good = 0;

    for (int round = 0; round < rounds; round++)
        for (size_t kind = 0; kind < RANDOM_KINDS; kind++) {
            struct instance *instance =
                random_instance(rng, (enum random_kind)kind, draw_n(candidate, rng));

            good += conforms(candidate, instance);
            instance_free(instance);
        }
    is_int(good, rounds * RANDOM_KINDS, "%s:%s on random instances", candidate->solver->name,
           candidate->setting);
    rng_free(rng);
}

/* --- changes that must not matter --- */

/* A copy with buffers in the order of ORDER, times moved and sizes scaled.  */
static struct instance *changed(const struct instance *instance, const size_t *order, int64_t move,
                                int64_t scale)
{
    struct instance *copy = instance_new(instance->name);

    for (size_t i = 0; i < instance->n; i++) {
        const struct buffer *buffer = &instance->buffer[order[i]];

        instance_add(copy, buffer->id, buffer->begin + move, buffer->end + move,
                     buffer->size * scale, buffer->alignment);
    }
    return sealed(copy);
}

/* No two buffers have the same begin, size or length of life.  */
static struct instance *without_ties(struct rng *rng, size_t n)
{
    struct instance *instance = instance_new("without ties");
    int64_t *begin = memory_alloc(n, sizeof *begin), *size = memory_alloc(n, sizeof *size);
    int64_t *length = memory_alloc(n, sizeof *length);

    for (size_t i = 0; i < n; i++) {
        begin[i] = size[i] = length[i] = (int64_t)i + 1;
    }
    rng_shuffle(rng, begin, n, sizeof *begin);
    rng_shuffle(rng, size, n, sizeof *size);
    rng_shuffle(rng, length, n, sizeof *length);
    for (size_t i = 0; i < n; i++) {
        add_buffer(instance, begin[i], begin[i] + length[i], size[i] * size[i], 1);
    }
    free(begin);
    free(size);
    free(length);
    return sealed(instance);
}

static int64_t peak_of(const struct candidate *candidate, const struct instance *instance,
                       enum outcome *outcome)
{
    struct plan *plan;
    int64_t peak;

    *outcome = run(candidate, instance, &plan);
    peak = plan->peak;
    plan_free(plan);
    return peak;
}

/* True as well where a time limit leaves nothing to compare.  */
static bool same_peak(const struct candidate *candidate, const struct instance *instance,
                      const size_t *order, int64_t move, int64_t scale)
{
    struct instance *copy = changed(instance, order, move, scale);
    enum outcome before, after;
    int64_t peak = peak_of(candidate, instance, &before);
    int64_t other = peak_of(candidate, copy, &after);

    instance_free(copy);
    return before == OUTCOME_TIMEOUT || after == OUTCOME_TIMEOUT || other == peak * scale;
}

/* idealloc rounds the heights of its boxes up to whole bytes, Relax a sixteenth of a size
 * down; tinygrad's buckets and a buddy system's blocks are of powers of two, jemalloc's classes
 * steps of them, and PyTorch's segments of MiB.  */
static bool sees_units(const struct candidate *candidate)
{
    return strcmp(candidate->solver->name, "idealloc") == 0 ||
           strcmp(candidate->solver->name, "relax") == 0 ||
           strcmp(candidate->solver->name, "tinygrad") == 0 || rounds_up(candidate);
}

/* Places buffers in the order of the input.  */
static bool sees_rows(const struct candidate *candidate)
{
    return (candidate->solver->capabilities & SOLVER_INPUT_ORDER) != 0 ||
           strcmp(candidate->setting, "rows=given") == 0;
}

static void properties(const struct candidate *candidate)
{
    struct rng *rng = rng_new(5);
    int rounds = rounds_of(candidate), moved = 0, scaled = 0, permuted = 0;

    for (int round = 0; round < rounds; round++) {
        size_t n = draw_n(candidate, rng);
        struct instance *instance = without_ties(rng, n);
        size_t *order = memory_alloc(n, sizeof *order);

        for (size_t i = 0; i < n; i++)
            order[i] = i;
        moved += same_peak(candidate, instance, order, -1234567, 1);
        scaled += same_peak(candidate, instance, order, 0, 1001);
        if (!sees_rows(candidate))
            rng_shuffle(rng, order, n, sizeof *order);
        permuted += same_peak(candidate, instance, order, 0, 1);
        free(order);
        instance_free(instance);
    }
    is_int(moved, rounds, "moving time keeps the peak: %s:%s", candidate->solver->name,
           candidate->setting);
    if (!sees_units(candidate))
        is_int(scaled, rounds, "scaling sizes scales the peak: %s:%s", candidate->solver->name,
               candidate->setting);
    is_int(permuted, rounds, "without ties the input's order does not matter: %s:%s",
           candidate->solver->name, candidate->setting);
    rng_free(rng);
}

static void check_candidate(const struct solver *solver, const char *setting)
{
    const struct candidate candidate = {solver, setting};

    fixed(&candidate);
    shapes(&candidate);
    random_ones(&candidate);
    properties(&candidate);
}

/* The defaults, then every value of every choice but the default one.  */
static void check_solver(const struct solver *solver)
{
    check_candidate(solver, "");
    for (const struct param *param = solver->params; param != NULL && param->name != NULL;
         param++) {
        if (param->type != PARAM_CHOICE)
            continue;
        for (const struct param_choice *choice = param->choices; choice->word != NULL; choice++) {
            char *setting = memory_printf("%s=%s", param->name, choice->word);

            if (param->initial == NULL || strcmp(choice->word, param->initial) != 0)
                check_candidate(solver, setting);
            free(setting);
        }
    }
}

int main(void)
{
    for (const struct solver_entry *entry = solver_registry; entry->solver != NULL; entry++) {
        const struct solver *solver = entry->solver;

        ok(solver_find(solver->name) == entry && strlen(entry->checksum) == 16,
           "%s is found by its name and has a checksum", solver->name);
        ok(solver->title[0] != '\0' && solver->source[0] != '\0', "%s: title and source",
           solver->name);
        if ((solver->capabilities & SOLVER_RAW_PARAMETER) == 0)
            check_solver(solver);
    }
    return tap_done();
}
