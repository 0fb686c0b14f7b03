/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The suite's table and what is worked out from it: what is read and refused, which entries are
 * selected, scores by hand and against a plain second way, times, instances that are others.  */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/suite/suite.h"
#include "harness/suite/suite_judge.h"
#include "harness/suite/suite_score.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/graph/schedule.h"
#include "lib/lifetimes/origin.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "tests/support/instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/scratch.h"
#include "tests/support/tap.h"

#define HEADER                                                                             \
    "name,class,workload,buffers,load,checksum,sha256,lower,upper,lower_by,upper_by,plan," \
    "certificate\n"
#define SUM "0123456789abcdef"
#define SHA SUM SUM SUM SUM

static bool read_text(const char *text, struct suite *suite, struct error *error)
{
    FILE *in = scratch_text(text);
    bool good = suite_read(suite, in, "t.csv", error);

    fclose(in);
    return good;
}

/* --- the table --- */

static void test_round_trip(void)
{
    static const char text[] = HEADER
        "a-1,net,resnet50:batch=8;fuse=all,20,90," SUM "," SHA ",95,100,pairs,you; too,stored,\n"
        "b.2_c,tight,tight,20,90,0123456789abcde0," SHA ",90,90,load,x,x:nodes=1;y=2,"
        "certificates/b.txt\n";
    struct error error = {""};
    struct suite suite;
    size_t length;
    char *again;
    FILE *out;

    ok(read_text(text, &suite, &error), "a table is read: %s", error.text);
    is_int((int64_t)suite.count, 2, "both rows");
    is_text(suite.entry[0].workload, "resnet50:batch=8,fuse=all", "';' stands for commas");
    is_text(suite.entry[1].plan, "x:nodes=1,y=2", "in plans too");
    is_int(suite.entry[0].lower, 95, "lower");
    is_int(suite.entry[0].upper, 100, "upper");
    ok(suite.entry[0].checksum == 0x0123456789abcdef, "checksum");
    out = memory_stream(&again, &length);
    ok(suite_write(out, &suite), "it is written");
    memory_stream_close(out);
    is_text(again, text, "as it was");
    free(again);
    suite_clear(&suite);
}

