/* SPDX-License-Identifier: GPL-3.0-or-later */
/* OpenCV beside a run: a small network with all that it needs to agree on, outputs that differ,
 * files that OpenCV can't take, and the rows of the command.  */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/beside/beside.h"
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

/* "init NAME f32 SHAPE = ..." with COUNT weights of no pattern, around MIDDLE.  */
static void add_weights(FILE *out, const char *name, const char *shape, int count, double middle)
{
    fprintf(out, "init %s f32 %s =", name, shape);
    for (int i = 0; i < count; i++)
        fprintf(out, " %.6f", middle + 0.5 * sin(1.7 * (double)(i * i % 1009) + (double)count));
    fprintf(out, "\n");
}

/* Two convolutions and a way around the second, pools, a matrix; two outputs.  */
static char *small_model(void)
{
    size_t length;
    char *text;
    FILE *out = memory_stream(&text, &length);

    fputs("input x f32 1 3 12 12\n", out);
    add_weights(out, "w1", "8 3 3 3", 216, 0.0);
    add_weights(out, "b1", "8", 8, 0.1);
    add_weights(out, "w2", "8 8 3 3", 576, 0.0);
    add_weights(out, "scale", "8", 8, 1.0);
    add_weights(out, "shift", "8", 8, 0.0);
    add_weights(out, "mean", "8", 8, 0.0);
    add_weights(out, "variance", "8", 8, 1.0);
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
    return text;
}

static void write_model(const char *path, const char *text)
{
    struct wire wire = onnx_from_text(text);
    FILE *out = fopen(path, "wb");

    ok(out != NULL && fwrite(wire.data, 1, wire.size, out) == wire.size && fclose(out) == 0,
       "%s is written", path);
    wire_clear(&wire);
}

/* --- our side --- */

struct ours {
    struct instance *instance;
    struct elements **output;
};

static struct ours run_ours(const char *path)
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
    inputs = run_inputs_new(network);
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

static void clear_ours(struct ours *ours)
{
    for (size_t v = 0; v < ours->instance->origin->network->n_values; v++)
        elements_release(ours->output[v]);
    free(ours->output);
    instance_free(ours->instance);
}

static struct beside_request request_of(const struct ours *ours, const char *model)
{
    return (struct beside_request){
        .library = "opencv",
        .model = model,
        .network = ours->instance->origin->network,
        .threads = 1,
        .rounds = 3,
        .output = ours->output,
    };
}

/* --- what is held --- */

static void agrees(const struct ours *ours, const char *path)
{
    struct beside_request request = request_of(ours, path);
    struct beside beside;
    struct error error = {""};

    ok(beside_run(&beside, &request, &error), "OpenCV runs it: %s", error.text);
    ok(strncmp(beside.library, "opencv 4.", 9) == 0, "it says which it is: %s", beside.library);
    ok(beside.distance < 1e-4 && beside.distance <= BESIDE_BOUND, "outputs agree: %g",
       beside.distance);
    is_int((int64_t)beside.rounds, 3, "three rounds");
    for (size_t r = 0; beside.round != NULL && r < 3; r++)
        ok(beside.round[r] > 0.0, "round %zu took its time", r);
    ok(beside.resident_bytes > 1000000, "its memory is seen: %lld",
       (long long)beside.resident_bytes);
    beside_clear(&beside);
}

/* One element of ours that is another shows, by as much, in the output where it is.  */
static void differs(const struct ours *ours, const char *path)
{
    const struct network *network = ours->instance->origin->network;
    struct beside_request request = request_of(ours, path);
    struct error error = {""};
    struct beside beside;
    double largest = 0.0, wanted;
    float *y = NULL, kept;

    for (size_t v = 0; v < network->n_values; v++)
        if (strcmp(network->value[v].name, "y") == 0)
            y = ours->output[v]->data;
    if (!ok(y != NULL, "y is an output"))
        return;
    kept = y[3];
    y[3] += 0.25F;
    for (size_t i = 0; i < 5; i++)
        largest = fmax(largest, fabs((double)y[i]));
    wanted = 0.25 / largest;
    ok(beside_run(&beside, &request, &error), "OpenCV runs it once more: %s", error.text);
    ok(fabs(beside.distance - wanted) < 1e-4, "the distance is %g, not %g", wanted,
       beside.distance);
    is_text(beside.farthest != NULL ? beside.farthest : "", "y", "of output y");
    beside_clear(&beside);
    y[3] = NAN;
    ok(beside_run(&beside, &request, &error) && isnan(beside.distance),
       "a NaN of one of both is no agreement");
    beside_clear(&beside);
    y[3] = kept;
}

