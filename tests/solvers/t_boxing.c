/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Boxing: what boxes promise about their contents, on random jobs and by hand; and
 * idealloc, which is made of it.  */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "solvers/boxing/boxing.h"
#include "tests/support/instances.h"
#include "tests/support/random_instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"

/* --- by hand --- */

/* The example in idealloc.c; its steps count 2 here.  */
static void unboxing(void)
{
    static const int64_t row[][3] = {{0, 4, 3},   {2, 6, 3}, {6, 10, 5},
                                     {10, 12, 2}, {3, 7, 4}, {5, 8, 2}};
    static const double expected[] = {0, 3, 0, 0, 6, 10};
    static const uint32_t pair[][2] = {{0, 1}, {2, 3}, {4, 5}};
    struct boxing boxing;
    struct job_list list = {0};
    double loose[6];

    boxing_init(&boxing, NULL);
    for (size_t j = 0; j < 6; j++)
        boxing_add(&boxing, row[j][2], 2 * row[j][0], 2 * row[j][1]);
    for (size_t b = 0; b < 3; b++)
        job_list_add(&list, boxing_box(&boxing, pair[b], 2, 6));
    is_int(boxing.job[list.job[2]].birth, 6, "a box is born with its first job");
    is_int(boxing.job[list.job[2]].death, 16, "and dies with its last");
    boxing_unbox(&boxing, &list, loose);
    for (size_t j = 0; j < 6; j++)
        is_int((int64_t)loose[j], (int64_t)expected[j], "loose offset of job %zu", j);
    job_list_clear(&list);
    boxing_clear(&boxing);
}

/* 40 equal jobs, two to a box, epsilon 1/2: both outer strips have 2 * 4 jobs, which make 16
 * rows and 8 boxes; the 24 others make 12.  */
static void equal_jobs(void)
{
    struct rng *rng = rng_new(1);
    struct boxing boxing;
    struct job_list all = {0}, boxes = {0};
    size_t full = 0;

    boxing_init(&boxing, rng);
    for (size_t j = 0; j < 40; j++)
        boxing_add(&boxing, 5, 0, 4);
    boxing_restart(&boxing, &all);
    boxing_theorem2(&boxing, all.job, all.count, 2, 10, 0.5, &boxes);
    for (size_t b = 0; b < boxes.count; b++)
        full += boxing.job[boxes.job[b]].count == 2 && boxing.job[boxes.job[b]].height == 10;
    is_int((int64_t)boxes.count, 20, "40 equal jobs fill 20 boxes for two");
    is_int((int64_t)full, 20, "each with two");
    job_list_clear(&all);
    job_list_clear(&boxes);
    boxing_clear(&boxing);
    rng_free(rng);
}

/* --- random jobs --- */

/* The largest sum of heights, or number, of jobs alive at once, by looking at each birth.  */
static int64_t load_of(const struct boxing *boxing, const uint32_t *job, size_t count, bool heights)
{
    int64_t most = 0;

    for (size_t i = 0; i < count; i++) {
        int64_t now = boxing->job[job[i]].birth, sum = 0;

        for (size_t k = 0; k < count; k++) {
            const struct box_job *other = &boxing->job[job[k]];

            if (other->birth <= now && now < other->death)
                sum += heights ? other->height : 1;
        }
        most = max64(most, sum);
    }
    return most;
}

/* Whether a box lives when its contents do, and is as high as they are together at any
 * time; so for boxes inside.  Counts the originals.  */
static bool good_box(const struct boxing *boxing, uint32_t box, size_t *seen)
{
    const struct box_job *own = &boxing->job[box];
    bool good = true;

    if (own->count == 0) {
        seen[box]++;
        return box < boxing->originals;
    }
    for (size_t i = 0; i < own->count; i++) {
        uint32_t inside = boxing->content[own->first + i];
        const struct box_job *job = &boxing->job[inside];

        good = good && inside < box && own->birth <= job->birth && job->death <= own->death &&
               good_box(boxing, inside, seen);
    }
    return good && load_of(boxing, boxing->content + own->first, own->count, true) <= own->height;
}

