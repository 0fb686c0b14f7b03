/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs beside a run: small ones that keep to the contract or don't, each in its own way; OpenCV
 * and ONNX Runtime on a small network with all that they need to agree on, and files that they
 * can't take; the rows of the command.  */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/beside/beside.h"
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

static void write_bytes(const char *path, const void *data, size_t size)
{
    FILE *out = fopen(path, "wb");

    ok(out != NULL && fwrite(data, 1, size, out) == size && fclose(out) == 0, "%s is written",
       path);
}

static void write_model(const char *path, const char *text)
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

/* Two convolutions and a way around the second, pools, a matrix; two outputs.  */
static void write_small(const char *path)
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

static void clear_ours(struct ours *ours)
{
    for (size_t v = 0; v < ours->instance->origin->network->n_values; v++)
        elements_release(ours->output[v]);
    free(ours->output);
    instance_free(ours->instance);
}

/* With time and memory for any machine.  */
static const struct run_limits ample = {.time_s = 600.0, .memory_bytes = INT64_C(1) << 32};

static struct beside_request request_of(const struct ours *ours, const char *program,
                                        const char *model)
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

/* --- what is held --- */

/* A shell's beginning of a program that answers with our own outputs, which FOLDER has.  */
#define NAMED "echo library fake 1.0; "
#define TIMES "echo seconds 0.5; echo seconds 0.25; echo seconds 1e-3; "
#define OUTPUTS                                   \
    "while read -r word file kind shape name; do" \
    " if [ \"$word\" = output ]; then cp \"$name.out\" \"$file\"; fi; done; "

static void write_outputs(const struct ours *ours)
{
    const struct network *network = ours->instance->origin->network;

    for (size_t v = 0; v < network->n_values; v++) {
        char *path = memory_printf("%s.out", network->value[v].name);

        if (ours->output[v] != NULL)
            write_bytes(path, ours->output[v]->data, ours->output[v]->bytes);
        free(path);
    }
}

static void agrees(const struct ours *ours)
{
    struct beside_request request =
        request_of(ours, NAMED TIMES "echo resident 5000; " OUTPUTS, "small.onnx");
    struct beside beside;
    struct error error = {""};

    ok(beside_run(&beside, &request, &error), "a program that answers is heard: %s", error.text);
    is_text(beside.answer.library, "fake 1.0", "by its name");
    ok(beside.distance == 0.0, "equal outputs are at no distance: %g", beside.distance);
    ok(beside.answer.rounds == 3 && beside.answer.round[0] == 0.5 &&
           beside.answer.round[1] == 0.25 && beside.answer.round[2] == 1e-3,
       "its rounds are as long as it says");
    is_int(beside.answer.resident_bytes, 5000, "and its memory");
    beside_clear(&beside);
}

static void refuses(const struct beside_request *request, const char *text)
{
    struct beside beside;
    struct error error = {""};

    ok(!beside_run(&beside, request, &error), "%s is refused", request->program);
    ok(strstr(error.text, text) != NULL, "with '%s': %s", text, error.text);
    ok(strchr(error.text, '\n') == NULL, "in one line");
    beside_clear(&beside);
}

/* What it is told, which it says as its reason, and the bytes of the input.  */
static void is_told(const struct ours *ours)
{
    struct beside_request request =
        request_of(ours, "echo refused $(sed -e 's,/proc/[0-9]*/fd/[0-9]*,F,') $OMP_NUM_THREADS",
                   "small.onnx");

    request.threads = 2;
    refuses(&request, "model small.onnx threads 2 rounds 3 input F f32 1,3,12,12 x"
                      " output F f32 1,8,6,6 r2 output F f32 1,5 y 2");
    request.program = "while read -r word file rest; do if [ \"$word\" = input ]; then"
                      " echo refused $(wc -c <\"$file\"); fi; done";
    refuses(&request, "1728");
}

/* One element of ours that is another shows, by as much, in the output where it is.  */
static void differs(const struct ours *ours)
{
    const struct network *network = ours->instance->origin->network;
    struct beside_request request = request_of(ours, NAMED TIMES OUTPUTS, "small.onnx");
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
    ok(beside_run(&beside, &request, &error), "another output is no failure: %s", error.text);
    ok(fabs(beside.distance - wanted) < 1e-6, "the distance is %g, not %g", wanted,
       beside.distance);
    is_text(beside.farthest != NULL ? beside.farthest : "", "y", "of output y");
    beside_clear(&beside);
    y[3] = NAN;
    ok(beside_run(&beside, &request, &error) && isnan(beside.distance),
       "a NaN of one of both is no agreement");
    beside_clear(&beside);
    y[3] = kept;
}

