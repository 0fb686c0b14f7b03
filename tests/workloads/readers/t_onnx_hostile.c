/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ONNX files that mean no good: refused with a message and a place, in bounded
 * memory and depth, never a crash.  */
#include <config.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "lib/base/rng.h"
#include "lib/graph/network.h"
#include "tests/support/onnx_text.h"
#include "tests/support/tap.h"
#include "workloads/readers/onnx/file/model.h"
#include "workloads/readers/onnx/onnx.h"

static struct network *read_bytes(const void *data, size_t size, struct error *error)
{
    const struct params params = {0};

    return onnx_network(data, size, "bad.onnx", &params, error);
}

/* WIRE, freed here, is refused with a message that begins with the file's name
 * and holds MESSAGE.  */
static void refused(struct wire *wire, const char *message)
{
    struct error error = {""};
    struct network *network = read_bytes(wire->data, wire->size, &error);

    ok(network == NULL && strncmp(error.text, "bad.onnx: ", 10) == 0 &&
           strstr(error.text, message) != NULL,
       "%.200s", error.text);
    network_free(network);
    wire_clear(wire);
}

static void refused_text(const char *text, const char *message)
{
    struct wire wire = onnx_from_text(text);

    refused(&wire, message);
}

/* --- the wire format --- */

static void bytes(const uint8_t *data, size_t size, const char *message)
{
    struct error error = {""};
    struct network *network = read_bytes(data, size, &error);

    ok(network == NULL && strstr(error.text, message) != NULL, "%s", error.text);
    network_free(network);
}

#define BYTES(message, ...) \
    bytes((const uint8_t[]){__VA_ARGS__}, sizeof((uint8_t[]){__VA_ARGS__}), "bad.onnx: " message)

static void wire_format(void)
{
    BYTES("byte 1: the message ends within a number", 0x80);
    BYTES("byte 2: the message ends within a number", 0x3a, 0x80);
    BYTES("byte 11: a number of more than ten bytes", 0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
          0xff, 0xff, 0xff, 0xff, 0x01);
    BYTES("byte 6: a field of 2147483647 bytes where 0 are left", 0x3a, 0xff, 0xff, 0xff, 0xff,
          0x07);
    BYTES("byte 6: a field of 2147483648 bytes where 1 are left", 0x3a, 0x80, 0x80, 0x80, 0x80,
          0x08, 0x00);
    BYTES("byte 11: a field of 18446744073709551615 bytes", 0x3a, 0xff, 0xff, 0xff, 0xff, 0xff,
          0xff, 0xff, 0xff, 0xff, 0x01);
    BYTES("byte 1: a field with a number out of range", 0x00);
    BYTES("byte 1: a wire type that is none", 0x0b);
    BYTES("byte 2: a field of 8 bytes where 1 are left", 0x3a, 0x08, 0x0a);
    BYTES("byte 1: a field of 4 bytes where 3 are left", 0x0d, 1, 2, 3);
    BYTES("byte 4: 'graph' comes twice", 0x3a, 0x00, 0x3a, 0x00);
    BYTES("there is no graph in it", 0x08, 0x08);
    BYTES("network 'bad.onnx' has no output", 0x08, 0x08, 0x3a, 0x00);
    bytes((const uint8_t *)"", 0, "bad.onnx: there is no graph in it");
    bytes((const uint8_t *)"GIF89a and so on", 16, "bad.onnx: byte");
}

/* A graph within an If within a graph, and so on.  */
static void deep(void)
{
    struct wire graph = {0}, model = {0};

    for (int i = 0; i < 50; i++) {
        struct wire attribute = {0}, node = {0}, outer = {0};

        wire_text(&attribute, 1, "then_branch");
        wire_message(&attribute, 6, &graph);
        wire_text(&node, 4, "If");
        wire_message(&node, 5, &attribute);
        wire_message(&outer, 1, &node);
        graph = outer;
    }
    wire_message(&model, 7, &graph);
    refused(&model, "messages nest more than 100 deep");
}

/* LEVELS of branches in branches.  */
static char *nested_branches(int levels)
{
    char *text = memory_strdup("graph leaf\nRelu x -> z\noutput z\nend\n"
                               "graph g0\nTanh x -> y0\noutput y0\nend\n");
    char *more;

    for (int i = 1; i < levels; i++) {
        more = memory_printf("%sgraph g%d\nIf c -> y%d then_branch=@g%d else_branch=@leaf\n"
                             "output y%d\nend\n",
                             text, i, i, i - 1, i);
        free(text);
        text = more;
    }
    more = memory_printf("%sinput x f32 2\ninput c bool\n"
                         "If c -> y then_branch=@g%d else_branch=@leaf\noutput y",
                         text, levels - 1);
    free(text);
    return more;
}

