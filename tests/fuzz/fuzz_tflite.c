/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a TensorFlow Lite model: refused with a message that begins with the
 * file's name, or accepted, and then all of it can be counted, and a plan can be
 * written into a copy (unless that is refused) and read back.  */
#include <config.h>

#include "tests/fuzz/fuzz.h"

#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/lifetimes/lifetimes.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "tests/fuzz/bytes.h"
#include "workloads/readers/tflite/network.h"
#include "workloads/readers/tflite/plan.h"

static const char path[] = "fuzz.tflite";

static struct network *parse(const void *data, size_t size, const struct tflite_options *options,
                             struct error *error)
{
    struct network *network = NULL;
    struct tflite_model model;
    struct tflite_graph graph;

    error->text[0] = '\0';
    if (tflite_model_open(&model, path, data, size, error)) {
        if (tflite_graph_read(&model, 0, &graph)) {
            network = tflite_network(&model, &graph, "fuzz", options, NULL);
            tflite_graph_clear(&graph);
        }
        tflite_model_close(&model);
    }
    must(network != NULL || refused_at(error, "fuzz.tflite: "));
    return network;
}

/* A plan goes into a copy of the file and comes back.  */
static void there_and_back(const void *data, size_t size, const struct instance *instance)
{
    struct plan *plan = plan_new(instance), *again;
    struct error error = {""};
    size_t length;
    char *text;
    FILE *out = memory_stream(&text, &length);
    bool written;

    for (size_t b = 0; b < instance->n; b++)
        plan->offset[b] = (int64_t)b;
    plan->peak = plan_peak(instance, plan);
    written = tflite_plan_write(path, data, size, 0, instance, plan, out, &error);
    memory_stream_close(out);
    if (written) {
        again = tflite_plan_read(path, text, length, 0, instance, &error);
        must(again != NULL &&
             memcmp(again->offset, plan->offset, instance->n * sizeof *plan->offset) == 0);
        plan_free(again);
    } else {
        must(refused_at(&error, "fuzz.tflite: "));
    }
    free(text);
    plan_free(plan);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct lifetime_options lifetimes = {.io = IO_BOTH, .alias = true};
    const struct tflite_options stated = {.batch = 0};
    const struct tflite_options bound = {.batch = 2, .h = 8, .infer_all = true};
    struct error error = {""};
    struct network *network = parse(data, size, &stated, &error);
    struct instance *instance;

    if (network != NULL) {
        instance = lifetimes_instance(network, schedule_file_order(network), &lifetimes, &error);
        must(instance != NULL || refused_at(&error, "network 'fuzz'"));
        if (instance != NULL)
            there_and_back(data, size, instance);
        instance_free(instance);
    }
    network_free(parse(data, size, &bound, &error));
    return 0;
}
