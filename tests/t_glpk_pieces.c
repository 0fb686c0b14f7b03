/* The exact solver on buffers of several pieces, against all plans of tiny
 * instances.  */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/instance.h"
#include "lib/memory.h"
#include "lib/params.h"
#include "lib/plan.h"
#include "lib/rng.h"
#include "lib/verify.h"
#include "solvers/solver.h"
#include "tests/instances.h"
#include "tests/tap.h"

/* --- all plans --- */

/* Whether piece P at X and piece Q at Y share a step and a byte.  */
static bool meet(const struct piece *p, int64_t x, const struct piece *q, int64_t y)
{
    return p->begin < q->end && q->begin < p->end && x + p->lo < y + q->hi && y + q->lo < x + p->hi;
}

static bool fits(const struct instance *instance, const int64_t *offset, size_t b)
{
    const struct buffer *own = &instance->buffer[b];

    for (size_t a = 0; a < b; a++) {
        const struct buffer *other = &instance->buffer[a];

        for (size_t i = 0; i < own->pieces; i++)
            for (size_t k = 0; k < other->pieces; k++)
                if (meet(&instance->piece[own->first_piece + i], offset[b],
                         &instance->piece[other->first_piece + k], offset[a]))
                    return false;
    }
    return true;
}

/* The least peak of buffers B and up, with the others at OFFSET.  */
static void try_all(const struct instance *instance, int64_t *offset, size_t b, int64_t peak,
                    int64_t *least)
{
    if (b == instance->n) {
        *least = peak < *least ? peak : *least;
        return;
    }
    for (offset[b] = 0; offset[b] + instance->buffer[b].size < *least;
         offset[b] += instance->buffer[b].alignment) {
        int64_t top = offset[b] + instance->buffer[b].size;

        if (fits(instance, offset, b))
            try_all(instance, offset, b + 1, top > peak ? top : peak, least);
    }
}

static int64_t optimum_of(const struct instance *instance)
{
    int64_t *offset = memory_alloc(instance->n, sizeof *offset), least = instance->total + 1;

    for (size_t b = 0; b < instance->n; b++)
        least += instance->buffer[b].alignment;
    try_all(instance, offset, 0, 0, &least);
    free(offset);
    return least;
}

/* --- the solver --- */

struct result {
    enum outcome outcome;
    int64_t peak, bound;
    bool valid;
};

static struct result solve(const struct instance *instance, const char *text)
{
    const struct solver *solver = solver_find("glpk")->solver;
    struct plan *plan = plan_new(instance);
    struct error error = {{0}};
    struct params params;
    struct solver_env env = {.params = &params, .seed = 1};
    struct result result = {OUTCOME_CRASHED, 0, 0, false};

    if (params_parse(&params, "glpk", text, &solver->params, 1, &error)) {
        result.outcome = solver->solve(instance, &env, plan);
        result.peak = plan->peak;
        result.bound = plan->lower_bound;
        result.valid = verify_plan(instance, plan, &error);
        params_clear(&params);
    }
    if (!result.valid)
        tap_diag("glpk:%s: %s", text, error.text);
    plan_free(plan);
    return result;
}

/* Two steps that interlock with two others like two hooks: 3 bytes high each,
 * 4 together, 6 as rectangles.
 *
 *      step 0: a [0, 1)          b [0, 3)
 *      step 1: a [0, 3)          b [2, 3)     a at 0, b at 1  */
static void hooks(void)
{
    static const struct piece a[] = {{0, 1, 0, 1, true}, {1, 2, 0, 3, true}};
    static const struct piece b[] = {{0, 1, 0, 3, true}, {1, 2, 2, 3, true}};
    struct instance *instance = instance_new("hooks");
    struct result pieces, joined, bigm;

    instance_add_pieces(instance, "a", a, 2, 1);
    instance_add_pieces(instance, "b", b, 2, 1);
    sealed(instance);
    pieces = solve(instance, "");
    bigm = solve(instance, "model=bigm");
    joined = solve(instance, "pieces=off");
    ok(pieces.valid && pieces.outcome == OUTCOME_OPTIMAL && pieces.peak == 4 && pieces.bound == 4,
       "two hooks interlock: peak %" PRId64, pieces.peak);
    ok(bigm.valid && bigm.outcome == OUTCOME_OPTIMAL && bigm.peak == 4, "with big M too");
    ok(joined.valid && joined.outcome == OUTCOME_FEASIBLE && joined.peak == 6 && joined.bound == 4,
       "as rectangles they do not, and nothing is proven: peak %" PRId64 ", bound %" PRId64,
       joined.peak, joined.bound);
    instance_free(instance);
}

/* Up to three pieces on a grid of 4 steps x 4 bytes, in any shape; a piece of the
 * full height keeps the size.  */
static struct instance *random_pieces(struct rng *rng)
{
    struct instance *instance = instance_new("pieces");
    size_t n = (size_t)rng_range(rng, 2, 4);
    int64_t alignment = rng_range(rng, 1, 4) == 1 ? 2 : 1;

    for (size_t b = 0; b < n; b++) {
        size_t count = (size_t)rng_range(rng, 1, 3);
        struct piece piece[3];
        char *id = memory_printf("b%zu", b);

        for (size_t i = 0; i < count; i++) {
            int64_t begin = rng_range(rng, 0, 3), lo = rng_range(rng, 0, 2);

            piece[i] = (struct piece){begin, rng_range(rng, begin + 1, 4), lo,
                                      rng_range(rng, lo + 1, 3), false};
        }
        instance_add_pieces(instance, id, piece, count, alignment);
        free(id);
    }
    return sealed(instance);
}

static void against_all_plans(void)
{
    struct rng *rng = rng_new(61);
    int rounds = tap_tier(60, 400), same = 0, bigm_same = 0, rectangles = 0, gained = 0;

    for (int round = 0; round < rounds; round++) {
        struct instance *instance = random_pieces(rng);
        int64_t optimum = optimum_of(instance);
        struct result pieces = solve(instance, ""), bigm = solve(instance, "model=bigm");
        struct result joined = solve(instance, "pieces=off");

        same += pieces.valid && pieces.outcome == OUTCOME_OPTIMAL && pieces.peak == optimum;
        bigm_same += bigm.valid && bigm.outcome == OUTCOME_OPTIMAL && bigm.peak == optimum;
        rectangles += joined.valid && joined.peak >= optimum && joined.bound <= optimum &&
                      (joined.outcome != OUTCOME_OPTIMAL || !instance->shapes);
        gained += joined.peak > optimum;
        instance_free(instance);
    }
    is_int(same, rounds, "the optimum of pieces is that of all plans");
    is_int(bigm_same, rounds, "with big M too");
    is_int(rectangles, rounds, "rectangles are never better and prove nothing");
    ok(gained > rounds / 20, "and often worse: %d of %d", gained, rounds);
    rng_free(rng);
}

int main(void)
{
    hooks();
    against_all_plans();
    return tap_done();
}
