/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a sub-graph of a TensorFlow Lite model to a network.
 *
 * Operators stay in the order of the file; those that read nothing but constants
 * are folded.  Tensors are values under their own names.  Variable tensors, which
 * keep their content between runs, count as what is stored.  Tensors whose elements
 * have no fixed size (strings, resources) count as empty.  */
#ifndef ARENABENCH_WORKLOADS_READERS_TFLITE_NETWORK_H
#define ARENABENCH_WORKLOADS_READERS_TFLITE_NETWORK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/base/error.h"
#include "workloads/readers/tflite/model.h"

struct network;

struct tflite_options {
    int64_t batch;   /* dimension 0 of the inputs; each is 0: as in the file */
    int64_t h, w, c; /* dimensions 1 to 3 of inputs of 4 */
    int64_t length;  /* dimension 1 of inputs of 2 or 3 */
    bool infer_all;  /* for tests: the file's shapes are not taken */
};

/* The network, checked, or NULL with a message in the model's error.  NOTICES may
 * be NULL.  */
struct network *tflite_network(struct tflite_model *model, const struct tflite_graph *graph,
                               const char *name, const struct tflite_options *options,
                               FILE *notices);

#endif
