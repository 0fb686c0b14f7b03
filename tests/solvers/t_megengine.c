/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MegEngine's three planners: cases worked out by hand, best fit and pushdown against
 * the plainest way to do it, random overwrite chains past the verifier.  */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "solvers/solver.h"
#include "tests/oracles/plain_pushdown.h"
#include "tests/support/golden.h"
#include "tests/support/instances.h"
#include "tests/support/random_instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"

static const char *const names[] = {"megengine-best-fit", "megengine-pushdown",
                                    "megengine-interval-move"};

/* In the last of the first examples: a, then c below it (which pushes a up), then b below a.  */
static void examples(void)
{
    static const struct record grown[] = {{0, 2, 4}, {0, 1, 2}, {1, 3, 3}};
    static const struct record pushed_up[] = {{0, 4, 4}, {0, 2, 3}, {2, 4, 3}};
    static const struct record tighter[] = {{0, 1, 4}, {0, 2, 2}, {0, 1, 3}, {1, 2, 3}};
    static const struct record aligned[] = {{0, 2, 5}, {0, 2, 3}, {1, 2, 2}};

    golden_plans("a block that grows", grown, 0, 1, OFFSETS(0, 4, 6), "megengine-best-fit");
    golden_plans("a block that grows", grown, 0, 1, OFFSETS(0, 4, 4), "megengine-pushdown");
    golden_plans("a block that grows", grown, 0, 1, OFFSETS(3, 0, 0), "megengine-interval-move");
    golden_plans("pushed up", pushed_up, 0, 1, OFFSETS(3, 0, 0), "megengine-interval-move");
    /* Both take the same gap; d lies above b, as c did.  */
    golden_plans("the tighter gap", tighter, 0, 1, OFFSETS(0, 4, 6, 6), "megengine-best-fit",
                 "megengine-pushdown");
    /* Best fit rounds the top and may use the padding.  */
    golden_plans("aligned to 4", aligned, 0, 4, OFFSETS(0, 8, 12), "megengine-best-fit",
                 "megengine-pushdown");
}

/* The article's example of an overwrite: 20 bytes, of which 10 at offset 6 are
 * overwritten at the last step; then 6 and 4 bytes fit into what is left.  */
static void overwritten_part(void)
{
    static const struct piece chain[] = {{0, 2, 0, 20, true}, {1, 3, 6, 16, true}};
    struct instance *instance = instance_new("an overwrite in the middle");

    instance_add_pieces(instance, "d", chain, 2, 1);
    instance_add_overwrite(instance, 1, 0);
    rows_add(instance, "x 2 3 6; y 2 3 4");
    sealed(instance);
    golden_offsets("megengine-best-fit", instance, OFFSETS(0, 0, 16));
    golden_offsets("megengine-pushdown", instance, OFFSETS(0, 0, 16));
    /* The root keeps all of its place as long as the chain lives: y below x
     * below d.  */
    golden_offsets("megengine-interval-move", instance, OFFSETS(10, 4, 0));
    instance_free(instance);
}

/* --- best fit, plainly --- */

struct live {
    const struct instance *instance;
    int64_t *address; /* of each buffer; -1: not alive */
    int64_t top;
};

/* Whether [LOW, HIGH) is free of buffers that are alive.  */
static bool is_free(const struct live *live, int64_t low, int64_t high)
{
    for (size_t b = 0; b < live->instance->n; b++)
        if (live->address[b] >= 0 && live->address[b] < high &&
            low < live->address[b] + live->instance->buffer[b].size)
            return false;
    return true;
}

/* The end of the free stretch at LOW, below the top: where the next one is.  */
static int64_t free_end(const struct live *live, int64_t low)
{
    int64_t end = live->top;

    for (size_t b = 0; b < live->instance->n; b++)
        if (live->address[b] >= low)
            end = min64(end, live->address[b]);
    return end;
}

