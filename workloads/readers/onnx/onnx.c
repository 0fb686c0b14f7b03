/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ONNX models.  Dimensions and values of inputs are bound by parameters with their names.  */
#include <config.h>

#include "workloads/readers/onnx/onnx.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/file.h"
#include "lib/base/memory.h"
#include "lib/graph/control.h"
#include "lib/graph/network.h"
#include "workloads/readers/onnx/bind.h"
#include "workloads/readers/onnx/control.h"
#include "workloads/readers/onnx/external.h"
#include "workloads/readers/onnx/given.h"
#include "workloads/readers/onnx/lengths.h"
#include "workloads/workload.h"

/* Early files list the initializers among the inputs.  */
static bool add_inputs(struct onnx_build *build)
{
    const struct onnx_graph *graph = build->scope->graph;

    for (size_t i = 0; i < graph->inputs; i++) {
        struct onnx_value *value;
        struct shape shape;
        enum dtype dtype;

        value = names_find(&build->scope->values, graph->input[i].name);
        if (value != NULL && value->constant)
            continue;
        if (!onnx_declared(build, &graph->input[i], true, &shape, &dtype) ||
            !onnx_given_input(build, &graph->input[i], &shape, dtype, &value) ||
            (value == NULL && !onnx_add_input(build, i, &shape, dtype, &value)))
            return false;
    }
    return true;
}

/* OUTPUT[i] becomes output i of the network.  */
static bool add_outputs(struct onnx_build *build, size_t *output)
{
    for (size_t i = 0; i < build->scope->graph->outputs; i++) {
        struct onnx_value *value = onnx_output(build, i);

        if (value == NULL)
            return false;
        output[i] = onnx_materialize(build, value, VALUE_CONSTANT);
        if (build->error->text[0] != '\0')
            return error_prefix(build->error, "%s: output", build->path);
        network_mark_output(build->scope->network, output[i]);
    }
    return true;
}

/* What a branch or a node that does nothing hands on has another name inside.  Inputs keep theirs,
 * and of two outputs that are one value the first has its own.  */
static void name_outputs(struct onnx_build *build, const size_t *output)
{
    const struct onnx_scope *scope = build->scope;
    const struct onnx_graph *graph = scope->graph;
    bool *taken = memory_alloc(graph->outputs, sizeof *taken);

    for (size_t i = 0; i < graph->outputs; i++)
        taken[i] = names_find(scope->value_names, graph->output[i].name) != NULL;
    for (size_t i = graph->outputs; i-- > 0;) {
        struct value *value = &scope->network->value[output[i]];

        if (taken[i] || value->role == VALUE_INPUT)
            continue;
        free(value->name);
        value->name = memory_strdup(graph->output[i].name);
    }
    free(taken);
}

static bool add_graph(struct onnx_build *build)
{
    size_t *output = memory_alloc(build->scope->graph->outputs, sizeof *output);
    bool good = onnx_add_initializers(build) && onnx_given_begin(build) &&
                onnx_lengths_begin(build) && onnx_bind_inputs(build) && add_inputs(build) &&
                onnx_add_nodes(build) && add_outputs(build, output);

    if (good) {
        onnx_settle(build->scope->network);
        good = onnx_given_end(build);
        name_outputs(build, output); /* last, as names that were taken go */
    }
    free(output);
    return good;
}

/* What may help with an error anywhere in the model.  */
static void add_advice(struct onnx_build *build)
{
    size_t length = strlen(build->error->text);
    char *values = build->undecided ? onnx_open_values(build) : memory_strdup("");

    snprintf(build->error->text + length, sizeof build->error->text - length, "%s%s",
             build->resized ? "; the file is for other dimensions of its inputs" : "", values);
    free(values);
}

static struct network *build_network(struct onnx_build *build)
{
    struct network *network;
    bool good;

    network = onnx_scope_enter(build, build->model->graph, false)->network;
    good = add_graph(build);
    /* After an error there may be bodies half-way.  */
    while (build->scope != NULL)
        onnx_scope_leave(build);
    good = onnx_lengths_end(build) && good;
    onnx_budget_clear(&build->budget);
    if (!good)
        add_advice(build);
    onnx_given_clear(build);
    onnx_lengths_clear(build);
    if (good && network_check(network, build->error))
        return network;
    if (good)
        error_prefix(build->error, "%s", build->path);
    network_free(network);
    return NULL;
}

/* --- element types --- */