static void refuses(const struct ours *ours, const char *path, const char *text)
{
    struct beside_request request = request_of(ours, path);
    struct beside beside;
    struct error error = {""};

    ok(!beside_run(&beside, &request, &error), "%s is refused", path);
    ok(strstr(error.text, text) != NULL, "with '%s': %s", text, error.text);
    ok(strchr(error.text, '\n') == NULL, "in one line");
    beside_clear(&beside);
}

/* --- the command --- */

/* Its exit status; files out and err are left.  */
static int command(const char *arguments)
{
    const char *folder = getenv("top_builddir");
    char *line = memory_printf("'%s/arenabench' run %s >out 2>err", folder != NULL ? folder : ".",
                               arguments);
    int status = system(line);

    free(line);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int lines_of(const char *path)
{
    FILE *in = fopen(path, "r");
    int lines = 0, letter;

    while (in != NULL && (letter = getc(in)) != EOF)
        lines += letter == '\n';
    if (in != NULL)
        fclose(in);
    return lines;
}

static bool says(const char *path, const char *text)
{
    FILE *in = fopen(path, "r");
    char line[4096];
    bool found = false;

    while (in != NULL && fgets(line, sizeof line, in) != NULL)
        found = found || strstr(line, text) != NULL;
    if (in != NULL)
        fclose(in);
    return found;
}

static void check_rows(void)
{
    is_int(command("small.onnx --rounds 2 --format csv --beside opencv"), 0, "run --beside");
    is_int(lines_of("out"), 3, "has a row more");
    ok(says("out", ",opencv 4."), "which says who made it");
    is_int(lines_of("err"), 0, "and there is nothing to say");
    write_model("hard.onnx", "input x f32 4 4\nHardmax x -> y axis=1\noutput y f32 4 4\n");
    is_int(command("hard.onnx --rounds 2 --format csv --beside opencv"), 0,
           "what OpenCV can't do is no failure of ours");
    is_int(lines_of("out"), 2, "it has no row");
    ok(says("err", "no row of opencv 4.") && says("err", "Hardmax"), "a line says why");
}

static void check_usage(void)
{
    is_int(command("resnet50 --beside opencv"), 2, "a network of our own is no file");
    ok(says("err", "resnet50 is no ONNX file"), "that is said");
    is_int(command("small.onnx --beside opencv --profile"), 2, "operators are not compared");
    is_int(command("small.onnx --beside opncv"), 2, "no such library");
    ok(says("err", "did you mean 'opencv'?"), "the nearest is named");
}

static void check_library(void)
{
    struct ours ours = run_ours("small.onnx"), whole;
    FILE *out = fopen("bad.onnx", "w");

    if (ours.output == NULL)
        return;
    ok(out != NULL && fputs("no model\n", out) >= 0 && fclose(out) == 0, "a file that is no model");
    agrees(&ours, "small.onnx");
    differs(&ours, "small.onnx");
    refuses(&ours, "bad.onnx", "ONNX");
    write_model("whole.onnx", "input x i64 4\nAdd x x -> y\noutput y i64 4\n");
    whole = run_ours("whole.onnx");
    if (whole.output != NULL) {
        refuses(&whole, "whole.onnx", "'x' is i64: OpenCV takes and gives f32 only");
        clear_ours(&whole);
    }
    clear_ours(&ours);
}

int main(void)
{
    static const char *const opencv_absent = OPENCV_ABSENT, *const onnx_absent = ONNX_ABSENT;
    const char *folder = getenv("TMPDIR");
    char *scratch = memory_printf("%s/arenabench-beside.XXXXXX", folder != NULL ? folder : "/tmp");
    char *text = small_model();

    if (mkdtemp(scratch) == NULL || chdir(scratch) != 0)
        return 99;
    write_model("small.onnx", text);
    if (onnx_absent != NULL) {
        tap_skip(1, onnx_absent);
    } else if (opencv_absent != NULL) {
        is_int(command("small.onnx --beside opencv"), 2, "without OpenCV it is refused");
        ok(says("err", opencv_absent), "and said why");
        tap_skip(1, opencv_absent);
    } else {
        check_library();
        check_rows();
        check_usage();
    }
    for (size_t i = 0; i < 6; i++)
        unlink(
            (const char *[]){"small.onnx", "hard.onnx", "bad.onnx", "whole.onnx", "out", "err"}[i]);
    ok(chdir("/") == 0 && rmdir(scratch) == 0, "nothing is left");
    free(scratch);
    free(text);
    return tap_done();
}
