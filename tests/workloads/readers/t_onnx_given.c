/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What parameters give an ONNX model: dimensions with and without names, others than the file's,
 * and values of inputs, which may decide branches.  */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/graph/control.h"
#include "lib/graph/network.h"
#include "tests/support/onnx_network.h"
#include "tests/support/tap.h"
#include "workloads/readers/onnx/file/model.h"

/* How many elements VALUE of TEXT has with the parameters GIVEN; -1: there is no network.  */
static int64_t elements_of(const char *text, const char *given, const char *value)
{
    struct error error = {""};
    struct network *network = onnx_network_of(text, given, &error);
    int64_t elements = -1;

    if (ok(network != NULL, "with %s %s", given, error.text))
        elements = value_elements(onnx_value_named(network, value));
    network_free(network);
    return elements;
}

static void dimensions(void)
{
    static const char *const model = "input x f32 N 3 seq\ninput z f32 N ? 1\nRelu x -> y\n"
                                     "Relu z -> y2\noutput y\noutput y2\n";

    is_int(elements_of(model, "N=2,seq=7,z.1=5", "y"), 2 * 3 * 7, "by name");
    is_int(elements_of(model, "N=2,seq=7,z.1=5", "y2"), 2 * 5, "by place");
    is_int(elements_of(model, "batch=2,seq=7,z.1=5", "y"), 2 * 3 * 7,
           "batch stands for the first dimension that all share");
    is_int(elements_of(model, "N=2,seq=7,z.1=5,x.1=4", "y"), 2 * 4 * 7, "one that the file fixes");
    onnx_refused(model, NULL,
                 "model.onnx: open dimensions of its inputs: N, seq, z.1: give each a number, as "
                 "in model.onnx:N=1,seq=128,z.1=128");
    onnx_refused(model, "N=2,x.1=4",
                 "seq, z.1: give each a number, as in "
                 "model.onnx:N=2,x.1=4,seq=128,z.1=128");
    onnx_refused(
        "input x f32 N 3 H W\ninput t f32 N T\ninput z f32 ? ? ? 3\nRelu x -> y\noutput y\n", NULL,
        "as in model.onnx:N=1,H=224,W=224,T=128,z.0=1,z.1=224,z.2=224");
    onnx_refused("input x f32 N C H W\nRelu x -> y\noutput y\n", NULL,
                 "as in model.onnx:N=1,C=3,H=224,W=224");
    onnx_refused(model, "N=1,seq=7", "z.1: give each a number, as in model.onnx:N=1,seq=7,z.1=128");
    onnx_refused(model, "N=2,seq=7,z.1=5,sq=1",
                 "unknown dimension, input, trip count or length 'sq' (did you mean 'seq'?)");
    onnx_refused(model, "N=2,seq=7,z.1=5,elsewhere=1",
                 "'elsewhere'; its inputs are x[N,3,seq], z[N,?,1]");
    onnx_refused(model, "N=0,seq=7,z.1=5", "N=0: expected a whole number from 1");
    onnx_refused(model, "N=2,seq=7.5,z.1=5", "seq=7.5: expected a whole number from 1");
    onnx_refused(model, "N=2,seq=7,z.1=5,z.3=5", "'z.3'");
    onnx_refused("input x f32 -1\nRelu x -> y\noutput y", NULL, "'x': dimension 0 is -1");
    onnx_refused("input x f32 4611686018427387904 4\nRelu x -> y\noutput y", NULL,
                 "overflows 64 bits");
    onnx_refused("input x f32 4000000000 4000000000\nRelu x -> y\noutput y", NULL,
                 "overflows 64 bits");
    onnx_refused("input x\nRelu x -> y\noutput y", NULL, "'x': expected a tensor with a shape");
    onnx_refused("input x string 3\nRelu x -> y\noutput y", NULL,
                 "'x': strings have no fixed size");
}

