/* SPDX-License-Identifier: GPL-3.0-or-later */
/* relax, inductor, sekiyama and kierstead: by hand, and buffer for buffer against the
 * plain ones.  */
#include <config.h>

#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/rng.h"
#include "lib/graph/network.h"
#include "lib/lifetimes/lifetimes.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "tests/support/golden.h"
#include "tests/support/instances.h"
#include "tests/oracles/plain_pools.h"
#include "tests/support/network_text.h"
#include "tests/support/run_solver.h"
#include "tests/support/same_plans.h"
#include "tests/support/tap.h"

/* The table in relax.c, with e [4, 6) of 90 bytes, which takes the smaller one of
 * the storages of 100 and 200.  They are stacked as they were made: 200, 100, 5.  */
static void relax_table(void)
{
    static const struct record record[] = {
        {0, 2, 16}, {1, 3, 100}, {2, 4, 200}, {3, 5, 5}, {4, 6, 90}};
    static const int64_t size[] = {200, 100, 5}, offset[] = {0, 200, 0, 300, 200};
    struct instance *instance = golden_instance("by hand", record, 5, 0, 1);

    golden_offsets("relax", instance, offset);
    golden_objects("relax", instance, size, 3);
    instance_free(instance);
}

/* Two storages of 8 bytes, freed in the order of allocation.  A request of 8 takes
 * the one that was freed first, a request of 9 the one that was freed last.  */
static void relax_ties(void)
{
    static const struct record equal[] = {{0, 1, 8}, {0, 1, 8}, {1, 2, 8}};
    static const struct record larger[] = {{0, 1, 8}, {0, 1, 8}, {1, 2, 9}};

    golden_plans("by hand", equal, 0, 1, OFFSETS(0, 8, 0), "relax");
    golden_plans("by hand", larger, 0, 1, OFFSETS(0, 8, 8), "relax");
}

/* The ends of the window: 16 bytes serve 1, grow for 256, and these for 4111, as
 * 4111 / 16 = 256 rounded down; for 4112 they would be too few.  */
static void relax_window(void)
{
    static const struct record record[] = {{0, 1, 16}, {1, 2, 1}, {2, 3, 256}, {3, 4, 4111}};
    static const struct record beyond[] = {{0, 1, 16}, {1, 2, 1}, {2, 3, 256}, {3, 4, 4112}};

    golden_plans("by hand", record, 0, 1, OFFSETS(0, 0, 0, 0), "relax");
    golden_plans("by hand", beyond, 0, 1, OFFSETS(0, 0, 0, 256), "relax");
}

/* A chain of six tensors of 8 bytes, the third and the fifth of them integers: each
 * lives through two steps, so the fifth takes the third's storage, and the third
 * takes nobody's, though the first one's is free.  The sixth is the output, which
 * does not count.  */
static void relax_types(void)
{
    static const enum dtype types[] = {DTYPE_F32, DTYPE_F32, DTYPE_I32,
                                       DTYPE_F32, DTYPE_I32, DTYPE_F32};
    static const int64_t offset[] = {0, 8, 16, 0, 16};
    struct network *network =
        network_of_text("types", "input:2; a:2 = f(input); b:2 = f(a); c:2 = f(b); d:2 = f(c);"
                                 " e:2 = f(d); g!:2 = f(e)");
    struct instance *instance;

    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        network->value[1 + i].dtype = types[i];
    instance = lifetimes_of(network, NULL, &(struct lifetime_options){.io = IO_NONE});
    if (ok(instance->n == 5, "a chain of two types"))
        golden_offsets("relax", instance, offset);
    instance_free(instance);
}

/* The drawing in inductor.c.  */
static void inductor_drawing(void)
{
    static const struct record record[] = {{0, 1, 3}, {1, 2, 2}, {2, 3, 2}, {1, 3, 1}};

    golden_plans("by hand", record, 0, 1, OFFSETS(0, 0, 0, 3), "inductor");
}

/* a [0, 1) has 8 bytes; after it b (5) takes the slot, with 3 bytes of space, and c
 * (2) takes these, with 1.  d (2) is more, but that slot is the last of all and
 * grows.  */
static void inductor_pairs(void)
{
    static const struct record record[] = {{0, 1, 8}, {1, 2, 5}, {1, 2, 2}, {1, 2, 2}};

    golden_plans("by hand", record, 0, 1, OFFSETS(0, 0, 5, 7), "inductor");
}

/* The drawing in sekiyama.c.  */
static void sekiyama_drawing(void)
{
    static const struct record record[] = {{0, 4, 2}, {0, 2, 3}, {2, 4, 1}, {2, 3, 5}, {1, 3, 1}};

    golden_plans("by hand", record, 0, 1, OFFSETS(0, 2, 2, 3, 8), "sekiyama");
}

/* The drawing in kierstead.c.  c shares level 0 with a, but never lives with it, so
 * all are in one lane, and nobody can drop.  */
static void kierstead_drawing(void)
{
    static const struct record record[] = {{0, 2, 2}, {1, 3, 2}, {2, 4, 2}};

    golden_plans("by hand", record, 0, 1, OFFSETS(0, 2, 0), "kierstead");
}

/* Sizes of few bits, so that the plain one's levels are few: the same offsets, at
 * most three colours, and what the guarantee says.  */
static void kierstead_guarantee(void)
{
    struct rng *rng = rng_new(1991);
    int rounds = tap_tier(60, 600), same = 0, three = 0, within = 0, colours;

    for (int round = 0; round < rounds; round++) {
        struct instance *instance = instance_new("powers");
        size_t n = (size_t)rng_range(rng, 0, 40);
        int64_t alignment = rng_range(rng, 1, 3), load = 0;
        struct plan *plain, *plan;

        for (size_t i = 0; i < n; i++) {
            int64_t begin = rng_range(rng, 0, 30), end = begin + rng_range(rng, 1, 20);

            add_buffer(instance, begin, end, rng_range(rng, 1, 40), alignment);
        }
        plain = plan_new(sealed(instance));
        plan = solver_plan("kierstead", instance, 1);
        plain_kierstead(instance, plain, &colours);
        same += n == 0 || memcmp(plan->offset, plain->offset, n * sizeof *plan->offset) == 0;
        three += colours <= 3;
        for (int64_t t = 0; t < 50; t++) {
            int64_t rows = 0;

            for (size_t b = 0; b < n; b++)
                if (instance->buffer[b].begin <= t && t < instance->buffer[b].end)
                    rows += (instance->buffer[b].size + alignment - 1) / alignment;
            load = max64(load, rows * alignment);
        }
        within += n == 0 || plan->peak < 6 * load;
        plan_free(plan);
        plan_free(plain);
        instance_free(instance);
    }
    is_int(same, rounds, "kierstead gives the plain one's offsets");
    is_int(three, rounds, "three lanes are enough");
    is_int(within, rounds, "the peak is less than six times the load");
    rng_free(rng);
}

static const struct plain_pair pairs[] = {
    {"relax", plain_relax, 1000, 5000},
    {"inductor", plain_inductor, 200, 500},
    {"sekiyama", plain_sekiyama, 1000, 5000},
    {NULL, NULL, 0, 0},
};

int main(void)
{
    relax_table();
    relax_ties();
    relax_window();
    relax_types();
    inductor_drawing();
    inductor_pairs();
    sekiyama_drawing();
    kierstead_drawing();
    kierstead_guarantee();
    same_plans(pairs);
    return tap_done();
}
