/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The planner section-first on buffers of several pieces: what its dives know of the pieces
 * against their plain definition, its plans against the verifier, a plain check of all pieces,
 * the load, greedy plans and the optima of tiny instances.  */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/place/dsa_pieces.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "planner/dives/shape_dives.h"
#include "planner/dives/shape_sections.h"
#include "tests/support/instances.h"
#include "tests/support/piece_case.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"

enum { MOST_PIECES = 4 };
#define MANY ((size_t)1 << 30)

/* N buffers of up to 4 stretches of time with bytes of their own, some idle in between.  */
static struct instance *stretches(struct rng *rng, size_t n, int64_t steps, int64_t most,
                                  bool aligned)
{
    struct instance *instance = instance_new("stretches");

    for (size_t b = 0; b < n; b++) {
        size_t count = (size_t)rng_range(rng, 1, MOST_PIECES);
        int64_t begin = rng_range(rng, 0, steps - 1), size = rng_range(rng, 2, most);
        struct piece piece[MOST_PIECES];

        for (size_t i = 0; i < count; i++) {
            int64_t lo = rng_range(rng, 0, 1) == 0 ? rng_range(rng, 0, size - 1) : 0;
            int64_t hi = rng_range(rng, 0, 1) == 0 ? rng_range(rng, lo + 1, size) : size;
            int64_t end = rng_range(rng, begin + 1, begin + 4);

            piece[i] = (struct piece){begin, end, lo, hi, false};
            begin = end + (rng_range(rng, 0, 2) == 0);
        }
        add_shape(instance, piece, count, aligned ? INT64_C(1) << rng_range(rng, 0, 4) : 1);
    }
    return sealed(instance);
}

static bool is_packing(const struct instance *instance, const int64_t *offset)
{
    for (size_t a = 0; a < instance->n; a++) {
        if (offset[a] < 0 || offset[a] % instance->buffer[a].alignment != 0)
            return false;
        for (size_t b = 0; b < a; b++)
            if (bytes_meet(instance, a, b, offset[b] - offset[a]))
                return false;
    }
    return true;
}

/* --- sections and gaps --- */

static bool in_a_gap(const struct shape_sections *shapes, size_t a, size_t b, int64_t d)
{
    for (size_t i = shapes->beside[a]; i < shapes->beside[a + 1]; i++)
        if (shapes->gap[i].other == b && shapes->gap[i].below < d && d < shapes->gap[i].above)
            return true;
    return false;
}

static bool gaps_right(const struct instance *instance, const struct shape_sections *shapes)
{
    for (size_t a = 0; a < instance->n; a++)
        for (size_t b = 0; b < instance->n; b++)
            for (int64_t d = -20; d <= 20; d++)
                if (a != b && in_a_gap(shapes, a, b, d) != bytes_meet(instance, a, b, d))
                    return false;
    return true;
}

/* The load is that of some section; each part stands under its buffer and under its section.  */
static bool sections_right(const struct instance *instance, const struct shape_sections *shapes)
{
    int64_t load = 0;
    bool right = shapes->first[shapes->n] == shapes->start[shapes->sections];

    for (size_t s = 0; s < shapes->sections; s++) {
        int64_t total = 0;

        for (size_t i = shapes->start[s]; i < shapes->start[s + 1]; i++)
            total += shapes->member[i].size;
        right = right && total == shapes->total[s];
        load = total > load ? total : load;
    }
    for (size_t b = 0; b < shapes->n; b++)
        for (size_t i = shapes->first[b]; i < shapes->first[b + 1]; i++) {
            size_t s = shapes->part[i].other, found = 0;

            for (size_t k = shapes->start[s]; k < shapes->start[s + 1]; k++)
                found += shapes->member[k].other == b && shapes->member[k].lo == shapes->part[i].lo;
            right = right && found == 1;
        }
    return right && load == instance->load;
}

