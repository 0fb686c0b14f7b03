/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The planner section-first and what it is made of: peeling, classes and dives, against
 * exhaustive search, the verifier and plain definitions.  */
#include <config.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/luby.h"
#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "lib/base/rng.h"
#include "lib/judge/verify.h"
#include "lib/place/dsa_pieces.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "planner/dives/section_classes.h"
#include "planner/dives/section_dives.h"
#include "planner/dives/section_peel.h"
#include "solvers/solver.h"
#include "tests/oracles/brute_force.h"
#include "tests/support/all_classes.h"
#include "tests/support/instances.h"
#include "tests/support/random_instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"
#include "workloads/workload.h"

enum { SMALL_LOG = 1, LOG = 1 << 20 };

/* --- the planner --- */

/* Only alignments give a bound above the load (tests/lib/place/t_aligned_bound.c).  */
static bool sound(const struct solver_run *run, const struct instance *instance, int64_t nodes)
{
    bool bounded =
        instance->max_alignment > 1 ? run->bound >= instance->load : run->bound == instance->load;

    return run->valid && bounded && run->bound <= run->peak && run->nodes <= nodes &&
           (run->outcome == OUTCOME_OPTIMAL) == (run->peak == run->bound) && run->streamed;
}

static void random_plans(void)
{
    struct rng *rng = rng_new(2026);
    int rounds = tap_tier(15, 110), good = 0, same = 0, no_worse = 0, optimal = 0, all = 0;

    for (int round = 0; round < rounds; round++)
        for (int kind = 0; kind < RANDOM_KINDS; kind++) {
            size_t n = (size_t)rng_range(rng, 1, round % 20 == 0 ? 1500 : 60);
            struct instance *instance = random_instance(rng, (enum random_kind)kind, n);
            uint32_t seed = (uint32_t)rng_range(rng, 1, UINT32_MAX);
            int64_t nodes = rng_range(rng, 1, 3000);
            struct solver_run one = solver_run("section-first", instance, seed, nodes);
            struct solver_run again = solver_run("section-first", instance, seed, nodes);
            struct solver_run greedy = solver_run("first-fit-by-size", instance, 1, 0);

            good += sound(&one, instance, nodes);
            same += one.offsets == again.offsets && one.nodes == again.nodes &&
                    one.incumbents == again.incumbents;
            no_worse += one.peak <= greedy.peak;
            optimal += one.outcome == OUTCOME_OPTIMAL;
            all++;
            if (!sound(&one, instance, nodes))
                tap_diag("%s, n = %zu, seed %" PRIu32 ", nodes %" PRId64,
                         random_kind_name((enum random_kind)kind), n, seed, nodes);
            instance_free(instance);
        }
    is_int(good, all, "plans verified, proofs true, incumbents ever better, within the nodes");
    is_int(same, all, "the same again with the same seed");
    is_int(no_worse, all, "never worse than first-fit-by-size");
    tap_diag("%d of %d at the load", optimal, all);
    rng_free(rng);
}

static void small_ones(void)
{
    struct instance *instance = instance_of_rows("a -5 7 3 64");
    struct solver_run run;
    run = solver_run("section-first:nodes=1", instance, 1, 0);
    ok(sound(&run, instance, 1) && run.peak == 3, "one buffer");
    instance_free(instance);

    instance = instance_new("equal");
    for (int i = 0; i < 40; i++) {
        add_buffer(instance, 0, 2, 7, 1);
    }
    sealed(instance);
    run = solver_run("section-first", instance, 1, 0);
    ok(sound(&run, instance, 40) && run.peak == 280, "40 equal ones: one class, no failure");
    instance_free(instance);

    instance = instance_new("apart");
    for (int i = 0; i < 40; i++) {
        add_buffer(instance, i, i + 1, i + 1, 1);
    }
    sealed(instance);
    run = solver_run("section-first", instance, 1, 0);
    ok(sound(&run, instance, 0) && run.peak == 40, "no two alive together: all peeled");
    instance_free(instance);
}

