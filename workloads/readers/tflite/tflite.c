/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TensorFlow Lite's .tflite files, as TFLite and TFLite Micro run them.
 *
 * The schema: tensorflow/lite/schema/schema.fbs of
 * https://github.com/tensorflow/tflite-micro.  */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/file.h"
#include "workloads/readers/tflite/network.h"
#include "workloads/readers/tflite/plan.h"
#include "workloads/workload.h"

#define MOST (1 << 20)

/* The part of PATH after the last slash.  */
static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

static struct network *read_tflite(const char *path, const struct params *params,
                                   struct error *error)
{
    struct tflite_options options = {
        .batch = params_int(params, "batch"),
        .h = params_int(params, "h"),
        .w = params_int(params, "w"),
        .c = params_int(params, "c"),
        .length = params_int(params, "length"),
    };
    struct network *network = NULL;
    struct tflite_model model;
    struct tflite_graph graph;
    size_t size;
    char *data;

    if (!file_read(path, TFLITE_MOST_BYTES, &data, &size, error))
        return NULL;
    if (tflite_model_open(&model, path, data, size, error)) {
        if (tflite_graph_read(&model, (size_t)params_int(params, "subgraph"), &graph)) {
            network = tflite_network(&model, &graph, base_name(path), &options, stderr);
            tflite_graph_clear(&graph);
        }
        tflite_model_close(&model);
    }
    free(data);
    return network;
}

static struct plan *read_plan(const char *path, const struct params *params,
                              const struct instance *instance, struct error *error)
{
    struct plan *plan;
    size_t size;
    char *data;

    if (!file_read(path, TFLITE_MOST_BYTES, &data, &size, error))
        return NULL;
    plan =
        tflite_plan_read(path, data, size, (size_t)params_int(params, "subgraph"), instance, error);
    free(data);
    return plan;
}

static bool write_plan(const char *path, const struct params *params,
                       const struct instance *instance, const struct plan *plan, FILE *out,
                       struct error *error)
{
    size_t size;
    char *data;
    bool good;

    if (!file_read(path, TFLITE_MOST_BYTES, &data, &size, error))
        return false;
    good = tflite_plan_write(path, data, size, (size_t)params_int(params, "subgraph"), instance,
                             plan, out, error);
    free(data);
    return good;
}

static const struct param tflite_params[] = {
    {"batch", PARAM_INT, "0", NULL, 0, MOST, "First dimension of the inputs; 0 is as in the file."},
    {"h", PARAM_INT, "0", NULL, 0, MOST, "Height of the inputs; 0 is as in the file."},
    {"w", PARAM_INT, "0", NULL, 0, MOST, "Width of the inputs; 0 is as in the file."},
    {"c", PARAM_INT, "0", NULL, 0, MOST, "Channels of the inputs; 0 is as in the file."},
    {"length", PARAM_INT, "0", NULL, 0, MOST,
     "Second dimension of inputs that are not images; 0 is as in the file."},
    {"subgraph", PARAM_INT, "0", NULL, 0, MOST, "Which of the file's sub-graphs, from 0."},
    PARAM_END,
};

const struct reader reader_tflite = {
    .name = "tflite",
    .title = "TensorFlow Lite models",
    .extension = ".tflite",
    .params = tflite_params,
    .network = read_tflite,
    .read_plan = read_plan,
    .write_plan = write_plan,
};
