/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inputs of a run from files and outputs in files, through the program: models whose answers are
 * plain to see, with NumPy's files that are written here byte by byte.  What is found in the inputs
 * can decide how long the outputs are.  */
#include <config.h>

#include "harness/io/npy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "lib/base/file.h"
#include "lib/base/memory.h"
#include "tests/support/onnx_text.h"
#include "tests/support/scratch.h"
#include "tests/support/tap.h"

static void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *out = fopen(path, "w");

    if (out == NULL || fwrite(bytes, 1, size, out) != size || fclose(out) != 0)
        abort();
}

/* A file as NumPy writes it: HEADER in a version of the format, then SIZE bytes.  */
static void write_npy(const char *name, int version, const char *header, const void *bytes,
                      size_t size)
{
    char text[512] = "\x93NUMPY";
    size_t digits = version == 1 ? 2 : 4, at = 6;

    text[at++] = (char)version;
    text[at++] = 0;
    for (size_t i = 0; i < digits; i++)
        text[at++] = (char)(i == 0 ? strlen(header) : 0);
    memcpy(text + at, header, strlen(header));
    at += strlen(header);
    memcpy(text + at, bytes, size);
    write_file(name, text, at + size);
}

static char *read_text(const char *path, size_t *size)
{
    struct error error = {""};
    char *text = NULL;

    if (!file_read(path, 1 << 20, &text, size, &error))
        tap_bail(error.text);
    return text;
}

/* Where this program was started.  */
static char *start;

/* The program's exit status; its messages are in the file `err`.  */
static int run(const char *arguments)
{
    const char *folder = getenv("top_builddir");
    char *command = memory_printf("'%s/arenabench' run %s --rounds 1 >out 2>err",
                                  folder != NULL ? folder : start, arguments);
    int status = system(command);

    free(command);
    return WEXITSTATUS(status);
}

static void refuses(const char *arguments, const char *expected)
{
    size_t size;
    char *text;

    ok(run(arguments) == 2, "%s", arguments);
    text = read_text("err", &size);
    if (!ok(strstr(text, expected) != NULL, "... says: %s", expected))
        tap_diag("it says: %s", text);
    free(text);
}

/* Whether the file NAME holds COUNT floats in two rows.  */
static void has_floats(const char *name, const float *want, int64_t count)
{
    struct error error = {""};
    struct npy npy;
    size_t size;
    char *text = read_text(name, &size);

    ok(npy_unpack(&npy, text, size, name, &error) && npy.dtype == DTYPE_F32 && npy.rank == 2 &&
           npy.dim[0] == 2 && npy.dim[1] == count / 2 &&
           memcmp(npy.data, want, (size_t)count * sizeof *want) == 0,
       "%s has what is expected %s", name, error.text);
    free(text);
}

#define TWO_BY_THREE "'fortran_order': False, 'shape': (2, 3), }"

static void inputs(void)
{
    static const float x[] = {-1, 2, -3, 4, -5, 6}, relu[] = {0, 2, 0, 4, 0, 6};
    static const int64_t ids[] = {2, 0}, beyond[] = {2, 7};
    static const float rows[] = {-5, 6, -1, 2};

    write_npy("x.npy", 1, "{'descr': '<f4', " TWO_BY_THREE, x, sizeof x);
    write_npy("x3.npy", 3, "{'descr':'<f4','fortran_order':False,'shape':(2,3)}\n", x, sizeof x);
    write_file("x.raw", x, sizeof x);
    for (int i = 0; i < 3; i++) {
        char *arguments = memory_printf("relu.onnx --outputs made%d --input x=%s", i,
                                        i == 0   ? "x.npy"
                                        : i == 1 ? "x3.npy"
                                                 : "x.raw");
        char *made = memory_printf("made%d/y%%2F0.npy", i);

        is_int(run(arguments), 0, "%s", arguments);
        has_floats(made, relu, 6);
        free(made);
        free(arguments);
    }
    is_int(run("relu.onnx --outputs wide --input x=x.npy --double"), 0, "in double as well");
    write_npy("ids.npy", 1, "{'descr': '<i8', 'fortran_order': False, 'shape': (2,), }", ids,
              sizeof ids);
    is_int(run("rows.onnx --outputs rows --input ids=ids.npy"), 0, "whole numbers");
    has_floats("rows/r.npy", rows, 4);
    write_npy("ids.npy", 1, "{'descr': '<i8', 'fortran_order': False, 'shape': (2,), }", beyond,
              sizeof beyond);
    is_int(run("rows.onnx --input ids=ids.npy"), 2, "one beyond the table is refused");
}

