/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The library's promises around the answer: callbacks and limits.  */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "planner/arenaplan.h"
#include "lib/place/best_greedy.h"
#include "lib/place/path_groups.h"
#include "planner/library/prove_with.h"
#include "solvers/library/callers_problem.h"
#include "tests/support/instances.h"
#include "tests/support/library_case.h"
#include "tests/support/random_instances.h"
#include "tests/support/tap.h"

enum { UNTOUCHED = 77 };

struct listener {
    const struct arenaplan_problem *problem;
    int64_t best, bound;
    int plans, bounds, asked, stop_at;
    bool good;
    double time;
};

static void better(void *context, const int64_t *offset, size_t count, int64_t peak)
{
    struct listener *listener = context;
    struct arenaplan_result result = ARENAPLAN_RESULT;

    listener->good =
        listener->good && count == listener->problem->count && peak < listener->best &&
        arenaplan_check(listener->problem, NULL, offset, &result) == ARENAPLAN_FEASIBLE &&
        result.peak == peak;
    listener->best = peak;
    listener->plans++;
}

static void bound(void *context, int64_t lower_bound)
{
    struct listener *listener = context;

    listener->good = listener->good && lower_bound > listener->bound;
    listener->bound = lower_bound;
    listener->bounds++;
}

static bool stop(void *context)
{
    struct listener *listener = context;

    return ++listener->asked >= listener->stop_at;
}

static double hasty_clock(void *context)
{
    struct listener *listener = context;

    return listener->time += 0.001;
}

static struct arenaplan_options with_listener(struct listener *listener)
{
    struct arenaplan_options options = ARENAPLAN_OPTIONS;

    options.context = listener;
    options.better = better;
    options.bound = bound;
    return options;
}

static void listening(void)
{
    struct rng *rng = rng_new(9);
    int all = 0, good = 0, plans = 0, bounds = 0;

    for (int round = tap_tier(40, 400); round > 0; round--) {
        struct instance *instance =
            round % 2 ? gadget_and_others(rng, 5) : random_instance(rng, RANDOM_MIXED, 20);
        struct callers_problem given;
        struct listener listener = {.best = INT64_MAX, .bound = -1, .good = true};
        struct arenaplan_options options = with_listener(&listener);
        struct arenaplan_result result = ARENAPLAN_RESULT;
        int64_t *offset = memory_alloc(instance->n + 1, sizeof *offset);

        callers_problem_init(&given, instance);
        given.buffer[round % (int)instance->n].size = 0; /* left out in between */
        listener.problem = &given.problem;
        options.work = 20000;
        library_case_call(round % 3 == 0 ? 0 : 1, &given.problem, &options, offset, &result);
        all++;
        good +=
            listener.good && listener.best == result.peak && listener.bound == result.lower_bound;
        plans += listener.plans;
        bounds += listener.bounds;
        memory_free(offset);
        callers_problem_clear(&given);
        instance_free(instance);
    }
    rng_free(rng);
    is_int(good, all,
           "each plan that is told is valid and better, each bound higher; the last "
           "ones are the result's");
    ok(plans > all && bounds > all, "there are several (%d plans, %d bounds)", plans, bounds);
}

/* Every call ends when it is stopped, whenever that is, with what there is.  */
static void stopping(void)
{
    struct instance *instance = library_case_hard(5, 120);
    struct callers_problem given;
    int64_t *offset = memory_alloc(instance->n, sizeof *offset);
    int good = 0, all = 0;

    callers_problem_init(&given, instance);
    for (int layer = 0; layer < PLANNERS; layer++)
        for (int stop_at = 1; stop_at < 2000; stop_at *= 3) {
            struct listener listener = {
                .problem = &given.problem, .best = INT64_MAX, .bound = -1, .good = true};
            struct arenaplan_options options = with_listener(&listener);
            struct arenaplan_result result = ARENAPLAN_RESULT;
            enum arenaplan_status status;

            listener.stop_at = stop_at;
            options.stop = stop;
            status = layer == 2
                         ? arenaplan_fits(&given.problem, instance->load, &options, offset, &result)
                         : library_case_call(layer, &given.problem, &options, offset, &result);
            all++;
            good +=
                (status <= ARENAPLAN_FEASIBLE || (layer == 2 && status <= ARENAPLAN_INTERRUPTED)) &&
                listener.good && result.lower_bound <= listener.best &&
                listener.asked < stop_at + 100;
        }
    is_int(good, all, "calls end soon after `stop` says so");
    callers_problem_clear(&given);
    instance_free(instance);
    memory_free(offset);
}