/* Tries every address at which a free stretch can begin.  */
static void plain_alloc(struct live *live, size_t b)
{
    int64_t alignment = live->instance->max_alignment, size = live->instance->buffer[b].size;
    int64_t best = -1, best_room = INT64_MAX;

    for (size_t other = 0; other <= live->instance->n; other++) {
        int64_t low = 0, start;

        if (other < live->instance->n) {
            if (live->address[other] < 0)
                continue;
            low = live->address[other] + live->instance->buffer[other].size;
        }
        start = align_up(low, alignment);
        if (low >= live->top || !is_free(live, low, low + 1) || start >= free_end(live, low))
            continue;
        if (free_end(live, low) - start >= size &&
            (free_end(live, low) - start < best_room ||
             (free_end(live, low) - start == best_room && start < best))) {
            best = start;
            best_room = free_end(live, low) - start;
        }
    }
    live->address[b] = best >= 0 ? best : live->top;
    live->top = max64(live->top, align_up(live->address[b] + size, alignment));
}

static void plain_best_fit(const struct instance *instance, int64_t *offset)
{
    struct live live = {.instance = instance,
                        .address = memory_alloc(instance->n, sizeof *live.address)};
    int64_t step = INT64_MAX, last = INT64_MIN;

    for (size_t b = 0; b < instance->n; b++) {
        live.address[b] = -1;
        step = min64(step, instance->buffer[b].begin);
        last = max64(last, instance->buffer[b].end);
    }
    for (; step < last; step++) {
        for (size_t b = 0; b < instance->n; b++)
            if (instance->buffer[b].end == step)
                live.address[b] = -1;
        for (size_t b = 0; b < instance->n; b++)
            if (instance->buffer[b].begin == step) {
                plain_alloc(&live, b);
                offset[b] = live.address[b];
            }
    }
    free(live.address);
}

static void best_fit_against_plain(void)
{
    static const enum random_kind kinds[] = {RANDOM_UNIFORM, RANDOM_CHAIN,   RANDOM_TIES,
                                             RANDOM_EQUAL,   RANDOM_ALIGNED, RANDOM_TOUCHING};
    struct rng *rng = rng_new(23);
    int rounds = tap_tier(40, 300);

    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        int same = 0;

        for (int round = 0; round < rounds; round++) {
            struct instance *instance = random_instance(rng, kinds[k], 30);
            struct plan *plan = solver_plan("megengine-best-fit", instance, 1);
            int64_t *offset = memory_alloc(instance->n, sizeof *offset);

            plain_best_fit(instance, offset);
            same += memcmp(plan->offset, offset, instance->n * sizeof *offset) == 0;
            free(offset);
            plan_free(plan);
            instance_free(instance);
        }
        is_int(same, rounds, "best fit as done plainly: %s", random_kind_name(kinds[k]));
    }
    rng_free(rng);
}

/* --- random chains --- */

/* As a file has them that knows no buffers.  */
static void number_at_random(struct instance *instance, struct rng *rng)
{
    size_t *number = memory_alloc(instance->pieces, sizeof *number);

    for (size_t p = 0; p < instance->pieces; p++)
        number[p] = p;
    rng_shuffle(rng, number, instance->pieces, sizeof *number);
    instance_number_pieces(instance, number);
    free(number);
}

/* Buffers of up to four links, each within the one that it overwrites.  The pieces of every
 * other instance are numbered at random; there no link begins with the one before it.  */
static struct instance *random_chains(struct rng *rng, size_t n)
{
    struct instance *instance = instance_new("chains");
    bool numbered = rng_range(rng, 0, 1) == 1;

    for (size_t b = 0; b < n; b++) {
        size_t links = (size_t)rng_range(rng, 1, 4), first = instance->pieces;
        int64_t begin = rng_range(rng, 0, 20), lo = 0, hi = rng_range(rng, 1, 40);
        struct piece piece[4];

        for (size_t i = 0; i < links; i++) {
            piece[i] =
                (struct piece){begin, begin + rng_range(rng, numbered ? 2 : 1, 6), lo, hi, true};
            begin = piece[i].end - 1;
            lo = rng_range(rng, lo, hi - 1);
            hi = rng_range(rng, lo + 1, hi);
        }
        add_shape(instance, piece, links, 1);
        for (size_t i = 1; i < links; i++)
            instance_add_overwrite(instance, first + i, first + i - 1);
    }
    if (numbered)
        number_at_random(instance, rng);
    return sealed(instance);
}

