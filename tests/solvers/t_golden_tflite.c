/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TensorFlow Lite's planners and those near to them on the tests of their own
 * sources, and on examples worked out by hand where these have none.  */
#include <config.h>

#include "lib/problem/instance.h"
#include "solvers/solver.h"
#include "tests/support/golden.h"
#include "tests/support/tap.h"

/* Pisarchyk and Lee's example, which XNNPACK's test GeneralPlanning has too, with
 * these offsets.  By hand: 5, 7, 2, 0, 1, 3, 6, 4 is the order, and no buffer has two
 * gaps to choose from, so all who sort by size agree.  */
static void papers_example(void)
{
    static const struct record record[] = {{0, 1, 32}, {1, 4, 28}, {2, 5, 36}, {3, 5, 16},
                                           {4, 5, 8},  {5, 7, 64}, {6, 8, 10}, {7, 8, 40}};

    golden_plans("paper's example", record, 1, 1, OFFSETS(0, 32, 64, 100, 116, 0, 104, 64),
                 "xnnpack", "xnnpack:leading=skip", "tflite-arena", "tflm");
}

/* XNNPACK's test MemoryBlocksCoalescing and the example of its issue 10800.  */
static void xnnpack(void)
{
    static const struct record blocks[] = {
        {1, 1, 56}, {0, 1, 40}, {1, 1, 64}, {0, 0, 152}, {1, 1, 20}};
    static const struct record issue[] = {{0, 1, 100}, {1, 2, 80}, {2, 3, 60}};

    golden_plans("coalescing", blocks, 1, 1, OFFSETS(64, 152, 0, 0, 120), "xnnpack",
                 "xnnpack:leading=skip");
    golden_plans("issue 10800", issue, 1, 1, OFFSETS(0, 100, 0), "xnnpack");
    golden_plans("issue 10800", issue, 1, 1, OFFSETS(0, 100, 180), "xnnpack:leading=skip");
}

/* tflite-micro's tests TestGreedyBasics, TestGreedyMedium and TestOverlapCase; and
 * of equal sizes the last goes first, so at step 0 it is the one at 0.  */
static void tflm(void)
{
    static const struct record basics[] = {{0, 1, 10}, {2, 3, 20}};
    static const struct record medium[] = {
        {0, 1, 10}, {1, 2, 20}, {2, 3, 30}, {3, 4, 40}, {0, 1, 50}};
    static const struct record overlap[] = {{0, 1, 100}, {2, 3, 50}, {1, 2, 20}};
    static const struct record equal[] = {{0, 0, 8}, {0, 0, 8}, {0, 0, 8}};

    golden_plans("TestGreedyBasics", basics, 1, 1, OFFSETS(0, 0), "tflm");
    golden_plans("TestGreedyMedium", medium, 1, 1, OFFSETS(50, 70, 40, 0, 0), "tflm");
    golden_plans("TestOverlapCase", overlap, 1, 1, OFFSETS(0, 0, 100), "tflm");
    golden_plans("equal sizes", equal, 1, 1, OFFSETS(16, 8, 0), "tflm");
    golden_plans("equal sizes", equal, 1, 1, OFFSETS(0, 8, 16), "tflm:ties=index");
}

/* By hand, half-open.  0 lives during the whole run and goes first though it is the
 * smallest; 1 and 2 are equal in size, 2 begins earlier.
 *
 *     0  4 bytes  [0, 3)  at 0
 *     2  8 bytes  [0, 1)  at 4
 *     1  8 bytes  [1, 2)  at 4
 *     3  6 bytes  [0, 2)  at 12, above all three  */
static void whole_run(void)
{
    static const struct record record[] = {{0, 3, 4}, {1, 2, 8}, {0, 1, 8}, {0, 2, 6}};

    golden_plans("whole run", record, 0, 1, OFFSETS(0, 4, 4, 12), "tflite-arena",
                 "tflite-arena:comparison=corrected");
}

