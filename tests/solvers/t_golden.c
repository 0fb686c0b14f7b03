/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Published and independently computed figures, each with its source, and the
 * smallest cases by exhaustive search.  */
#include <config.h>

#include "lib/problem/instance.h"
#include "tests/oracles/brute_force.h"
#include "tests/support/golden.h"
#include "tests/support/instances.h"
#include "tests/support/tap.h"

/* The example of Pisarchyk and Lee's paper: peak 124 stands there; the sum and
 * the load can be added up.  */
static void papers_example(void)
{
    static const struct record record[] = {{0, 1, 32}, {1, 4, 28}, {2, 5, 36}, {3, 5, 16},
                                           {4, 5, 8},  {5, 7, 64}, {6, 8, 10}, {7, 8, 40}};
    struct instance *instance = golden_instance("paper's example", record, 8, 1, 1);

    is_int(instance->load, 124, "paper's example: load");
    golden_peak("naive", instance, 234);
    golden_peak("greedy-by-size", instance, 124);
    golden_peak("first-fit-by-size", instance, 124);
    instance_free(instance);
}

/* The TFLite GPU delegate's own tests, ComplexRecords and ChainRecords.  */
static void delegate_tests(void)
{
    static const struct record complex[] = {{0, 1, 32}, {1, 4, 32}, {2, 5, 8},
                                            {3, 5, 16}, {4, 5, 8},  {5, 7, 64},
                                            {6, 8, 8},  {7, 8, 8},  {8, 9, 16}};
    static const struct record chain[] = {{0, 1, 16}, {1, 2, 8}, {2, 3, 64}, {3, 4, 32}, {4, 5, 8}};
    static const int64_t complex_greedy[] = {0, 32, 80, 64, 88, 0, 64, 72, 0};
    struct instance *instance = golden_instance("ComplexRecords", complex, 9, 1, 1);

    is_int(instance->load, 96, "ComplexRecords: load");
    golden_peak("naive", instance, 192);
    golden_peak("greedy-by-size", instance, 96);
    golden_offsets("greedy-by-size", instance, complex_greedy);
    instance_free(instance);
    golden_plans("ChainRecords", chain, 1, 128, OFFSETS(0, 128, 0, 128, 0), "greedy-by-size");
}

/* A super-resolution network's memory trace; the figures were worked out
 * independently of this project.  */
static void network_trace(void)
{
    static const struct record fsrcnn[] = {
        {0, 1, 691200},    {1, 3, 7372800},   {2, 5, 7372800},   {3, 7, 1843200},
        {4, 9, 1843200},   {5, 11, 1843200},  {6, 13, 1843200},  {7, 15, 1843200},
        {8, 17, 1843200},  {9, 19, 7372800},  {10, 21, 7372800}, {11, 23, 2764800},
        {12, 25, 2764800}, {13, 27, 2764800},
    };
    struct instance *instance = golden_instance("fsrcnn", fsrcnn, 14, 1, 1);

    is_int(instance->load, 28569600, "fsrcnn: load");
    golden_peak("greedy-by-size", instance, 28569600);
    golden_peak("naive", instance, 49536000);
    instance_free(instance);
}

/* The path-cover article's worst case of the older algorithm, lifetimes
 * [i, i + 2): a stable sort changes nothing, and buffer i, alive with buffer
 * i - 1, goes on top of it.  */
static void staircase(void)
{
    enum { STEPS = 50, SIZE = 7 };
    struct record record[STEPS];
    int64_t stairs[STEPS], two_rows[STEPS];
    struct instance *instance;

    for (int i = 0; i < STEPS; i++) {
        record[i] = (struct record){i, i + 2, SIZE};
        stairs[i] = SIZE * i;
        two_rows[i] = SIZE * (i % 2);
    }
    instance = golden_instance("staircase", record, STEPS, 0, 1);
    golden_peak("duration-size", instance, STEPS * SIZE);
    golden_offsets("duration-size", instance, stairs);
    golden_peak("duration-size:order=begin", instance, STEPS * SIZE);
    golden_offsets("duration-size:order=begin", instance, stairs);
    golden_peak("duration-size:order=end", instance, STEPS * SIZE);
    golden_offsets("duration-size:order=end", instance, stairs);
    golden_peak("path-cover", instance, 2 * SIZE);
    golden_offsets("path-cover", instance, two_rows);
    golden_peak("path-cover:choice=last", instance, 2 * SIZE);
    golden_peak("path-cover:choice=best", instance, 2 * SIZE);
    instance_free(instance);
}

/* Lifetimes [i, i + 2) in an input order that alternates: a stable sort by length keeps the
 * order, which puts every second buffer on the floor, while the orders of begin and end
 * build the staircase all the same.  */
static void shuffled_staircase(void)
{
    enum { STEPS = 50, SIZE = 7 };
    struct record record[STEPS];
    int64_t stairs[STEPS], two_rows[STEPS];
    struct instance *instance;

    for (int i = 0; i < STEPS; i++) {
        int at = i < STEPS / 2 ? 2 * i : 2 * (i - STEPS / 2) + 1;

        record[i] = (struct record){at, at + 2, SIZE};
        stairs[i] = SIZE * at;
        two_rows[i] = SIZE * (at % 2);
    }
    instance = golden_instance("shuffled", record, STEPS, 0, 1);
    golden_offsets("duration-size", instance, two_rows);
    golden_peak("duration-size:order=begin", instance, STEPS * SIZE);
    golden_offsets("duration-size:order=begin", instance, stairs);
    golden_offsets("duration-size:order=end", instance, stairs);
    golden_offsets("path-cover", instance, two_rows);
    instance_free(instance);
}

