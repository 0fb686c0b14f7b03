/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The library's memory: an allocator that fails at any moment, gives odd addresses, or little; and
 * several threads of the caller's.  */
#include <config.h>

#include "planner/arenaplan.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "solvers/library/callers_problem.h"
#include "tests/support/library_case.h"
#include "tests/support/piece_case.h"
#include "tests/support/random_instances.h"
#include "tests/support/tap.h"

enum { UNTOUCHED = 77 };

static struct arenaplan_options from_books(struct library_books *books)
{
    struct arenaplan_options options = ARENAPLAN_OPTIONS;

    *books = (struct library_books){.fails_at = SIZE_MAX};
    options.allocator = library_books_allocator(books);
    options.work = 3000;
    return options;
}

/* Fails each allocation of a call in turn, every STEPth where there are too many.  */
static int fail_each(const struct callers_problem *given, int layer, int most, int *bad)
{
    struct library_books books;
    struct arenaplan_options options = from_books(&books);
    struct arenaplan_result result = ARENAPLAN_RESULT;
    int64_t offset[64], optimum;
    size_t all, step;
    int failed = 0;

    /* The layer that judges is given a plan.  */
    arenaplan_prove(&given->problem, NULL, offset, &result);
    optimum = result.peak;
    library_case_call(layer, &given->problem, &options, offset, &result);
    *bad += books.blocks != 0 || books.bytes != 0 || result.status > ARENAPLAN_INFEASIBLE;
    all = books.given;
    step = 1 + all / (size_t)most;
    for (size_t at = 0; at < all; at += step) {
        enum arenaplan_status status;

        options = from_books(&books);
        books.fails_at = at;
        offset[0] = UNTOUCHED;
        status = library_case_call(layer, &given->problem, &options, offset, &result);
        /* What is judged is another plan than before, which may need less.  */
        *bad += books.blocks != 0 || books.bytes != 0 ||
                (books.given > at && status != ARENAPLAN_NO_MEMORY) ||
                (status == ARENAPLAN_NO_MEMORY && offset[0] != UNTOUCHED);
        failed += status == ARENAPLAN_NO_MEMORY;
        status = arenaplan_prove(&given->problem, NULL, offset, &result);
        *bad += status != ARENAPLAN_OPTIMAL || result.peak != optimum;
    }
    return failed;
}

static void failing(void)
{
    struct rng *rng = rng_new(21);
    int failed = 0, bad = 0, wanted = tap_tier(500, 12000);

    while (failed < wanted) {
        struct instance *instance =
            failed % 3 == 0 ? piece_case_random(rng) : gadget_and_others(rng, 5);
        struct callers_problem given;

        callers_problem_init(&given, instance);
        for (int layer = 0; layer < LAYERS; layer++)
            failed += fail_each(&given, layer, 100, &bad);
        callers_problem_clear(&given);
        instance_free(instance);
    }
    rng_free(rng);
    ok(bad == 0, "%d allocations that failed left nothing behind (%d did not)", failed, bad);
}

static void a_limit(void)
{
    struct instance *instance = library_case_hard(6, 100);
    struct callers_problem given;
    struct arenaplan_options options = ARENAPLAN_OPTIONS;
    struct arenaplan_result result = ARENAPLAN_RESULT, again = ARENAPLAN_RESULT;
    int64_t *offset = memory_alloc(instance->n, sizeof *offset);

    callers_problem_init(&given, instance);
    options.work = 3000;
    arenaplan_prove(&given.problem, &options, offset, &result);
    options.memory = result.memory;
    ok(arenaplan_prove(&given.problem, &options, offset, &again) == result.status &&
           again.memory == result.memory,
       "a call needs %zu bytes again", result.memory);
    options.memory--;
    ok(arenaplan_prove(&given.problem, &options, offset, &again) == ARENAPLAN_NO_MEMORY &&
           again.memory < result.memory,
       "and one less is not enough");
    callers_problem_clear(&given);
    instance_free(instance);
    memory_free(offset);
}

/* Where blocks lie, and what was in them, changes nothing.  */
static void same_anywhere(void)
{
    struct instance *instance = library_case_hard(8, 100);
    struct callers_problem given;
    struct library_books books;
    int64_t *offset = memory_alloc(2 * instance->n, sizeof *offset), *odd = offset + instance->n;
    bool same = true;

    callers_problem_init(&given, instance);
    for (int layer = 0; layer < PLANNERS; layer++) {
        struct arenaplan_options options = from_books(&books), plain = ARENAPLAN_OPTIONS;
        struct arenaplan_result result = ARENAPLAN_RESULT, other = ARENAPLAN_RESULT;

        plain.work = options.work = 20000;
        plain.seed = options.seed = 3;
        library_case_call(layer, &given.problem, &options, odd, &result);
        library_case_call(layer, &given.problem, &plain, offset, &other);
        same = same && result.peak == other.peak && result.work == other.work &&
               memcmp(odd, offset, instance->n * sizeof *offset) == 0 && books.blocks == 0;
    }
    ok(same, "memory with other addresses and contents gives the same plans");
    callers_problem_clear(&given);
    instance_free(instance);
    memory_free(offset);
}

/* --- threads of the caller's --- */

struct caller {
    const struct callers_problem *given;
    const int64_t *expected;
    bool good;
};

static void *call_often(void *context)
{
    struct caller *caller = context;
    size_t n = caller->given->problem.count;
    int64_t *offset = memory_alloc(n, sizeof *offset);

    for (uint32_t round = 0; round < 20; round++) {
        struct arenaplan_options options = ARENAPLAN_OPTIONS;
        struct arenaplan_result result = ARENAPLAN_RESULT;

        options.work = 3000;
        arenaplan_prove(&caller->given->problem, &options, offset, &result);
        caller->good = caller->good && memcmp(offset, caller->expected, n * sizeof *offset) == 0;
    }
    memory_free(offset);
    return NULL;
}

static void callers_threads(void)
{
    enum { CALLERS = 3 };
    struct instance *instance = library_case_hard(11, 80);
    struct callers_problem given;
    struct arenaplan_options options = ARENAPLAN_OPTIONS;
    int64_t *offset = memory_alloc(instance->n, sizeof *offset);
    struct caller caller[CALLERS];
    pthread_t thread[CALLERS];
    bool good = true;

    callers_problem_init(&given, instance);
    options.work = 3000;
    arenaplan_prove(&given.problem, &options, offset, NULL);
    for (size_t i = 0; i < CALLERS; i++) {
        caller[i] = (struct caller){&given, offset, true};
        good = pthread_create(&thread[i], NULL, call_often, &caller[i]) == 0 && good;
    }
    for (size_t i = 0; i < CALLERS && good; i++)
        pthread_join(thread[i], NULL);
    for (size_t i = 0; i < CALLERS; i++)
        good = good && caller[i].good;
    ok(good, "several threads call at once, and each gets its plan");
    callers_problem_clear(&given);
    instance_free(instance);
    memory_free(offset);
}

int main(void)
{
    failing();
    a_limit();
    same_anywhere();
    callers_threads();
    return tap_done();
}
