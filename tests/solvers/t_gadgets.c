/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The gap gadget and its combinations, whose optimum is above the load: one after the other,
 * under a buffer that spans them, stacked, shifted over one another, in both directions
 * of time.  The optimum is known or that of GLPK.  */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>

#include "lib/base/checked.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "tests/oracles/every_capacity.h"
#include "tests/support/instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"

/* The gadget at each of COUNT steps, with these factors of the sizes.  */
static struct instance *combined(size_t count, const int64_t *begin, const int64_t *scale)
{
    struct instance *instance = instance_new("combined");

    for (size_t i = 0; i < count; i++)
        add_gadget(instance, (int64_t)i, begin[i], scale[i]);
    return instance;
}

/* The same with time running backwards.  */
static struct instance *reversed(const struct instance *instance)
{
    struct instance *copy = instance_new("reversed");

    for (size_t b = 0; b < instance->n; b++)
        instance_add(copy, instance->buffer[b].id, -instance->buffer[b].end,
                     -instance->buffer[b].begin, instance->buffer[b].size, 1);
    return sealed(copy);
}

/* Both directions; INSTANCE is freed.  */
static void judge(struct capacity_tally *tally, struct instance *instance, int64_t optimum)
{
    struct instance *copy = reversed(instance);

    capacity_judge(tally, instance, optimum);
    capacity_judge(tally, copy, optimum);
    instance_free(copy);
    instance_free(instance);
}

/* The optimum that GLPK proves, or 0, which is none.  */
static int64_t glpk_optimum(const struct instance *instance)
{
    struct solver_run run = solver_run("glpk", instance, 1, 0);

    return solver_run_proves(&run, run.peak) ? run.peak : 0;
}

/* Draws an instance of a kind and judges it.  */
typedef void draw_fn(struct rng *rng, int round, struct capacity_tally *tally);

/* What NAME instances came out as; the rounds count down to 1.  */
static struct capacity_tally judge_all(uint32_t seed, draw_fn *draw, const char *name)
{
    struct rng *rng = rng_new(seed);
    struct capacity_tally tally = {0};

    for (int round = tap_tier(5, 80); round > 0; round--)
        draw(rng, round, &tally);
    capacity_report(&tally, name);
    rng_free(rng);
    return tally;
}

/* The largest decides.  */
static void in_a_row(struct rng *rng, int round, struct capacity_tally *tally)
{
    size_t count = (size_t)rng_range(rng, 1, 4);
    int64_t begin[4], scale[4], most = 0;

    (void)round;
    for (size_t i = 0; i < count; i++) {
        begin[i] = 5 * (int64_t)i;
        scale[i] = rng_range(rng, 1, 6);
        most = max64(most, scale[i]);
    }
    judge(tally, sealed(combined(count, begin, scale)), 5 * most);
}

/* What lies below and above a buffer that spans all can be pushed together.  */
static void spanned(struct rng *rng, int round, struct capacity_tally *tally)
{
    const int64_t begin[] = {0}, scale[] = {rng_range(rng, 1, 4)};
    struct instance *instance = combined(1, begin, scale);
    int64_t count = rng_range(rng, 1, 3), sum = 0;

    (void)round;
    for (int64_t i = 0; i < count; i++) {
        int64_t size = rng_range(rng, 1, 9);
        char id[40];

        snprintf(id, sizeof id, "long%" PRId64, i);
        instance_add(instance, id, 0, 5, size, 1);
        sum += size;
    }
    judge(tally, sealed(instance), 5 * scale[0] + sum);
}

/* Two, the second at any step of the first, the same one too.  As large as one another they
 * fit into one another; where one is five times as large as the other they do not.  */
static void overlapping(struct rng *rng, int round, struct capacity_tally *tally)
{
    const int64_t begin[] = {0, rng_range(rng, 0, 4)};
    const int64_t large = rng_range(rng, round % 4 == 0 ? 1 : 5, 6);
    const int64_t scale[] = {round % 2 == 0 ? large : 1, round % 2 == 0 ? 1 : large};
    struct instance *instance = sealed(combined(2, begin, scale));
    int64_t optimum = glpk_optimum(instance);

    judge(tally, instance, optimum);
}

/* Far more than any oracle could search.  */
static void many(void)
{
    int64_t begin[60], scale[60];
    struct instance *instance;
    struct solver_run run;

    for (size_t i = 0; i < 60; i++) {
        begin[i] = 5 * (int64_t)i;
        scale[i] = 1 + (int64_t)i % 7;
    }
    instance = combined(60, begin, scale);
    rows_add(instance, "long 0 300 1000");
    run = solver_run("branch-and-bound", sealed(instance), 1, 0);
    ok(solver_run_proves(&run, 1035), "60 under a long buffer: peak %" PRId64, run.peak);
    instance_free(instance);
}

int main(void)
{
    struct capacity_tally tally = judge_all(41, in_a_row, "in a row");

    is_int(tally.above, tally.all, "all are above their load");
    tally = judge_all(42, spanned, "under buffers that span it");
    is_int(tally.above, tally.all, "all are above their load");
    tally = judge_all(43, overlapping, "over one another");
    ok(tally.above > tally.all / 4, "%d of %d are above their load", tally.above, tally.all);
    many();
    return tap_done();
}