static void test_refusals(void)
{
    static const struct {
        const char *rows, *message;
    } cases[] = {
        {"A,c,w,1,1," SUM "," SHA ",1,1,a,b,p,\n", "t.csv:2:1: name 'A'; expected small letters"},
        {"../a,c,w,1,1," SUM "," SHA ",1,1,a,b,p,\n", "t.csv:2:1: name '../a'"},
        {"a,,w,1,1," SUM "," SHA ",1,1,a,b,p,\n", "t.csv:2:3: class ''"},
        {"a,c,,1,1," SUM "," SHA ",1,1,a,b,p,\n", "t.csv:2:5: workload ''; expected some text"},
        {"a,c,w,0,1," SUM "," SHA ",1,1,a,b,p,\n", "t.csv:2:7: buffers"},
        {"a,c,w,1,1,0123," SHA ",1,1,a,b,p,\n", "t.csv:2:11: checksum '0123'; expected 16 digits"},
        {"a,c,w,1,1," SUM ",0123,1,1,a,b,p,\n", "sha256 '0123'; expected 64 digits"},
        {"a,c,w,1,2," SUM "," SHA ",1,2,a,b,p,\n", "lower '1'; expected the load or more"},
        {"a,c,w,1,2," SUM "," SHA ",3,2,a,b,p,\n", "upper '2'; expected lower or more"},
        {"a,c,w,1,1," SUM "," SHA ",1,1,,b,p,\n", "lower_by ''; expected some text"},
        {"a,c,w,1,1," SUM "," SHA ",1,1,a,b,,\n", "plan ''; expected some text"},
        {"a,c,w,1,1," SUM "," SHA ",1,1,a,b,p\n", "t.csv:2:"},
        {"a,c,w,1,1," SUM "," SHA ",1,1,a,b,p,\na,c,w,1,1,1123456789abcdef," SHA ",1,1,a,b,p,\n",
         "t.csv: the instance 'a' stands there twice"},
        {"a,c,w,1,1," SUM "," SHA ",1,1,a,b,p,\nb,c,w,1,1," SUM "," SHA ",1,1,a,b,p,\n",
         "t.csv: the checksum of"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *text = memory_printf("%s%s", HEADER, cases[i].rows);
        struct error error = {""};
        struct suite suite;

        ok(!read_text(text, &suite, &error) && strstr(error.text, cases[i].message) != NULL,
           "refused: %s", error.text);
        free(text);
    }
}

static void test_unreadable(void)
{
    FILE *in = fopen(".", "r");
    struct error error = {""};
    struct suite suite;

    if (in == NULL)
        abort();
    ok(!suite_read(&suite, in, "t.csv", &error) && strstr(error.text, "cannot read") != NULL,
       "a folder is no table: %s", error.text);
    fclose(in);
}

/* A suite of COUNT entries a0, a1, ... of classes c0, c1, c2 in turn, with 10 i buffers.  */
static struct suite made_up(size_t count)
{
    char *text = memory_strdup(HEADER);
    struct error error = {""};
    struct suite suite;

    for (size_t i = 0; i < count; i++)
        text = memory_append(text, "a%zu,c%zu,w,%zu,50,%016zx," SHA ",90,100,a,b,p,\n", i, i % 3,
                             10 * (i + 1), i);
    if (!read_text(text, &suite, &error))
        tap_bail(error.text);
    free(text);
    return suite;
}

static void test_select(void)
{
    struct suite suite = made_up(9);
    struct error error = {""};

    ok(suite_select(&suite, NULL, 90, &error) && suite.count == 9, "at most 90 buffers: all");
    ok(suite_select(&suite, NULL, 80, &error) && suite.count == 8, "at most 80");
    ok(suite_select(&suite, "c2,c0", INT64_MAX, &error) && suite.count == 5, "two classes");
    is_text(suite.entry[1].name, "a2", "in the table's order");
    ok(suite_find(&suite, "a3", &error) == &suite.entry[2], "an entry is found");
    ok(suite_find(&suite, "a1", &error) == NULL &&
           strstr(error.text, "unknown instance of the suite 'a1'") != NULL,
       "one that is not there is not: %s", error.text);
    ok(!suite_select(&suite, "c", INT64_MAX, &error) &&
           strstr(error.text, "unknown class of the suite 'c'") != NULL,
       "no part of a class is one: %s", error.text);
    ok(!suite_select(&suite, "c0,", INT64_MAX, &error), "nor is nothing: %s", error.text);
    ok(!suite_select(&suite, "c0", 5, &error) && strstr(error.text, "at most 5 buffers") != NULL,
       "a selection that is empty: %s", error.text);
    suite_clear(&suite);
}

/* --- scores --- */

static bool near(double a, double b)
{
    return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-9 * fmax(1.0, fabs(b));
}

/* Four entries, each with an optimum of 100: solved in 0.1 s; 5 % above in 0.3 s; refused; better
 * than all that is known, in 1.9 s.  Limit 2 s.  */
static void test_score_by_hand(void)
{
    struct suite suite = made_up(4);
    const struct suite_run run[4] = {
        {.has_plan = true, .peak = 100, .time_s = 0.1},
        {.has_plan = true, .peak = 105, .time_s = 0.3},
        {.refused = true, .time_s = 0.2},
        {.has_plan = true, .peak = 98, .time_s = 1.9},
    };
    struct suite_score score = suite_score(&suite, run, NULL, 2.0);

    is_int((int64_t)score.instances, 4, "instances");
    is_int((int64_t)score.plans, 3, "plans");
    is_int((int64_t)score.refused, 1, "refused");
    is_int((int64_t)score.solved, 2, "solved");
    is_int((int64_t)score.better, 1, "better");
    ok(near(score.gap, (0.0 + 0.05 - 0.02) / 3.0), "mean gap %g", score.gap);
    ok(near(score.worst, 0.05), "worst gap %g", score.worst);
    ok(near(score.par2_s, (0.1 + 4.0 + 4.0 + 1.9) / 4.0), "PAR-2 %g", score.par2_s);
    ok(near(score.time_s, sqrt(sqrt(0.2 * 2.1 * 2.1 * 2.0)) - 0.1), "time %g", score.time_s);
    score = suite_score(&suite, run, "c0", 1.0);
    ok(score.instances == 2 && score.solved == 1 && score.better == 1,
       "of a class; what takes longer than the limit is not solved");
    is_int((int64_t)suite_score(&suite, run, "c0", 1.9).solved, 2, "what takes all of it is");
    suite_clear(&suite);
}

static void test_score_without(void)
{
    struct suite suite = made_up(3);
    const struct suite_run run[3] = {{.has_plan = true, .peak = 100, .time_s = NAN},
                                     {.time_s = NAN},
                                     {.has_plan = true, .peak = 101, .time_s = 1.0}};
    struct suite_score score = suite_score(&suite, run, NULL, 60.0);

    ok(score.solved == 1 && isnan(score.time_s) && isnan(score.par2_s),
       "a plan without a time: solved, and no mean time");
    score = suite_score(&suite, run, "c1", 60.0);
    ok(score.plans == 0 && isnan(score.gap) && isnan(score.worst), "no plan: no gap");
    score = suite_score(&suite, run, "c2", 60.0);
    ok(near(score.par2_s, 120.0), "an entry that is not solved counts twice the limit");
    suite_clear(&suite);
}

/* Random runs: the score does not hang on the order, and classes add up to the whole.  */
static void test_score_classes(void)
{
    enum { COUNT = 30 };
    struct suite suite = made_up(COUNT);
    struct rng *rng = rng_new(5);
    int good = 0, rounds = 200;

    for (int round = 0; round < rounds; round++) {
        struct suite_run run[COUNT];
        struct suite_score all, sum = {0};
        double gap = 0.0, par2 = 0.0, worst = -1.0;

        for (size_t i = 0; i < COUNT; i++)
            run[i] = (struct suite_run){.has_plan = rng_range(rng, 0, 4) > 0,
                                        .peak = rng_range(rng, 95, 110),
                                        .time_s = (double)rng_range(rng, 1, 80) / 40.0};
        all = suite_score(&suite, run, NULL, 1.5);
        for (int c = 0; c < 3; c++) {
            const char *const names[3] = {"c0", "c1", "c2"};
            struct suite_score part = suite_score(&suite, run, names[c], 1.5);

            sum.instances += part.instances;
            sum.plans += part.plans;
            sum.solved += part.solved;
            sum.better += part.better;
            gap += part.plans > 0 ? part.gap * (double)part.plans : 0.0;
            par2 += part.par2_s * (double)part.instances;
            worst = fmax(worst, part.worst);
        }
        good += sum.instances == all.instances && sum.plans == all.plans &&
                sum.solved == all.solved && sum.better == all.better &&
                near(gap / (double)all.plans, all.gap) && near(par2 / COUNT, all.par2_s) &&
                near(worst, all.worst);
    }
    is_int(good, rounds, "classes add up to the whole");
    rng_free(rng);
    suite_clear(&suite);
}

/* --- times --- */

static bool read_times(const struct suite *suite, const char *text, struct suite_run *run,
                       struct error *error)
{
    FILE *in = scratch_text(text);
    bool good = suite_read_times(suite, in, "times.csv", run, error);

    fclose(in);
    return good;
}

static void test_times(void)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"name,time_s\nb,1\n", "times.csv:2:1: unknown instance of the suite 'b'"},
        {"name,time_s\na1,1\na1,2\n", "times.csv:3:1: 'a1' stands there twice"},
        {"name,time_s\na1,-1\n", "times.csv:2:4: time_s '-1'; expected a number, at least 0"},
        {"name,time_s\na1,inf\n", "times.csv:2:4: time_s 'inf'"},
        {"name,time\na1,1\n", "times.csv:1:"},
    };
    struct suite suite = made_up(3);
    struct suite_run run[3] = {{.time_s = 7.0}, {.time_s = 7.0}, {.time_s = 7.0}};
    struct error error = {""};
    size_t length;
    char *text;
    FILE *out;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        ok(!read_times(&suite, cases[i].text, run, &error) &&
               strstr(error.text, cases[i].message) != NULL && run[1].time_s == 7.0,
           "refused, and nothing is changed: %s", error.text);
    ok(read_times(&suite, "name,time_s\na2,0.25\na0,0\n", run, &error), "times: %s", error.text);
    ok(run[0].time_s == 0.0 && isnan(run[1].time_s) && run[2].time_s == 0.25,
       "in any order, some missing");
    out = memory_stream(&text, &length);
    suite_write_times(&suite, run, out);
    memory_stream_close(out);
    is_text(text, "name,time_s\na0,0\na2,0.25\n", "they are written");
    free(text);
    suite_clear(&suite);
}