/* More open dimensions than a message holds.  */
static void many_dimensions(void)
{
    char text[40 * 64] = "";

    for (int i = 0; i < 40; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "input cache_of_a_layer_%02d f32 ? ? 4\n", i);
    strcat(text, "Relu cache_of_a_layer_00 -> y\noutput y");
    onnx_refused(text, NULL,
                 "80 dimensions of its inputs are open, the first of them "
                 "cache_of_a_layer_00.0, cache_of_a_layer_00.1");
}

/* The first dimension of all inputs, though the file says 1.  */
static void batches(void)
{
    static const char *const two = "input a f32 1 6\ninput b f32 1 3\ninput s i64\nRelu a -> ra\n"
                                   "Relu b -> rb\noutput ra\noutput rb";

    is_int(elements_of("input x f32 1\nRelu x -> y\noutput y", "batch=1", "y"), 1, "as it is");
    is_int(elements_of(two, "batch=5", "ra"), 5 * 6, "of one input");
    is_int(elements_of(two, "batch=5", "rb"), 5 * 3, "and of the other");
    onnx_refused("input a f32 1 6\ninput b f32 2 3\nRelu a -> y\noutput y", "batch=2",
                 "no dimension is called 'batch', and the first ones of its inputs differ: name "
                 "one, as INPUT.0; its inputs are a[1,6], b[2,3]");
    is_int(elements_of("input a f32 1 6\ninput b f32 2 3\nRelu a -> y\noutput y", "a.0=7", "y"),
           7 * 6, "one by its place");
    /* Shapes that the file made for one image.  */
    is_int(elements_of("input x f32 1 4 2\ninit s i64 2 = 1 -1\nRelu x -> r\nReshape r s -> y\n"
                       "init w f32 8 3\nMatMul y w -> z\noutput z",
                       "batch=5", "z"),
           5 * 3, "a stored shape with a dimension that is left open");
    is_int(elements_of("input x f32 1 4 2\ninit s i64 2 = 1 8\nRelu x -> r\nReshape r s -> y\n"
                       "init w f32 8 3\nMatMul y w -> z\noutput z",
                       "batch=5", "z"),
           5 * 3, "and without one");
    is_int(elements_of("input x f32 1 1\ninit c f32 5 = 1 2 3 4 5\ninit s i64 2 = 1 -1\n"
                       "Reshape c s -> d\nMatMul x d -> y\noutput y",
                       "batch=5", "y"),
           5 * 5, "a constant has no batch");
    is_int(elements_of("opset 11\ninput x f32 1 3 4 4\ninit n f32 0\ninit s i64 4 = 1 3 8 8\n"
                       "Relu x -> r\nResize r n n s -> y\noutput y",
                       "batch=5", "y"),
           5 * 3 * 8 * 8, "sizes of a larger image");
    onnx_refused("input x f32 1 4\ninit s i64 2 = 2 2\nReshape x s -> y\noutput y", "batch=3",
                 "3x4 and 2x2; the file is for other dimensions of its inputs");
    onnx_refused("input x f32 1 4\nFrobnicate x -> y\noutput y f32 1 4", "batch=3",
                 "does not declare (value_info) the shapes of its outputs; the file is for other");
}

#define BRANCHES                                 \
    "graph t\nAdd x x -> out\noutput out\nend\n" \
    "graph e\nMul x x -> m\nConcat m m -> out axis=0\noutput out\nend\n"

/* The branch that is taken under GIVEN, where CONDITION makes c of the inputs n, f and k.  */
static void takes(const char *condition, const char *given, bool first)
{
    char text[1024];

    snprintf(text, sizeof text,
             "input x f32 4\ninput n i64\ninput f f32 1\ninput k bool\ninit rate i64 = 16000\n"
             "init half f32 1 = 0.5\n" BRANCHES "%s\n"
             "If c -> y then_branch=@t else_branch=@e\nRelu y -> z\noutput z",
             condition);
    network_free(onnx_becomes(
        text, given,
        first ? "add(x,x)->out relu(out)->z" : "mul(x,x)->m concat(m,m)->out relu(out)->z", given));
}