static void deadlines(void)
{
    static const struct {
        const char *text;
        bool good;
    } row[] = {{"", true},
               {"deadline=10ms", true},
               {"deadline=1.5s", true},
               {"deadline=0", true},
               {"deadline=10", false},
               {"deadline=ms", false},
               {"deadline=1m", false},
               {"deadline=1sec", false},
               {"deadline=-1s", false},
               {"deadline=xs", false}};
    const struct solver *solver = solver_find("section-first")->solver;
    struct instance *instance = three(1);

    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct params params;
        struct error error = {{0}};
        bool parsed = params_parse(&params, solver->name, row[i].text, &solver->params, 1, &error);

        ok(parsed && solver->applicable(instance, &params, &error) == row[i].good, "%s: %s",
           row[i].text, row[i].good ? "is taken" : "is refused");
        params_clear(&params);
    }
    instance_free(instance);
}

/* --- peeling --- */

/* The least multiple of its alignment at which buffer B fits beside the buffers that
 * are PLACED, looked for step by step.  */
static int64_t first_fit(const struct instance *instance, const bool *placed, const int64_t *offset,
                         size_t b)
{
    const struct buffer *buffer = &instance->buffer[b];

    for (int64_t at = 0;; at += buffer->alignment) {
        bool hit = false;

        for (size_t d = 0; d < instance->n && !hit; d++)
            hit = placed[d] && buffers_overlap_in_time(buffer, &instance->buffer[d]) &&
                  at < offset[d] + instance->buffer[d].size && offset[d] < at + buffer->size;
        if (!hit)
            return at;
    }
}

/* Few and small, many of them short, with alignments if ALIGNED.  */
static struct instance *sparse(struct rng *rng, bool aligned)
{
    struct instance *instance = instance_new("sparse");
    int64_t n = rng_range(rng, 1, 14), high = rng_range(rng, 2, 30);

    for (int64_t i = 0; i < n; i++) {
        int64_t begin = rng_range(rng, 0, 12), size = rng_range(rng, 1, high);

        if (rng_range(rng, 0, 2) == 0)
            size = rng_range(rng, 1, 3);
        add_buffer(instance, begin, begin + rng_range(rng, 1, 4), size,
                   aligned ? rng_range(rng, 1, 4) : 1);
    }
    return sealed(instance);
}

/* The kept ones at any multiple of the unit below CAPACITY, over one another even; whether
 * the peeled ones find their places.  */
static bool peeled_fit(const struct instance *instance, const size_t *order, size_t kept,
                       int64_t capacity, struct rng *rng)
{
    bool *placed = memory_zalloc(instance->n, sizeof *placed), fit = true;
    int64_t unit = dsa_unit(instance);
    int64_t *offset = memory_zalloc(instance->n, sizeof *offset);

    for (size_t i = 0; i < instance->n; i++) {
        size_t b = order[i];

        if (i < kept)
            offset[b] = unit * rng_range(rng, 0, (capacity - instance->buffer[b].size) / unit);
        else
            offset[b] = first_fit(instance, placed, offset, b);
        fit = fit && offset[b] + instance->buffer[b].size <= capacity;
        placed[b] = true;
    }
    free(placed);
    free(offset);
    return fit;
}

