/* SPDX-License-Identifier: GPL-3.0-or-later */
/* branch-and-bound with learning against itself without it, on tight instances of 10 to 60
 * buffers, where refutations are long: unsound rules of explanation pass exhaustive
 * search on a dozen buffers and fail here.  The first plan and the search over orders,
 * which could hide that, are off.  */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "tests/support/instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"

/* Placements: without learning not all is proven, and what is left open is a bracket.  */
#define MOST_NODES 100000

/* Laws of the generator `tight`.  */
static const char *const laws[] = {
    "steps=8,cap=20,low=2,high=10,longest=4",    "steps=10,cap=40,low=4,high=20,longest=5",
    "steps=15,cap=60,low=6,high=30,longest=6",   "steps=20,cap=30,low=3,high=15,longest=5",
    "steps=20,cap=100,low=10,high=50,longest=8", "steps=25,cap=60,low=8,high=30,longest=6",
    "steps=30,cap=40,low=5,high=20,longest=6",
};
enum { LAWS = sizeof laws / sizeof *laws };

struct tally {
    int all, proven, agree, both, above;
    size_t fewest, most; /* buffers */
};

/* Whether the two brackets have a value in common.  */
static bool meet(const struct solver_run *a, const struct solver_run *b)
{
    return a->valid && b->valid && a->bound <= b->peak && b->bound <= a->peak;
}

static void judge(struct tally *tally, const struct instance *instance)
{
    static const char with[] = "branch-and-bound:planner=off,disjunctive=off";
    static const char without[] = "branch-and-bound:planner=off,disjunctive=off,learning=off";
    struct solver_run on = solver_run(with, instance, 1, MOST_NODES);
    struct solver_run other = solver_run(with, instance, 2, MOST_NODES);
    struct solver_run off = solver_run(without, instance, 1, MOST_NODES);
    bool agree = meet(&on, &off) && meet(&other, &off) && meet(&on, &other);

    tally->all++;
    tally->proven += solver_run_proves(&on, on.peak) + solver_run_proves(&other, other.peak);
    tally->agree += agree;
    if (solver_run_proves(&on, on.peak) && solver_run_proves(&off, off.peak)) {
        tally->both++;
        tally->above += on.peak > instance->load;
    }
    if (tally->fewest == 0 || instance->n < tally->fewest)
        tally->fewest = instance->n;
    if (instance->n > tally->most)
        tally->most = instance->n;
    if (!agree)
        tap_diag("%s: %" PRId64 " to %" PRId64 " and %" PRId64 " to %" PRId64
                 " with learning, %" PRId64 " to %" PRId64 " without",
                 instance->name, on.bound, on.peak, other.bound, other.peak, off.bound, off.peak);
}

int main(void)
{
    int seeds = tap_tier(25, 120);
    struct tally tally = {0};

    for (size_t l = 0; l < LAWS; l++)
        for (int seed = 1; seed <= seeds; seed++) {
            char *spec = memory_printf("tight:%s,seed=%d", laws[l], seed);
            struct instance *instance = instance_of(spec);

            judge(&tally, instance);
            instance_free(instance);
            free(spec);
        }
    is_int(tally.agree, tally.all, "with and without learning the brackets meet");
    is_int(tally.proven, 2 * tally.all, "with learning all is proven, with two seeds");
    ok(tally.above >= tap_tier(30, 150), "%d of %d that both prove are above their load",
       tally.above, tally.both);
    ok(tally.fewest <= 15 && tally.most >= 50, "%zu to %zu buffers", tally.fewest, tally.most);
    return tap_done();
}
