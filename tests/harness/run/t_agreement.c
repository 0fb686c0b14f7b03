/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Agreement: what the random instances have in them, how two contestants end on one, and
 * how that is counted.  */
#include <config.h>

#include "harness/run/agreement.h"

#include <stdlib.h>
#include <string.h>

#include "harness/io/watch.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "tests/support/fake_solver.h"
#include "tests/support/instances.h"
#include "tests/support/tap.h"

/* --- the random instances --- */

struct seen {
    int sorted, aligned, mixed, equal_sizes, equal_begins;
    int64_t most_size, most_buffers, most_alignment;
};

static bool is_sorted(const struct instance *instance)
{
    for (size_t b = 1; b < instance->n; b++)
        if (instance->buffer[b].begin < instance->buffer[b - 1].begin)
            return false;
    return true;
}

static void look_at(const struct instance *instance, struct seen *seen)
{
    bool mixed = false, sizes = false, begins = false;

    for (size_t b = 0; b < instance->n; b++)
        for (size_t c = 0; c < b; c++) {
            mixed = mixed || instance->buffer[b].alignment != instance->buffer[c].alignment;
            sizes = sizes || instance->buffer[b].size == instance->buffer[c].size;
            begins = begins || instance->buffer[b].begin == instance->buffer[c].begin;
        }
    seen->sorted += is_sorted(instance);
    seen->aligned += instance->max_alignment > 1;
    seen->mixed += mixed;
    seen->equal_sizes += sizes;
    seen->equal_begins += begins;
    if (instance->max_size > seen->most_size)
        seen->most_size = instance->max_size;
    if ((int64_t)instance->n > seen->most_buffers)
        seen->most_buffers = (int64_t)instance->n;
    if (instance->max_alignment > seen->most_alignment)
        seen->most_alignment = instance->max_alignment;
}

static struct seen draw(const struct random_rows *rows, uint32_t seed, int count, uint64_t *sum)
{
    struct rng *rng = rng_new(seed);
    struct seen seen = {0};

    *sum = 0;
    for (int i = 0; i < count; i++) {
        struct instance *instance = random_rows_draw(rows, rng, i);

        look_at(instance, &seen);
        *sum = *sum * 31 + instance_checksum(instance);
        instance_free(instance);
    }
    rng_free(rng);
    return seen;
}

static void random_instances(void)
{
    static const struct random_rows usual = {.buffers = 40, .alignment = 64};
    static const struct random_rows plain = {.buffers = 5, .alignment = 1};
    static const struct random_rows single = {.buffers = 1, .alignment = 3};
    uint64_t sum, again, other;
    struct seen seen = draw(&usual, 1, 400, &sum);

    ok(seen.sorted >= 200 && seen.sorted < 250, "%d of 400 have their rows by begin", seen.sorted);
    ok(seen.aligned >= 120 && seen.aligned <= 150, "%d have alignments", seen.aligned);
    ok(seen.mixed >= 30 && seen.mixed <= 50, "%d have several", seen.mixed);
    ok(seen.equal_sizes >= 200 && seen.equal_sizes < 400, "%d have equal sizes", seen.equal_sizes);
    ok(seen.equal_begins >= 300, "%d have equal begins", seen.equal_begins);
    ok(seen.most_size > 1000000, "sizes are up to %d", (int)seen.most_size);
    is_int(seen.most_buffers, 40, "and buffers up to the most that were asked for");
    is_int(seen.most_alignment, 64, "and alignments");
    draw(&usual, 1, 400, &again);
    draw(&usual, 2, 400, &other);
    ok(sum == again && sum != other, "another seed draws others, the same the same");
    seen = draw(&plain, 1, 100, &sum);
    ok(seen.most_buffers == 5 && seen.aligned == 0, "few buffers without alignments");
    seen = draw(&single, 1, 100, &sum);
    ok(seen.most_buffers == 1 && seen.most_alignment == 2, "one buffer, powers of two only");
}

/* --- how two end --- */

/* One on top of the other, in the order of the rows; SHIFT bytes above 0.  */
static enum outcome stack(const struct instance *instance, struct plan *plan, int64_t shift)
{
    int64_t top = shift;

    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];

        top = (top + buffer->alignment - 1) / buffer->alignment * buffer->alignment;
        plan->offset[b] = top;
        top += buffer->size;
    }
    plan->peak = plan_peak(instance, plan);
    return OUTCOME_FEASIBLE;
}

FAKE_SOLVE(solve_stack)
{
    return stack(instance, plan, 0);
}