static void peeling(void)
{
    struct rng *rng = rng_new(99);
    int rounds = tap_tier(1000, 6000), fit = 0, permutations = 0, larger = 0;
    int64_t peeled = 0, all = 0;

    for (int round = 0; round < rounds; round++) {
        struct instance *instance = sparse(rng, round % 2 == 1);
        int64_t unit = dsa_unit(instance);
        size_t order[16], kept = section_peel(instance, unit, instance->load, order), sum = 0;
        unsigned seen = 0;

        for (size_t i = 0; i < instance->n; i++)
            seen |= 1u << order[i];
        for (size_t i = 1; i < kept; i++)
            sum += order[i] <= order[i - 1];
        permutations += seen == (1u << instance->n) - 1 && sum == 0;
        fit += peeled_fit(instance, order, kept, instance->load, rng);
        larger += peeled_fit(instance, order, kept, instance->load + 3 * unit, rng);
        peeled += (int64_t)(instance->n - kept);
        all += (int64_t)instance->n;
        instance_free(instance);
    }
    is_int(permutations, rounds, "peeling orders all buffers, those that stay ascending");
    is_int(fit, rounds, "peeled buffers go back below the load wherever the others are");
    is_int(larger, rounds, "and below a larger capacity");
    ok(peeled > all / 10 && peeled < all, "%" PRId64 " of %" PRId64 " were peeled", peeled, all);
    rng_free(rng);
}

/* --- classes --- */

static bool share_section(const struct section_classes *classes, size_t a, size_t b)
{
    return classes->first[a] <= classes->last[b] && classes->first[b] <= classes->last[a];
}

/* Whether classes say what the instance does, by looking at all pairs.  */
static bool classes_true(const struct section_classes *classes, const struct instance *instance,
                         int64_t unit)
{
    size_t *class_of = memory_alloc(instance->n, sizeof *class_of), buffers = 0;
    bool good = classes->load == instance->load / unit;

    for (size_t c = 0; c < classes->n; c++)
        for (size_t i = classes->copy_start[c]; i < classes->copy_start[c + 1]; i++, buffers++)
            class_of[classes->copy[i]] = c;
    good = good && buffers == instance->n;
    for (size_t a = 0; a < instance->n && good; a++) {
        size_t c = class_of[a];

        good = classes->size[c] == instance->buffer[a].size / unit &&
               classes->copies[c] == classes->copy_start[c + 1] - classes->copy_start[c] &&
               (c == 0 || classes->first[c - 1] <= classes->first[c]) &&
               classes->begin[classes->first[c]] <= c && c < classes->begin[classes->first[c] + 1];
        for (size_t b = 0; b < a && good; b++)
            good = share_section(classes, c, class_of[b]) ==
                   buffers_overlap_in_time(&instance->buffer[a], &instance->buffer[b]);
    }
    free(class_of);
    return good;
}

/* Whether the order of sizes is one: larger ones first, of equal ones the longer lives.  */
static bool sizes_ranked(struct section_classes *classes)
{
    const uint32_t *rank = classes->rank[RANK_SIZE];
    bool good = true;

    section_classes_ranks(classes, "ZWAT", classes->rank[RANK_SIZE]);
    for (size_t c = 0; c < classes->n; c++) {
        const uint32_t *length = classes->rank[RANK_LENGTH];

        good = good && rank[c] < classes->n;
        for (size_t d = 0; d < c; d++)
            good = good && (rank[c] < rank[d]) ==
                               (classes->size[c] > classes->size[d] ||
                                (classes->size[c] == classes->size[d] && length[c] < length[d]));
    }
    return good;
}

static void classes(void)
{
    struct rng *rng = rng_new(5);
    int rounds = tap_tier(20, 200), good = 0, ranked = 0, all = 0, refused = 0;
    size_t merged = 0;

    for (int round = 0; round < rounds; round++)
        for (int kind = 0; kind < RANDOM_KINDS; kind++) {
            struct instance *instance =
                random_instance(rng, (enum random_kind)kind, (size_t)rng_range(rng, 1, 60));
            int64_t unit = dsa_unit(instance);
            size_t keep[64];

            for (size_t b = 0; b < instance->n; b++)
                keep[b] = b;
            for (int variant = 0; variant < 4; variant++, all++) {
                struct section_classes *made = section_classes_new(
                    instance, unit, keep, instance->n, variant % 2 == 1, variant / 2 == 1, 1 << 20);

                good += made != NULL && classes_true(made, instance, unit) &&
                        (variant % 2 == 1 || made->n == instance->n);
                ranked += sizes_ranked(made);
                merged += instance->n - made->n;
                section_classes_free(made);
            }
            refused += section_classes_new(instance, unit, keep, instance->n, false, false,
                                           instance->n - 1) == NULL;
            instance_free(instance);
        }
    is_int(good, all, "classes conflict as their buffers do, merged or not, both ways in time");
    is_int(ranked, all, "the order of sizes goes by size, then by lifetime");
    is_int(refused, all / 4, "more incidences than may be are refused");
    ok(merged > 0, "%zu were copies", merged);
    rng_free(rng);
}