static void limits(void)
{
    struct instance *instance = library_case_hard(5, 120);
    struct callers_problem given;
    struct listener listener = {.best = INT64_MAX, .bound = -1, .good = true};
    struct arenaplan_options options = ARENAPLAN_OPTIONS;
    struct arenaplan_result result = ARENAPLAN_RESULT, again = ARENAPLAN_RESULT;
    int64_t *offset = memory_alloc(2 * instance->n, sizeof *offset), *second = offset + instance->n;
    size_t bytes = instance->n * sizeof *offset;

    callers_problem_init(&given, instance);
    options.context = &listener;
    options.clock = hasty_clock;
    options.seconds = 1.0;
    arenaplan_prove(&given.problem, &options, offset, &result);
    ok(listener.time >= 1.0 && listener.time < 1.2 && result.seconds >= 1.0,
       "the caller's clock is what counts");
    options = (struct arenaplan_options)ARENAPLAN_OPTIONS;
    options.work = 3000;
    options.seed = 7;
    arenaplan_prove(&given.problem, &options, offset, &result);
    arenaplan_prove(&given.problem, &options, second, &again);
    ok(result.work >= 3000 && result.work < 100000 && result.work == again.work &&
           result.peak == again.peak && memcmp(offset, second, bytes) == 0,
       "one seed and one limit of work give one plan");
    options.capacity = result.peak;
    ok(arenaplan_prove(&given.problem, &options, second, &again) <= ARENAPLAN_FEASIBLE &&
           again.peak <= options.capacity && again.work <= result.work,
       "a plan within the capacity is enough");
    options.capacity = instance->load - 1;
    second[0] = UNTOUCHED;
    ok(arenaplan_prove(&given.problem, &options, second, &again) == ARENAPLAN_INFEASIBLE &&
           arenaplan_plan(&given.problem, &options, second, &again) == ARENAPLAN_INFEASIBLE &&
           again.peak == 0 && second[0] == UNTOUCHED,
       "none is within less than the load");
    callers_problem_clear(&given);
    instance_free(instance);
    memory_free(offset);
}

/* What is built before there is anything to choose takes long for many buffers with pieces that are
 * alive together: the clock is looked at meanwhile.  */
static void building(void)
{
    enum { MANY = 300, LOOKS = 800 };
    struct arenaplan_buffer *buffer = calloc(MANY, sizeof *buffer);
    struct arenaplan_piece *piece = calloc(2 * MANY, sizeof *piece);
    struct arenaplan_problem problem = ARENAPLAN_PROBLEM(buffer, MANY);
    struct arenaplan_options options = ARENAPLAN_OPTIONS;
    struct listener listener = {.stop_at = 1000000};
    int64_t offset[MANY];

    for (int64_t b = 0; b < MANY; b++) {
        piece[2 * b] = (struct arenaplan_piece){b, b + MANY / 2, 0, 1 + b * b % 997};
        piece[2 * b + 1] = (struct arenaplan_piece){b + MANY / 2, b + MANY, 0, 1};
        buffer[b].piece = piece + 2 * b;
        buffer[b].pieces = 2;
    }
    options.work = 1;
    options.context = &listener;
    options.stop = stop;
    arenaplan_prove(&problem, &options, offset, NULL);
    ok(listener.asked > LOOKS, "%d looks at the clock with one choice", listener.asked);
    free(piece);
    free(buffer);
}

