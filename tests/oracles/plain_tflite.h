/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TensorFlow Lite's planners and those near to them, written down as they were
 * published: arrays and loops.  The solvers have to give the same offsets.  */
#ifndef ARENABENCH_TESTS_ORACLES_PLAIN_TFLITE_H
#define ARENABENCH_TESTS_ORACLES_PLAIN_TFLITE_H

struct instance;
struct plan;

typedef void plain_planner(const struct instance *instance, struct plan *plan);

plain_planner plain_tflite_arena, plain_tflite_arena_corrected, plain_tflm, plain_iree;
plain_planner plain_iree_given;
plain_planner plain_xnnpack, plain_xnnpack_skip, plain_onnxruntime;
plain_planner plain_onnxruntime_append;
plain_planner plain_executorch;

/* Shared objects of the GPU delegate.  */
plain_planner plain_gpu_equality, plain_gpu_in_order, plain_gpu_breadth, plain_gpu_size_distance,
    plain_gpu_best;

#endif