static void values(void)
{
    static const char *const half = "Squeeze f -> g\nSqueeze half -> h\nGreater g h -> c";

    takes("Equal n rate -> c", "n=16000", true);
    takes("Equal n rate -> c", "n=8000", false);
    takes("Equal n rate -> d\nNot d -> e\nAnd e e -> c", "n=8000", true);
    takes("Less n rate -> c", "n=-1", true);
    takes("Cast n -> c to=9", "n=0", false);
    takes("CastLike n k -> c", "n=2", true);
    takes("Identity k -> c", "k=1", true);
    takes("Not k -> c", "k=1", false);
    takes(half, "f=0.75", true);
    takes(half, "f=0.25", false);
    takes("Squeeze f -> g\nCast g -> h to=7\nEqual h h -> i\nCast g -> j to=9\nAnd i j -> c",
          "f=-0.5", true);

    onnx_refused("input x f32 4\ninput k bool\n" BRANCHES
                 "If k -> y then_branch=@t else_branch=@e\noutput y",
                 NULL,
                 "its branches give output 0 different shapes or types, and its condition is not "
                 "known; values that can be given: k");
}

static void refused_values(void)
{
    static const char *const model = "input x f32 4\ninput n i8\ninput k bool\ninput u u16 1\n"
                                     "input c c64\nRelu x -> y\noutput y";

    onnx_refused(model, "n=200", "n=200: expected a whole number from -128 to 127");
    onnx_refused(model, "n=1.5", "n=1.5: expected a whole number from -128 to 127");
    onnx_refused(model, "k=2", "k=2: expected a whole number from 0 to 1");
    onnx_refused(model, "u=-1", "u=-1: expected a whole number from 0 to 65535");
    onnx_refused(model, "x=1",
                 "x=1: expected an input of one truth value, integer or float; it has 4 elements");
    onnx_refused(model, "c=1", "it has 1 complex elements");
}

/* A value that is given is a constant: its input is none of the network's, and what hangs on it
 * only takes no step.  A name that is a dimension's stays that.  */
static void constants(void)
{
    static const char *const model = "input x f32 N\ninput n i64 1\ninit one i64 1 = 1\n"
                                     "Add n one -> m\nTile x m -> y\noutput y";
    struct network *network =
        onnx_becomes(model, "N=5,n=3", "tile(x,!m)->y", "a constant that an operator reads");

    if (network != NULL)
        ok(onnx_value_named(network, "n") == NULL &&
               onnx_value_named(network, "m")->role == VALUE_CONSTANT &&
               value_elements(onnx_value_named(network, "y")) == 20,
           "decides the shape, and is no input");
    network_free(network);
    network = onnx_becomes("input x f32 n\ninput n f32\nAdd x n -> y\noutput y", "n=3",
                           "add(x,n)->y", "a dimension that is called as an input is");
    if (network != NULL)
        is_int(value_elements(onnx_value_named(network, "y")), 3, "is given, the input is not");
    network_free(network);
    onnx_refused("input x f32 n\ninput n f32\nAdd x n -> y\noutput y", "n=0.5",
                 "n=0.5: expected a whole number from 1");
}

/* Values of real numbers have the element type that is asked for, those of bodies too.  */
static void element_types(void)
{
    static const char *const text = "input x f32 3\ninput h f16 3\ninput n i64\ninput c bool\n"
                                    "init w f32 3 = 1 2 3\ninit k i64 1 = 0\n"
                                    "graph body\ninput i i64\ninput c bool\ninput v f32 3\n"
                                    "Add v w -> u\noutput c\noutput u\nend\n"
                                    "Loop n c x -> y body=@body\nCast h -> g to=1\nAdd y g -> z\n"
                                    "Gather z k -> o\noutput o\n";
    static const struct {
        const char *given;
        size_t bytes, half_bytes;
    } table[] = {
        {"n=4", 4, 2}, {"n=4,dtype=file", 4, 2}, {"n=4,dtype=f16", 2, 2}, {"n=4,dtype=i8", 1, 1}};

    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct error error = {""};
        struct network *network = onnx_network_of(text, table[i].given, &error);
        const struct network *body = NULL;

        if (!ok(network != NULL, "%s %s", table[i].given, error.text))
            continue;
        for (size_t o = 0; o < network->n_ops; o++)
            if (network->op[o].control != NULL)
                body = network->op[o].control->body[0].network;
        is_int((int64_t)dtype_size(onnx_value_named(network, "z")->dtype), (int64_t)table[i].bytes,
               "%s: bytes of an element", table[i].given);
        is_int((int64_t)dtype_size(onnx_value_named(network, "h")->dtype),
               (int64_t)table[i].half_bytes, "... of halves");
        is_int((int64_t)dtype_size(onnx_value_named(network, "k")->dtype), 8, "... of indices");
        is_int(body == NULL ? 0 : (int64_t)dtype_size(onnx_value_named(body, "u")->dtype),
               (int64_t)table[i].bytes, "... in a body");
        network_free(network);
    }
    onnx_refused("input x f32 3\nRelu x -> y\noutput y", "dtype=i4",
                 "dtype=i4: expected one of file|f32|f16|i8");
}