/* --- instances --- */

static void test_instances(void)
{
    struct suite suite;
    struct error error = {""};
    struct instance *instance;
    size_t length;
    char *text;

    /* The gap gadget's own checksum, as results/reference/optima.csv has it.  */
    if (!read_text(HEADER "g,c,gadget:repeat=1,7,4,c65bc7004d7ae857," SHA ",5,5,a,b,p,\n"
                          "h,c,gadget:repeat=1,7,4,c65bc7004d7ae858," SHA ",5,5,a,b,p,\n"
                          "i,c,gadget:repat=1,7,4,c65bc7004d7ae859," SHA ",5,5,a,b,p,\n",
                   &suite, &error))
        abort();
    instance = suite_instance(&suite.entry[0], &error);
    ok(instance != NULL && instance->n == 7, "an instance: %s", error.text);
    if (instance != NULL) {
        text = suite_csv(&suite.entry[0], instance, &length, &error);
        ok(text == NULL && strstr(error.text, "g: its CSV file has the SHA-256 ") != NULL &&
               strstr(error.text, ", expected " SHA) != NULL,
           "whose file is another: %s", error.text);
        free(text);
    }
    instance_free(instance);
    ok(suite_instance(&suite.entry[1], &error) == NULL &&
           strstr(error.text, "h: gadget:repeat=1 makes another instance than the table's") != NULL,
       "another instance is refused: %s", error.text);
    ok(suite_instance(&suite.entry[2], &error) == NULL && strncmp(error.text, "i: ", 3) == 0,
       "a workload that is none: %s", error.text);
    suite_clear(&suite);
}

