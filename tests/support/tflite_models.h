/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small TensorFlow Lite models made for tests.  */
#ifndef ARENABENCH_TESTS_SUPPORT_TFLITE_MODELS_H
#define ARENABENCH_TESTS_SUPPORT_TFLITE_MODELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/base/error.h"
#include "lib/lifetimes/lifetimes.h"
#include "workloads/readers/tflite/network.h"
#include "workloads/readers/tflite/writer.h"

struct tensor_made {
    const char *name;
    uint8_t type; /* enum tflite_type */
    size_t rank;
    int32_t dim[8];
    size_t bytes; /* of a constant: zeros, or DATA */
    const void *data;
    bool variable;
};

struct op_made {
    int32_t code;
    size_t inputs;
    int32_t input[4];
    size_t outputs;
    int32_t output[4];
    size_t options;
    struct {
        uint8_t width; /* 0: left out */
        int32_t number;
    } option[8];
};

struct graph_made {
    const struct tensor_made *tensor;
    size_t tensors;
    const struct op_made *op;
    size_t ops;
    size_t inputs;
    int32_t input[2];
    size_t outputs;
    int32_t output[2];
};

/* Writes the model with COUNT sub-graphs; the caller clears WRITER.  Each operator
 * has an operator code of its own, each tensor a buffer.  */
void tflite_make(struct writer *writer, const struct graph_made *graph, size_t count);

/* A tensor of bytes without data.  */
#define I8(name, ...)                                                                          \
    {                                                                                          \
        name, TFLITE_INT8, sizeof((int32_t[]){__VA_ARGS__}) / 4, {__VA_ARGS__}, 0, NULL, false \
    }

/* The network of sub-graph INDEX of a file's bytes, or NULL with a message; errors
 * call the file t.tflite.  */
struct network *tflite_parse(const void *data, size_t size, size_t index,
                             const struct tflite_options *options, FILE *notices,
                             struct error *error);

/* The instance of NETWORK, which it takes over, in file order; NULL for NULL.  */
struct instance *tflite_instance(struct network *network, const struct lifetime_options *options,
                                 struct error *error);

/* A convolution, a depthwise one, a reshape, a fully connected layer, and an
 * addition of a constant.  */
extern const struct graph_made tflite_small;

#endif
