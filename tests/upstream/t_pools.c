/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Planners for several memories: those that are shipped against what upstream's own code answered
 * (real inputs), and with one memory without a limit against the planners of one arena; all of them
 * against the judge and the proven bound.  */
#include <config.h>

#include "memories/splitter.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "memories/split.h"
#include "tests/support/instances.h"
#include "tests/support/random_instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"
#include "tests/upstream/recorded.h"

static const struct split_limits no_limits = {1 << 30, INFINITY};

/* A problem and the split of one planner.  */
struct trial {
    struct memories memories;
    struct split_problem problem;
    struct split split;
    struct split_result result;
    struct error reason;
    bool good, invalid;
};

/* FIRST and SECOND (NULL: there is none) describe memories.  */
static void trial_begin(struct trial *trial, const struct instance *instance, const char *first,
                        const char *second)
{
    *trial = (struct trial){.good = false};
    if (!memories_add(&trial->memories, first, &trial->reason) ||
        (second != NULL && !memories_add(&trial->memories, second, &trial->reason)))
        tap_bail(trial->reason.text);
    memories_default_costs(&trial->memories);
    if (!split_problem_init(&trial->problem, instance, &trial->memories, &trial->reason))
        tap_bail(trial->reason.text);
    split_init(&trial->split, &trial->problem);
}

static void trial_run(struct trial *trial, const char *name)
{
    for (size_t b = 0; b < trial->problem.instance->n; b++)
        trial->split.memory[b] = SIZE_MAX;
    trial->split.cost = SPLIT_NEVER;
    trial->good = splitter_run(splitter_find(name), &trial->problem, &no_limits, &trial->split,
                               &trial->result, &trial->invalid, &trial->reason);
}

static void trial_end(struct trial *trial)
{
    split_clear(&trial->split);
    split_problem_clear(&trial->problem);
    memories_clear(&trial->memories);
}

/* --- by hand --- */

/* The case of memories/tvm.c.  */
static void test_pool_that_comes_back(void)
{
    struct instance *instance = instance_of_rows("A 0 1 90; B 1 3 30; X 0 3 20");
    struct trial trial;

    trial_begin(&trial, instance, "fast=100", "slow");
    trial_run(&trial, "tvm-size:upstream=on");
    ok(!trial.good && trial.invalid, "as shipped a buffer lies in another one");
    is_int(trial.split.offset[2], 30, "on top of the last one that it meets");
    is_int((int64_t)trial.split.memory[2], 0, "in the pool that had no room for it");
    trial_run(&trial, "tvm-size");
    ok(trial.good, "repaired the split is valid");
    is_int((int64_t)trial.split.memory[2], 1, "and that buffer is in the other pool");
    trial_end(&trial);
    instance_free(instance);
}

/* Of 10 bytes a takes the object, to whose start d goes after it; b has no room for an object of
 * its own beside a, and c neither lies on a nor beside it.  */
static void test_banks(void)
{
    struct instance *instance = instance_of_rows("a 0 2 10; b 1 3 6; c 1 2 3; d 2 4 5");
    struct trial trial;

    trial_begin(&trial, instance, "fast=12", "slow");
    trial_run(&trial, "executorch");
    ok(trial.good, "banks: the split is valid");
    is_int((int64_t)trial.split.memory[0], 0, "the largest is in the first bank");
    is_int((int64_t)trial.split.memory[1], 1, "what has no room there is in the second");
    is_int((int64_t)trial.split.memory[3], 0, "what meets no tenant of an object goes to it");
    is_int(trial.split.offset[3], 0, "at its start");
    is_int(trial.split.offset[2], 6, "and what meets one opens an object, where there is room");
    trial_end(&trial);
    trial_begin(&trial, instance, "fast=20,reserve=0+1", "slow");
    trial_run(&trial, "executorch");
    ok(!trial.good && !trial.invalid && strstr(trial.reason.text, "reserved") != NULL,
       "what is shipped knows no reserved ranges");
    trial_end(&trial);
    trial_begin(&trial, instance, "fast=12", NULL);
    trial_run(&trial, "tvm-hill-climb");
    ok(!trial.good && !trial.invalid, "what does not fit is no split");
    trial_end(&trial);
    instance_free(instance);
}

/* --- with one memory without a limit --- */

static void test_one_memory(const char *name, int rounds)
{
    struct rng *rng = rng_new(7);
    int same = 0;

    for (int round = 0; round < rounds; round++) {
        struct instance *instance =
            random_instance(rng, RANDOM_TIES, (size_t)rng_range(rng, 1, 40));
        struct plan *plan = solver_plan(name, instance, 1);
        struct trial trial;

        trial_begin(&trial, instance, "all", NULL);
        trial_run(&trial, name);
        same += trial.good &&
                memcmp(trial.split.offset, plan->offset, instance->n * sizeof *plan->offset) == 0;
        trial_end(&trial);
        plan_free(plan);
        instance_free(instance);
    }
    is_int(same, rounds, "%s: one memory without a limit is an arena", name);
    rng_free(rng);
}

/* --- whatever the optimum is --- */