/* Lengths that only a run knows: what the values have with the most that is given, with as many as
 * there can be, and what is asked for without.  */
static void lengths(void)
{
    static const struct {
        const char *text, *value;
        int64_t three, most; /* elements with v=3, and with as many as there can be */
    } table[] = {
        {"input x f32 4 5\nNonZero x -> v\nRelu v -> y\noutput y\n", "y", 2 * 3, 2 * 20},
        {"input x f32 4 5\ninput c bool 4\nCompress x c -> v axis=0\nRelu v -> y\noutput y\n", "y",
         3 * 5, 4 * 5},
        {"input x f32 4 5\ninput c bool 5\nCompress x c -> v axis=0\nRelu v -> y\noutput y\n", "y",
         3 * 5, 4 * 5},
        {"input x f32 4 5\ninput c bool 20\nCompress x c -> v\nRelu v -> y\noutput y\n", "y", 3,
         20},
        {"input x f32 4 5\ninput c bool 9\nCompress x c -> v\nRelu v -> y\noutput y\n", "y", 3, 9},
        {"input x f32 2 9 4\ninput s f32 2 3 9\ninit k i64 1 = 5\n"
         "NonMaxSuppression x s k -> v\noutput v\n",
         "v", 3 * 3, 2 * 3 * 5 * 3},
        {"input x f32 2 9 4\ninput s f32 2 3 9\ninit k i64 1 = 9223372036854775807\n"
         "NonMaxSuppression x s k -> v\noutput v\n",
         "v", 3 * 3, 2 * 3 * 9 * 3},
        {"input x f32 1 9 4\ninput s f32 1 1 9\ninput k i64 1\n"
         "NonMaxSuppression x s k -> v\noutput v\n",
         "v", 3 * 3, 9 * 3},
        {"input x f32 20 5\nUnique x -> v i j k\noutput v\noutput j\n", "v", 3, 100},
        {"input x f32 20 5\nUnique x -> v i j k\noutput v\noutput j\n", "j", 100, 100},
        {"input x f32 20 5\nUnique x -> v i j k axis=0\noutput v\noutput j\n", "v", 15, 100},
        {"input x f32 20 5\nUnique x -> v i j k axis=0\noutput v\noutput j\n", "j", 20, 20},
        {"input x f32 3 20\ninput k i64 1\nTopK x k -> v i\noutput v\noutput i\n", "i", 9, 60},
        {"input x f32 20 3\ninput a i64 1\ninput b i64 1\nSlice x a b -> v\noutput v\n", "v", 9,
         60},
        /* What is made of it: its length is a number as others are.  */
        {"input x f32 4 5\nNonZero x -> v\nShape v -> s\nConstantOfShape s -> z\nAdd z z -> w\n"
         "Cast v -> u to=1\nAdd w u -> y\noutput y\n",
         "y", 6, 40},
        /* The 10 best of those that there are.  */
        {"input x f32 20\nNonZero x -> n\nTranspose n -> t\nGatherND x t -> v\nShape v -> s\n"
         "init k i64 1 = 10\nConcat k s -> c axis=0\nReduceMin c -> m keepdims=0\n"
         "init one i64 1 = 1\nReshape m one -> r\nTopK v r -> y i\noutput y\n",
         "y", 3, 10},
    };

    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const char *text = table[i].text, *value = table[i].value;
        bool own = strstr(text, "-> n\n") == NULL;

        is_int(elements_of(text, own ? "v=3" : "n=3", value), table[i].three, "length %zu", i);
        is_int(elements_of(text, "lengths=3", value), table[i].three, "the same for all");
        is_int(elements_of(text, "lengths=most", value), table[i].most, "what there can be");
        is_int(elements_of(text, "lengths=1000", value), table[i].most, "no more than that");
        is_int(elements_of(text, own ? "v=3,lengths=most" : "n=3,lengths=most", value),
               table[i].three, "its own comes first");
        if (!own)
            continue;
        onnx_refused(text, NULL,
                     "and the file does not declare it (value_info); its most can be given, as in "
                     "model.onnx:v=100, or be as many as there can be (");
        onnx_refused(text, "v=-1", "v=-1: expected a whole number from 0");
        is_int(elements_of(text, "v=0", "v"), 0, "none");
    }
    /* One that is known is not asked for.  */
    onnx_refused("input x f32 3 20\ninit k i64 1 = 4\nTopK x k -> v i\noutput v\noutput i\n", "v=7",
                 "unknown dimension, input, trip count or length 'v'");
    onnx_refused("input x f32 3\nNonZero x -> v\noutput v\n", "lengths=all",
                 "lengths=all: expected most or a whole number from 1");
    onnx_refused("input x f32 3\nNonZero x -> v\noutput v\n", "lengths=0", "lengths=0: expected");
}

