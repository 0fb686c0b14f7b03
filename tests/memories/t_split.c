/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several memories against all assignments of up to seven buffers, each judged by the optimum of
 * each memory alone; and what holds of larger ones whatever the optimum is.  */
#include <config.h>

#include "memories/split.h"

#include <math.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "memories/curve.h"
#include "memories/cuts_check.h"
#include "memories/exact.h"
#include "memories/heuristics.h"
#include "memories/master.h"
#include "tests/oracles/brute_force.h"
#include "tests/support/instances.h"
#include "tests/support/random_instances.h"
#include "tests/support/tap.h"

enum { MOST_BUFFERS = 7, MOST_MEMORIES = 3 };

static const struct split_limits no_limits = {1 << 30, INFINITY};

/* A problem, and what is made of it.  */
struct trial {
    struct memories memories;
    struct split_problem problem;
    struct split_cuts cuts;
    struct split split;
};

/* Of INSTANCE and the memories that COUNT TEXTS describe; false as split_problem_init says.  */
static bool trial_begin(struct trial *trial, const struct instance *instance,
                        const char *const *texts, size_t count, struct error *error)
{
    *trial = (struct trial){.cuts = {0}};
    for (size_t m = 0; m < count; m++)
        if (!memories_add(&trial->memories, texts[m], error))
            tap_bail(error->text);
    memories_default_costs(&trial->memories);
    if (!split_problem_init(&trial->problem, instance, &trial->memories, error)) {
        memories_clear(&trial->memories);
        return false;
    }
    split_init(&trial->split, &trial->problem);
    return true;
}

static struct split_result trial_solve(struct trial *trial)
{
    return split_solve(&trial->problem, &no_limits, &trial->cuts, &trial->split);
}

static void trial_end(struct trial *trial)
{
    split_cuts_clear(&trial->cuts);
    split_clear(&trial->split);
    split_problem_clear(&trial->problem);
    memories_clear(&trial->memories);
}

/* --- all assignments --- */

/* A random problem, and the least peak of each set of its buffers.  */
struct small {
    struct instance *instance;
    struct trial trial;
    size_t count;
    char *text[MOST_MEMORIES];
    int64_t peak[1 << MOST_BUFFERS];
    int64_t reserved; /* bytes at the bottom of the first memory */
};

static void find_peaks(struct small *small)
{
    const size_t n = small->instance->n;

    small->peak[0] = 0;
    for (size_t set = 1; set < (size_t)1 << n; set++) {
        size_t keep[MOST_BUFFERS], count = 0;
        struct instance *part;

        for (size_t b = 0; b < n; b++)
            if ((set >> b & 1) != 0)
                keep[count++] = b;
        part = instance_subset(small->instance, keep, count);
        small->peak[set] = brute_force_optimum(part);
        instance_free(part);
    }
}

/* A memory that is just too small for some set, or for a share of what all need; the last one often
 * without a limit.  */
static void add_memory(struct small *small, struct rng *rng, size_t m, size_t count)
{
    const char *name = m == 0 ? "fast" : m + 1 == count ? "slow" : "middle";
    const int64_t all = ((int64_t)1 << small->instance->n) - 1;
    const int64_t capacity = rng_range(rng, 0, 2) == 0 ? rng_range(rng, 0, small->peak[all])
                                                       : small->peak[rng_range(rng, 1, all)] - 1;
    const int64_t read = rng_range(rng, 0, 9), write = rng_range(rng, 0, 9);
    char **text = &small->text[m];

    if (m > 0 && m + 1 == count && rng_range(rng, 0, 3) > 0)
        *text = memory_printf("%s,read=%d,write=%d.5", name, (int)read, (int)write);
    else if (m == 0 && small->reserved > 0)
        *text = memory_printf("%s=%lld,read=%d,write=%d,reserve=0+%lld", name,
                              (long long)(capacity + small->reserved), (int)read, (int)write,
                              (long long)small->reserved);
    else
        *text = memory_printf("%s=%lld,read=%d,write=%d", name, (long long)capacity, (int)read,
                              (int)write);
}