static void test_bounds(int rounds)
{
    struct rng *rng = rng_new(11);
    int *valid = memory_zalloc(splitter_count, sizeof *valid), below = 0, optimal = 0;

    for (int round = 0; round < rounds; round++) {
        struct instance *instance =
            random_instance(rng, RANDOM_UNIFORM, (size_t)rng_range(rng, 2, 12));
        char *fast = memory_printf("fast=%lld,read=1,write=2",
                                   (long long)(instance->load * rng_range(rng, 2, 9) / 10));
        int64_t optimum = 0;
        struct trial trial;

        trial_begin(&trial, instance, fast, "slow,read=9,write=7");
        for (size_t i = splitter_count; i-- > 0;) { /* the exact one first */
            trial_run(&trial, splitters[i]->name);
            if (splitters[i]->kind == SPLITTER_EXACT && trial.good) {
                optimum = trial.split.cost;
                optimal += trial.result.outcome == SPLIT_OPTIMAL;
            }
            valid[i] += trial.good;
            below += trial.good && (trial.split.cost < optimum || trial.result.bound > optimum);
        }
        trial_end(&trial);
        free(fast);
        instance_free(instance);
    }
    for (size_t i = 0; i < splitter_count; i++)
        if (strstr(splitters[i]->name, "upstream=on") == NULL)
            is_int(valid[i], rounds, "%s: valid splits", splitters[i]->name);
    is_int(optimal, rounds, "the exact one proves all");
    is_int(below, 0, "none costs less, and no bound is above that");
    memory_free(valid);
    rng_free(rng);
}

/* --- upstream's answers --- */

/* The next number of *AT, which goes behind it.  */
static int64_t next_number(char **at)
{
    return strtoll(*at, at, 10);
}

/* MEMORIES (from 1) and OFFSETS are upstream's, a number for each row.  */
static bool is_same(const struct trial *trial, char *memories, char *offsets)
{
    for (size_t b = 0; b < trial->problem.instance->n; b++)
        if ((int64_t)trial->split.memory[b] + 1 != next_number(&memories) ||
            trial->split.offset[b] != next_number(&offsets))
            return false;
    return true;
}

struct tally {
    int asked, same, overlaps;
};

/* One line of a file: instance, percentage of the load, two peaks, memories, offsets.  */
static void ask(const struct recorded_instances *instances, const char *name, char *line,
                struct tally *tally)
{
    const struct recorded_program as_is = {
        .rows = ROWS_AS_IS, .judged = "offsets", .aligned = strncmp(name, "tvm-", 4) == 0};
    char *field[6], *rest = line;
    struct instance *instance;
    struct trial trial;
    char *fast;

    for (size_t f = 0; f < 6; f++)
        if ((field[f] = strsep(&rest, "\t")) == NULL)
            tap_bail("a line of upstream's answers has fewer than six fields");
    instance = recorded_instance(instances, field[0], &as_is);
    if (instance == NULL) /* of minimalloc, and not here */
        return;
    fast = memory_printf("fast=%lld", (long long)(instance->load * atoll(field[1]) / 100));
    trial_begin(&trial, instance, fast, "slow");
    trial_run(&trial, name);
    tally->asked++;
    tally->same += (trial.good || trial.invalid) && is_same(&trial, field[4], field[5]);
    tally->overlaps += trial.invalid;
    trial_end(&trial);
    free(fast);
    instance_free(instance);
}

/* NAME gives what is recorded in FILE, in which OVERLAPS splits are wrong.  STRIDE: all or some. */
static void test_recorded(const struct recorded_instances *instances, const char *name,
                          const char *file, int overlaps, int stride)
{
    char *path = memory_printf("%s/%s", tap_data(), file), *line = NULL;
    struct tally tally = {0};
    size_t room = 0;
    FILE *in = fopen(path, "r");

    if (in == NULL)
        tap_bail(path);
    for (int i = 0; getline(&line, &room, in) > 0; i++)
        if (i > 0 && i % stride == 0)
            ask(instances, name, line, &tally);
    fclose(in);
    ok(tally.asked > 0 && tally.same == tally.asked, "%s: %d of %d as upstream", name, tally.same,
       tally.asked);
    if (stride == 1)
        is_int(tally.overlaps, overlaps, "%s: splits that are wrong", name);
    else
        ok((tally.overlaps > 0) == (overlaps > 0), "%s: whether splits are wrong", name);
    free(line);
    free(path);
}

static void test_upstream(void)
{
    static const struct {
        const char *name, *file;
        int overlaps;
    } recorded[] = {{"executorch", "upstream/pools/executorch-banked-greedy.tsv", 0},
                    {"tvm-size:upstream=on", "upstream/pools/tvm-size.tsv", 540},
                    {"tvm-conflicts:upstream=on", "upstream/pools/tvm-conflicts.tsv", 529},
                    {"tvm-hill-climb", "upstream/pools/tvm-hill-climb.tsv", 0}};
    struct recorded_instances instances = recorded_instances_read();

    for (size_t i = 0; i < sizeof recorded / sizeof recorded[0]; i++)
        if (!tap_skip_without(2, recorded[i].file))
            test_recorded(&instances, recorded[i].name, recorded[i].file, recorded[i].overlaps,
                          tap_tier(i == 3 ? 20 : 1, 1));
    recorded_instances_clear(&instances);
}

int main(void)
{
    test_pool_that_comes_back();
    test_banks();
    test_one_memory("tvm-size", 100);
    test_one_memory("tvm-conflicts", 100);
    test_one_memory("tvm-hill-climb", tap_tier(20, 100));
    test_one_memory("executorch", 100);
    test_bounds(tap_tier(100, 1000));
    test_upstream();
    return tap_done();
}
