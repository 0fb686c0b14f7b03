/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs beside a run: small ones that keep to the contract or don't, each in its own way; the
 * rows of the command.  */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/beside/beside.h"
#include "harness/run/run.h"
#include "lib/base/memory.h"
#include "lib/graph/elements.h"
#include "lib/graph/network.h"
#include "lib/lifetimes/origin.h"
#include "lib/problem/instance.h"
#include "tests/support/beside_case.h"
#include "tests/support/tap.h"

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

/* --- the command --- */

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
            clear_ours(&ours);
        }
    }
    is_int(shell("rm -rf ./*.onnx ./*.out sigmoid.py programs out err"), 0, "files are removed");
    ok(chdir("/") == 0 && rmdir(scratch) == 0, "nothing is left");
    free(scratch);
    return tap_done();
}