/* By hand, half-open, alignment 64.  The sizes descend, so that tflite-arena goes in
 * input order too, and 6 keeps the others from living during the whole run.  When 5
 * comes, 1 and 3 have ended; what is free at its step is
 *
 *     tighter      [100, 256), 128 bytes from 128 on, remembered as 156
 *                  [300, 384),  64 bytes from 320 on: tighter either way
 *     equal gaps   [100, 192),  64 bytes from 128 on, remembered as 92
 *                  [236, 320),  64 bytes from 256 on: below 92, so it wins  */
static void uneven(void)
{
    static const struct record tighter[] = {{0, 2, 100}, {0, 1, 95}, {0, 2, 44}, {0, 1, 40},
                                            {0, 2, 10},  {1, 2, 5},  {3, 4, 1}};
    static const struct record equal[] = {{0, 2, 100}, {0, 1, 60}, {0, 2, 44}, {0, 1, 40},
                                          {0, 2, 10},  {1, 2, 5},  {3, 4, 1}};

    golden_plans("a tighter gap", tighter, 0, 64, OFFSETS(0, 128, 256, 320, 384, 320, 0),
                 "iree:rows=given", "tflite-arena", "tflite-arena:comparison=corrected");
    golden_plans("equal gaps", equal, 0, 64, OFFSETS(0, 128, 192, 256, 320, 256, 0),
                 "iree:rows=given", "tflite-arena");
    golden_plans("equal gaps", equal, 0, 64, OFFSETS(0, 128, 192, 256, 320, 128, 0),
                 "tflite-arena:comparison=corrected");
}

/* The GPU delegate's own tests, ComplexRecords and ChainRecords.  */
static void delegate_objects(void)
{
    static const struct record complex[] = {{0, 1, 32}, {1, 4, 32}, {2, 5, 8},
                                            {3, 5, 16}, {4, 5, 8},  {5, 7, 64},
                                            {6, 8, 8},  {7, 8, 8},  {8, 9, 16}};
    static const struct record chain[] = {{0, 1, 16}, {1, 2, 8}, {2, 3, 64}, {3, 4, 32}, {4, 5, 8}};
    static const int64_t equality[] = {32, 32, 8, 16, 8, 64}, in_order[] = {32, 64, 16, 8};
    static const int64_t breadth[] = {64, 16, 8, 8, 32}, distance[] = {64, 32, 8, 8};
    static const int64_t flow[] = {32, 64, 8, 8}, two[] = {64, 32};
    struct instance *instance = golden_instance("ComplexRecords", complex, 9, 1, 1);

    golden_objects("tflite-gpu-equality", instance, equality, 6);
    golden_peak("tflite-gpu-equality", instance, 160);
    golden_objects("tflite-gpu-in-order", instance, in_order, 4);
    golden_peak("tflite-gpu-in-order", instance, 120);
    golden_objects("tflite-gpu-breadth", instance, breadth, 5);
    golden_peak("tflite-gpu-breadth", instance, 128);
    golden_objects("tflite-gpu-size-distance", instance, distance, 4);
    golden_peak("tflite-gpu-size-distance", instance, 112);
    golden_objects("tflite-gpu-best", instance, distance, 4);
    golden_objects("tflite-gpu-min-cost-flow", instance, flow, 4);
    golden_peak("tflite-gpu-min-cost-flow", instance, 112);
    golden_objects("tflite-gpu-min-cost-flow:routine=paths", instance, flow, 4);
    instance_free(instance);
    instance = golden_instance("ChainRecords", chain, 5, 1, 1);
    golden_objects("tflite-gpu-in-order", instance, two, 2);
    golden_objects("tflite-gpu-breadth", instance, two, 2);
    golden_objects("tflite-gpu-size-distance", instance, two, 2);
    golden_objects("tflite-gpu-best", instance, two, 2);
    golden_objects("tflite-gpu-min-cost-flow", instance, two, 2);
    instance_free(instance);
}

