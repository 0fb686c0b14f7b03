/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TensorFlow Lite's planners and those near to them give the offsets that the
 * plain ones give.  */
#include <config.h>

#include "tests/oracles/plain_tflite.h"
#include "tests/support/same_plans.h"
#include "tests/support/tap.h"

static const struct plain_pair pairs[] = {
    {"tflite-arena", plain_tflite_arena, 1000, 6000},
    {"tflite-arena:comparison=corrected", plain_tflite_arena_corrected, 1000, 6000},
    {"tflm", plain_tflm, 5000, 6000},
    {"iree", plain_iree, 5000, 6000},
    {"iree:rows=given", plain_iree_given, 5000, 6000},
    {"xnnpack", plain_xnnpack, 5000, 6000},
    {"xnnpack:leading=skip", plain_xnnpack_skip, 5000, 6000},
    {"onnxruntime", plain_onnxruntime, 5000, 6000},
    {"onnxruntime:top=append", plain_onnxruntime_append, 5000, 6000},
    {"executorch", plain_executorch, 1000, 500},
    {"tflite-gpu-equality", plain_gpu_equality, 1000, 1100},
    {"tflite-gpu-in-order", plain_gpu_in_order, 1000, 1100},
    {"tflite-gpu-breadth", plain_gpu_breadth, 300, 500},
    {"tflite-gpu-size-distance", plain_gpu_size_distance, 1000, 1100},
    {"tflite-gpu-best", plain_gpu_best, 300, 500},
    {NULL, NULL, 0, 0},
};

int main(void)
{
    same_plans(pairs);
    return tap_done();
}