/* --- the light engine and its dives --- */

/* Whether the best packing of DIVES is a plan with its peak.  */
static bool packing_valid(const struct section_dives *dives, const struct instance *instance)
{
    struct plan *plan = plan_new(instance);
    struct error error = {""};
    int64_t unit = dsa_unit(instance);
    bool valid;

    for (size_t i = 0; i < instance->n; i++)
        plan->offset[dives->light.classes->copy[i]] = dives->best[i] * unit;
    plan->peak = plan_peak(instance, plan);
    valid = plan->peak == dives->best_peak * unit && verify_plan(instance, plan, &error);
    plan_free(plan);
    return valid;
}

/* Whether what dives say about INSTANCE is true, whose optimum is known, with all kinds of
 * looks, with and without classes, later rounds guided and in all orders of ties; *FOUND
 * counts the optima that are found.  */
static bool dives_true(const struct instance *instance, int64_t optimum, size_t log, int *found)
{
    static const size_t looks[] = {0, 1, 4};
    int64_t unit = dsa_unit(instance);
    bool good = true;

    for (int variant = 0; variant < 6; variant++) {
        struct section_classes *made = all_classes(instance, variant < 3);
        struct section_dives dives;
        int64_t load = instance->load / unit;

        section_classes_ranks(made, "ZWAT", made->rank[RANK_SIZE]);
        section_dives_init(&dives, made, log, 7);
        for (uint64_t round = 1; round <= 10 && dives.best_peak != optimum / unit; round++) {
            struct section_dive kind = {.looks = looks[variant % 3],
                                        .rank = (enum section_rank)(round % RANKS),
                                        .guided = round > 3,
                                        .tight = round % 3 == 0,
                                        .rise = round % 4 == 0 ? 0.002 : 0.0};

            for (int64_t capacity = load; capacity <= optimum / unit; capacity++)
                if (section_dives_search(&dives, capacity, 30 * luby(round), kind))
                    good = good && capacity == optimum / unit && dives.best_peak == capacity &&
                           packing_valid(&dives, instance);
            if (dives.best_peak != optimum / unit &&
                section_dives_stage(&dives, load, dives.best_peak, kind))
                good = good && dives.best_peak >= optimum / unit && packing_valid(&dives, instance);
        }
        *found += dives.best_peak == optimum / unit;
        section_dives_clear(&dives);
        section_classes_free(made);
    }
    return good;
}

static void dives(void)
{
    struct rng *rng = rng_new(17);
    int rounds = tap_tier(60, 500), good = 0, found = 0;

    for (int round = 0; round < rounds; round++) {
        struct instance *instance = instance_new("tiny");
        int64_t n = rng_range(rng, 1, 7);

        for (int64_t i = 0; i < n; i++) {
            int64_t begin = rng_range(rng, 0, 4);

            add_buffer(instance, begin, rng_range(rng, begin + 1, 5), rng_range(rng, 1, 5),
                       round % 3 == 0 ? rng_range(rng, 1, 3) : 1);
        }
        sealed(instance);
        good += dives_true(instance, brute_force_optimum(instance), LOG, &found);
        instance_free(instance);
    }
    is_int(good, rounds, "every packing is one, none below the optimum, whatever the looks");
    ok(found > 6 * rounds * 95 / 100, "%d of %d optima were found", found, 6 * rounds);
    rng_free(rng);
}

