/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lower bound from alignments: exact where all buffers are alive together, and never above the
 * optimum or a plan.  */
#include <config.h>

#include <math.h>
#include <stdbool.h>

#include "lib/base/checked.h"
#include "lib/base/rng.h"
#include "lib/place/aligned_bound.h"
#include "lib/problem/instance.h"
#include "tests/oracles/brute_force.h"
#include "tests/support/instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"

enum { AMPLE = 1000000 };

/* N buffers with lifetimes of LIFE steps at most that begin in the first of STEPS; alignments are
 * powers of two up to 16, or with ODD any numbers up to 12.  */
static struct instance *random_instance(struct rng *rng, size_t n, int64_t steps, int64_t life,
                                        bool odd)
{
    struct instance *instance = instance_new("aligned");

    for (size_t b = 0; b < n; b++) {
        int64_t begin = rng_range(rng, 0, steps - 1);

        add_buffer(instance, begin, begin + rng_range(rng, 1, life), rng_range(rng, 1, 30),
                   odd ? rng_range(rng, 1, 12) : INT64_C(1) << rng_range(rng, 0, 4));
    }
    return sealed(instance);
}

/* How many bounds of how many instances are what they should be.  */
struct tally {
    int rounds, sound, exact, above; /* sound: neither below the load nor above the optimum */
    int above_exact;
    int partly; /* with less work no higher, and at least the load */
};

static void count(struct tally *tally, struct instance *instance, int64_t less_work)
{
    int64_t optimum = brute_force_optimum(instance);
    int64_t bound = aligned_bound(instance, AMPLE, INFINITY);
    int64_t less = aligned_bound(instance, less_work, INFINITY);

    tally->sound += bound >= instance->load && bound <= optimum;
    tally->exact += bound == optimum;
    tally->above += bound > instance->load;
    tally->above_exact += bound > instance->load && bound == optimum;
    tally->partly += less >= instance->load && less <= bound;
    instance_free(instance);
}

/* All alive together: the bound is the optimum.  */
static void cliques(void)
{
    struct tally tally = {.rounds = tap_tier(200, 2000)};
    struct rng *rng = rng_new(1);

    for (int round = 0; round < tally.rounds; round++)
        count(&tally, random_instance(rng, 2 + (size_t)round % 6, 1, 1, round % 2 == 0),
              1 + round % 20);
    is_int(tally.exact, tally.rounds, "of buffers that are all alive together it is the optimum");
    ok(tally.above > tally.rounds / 2, "%d of these are above the load", tally.above);
    is_int(tally.partly, tally.rounds, "with less work it is no higher, and at least the load");
    rng_free(rng);
}

static void intervals(void)
{
    struct tally tally = {.rounds = tap_tier(150, 1500)};
    struct rng *rng = rng_new(2);

    for (int round = 0; round < tally.rounds; round++)
        count(&tally, random_instance(rng, 4 + (size_t)round % 4, 5, 4, round % 2 == 0),
              1 + round % 20);
    is_int(tally.sound, tally.rounds, "it is never above the optimum");
    ok(tally.above > tally.rounds / 3 && tally.above_exact > tally.rounds / 4,
       "%d are above the load, %d of them the optimum", tally.above, tally.above_exact);
    is_int(tally.partly, tally.rounds, "with less work it is no higher, and at least the load");
    rng_free(rng);
}

/* Each buffer in two stretches, in one of which it may begin above its offset; alignments are
 * powers of two from 2 to the LEAST.  */
static struct instance *random_pieces(struct rng *rng, size_t n, int least)
{
    struct instance *instance = instance_new("pieces");

    for (size_t b = 0; b < n; b++) {
        int64_t begin = rng_range(rng, 0, 2), middle = begin + rng_range(rng, 1, 2);
        int64_t size = rng_range(rng, 2, 9), lo = rng_range(rng, 0, size - 1);
        struct piece piece[2] = {{begin, middle, 0, rng_range(rng, 1, size), false},
                                 {middle, middle + 2, lo, size, false}};

        add_shape(instance, piece, 2, INT64_C(1) << rng_range(rng, least, 3));
    }
    return sealed(instance);
}

