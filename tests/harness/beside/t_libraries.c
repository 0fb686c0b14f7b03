/* SPDX-License-Identifier: GPL-3.0-or-later */
/* OpenCV, ONNX Runtime and PyTorch beside a run: a small network with all that they need to agree
 * on, and files that they can't take.  What is not there is left out.  */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "harness/beside/beside.h"
#include "lib/base/memory.h"
#include "tests/support/beside_case.h"
#include "tests/support/scratch.h"
#include "tests/support/tap.h"

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

/* What its program does by itself: padding that its functions can't have, lengths that stand for
 * the rest, older forms of operators, several results.  */
static const char pads_text[] =
    "input x f32 2 4 9 7\n"
    "MaxPool x -> p kernel_shape=3,2 strides=2,1 pads=1,0,2,1\n"
    "AveragePool x -> q kernel_shape=3,2 strides=2,1 pads=1,0,2,1\n"
    "AveragePool x -> s kernel_shape=3,3 strides=2,2 pads=2,1,0,1 count_include_pad=1\n"
    "Mul p q -> m\n"
    "init keep i64 3 = 0 -1 5\n"
    "Reshape m keep -> r\n"
    "ReduceMean s -> u axes=2,3 keepdims=0\n"
    "init rows i64 2 = 1 3\n"
    "Split u rows -> low high axis=1\n"
    "Sigmoid low -> g\n"
    "Mul high g -> y\n"
    "Transpose r -> z perm=2,0,1\n"
    "output y f32 2 3\n"
    "output z f32 5 2 28\n";

/* In both ways, which call the same functions and run other code.  */
static void check_pytorch(const struct ours *ours)
{
    static const char eager[] = "/usr/bin/python3 \"$top_srcdir/programs/beside-pytorch.py\" eager";
    struct beside_request request = request_of(ours, "pytorch", "bad.onnx");

    library_agrees("pytorch", "pytorch 1.", "small.onnx", ours);
    library_agrees(eager, "pytorch 1.", "small.onnx", ours);
    text_agrees("pytorch", "pytorch 1.", pads_text);
    text_agrees(eager, "pytorch 1.", pads_text);
    is_int(shell("echo no model >bad.onnx"), 0, "a file that is no model");
    refuses(&request, "parsing");
    refuses_types("input x f32 4\nHardmax x -> y\noutput y f32 4\n", "pytorch",
                  "operator Hardmax is not known here");
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
    if (beside_known("pytorch", &error))
        check_pytorch(ours);
    else
        tap_skip(1, error.text);
    check_onnxruntime_absent();
    if (beside_known("onnxruntime", &error))
        check_onnxruntime(ours);
    else
        tap_skip(1, error.text);
}

int main(void)
{
    static const char *const onnx_absent = ONNX_ABSENT;

    scratch_enter();
    if (onnx_absent != NULL) {
        tap_skip(1, onnx_absent);
    } else {
        struct ours ours;

        write_small("small.onnx");
        ours = run_ours("small.onnx");
        if (ours.output != NULL) {
            check_libraries(&ours);
            clear_ours(&ours);
        }
    }
    scratch_leave();
    return tap_done();
}