/* Where it is to stop at once, proving makes one greedy plan and compares no others, which would be
 * better here.  */
static void one_greedy(void)
{
    struct rng *rng = rng_new(12);
    int all = 0, good = 0, better = 0;

    for (; all < 30; all++) {
        struct instance *instance = random_instance(rng, RANDOM_UNIFORM, 40);
        struct plan *first = plan_new(instance), *second = plan_new(instance);
        struct callers_problem given;
        struct arenaplan_options options = ARENAPLAN_OPTIONS;
        struct arenaplan_result result = ARENAPLAN_RESULT;
        struct listener listener = {.stop_at = 1};
        int64_t *offset = memory_alloc(instance->n, sizeof *offset);

        callers_problem_init(&given, instance);
        options.context = &listener;
        options.stop = stop;
        arenaplan_prove_with(&given.problem, &options,
                             (struct prove_extras){.without = WITHOUT_PLANNER}, offset, &result);
        greedy_plan(instance, 0, NULL, first);
        best_greedy_of_all(instance, INFINITY, second);
        good += result.peak == first->peak &&
                memcmp(offset, first->offset, instance->n * sizeof *offset) == 0;
        better += second->peak < first->peak;
        memory_free(offset);
        callers_problem_clear(&given);
        plan_free(second);
        plan_free(first);
        instance_free(instance);
    }
    rng_free(rng);
    is_int(good, all, "stopped at once, proving has the first greedy plan");
    ok(better > 0, "others would be better %d times", better);
}

/* Long lives, or pieces, that first fit takes long for: the call that is to stop at once has rows
 * of buffers that follow one another.  */
static void stopped_at_once(bool pieces)
{
    enum { LONG = 4000 };
    struct arenaplan_buffer *buffer = memory_zalloc(LONG, sizeof *buffer);
    struct arenaplan_piece *piece = memory_zalloc(2 * LONG, sizeof *piece);
    struct arenaplan_problem problem = ARENAPLAN_PROBLEM(buffer, LONG);
    struct instance *instance = instance_new("long");
    struct plan *rows;
    struct rng *rng = rng_new(13);
    int64_t offset[LONG];
    bool good = true;

    instance->nameless = true;
    for (size_t b = 0; b < LONG; b++) {
        int64_t begin = rng_range(rng, 0, LONG), middle = begin + rng_range(rng, 1, LONG);
        int64_t end = middle + rng_range(rng, 1, 99), size = rng_range(rng, 1, 999);

        buffer[b] = (struct arenaplan_buffer){.begin = begin, .end = end, .size = size};
        piece[2 * b] = (struct arenaplan_piece){begin, middle, 0, size};
        piece[2 * b + 1] = (struct arenaplan_piece){middle, end, 0, 1};
        buffer[b].piece = pieces ? piece + 2 * b : NULL;
        buffer[b].pieces = pieces ? 2 : 0;
        instance_add(instance, "", begin, end, size, 1);
    }
    rows = plan_new(sealed(instance));
    path_groups_place(instance, GROUP_FIRST, rows);
    for (int layer = 0; layer < 2; layer++) {
        struct listener listener = {.stop_at = 1};
        struct arenaplan_options options = ARENAPLAN_OPTIONS;
        struct arenaplan_result result = ARENAPLAN_RESULT;

        options.context = &listener;
        options.stop = stop;
        good =
            good &&
            library_case_call(layer, &problem, &options, offset, &result) == ARENAPLAN_FEASIBLE &&
            arenaplan_check(&problem, NULL, offset, NULL) == ARENAPLAN_FEASIBLE &&
            result.peak == rows->peak;
    }
    ok(good, "stopped at once with long lives%s: rows", pieces ? " in pieces" : "");
    rng_free(rng);
    plan_free(rows);
    instance_free(instance);
    memory_free(piece);
    memory_free(buffer);
}

int main(void)
{
    listening();
    stopping();
    building();
    one_greedy();
    stopped_at_once(false);
    stopped_at_once(true);
    limits();
    return tap_done();
}