/* Its order of the first two is another where there are three.  */
FAKE_SOLVE(solve_swapped)
{
    enum outcome outcome = solve_stack(instance, env, plan);

    if (instance->n >= 3 && instance->max_alignment == 1) {
        plan->offset[0] = instance->buffer[1].size;
        plan->offset[1] = 0;
    }
    return outcome;
}

FAKE_SOLVE(solve_higher)
{
    return stack(instance, plan, 64);
}

FAKE_SOLVE(solve_crash)
{
    if (instance->n >= 4)
        abort();
    return solve_stack(instance, env, plan);
}

/* Everything at 0.  */
FAKE_SOLVE(solve_wrong)
{
    plan->peak = plan_peak(instance, plan);
    return OUTCOME_FEASIBLE;
}

FAKE_SOLVE(solve_late)
{
    solve_stack(instance, env, plan);
    return OUTCOME_TIMEOUT;
}

static bool odd(const struct instance *instance, const struct params *params, struct error *reason)
{
    (void)params;
    return instance->n % 2 == 1 || error_set(reason, "an even number of buffers");
}

#define ALIGNED .capabilities = SOLVER_ALIGNMENT
static const struct solver solver_stack = {.name = "stack", ALIGNED, .solve = solve_stack};
static const struct solver solver_swapped = {.name = "swapped", ALIGNED, .solve = solve_swapped};
static const struct solver solver_higher = {.name = "higher", ALIGNED, .solve = solve_higher};
static const struct solver solver_crash = {.name = "crash", ALIGNED, .solve = solve_crash};
static const struct solver solver_wrong = {.name = "wrong", ALIGNED, .solve = solve_wrong};
static const struct solver solver_late = {.name = "late", ALIGNED, .solve = solve_late};
static const struct solver solver_odd = {
    .name = "odd", ALIGNED, .applicable = odd, .solve = solve_stack};

static const struct run_limits limits = {.time_s = 60};

struct pair {
    struct solver_entry entry[2];
    struct contestant contestant[2];
};

static struct agreement agreement_of(struct pair *pair, const struct solver *a,
                                     const struct solver *b, enum duel_what what)
{
    const struct solver *const solver[2] = {a, b};

    for (int i = 0; i < 2; i++) {
        pair->entry[i] = (struct solver_entry){solver[i], "0"};
        pair->contestant[i] =
            (struct contestant){.entry = &pair->entry[i], .label = (char *)solver[i]->name};
    }
    return (struct agreement){
        .rules = {.contestant = pair->contestant, .what = what, .seed = 1, .limits = &limits},
        .rows = {.buffers = 12, .alignment = 16},
        .count = 40};
}

static void how_two_end(void)
{
    static const struct {
        const struct solver *other;
        enum duel_what what;
        enum duel_verdict verdict;
        const char *text;
    } cases[] = {
        {&solver_stack, DUEL_OFFSETS, DUEL_SAME, "the same offsets"},
        {&solver_swapped, DUEL_OFFSETS, DUEL_DIFFERENT, "other offsets"},
        {&solver_swapped, DUEL_PEAK, DUEL_SAME, "other offsets, the same peak"},
        {&solver_higher, DUEL_PEAK, DUEL_DIFFERENT, "another peak"},
        {&solver_higher, DUEL_OBJECTS, DUEL_SAME, "objects elsewhere"},
        {&solver_wrong, DUEL_OFFSETS, DUEL_FAILED, "a plan that the verifier refuses"},
        {&solver_late, DUEL_OFFSETS, DUEL_CUT, "a plan at the limit"},
        {&solver_odd, DUEL_OFFSETS, DUEL_SAME, "an instance that it takes"},
    };
    struct instance *instance = three(1);

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pair pair;
        struct agreement agreement =
            agreement_of(&pair, &solver_stack, cases[i].other, cases[i].what);
        struct duel duel;

        duel_run(&agreement.rules, instance, &duel);
        is_int((int64_t)duel.verdict, (int64_t)cases[i].verdict, "%s", cases[i].text);
        duel_clear(&duel);
    }
    instance_free(instance);
}

/* Two buffers that share an object, and two that do not.  */
static void objects(void)
{
    struct instance *instance = instance_of_rows("a 0 1 5; b 1 2 5");
    struct pair pair;
    struct agreement agreement = agreement_of(&pair, &solver_stack, &solver_wrong, DUEL_OBJECTS);
    struct duel duel;
    duel_run(&agreement.rules, instance, &duel);
    is_int((int64_t)duel.verdict, (int64_t)DUEL_DIFFERENT, "who shares is another");
    duel_clear(&duel);
    ok(duel.result[0].plan == NULL && duel.result[1].plan == NULL, "no plan is kept after that");
    instance_free(instance);
}

