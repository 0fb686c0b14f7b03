/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/support/plain_answers.h"

#include <math.h>

#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "tests/support/random_instances.h"
#include "tests/support/tap.h"

int64_t plain_optimum(const struct section_classes *problem, uint32_t seed,
                      enum search_result (*run)(void *search, int64_t capacity), void *search,
                      bool *same)
{
    static const struct section_options plain = {
        .not_first = true, .parts = true, .restarts = true};
    enum search_result result = SEARCH_REFUTED;
    int64_t capacity = problem->load - 1;

    *same = true;
    while (result == SEARCH_REFUTED) {
        struct section_search oracle;

        capacity++;
        section_search_init(&oracle, problem, &plain, seed);
        result = section_search_run(&oracle, capacity, INT64_MAX / 2, INFINITY);
        *same = *same && run(search, capacity) == result;
        section_search_clear(&oracle);
    }
    return capacity;
}

void same_on_tight(uint32_t seed, int rounds,
                   bool (*same)(const struct instance *instance, int round, int *above),
                   const char *what)
{
    struct rng *rng = rng_new(seed);
    int equal = 0, above = 0;

    for (int round = 0; round < rounds; round++) {
        struct instance *instance = tight_instance(rng, (size_t)rng_range(rng, 10, 25),
                                                   rng_range(rng, 8, 14), rng_range(rng, 20, 40));
        struct instance *aligned = random_alignments(rng, instance);

        equal += same(instance, round, &above) && same(aligned, round, &above);
        instance_free(instance);
        instance_free(aligned);
    }
    is_int(equal, rounds, "%s", what);
    ok(above > rounds / 20, "%d optima above the load", above);
    rng_free(rng);
}