static void draw(struct small *small, struct rng *rng, int round)
{
    const size_t n = (size_t)rng_range(rng, 1, MOST_BUFFERS);
    const size_t count = (size_t)rng_range(rng, 1, MOST_MEMORIES);
    static const enum random_kind kinds[] = {RANDOM_TIES, RANDOM_CHAIN, RANDOM_UNIFORM,
                                             RANDOM_ALIGNED, RANDOM_MIXED};
    const enum random_kind kind = kinds[round % 5];

    small->instance = random_instance(rng, kind, n);
    small->count = count;
    /* Offsets above it are all moved by it, so none with alignments.  */
    small->reserved = kind == RANDOM_ALIGNED || kind == RANDOM_MIXED ? 0 : rng_range(rng, 1, 50);
    for (size_t b = 0; b < n; b++) {
        struct buffer *buffer = &small->instance->buffer[b];

        buffer->reads = rng_range(rng, -1, 20);
        buffer->writes = rng_range(rng, -1, 20);
        if (rng_range(rng, 0, 5) == 0)
            instance_allow(small->instance, b, count > 1 ? "slow" : "fast");
    }
    find_peaks(small);
    for (size_t m = 0; m < count; m++)
        add_memory(small, rng, m, count);
}

/* What buffer B costs in memory M by its own words; -1: it may not lie there.  */
static int64_t plain_cost(const struct small *small, size_t b, size_t m)
{
    const struct buffer *buffer = &small->instance->buffer[b];
    const struct memory *memory = &small->trial.memories.memory[m];

    if (buffer->memories != 0 && m + 1 != small->count)
        return -1;
    return (buffer->reads < 0 ? buffer->size : buffer->reads) * memory->read +
           (buffer->writes < 0 ? buffer->size : buffer->writes) * memory->write;
}

/* The cost of assignment NUMBER, a digit for each buffer; SPLIT_NEVER where it does not fit.  */
static int64_t plain_split(const struct small *small, size_t number)
{
    size_t set[MOST_MEMORIES] = {0};
    int64_t cost = 0;

    for (size_t b = 0; b < small->instance->n; b++, number /= small->count) {
        const size_t m = number % small->count;

        if (plain_cost(small, b, m) < 0)
            return SPLIT_NEVER;
        cost += plain_cost(small, b, m);
        set[m] |= (size_t)1 << b;
    }
    for (size_t m = 0; m < small->count; m++)
        if (small->peak[set[m]] >
            clipped_sub(small->trial.memories.memory[m].capacity,
                        small->trial.memories.memory[m].n_reserved > 0 ? small->reserved : 0))
            return SPLIT_NEVER;
    return cost;
}

static int64_t plain_optimum(const struct small *small)
{
    int64_t best = SPLIT_NEVER;
    size_t all = 1;

    for (size_t b = 0; b < small->instance->n; b++)
        all *= small->count;
    for (size_t number = 0; number < all; number++)
        best = min64(best, plain_split(small, number));
    return best;
}

/* What was seen, so that a test that tries nothing is noticed.  */
struct seen {
    int infeasible, contiguity, cuts;
};

static bool small_is_right(struct small *small, struct seen *seen)
{
    struct trial *trial = &small->trial;
    struct split_result result;
    struct error error = {""};
    int64_t want, checked;
    bool good;

    if (!trial_begin(trial, small->instance, (const char *const *)small->text, small->count,
                     &error))
        tap_bail(error.text);
    want = plain_optimum(small);
    result = trial_solve(trial);
    good = trial->split.cost == want &&
           result.outcome == (want == SPLIT_NEVER ? SPLIT_INFEASIBLE : SPLIT_OPTIMAL);
    if (good && want != SPLIT_NEVER)
        good = split_verify(&trial->problem, &trial->split, &error) && result.bound == want &&
               result.flow_proven && result.flow_bound <= want;
    good = good && cuts_check(&trial->problem, &trial->cuts, INFINITY, &checked, &error) &&
           checked == want;
    if (!good)
        tap_diag("cost %lld, expected %lld: %s", (long long)trial->split.cost, (long long)want,
                 error.text);
    seen->infeasible += want == SPLIT_NEVER;
    seen->contiguity += want != SPLIT_NEVER && result.flow_bound < want;
    seen->cuts += trial->cuts.count > 0;
    trial_end(trial);
    return good;
}

