/* TensorFlow Lite's planners and those near to them on the tests of their own
 * sources, and on examples worked out by hand where these have none.  */
#include <config.h>

#include "lib/problem/instance.h"
#include "tests/support/golden.h"
#include "tests/support/tap.h"

/* Pisarchyk and Lee's example, which XNNPACK's test GeneralPlanning has too, with
 * these offsets.  By hand: 5, 7, 2, 0, 1, 3, 6, 4 is the order, and no buffer has two
 * gaps to choose from, so all who sort by size agree.  */
static void papers_example(void)
{
    static const struct record record[] = {{0, 1, 32}, {1, 4, 28}, {2, 5, 36}, {3, 5, 16},
                                           {4, 5, 8},  {5, 7, 64}, {6, 8, 10}, {7, 8, 40}};
    static const int64_t offset[] = {0, 32, 64, 100, 116, 0, 104, 64};
    struct instance *instance = golden_instance("paper's example", record, 8, 1, 1);

    golden_offsets("xnnpack", instance, offset);
    golden_offsets("xnnpack:leading=skip", instance, offset);
    golden_offsets("tflite-arena", instance, offset);
    golden_offsets("tflm", instance, offset);
    instance_free(instance);
}

/* XNNPACK's test MemoryBlocksCoalescing and the example of its issue 10800.  */
static void xnnpack(void)
{
    static const struct record blocks[] = {
        {1, 1, 56}, {0, 1, 40}, {1, 1, 64}, {0, 0, 152}, {1, 1, 20}};
    static const int64_t block_offset[] = {64, 152, 0, 0, 120};
    static const struct record issue[] = {{0, 1, 100}, {1, 2, 80}, {2, 3, 60}};
    static const int64_t use[] = {0, 100, 0}, skip[] = {0, 100, 180};
    struct instance *instance = golden_instance("coalescing", blocks, 5, 1, 1);

    golden_offsets("xnnpack", instance, block_offset);
    golden_offsets("xnnpack:leading=skip", instance, block_offset);
    instance_free(instance);
    instance = golden_instance("issue 10800", issue, 3, 1, 1);
    golden_offsets("xnnpack", instance, use);
    golden_peak("xnnpack", instance, 180);
    golden_offsets("xnnpack:leading=skip", instance, skip);
    golden_peak("xnnpack:leading=skip", instance, 240);
    instance_free(instance);
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
    static const int64_t basics_offset[] = {0, 0}, medium_offset[] = {50, 70, 40, 0, 0};
    static const int64_t last_first[] = {16, 8, 0}, first_first[] = {0, 8, 16};
    struct instance *instance = golden_instance("TestGreedyBasics", basics, 2, 1, 1);

    golden_offsets("tflm", instance, basics_offset);
    instance_free(instance);
    instance = golden_instance("TestGreedyMedium", medium, 5, 1, 1);
    golden_offsets("tflm", instance, medium_offset);
    golden_peak("tflm", instance, 90);
    instance_free(instance);
    instance = golden_instance("TestOverlapCase", overlap, 3, 1, 1);
    golden_peak("tflm", instance, 120);
    instance_free(instance);
    instance = golden_instance("equal sizes", equal, 3, 1, 1);
    golden_offsets("tflm", instance, last_first);
    golden_offsets("tflm:ties=index", instance, first_first);
    instance_free(instance);
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
    static const int64_t offset[] = {0, 4, 4, 12};
    struct instance *instance = golden_instance("whole run", record, 4, 0, 1);

    golden_offsets("tflite-arena", instance, offset);
    golden_offsets("tflite-arena:comparison=corrected", instance, offset);
    instance_free(instance);
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
    static const int64_t tight[] = {0, 128, 256, 320, 384, 320, 0};
    static const struct record equal[] = {{0, 2, 100}, {0, 1, 60}, {0, 2, 44}, {0, 1, 40},
                                          {0, 2, 10},  {1, 2, 5},  {3, 4, 1}};
    static const int64_t higher[] = {0, 128, 192, 256, 320, 256, 0};
    static const int64_t lower[] = {0, 128, 192, 256, 320, 128, 0};
    struct instance *instance = golden_instance("a tighter gap", tighter, 7, 0, 64);

    golden_offsets("iree", instance, tight);
    golden_offsets("tflite-arena", instance, tight);
    golden_offsets("tflite-arena:comparison=corrected", instance, tight);
    instance_free(instance);
    instance = golden_instance("equal gaps", equal, 7, 0, 64);
    golden_offsets("iree", instance, higher);
    golden_offsets("tflite-arena", instance, higher);
    golden_offsets("tflite-arena:comparison=corrected", instance, lower);
    instance_free(instance);
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
    static const int64_t near_offset[] = {0, 16, 64, 16, 0};
    static const struct record equal[] = {{0, 2, 8}, {0, 3, 8}, {4, 5, 8}, {4, 5, 7}};
    static const int64_t equal_offset[] = {0, 8, 8, 16};
    static const struct record wide[] = {{0, 2, 4}, {1, 2, 3}, {2, 3, 5}};
    static const int64_t wide_offset[] = {0, 5, 0};
    static const struct record apart[] = {
        {0, 2, 80}, {4, 8, 60}, {2, 6, 50}, {10, 12, 60}, {10, 12, 60}};
    static const int64_t apart_offset[] = {0, 80, 0, 0, 80};
    static const struct record nested[] = {{0, 2, 10}, {0, 1, 6}, {1, 3, 5}, {2, 3, 4}, {2, 3, 3}};
    static const int64_t nested_offset[] = {0, 10, 10, 0, 4};
    struct instance *instance = golden_instance("nearest", near, 5, 0, 1);

    golden_offsets("tflite-gpu-in-order", instance, near_offset);
    instance_free(instance);
    instance = golden_instance("freed last", equal, 4, 0, 1);
    golden_offsets("tflite-gpu-equality", instance, equal_offset);
    instance_free(instance);
    instance = golden_instance("widest", wide, 3, 0, 1);
    golden_offsets("tflite-gpu-breadth", instance, wide_offset);
    instance_free(instance);
    instance = golden_instance("apart", apart, 5, 0, 1);
    golden_offsets("tflite-gpu-size-distance", instance, apart_offset);
    instance_free(instance);
    instance = golden_instance("nested", nested, 5, 0, 1);
    golden_offsets("executorch", instance, nested_offset);
    golden_peak("executorch", instance, 16);
    instance_free(instance);
}

