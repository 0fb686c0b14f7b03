/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact solver: its model against exhaustive search, known optima, limits,
 * parts of the time axis, what it streams.  */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/glpk_milp.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/judge/verify.h"
#include "lib/place/best_greedy.h"
#include "lib/place/dsa_pieces.h"
#include "lib/place/time_parts.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "solvers/search/dsa_model.h"
#include "tests/oracles/brute_force.h"
#include "tests/support/instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"

/* --- instances --- */

struct row {
    int64_t begin, end, size;
};

/* The two smallest instances whose optimum is above the load.  */
static const struct row gadget[] = {{0, 1, 2}, {0, 2, 2}, {1, 3, 1}, {1, 4, 1},
                                    {2, 4, 1}, {3, 5, 2}, {4, 5, 2}};
static const struct row second[] = {{0, 1, 2}, {0, 2, 3}, {1, 3, 1}, {1, 4, 1},
                                    {2, 4, 1}, {3, 5, 3}, {4, 5, 2}};
enum { GADGET = 7, HARD_SEED = 2 };

static void add_rows(struct instance *instance, const struct row *row, int64_t shift, int64_t scale)
{
    for (size_t i = 0; i < GADGET; i++)
        add_buffer(instance, row[i].begin + shift, row[i].end + shift, row[i].size * scale, 1);
}

/* Few steps and sizes give many twins.  */
static struct instance *random_instance(struct rng *rng, int64_t most, int64_t steps, int64_t sizes,
                                        bool aligned)
{
    static const int64_t alignments[] = {1, 1, 2, 4, 3, 6};
    struct instance *instance = instance_new("random");
    int64_t n = rng_range(rng, 1, most), scale = rng_range(rng, 1, 3);

    for (int64_t i = 0; i < n; i++) {
        int64_t begin = rng_range(rng, 0, steps - 1), end = rng_range(rng, begin + 1, steps);

        add_buffer(instance, begin, end, scale * rng_range(rng, 1, sizes),
                   aligned ? alignments[rng_range(rng, 0, 5)] : 1);
    }
    return sealed(instance);
}

/* A gadget with random buffers around it: the optimum is often above the load.  */
static struct instance *random_gap(struct rng *rng)
{
    struct instance *instance = instance_new("gap");

    add_rows(instance, rng_range(rng, 0, 1) == 0 ? gadget : second, 0, 1);
    for (int64_t i = rng_range(rng, 0, 2); i > 0; i--) {
        int64_t begin = rng_range(rng, 0, 4);

        add_buffer(instance, begin, rng_range(rng, begin + 1, 5), rng_range(rng, 1, 2), 1);
    }
    return sealed(instance);
}

/* --- running the solver --- */

/* Whether the plan is valid, the stream monotone, and both agree.  */
static bool good(const struct solver_run *run)
{
    return run->valid && run->streamed && (run->bound == 0 || run->last_bound == run->bound) &&
           run->bound <= run->peak &&
           (run->outcome == OUTCOME_OPTIMAL) == (run->bound == run->peak);
}

/* SPEC without limits.  */
static bool proves(const struct instance *instance, const char *spec, int64_t optimum)
{
    struct solver_run run = solver_run(spec, instance, 1, 0);

    return good(&run) && solver_run_proves(&run, optimum);
}

/* --- the model alone --- */

/* The optimum by the model, from bounds on H that no heuristic has narrowed; or
 * -1 when the rebuilt plan is not what the search says it is.  */
static int64_t model_optimum(const struct instance *instance, enum dsa_form form)
{
    int64_t unit = dsa_unit(instance), high = 0;
    const struct milp_limits limits = {.stop_at = -INFINITY};
    struct plan *plan = plan_new(instance);
    struct dsa_model *model;
    struct error error = {""};
    double *value, bound;
    int64_t result = -1;

    for (size_t b = 0; b < instance->n; b++)
        high += instance->buffer[b].size + instance->buffer[b].alignment;
    model = dsa_model_new(instance, form, instance->load / unit, high / unit + 1, INFINITY);
    value = memory_zalloc(milp_columns(dsa_model_milp(model)), sizeof *value);
    if (milp_solve(dsa_model_milp(model), &limits, NULL, value, &bound, NULL) == MILP_OPTIMAL &&
        dsa_model_offsets(model, value, plan->offset)) {
        plan->peak = plan_peak(instance, plan);
        if (verify_plan(instance, plan, &error) && plan->peak == llround(bound) * unit)
            result = plan->peak;
    }
    free(value);
    dsa_model_free(model);
    plan_free(plan);
    return result;
}

