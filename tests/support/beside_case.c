/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/support/beside_case.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "harness/run/run.h"
#include "lib/base/memory.h"
#include "lib/graph/elements.h"
#include "lib/graph/network.h"
#include "lib/lifetimes/origin.h"
#include "lib/problem/instance.h"
#include "runtime/inputs.h"
#include "runtime/memory.h"
#include "runtime/run.h"
#include "tests/support/onnx_text.h"
#include "tests/support/tap.h"
#include "workloads/workload.h"

/* --- models --- */

void write_bytes(const char *path, const void *data, size_t size)
{
    FILE *out = fopen(path, "wb");

    ok(out != NULL && fwrite(data, 1, size, out) == size && fclose(out) == 0, "%s is written",
       path);
}

void write_model(const char *path, const char *text)
{
    struct wire wire = onnx_from_text(text);

    write_bytes(path, wire.data, wire.size);
    wire_clear(&wire);
}

/* "init NAME f32 SHAPE = ..." with COUNT weights of no pattern, around MIDDLE.  */
static void add_weights(FILE *out, const char *name, const char *shape, int count, double middle)
{
    fprintf(out, "init %s f32 %s =", name, shape);
    for (int i = 0; i < count; i++)
        fprintf(out, " %.6f", middle + 0.5 * sin(1.7 * (double)(i * i % 1009) + (double)count));
    fprintf(out, "\n");
}

void write_small(const char *path)
{
    size_t length;
    char *text;
    FILE *out = memory_stream(&text, &length);

    fputs("input x f32 1 3 12 12\n", out);
    add_weights(out, "w1", "8 3 3 3", 216, 0.0);
    add_weights(out, "b1", "8", 8, 0.1);
    add_weights(out, "w2", "8 8 3 3", 576, 0.0);
    for (size_t i = 0; i < 4; i++)
        add_weights(out, (const char *[]){"scale", "variance", "shift", "mean"}[i], "8", 8,
                    i < 2 ? 1.0 : 0.0);
    add_weights(out, "w3", "5 8", 40, 0.0);
    add_weights(out, "b3", "5", 5, 0.0);
    fputs("Conv x w1 b1 -> c1 pads=1,1,1,1 kernel_shape=3,3\n"
          "Relu c1 -> r1\n"
          "MaxPool r1 -> p1 kernel_shape=2,2 strides=2,2\n"
          "Conv p1 w2 -> c2 pads=1,1,1,1 kernel_shape=3,3\n"
          "BatchNormalization c2 scale shift mean variance -> n2\n"
          "Add n2 p1 -> a2\n"
          "Relu a2 -> r2\n"
          "GlobalAveragePool r2 -> g\n"
          "Flatten g -> f\n"
          "Gemm f w3 b3 -> y transB=1\n"
          "output y f32 1 5\n"
          "output r2 f32 1 8 6 6\n",
          out);
    memory_stream_close(out);
    write_model(path, text);
    free(text);
}

/* --- our side --- */

struct ours run_ours(const char *path)
{
    struct run_options options = {.threads = 1};
    struct ours ours = {NULL, NULL};
    const struct network *network;
    struct run_inputs *inputs;
    struct run_memory *memory;
    struct workload workload;
    struct error error = {""};
    struct run *run;

    if (!ok(workload_parse(&workload, path, &error), "%s is a workload", path))
        return ours;
    ours.instance = workload_runnable(&workload, &error);
    workload_clear(&workload);
    if (!ok(ours.instance != NULL, "%s can be run", path))
        return ours;
    network = ours.instance->origin->network;
    memory = run_memory_plain(network);
    inputs = run_inputs_new(network, NULL);
    run = run_new(network, ours.instance->origin->schedule, memory, &options, &error);
    run_inputs_write(inputs, memory);
    ok(run != NULL && run_once(run, &error), "and is");
    ours.output = memory_zalloc(network->n_values, sizeof(struct elements *));
    for (size_t v = 0; v < network->n_values; v++) {
        const struct value *value = &network->value[v];

        if (!value->output)
            continue;
        ours.output[v] = elements_new((size_t)value_bytes(value));
        memcpy(ours.output[v]->data, memory->value[v], (size_t)value_bytes(value));
    }
    run_free(run);
    run_inputs_free(inputs);
    run_memory_free(memory);
    return ours;
}

void clear_ours(struct ours *ours)
{
    for (size_t v = 0; v < ours->instance->origin->network->n_values; v++)
        elements_release(ours->output[v]);
    free(ours->output);
    instance_free(ours->instance);
}

/* With time and memory for any machine.  */
static const struct run_limits ample = {.time_s = 600.0, .memory_bytes = INT64_C(1) << 32};

struct beside_request request_of(const struct ours *ours, const char *program, const char *model)
{
    return (struct beside_request){
        .program = program,
        .model = model,
        .network = ours->instance->origin->network,
        .threads = 1,
        .rounds = 3,
        .output = ours->output,
        .limits = &ample,
    };
}

void refuses(const struct beside_request *request, const char *text)
{
    struct beside beside;
    struct error error = {""};

    ok(!beside_run(&beside, request, &error), "%s is refused", request->program);
    ok(strstr(error.text, text) != NULL, "with '%s': %s", text, error.text);
    ok(strchr(error.text, '\n') == NULL, "in one line");
    beside_clear(&beside);
}

void refuses_types(const char *model, const char *program, const char *text)
{
    struct ours whole;

    write_model("whole.onnx", model);
    whole = run_ours("whole.onnx");
    if (whole.output != NULL) {
        const struct beside_request request = request_of(&whole, program, "whole.onnx");

        refuses(&request, text);
        clear_ours(&whole);
    }
}

/* --- the command --- */

int shell(const char *line)
{
    int status = system(line);

    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int command(const char *arguments)
{
    char *line = memory_printf("\"$top_builddir/arenabench\" run %s >out 2>err", arguments);
    int status = shell(line);

    free(line);
    return status;
}

bool says(const char *path, const char *text)
{
    setenv("FILE_NAME", path, 1);
    setenv("WANTED", text, 1);
    return shell("grep -qF -e \"$WANTED\" \"$FILE_NAME\"") == 0;
}
