/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A TensorFlow Lite model: its sub-graphs, tensors and operators, decoded and
 * checked (indices are in range), but not yet a network.
 *
 * Field numbers are those of the format's schema, tensorflow/lite/schema/schema.fbs
 * of https://github.com/tensorflow/tflite-micro.  */
#ifndef ARENABENCH_WORKLOADS_READERS_TFLITE_MODEL_H
#define ARENABENCH_WORKLOADS_READERS_TFLITE_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"
#include "workloads/readers/shapes.h"
#include "workloads/readers/tflite/flatbuffer.h"

#define TFLITE_MOST_BYTES ((size_t)INT32_MAX) /* offsets have 32 bits, half of them signed */
#define TFLITE_NONE (-1)                      /* an optional tensor that is left out */

/* Fields of the model's root table.  */
enum tflite_model_field {
    TFLITE_VERSION,
    TFLITE_CODES,
    TFLITE_SUBGRAPHS,
    TFLITE_DESCRIPTION,
    TFLITE_BUFFERS,
    TFLITE_METADATA_BUFFER,
    TFLITE_METADATA,
    TFLITE_SIGNATURES,
    TFLITE_MODEL_FIELDS,
};

enum tflite_type {
    TFLITE_FLOAT32,
    TFLITE_FLOAT16,
    TFLITE_INT32,
    TFLITE_UINT8,
    TFLITE_INT64,
    TFLITE_STRING,
    TFLITE_BOOL,
    TFLITE_INT16,
    TFLITE_COMPLEX64,
    TFLITE_INT8,
    TFLITE_FLOAT64,
    TFLITE_COMPLEX128,
    TFLITE_UINT64,
    TFLITE_RESOURCE,
    TFLITE_VARIANT,
    TFLITE_UINT32,
    TFLITE_UINT16,
    TFLITE_INT4,
    TFLITE_BFLOAT16,
};

struct tflite_tensor {
    char *name;                    /* unique in its sub-graph */
    int type;                      /* enum tflite_type, or a later one */
    struct shape shape;            /* -1: a dimension that is not known */
    bool variable;                 /* keeps its content between runs */
    bool sparse;                   /* its data is compressed */
    struct flatbuffer_vector data; /* of a constant; count 0: none */
};

struct tflite_operator {
    int32_t code;       /* BuiltinOperator; TFLITE_CUSTOM */
    const char *custom; /* the name of a custom one, or NULL */
    struct flatbuffer_table options;
    struct flatbuffer_vector input, output; /* tensors, or TFLITE_NONE */
};

#define TFLITE_CUSTOM 32

struct tflite_graph {
    size_t index;
    size_t n_tensors, n_ops;
    struct tflite_tensor *tensor;
    struct tflite_operator *op;
    struct flatbuffer_vector input, output; /* tensors */
};

struct tflite_model {
    struct flatbuffer buffer;
    struct flatbuffer_table root;
    struct flatbuffer_vector buffers, subgraphs;
    size_t n_codes;
    struct {
        int32_t code;
        char *custom;
    } * code;
};

/* Opens the model in DATA, which has to outlive it.  On failure there is nothing
 * to free.  */
bool tflite_model_open(struct tflite_model *model, const char *path, const void *data, size_t size,
                       struct error *error);
void tflite_model_close(struct tflite_model *model);

/* Reads sub-graph INDEX.  On failure there is nothing to free.  */
bool tflite_graph_read(struct tflite_model *model, size_t index, struct tflite_graph *graph);
void tflite_graph_clear(struct tflite_graph *graph);

/* Sets "PATH: operator 3 (CONV_2D): ..."; returns false.  */
bool tflite_operator_error(const struct tflite_model *model, const struct tflite_graph *graph,
                           size_t index, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The data of buffer INDEX; empty for one that has none.  */
bool tflite_buffer(struct tflite_model *model, size_t index, struct flatbuffer_vector *data);

#endif