/* All boxes are good, and every original is in one of them, once.  */
static bool good_boxes(const struct boxing *boxing, const struct job_list *list)
{
    size_t *seen = memory_zalloc(boxing->originals, sizeof *seen);
    bool good = true;

    for (size_t i = 0; i < list->count; i++)
        good = good && good_box(boxing, list->job[i], seen);
    for (size_t j = 0; j < boxing->originals; j++)
        good = good && seen[j] == 1;
    free(seen);
    return good;
}

/* Rows in which no two overlap, as few as can be.  */
static bool good_rows(const struct boxing *boxing, const struct job_list *list)
{
    uint32_t *job = memory_copy(list->job, list->count, sizeof *job);
    uint32_t *row = memory_alloc(list->count, sizeof *row);
    size_t rows;
    bool good;

    rows = boxing_rows(boxing, job, list->count, row);
    good = (int64_t)rows == load_of(boxing, job, list->count, false);
    for (size_t i = 0; i < list->count; i++)
        for (size_t k = 0; k < i; k++) {
            const struct box_job *a = &boxing->job[job[i]], *b = &boxing->job[job[k]];

            good = good && !(row[i] == row[k] && a->birth < b->death && b->birth < a->death);
        }
    free(job);
    free(row);
    return good;
}

static void add_random(struct boxing *boxing, struct rng *rng, int64_t most_height)
{
    int64_t n = rng_range(rng, 1, 120), horizon = rng_range(rng, 1, 60);

    for (int64_t j = 0; j < n; j++) {
        int64_t birth = rng_range(rng, 0, horizon - 1);
        int64_t height = rng_range(rng, 1, most_height);

        if (rng_range(rng, 0, 2) == 0)
            height = max64(1, height / 100000);
        boxing_add(boxing, height, 4 * birth, 4 * rng_range(rng, birth + 1, horizon));
    }
}

static int64_t highest(const struct boxing *boxing, const struct job_list *list)
{
    int64_t most = 0;

    for (size_t i = 0; i < list->count; i++)
        most = max64(most, boxing->job[list->job[i]].height);
    return most;
}

static void random_boxes(void)
{
    struct rng *rng = rng_new(16);
    int rounds = tap_tier(60, 400), good = 0, equal = 0, rows = 0, rogue = 0, boxed = 0;

    for (int round = 0; round < rounds; round++) {
        double epsilon = 0.1 + 0.5 * rng_unit(rng), height;
        struct boxing boxing;
        struct job_list list = {0};
        bool same = true;

        boxing_init(&boxing, rng);
        add_random(&boxing, rng, round % 2 == 0 ? 50 : 1000000);
        boxing_restart(&boxing, &list);
        boxing_rogue(&boxing, &list, 0.5 * log2(1000000) * log2(1000000));
        rogue += good_boxes(&boxing, &list);
        boxed += list.count < boxing.originals;
        boxing_restart(&boxing, &list);
        height = (double)highest(&boxing, &list) * (1.0 + epsilon) * (1.0 + 20 * rng_unit(rng));
        boxing_corollary15(&boxing, &list, height, epsilon);
        good += good_boxes(&boxing, &list);
        for (size_t i = 0; i < list.count; i++)
            same = same && boxing.job[list.job[i]].height == (int64_t)floor(height);
        equal += same;
        rows += good_rows(&boxing, &list);
        job_list_clear(&list);
        boxing_clear(&boxing);
    }
    is_int(rogue, rounds, "rogue: boxes contain their jobs, each original is in one");
    ok(boxed > rounds / 10, "rogue: some are boxed");
    is_int(good, rounds, "Corollary 15: boxes contain their jobs, each original is in one");
    is_int(equal, rounds, "Corollary 15: all boxes are as high as asked");
    is_int(rows, rounds, "rows of boxes: none overlap, as many as the width");
    rng_free(rng);
}

