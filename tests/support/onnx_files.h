/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inputs and outputs of a model in files beside it, input_0.pb, output_0.pb and so on, as the
 * models have them that try runtimes.  */
#ifndef ARENABENCH_TESTS_SUPPORT_ONNX_FILES_H
#define ARENABENCH_TESTS_SUPPORT_ONNX_FILES_H

#include <stdint.h>

#include "tests/support/onnx_text.h"

struct error;
struct network;
struct run_memory;

enum verdict { RIGHT_OUTPUT, WRONG_OUTPUT, NOT_RUN };

struct onnx_files {
    const char *folder;
    const struct network *network;
    const char *given; /* "NAME=NUMBER", an input that is a parameter; NULL: none */
    uint64_t sum;      /* of the bytes of the outputs that were compared */
};

/* Writes the inputs; NOT_RUN or WRONG_OUTPUT with a message where one is none of the network's.  */
enum verdict onnx_files_give(struct onnx_files *files, const struct run_memory *memory,
                             struct error *error);

/* Whether the outputs are those of the files; else ERROR says which is not.  */
enum verdict onnx_files_compare(struct onnx_files *files, const struct run_memory *memory,
                                struct error *error);

/* The model at PATH with the inputs of FOLDER as initializers.  */
struct wire onnx_files_stored(const char *path, const char *folder);

#endif