/* Dives from the load up end with packings below the sum of the sizes, valid without help.  */
static void pieces_of_dives(void)
{
    struct rng *rng = rng_new(41);
    int rounds = tap_tier(200, 600), gaps = 0, sections = 0, packed = 0, valid = 0;

    for (int round = 0; round < rounds; round++) {
        struct instance *instance =
            stretches(rng, (size_t)rng_range(rng, 1, 12), 12, 9, round % 2 == 0);
        struct shape_sections *shapes = shape_sections_new(instance, 1, MANY);
        struct shape_dives dives;

        gaps += gaps_right(instance, shapes);
        sections += sections_right(instance, shapes);
        shape_dives_init(&dives, shapes, (uint32_t)round + 1);
        if (shape_dives_stage(&dives, instance->load, INT64_MAX / 4,
                              (struct shape_dive){4, 15, NULL})) {
            packed++;
            valid += is_packing(instance, dives.start);
        }
        shape_dives_clear(&dives);
        shape_sections_free(shapes);
        instance_free(instance);
    }
    is_int(gaps, rounds, "gaps are where two buffers overlap");
    is_int(sections, rounds, "sections hold what is in use");
    is_int(packed, rounds, "a dive that may rise comes to an end");
    is_int(valid, rounds, "with a packing");
    rng_free(rng);
}

/* --- plans --- */

static void plans(void)
{
    struct rng *rng = rng_new(42);
    int rounds = tap_tier(150, 600), good = 0, same = 0, no_worse = 0, better = 0;

    for (int round = 0; round < rounds; round++) {
        size_t n = (size_t)rng_range(rng, 1, round % 50 == 0 ? 300 : 40);
        struct instance *instance =
            stretches(rng, n, (int64_t)n / 2 + 4, round % 3 == 0 ? 1000000 : 40, round % 2 == 0);
        uint32_t seed = (uint32_t)rng_range(rng, 1, UINT32_MAX);
        int64_t nodes = rng_range(rng, 1, 2000);
        struct plan *plan = plan_new(instance);
        struct solver_run run = solver_run_into(
            "section-first", instance, &(struct solver_limits){.seed = seed, .work = nodes}, plan);
        struct solver_run again = solver_run("section-first", instance, seed, nodes);
        int64_t greedy = run_solver_peak("first-fit-by-size", instance);

        good += run.valid && is_packing(instance, plan->offset) && run.bound == instance->load &&
                run.peak >= instance->load && run.nodes <= nodes && run.streamed;
        same += run.offsets == again.offsets && run.nodes == again.nodes;
        no_worse += run.peak <= greedy;
        better += run.peak < greedy;
        plan_free(plan);
        instance_free(instance);
    }
    is_int(good, rounds, "plans of pieces are plans");
    is_int(same, rounds, "the same seed and nodes give the same plan");
    is_int(no_worse, rounds, "none is worse than first fit of rectangles");
    ok(better > rounds / 2, "%d of %d are better", better, rounds);
    rng_free(rng);
}

static void tiny(void)
{
    struct rng *rng = rng_new(43);
    int rounds = tap_tier(200, 800), below = 0, optimal = 0;

    for (int round = 0; round < rounds; round++) {
        struct instance *instance = piece_case_random(rng);
        int64_t optimum = piece_case_optimum(instance);
        int64_t peak = solver_run("section-first", instance, 1, 2000).peak;

        below += peak < optimum;
        optimal += peak == optimum;
        instance_free(instance);
    }
    is_int(below, 0, "no plan is below the optimum of all plans");
    ok(optimal >= rounds - rounds / 20, "%d of %d are optimal", optimal, rounds);
    rng_free(rng);
}

/* Packings without slack whose rectangles are joined, which dives alone do not find.  */
static void planted(void)
{
    int rounds = tap_tier(5, 20), packed = 0, ordered = 0;

    for (int round = 1; round <= rounds; round++) {
        char *spec = memory_printf("cuts:n=90,joined=30,seed=%d", round);
        struct instance *instance = instance_of(spec);
        struct solver_run run = solver_run("section-first", instance, 1, 20000);

        packed += run.outcome == OUTCOME_OPTIMAL && run.valid;
        ordered += run.statistics.count[STATISTIC_PAIR_CHOICES] > 0;
        instance_free(instance);
        free(spec);
    }
    ok(packed >= rounds - rounds / 10, "of %d packings without slack %d are found", rounds, packed);
    ok(ordered > 0, "by the disjunctive search in %d", ordered);
}

int main(void)
{
    pieces_of_dives();
    plans();
    tiny();
    planted();
    return tap_done();
}