/* A log that holds next to nothing: dives that need more of it give up.  */
static void short_logs(void)
{
    struct rng *rng = rng_new(23);
    int good = 0, packings = 0, rounds = tap_tier(2, 6);

    for (int round = 0; round < rounds; round++) {
        struct instance *instance = random_instance(rng, RANDOM_UNIFORM, 400);
        struct section_classes *made = all_classes(instance, true);
        struct section_dives dives;

        section_dives_init(&dives, made, SMALL_LOG, 3);
        for (uint64_t dive = 1; dive <= 10; dive++) {
            struct section_dive kind = {
                .looks = dive % 4, .guided = dive % 3 == 0, .tight = dive % 5 < 2};
            bool better = dive % 2 == 1
                              ? section_dives_search(&dives, made->load, 500, kind)
                              : section_dives_stage(&dives, made->load, dives.best_peak, kind);

            good += !better || packing_valid(&dives, instance);
            packings += better;
        }
        section_dives_clear(&dives);
        section_classes_free(made);
        instance_free(instance);
    }
    is_int(good, 10 * rounds, "with a short log a packing is one too");
    ok(packings > 0, "%d of them", packings);
    rng_free(rng);
}

/* A thousand small buffers and more have finer stages than others.  With the usual ones these end
 * 0.3 to 0.5 % above the load.  */
static void many_small(void)
{
    int good = 0, runs = 0;

    for (int draw = 5; draw <= 9; draw += 4)
        for (uint32_t seed = 1; seed <= 2; seed++) {
            char *spec = memory_printf("uniform:n=1200,seed=%d", draw);
            struct instance *instance = instance_of(spec);
            struct solver_run run = solver_run("section-first:nodes=8000", instance, seed, 0);

            good +=
                sound(&run, instance, 8000) && run.peak <= instance->load + instance->load / 800;
            runs++;
            instance_free(instance);
            free(spec);
        }
    is_int(good, runs, "many small buffers end close to the load");
}

/* An instance whose optimum, 1223150, is a sixth above its load: no dive that begins at the load
 * comes below the best greedy plan, which is half above it.  */
static void load_out_of_reach(void)
{
    struct instance *instance =
        instance_of("tight:steps=400,cap=1048576,low=65536,high=524288,longest=80");
    int good = 0;

    for (uint32_t seed = 1; seed <= 3; seed++) {
        struct solver_run run = solver_run("section-first:nodes=30000", instance, seed, 0);

        good += sound(&run, instance, 30000) && run.peak <= 1223150 + 1223150 / 20;
    }
    is_int(good, 3, "with the load out of reach plans end close to the optimum");
    instance_free(instance);
}

static void sequence(void)
{
    static const int64_t terms[] = {1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8};
    int good = 0;

    for (size_t i = 0; i < sizeof terms / sizeof *terms; i++)
        good += luby(i + 1) == terms[i];
    is_int(good, 15, "Luby's sequence");
}

/* --- real instances --- */

static void real_ones(void)
{
    static const char *const name[] = {"minimalloc/A.1048576.csv", "minimalloc/C.1048576.csv",
                                       "minimalloc/E.1048576.csv", "minimalloc/G.1048576.csv",
                                       "minimalloc/I.1048576.csv", "idealloc/S_1.csv"};

    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        struct instance *instance;
        struct solver_run run;
        char *spec;

        if (tap_skip_without(1, name[i]))
            continue;
        spec = memory_printf("data:%s", name[i]);
        instance = instance_of(spec);
        free(spec);
        run = solver_run("section-first", instance, 1, 0);
        ok(sound(&run, instance, INT64_MAX) && run.outcome == OUTCOME_OPTIMAL,
           "%s: at the load, %" PRId64 " placements", name[i], run.nodes);
        instance_free(instance);
    }
}

int main(void)
{
    sequence();
    peeling();
    classes();
    dives();
    short_logs();
    many_small();
    load_out_of_reach();
    small_ones();
    deadlines();
    random_plans();
    real_ones();
    return tap_done();
}