enum { DTYPE_OF_FILE = 1000 }; /* no enum dtype */

/* Real numbers become elements of DTYPE, in bodies too.  */
static void retype(struct network *network, enum dtype dtype)
{
    for (size_t v = 0; v < network->n_values; v++)
        if (dtype_is_real(network->value[v].dtype))
            network->value[v].dtype = dtype;
    for (size_t o = 0; o < network->n_ops; o++) {
        struct control *control = network->op[o].control;

        for (size_t b = 0; control != NULL && b < control->bodies; b++)
            retype(control->body[b].network, dtype);
    }
}

/* NETWORK with the element type that is asked for.  */
static struct network *retyped(struct network *network, const char *path,
                               const struct params *given, bool runnable, struct error *error)
{
    unsigned dtype = given->count > 0 ? params_choice(given, "dtype") : DTYPE_OF_FILE;

    if (network == NULL || dtype == DTYPE_OF_FILE)
        return network;
    if (!runnable) {
        retype(network, dtype);
        return network;
    }
    error_set(error, "%s: dtype= is for plans; a run computes in the file's types", path);
    network_free(network);
    return NULL;
}

static struct network *read_model(const uint8_t *data, size_t size, const char *path,
                                  const struct params *params, bool runnable, struct error *error)
{
    struct onnx_model *model = onnx_model_unpack(data, size, path, error);
    struct external_files files;
    struct error own = {""}; /* empty until something is wrong */
    struct onnx_build build = {
        .path = path,
        .model = model,
        .params = params,
        .runnable = runnable,
        .control_rules = onnx_control_rules,
        .budget = {.path = path, .error = &own},
        .error = &own,
    };
    struct network *network;

    if (model == NULL)
        return NULL;
    external_files_open(&files, model, path);
    size += external_files_bytes(&files);
    build.budget.left = size * ONNX_INFER_MULTIPLE + ONNX_INFER_SPARE;
    network = build_network(&build);
    if (network == NULL)
        error_set(error, "%s", own.text);
    onnx_model_free(model);
    external_files_clear(&files);
    return retyped(network, path, params, runnable, error);
}

struct network *onnx_network(const uint8_t *data, size_t size, const char *path,
                             const struct params *params, struct error *error)
{
    return read_model(data, size, path, params, false, error);
}

struct network *onnx_runnable_network(const uint8_t *data, size_t size, const char *path,
                                      const struct params *params, struct error *error)
{
    return read_model(data, size, path, params, true, error);
}

/* --- the reader --- */

const struct param onnx_params[] = {
    PARAM_ENUM(
        "dtype", "file",
        "The element type of all values that are real numbers in the file, weights too: what "
        "if the model were quantised. A run computes in the file's types.",
        {"file", DTYPE_OF_FILE}, {"f32", DTYPE_F32}, {"f16", DTYPE_F16}, {"i8", DTYPE_I8}),
    {"lengths", PARAM_TEXT, "", NULL, 0, 0,
     "The most that each length may be that only a run knows and that is not given by its value's "
     "name: a number, or most, for as many as there can be."},
    {PARAM_OTHER, PARAM_REAL, "1", NULL, -PARAM_NO_LIMIT, PARAM_NO_LIMIT,
     "Any other name: a symbolic dimension by its name, any dimension of an input as INPUT.AXIS, "
     "the first dimension of all inputs as batch, an input of one element by its name, or a loop's "
     "number of iterations, or the most elements of a value whose length only a run knows."},
    PARAM_END,
};

/* Protocol buffers end at 2 GiB.  */
static struct network *read_file(const char *path, const struct params *given, bool runnable,
                                 struct error *error)
{
    struct network *network;
    struct file_bytes bytes;

    if (!file_map(path, INT_MAX, &bytes, error))
        return NULL;
    network = read_model(bytes.data, bytes.size, path, given, runnable, error);
    file_bytes_clear(&bytes);
    return network;
}

static struct network *read_onnx(const char *path, const struct params *given, struct error *error)
{
    return read_file(path, given, false, error);
}

static struct network *read_runnable(const char *path, const struct params *given,
                                     struct error *error)
{
    return read_file(path, given, true, error);
}

const struct reader reader_onnx = {
    .name = "onnx",
    .title = "models in the Open Neural Network Exchange format",
    .extension = ".onnx",
    .params = onnx_params,
    .network = read_onnx,
    .runnable = read_runnable,
};