/* --- the counts --- */

static void counts(void)
{
    struct pair pair;
    struct agreement same = agreement_of(&pair, &solver_stack, &solver_stack, DUEL_OFFSETS);
    struct agreement some;

    agreement_run(&same);
    ok(same.done == 40 && same.tally[DUEL_SAME] == 40 && same.smallest == NULL,
       "the same planner agrees with itself on all");
    agreement_clear(&same);
    some = agreement_of(&pair, &solver_stack, &solver_odd, DUEL_OFFSETS);
    agreement_run(&some);
    ok(some.tally[DUEL_REFUSED] > 5 &&
           some.tally[DUEL_REFUSED] + some.tally[DUEL_SAME] == some.done && some.smallest == NULL,
       "what is refused is counted apart: %d", (int)some.tally[DUEL_REFUSED]);
    is_text(some.refusal, "odd: an even number of buffers", "with the first reason");
    agreement_clear(&some);
    some = agreement_of(&pair, &solver_late, &solver_stack, DUEL_OFFSETS);
    agreement_run(&some);
    ok(some.tally[DUEL_CUT] == 40 && some.smallest == NULL, "so is what a limit cuts");
    ok(strncmp(some.cut, "late: ", 6) == 0, "with the first reason: %s", some.cut);
    agreement_clear(&some);
}

static void smallest(void)
{
    struct pair pair, other;
    struct agreement parted = agreement_of(&pair, &solver_stack, &solver_swapped, DUEL_OFFSETS);
    struct agreement crashed = agreement_of(&other, &solver_crash, &solver_stack, DUEL_OFFSETS);

    agreement_run(&parted);
    ok(parted.tally[DUEL_DIFFERENT] > 0 && parted.smallest != NULL &&
           parted.tally[DUEL_DIFFERENT] + parted.tally[DUEL_SAME] == parted.done,
       "%d differ", (int)parted.tally[DUEL_DIFFERENT]);
    ok(parted.smallest->n == 3 && parted.smallest->total == 3,
       "three buffers of a byte are enough (%zu, %d)", parted.smallest->n,
       (int)parted.smallest->total);
    ok(parted.duel.verdict == DUEL_DIFFERENT && parted.duel.result[0].plan->n == 3 &&
           parted.duel.result[0].plan->offset[0] == 0 && parted.duel.result[1].plan->offset[0] == 1,
       "both plans are those of the smallest");
    agreement_clear(&parted);
    agreement_run(&crashed);
    ok(crashed.tally[DUEL_FAILED] > 0 && crashed.smallest != NULL && crashed.smallest->n == 4,
       "a crash needs four buffers");
    ok(crashed.duel.result[0].plan == NULL && crashed.duel.result[1].plan != NULL &&
           crashed.duel.result[0].outcome == OUTCOME_CRASHED,
       "and is still the first one's");
    agreement_clear(&crashed);
}

static bool until_five(void *context)
{
    return ((const struct agreement *)context)->done < 5;
}

static bool until_shrinking(void *context)
{
    return !((const struct agreement *)context)->shrinking;
}

static void stopped(void)
{
    struct pair pair;
    struct agreement agreement = agreement_of(&pair, &solver_stack, &solver_swapped, DUEL_OFFSETS);
    struct watch watch = {until_five, &agreement, 1.0, -1};
    int64_t counted = 0;

    agreement.watch = &watch;
    agreement_run(&agreement);
    for (int v = 0; v < DUEL_VERDICTS; v++)
        counted += agreement.tally[v];
    ok(agreement.stopped && agreement.done == 5 && counted == 5, "stopped after five instances");
    agreement_clear(&agreement);
    agreement = agreement_of(&pair, &solver_stack, &solver_swapped, DUEL_OFFSETS);
    watch.look = until_shrinking;
    agreement.watch = &watch;
    agreement_run(&agreement);
    ok(agreement.stopped && agreement.done == 40 && agreement.smallest != NULL &&
           agreement.smallest->n == agreement.drawn,
       "stopped before it was smaller: the random one is kept");
    agreement_clear(&agreement);
}

int main(void)
{
    random_instances();
    how_two_end();
    objects();
    counts();
    smallest();
    stopped();
    return tap_done();
}