static void against_all(void)
{
    const int rounds = tap_tier(400, 1500);
    struct rng *rng = rng_new(441);
    struct seen seen = {0};
    int right = 0;

    for (int round = 0; round < rounds; round++) {
        struct small small;

        draw(&small, rng, round);
        right += small_is_right(&small, &seen);
        for (size_t m = 0; m < small.count; m++)
            memory_free(small.text[m]);
        instance_free(small.instance);
    }
    is_int(right, rounds, "the least cost of all assignments, which the cuts prove");
    ok(seen.infeasible > rounds / 40, "some do not fit (%d)", seen.infeasible);
    ok(seen.contiguity > 0, "on some lying in one piece costs something (%d)", seen.contiguity);
    ok(seen.cuts > 0, "on some the planner refuses what the sums allow (%d)", seen.cuts);
    rng_free(rng);
}

/* --- larger ones --- */

/* Bounds and costs at one capacity, from below.  */
struct ladder {
    int64_t step, relaxed, flow, exact, in_order, exchanged;
    bool proven;
};

static struct ladder climb(const struct instance *instance, int64_t capacity)
{
    char *fast = memory_printf("fast=%lld,read=1,write=1", (long long)capacity);
    const char *const texts[] = {fast, "slow,read=8,write=10"};
    struct ladder ladder = {0};
    struct split_result result;
    struct trial trial;
    struct split plain;
    struct error error;
    size_t *order;

    if (!trial_begin(&trial, instance, texts, 2, &error))
        tap_bail(error.text);
    split_init(&plain, &trial.problem);
    ladder.step = master_step_bound(&trial.problem);
    split_relax(&trial.problem, INFINITY, &ladder.relaxed, NULL);
    order = split_by_saving(&trial.problem);
    if (!split_in_order(&trial.problem, order, &no_limits, &plain) ||
        !split_verify(&trial.problem, &plain, &error))
        tap_bail("by saving");
    ladder.in_order = plain.cost;
    split_exchange(&trial.problem, &no_limits, &plain);
    ladder.exchanged = split_verify(&trial.problem, &plain, &error) ? plain.cost : -1;
    result = trial_solve(&trial);
    ladder.flow = result.flow_bound;
    ladder.exact = split_verify(&trial.problem, &trial.split, &error) ? trial.split.cost : -1;
    ladder.proven = result.outcome == SPLIT_OPTIMAL && result.flow_proven;
    split_clear(&plain);
    trial_end(&trial);
    memory_free(order);
    memory_free(fast);
    return ladder;
}

static void ladders(void)
{
    const int rounds = tap_tier(20, 200);
    struct rng *rng = rng_new(442);
    bool ordered = true, monotone = true, ends = true, equal = true;

    for (int round = 0; round < rounds; round++) {
        const enum random_kind kind = round % 2 == 0 ? RANDOM_EQUAL : RANDOM_CHAIN;
        struct instance *instance = random_instance(rng, kind, 25);
        int64_t before = SPLIT_NEVER, cheapest = 2 * 1000 * instance->total, all_slow = 0;

        for (size_t b = 0; b < instance->n; b++)
            all_slow += (8 + 10) * 1000 * instance->buffer[b].size;
        for (int part = 0; part <= 4; part++) {
            /* Enough for any plan at the end.  */
            int64_t capacity = part == 4 ? instance->total : instance->load * part / 4;
            struct ladder ladder = climb(instance, capacity);

            ordered = ordered && ladder.proven && ladder.step <= ladder.relaxed &&
                      ladder.relaxed <= ladder.flow && ladder.flow <= ladder.exact &&
                      ladder.exact <= ladder.exchanged && ladder.exchanged <= ladder.in_order;
            equal = equal && (kind != RANDOM_EQUAL || ladder.flow == ladder.exact);
            monotone = monotone && ladder.exact <= before;
            ends = ends && (part != 0 || ladder.exact == all_slow) &&
                   (part != 4 || ladder.exact == cheapest);
            before = ladder.exact;
        }
        instance_free(instance);
    }
    ok(ordered, "a step, relaxation, flow, optimum, exchange, greedy: none above the next");
    ok(monotone, "more of the fast memory never costs more");
    ok(ends, "without it all are in the slow one, with enough of it none");
    ok(equal, "equal sizes: the flow's optimum can be placed");
    rng_free(rng);
}