/* Programs that break the contract.  */
static void hostile(const struct ours *ours)
{
    static const struct {
        const char *program, *text;
    } bad[] = {
        {NAMED TIMES "exit 0", "its output 'r2' has 0 bytes, not 1152"},
        {NAMED TIMES "while read -r word file rest; do"
                     " if [ \"$word\" = output ]; then cat y.out y.out >\"$file\"; fi; done",
         "its output 'r2' has 40 bytes, not 1152"},
        {NAMED "echo seconds 1; echo seconds 1; " OUTPUTS, "its answer has 2 of 3 rounds"},
        {NAMED TIMES TIMES, "line 5 of its answer: there are only 3 rounds"},
        {TIMES OUTPUTS, "its answer names no library"},
        {NAMED NAMED, "line 2 of its answer: expected one name of a library"},
        {"printf 'library a\\033[2Jb\\n'", "line 1 of its answer: expected one name of a library"},
        {NAMED "echo seconds nan", "line 2 of its answer: expected seconds, not 'nan'"},
        {NAMED "echo seconds -1", "line 2 of its answer: expected seconds, not '-1'"},
        {NAMED "echo resident 1e99", "line 2 of its answer: expected bytes, not '1e99'"},
        {NAMED "echo secnds 1", "line 2 of its answer: unknown word 'secnds' (did you mean"},
        {NAMED "echo seconds", "line 2 of its answer: 'seconds' has nothing behind it"},
        {NAMED "printf 'sec\\0onds'", "line 2 of its answer has a zero byte"},
        {"head -c 100000 /dev/zero", "its answer is far too long: 100000 bytes"},
        {"exec yes", "its answer is far too long"},
        {NAMED "echo refused no such layer; echo more; exit 3", "no such layer"},
        {NAMED "echo oh dear >&2; exit 3", "it ended with status 3; it said: oh dear"},
        {NAMED TIMES OUTPUTS "kill -SEGV $$", "killed by signal 11"},
        {"/nowhere/program", "it ended with status 127; it said: "},
    };

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const struct beside_request request = request_of(ours, bad[i].program, "small.onnx");

        refuses(&request, bad[i].text);
    }
}

static void refuses_types(const char *model, const char *program, const char *text)
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

static void limited(const struct ours *ours)
{
    const struct run_limits brief = {.time_s = 0.2}, small = {.memory_bytes = 64 << 20};
    struct beside_request request = request_of(ours, NAMED "sleep 1000", "small.onnx");

    request.limits = &brief;
    refuses(&request, "killed at the time limit");
    request.program = "head -c 1000000000 /dev/zero | tail -n 1 | wc -c";
    request.limits = &small;
    refuses(&request, "killed at the limit of memory");
}

/* --- OpenCV and ONNX Runtime --- */

/* PROGRAM, whose library's name begins with LIBRARY, gives what ours gives.  */
static void library_agrees(const char *program, const char *library, const char *path,
                           const struct ours *ours)
{
    struct beside_request request = request_of(ours, program, path);
    struct beside beside;
    struct error error = {""};

    ok(beside_run(&beside, &request, &error), "%s runs %s: %s", program, path, error.text);
    ok(strncmp(beside.answer.library, library, strlen(library)) == 0, "it says which it is: %s",
       beside.answer.library);
    ok(beside.farthest != NULL && beside.distance < 1e-4, "outputs agree: %g", beside.distance);
    ok(beside.answer.rounds == 3 && beside.answer.round[2] > 0.0, "three rounds took their time");
    ok(beside.answer.resident_bytes > 1000000, "its memory is seen");
    beside_clear(&beside);
}

/* ... of a file of its own.  */
static void text_agrees(const char *program, const char *library, const char *text)
{
    struct ours ours;

    write_model("rank.onnx", text);
    ours = run_ours("rank.onnx");
    if (ours.output != NULL) {
        library_agrees(program, library, "rank.onnx", &ours);
        clear_ours(&ours);
    }
}

/* Of each rank, and with a last dimension that might be taken for channels.  */
static void library_ranks(const char *program, const char *library)
{
    static const char *const shapes[] = {"6", "4 6", "2 4 6", "2 3 4 6", "2 2 3 4 6"};

    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        char *text = memory_printf("input x f32 %s\nSigmoid x -> y\noutput y f32 %s\n", shapes[i],
                                   shapes[i]);

        text_agrees(program, library, text);
        free(text);
    }
}