/* All that are open are in one message; what the file declares, and what is known, is not.  */
static void open_lengths(void)
{
    static const char *const range = "input a i64\ninput b i64\ninit c i64 = 1\n"
                                     "Range a b c -> v\noutput v\n";
    static const char *const several =
        "input x f32 4 5\nNonZero x -> n\nTranspose n -> t\nGatherND x t -> g\n"
        "NonZero g -> m\nUnique g -> u\noutput m\noutput u\n";

    is_int(elements_of(range, "v=7", "v"), 7, "one that has no limit");
    is_int(elements_of(range, "lengths=7", "v"), 7, "the same for all");
    onnx_refused(range, NULL, "its most can be given, as in model.onnx:v=100; values that can be");
    onnx_refused(range, "lengths=most",
                 "its most can be given, as in model.onnx:lengths=most,v=100; values that can be");
    onnx_refused(
        several, NULL,
        "model.onnx: node 'n' (NonZero): its shape depends on the elements of 'x', which only a "
        "run knows, and the file does not declare it (value_info); its most can be given, as in "
        "model.onnx:n=100, and that of all 3 such lengths at once: model.onnx:lengths=100 for no "
        "more than 100 of each, model.onnx:lengths=most for as many as there can be (n 20, m 20, "
        "u 20)");
    onnx_refused(several, "n=7",
                 "model.onnx:n=7,lengths=most for as many as there can be (m 7, u 7)");
    is_int(elements_of(several, "n=7,lengths=5", "u"), 5, "of two, one by its name");
    onnx_refused("input x f32 4 5\ninput a i64\ninit c i64 = 1\nNonZero x -> n\n"
                 "Range a a c -> r\nFrobnicate x -> y\noutput n\noutput r\n",
                 NULL, "as many as there can be (n 20, r without a limit)");
    onnx_refused("input x f32 4 5\nNonZero x -> a,b\noutput a,b\n", NULL,
                 "its most can be given, as in model.onnx:lengths=100, or be");
}

int main(void)
{
    if (!onnx_available()) {
        tap_skip(1, "built without protobuf-c and onnx.proto");
        return tap_done();
    }
    dimensions();
    many_dimensions();
    batches();
    values();
    refused_values();
    constants();
    element_types();
    lengths();
    open_lengths();
    return tap_done();
}
