/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What Vela leaves in fast memory: by hand, and, with up to twenty buffers, as good as the optimum
 * of unsplittable flow that the exact method's first bound is.  */
#include <config.h>

#include <math.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "memories/exact.h"
#include "memories/memory.h"
#include "memories/split.h"
#include "memories/splitter.h"
#include "tests/support/instances.h"
#include "tests/support/random_instances.h"
#include "tests/support/tap.h"

static const struct split_limits no_limits = {1 << 30, INFINITY};

struct two_memories {
    struct memories memories;
    struct split_problem problem;
    struct split split;
};

/* A byte costs 1 outside of the first CAPACITY bytes.  */
static void two_begin(struct two_memories *two, const struct instance *instance, int64_t capacity)
{
    char *fast = memory_printf("fast=%lld,read=0,write=0", (long long)capacity);
    struct error error;

    *two = (struct two_memories){0};
    if (!memories_add(&two->memories, fast, &error) ||
        !memories_add(&two->memories, "slow,read=1,write=1", &error) ||
        !split_problem_init(&two->problem, instance, &two->memories, &error))
        tap_bail(error.text);
    split_init(&two->split, &two->problem);
    memory_free(fast);
}

static void two_end(struct two_memories *two)
{
    split_clear(&two->split);
    split_problem_clear(&two->problem);
    memories_clear(&two->memories);
}

static bool run_vela(struct two_memories *two, struct error *reason)
{
    struct split_result result;
    bool invalid;

    return splitter_run(splitter_find("vela-fast-storage"), &two->problem, &no_limits, &two->split,
                        &result, &invalid, reason);
}

static void test_by_hand(void)
{
    struct instance *instance = instance_of_rows("a 0 2 6; b 0 1 5; c 1 3 5");
    struct two_memories two;
    struct error reason;

    two_begin(&two, instance, 10);
    ok(run_vela(&two, &reason), "it has a split");
    ok(two.split.memory[0] == 1 && two.split.memory[1] == 0 && two.split.memory[2] == 0,
       "b and c stay, a goes");
    two_end(&two);
    two_begin(&two, instance, 4);
    ok(run_vela(&two, &reason) && two.split.memory[0] == 1 && two.split.memory[1] == 1 &&
           two.split.memory[2] == 1,
       "what is larger than the memory goes");
    two_end(&two);
    two_begin(&two, instance, 11);
    ok(run_vela(&two, &reason) && two.split.cost == 0, "what fits all the time stays");
    two_end(&two);
    instance_free(instance);
}

/* False where it is not as good; sets *PLACED where its choice had offsets.  */
static bool as_good(const struct instance *instance, int64_t capacity, bool *placed)
{
    struct two_memories two, exact;
    struct split_cuts cuts = {0};
    struct split_result result;
    struct error reason;
    bool good;

    two_begin(&two, instance, capacity);
    two_begin(&exact, instance, capacity);
    result = split_solve(&exact.problem, &no_limits, &cuts, &exact.split);
    *placed = run_vela(&two, &reason);
    good = result.flow_proven && (!*placed || two.split.cost == result.flow_bound);
    split_cuts_clear(&cuts);
    two_end(&two);
    two_end(&exact);
    return good;
}

static void test_random(int rounds)
{
    static const enum random_kind kinds[] = {RANDOM_UNIFORM, RANDOM_CHAIN, RANDOM_TIES,
                                             RANDOM_TOUCHING};
    struct rng *rng = rng_new(31);
    int wrong = 0, placed = 0;

    for (int round = 0; round < rounds; round++) {
        struct instance *instance =
            random_instance(rng, kinds[round % 4], (size_t)rng_range(rng, 1, 16));
        bool found;

        for (size_t b = 0; b < instance->n; b++) {
            instance->buffer[b].reads = rng_range(rng, 0, 30);
            instance->buffer[b].writes = rng_range(rng, 0, 30);
        }
        wrong += !as_good(instance, rng_range(rng, 1, instance->load), &found);
        placed += found;
        instance_free(instance);
    }
    is_int(wrong, 0, "%d instances of up to 16 buffers: none costs more than the flow's optimum",
           rounds);
    ok(placed > rounds * 9 / 10, "nine of ten choices have offsets (%d)", placed);
    rng_free(rng);
}

int main(void)
{
    test_by_hand();
    test_random(tap_tier(200, 2000));
    return tap_done();
}