static void chains_are_valid(void)
{
    struct rng *rng = rng_new(29);
    int rounds = tap_tier(100, 1000);

    for (size_t s = 0; s < sizeof names / sizeof *names; s++) {
        int valid = 0, gained = 0;

        for (int round = 0; round < rounds; round++) {
            struct instance *instance = random_chains(rng, (size_t)rng_range(rng, 1, 25));
            struct instance *joined = instance_joined(instance);
            struct plan *plan = solver_plan(names[s], instance, 1);
            struct plan *whole = solver_plan(names[s], joined, 1);

            valid += plan->peak >= instance->load;
            gained += plan->peak < whole->peak;
            plan_free(plan);
            plan_free(whole);
            instance_free(joined);
            instance_free(instance);
        }
        is_int(valid, rounds, "%s: plans of chains are valid", names[s]);
        if (s < 2)
            ok(gained > rounds / 4, "%s: uses what overwriting leaves: %d of %d", names[s], gained,
               rounds);
        else
            is_int(gained, 0, "%s: takes a chain as its root", names[s]);
    }
    rng_free(rng);
}

/* --- pushdown, plainly --- */

static bool as_plain_pushdown(const struct instance *instance)
{
    struct plan *plan = solver_plan("megengine-pushdown", instance, 1), *plain = plan_new(instance);
    bool same;

    plain_pushdown(instance, plain);
    same = plan != NULL && plan->peak == plain->peak &&
           memcmp(plan->offset, plain->offset, instance->n * sizeof *plan->offset) == 0;
    plan_free(plan);
    plan_free(plain);
    return same;
}

static void pushdown_against_plain(void)
{
    static const enum random_kind kinds[] = {RANDOM_UNIFORM, RANDOM_CHAIN,   RANDOM_TIES,
                                             RANDOM_EQUAL,   RANDOM_ALIGNED, RANDOM_TOUCHING};
    struct rng *rng = rng_new(31);
    int rounds = tap_tier(40, 300), same = 0;

    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        same = 0;
        for (int round = 0; round < rounds; round++) {
            struct instance *instance = random_instance(rng, kinds[k], 30);

            same += as_plain_pushdown(instance);
            instance_free(instance);
        }
        is_int(same, rounds, "pushdown as done plainly: %s", random_kind_name(kinds[k]));
    }
    same = 0;
    for (int round = 0; round < 10 * rounds; round++) {
        struct instance *instance = random_chains(rng, (size_t)rng_range(rng, 1, 25));

        same += as_plain_pushdown(instance);
        instance_free(instance);
    }
    is_int(same, 10 * rounds, "pushdown as done plainly: overwrites, and any order of intervals");
    rng_free(rng);
}

static void not_applicable(void)
{
    struct instance *instance = instance_of_rows("a 0 2 5 6; b 0 2 3 4");

    ok(!solver_applies("megengine-best-fit", instance) &&
           !solver_applies("megengine-interval-move", instance) &&
           !solver_applies("megengine-pushdown", instance),
       "alignments that do not divide");
    instance_free(instance);
}

/* What upstream's own code gave for these networks' intervals and overwrites, in bytes (9.95
 * and 9.19 MiB).  */
static void networks(void)
{
    static const struct {
        const char *spec;
        int64_t peak;
    } networks[] = {
        {"resnet50:inplace=megengine", 10436608},
        {"mobilenet_v2:inplace=megengine", 9633792},
    };

    for (size_t i = 0; i < sizeof networks / sizeof networks[0]; i++) {
        struct instance *instance = instance_of(networks[i].spec);

        is_int(run_solver_peak("megengine-pushdown", instance), networks[i].peak, "%s",
               networks[i].spec);
        instance_free(instance);
    }
}

int main(void)
{
    examples();
    overwritten_part();
    best_fit_against_plain();
    chains_are_valid();
    pushdown_against_plain();
    not_applicable();
    networks();
    return tap_done();
}