/* --- idealloc --- */

static void easy_ones(void)
{
    struct rng *rng = rng_new(4);
    struct instance *instance = instance_new("a row");
    int rounds = tap_tier(10, 60), optimal = 0;
    struct plan *plan;

    for (int i = 0; i < 4; i++) {
        const char id[] = {(char)('a' + i), '\0'};

        instance_add(instance, id, i, i + 1, 10 + i, 1);
    }
    plan = solver_plan("idealloc", sealed(instance), 1);
    is_int(plan->peak, 13, "without overlaps the largest size is enough");
    plan_free(plan);
    instance_free(instance);
    for (int round = 0; round < rounds; round++) {
        instance = random_instance(rng, RANDOM_EQUAL, 50);
        optimal += run_solver_peak("idealloc", instance) == instance->load;
        instance_free(instance);
    }
    is_int(optimal, rounds, "equal sizes need the load");
    instance = instance_new("large");
    instance_add(instance, "a", 0, 2, (INT64_C(1) << 40) + 1, 1);
    ok(!solver_applies("idealloc", sealed(instance)), "sizes above 2^40 are refused");
    instance_free(instance);
    rng_free(rng);
}

static void promises(void)
{
    struct rng *rng = rng_new(41);
    int rounds = tap_tier(15, 100), same = 0, lives = 0, bound = 0, better = 0, different = 0;
    int spent = 0;

    for (int round = 0; round < rounds; round++) {
        struct instance *instance = random_instance(rng, RANDOM_UNIFORM, 80);
        struct plan *one = solver_plan("idealloc:lives=3", instance, 7);
        struct plan *two = solver_plan("idealloc:lives=3", instance, 7);
        struct plan *other = solver_plan("idealloc:lives=30", instance, 8);
        int64_t start = run_solver_peak("first-fit-by-size", instance);

        same += memcmp(one->offset, two->offset, instance->n * sizeof *one->offset) == 0;
        plan_free(two);
        two = solver_plan("idealloc:lives=30", instance, 7);
        different += memcmp(two->offset, other->offset, instance->n * sizeof *two->offset) != 0;
        lives += two->peak <= one->peak;
        bound += one->peak <= start;
        better += two->peak < start;
        plan_free(other);
        plan_free(two);
        two = solver_plan("idealloc:lives=30,max-frag=100", instance, 7);
        bound += two->nodes <= 1;
        plan_free(two);
        spent += one->nodes <= 3;
        plan_free(one);
        instance_free(instance);
    }
    is_int(same, rounds, "the same seed gives the same plan");
    ok(different > 0, "another one may give another");
    is_int(lives, rounds, "more lives never make it worse");
    is_int(spent, rounds, "lives are spent once");
    is_int(bound, 2 * rounds, "never worse than first-fit-by-size; max-frag ends it");
    ok(better > rounds / 10, "often better");
    rng_free(rng);
}

/* A better plan after the first one is rare: about one in twenty of these.  */
static void renewed_lives(void)
{
    struct rng *rng = rng_new(41);
    int rounds = 100, renewed = 0, worse = 0;

    for (int round = 0; round < rounds; round++) {
        struct instance *instance = random_instance(rng, RANDOM_UNIFORM, 80);
        struct plan *spent = solver_plan("idealloc:lives=3", instance, 7);
        struct plan *back = solver_plan("idealloc:lives=3,renew=on", instance, 7);

        renewed += back->nodes > 3;
        worse += back->peak > spent->peak;
        plan_free(back);
        plan_free(spent);
        instance_free(instance);
    }
    ok(renewed > 0, "with renew=on a better plan gives the lives back (%d times)", renewed);
    is_int(worse, 0, "which never makes it worse");
    rng_free(rng);
}

int main(void)
{
    unboxing();
    equal_jobs();
    random_boxes();
    easy_ones();
    promises();
    renewed_lives();
    return tap_done();
}
