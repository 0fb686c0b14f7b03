/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Elements of an ONNX model's tensors that are in other files (ONNX, External Data: location,
 * offset, length).  */
#ifndef ARENABENCH_WORKLOADS_READERS_ONNX_EXTERNAL_H
#define ARENABENCH_WORKLOADS_READERS_ONNX_EXTERNAL_H

#include <stddef.h>

#include "workloads/readers/onnx/file/model.h"

struct external_file;

/* The files that elements were found in, mapped.  */
struct external_files {
    size_t n, capacity;
    struct external_file **file;
    size_t reasons, reason_capacity;
    char **reason; /* why elements are absent */
};

/* Finds the elements of MODEL, the file at PATH, that are elsewhere: in regular files below PATH's
 * folder, wherever links lead.  Those that are not there stay absent, with the reason.  FILES is
 * cleared once the model is not needed any more.  */
void external_files_open(struct external_files *files, struct onnx_model *model, const char *path);
void external_files_clear(struct external_files *files);

/* How large they are together, at most what a model's own file may be (2 GiB): a file with holes
 * answers for no more memory.  */
size_t external_files_bytes(const struct external_files *files);

#endif