/* Of b (6 bytes), c (8) and d (7), beside bytes that nobody may use, b and c can't be together, nor
 * c and d; b and d can, which a cut for c alone must not forbid.  */
static void smaller_one(void)
{
    static const char *const texts[] = {"fast=19,reserve=5+1", "slow,read=1"};
    static const int64_t reads[] = {100, 100, 50};
    struct instance *instance = instance_of_rows("b 0 2 6; c 0 2 8; d 0 2 7");
    struct split_result result;
    struct trial trial;
    struct error error;

    for (size_t b = 0; b < 3; b++)
        instance->buffer[b].reads = reads[b];
    if (!trial_begin(&trial, instance, texts, 2, &error))
        tap_bail(error.text);
    result = trial_solve(&trial);
    is_int(result.outcome, SPLIT_OPTIMAL, "solved");
    is_int(result.bound, 100 * MEMORY_COST_UNIT, "and no bound is above it");
    is_int(trial.split.cost, 100 * MEMORY_COST_UNIT, "c is left out");
    is_int((int64_t)trial.split.memory[2], 0, "not d");
    trial_end(&trial);
    instance_free(instance);
}

/* Two that interlock: at the step that they share one needs its upper 2 bytes alone.  */
static void interlocking(void)
{
    static const char *const texts[] = {"fast=10", "slow"};
    static const struct piece steps[] = {{0, 1, 0, 10, true}, {1, 2, 8, 10, false}};
    struct instance *instance = instance_new("pieces");
    struct trial trial;
    struct error error;

    instance_add_pieces(instance, "a", steps, 2, 1);
    instance_add(instance, "b", 1, 2, 8, 1);
    if (!instance_seal(instance, NULL, &error) || !trial_begin(&trial, instance, texts, 2, &error))
        tap_bail(error.text);
    is_int(trial_solve(&trial).outcome, SPLIT_OPTIMAL, "solved");
    is_int(trial.split.cost, 0, "both are in the fast memory");
    is_int(trial.split.offset[1], 0, "one below what the other needs");
    ok(split_verify(&trial.problem, &trial.split, &error), "which is valid");
    trial_end(&trial);
    instance_free(instance);
}

/* --- curves --- */

/* Each point is the optimum with its capacity, found anew.  */
static void curves(void)
{
    enum { POINTS = 7 };
    static const char *const texts[] = {"fast=1,read=1,align=4,reserve=900+100",
                                        "slow,read=5,write=3"};
    struct rng *rng = rng_new(443);
    int points = 0, right = 0, reserved = 0;

    for (int round = 0; round < tap_tier(5, 50); round++) {
        struct instance *instance = random_instance(rng, RANDOM_UNIFORM, 12);
        struct split_point point[POINTS];
        struct memories memories = {0};
        struct error error = {""};

        if (!memories_add(&memories, "fast,read=1,align=4,reserve=900+100", &error) ||
            !memories_add(&memories, texts[1], &error))
            tap_bail(error.text);
        memories_default_costs(&memories);
        ok(split_curve(instance, &memories, INFINITY, point, POINTS, &error), "a curve%s",
           error.text);
        is_int(memories.memory[0].capacity, INT64_MAX, "what was given stays");
        memories_clear(&memories);
        for (size_t i = 0; i < POINTS; i++) {
            char *fast = memory_printf("fast=%lld,read=1,align=4,reserve=900+100",
                                       (long long)point[i].capacity);
            const char *const anew[] = {fast, texts[1]};
            struct trial trial;

            if (!trial_begin(&trial, instance, anew, 2, &error))
                tap_bail(error.text);
            trial_solve(&trial);
            right += point[i].outcome == SPLIT_OPTIMAL && point[i].cost == trial.split.cost &&
                     point[i].bound <= point[i].cost &&
                     point[i].outside == split_outside(&trial.problem, &trial.split);
            points++;
            trial_end(&trial);
            memory_free(fast);
        }
        ok(point[POINTS - 1].outside == 0.0 && point[0].outside > 0.0,
           "the last one has all in the fast memory, the first has not");
        reserved += point[0].capacity == 1000;
        instance_free(instance);
    }
    is_int(right, points, "points that are as found anew");
    ok(reserved > 0, "some begin above what is reserved (%d)", reserved);
    rng_free(rng);
}

