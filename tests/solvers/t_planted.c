/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Planted optima up to 500 buffers: perfect packings by recursive cuts and by pinwheels,
 * whose optimum is their height and their load; and the same with buffers left out, where
 * the optimum is between what is left of the load and the height.  Small ones are proven;
 * what is left of large ones is a bracket around the optimum.  */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "tests/support/instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"

static const struct family {
    const char *text; /* of the generator, without height and seed */
    int64_t height;
    int seeds; /* in full; a fifth of them otherwise */
    int64_t work;
    int percent; /* of them at least are proven */
} families[] = {
    {"planted:n=20", 1000, 200, 0, 100},
    {"planted:n=50", 1000, 100, 0, 100},
    {"planted:n=100", 1000, 30, 5000, 75},
    {"planted:n=200", 1000, 10, 5000, 0},
    {"planted:n=500", 1000, 5, 500, 0},
    {"planted:n=500", 8, 20, 20000, 75},
    {"planted:n=60,drop=5", 1000, 50, 5000, 75},
    {"planted:n=500,drop=50", 100, 50, 20000, 90},
    {"pinwheel:pinwheels=5", 1000, 200, 0, 100},
    {"pinwheel:pinwheels=12", 1000, 100, 0, 100},
    {"pinwheel:pinwheels=30", 1000, 20, 5000, 0},
    {"pinwheel:pinwheels=124,steps=500", 1000, 5, 500, 0},
    {"pinwheel:pinwheels=20,drop=5", 1000, 50, 5000, 75},
    {"pinwheel:pinwheels=124,drop=40", 1000, 20, 20000, 90},
};

struct tally {
    int all, right, proven;
};

/* The height is an upper bound on the optimum, and the optimum where the load is as large.  */
static void judge(struct tally *tally, const struct instance *instance, uint32_t seed,
                  const struct family *family)
{
    struct solver_run run = solver_run("branch-and-bound", instance, seed, family->work);
    bool right = run.valid && run.bound >= instance->load && run.bound <= family->height &&
                 run.peak >= run.bound &&
                 (run.outcome == OUTCOME_OPTIMAL) == (run.peak == run.bound);

    tally->all++;
    tally->right += right;
    tally->proven += right && run.outcome == OUTCOME_OPTIMAL;
    if (!right)
        tap_diag("%s: %" PRId64 " to %" PRId64 ", load %" PRId64, instance->name, run.bound,
                 run.peak, instance->load);
}

int main(void)
{
    for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
        const struct family *family = &families[f];
        struct tally tally = {0};

        for (int seed = 1; seed <= tap_tier((family->seeds + 4) / 5, family->seeds); seed++) {
            char *spec =
                memory_printf("%s,height=%" PRId64 ",seed=%d", family->text, family->height, seed);
            struct instance *instance = instance_of(spec);

            judge(&tally, instance, (uint32_t)seed, family);
            instance_free(instance);
            free(spec);
        }
        is_int(tally.right, tally.all, "%s: the optimum is within the bounds", family->text);
        ok(100 * tally.proven >= family->percent * tally.all, "%d of %d are proven", tally.proven,
           tally.all);
    }
    return tap_done();
}