/* --- the judge --- */

/* Lifetimes, the replay and the table each can refuse a plan that the others take.  */
static void test_judge(void)
{
    struct instance *instance = instance_of("squeezenet1_1:size=32");
    struct plan *plan = solver_plan("greedy-by-size", instance, 1);
    struct suite_entry entry = {.lower = plan->peak};
    int64_t *step = instance->origin->schedule->step;
    struct error error = {""};

    ok(suite_judge(&entry, instance, plan, &error), "a plan at the bound is taken: %s", error.text);
    entry.lower++;
    ok(!suite_judge(&entry, instance, plan, &error) && strstr(error.text, "contradicts") != NULL,
       "one below it is not: %s", error.text);
    entry.lower = plan->peak++;
    ok(!suite_judge(&entry, instance, plan, &error), "nor one of another peak: %s", error.text);
    plan->peak--;
    step[0] = 1;
    step[1] = 0;
    ok(!suite_judge(&entry, instance, plan, &error), "nor one that the replay refuses: %s",
       error.text);
    plan_free(plan);
    instance_free(instance);
}

/* A plan that is made anew, without limits, by a program that would answer nothing with one.  */
static void test_made(void)
{
    char stack[] = "exec:[ -z \"$ARENABENCH_TIME_LIMIT$ARENABENCH_MEMORY_LIMIT\" ] && awk -F, "
                   "'NR == 1 { print \"id,offset\"; next } { print $1 \",\" s + 0; s += $4 }'";
    char failing[] = "exec:false", name[] = "t";
    struct instance *instance = three(1);
    struct suite_entry entry = {.name = name, .plan = stack, .lower = 15, .upper = 22};
    struct error error = {""};
    struct plan *plan = suite_best_plan(&entry, instance, ".", NULL, &error);

    ok(plan != NULL && plan->peak == 22, "a plan is made again: %s", error.text);
    plan_free(plan);
    entry.upper = 21;
    ok(suite_best_plan(&entry, instance, ".", NULL, &error) == NULL &&
           strstr(error.text, "is 22, expected 21") != NULL,
       "one of another peak is said: %s", error.text);
    entry.plan = failing;
    ok(suite_best_plan(&entry, instance, ".", NULL, &error) == NULL &&
           strncmp(error.text, "t: exec:false: no plan: crashed", 31) == 0,
       "none as well: %s", error.text);
    instance_free(instance);
}

int main(void)
{
    test_round_trip();
    test_refusals();
    test_unreadable();
    test_select();
    test_score_by_hand();
    test_score_without();
    test_score_classes();
    test_times();
    test_instances();
    test_judge();
    test_made();
    return tap_done();
}