static void deep_branches(void)
{
    char *few = nested_branches(8), *many = nested_branches(20);
    struct wire wire = onnx_from_text(few);
    struct error error = {""};
    struct network *network = read_bytes(wire.data, wire.size, &error);

    ok(network != NULL, "eight levels of branches %s", error.text);
    network_free(network);
    wire_clear(&wire);
    refused_text(many, "levels of sub-graphs");
    free(few);
    free(many);
}

/* Two bytes a node, which take a hundred when unpacked.  */
static void bombs(void)
{
    struct wire graph = {0}, model = {0}, empty = {0};

    for (int i = 0; i < 20000; i++)
        wire_message(&graph, 1, &empty);
    wire_message(&model, 7, &graph);
    refused(&model, "needs more than 64 times as much memory");
}

/* COUNT times what NODE makes, 256 elements from some thirty bytes; of the last a shape is made. */
static struct wire swollen(const char *node, int count)
{
    char *text;
    size_t length;
    FILE *out = memory_stream(&text, &length);
    struct wire wire;

    fputs("init a i64 = 0\ninit b i64 = 256\ninit c i64 = 1\nRange a b c -> r\n", out);
    for (int i = 0; i < count; i++)
        fprintf(out, "%s -> %d\n", node, i);
    fprintf(out, "ReduceMax %d -> m\nConstantOfShape m -> y\noutput y", count - 1);
    memory_stream_close(out);
    wire = onnx_from_text(text);
    free(text);
    return wire;
}

static bool is_read(const char *node, int count)
{
    struct wire wire = swollen(node, count);
    struct error error;
    struct network *network = read_bytes(wire.data, wire.size, &error);

    network_free(network);
    wire_clear(&wire);
    return network != NULL;
}

/* As many as there is memory for are known; more are refused, and none is left unknown.  What only
 * passes them on takes none.  */
static void swelling(void)
{
    int good = 1, bad = 4000;
    struct wire wire;

    ok(is_read("Identity r", bad), "%d that are one another", bad);
    while (bad - good > 1) {
        int count = (good + bad) / 2;

        *(is_read("Range a b c", count) ? &good : &bad) = count;
    }
    ok(good > 100, "%d large constants are read", good);
    for (int more = 0; more < 8; more++) {
        wire = swollen("Range a b c", bad + more);
        refused(&wire, "inference needs more than 64 times as much memory");
    }
}

/* --- graphs --- */

static void graphs(void)
{
    refused_text("input x f32 2\nRelu b -> a\nRelu a -> b\noutput b",
                 "node 'a' (Relu): it reads 'b' before node 'b' makes it: a cycle");
    refused_text("input x f32 2\nRelu y -> y\noutput y", "before node 'y' makes it");
    refused_text("Relu x -> y\noutput y", "it reads 'x', which nothing makes");
    refused_text("input x f32 2\nRelu x -> y\noutput z", "nothing makes its output 'z'");
    refused_text("input x f32 2\nRelu x -> y\nTanh x -> y\noutput y", "two values are called 'y'");
    refused_text("input x f32 2\nRelu x -> x\noutput x", "two values are called 'x'");
    refused_text("input x f32 2\ninit w f32 1\ninit w f32 2\nRelu x -> y\noutput y",
                 "two values are called 'w'");
    refused_text("input x f32 2\ninput x f32 2\nRelu x -> y\noutput y",
                 "two values are called 'x'");
    refused_text("input x f32 2\nRelu x -> y", "has no output");
    refused_text("init w f32 -3\ninput x f32 2\nRelu x -> y\noutput y",
                 "initializer 'w': dimension 0 is -3");
    refused_text("init w f32 4611686018427387904 4\ninput x f32 2\nRelu x -> y\noutput y",
                 "initializer 'w': the number of elements overflows");
    refused_text("init w string 3\ninput x f32 2\nRelu x -> y\noutput y",
                 "initializer 'w': strings have no fixed size");
    refused_text("init w i64 3 = 1 2\ninput x f32 2\nRelu x -> y\noutput y",
                 "initializer 'w': its data are not 3 elements");
    refused_text("input x f32 2\nSlice x -> _ starts=0, ends=1,\nRelu x -> y\noutput y",
                 "(Slice): it has no output");
    refused_text("input x f32 2305843009213693952\nRelu x -> y\noutput y",
                 "'x': its size overflows 64 bits");
    refused_text("input x f16 4000000000000000000\nCast x -> y to=1\noutput y",
                 "output 'y': its size overflows 64 bits");
    refused_text("input x f32 1 1 1 1 1 1 1 1 1\nRelu x -> y\noutput y",
                 "'x': 9 dimensions, expected at most 8");
    refused_text("input x f32 3000000000 1\ninput z f32 1 3000000000\nAdd x z -> y\noutput y",
                 "overflows 64 bits");
    refused_text("input x f32 2\ninit r i64 1 = 9223372036854775807\nTile x r -> y\noutput y",
                 "dimension 0, repeated 9223372036854775807 times");
    refused_text("input x f32 1 1 70000 70000\ninit w f32 70000 1 70000 70000\n"
                 "Conv x w -> y pads=60000,60000,60000,60000\noutput y",
                 "multiply-accumulates overflow");
}

