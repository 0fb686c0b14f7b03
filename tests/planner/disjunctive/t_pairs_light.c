/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The disjunctive search with few rules: its overload against all windows, and
 * propagations that are stopped against those that are not.  */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "planner/disjunctive/pairs_nogoods.h"
#include "planner/disjunctive/pairs_overload.h"
#include "planner/disjunctive/pairs_problem.h"
#include "planner/disjunctive/pairs_rules.h"
#include "tests/support/random_instances.h"
#include "tests/support/tap.h"

/* --- overload --- */

/* Whether there are tasks from FROM to TO, too high together.  */
static bool is_overloaded(const struct pairs_span *span, size_t count, int64_t from, int64_t to)
{
    int64_t sum = 0;

    for (size_t i = 0; i < count; i++)
        if (span[i].lo >= from && span[i].hi <= to)
            sum += span[i].height;
    return sum > 0 && sum > to - from;
}

static bool some_window(const struct pairs_span *span, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count; k++)
            if (is_overloaded(span, count, span[i].lo, span[k].hi))
                return true;
    return false;
}

static void draw_spans(struct rng *rng, struct pairs_span *span, size_t count)
{
    int64_t length = 4 * (int64_t)count;

    for (size_t i = 0; i < count; i++) {
        span[i].height = rng_range(rng, 1, 7);
        span[i].lo = rng_range(rng, 0, length);
        span[i].hi = span[i].lo + span[i].height + rng_range(rng, 0, length / 2);
    }
}

/* Sections of one instance are looked at again and again with other bounds, so that the orders that
 * are kept are those of another look.  */
static void overload(void)
{
    struct rng *rng = rng_new(61);
    int rounds = tap_tier(300, 3000), same = 0, windows = 0, found = 0, looks = 0;

    for (int round = 0; round < rounds; round++) {
        struct instance *instance =
            random_instance(rng, RANDOM_UNIFORM, (size_t)rng_range(rng, 1, 20));
        struct pairs_problem *problem = pairs_problem_new(instance, 1);
        struct pairs_span *span = memory_zalloc(problem->most_tasks, sizeof *span);
        struct pairs_overload tree;

        pairs_overload_init(&tree, problem);
        for (int look = 0; look < 20; look++, looks++) {
            size_t s = (size_t)rng_range(rng, 0, (int64_t)problem->sections - 1);
            size_t count = problem->start[s + 1] - problem->start[s];
            int64_t from = 0, to = 0;
            bool is = false;

            draw_spans(rng, span, count);
            is = pairs_overload_find(&tree, s, span, &from, &to);
            found += is;
            same += is == some_window(span, count);
            windows += is && is_overloaded(span, count, from, to);
        }
        pairs_overload_clear(&tree);
        free(span);
        pairs_problem_free(problem);
        instance_free(instance);
    }
    is_int(same, looks, "an overload is found where there is one");
    is_int(windows, found, "and the window is one");
    ok(found > looks / 10 && found < looks - looks / 10, "that is %d of %d", found, looks);
    rng_free(rng);
}

/* --- stopping --- */

struct state {
    struct pairs_bounds bounds;
    struct pairs_nogoods nogoods;
    struct pairs_rules rules;
};

static void state_init(struct state *state, const struct pairs_problem *problem, int64_t capacity,
                       bool light)
{
    pairs_bounds_init(&state->bounds, problem);
    pairs_nogoods_init(&state->nogoods, state->bounds.count);
    pairs_rules_init(&state->rules, &state->bounds, &state->nogoods);
    pairs_rules_set_light(&state->rules, light);
    pairs_bounds_reset(&state->bounds, capacity);
    pairs_rules_reset(&state->rules);
}

static void state_clear(struct state *state)
{
    pairs_bounds_clear(&state->bounds);
    pairs_nogoods_clear(&state->nogoods);
    pairs_rules_clear(&state->rules);
}

/* The first gap of every second pair is decided, if it can be; returns whether all rules hold then.
 */
static bool decide_some(struct state *state, const struct pairs_problem *problem)
{
    const struct pairs_reason chosen = {.rule = PAIRS_CHOICE};
    bool open = true;

    for (size_t p = 0; p < problem->pairs && open; p += 2)
        open = pairs_bounds_raise(&state->bounds, 2 * (problem->n + p),
                                  problem->gap[problem->pair[p].gap].above, &chosen);
    return open;
}

static bool same_bounds(const struct state *one, const struct state *other)
{
    for (size_t i = 0; i < one->bounds.count; i++)
        if (one->bounds.bound[i] != other->bounds.bound[i])
            return false;
    return true;
}

/* A propagation that is stopped by its work or by a deadline that has passed, and goes on.  */
static void stopping(void)
{
    struct rng *rng = rng_new(62);
    int rounds = tap_tier(200, 2000), same = 0, stops = 0, late = 0, conflicts = 0;

    for (int round = 0; round < rounds; round++) {
        struct instance *instance =
            random_instance(rng, RANDOM_UNIFORM, (size_t)rng_range(rng, 3, 20));
        struct pairs_problem *problem = pairs_problem_new(instance, 1);
        struct state whole, parts;
        int64_t capacity = instance->load + rng_range(rng, 0, instance->load);
        bool light = round % 2 == 0, open = true, expected;

        state_init(&whole, problem, capacity, light);
        state_init(&parts, problem, capacity, light);
        expected = decide_some(&whole, problem) && pairs_rules_follow(&whole.rules);
        parts.rules.deadline = -INFINITY;
        open = decide_some(&parts, problem);
        open = open && pairs_rules_follow(&parts.rules);
        late += !open || parts.rules.stopped;
        parts.rules.deadline = INFINITY;
        do {
            parts.rules.work_end = parts.rules.work + rng_range(rng, 1, 30);
            open = open && pairs_rules_follow(&parts.rules);
            stops += open && parts.rules.stopped;
        } while (open && parts.rules.stopped);
        same += open == expected && (!open || same_bounds(&whole, &parts));
        conflicts += !expected;
        state_clear(&whole);
        state_clear(&parts);
        pairs_problem_free(problem);
        instance_free(instance);
    }
    is_int(late, rounds, "a deadline that has passed stops a propagation");
    is_int(same, rounds, "what was stopped comes to the same end");
    ok(stops > 2 * rounds, "after %d stops", stops);
    ok(conflicts > rounds / 20 && conflicts < rounds / 2, "%d conflicts in %d", conflicts, rounds);
    rng_free(rng);
}

int main(void)
{
    overload();
    stopping();
    return tap_done();
}