static void refused(void)
{
    static const struct {
        const char *header, *expected;
    } headers[] = {
        {"{'descr': '<f8', " TWO_BY_THREE, "x2.npy: 24 bytes of elements, expected 48"},
        {"{'descr': '<i4', " TWO_BY_THREE, "x2.npy: it is i32 2x3, expected f32 2x3"},
        {"{'descr': '>f4', " TWO_BY_THREE, "x2.npy: expected a plain type in the order of this"},
        {"{'descr': [('a', '<f4')], " TWO_BY_THREE, "x2.npy: expected a plain type"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }", "it is f32 3x2, expected"},
        {"{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", "fortran_order False"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, x), }", "expected a shape"},
        {"{'descr': '<f4', 'shape': (2, 3), }", "fortran_order False"},
        {"{}", "expected a plain type"},
    };
    static const float x[] = {-1, 2, -3, 4, -5, 6};

    refuses("relu.onnx --input x", "--input x: expected NAME=FILE");
    refuses("relu.onnx --input z=x.npy", "--input z=x.npy: no such input; expected x");
    refuses("relu.onnx --input x=x.npy --input x=x.raw", "--input x=x.raw: it is given twice");
    refuses("relu.onnx --input x=none.npy", "none.npy: ");
    write_file("short.raw", x, 20);
    refuses("relu.onnx --input x=short.raw", "short.raw: 20 bytes, expected 24, or an array");
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) {
        write_npy("x2.npy", 1, headers[i].header, x, sizeof x);
        refuses("relu.onnx --input x=x2.npy", headers[i].expected);
    }
    write_file("cut.npy", "\x93NUMPY\x01\x00\x76", 9);
    refuses("relu.onnx --input x=cut.npy", "cut.npy: it ends within its header");
    write_file("version.npy", "\x93NUMPY\x09\x00\x76\x00", 10);
    refuses("relu.onnx --input x=version.npy", "version.npy: expected a NumPy array");
    refuses("relu.onnx --outputs relu.onnx", "relu.onnx");
}

static void model(const char *name, const char *text)
{
    struct wire wire = onnx_from_text(text);

    write_file(name, wire.data, wire.size);
    wire_clear(&wire);
}

/* Elements above 0, of these the ones above 4, and where they are, if there are any.  */
static const char *const picks =
    "input x f32 6\ninit zero f32 = 0\ninit four f32 = 4\ninit none i64 = 0\n"
    "Greater x zero -> a\nNonZero a -> n\nTranspose n -> t\nGatherND x t -> p\n"
    "Greater p four -> b\nNonZero b -> m\nTranspose m -> u\nGatherND p u -> y\n"
    "Size y -> s\nEqual s none -> e\n"
    "graph some\nNonZero y -> w\noutput w\nend\n"
    "graph nothing\ninit z i64 1 0\noutput z\nend\n"
    "If e -> i then_branch=@nothing else_branch=@some\noutput y\noutput i";

/* Runs it on the six floats X: Y, of COUNT, and then COUNT indices come out.  */
static void picked(const float *x, const float *y, int64_t count, const char *said)
{
    struct error error = {""};
    char *text, *err;
    struct npy npy;
    size_t size;

    write_file("x6.raw", x, 6 * sizeof *x);
    is_int(run("picks.onnx:lengths=most --outputs picked --input x=x6.raw"), 0, "picks %s", said);
    text = read_text("picked/y.npy", &size);
    ok(npy_unpack(&npy, text, size, "y.npy", &error) && npy.rank == 1 && npy.dim[0] == count &&
           (count == 0 || memcmp(npy.data, y, (size_t)count * sizeof *y) == 0),
       "what is above 4 %s", error.text);
    free(text);
    text = read_text("picked/i.npy", &size);
    ok(npy_unpack(&npy, text, size, "i.npy", &error) && npy.dtype == DTYPE_I64 && npy.rank == 2 &&
           npy.dim[0] == 1 && npy.dim[1] == count,
       "and as many places %s", error.text);
    for (int64_t i = 0; i < count; i++)
        is_int(((const int64_t *)npy.data)[i], i, "place %d", (int)i);
    free(text);
    err = read_text("err", &size);
    if (!ok(strstr(err, said) != NULL, "... says: %s", said))
        tap_diag("it says: %s", err);
    free(err);
}

static void lengths(void)
{
    static const float some[] = {5, -1, 3, 7, -2, 0}, few[] = {-1, 3, -1, 2, -2, 1};
    static const float all[] = {5, 6, 7, 8, 9, 10}, none[6] = {0}, two[] = {5, 7};

    model("picks.onnx", picks);
    picked(some, two, 2, "as these inputs have them: n=3, m=2\n");
    picked(few, NULL, 0, "as these inputs have them: n=3, m=0");
    picked(none, NULL, 0, "as these inputs have them: n=0, m=0");
    picked(all, all, 6, "");
    refuses("picks.onnx --input x=x6.raw", "and that of all 3 such lengths at once: ");
}

int main(void)
{
    start = realpath(".", NULL);
    scratch_enter();
    model("relu.onnx", "input x f32 2 3\nRelu x -> y/0\noutput y/0");
    model("rows.onnx",
          "init t f32 3 2 = -1 2 -3 4 -5 6\ninput ids i64 2\nGather t ids -> r\noutput r");
    inputs();
    refused();
    lengths();
    scratch_leave();
    free(start);
    return tap_done();
}
