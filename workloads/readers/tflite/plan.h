/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans in a TensorFlow Lite model: the metadata OfflineMemoryAllocation, by which
 * TFLite Micro takes the offsets of tensors from the file.
 *
 * Its buffer holds 32-bit numbers: version (0), number of sub-graphs, number of
 * tensors n, and n offsets, those of all sub-graphs one after the other; -1 leaves a
 * tensor to the runtime.  The format: "Offline planned tensor allocations" in
 * tensorflow/lite/micro/docs/memory_management.md of
 * https://github.com/tensorflow/tflite-micro.  */
#ifndef ARENABENCH_WORKLOADS_READERS_TFLITE_PLAN_H
#define ARENABENCH_WORKLOADS_READERS_TFLITE_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "lib/base/error.h"

struct instance;
struct plan;

/* The plan in the model at PATH (SIZE bytes of DATA) for INSTANCE, which came from
 * sub-graph GRAPH of such a model.  NULL where a buffer's offset is not there, or
 * tensors that share a buffer are not at one place.  */
struct plan *tflite_plan_read(const char *path, const void *data, size_t size, size_t graph,
                              const struct instance *instance, struct error *error);

/* Writes the model with PLAN in it, in place of one that it has, to OUT.  Tensors
 * that are not in INSTANCE are left to the runtime.  */
bool tflite_plan_write(const char *path, const void *data, size_t size, size_t graph,
                       const struct instance *instance, const struct plan *plan, FILE *out,
                       struct error *error);

#endif