/* By hand, half-open: IREE takes what comes.  1 goes above 0 though it is larger.  */
static void input_order(void)
{
    static const struct record record[] = {{0, 2, 3}, {1, 3, 9}, {2, 4, 3}};
    static const int64_t offset[] = {0, 3, 0};
    struct instance *instance = golden_instance("input order", record, 3, 0, 1);

    golden_offsets("iree", instance, offset);
    golden_peak("iree", instance, 12);
    instance_free(instance);
}

/* By hand: the example at the head of solvers/onnxruntime.c, and a buffer of one byte
 * that top=fit puts at the top.  At step 2 of the second one [0, 2) and, below the top
 * of 6, [5, 6) are free; 3 (1 byte) goes to 0 or to 5.  */
static void onnxruntime(void)
{
    static const struct record trace[] = {{0, 1, 4}, {0, 2, 2}, {0, 1, 5},
                                          {0, 2, 1}, {1, 3, 4}, {2, 3, 8}};
    static const int64_t offset[] = {0, 4, 6, 11, 0, 4};
    static const struct record top[] = {{0, 1, 2}, {0, 2, 3}, {0, 1, 1}, {1, 2, 1}};
    static const int64_t append[] = {0, 2, 5, 0}, fit[] = {0, 2, 5, 5};
    struct instance *instance = golden_instance("trace", trace, 6, 0, 1);

    golden_offsets("onnxruntime", instance, offset);
    golden_offsets("onnxruntime:top=fit", instance, offset);
    instance_free(instance);
    instance = golden_instance("top", top, 4, 0, 1);
    golden_offsets("onnxruntime", instance, append);
    golden_offsets("onnxruntime:top=fit", instance, fit);
    instance_free(instance);
}

int main(void)
{
    papers_example();
    xnnpack();
    tflm();
    whole_run();
    uneven();
    delegate_objects();
    object_examples();
    input_order();
    onnxruntime();
    return tap_done();
}