/* By hand, half-open: the examples at the heads of the solvers.  */
static void object_examples(void)
{
    /* 0, 1 and 2 open objects of 16, 40 and 64 bytes, all free at step 1; 3 takes the
     * second one, 4 and 5 what is left.  */
    static const struct record near[] = {{0, 1, 16}, {0, 1, 40}, {0, 1, 64}, {1, 2, 48}, {1, 2, 1}};
    static const struct record equal[] = {{0, 2, 8}, {0, 3, 8}, {4, 5, 8}, {4, 5, 7}};
    static const struct record wide[] = {{0, 2, 4}, {1, 2, 3}, {2, 3, 5}};
    static const struct record apart[] = {
        {0, 2, 80}, {4, 8, 60}, {2, 6, 50}, {10, 12, 60}, {10, 12, 60}};
    static const struct record nested[] = {{0, 2, 10}, {0, 1, 6}, {1, 3, 5}, {2, 3, 4}, {2, 3, 3}};

    golden_plans("nearest", near, 0, 1, OFFSETS(0, 16, 64, 16, 0), "tflite-gpu-in-order");
    golden_plans("freed last", equal, 0, 1, OFFSETS(0, 8, 8, 16), "tflite-gpu-equality");
    golden_plans("widest", wide, 0, 1, OFFSETS(0, 5, 0), "tflite-gpu-breadth");
    golden_plans("apart", apart, 0, 1, OFFSETS(0, 80, 0, 0, 80), "tflite-gpu-size-distance");
    golden_plans("nested", nested, 0, 1, OFFSETS(0, 10, 10, 0, 4), "executorch");
}

/* By hand, half-open: IREE takes what begins first, then what ends first.  1 goes above 2
 * and 0 though it is larger; as given, 0 stands at the bottom.  */
static void by_begin_and_end(void)
{
    static const struct record record[] = {{0, 3, 3}, {1, 3, 9}, {0, 2, 4}, {2, 4, 3}};

    golden_plans("by begin and end", record, 0, 1, OFFSETS(4, 7, 0, 0), "iree");
    golden_plans("as given", record, 0, 1, OFFSETS(0, 3, 12, 12), "iree:rows=given");
}

/* By hand: the example at the head of solvers/onnxruntime.c, and a buffer of one byte
 * that goes to the top, but not with top=append.  At step 2 of the second one [0, 2) and, below the
 * top of 6, [5, 6) are free; 3 (1 byte) goes to 0 or to 5.  */
static void onnxruntime(void)
{
    static const struct record trace[] = {{0, 1, 4}, {0, 2, 2}, {0, 1, 5},
                                          {0, 2, 1}, {1, 3, 4}, {2, 3, 8}};
    static const struct record top[] = {{0, 1, 2}, {0, 2, 3}, {0, 1, 1}, {1, 2, 1}};

    golden_plans("trace", trace, 0, 1, OFFSETS(0, 4, 6, 11, 0, 4), "onnxruntime:top=append",
                 "onnxruntime");
    golden_plans("top", top, 0, 1, OFFSETS(0, 2, 5, 0), "onnxruntime:top=append");
    golden_plans("top", top, 0, 1, OFFSETS(0, 2, 5, 5), "onnxruntime");
}

/* What align=native rounds: StreamTypes.cpp of IREE, XNN_ALLOCATION_ALIGNMENT on x86.  */
static void native(void)
{
    const struct solver *iree = solver_find("iree")->solver;
    const struct solver *xnnpack_planner = solver_find("xnnpack")->solver;

    ok(iree->native.size == 64 && iree->native.offset == 64, "iree rounds sizes and offsets to 64");
    ok(xnnpack_planner->native.size == 64 && xnnpack_planner->native.offset == 0,
       "xnnpack rounds sizes to 64");
}

int main(void)
{
    native();
    papers_example();
    xnnpack();
    tflm();
    whole_run();
    uneven();
    delegate_objects();
    object_examples();
    by_begin_and_end();
    onnxruntime();
    return tap_done();
}