static void model_against_exhaustion(void)
{
    struct rng *rng = rng_new(17);
    int runs = tap_tier(100, 1500), clique = 0, bigm = 0, above = 0;

    for (int i = 0; i < runs; i++) {
        struct instance *instance = i % 10 == 9
                                        ? random_gap(rng)
                                        : random_instance(rng, 6, 2 + i % 4, 2 + i % 3, i % 3 == 0);
        int64_t optimum = brute_force_optimum(instance);

        clique += model_optimum(instance, DSA_CLIQUE) == optimum;
        if (instance->n <= 7) /* without clique rows more takes too long */
            bigm += model_optimum(instance, DSA_BIG_M) == optimum;
        else
            bigm++;
        above += optimum > instance->load;
        instance_free(instance);
    }
    is_int(clique, runs, "the model with clique rows agrees with exhaustive search");
    is_int(bigm, runs, "the big-M model agrees with exhaustive search");
    ok(above > runs / 20, "%d of them have an optimum above the load", above);
    rng_free(rng);
}

/* The fixed binaries must leave an image of every plan under flipping and
 * under exchanging twins.  A buffer between its two twin neighbours is its own
 * image, so asking for that must not make the model infeasible.  */
static void symmetry(void)
{
    static const int64_t sizes[][3] = {{4, 3, 3}, {3, 4, 3}, {3, 3, 4}, {3, 4, 4}, {4, 4, 3}};
    const struct milp_limits limits = {.stop_at = -INFINITY};
    const double one = 1.0;
    int solved = 0;

    for (size_t i = 0; i < 5; i++) {
        struct instance *instance = instance_new("twins");
        struct dsa_model *model;
        size_t middle = 0; /* the one that has no twin; column 1 + middle is its offset */

        for (size_t b = 0; b < 3; b++) {
            add_buffer(instance, 0, 2, sizes[i][b], 1);
            if (sizes[i][b] != sizes[i][(b + 1) % 3] && sizes[i][b] != sizes[i][(b + 2) % 3])
                middle = 1 + b;
        }
        sealed(instance);
        model = dsa_model_new(instance, DSA_CLIQUE, instance->load, instance->load, INFINITY);
        milp_add_row(dsa_model_milp(model), (double)sizes[i][middle % 3],
                     (double)sizes[i][middle % 3], &middle, &one, 1);
        solved +=
            milp_solve(dsa_model_milp(model), &limits, NULL, NULL, NULL, NULL) == MILP_OPTIMAL;
        dsa_model_free(model);
        instance_free(instance);
    }
    is_int(solved, 5, "a buffer may lie between two twins");
}

static void solver_against_exhaustion(void)
{
    struct rng *rng = rng_new(23);
    int runs = tap_tier(120, 3000), clique = 0, bigm = 0;

    for (int i = 0; i < runs; i++) {
        struct instance *instance = i % 10 == 9
                                        ? random_gap(rng)
                                        : random_instance(rng, 8, 2 + i % 6, 2 + i % 5, i % 2 == 0);
        int64_t optimum = brute_force_optimum(instance);

        clique += proves(instance, "glpk", optimum);
        bigm += proves(instance, "glpk:model=bigm", optimum);
        instance_free(instance);
    }
    is_int(clique, runs, "glpk proves the optimum of tiny instances, alignments and all");
    is_int(bigm, runs, "glpk:model=bigm proves it too");
    rng_free(rng);
}