/* The generator's instance, as it comes and in random orders, defeats the orders by one
 * time; two sizes would do.  */
static void generated_staircase(void)
{
    static const char *const spec[] = {"staircase:n=40,size=3",
                                       "staircase:n=40,size=3,shuffle=on,seed=1",
                                       "staircase:n=40,size=3,shuffle=on,seed=2"};

    for (size_t i = 0; i < sizeof spec / sizeof spec[0]; i++) {
        struct instance *instance = instance_of(spec[i]);

        is_int(instance->load, 6, "%s: load", spec[i]);
        if (i == 0)
            golden_peak("duration-size", instance, 120);
        golden_peak("duration-size:order=begin", instance, 120);
        golden_peak("duration-size:order=end", instance, 120);
        golden_peak("path-cover", instance, 6);
        instance_free(instance);
    }
}

/* Where the choice of a group shows: 0 (9 bytes) and 1 (2 bytes) end before 2
 * (3 bytes) begins.  Its own group decides what stands below it.
 *
 *     first   2 joins 0's group, opened first
 *     last    2 joins 1's group, opened last
 *     best    2 joins 1's group, 1 byte away, not 6  */
static void group_choice(void)
{
    static const struct record record[] = {{0, 2, 9}, {0, 2, 2}, {2, 4, 3}, {2, 4, 9}};

    golden_plans("choice", record, 0, 1, OFFSETS(0, 9, 0, 3), "path-cover:choice=first");
    golden_plans("choice", record, 0, 1, OFFSETS(0, 9, 9, 0), "path-cover:choice=last",
                 "path-cover:choice=best");
}

/* Best fit and first fit part: at step 0 stand a [0, 12), b [12, 21), c [21,
 * 29), d [29, 36); at step 1 only b and d are left, so 12 bytes are free below
 * b and 8 below d, and e has 6.  */
static void fits(void)
{
    static const struct record record[] = {{0, 1, 12}, {0, 2, 9}, {0, 1, 8}, {0, 2, 7}, {1, 2, 6}};

    golden_plans("two gaps", record, 0, 1, OFFSETS(0, 12, 21, 29, 21), "greedy-by-size");
    golden_plans("two gaps", record, 0, 1, OFFSETS(0, 12, 21, 29, 0), "first-fit-by-size");
}

/* The smallest instances whose optimum exceeds the load, half-open: found and
 * confirmed independently of this project (exhaustive search and GLPK).  */
static void gap_gadgets(void)
{
    static const struct record five[] = {{0, 1, 2}, {0, 2, 2}, {1, 3, 1}, {1, 4, 1},
                                         {2, 4, 1}, {3, 5, 2}, {4, 5, 2}};
    static const struct record six[] = {{0, 1, 2}, {0, 2, 3}, {1, 3, 1}, {1, 4, 1},
                                        {2, 4, 1}, {3, 5, 3}, {4, 5, 2}};
    struct instance *gadget = golden_instance("gadget 5", five, 7, 0, 1);

    is_int(gadget->load, 4, "load of the gap gadget");
    is_int(brute_force_optimum(gadget), 5, "its optimum");
    instance_free(gadget);
    gadget = golden_instance("gadget 6", six, 7, 0, 1);
    is_int(gadget->load, 5, "load of the second gap gadget");
    is_int(brute_force_optimum(gadget), 6, "its optimum");
    instance_free(gadget);
}

/* Optima that a reader can check by hand.  */
static void by_hand(void)
{
    static const struct record alone[] = {{3, 4, 7}};
    static const struct record together[] = {{0, 2, 3}, {1, 3, 5}, {0, 3, 1}};
    static const struct record chain[] = {{0, 2, 3}, {1, 3, 5}, {2, 4, 3}, {3, 5, 5}};
    struct instance *instance = golden_instance("none", NULL, 0, 0, 1);

    is_int(brute_force_optimum(instance), 0, "no buffers need no memory");
    instance_free(instance);
    instance = golden_instance("alone", alone, 1, 0, 64);
    is_int(brute_force_optimum(instance), 7, "a buffer alone starts at 0");
    instance_free(instance);
    instance = golden_instance("together", together, 3, 0, 1);
    is_int(brute_force_optimum(instance), 9, "all alive at step 1");
    instance_free(instance);
    instance = golden_instance("chain", chain, 4, 0, 1);
    is_int(brute_force_optimum(instance), 8, "a chain needs its two largest neighbours");
    instance_free(instance);
    instance = golden_instance("aligned", together, 3, 0, 4);
    is_int(brute_force_optimum(instance), 13, "alignment 4: 1 at 0, 3 at 4, 5 at 8");
    instance_free(instance);
}

int main(void)
{
    papers_example();
    delegate_tests();
    network_trace();
    staircase();
    shuffled_staircase();
    generated_staircase();
    group_choice();
    fits();
    gap_gadgets();
    by_hand();
    return tap_done();
}
