/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Single tensors in files of their own, as ONNX's tests and tools keep inputs and outputs.  Our
 * tests alone read them (tests/runtime/t_onnx_nodes.c); it stands here, beside the reader that it
 * shares its format with, and is fuzzed like it.  */
#ifndef ARENABENCH_WORKLOADS_READERS_ONNX_TENSOR_FILE_H
#define ARENABENCH_WORKLOADS_READERS_ONNX_TENSOR_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/error.h"
#include "lib/graph/elements.h"
#include "lib/graph/network.h"

struct tensor_file {
    char *name; /* may be empty */
    enum dtype dtype;
    int rank;
    int64_t dim[NETWORK_MAX_RANK];
    struct elements *elements; /* the caller's hold */
};

/* The tensor (onnx.TensorProto) in the file at PATH; the caller clears it.  */
bool tensor_file_read(struct tensor_file *tensor, const char *path, struct error *error);
/* The same of SIZE bytes, at most 2 GiB less some; PATH is for messages.  */
bool tensor_file_unpack(struct tensor_file *tensor, const void *data, size_t size, const char *path,
                        struct error *error);

void tensor_file_clear(struct tensor_file *tensor);

#endif
