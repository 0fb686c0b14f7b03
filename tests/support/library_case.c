/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/support/library_case.h"

#include <string.h>
#include <stdlib.h>
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "solvers/library/callers_problem.h"
#include "tests/support/random_instances.h"

enum arenaplan_status library_case_call(int layer, const struct arenaplan_problem *problem,
                                        const struct arenaplan_options *options, int64_t *offset,
                                        struct arenaplan_result *result)
{
    if (layer == 0)
        return arenaplan_plan(problem, options, offset, result);
    if (layer == 1)
        return arenaplan_prove(problem, options, offset, result);
    if (layer == 2)
        return arenaplan_fits(problem, 1000, options, offset, result);
    return arenaplan_check(problem, options, offset, result);
}

enum { HARD_WORK = 50000 };

struct instance *library_case_hard(uint32_t seed, size_t n)
{
    struct arenaplan_options options = ARENAPLAN_OPTIONS;
    int64_t *offset = memory_alloc(n, sizeof *offset);
    enum arenaplan_status status = ARENAPLAN_OPTIMAL;
    struct instance *instance = NULL;
    struct rng *rng = rng_new(seed);

    options.work = HARD_WORK;
    while (status != ARENAPLAN_FEASIBLE) {
        struct callers_problem given;

        instance_free(instance);
        instance = tight_instance(rng, n, (int64_t)n / 4, 4000);
        callers_problem_init(&given, instance);
        status = arenaplan_prove(&given.problem, &options, offset, NULL);
        callers_problem_clear(&given);
    }
    memory_free(offset);
    rng_free(rng);
    return instance;
}

enum { MOST_SHIFT = 112 };

static void *allocate(void *context, size_t bytes)
{
    struct library_books *books = context;
    char *block = NULL;

    if (books->given++ != books->fails_at) {
        size_t shift = 16 * (1 + books->given % 6);

        block = malloc(bytes + MOST_SHIFT);
        memset(block, 0xa5, bytes + MOST_SHIFT);
        block += shift;
        memcpy(block - sizeof shift, &shift, sizeof shift);
        books->blocks++;
        books->bytes += bytes;
    }
    return block;
}

static void release(void *context, void *block, size_t bytes)
{
    struct library_books *books = context;
    size_t shift;

    memcpy(&shift, (char *)block - sizeof shift, sizeof shift);
    free((char *)block - shift);
    books->blocks--;
    books->bytes -= bytes;
}

struct arenaplan_allocator library_books_allocator(struct library_books *books)
{
    return (struct arenaplan_allocator){allocate, release, books};
}