/* --- what is refused, and why --- */

static char *why_not(const struct instance *instance, const char *const *texts, size_t count)
{
    struct trial trial;
    struct error error;
    char *why;

    if (!trial_begin(&trial, instance, texts, count, &error))
        return memory_strdup(error.text);
    why = trial_solve(&trial).outcome == SPLIT_INFEASIBLE
              ? split_why_not(&trial.problem, &trial.cuts)
              : memory_strdup("it fits");
    trial_end(&trial);
    return why;
}

static void is_refused(const struct instance *instance, const char *a, const char *b,
                       const char *want)
{
    const char *const texts[] = {a, b};
    char *why = why_not(instance, texts, b == NULL ? 1 : 2);

    is_text(why, want, "%s %s", a, b == NULL ? "" : b);
    memory_free(why);
}

static void refusals(void)
{
    struct instance *instance = instance_of_rows("a 0 2 6; b 1 3 6; c 2 4 8");

    is_refused(instance, "x=7", "y=7",
               "buffer 'c' of 8 bytes is larger than each memory that it may lie in");
    is_refused(instance, "x=13", NULL,
               "at one step 14 bytes are in use, and all memories together have 13");
    is_refused(instance, "x=11", "y=3",
               "no choice of memories leaves room for all buffers at each "
               "step");
    is_refused(instance, "x=14", NULL, "it fits");
    is_refused(instance, "x=8", "y=6", "it fits");
    is_refused(instance, "x=19,reserve=5+1", NULL, "in memory 'x' these can't be together: b c");
    is_refused(instance, "x=20,reserve=5+1", NULL, "it fits");
    instance_allow(instance, 2, "z");
    is_refused(instance, "x=14", "y=14",
               "rows: buffers may lie in a memory 'z'; expected it among those given (--memory)");
    is_refused(instance, "x=14", "z=7",
               "buffer 'c' of 8 bytes is larger than each memory that it may lie in");
    is_refused(instance, "x=12", "z=8", "it fits");
    instance_free(instance);
}

/* The judge sees each fault that a split can have.  */
static void judge(void)
{
    static const char *const texts[] = {"fast=32,read=1,align=8,reserve=4+4", "slow,read=2"};
    struct instance *instance = instance_of_rows("a 0 2 8; b 1 3 8");
    struct trial trial;
    struct split *split = &trial.split;
    struct error error;
    static const struct {
        size_t memory[2];
        int64_t offset[2];
        int64_t wrong_cost;
        const char *want; /* NULL: nothing is wrong */
    } cases[] = {
        {{0, 0}, {8, 16}, 0, NULL},
        {{0, 1}, {8, 3}, 0, NULL},
        {{0, 0}, {8, 8}, 0, "memory 'fast': "},
        {{0, 0}, {8, 32}, 0, "buffer 'b' is not within memory 'fast'"},
        {{0, 0}, {8, 17}, 0, "buffer 'b' is not aligned as memory 'fast' asks"},
        {{0, 0}, {0, 16}, 0, "buffer 'a' is in a reserved range of memory 'fast'"},
        {{SIZE_MAX, 0}, {0, 16}, 0, "buffer 'a' is in no memory that it may lie in"},
        {{0, 0}, {8, 16}, 1, "the cost is not that of where buffers lie"},
    };

    if (!trial_begin(&trial, instance, texts, 2, &error))
        tap_bail(error.text);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (size_t b = 0; b < 2; b++) {
            split->memory[b] = cases[i].memory[b];
            split->offset[b] = cases[i].offset[b];
        }
        split->cost = split_cost(&trial.problem, split) - cases[i].wrong_cost;
        error.text[0] = '\0';
        if (cases[i].want == NULL)
            ok(split_verify(&trial.problem, split, &error), "right: %s", error.text);
        else
            ok(!split_verify(&trial.problem, split, &error) &&
                   strncmp(error.text, cases[i].want, strlen(cases[i].want)) == 0,
               "%s: %s", cases[i].want, error.text);
    }
    trial_end(&trial);
    instance_free(instance);
}

int main(void)
{
    against_all();
    ladders();
    smaller_one();
    interlocking();
    curves();
    refusals();
    judge();
    return tap_done();
}
