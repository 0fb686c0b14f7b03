/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/support/onnx_files.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/base/error.h"
#include "lib/base/file.h"
#include "lib/base/memory.h"
#include "lib/graph/elements.h"
#include "lib/graph/network.h"
#include "runtime/memory.h"
#include "runtime/operators/cast.h"
#include "runtime/operators/operator.h"
#include "tests/support/tap.h"
#include "workloads/readers/onnx/tensor_file.h"

/* What the makers of the models allow.  */
#define RELATIVE 1e-3
#define ABSOLUTE 1e-7

static struct tensor tensor_of(const struct tensor_file *file)
{
    struct tensor tensor = {.dtype = file->dtype, .rank = file->rank, .data = file->elements->data};

    memcpy(tensor.dim, file->dim, sizeof tensor.dim);
    return tensor;
}

/* Value number I of those that are inputs, or outputs, or the one called NAME.  */
static size_t find_value(const struct network *network, const char *name, size_t i, bool output)
{
    size_t at = 0;

    for (size_t v = 0; v < network->n_values; v++) {
        const struct value *value = &network->value[v];
        bool is = output ? value->output : value->role == VALUE_INPUT;

        if (is && name[0] != '\0' && strcmp(value->name, name) == 0)
            return v;
    }
    for (size_t v = 0; v < network->n_values; v++) {
        const struct value *value = &network->value[v];

        if ((output ? value->output : value->role == VALUE_INPUT) && at++ == i)
            return v;
    }
    return NETWORK_NONE;
}

/* The files have bfloat16 as whole numbers of as many bits.  */
static bool same_shape(const struct value *value, const struct tensor *tensor)
{
    bool same =
        value->dtype == tensor->dtype || (value->dtype == DTYPE_BF16 && tensor->dtype == DTYPE_U16);

    if (!same || value->rank != tensor->rank)
        return false;
    for (int i = 0; i < value->rank; i++)
        if (value->dim[i] != tensor->dim[i])
            return false;
    return true;
}

static double real_of(const struct tensor *tensor, int64_t i)
{
    double real;
    const struct tensor wide = {.dtype = DTYPE_F64, .data = &real};
    const struct tensor half = {.dtype = tensor->dtype, .data = (uint16_t *)tensor->data + i};

    if (tensor->dtype != DTYPE_F16 && tensor->dtype != DTYPE_BF16)
        return tensor_real(tensor, i);
    cast_elements(&wide, &half);
    return real;
}

static bool close_enough(const struct tensor *got, const struct tensor *want, int64_t i)
{
    double a, b;

    if (!dtype_is_real(want->dtype))
        return tensor_integer(got, i) == tensor_integer(want, i);
    a = real_of(got, i);
    b = real_of(want, i);
    if (isnan(b) || isinf(b))
        return isnan(b) ? isnan(a) : a == b;
    return fabs(a - b) <= ABSOLUTE + RELATIVE * fabs(b);
}

/* Files input_0.pb, input_1.pb and so on of the folder, or output_0.pb: each goes to USE.  */
static enum verdict each_file(struct onnx_files *files, const struct run_memory *memory,
                              const char *kind, struct error *error,
                              enum verdict (*use)(struct onnx_files *, const struct run_memory *,
                                                  size_t, const struct tensor_file *,
                                                  struct error *))
{
    enum verdict verdict = RIGHT_OUTPUT;
    struct stat status;

    for (size_t i = 0; verdict == RIGHT_OUTPUT; i++) {
        char *path = memory_printf("%s/%s_%zu.pb", files->folder, kind, i);
        bool is = stat(path, &status) == 0;
        struct tensor_file file;

        if (is && !tensor_file_read(&file, path, error)) {
            verdict = NOT_RUN;
        } else if (is) {
            verdict = use(files, memory, i, &file, error);
            tensor_file_clear(&file);
        }
        free(path);
        if (!is)
            break;
    }
    return verdict;
}

/* Of CastLike's second input only the type counts; the files give one element of it.  */
static bool is_one_of(const struct value *value, const struct tensor *tensor)
{
    struct value one = *value;

    one.rank = tensor->rank;
    for (int i = 0; i < one.rank; i++)
        one.dim[i] = 1;
    return same_shape(&one, tensor);
}

static bool is_given(const struct onnx_files *files, const char *name, const struct tensor *tensor)
{
    char *own;
    bool is;

    if (files->given == NULL || tensor_elements(tensor) != 1)
        return false;
    own = memory_printf("%s=%" PRId64, name, tensor_integer(tensor, 0));
    is = strcmp(files->given, own) == 0;
    free(own);
    return is;
}

