/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ONNX models whose elements are in other files: found there, shared, of use where they decide a
 * shape; and what is refused, with the reason, when a run asks for them.  A plan needs none of
 * them.  */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/error.h"
#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "lib/graph/elements.h"
#include "lib/graph/network.h"
#include "tests/support/onnx_network.h"
#include "tests/support/onnx_text.h"
#include "tests/support/scratch.h"
#include "tests/support/tap.h"
#include "workloads/readers/onnx/file/model.h"
#include "workloads/workload.h"

/* As commands have it.  */
static const struct reader *reader_onnx(void)
{
    size_t i = 0;

    while (strcmp(reader_registry[i]->name, "onnx") != 0)
        i++;
    return reader_registry[i];
}

static char *folder; /* has model/ with the files, and outside.bin */

static void write_file(const char *name, const void *data, size_t size)
{
    char *path = memory_printf("%s/%s", folder, name);
    FILE *out = fopen(path, "wb");

    if (out == NULL || fwrite(data, 1, size, out) != size || fclose(out) != 0) {
        perror(path);
        exit(1);
    }
    free(path);
}

/* The network of TEXT in a file of the folder.  */
static struct network *read_model(const char *text, bool runnable, struct error *error)
{
    const struct params none = {0};
    struct wire wire = onnx_from_text(text);
    char *path = memory_printf("%s/model/model.onnx", folder);
    struct network *network;

    write_file("model/model.onnx", wire.data, wire.size);
    network = runnable ? reader_onnx()->runnable(path, &none, error)
                       : reader_onnx()->network(path, &none, error);
    wire_clear(&wire);
    free(path);
    return network;
}

/* x + w, where w is STORED.  */
static struct network *sum_with(const char *stored, bool runnable, struct error *error)
{
    char *text = memory_printf("input x f32 2\ninit w f32 2 %s\nAdd x w -> y\noutput y\n", stored);
    struct network *network = read_model(text, runnable, error);

    free(text);
    return network;
}

static void found(void)
{
    static const struct {
        const char *stored;
        float first, second;
    } table[] = {
        {"external w.bin", 1, 2},        {"external w.bin _ 8", 1, 2},
        {"external w.bin 8 8", 3, 4},    {"external w.bin 4", 2, 3},
        {"external deep/v.bin", 5, 6},   {"external deep/../w.bin 8", 3, 4},
        {"external inside.bin 8", 3, 4}, {"external ./w.bin 0 8", 1, 2},
    };

    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct error error = {""};
        struct network *network = sum_with(table[i].stored, true, &error);
        const struct value *value = network == NULL ? NULL : onnx_value_named(network, "w");
        const float *got = value == NULL ? NULL : value->elements->data;

        ok(got != NULL && got[0] == table[i].first && got[1] == table[i].second, "%s %s",
           table[i].stored, error.text);
        network_free(network);
    }
}

static void refused(void)
{
    static const struct {
        const char *stored, *reason;
    } table[] = {
        {"external none.bin", "'none.bin': No such file"},
        {"external", "its elements are in another file"},
        {"external ../outside.bin", "expected a file below the model's folder"},
        {"external outside.bin", "expected a file below the model's folder"}, /* a link */
        {"external deep/../../outside.bin", "expected a file below the model's folder"},
        {"external /etc/passwd", "expected a file below the model's folder"},
        {"external deep", "expected a regular file"},
        {"external pipe", "expected a regular file"},
        {"external w.bin 12 8", "it ends before they do"},
        {"external w.bin 12", "it ends before they do"},
        {"external w.bin 17 0", "it ends before they do"},
        {"external w.bin 9223372036854775807 8", "it ends before they do"},
        {"external w.bin -8 8", "expected numbers of bytes"},
        {"external w.bin 0 8x", "expected numbers of bytes"},
        {"external w.bin 0 4", "4 bytes of data, expected 8"},
        {"external empty.bin 0 0", "the file does not have its 2 elements"},
    };

    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct error error = {""};
        struct network *network = sum_with(table[i].stored, true, &error);

        ok(network == NULL && strstr(error.text, table[i].reason) != NULL &&
               strstr(error.text, "'w': ") != NULL,
           "%s: %s", table[i].stored, error.text);
        network_free(network);
        /* Elements with a wrong size are wrong, whoever asks.  */
        error = (struct error){""};
        network = sum_with(table[i].stored, false, &error);
        ok((network == NULL) == (strstr(table[i].reason, " of data") != NULL),
           "%s: a plan needs no elements %s", table[i].stored, error.text);
        network_free(network);
    }
}