static void gadgets(void)
{
    struct instance *instance = instance_new("gadget");

    add_rows(instance, gadget, 0, 1);
    sealed(instance);
    is_int(instance->load, 4, "the gadget's load");
    ok(proves(instance, "glpk", 5), "the gadget's optimum is 5");
    ok(proves(instance, "glpk:model=bigm", 5), "by big-M as well");
    ok(proves(instance, "glpk:rounding=off", 5), "without a heuristic as well");
    ok(proves(instance, "glpk:cuts=on", 5), "with cuts as well");
    instance_free(instance);
    instance = instance_new("second");
    add_rows(instance, second, 0, 4096);
    sealed(instance);
    ok(proves(instance, "glpk", 6 * 4096), "the second gadget's optimum is 6, in units of 4096");
    instance_free(instance);
}

/* --- units, parts, greedy start --- */

static void units(void)
{
    struct instance *instance = instance_new("units");

    add_buffer(instance, 0, 1, 12, 4);
    add_buffer(instance, 0, 1, 24, 6);
    sealed(instance);
    is_int(dsa_unit(instance), 12, "alignments that divide the sizes do not count");
    instance_free(instance);
    instance = instance_new("units");
    add_buffer(instance, 0, 1, 12, 24);
    add_buffer(instance, 0, 1, 24, 1);
    sealed(instance);
    is_int(dsa_unit(instance), 12, "nor do multiples of them");
    instance_free(instance);
    instance = instance_new("units");
    add_buffer(instance, 0, 1, 12, 4);
    add_buffer(instance, 0, 1, 12, 6);
    add_buffer(instance, 0, 1, 24, 8);
    sealed(instance);
    is_int(dsa_unit(instance), 2, "8 is neither, and then 6 is not either");
    instance_free(instance);
}

static void parts(void)
{
    struct instance *instance = instance_new("parts");
    struct plan *plan;
    struct solver_run run;
    struct error error = {""};
    size_t part[22];

    add_rows(instance, second, 20, 10); /* later in time, first in the file */
    add_rows(instance, gadget, 0, 10);
    add_rows(instance, gadget, 10, 7);
    add_buffer(instance, 30, 31, 55, 1);
    sealed(instance);
    is_int((int64_t)time_parts(instance, part), 4, "four parts");
    ok(part[0] == 2 && part[7] == 0 && part[14] == 1 && part[21] == 3, "in the order of time");
    plan = plan_new(instance);
    best_greedy(instance, part, 4, INFINITY, plan);
    ok(verify_plan(instance, plan, &error) && plan->peak >= 60, "the greedy start is a plan");
    plan_free(plan);
    run = solver_run("glpk", instance, 1, 0);
    ok(good(&run) && run.outcome == OUTCOME_OPTIMAL && run.peak == 60,
       "the peak is the largest of the parts' optima");
    instance_free(instance);

    /* The first part's load is above the second's optimum: no model at all.  */
    instance = instance_new("covered");
    add_rows(instance, gadget, 0, 10);
    add_buffer(instance, 5, 6, 50, 1);
    sealed(instance);
    run = solver_run("glpk", instance, 1, 0);
    ok(run.outcome == OUTCOME_OPTIMAL && run.nodes == 0,
       "a part is solved only as far as it matters");
    instance_free(instance);
    instance = sealed(instance_new("empty"));
    run = solver_run("glpk", instance, 1, 0);
    ok(run.outcome == OUTCOME_OPTIMAL && run.peak == 0, "nothing to plan");
    instance_free(instance);
}

/* --- limits --- */

/* Uniform end points: the greedy plans miss the load, and it takes some
 * hundred nodes to find out by how much.  */
static struct instance *hard(void)
{
    struct rng *rng = rng_new(HARD_SEED);
    struct instance *instance = instance_new("hard");

    while (instance->n < 32) {
        int64_t a = rng_range(rng, 0, 64), b = rng_range(rng, 0, 64);

        if (a != b)
            add_buffer(instance, min64(a, b), max64(a, b), rng_range(rng, 1, 1000), 1);
    }
    rng_free(rng);
    return sealed(instance);
}