static enum verdict give_input(struct onnx_files *files, const struct run_memory *memory, size_t i,
                               const struct tensor_file *file, struct error *error)
{
    size_t v = find_value(files->network, file->name, i, false);
    struct tensor tensor = tensor_of(file);
    const struct value *value;
    int64_t times;

    if (is_given(files, file->name, &tensor))
        return RIGHT_OUTPUT;
    /* A stored value may be listed as an input that may be given.  */
    if (v == NETWORK_NONE) {
        error_set(error, "input '%s' is none of the network's", file->name);
        return NOT_RUN;
    }
    value = &files->network->value[v];
    times = same_shape(value, &tensor) ? 1 : value_elements(value);
    if (times != 1 && !is_one_of(value, &tensor)) {
        error_set(error, "input '%s' has another shape or type", file->name);
        return WRONG_OUTPUT;
    }
    for (int64_t at = 0; at < times; at++)
        memcpy((char *)memory->value[v] + (size_t)at * file->elements->bytes, file->elements->data,
               file->elements->bytes);
    return RIGHT_OUTPUT;
}

static enum verdict compare_output(struct onnx_files *files, const struct run_memory *memory,
                                   size_t i, const struct tensor_file *file, struct error *error)
{
    size_t v = find_value(files->network, file->name, i, true);
    struct tensor want = tensor_of(file), got = want;

    if (v == NETWORK_NONE || !same_shape(&files->network->value[v], &want)) {
        error_set(error, "output '%s' has another shape or type", file->name);
        return WRONG_OUTPUT;
    }
    got.data = memory->value[v];
    for (size_t at = 0; at < file->elements->bytes; at++)
        files->sum = (files->sum ^ ((const uint8_t *)got.data)[at]) * 0x100000001b3; /* FNV-1a */
    for (int64_t at = 0; at < tensor_elements(&want); at++)
        if (!close_enough(&got, &want, at)) {
            error_set(error, "element %lld of output '%s' is %g, expected %g", (long long)at,
                      file->name, real_of(&got, at), real_of(&want, at));
            return WRONG_OUTPUT;
        }
    return RIGHT_OUTPUT;
}

enum verdict onnx_files_give(struct onnx_files *files, const struct run_memory *memory,
                             struct error *error)
{
    return each_file(files, memory, "input", error, give_input);
}

enum verdict onnx_files_compare(struct onnx_files *files, const struct run_memory *memory,
                                struct error *error)
{
    files->sum = 0xcbf29ce484222325;
    return each_file(files, memory, "output", error, compare_output);
}

/* --- stored in the model --- */

/* Takes a number of the wire format.  */
static uint64_t take_number(const uint8_t **at)
{
    uint64_t number = 0;

    for (int shift = 0;; shift += 7) {
        number |= (uint64_t)(**at & 0x7f) << shift;
        if ((*(*at)++ & 0x80) == 0)
            return number;
    }
}

/* The graph of SIZE bytes with the files of inputs as initializers.  */
static struct wire store_inputs(const void *graph, size_t size, const char *folder)
{
    struct wire wire = {memory_alloc(size, 1), size, size};
    struct stat status;

    memcpy(wire.data, graph, size);
    for (size_t i = 0;; i++) {
        char *path = memory_printf("%s/input_%zu.pb", folder, i), *tensor;
        bool is = stat(path, &status) == 0;
        struct error error;
        size_t length;

        if (is && file_read(path, INT_MAX, &tensor, &length, &error)) {
            wire_bytes(&wire, 5, tensor, length);
            free(tensor);
        }
        free(path);
        if (!is)
            return wire;
    }
}

struct wire onnx_files_stored(const char *path, const char *folder)
{
    struct wire wire = {0}, graph;
    struct error error;
    const uint8_t *at;
    char *model;
    size_t size;

    if (!file_read(path, INT_MAX, &model, &size, &error))
        tap_bail(error.text);
    at = (const uint8_t *)model;
    while (at < (const uint8_t *)model + size) {
        uint64_t key = take_number(&at), number = take_number(&at);

        if (key == (7 << 3 | 2)) {
            graph = store_inputs(at, number, folder);
            wire_message(&wire, 7, &graph);
        } else if (key % 8 == 2) {
            wire_bytes(&wire, (unsigned)(key >> 3), at, number);
        } else {
            wire_number(&wire, (unsigned)(key >> 3), (int64_t)number);
        }
        at += key % 8 == 2 ? number : 0;
    }
    free(model);
    return wire;
}