static bool meet(const struct instance *instance, size_t a, int64_t x, size_t b, int64_t y)
{
    const struct buffer *left = &instance->buffer[a], *right = &instance->buffer[b];

    for (size_t i = left->first_piece; i < left->first_piece + left->pieces; i++)
        for (size_t k = right->first_piece; k < right->first_piece + right->pieces; k++) {
            const struct piece *p = &instance->piece[i], *q = &instance->piece[k];

            if (p->begin < q->end && q->begin < p->end && x + p->lo < y + q->hi &&
                y + q->lo < x + p->hi)
                return true;
        }
    return false;
}

/* Whether buffers from B on can be placed beside those before within CAPACITY: every place is
 * tried.  */
static bool is_packable(const struct instance *instance, int64_t capacity, size_t b,
                        int64_t *offset)
{
    if (b == instance->n)
        return true;
    for (int64_t x = 0; x + instance->buffer[b].size <= capacity;
         x += instance->buffer[b].alignment) {
        bool fits = true;

        for (size_t a = 0; a < b; a++)
            fits = fits && !meet(instance, a, offset[a], b, x);
        offset[b] = x;
        if (fits && is_packable(instance, capacity, b + 1, offset))
            return true;
    }
    return false;
}

static void pieces(void)
{
    struct rng *rng = rng_new(3);
    int rounds = tap_tier(200, 2000), sound = 0, above = 0;

    for (int round = 0; round < rounds; round++) {
        struct instance *instance = random_pieces(rng, 2 + (size_t)round % 4, round % 3);
        int64_t bound = aligned_bound(instance, AMPLE, INFINITY), offset[5];

        sound += bound == instance->load || !is_packable(instance, bound - 1, 0, offset);
        above += bound > instance->load;
        instance_free(instance);
    }
    is_int(sound, rounds, "with pieces nothing fits below it, wherever each is put");
    ok(above > rounds / 8, "%d bounds are above the load", above);
    rng_free(rng);
}

/* More than are stacked: multiples of the common alignment, and no more than a plan.  */
static void wide(void)
{
    struct rng *rng = rng_new(4);
    int rounds = tap_tier(20, 100), common = 0, sound = 0;

    for (int round = 0; round < rounds; round++) {
        struct instance *instance = instance_new("wide");
        int64_t rounded = 0, most = 0, bound;

        for (size_t b = 0; b < 40; b++) {
            int64_t size = rng_range(rng, 1, 1000), up = align_up(size, 64);

            add_buffer(instance, 0, 1, size, 64 << rng_range(rng, 0, 2));
            rounded += up;
            most = max64(most, up - size);
        }
        instance = sealed(instance);
        bound = aligned_bound(instance, AMPLE, INFINITY);
        common += bound >= rounded - most;
        sound += bound <= run_solver_peak("greedy-by-size", instance) &&
                 bound <= run_solver_peak("first-fit-by-size", instance);
        instance_free(instance);
    }
    is_int(common, rounds,
           "where many are alive sizes count as multiples of what divides alignments");
    is_int(sound, rounds, "and no plan is below that");
    rng_free(rng);
}

/* Sums that may be no numbers, no buffers, no time.  */
static void corners(void)
{
    struct instance *huge = instance_new("huge"), *none = sealed(instance_new("none"));
    struct instance *coarse = instance_new("coarse");

    add_buffer(huge, 0, 1, INT64_C(1) << 60, 1);
    add_buffer(huge, 0, 1, 3, 2);
    huge = sealed(huge);
    is_int(aligned_bound(huge, AMPLE, INFINITY), (INT64_C(1) << 60) + 3,
           "of huge sizes it is the load");
    is_int(aligned_bound(none, AMPLE, INFINITY), 0, "of no buffers it is 0");
    add_buffer(coarse, 0, 1, 3, 4);
    add_buffer(coarse, 0, 1, 3, 4);
    coarse = sealed(coarse);
    is_int(aligned_bound(coarse, AMPLE, INFINITY), 7, "with time left coarse ones are stacked");
    is_int(aligned_bound(coarse, AMPLE, 0.0), 6, "after the deadline it is the load");
    instance_free(coarse);
    instance_free(huge);
    instance_free(none);
}

int main(void)
{
    cliques();
    intervals();
    pieces();
    wide();
    corners();
    return tap_done();
}