static void limits(void)
{
    const struct solver_limits few = {.seed = 1, .work = 30};
    const struct solver_limits brief = {.seed = 1, .seconds = 1e-3};
    struct instance *instance = hard();
    struct plan *first = plan_new(instance), *again = plan_new(instance);
    struct solver_run run = solver_run_into("glpk", instance, &few, first);

    ok(good(&run) && run.outcome == OUTCOME_FEASIBLE && run.nodes == 30,
       "a work limit gives a bracket: %s", run.note);
    ok(run.bound == instance->load && run.peak > run.bound, "from the load up");
    solver_run_into("glpk", instance, &few, again);
    ok(memcmp(first->offset, again->offset, instance->n * sizeof *first->offset) == 0,
       "the same work limit, the same plan");
    run = solver_run_into("glpk", instance, &brief, again);
    ok(good(&run) && run.outcome == OUTCOME_TIMEOUT, "a time limit gives a bracket");
    run = solver_run("glpk:max-pairs=10", instance, 1, 0);
    ok(good(&run) && run.outcome == OUTCOME_FEASIBLE && strstr(run.note, "no model") != NULL,
       "too large for a model: %s", run.note);
    plan_free(first);
    plan_free(again);
    instance_free(instance);
}

/* Units so fine that floating point can't prove the last ones.  */
static void fine_units(void)
{
    struct instance *instance = instance_new("fine");
    struct solver_run run;

    add_rows(instance, gadget, 0, (int64_t)1 << 40);
    add_buffer(instance, 6, 7, 1, 1);
    sealed(instance);
    ok(proves(instance, "glpk", (int64_t)5 << 40), "large sizes have a large unit, part by part");
    instance_free(instance);
    instance = instance_new("fine");
    add_rows(instance, gadget, 0, (int64_t)1 << 40);
    add_buffer(instance, 0, 5, 1, 1);
    sealed(instance);
    run = solver_run("glpk", instance, 1, 2000);
    ok(good(&run) && run.peak >= ((int64_t)5 << 40) + 1 && run.bound <= ((int64_t)5 << 40) + 1,
       "with a unit of 1 the bracket still holds the optimum: %s", run.note);
    instance_free(instance);
}

static void real_data(void)
{
    static const struct {
        const char *name;
        int64_t optimum; /* optima.csv beside the instances */
    } known[] = {{"ta_0", 104}, {"ta_1", 101}, {"tb_0", 105}, {"td_0", 100}, {"td_1", 100}};

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        char *spec = memory_printf("data:tight/%s.csv", known[i].name);

        if (!tap_skip_without(1, strchr(spec, ':') + 1)) {
            struct instance *instance = instance_of(spec);

            ok(proves(instance, "glpk", known[i].optimum), "the optimum of %s", known[i].name);
            instance_free(instance);
        }
        free(spec);
    }
}

/* A start from the search changes no optimum, whether that search ends it all, leaves a
 * bracket or has no time at all.  */
static void warm_starts(void)
{
    static const char *const text[] = {"glpk:warm=search", "glpk:warm=search,warm-nodes=3",
                                       "glpk:warm=search,warm-nodes=0",
                                       "glpk:warm=search,warm-nodes=3,model=bigm"};
    struct rng *rng = rng_new(37);
    int runs = tap_tier(60, 300), same = 0, left = 0, limited = 0;

    for (int i = 0; i < runs; i++) {
        struct instance *instance =
            i % 3 > 0 ? random_gap(rng) : random_instance(rng, 9, 3 + i % 4, 9, i % 2 == 0);
        struct solver_run cold = solver_run("glpk", instance, 1, 0), few;

        for (size_t k = 0; k < 4; k++)
            same += proves(instance, text[k], cold.peak);
        left += solver_run(text[1], instance, 1, 0).nodes > 3;
        few = solver_run(text[0], instance, 1, 2);
        limited += good(&few) && few.nodes <= 2 && few.bound <= cold.peak && few.peak >= cold.peak;
        instance_free(instance);
    }
    is_int(same, 4 * runs, "warm starts change no optimum");
    ok(left > 0, "after a short one %d are left to GLPK", left);
    is_int(limited, runs, "a work limit counts both searches");
    rng_free(rng);
}

int main(void)
{
    gadgets();
    units();
    parts();
    model_against_exhaustion();
    symmetry();
    solver_against_exhaustion();
    limits();
    warm_starts();
    fine_units();
    real_data();
    return tap_done();
}