/* A branch that is named by itself cannot be written down in this format; a
 * function of the model's own that calls itself can, but functions are not
 * known here.  */
static void functions(void)
{
    struct wire model = onnx_from_text("input x f32 2\ndomain own\nF x -> y\noutput y");
    struct wire function = {0}, node = {0};

    wire_text(&node, 4, "F");
    wire_text(&node, 7, "own");
    wire_text(&function, 1, "F");
    wire_message(&function, 7, &node);
    wire_text(&function, 10, "own");
    wire_message(&model, 25, &function);
    refused(&model, "(own.F): unknown operator");
}

/* --- what happens to good files --- */

static const char *const whole =
    "input x f32 1 3 8 8\ninit w f32 4 3 3 3\ninit s i64 2 = 1 -1\n"
    "graph b\ninput i i64\ninput c bool\ninput v f32 1 144\nAdd v v -> u\noutput c\noutput u\nend\n"
    "Conv x w -> c pads=0,0,0,0 auto_pad=\"NOTSET\"\nRelu c -> r\nReshape r s -> f\n"
    "init n i64 = 3\nLoop n _ f -> l body=@b\nSoftmax l -> y axis=1\ninfo r f32 1 4 6 6\noutput y";

/* Every beginning of a file, and files with a byte changed: read or refused,
 * which the sanitizers watch.  */
static void damage(void)
{
    struct wire wire = onnx_from_text(whole);
    struct rng *rng = rng_new(7);
    int rounds = tap_tier(2000, 20000), read = 0;
    bool placed = true;
    struct error error = {""};
    struct network *network = read_bytes(wire.data, wire.size, &error);

    ok(network != NULL, "the file is good as it is %s", error.text);
    network_free(network);
    for (size_t size = 0; size < wire.size; size++) {
        uint8_t *part = memory_copy(wire.data, size, 1);

        network = read_bytes(part, size, &error);
        placed = placed && (network != NULL || strncmp(error.text, "bad.onnx: ", 10) == 0);
        network_free(network);
        free(part);
    }
    ok(placed, "each message begins with the file");
    for (int i = 0; i < rounds; i++) {
        size_t at = (size_t)rng_range(rng, 0, (int64_t)wire.size - 1);
        uint8_t old = wire.data[at];

        wire.data[at] = (uint8_t)rng_range(rng, 0, 255);
        network = read_bytes(wire.data, wire.size, &error);
        read += network != NULL;
        placed = placed && (network != NULL || strncmp(error.text, "bad.onnx: ", 10) == 0);
        network_free(network);
        wire.data[at] = old;
    }
    ok(placed, "also with a byte changed: %d of %d read", read, rounds);
    rng_free(rng);
    wire_clear(&wire);
}

/* What holds LINE so often is no model: reading it ends a process of its own.  */
static void mistaken(const char *line, int times, const char *what)
{
    char *text = memory_strdup("");
    int status = 0;
    pid_t child;

    for (int i = 0; i < times; i++)
        text = memory_append(text, "%s\n", line);
    child = tap_fork();
    if (child == 0) {
        dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
        onnx_from_text(text);
        _exit(0);
    }
    ok(child > 0 && waitpid(child, &status, 0) == child && WIFSIGNALED(status) &&
           WTERMSIG(status) == SIGABRT,
       "text of a model: %s", what);
    free(text);
}

/* What the tests' own writer has no room for.  */
static void mistakes(void)
{
    mistaken("node a_name_of_64_letters____________________________________________", 1,
             "a name that is too long");
    mistaken("tensor t i64 1 = 5", 17, "too many tensors");
    mistaken("graph g\nend", 33, "too many graphs");
    mistaken("graph g", 8, "graphs in too many others");
    mistaken("graph g", 1, "a graph without its end");
    mistaken("end", 1, "an end without its graph");
}

int main(void)
{
    if (!onnx_available()) {
        tap_skip(1, "built without protobuf-c and onnx.proto");
        return tap_done();
    }
    wire_format();
    deep();
    deep_branches();
    bombs();
    swelling();
    graphs();
    functions();
    damage();
    mistakes();
    return tap_done();
}