/* An absolute name is none, wherever it leads.  */
static void absolute(void)
{
    char *stored = memory_printf("external %s/model/../outside.bin", folder);
    char *inside = memory_printf("external %s/model/w.bin 0 8", folder);

    for (int i = 0; i < 2; i++) {
        struct error error = {""};
        struct network *network = sum_with(i == 0 ? stored : inside, true, &error);

        ok(network == NULL &&
               strstr(error.text, "expected a file below the model's folder") != NULL,
           "%s", error.text);
        network_free(network);
    }
    free(inside);
    free(stored);
}

/* Two of two share w.bin; a third one would be more than a file of its size answers for.  */
static void shared(void)
{
    struct error error = {""};
    struct network *network =
        read_model("input x f32 4\ninit v f32 4 external w.bin\ninit w f32 4 external w.bin\n"
                   "Add x v -> u\nAdd u w -> y\noutput y\n",
                   true, &error);

    ok(network != NULL, "two tensors are one file %s", error.text);
    network_free(network);
    network = read_model(
        "input x f32 4\ninit v f32 4 external w.bin\ninit w f32 4 external w.bin\n"
        "init z f32 1 external w.bin\nAdd x v -> u\nAdd u w -> t\nAdd t z -> y\noutput y\n",
        true, &error);
    ok(network == NULL && strstr(error.text, "more tensors are there than it has bytes for"),
       "three of three: %s", error.text);
    network_free(network);
}

/* A shape in another file is known to whoever plans.  */
static void shapes(void)
{
    struct error error = {""};
    struct network *network =
        read_model("input x f32 2 3\ninit s i64 1 external shape.bin\nReshape x s -> y\n"
                   "Relu y -> z\noutput z\n",
                   false, &error);

    if (ok(network != NULL, "a shape in another file %s", error.text)) {
        is_int(onnx_value_named(network, "z")->rank, 1, "rank");
        is_int(onnx_value_named(network, "z")->dim[0], 6, "dimension");
    }
    network_free(network);
}

static void make_files(void)
{
    static const float four[] = {1, 2, 3, 4}, two[] = {5, 6};
    static const int64_t shape[] = {6};
    static const char *const folders[] = {"model", "model/deep"};
    char *pipe = memory_printf("%s/model/pipe", folder);
    char *leaving = memory_printf("%s/model/outside.bin", folder);
    char *staying = memory_printf("%s/model/inside.bin", folder);

    for (size_t i = 0; i < 2; i++) {
        char *path = memory_printf("%s/%s", folder, folders[i]);

        if (mkdir(path, 0700) != 0)
            perror(path);
        free(path);
    }
    write_file("model/w.bin", four, sizeof four);
    write_file("model/deep/v.bin", two, sizeof two);
    write_file("model/shape.bin", shape, sizeof shape);
    write_file("model/empty.bin", four, 0);
    write_file("outside.bin", four, sizeof four);
    if (mkfifo(pipe, 0600) != 0 || symlink("../outside.bin", leaving) != 0 ||
        symlink("w.bin", staying) != 0)
        perror(folder);
    free(pipe);
    free(leaving);
    free(staying);
}

int main(void)
{
    if (!onnx_available()) {
        tap_skip(1, "built without protobuf-c and onnx.proto");
        return tap_done();
    }
    folder = scratch_new();
    make_files();
    found();
    refused();
    absolute();
    shared();
    shapes();
    scratch_remove(folder);
    return tap_done();
}
