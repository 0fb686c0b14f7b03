/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An ONNX file as plain structures, without the library that unpacks it.
 *
 * Texts and numbers point into what was unpacked and live as long as the
 * model.  Names that the file leaves out are empty texts, never NULL.  Nothing
 * is checked here beyond what the wire format says.  */
#ifndef ARENABENCH_WORKLOADS_READERS_ONNX_FILE_MODEL_H
#define ARENABENCH_WORKLOADS_READERS_ONNX_FILE_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"

/* Unpacking takes at most this many bytes for each byte of the file, and these
 * more; messages nest at most so deep (a sub-graph takes three levels).  */
#define ONNX_UNPACK_MULTIPLE 64
#define ONNX_UNPACK_SPARE 65536
#define ONNX_MAX_DEPTH 100

/* Element types have the file format's numbers.  */
enum onnx_element {
    ONNX_FLOAT = 1,
    ONNX_UINT8 = 2,
    ONNX_INT8 = 3,
    ONNX_UINT16 = 4,
    ONNX_INT16 = 5,
    ONNX_INT32 = 6,
    ONNX_INT64 = 7,
    ONNX_STRING = 8,
    ONNX_BOOL = 9,
    ONNX_FLOAT16 = 10,
    ONNX_DOUBLE = 11,
    ONNX_UINT32 = 12,
    ONNX_UINT64 = 13,
    ONNX_COMPLEX64 = 14,
    ONNX_COMPLEX128 = 15,
    ONNX_BFLOAT16 = 16,
};

struct onnx_bytes {
    size_t size;
    const uint8_t *data;
};

/* A stored tensor.  The elements are in one of the arrays, unless ABSENT says why they are not.  */
struct onnx_tensor {
    const char *name;
    int type; /* enum onnx_element, or a number that is none */
    size_t rank;
    const int64_t *dim;
    const char *absent;    /* for people, or NULL */
    struct onnx_bytes raw; /* little-endian */
    size_t n_float, n_int32, n_int64, n_double, n_uint64;
    const float *float_data;
    const int32_t *int32_data;
    const int64_t *int64_data;
    const double *double_data;
    const uint64_t *uint64_data;
};

struct onnx_dim {
    bool known;
    int64_t value;
    const char *name; /* of a symbolic one; may be empty */
};

/* What a file says about a value's type.  */
struct onnx_info {
    const char *name;
    bool tensor;       /* a dense one */
    const char *other; /* what it is instead, for people ("a sequence"), or NULL: not said */
    int type;
    bool shaped;
    size_t rank;
    struct onnx_dim *dim;
};

enum onnx_attribute_kind {
    ONNX_ATTRIBUTE_OTHER,
    ONNX_ATTRIBUTE_FLOAT,
    ONNX_ATTRIBUTE_INT,
    ONNX_ATTRIBUTE_TEXT,
    ONNX_ATTRIBUTE_TENSOR,
    ONNX_ATTRIBUTE_GRAPH,
    ONNX_ATTRIBUTE_FLOATS,
    ONNX_ATTRIBUTE_INTS,
    ONNX_ATTRIBUTE_TEXTS,
    ONNX_ATTRIBUTE_SPARSE,
};

struct onnx_attribute {
    const char *name;
    enum onnx_attribute_kind kind;
    float f;
    int64_t i;
    struct onnx_bytes text;
    struct onnx_tensor *tensor; /* of a sparse one the values, with the dense shape */
    struct onnx_graph *graph;
    size_t n_floats, n_ints, n_texts;
    const float *floats;
    const int64_t *ints;
    const struct onnx_bytes *texts;
};

struct onnx_node {
    const char *name, *type, *domain;
    size_t inputs, outputs, attributes;
    const char *const *input, *const *output; /* an empty name: left out */
    struct onnx_attribute *attribute;
};

struct onnx_graph {
    const char *name;
    size_t nodes, initializers, inputs, outputs, infos;
    struct onnx_node *node;
    struct onnx_tensor *initializer; /* sparse ones too, with their dense shapes */
    struct onnx_info *input, *output, *info;
};

/* A tensor whose elements are in another file, and where there.  Texts as the model has them; NULL:
 * not said.  */
struct onnx_external {
    struct onnx_tensor *tensor;
    const char *location, *offset, *length;
};

struct onnx_model {
    int64_t ir_version;
    int64_t opset; /* of the standard operators; below 1: the file names none */
    struct onnx_graph *graph;
    size_t externals, external_capacity;
    struct onnx_external *external; /* absent until external.h has found them */
    void *unpacked;                 /* private */
    size_t blocks, block_capacity;
    void **block;
};

/* Whether this program was built to read ONNX files.  */
bool onnx_available(void);

/* Unpacks SIZE bytes; NULL with a message that has a place.  PATH is for
 * messages only.  The model points into DATA where tensors are raw bytes, of which it reads none.
 */
struct onnx_model *onnx_model_unpack(const uint8_t *data, size_t size, const char *path,
                                     struct error *error);
void onnx_model_free(struct onnx_model *model);

#endif