/* --- the command --- */

/* The exit status of a shell's LINE, which may ask for variables.  */
static int shell(const char *line)
{
    int status = system(line);

    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Files out and err are left.  */
static int command(const char *arguments)
{
    char *line = memory_printf("\"$top_builddir/arenabench\" run %s >out 2>err", arguments);
    int status = shell(line);

    free(line);
    return status;
}

static bool says(const char *path, const char *text)
{
    setenv("FILE_NAME", path, 1);
    setenv("WANTED", text, 1);
    return shell("grep -qF -e \"$WANTED\" \"$FILE_NAME\"") == 0;
}

static void check_rows(void)
{
    is_int(command("small.onnx --rounds 2 --format csv --beside opencv"), 0, "run --beside");
    is_int(shell("test $(wc -l <out) = 3 && test ! -s err"), 0, "has a row more, and that is all");
    ok(says("out", ",opencv 4."), "which says who made it");
    write_model("hard.onnx", "input x f32 4 4\nHardmax x -> y axis=1\noutput y f32 4 4\n");
    is_int(command("hard.onnx --rounds 2 --format csv --beside opencv"), 0,
           "what OpenCV can't do is no failure of ours");
    is_int(shell("test $(wc -l <out) = 2"), 0, "it has no row");
    ok(says("err", "no row of opencv 4.") && says("err", "Hardmax"), "a line says why");
}

static void check_usage(void)
{
    is_int(command("resnet50 --beside opencv"), 2, "a network of our own is no file");
    ok(says("err", "resnet50 is not an ONNX file"), "that is said");
    is_int(command("small.onnx --beside opencv --profile"), 2, "operators are not compared");
    is_int(command("small.onnx --beside opncv"), 2, "no such library");
    ok(says("err", "did you mean 'opencv'?"), "the nearest is named");
    is_int(command("small.onnx --rounds 2 --format csv --beside 'echo library any, 2; exit 3'"), 0,
           "a command is one, and its failure none of ours");
    is_int(shell("test $(wc -l <out) = 2"), 0, "it has no row");
    ok(says("err", "no row of any, 2: it ended with status 3"), "a line says why");
    is_int(command("small.onnx --rounds 2 --format csv --beside 'echo library any, 2;"
                   " echo seconds 2; echo seconds 2; " OUTPUTS "'"),
           0, "one that answers");
    ok(says("out", ",\"any, 2\","), "has a row with its name, in quotes where need be");
}

/* Where OpenCV is missing; the program is what knows.  */
static void check_absent(void)
{
    is_int(shell("mkdir programs && cd programs &&"
                 " echo 'raise SystemExit(\"no cv2 here\")' >beside-opencv.py"),
           0, "a program that lacks its library");
    setenv("ARENABENCH_SHARE", ".", 1);
    is_int(command("small.onnx --beside opencv"), 2, "is refused before anything is run");
    ok(says("err", "--beside: opencv: it ended with status 1; it said: no cv2 here"),
       "with its own words");
    unsetenv("ARENABENCH_SHARE");
}

/* The example in PROGRAMS.md, which is a whole program.  */
static void check_example(void)
{
    is_int(shell("sed -n '/^```python$/,/^```$/{/^```/!p}' \"$top_srcdir/PROGRAMS.md\""
                 " >sigmoid.py"),
           0, "the example is copied");
    write_model("rank.onnx", "input x f32 2 3\nSigmoid x -> y\noutput y f32 2 3\n");
    is_int(command("rank.onnx --rounds 2 --format csv --beside 'python3 sigmoid.py'"), 0,
           "it runs");
    ok(says("out", ",sigmoid 1.0,") && shell("test ! -s err") == 0, "and answers what is right");
    is_int(command("small.onnx --rounds 2 --format csv --beside 'python3 sigmoid.py'"), 0,
           "it refuses");
    ok(says("err", "no row of sigmoid 1.0: it knows one sigmoid only"), "what it can't do");
}

static void check_opencv(const struct ours *ours)
{
    struct beside_request request = request_of(ours, "opencv", "bad.onnx");

    is_int(shell("echo no model >bad.onnx"), 0, "a file that is no model");
    library_agrees("opencv", "opencv 4.", "small.onnx", ours);
    library_ranks("opencv", "opencv 4.");
    refuses(&request, "ONNX");
    refuses_types("input x i64 4\nCast x -> y to=1\noutput y f32 4\n", "opencv",
                  "'x' is int64: OpenCV takes and gives float32 only");
    check_rows();
}

/* At each level, since blocked layouts and merged operators are other code.  */
static void check_onnxruntime(const struct ours *ours)
{
    static const char *const levels[] = {"none", "extended"};
    struct beside_request request = request_of(ours, "onnxruntime", "bad.onnx");

    library_agrees("onnxruntime", "onnxruntime 1.", "small.onnx", ours);
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        char *program = memory_printf(
            "/usr/bin/python3 \"$top_srcdir/programs/beside-onnxruntime.py\" %s", levels[i]);

        library_agrees(program, "onnxruntime 1.", "small.onnx", ours);
        free(program);
    }
    library_ranks("onnxruntime", "onnxruntime 1.");
    text_agrees("onnxruntime", "onnxruntime 1.",
                "input x i64 2 3\nCast x -> y to=1\noutput y f32 2 3\n");
    is_int(shell("echo no model >bad.onnx"), 0, "a file that is no model");
    refuses(&request, "bad.onnx");
    refuses_types("input x bf16 4\nCast x -> y to=1\noutput y f32 4\n", "onnxruntime",
                  "'x' is bf16, which NumPy has not");
    is_int(command("small.onnx --rounds 2 --format csv --beside onnxruntime"), 0, "run --beside");
    is_int(shell("test $(wc -l <out) = 3 && test ! -s err"), 0, "has a row more");
    ok(says("out", ",onnxruntime 1.") && says("out", " all,"), "which says at which level");
}

