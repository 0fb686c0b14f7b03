/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Buffers of several pieces whose sizes are as large as they can be: branch-and-bound against
 * an exhaustive search with 128 bits, and larger instances that have to be closed within a
 * number of choices that does not depend on the sizes.  */
#include <config.h>

#include <inttypes.h>

#include "lib/base/checked.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "tests/support/instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"

typedef __int128 wide;

enum { MOST_BUFFERS = 5, MOST_PIECES = 3 };

/* --- the least peak: in some packing with it each buffer lies at 0 or as low as a piece of it
 * can lie on a piece of a buffer before it --- */

struct tower {
    const struct instance *instance;
    wide offset[MOST_BUFFERS], least;
    bool placed[MOST_BUFFERS];
};

static const struct piece *piece_of(const struct instance *instance, size_t b, size_t i)
{
    return &instance->piece[instance->buffer[b].first_piece + i];
}

static bool share_a_step(const struct piece *p, const struct piece *q)
{
    return p->begin < q->end && q->begin < p->end;
}

static bool fits(const struct tower *tower, size_t b, wide x)
{
    const struct instance *instance = tower->instance;

    for (size_t a = 0; a < instance->n; a++)
        for (size_t i = 0; tower->placed[a] && i < instance->buffer[a].pieces; i++)
            for (size_t k = 0; k < instance->buffer[b].pieces; k++) {
                const struct piece *p = piece_of(instance, a, i), *q = piece_of(instance, b, k);

                if (share_a_step(p, q) && tower->offset[a] + p->lo < x + q->hi &&
                    x + q->lo < tower->offset[a] + p->hi)
                    return false;
            }
    return true;
}

static void build(struct tower *tower, size_t placed, wide peak);

static void build_with(struct tower *tower, size_t placed, wide peak, size_t b, wide x)
{
    const struct buffer *buffer = &tower->instance->buffer[b];
    wide rest = x % buffer->alignment, top;

    x += rest > 0 ? buffer->alignment - rest : 0;
    top = x + buffer->size > peak ? x + buffer->size : peak;
    if (top >= tower->least || !fits(tower, b, x))
        return;
    tower->placed[b] = true;
    tower->offset[b] = x;
    build(tower, placed + 1, top);
    tower->placed[b] = false;
}

static void build(struct tower *tower, size_t placed, wide peak)
{
    const struct instance *instance = tower->instance;

    if (placed == instance->n) {
        tower->least = peak;
        return;
    }
    for (size_t b = 0; b < instance->n; b++) {
        if (tower->placed[b])
            continue;
        build_with(tower, placed, peak, b, 0);
        for (size_t a = 0; a < instance->n; a++)
            for (size_t i = 0; tower->placed[a] && i < instance->buffer[a].pieces; i++)
                for (size_t k = 0; k < instance->buffer[b].pieces; k++) {
                    const struct piece *p = piece_of(instance, a, i), *q = piece_of(instance, b, k);
                    wide x = tower->offset[a] + p->hi - q->lo;

                    if (share_a_step(p, q) && x >= 0)
                        build_with(tower, placed, peak, b, x);
                }
    }
}

static int64_t least_peak(const struct instance *instance)
{
    struct tower tower = {.instance = instance, .least = (wide)1 << 100};

    build(&tower, 0, 0);
    return (int64_t)tower.least;
}

/* --- instances --- */

/* N buffers in STEPS steps, of MOST bytes at most, each of several stretches of time with bytes
 * of their own, some of them idle in between.  */
static struct instance *stretches(struct rng *rng, size_t n, int64_t steps, int64_t most,
                                  int64_t alignment)
{
    struct instance *instance = instance_new("huge");

    for (size_t b = 0; b < n; b++) {
        size_t count = (size_t)rng_range(rng, 1, MOST_PIECES);
        int64_t begin = rng_range(rng, 0, steps - 1), size = rng_range(rng, most / 16 + 2, most);
        struct piece piece[MOST_PIECES];

        for (size_t i = 0; i < count; i++) {
            int64_t lo = rng_range(rng, 0, 2) == 0 ? rng_range(rng, 0, size - 1) : 0;
            int64_t hi = rng_range(rng, 0, 2) == 0 ? rng_range(rng, lo + 1, size) : size;
            int64_t end = rng_range(rng, begin + 1, begin + 3);

            piece[i] = (struct piece){begin, end, lo, hi, false};
            begin = end + (rng_range(rng, 0, 4) == 0);
        }
        add_shape(instance, piece, count, rng_range(rng, 0, 2) == 0 ? alignment : 1);
    }
    return sealed(instance);
}

/* What N buffers may have so that their sum and their alignments fit.  */
static int64_t largest(size_t n, int64_t alignment)
{
    return min64(INT64_MAX / (int64_t)n - 2 * alignment, INT64_C(1) << 62);
}

static void against_exhaustive_search(void)
{
    struct rng *rng = rng_new(71);
    int rounds = tap_tier(200, 4000), same = 0, above = 0, wide_sums = 0;

    for (int round = 0; round < rounds; round++) {
        size_t n = (size_t)rng_range(rng, 2, MOST_BUFFERS);
        int64_t alignment = round % 4 == 0 ? INT64_C(1) << rng_range(rng, 1, 40) : 1;
        int64_t most = round % 2 == 0 ? largest(n, alignment) : INT64_C(1000000000000);
        struct instance *instance = stretches(rng, n, 5, most, alignment);
        struct solver_run run = solver_run("branch-and-bound", instance, 1, 0);
        int64_t least = least_peak(instance);

        same += solver_run_proves(&run, least);
        above += least > instance->load;
        wide_sums += least > INT64_MAX / 2;
        if (!solver_run_proves(&run, least))
            tap_diag("round %d: %" PRId64 ", found %" PRId64 " to %" PRId64, round, least,
                     run.bound, run.peak);
        instance_free(instance);
    }
    is_int(same, rounds, "the optimum is that of exhaustive search");
    ok(above > rounds / 20, "it is above the load on %d of %d", above, rounds);
    ok(wide_sums > rounds / 50, "two capacities together do not fit on %d", wide_sums);
    rng_free(rng);
}

/* Choices that the steps of a bisection would take many times over.  */
static void closed(void)
{
    struct rng *rng = rng_new(72);
    int rounds = tap_tier(30, 150), closed = 0, above = 0;

    for (int round = 0; round < rounds; round++) {
        size_t n = (size_t)rng_range(rng, 10, 20);
        struct instance *instance =
            stretches(rng, n, 12, round % 2 == 0 ? largest(n, 1) : INT64_C(1000000000000), 1);
        struct solver_run run = solver_run("branch-and-bound", instance, 1, 20000);

        closed += run.outcome == OUTCOME_OPTIMAL && run.valid;
        above += run.peak > instance->load;
        instance_free(instance);
    }
    ok(closed >= rounds - 1 - rounds / 40,
       "of %d instances of up to 20 buffers %d are closed within 20,000 choices", rounds, closed);
    ok(above > rounds / 20, "above the load are %d of %d", above, rounds);
    rng_free(rng);
}

int main(void)
{
    against_exhaustive_search();
    closed();
    return tap_done();
}
