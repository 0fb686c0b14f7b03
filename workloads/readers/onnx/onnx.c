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
#include "workloads/readers/onnx/bind.h"
#include "workloads/readers/onnx/control.h"
#include "workloads/readers/onnx/given.h"
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

static bool add_graph(struct onnx_build *build)
{
    const struct onnx_graph *graph = build->scope->graph;

    if (!onnx_add_initializers(build) || !onnx_given_begin(build) || !onnx_bind_inputs(build) ||
        !add_inputs(build) || !onnx_add_nodes(build))
        return false;
    for (size_t i = 0; i < graph->outputs; i++) {
        struct onnx_value *value = onnx_output(build, i);
        size_t index;

        if (value == NULL)
            return false;
        index = onnx_materialize(build, value, VALUE_CONSTANT);
        if (build->error->text[0] != '\0')
            return error_prefix(build->error, "%s: output", build->path);
        network_mark_output(build->scope->network, index);
    }
    onnx_settle(build->scope->network);
    return onnx_given_end(build);
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
    onnx_budget_clear(&build->budget);
    if (!good)
        add_advice(build);
    onnx_given_clear(build);
    if (good && network_check(network, build->error))
        return network;
    if (good)
        error_prefix(build->error, "%s", build->path);
    network_free(network);
    return NULL;
}

static struct network *read_model(const uint8_t *data, size_t size, const char *path,
                                  const struct params *params, bool runnable, struct error *error)
{
    struct onnx_model *model = onnx_model_unpack(data, size, path, error);
    struct error own = {""}; /* empty until something is wrong */
    struct onnx_build build = {
        .path = path,
        .model = model,
        .params = params,
        .runnable = runnable,
        .control_rules = onnx_control_rules,
        .budget = {.path = path,
                   .error = &own,
                   .left = size * ONNX_INFER_MULTIPLE + ONNX_INFER_SPARE},
        .error = &own,
    };
    struct network *network;

    if (model == NULL)
        return NULL;
    network = build_network(&build);
    if (network == NULL)
        error_set(error, "%s", own.text);
    onnx_model_free(model);
    return network;
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
    {PARAM_OTHER, PARAM_REAL, "1", NULL, -PARAM_NO_LIMIT, PARAM_NO_LIMIT,
     "Any other name: a symbolic dimension by its name, any dimension of an input as INPUT.AXIS, "
     "the first dimension of all inputs as batch, an input of one element by its name, or a loop's "
     "number of iterations."},
    PARAM_END,
};

/* Protocol buffers end at 2 GiB.  */
static struct network *read_file(const char *path, const struct params *given, bool runnable,
                                 struct error *error)
{
    struct network *network;
    char *data;
    size_t size;

    if (!file_read(path, INT_MAX, &data, &size, error))
        return NULL;
    network = read_model((const uint8_t *)data, size, path, given, runnable, error);
    free(data);
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