/* Where the file of the library is another one, or none.  */
static void check_onnxruntime_absent(void)
{
    const char *named = getenv("ARENABENCH_ONNXRUNTIME");
    char *kept = memory_strdup(named != NULL ? named : "");

    if (shell("python3 -c ''") == 0) {
        setenv("ARENABENCH_ONNXRUNTIME", "/nowhere/ort.so", 1);
        is_int(command("small.onnx --beside onnxruntime"), 2, "a library that is not there");
        ok(says("err", "onnxruntime: it ended with status 1; it said: /nowhere/ort.so is not there"
                       " (./fetch_data npm/onnxruntime-"),
           "is named, with what fetches it");
        setenv("ARENABENCH_ONNXRUNTIME", "small.onnx", 1);
        is_int(command("small.onnx --beside onnxruntime"), 2, "a file that is no library");
        ok(says("err", "small.onnx: "), "is named");
    } else {
        tap_skip(1, "there is no python3");
    }
    if (kept[0] != '\0')
        setenv("ARENABENCH_ONNXRUNTIME", kept, 1);
    else
        unsetenv("ARENABENCH_ONNXRUNTIME");
    free(kept);
}

/* Their programs are of Python, and take their time to start; no sanitizer is in them.  */
static void check_libraries(const struct ours *ours)
{
    struct error error;

#ifdef WITH_SANITIZERS
    tap_skip(1, "built with sanitizers: libraries are asked without");
    return;
#endif
    if (beside_known("opencv", &error))
        check_opencv(ours);
    else
        tap_skip(1, error.text);
    check_onnxruntime_absent();
    if (beside_known("onnxruntime", &error))
        check_onnxruntime(ours);
    else
        tap_skip(1, error.text);
}

static void check_programs(const struct ours *ours)
{
    write_outputs(ours);
    agrees(ours);
    is_told(ours);
    differs(ours);
    hostile(ours);
    limited(ours);
    refuses_types("input x i64 4\nAdd x x -> y\noutput y i64 4\n", "exit 0",
                  "output 'y' is i64: only f32 is compared");
    check_usage();
    check_absent();
    if (shell("python3 -c ''") == 0)
        check_example();
    else
        tap_skip(1, "there is no python3");
}

int main(void)
{
    static const char *const onnx_absent = ONNX_ABSENT;
    const char *folder = getenv("TMPDIR");
    char *scratch = memory_printf("%s/arenabench-beside.XXXXXX", folder != NULL ? folder : "/tmp");

    if (mkdtemp(scratch) == NULL || chdir(scratch) != 0)
        return 99;
    write_small("small.onnx");
    if (onnx_absent != NULL) {
        tap_skip(1, onnx_absent);
    } else {
        struct ours ours = run_ours("small.onnx");

        if (ours.output != NULL) {
            check_programs(&ours);
            check_libraries(&ours);
            clear_ours(&ours);
        }
    }
    is_int(shell("rm -rf ./*.onnx ./*.out sigmoid.py programs out err"), 0, "files are removed");
    ok(chdir("/") == 0 && rmdir(scratch) == 0, "nothing is left");
    free(scratch);
    return tap_done();
}
