/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ncnn .param files: a network with figures worked out by hand, the shapes that
 * layers give, what is refused, and the networks of the ncnn project, whose
 * figures a script outside the project worked out from the shapes in the files.  */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/file.h"
#include "lib/base/memory.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/lifetimes/lifetimes.h"
#include "lib/problem/instance.h"
#include "tests/support/figures.h"
#include "tests/support/instances.h"
#include "tests/support/tap.h"
#include "workloads/readers/ncnn/network.h"
#include "workloads/readers/ncnn/param.h"
#include "workloads/readers/shapes.h"

static struct error error;

/* The network of a .param file's TEXT, or NULL with the message in `error`.  */
static struct network *parse(const char *text, const struct ncnn_options *options, FILE *notices)
{
    char *copy = memory_strdup(text);
    struct network *network = NULL;
    struct ncnn_model model;

    error.text[0] = '\0';
    if (ncnn_param_read(&model, copy, strlen(copy), "t.param", notices, &error)) {
        network = ncnn_network(&model, "t.param", options, notices, &error);
        ncnn_param_clear(&model);
    }
    free(copy);
    return network;
}

static const struct ncnn_options plain = {.dtype = DTYPE_F32};

/* --- a whole network --- */

static const char whole[] = "7767517\n"
                            "8 9\n"
                            "Input data 0 1 data 0=4 1=4 2=3\n"
                            "Convolution c1 1 1 data a 0=8 1=3 4=1 5=1 6=216 9=1\n"
                            "Split s 1 2 a a0 a1\n"
                            "Pooling p 1 1 a0 b 0=0 1=2 2=2\n"
                            "Interp u 1 1 b c 0=1 1=2.0 2=2.0\n"
                            "Eltwise e 2 1 a1 c d 0=1\n"
                            "Flatten f 1 1 d g\n"
                            "InnerProduct ip 1 1 g out 0=10 1=1 2=1280\n";

static void check(const char *what, const struct lifetime_options *options, enum dtype dtype,
                  struct figures want)
{
    struct network *network = parse(whole, &(struct ncnn_options){.dtype = dtype}, NULL);
    struct instance *instance = NULL;

    if (network != NULL)
        instance = lifetimes_instance(network, schedule_file_order(network), options, &error);
    if (figures_match(what, instance, &error, &want))
        is_int(instance->load, want.load, "%s: the instance's own load", what);
    instance_free(instance);
}

/* c1 a [0,2), a0 [1,3), a1 [1,5), b [2,4), c [3,5), d [4,6), g [5,7); b has 128
 * bytes, the others 512.  With aliases a, a0 and a1 are one [0,5), d and g [4,7).
 * Weights: 216 + 8 and 1280 + 10 elements.  */
static void figures(void)
{
    check("plain", &(struct lifetime_options){0}, DTYPE_F32,
          (struct figures){7, 3200, 1536, 512, 3});
    check("half precision", &(struct lifetime_options){0}, DTYPE_F16,
          (struct figures){7, 1600, 768, 256, 3});
    check("alias=on", &(struct lifetime_options){.alias = true}, DTYPE_F32,
          (struct figures){4, 1664, 1536, 512, 3});
    check("io=both", &(struct lifetime_options){.io = IO_BOTH}, DTYPE_F32,
          (struct figures){9, 3432, 1536, 512, 3});
    check("weights=on", &(struct lifetime_options){.weights = true}, DTYPE_F32,
          (struct figures){11, 9256, 7592, 5120, 7});
}

static void operators(void)
{
    struct network *network = parse(whole, &plain, NULL);
    const struct conv_shape *conv;

    if (!ok(network != NULL, "read"))
        return;
    is_int((int64_t)network->n_ops, 7, "the input is no operator");
    conv = &network->op[0].conv;
    ok(network->op[0].kind == OP_CONV && conv->n == 1 && conv->c == 3 && conv->k == 8 &&
           conv->pad_bottom == 1 && conv->groups == 1,
       "a convolution's shape");
    is_int(network->op[0].macs, 8 * 4 * 4 * 3 * 9, "its multiply-accumulates");
    is_text(network->op[0].activation, "relu", "its activation");
    is_text(network->op[2].type, "max_pool", "a pool");
    is_int(network->op[6].macs, 1280, "a fully connected layer");
    network_free(network);
    network = parse(whole, &(struct ncnn_options){.dtype = DTYPE_F32, .h = 8}, NULL);
    ok(network == NULL && strstr(error.text, "t.param:10: layer 'ip' (InnerProduct): 128 weights "
                                             "an output for an input of 256") != NULL,
       "an input that the classifier does not fit: %s", error.text);
    network_free(network);
}

/* --- layers --- */

/* What layer LINE makes of input x of the given dimensions (as ncnn names them):
 * the shape of its first output, or the message.  */
static void layer(const char *input, const char *line, const char *want)
{
    char *text = memory_printf("7767517\n2 2\nInput x 0 1 x %s\n%s\n", input, line);
    struct network *network = parse(text, &plain, NULL);
    char *got = NULL;

    if (network != NULL) {
        const struct network_op *op = &network->op[0];
        struct shape shape = shape_of(&network->value[op->output[0]]);

        got = shape_text(&shape);
        is_text(got, want, "%s", line);
    } else {
        ok(strstr(error.text, want) != NULL && strncmp(error.text, "t.param:4: ", 11) == 0,
           "refused: %s (%s)", line, error.text);
    }
    free(got);
    network_free(network);
    free(text);
}

static void windows(void)
{
    const char *image = "0=15 1=9 2=4";

    layer(image, "Convolution l 1 1 x y 0=6 1=3 3=2 4=1", "1x6x5x8");
    layer(image, "Convolution l 1 1 x y 0=6 1=3 11=1 2=2 15=3", "1x6x9x14");
    layer(image, "Convolution l 1 1 x y 0=6 1=4 3=2 4=-233", "1x6x5x8");
    layer(image, "Convolution l 1 1 x y 0=6 1=3 6=217", "217 weights, expected 216");
    layer(image, "Convolution l 1 1 x y 0=6 1=0", "filter height: 0");
    layer(image, "Convolution l 1 1 x y 0=-6 1=1", "output channels: -6");
    layer(image, "Convolution l 1 1 x y 0=6 1=2000000000 2=2000000000", "output is empty");
    layer(image, "Convolution l 1 1 x y 0=9000000000000000000 1=3", "overflow");
    layer(image, "Convolution l 1 1 x y 0=6 1=1.5", "parameter 1: expected a whole number");
    layer(image, "Convolution l 1 1 x y 0=6 1=3 19=1", "do not follow from its parameters");
    layer(image, "Convolution l 1 1 x y 0=6 1=3 9=7", "activation 7");
    layer("0=12", "Convolution l 1 1 x y 0=6 1=1 6=72", "6");
    layer(image, "ConvolutionDepthWise l 1 1 x y 0=8 1=3 4=1 7=4 6=72", "1x8x9x15");
    layer(image, "ConvolutionDepthWise l 1 1 x y 0=8 1=3 7=3", "groups");
    layer(image, "ConvolutionDepthWise l 1 1 x y 0=8 1=3 7=0", "0 groups");
    layer("0=15 1=9", "Convolution1D l 1 1 x y 0=6 1=3 3=2", "6x7");
    layer(image, "Deconvolution l 1 1 x y 0=6 1=4 3=2 4=1", "1x6x18x30");
    layer(image, "Deconvolution l 1 1 x y 0=6 1=3 3=2 4=1 18=1", "1x6x18x30");
    layer(image, "Deconvolution l 1 1 x y 0=6 1=3 3=2 4=-233 20=30 21=18", "1x6x18x30");
    layer(image, "Pooling l 1 1 x y 0=1 1=2 2=2", "1x4x5x8");
    layer(image, "Pooling l 1 1 x y 0=1 1=2 2=2 5=1", "1x4x4x7");
    layer(image, "Pooling l 1 1 x y 0=1 1=3 2=2 5=2", "1x4x5x8");
    layer(image, "Pooling l 1 1 x y 0=1 4=1", "4");
    layer(image, "Pooling l 1 1 x y 7=1 8=3 18=-233", "1x4x9x3");
    layer(image, "Pooling l 1 1 x y 0=1 1=2 2=0", "stride 0");
}

static void views(void)
{
    const char *image = "0=15 1=9 2=4";

    layer(image, "Slice l 1 3 x a b c -23300=3,1,-233,-233", "1x1x9x15");
    layer(image, "Slice l 1 2 x a b -23302=1,5 1=2", "1x4x9x5");
    layer(image, "Slice l 1 2 x a b -23300=2,3,2", "part 1 has 2 of 1 elements");
    layer(image, "Slice l 1 2 x a b -23300=1,3", "1 sizes for 2 outputs");
    layer(image, "Crop l 1 1 x y 0=1 1=2 2=1 3=10 4=5 5=2", "1x2x5x10");
    layer(image, "Crop l 1 1 x y -23309=2,1,-4 -23310=2,3,-233 -23311=2,0,2", "1x2x9x4");
    layer(image, "Crop l 1 1 x y -23309=1,1 -23310=1,0", "1x3x9x15"); /* 0: to the end */
    layer(image, "Crop l 1 1 x y -23309=1,1 -23310=1,-1", "1x2x9x15");
    layer(image, "Crop l 1 1 x y -23309=1,3 -23310=1,2", "crops dimension 0 of 4");
    layer(image, "Crop l 1 1 x y 2=9223372036854775807 8=9223372036854775807", "crops");
    layer(image, "Reshape l 1 1 x y 0=0 1=-1", "36x15");
    layer(image, "Reshape l 1 1 x y 0=7 1=-1", "different numbers");
    layer(image, "Reshape l 1 1 x y", "no new shape");
    layer(image, "Flatten l 1 1 x y", "540");
    layer(image, "Permute l 1 1 x y 0=3", "1x9x15x4");
    layer(image, "Permute l 1 1 x y 0=6", "order 6");
    layer("0=3 1=5", "Permute l 1 1 x y 0=1", "3x5");
    layer(image, "PixelShuffle l 1 1 x y 0=2", "1x1x18x30");
    layer(image, "PixelShuffle l 1 1 x y 0=3", "4 channels by a factor of 3");
    layer(image, "Reorg l 1 1 x y 0=3", "1x36x3x5");
    layer(image, "Padding l 1 1 x y 0=1 1=2 2=3 3=4 7=5 8=6", "1x15x12x22");
    layer(image, "Interp l 1 1 x y 0=2 1=0.5 2=2", "1x4x4x30");
    layer(image, "Interp l 1 1 x y 0=2 1=0.01 2=1e30", "scales");
    layer(image, "Tile l 1 1 x y 0=1 1=3", "1x4x27x15");
    layer(image, "Concat l 2 1 x x y 0=2", "1x4x9x30");
    layer(image, "Concat l 2 1 x x y 0=3", "axis 3");
    layer(image, "ExpandDims l 1 1 x y -23303=1,0", "1x4x9x15");
    layer("0=5 1=1", "Squeeze l 1 1 x y 1=1", "5");
}

static void products(void)
{
    const char *rows = "0=16 1=7";

    layer(rows, "InnerProduct l 1 1 x y 0=10 2=160", "7x10");
    layer(rows, "InnerProduct l 1 1 x y 0=10 2=1120", "10");
    layer(rows, "InnerProduct l 1 1 x y 0=0 2=160", "0 outputs");
    layer(rows, "LSTM l 1 1 x y 0=5 1=320 2=2", "7x10");
    layer(rows, "GRU l 1 1 x y 0=5 1=240", "7x5");
    layer(rows, "GRU l 1 1 x y 0=0", "0 outputs");
    layer(rows, "MultiHeadAttention l 1 1 x y 0=16 1=2 2=256", "7x16");
    layer(rows, "MatMul l 2 1 x x y 0=1", "7x7");
    layer(rows, "MatMul l 2 1 x x y", "cannot multiply");
    layer(rows, "Gemm l 1 1 x y 2=0 3=1 5=1 8=20 9=16", "7x20");
    layer(rows, "Gemm l 1 1 x y 2=0 3=1 5=1 6=1 8=20 9=16", "do not follow");
    layer(rows, "Gemm l 1 1 x y 2=0 3=1 8=20 9=7", "do not follow");
    layer("0=12", "Embed l 1 1 x y 0=16 1=1000", "12x16");
    layer(rows, "BinaryOp l 2 1 x x y 0=2", "7x16");
    layer(rows, "Reduction l 1 1 x y 0=3 1=0 -23303=1,-1 4=1", "7x1");
    layer(rows, "Reduction l 1 1 x y 0=3", "1");
    layer(rows, "PriorBox l 2 1 x x y -23300=1,60.0 -23301=1,90.0 -23302=2,2.0,3.0 9=-233 10=-233",
          "2x2688");
    layer(rows, "DetectionOutput l 1 1 x y 3=50", "50x6");
    layer(rows, "Marvel l 1 1 x y", "unknown type of layer");
    layer(rows, "Marvel l 1 1 x y -23330=4,2,3,5,1", "5x3");
    layer(rows, "Marvel l 1 1 x y -23330=4,3,3,5,9", "1x9x5x3");
    layer(rows, "Marvel l 1 1 x y -23330=5,4,3,5,2,9", "9x2x5x3");
    layer(rows, "Marvel l 1 1 x y -23330=3,2,3,5", "expected 4 or 5");
    layer(rows, "Marvel l 1 1 x y -23330=4,2,-3,5,1", "malformed");
    layer(rows, "Marvel l 1 1 x y -23330=4,0,0,0,0", "unknown type of layer");
}

/* --- what is refused --- */

static void refused(const char *what, const char *text, const char *want)
{
    struct network *network = parse(text, &plain, NULL);

    ok(network == NULL && strncmp(error.text, want, strlen(want)) == 0, "%s (%s)", what,
       error.text);
    network_free(network);
}

#define HEAD "7767517\n3 3\nInput x 0 1 x 0=4\n"

static void bad_files(void)
{
    refused("an empty file", "", "t.param:1: expected 7767517");
    refused("another file", "7767518\n1 1\n", "t.param:1: expected 7767517");
    refused("bytes", "7767517\n1 1\n\001", "t.param:3: byte 1, expected text");
    refused("no counts", "7767517\n", "t.param:1: the file ends before the numbers");
    refused("no layers", "7767517\n1 1\n", "t.param:2: the file ends before the first layer");
    refused("a count that is none", "7767517\n1 x\n", "t.param:2: 'x', expected the number of");
    refused("half a layer", HEAD "ReLU\n", "t.param:4: expected TYPE NAME");
    refused("a huge count", HEAD "ReLU r 2000000000 1 x y\n",
            "t.param:4: 2 inputs, expected as many as it says, 2000000000");
    refused("a negative count", HEAD "ReLU r -1 1 x y\n", "t.param:4: '-1', expected the number");
    refused("a lone word", HEAD "ReLU r 1 1 x y z\n", "t.param:4: 'z', expected a parameter");
    refused("a huge key", HEAD "ReLU r 1 1 x y 64=1\n", "t.param:4: '64', expected a parameter");
    refused("one key twice", HEAD "ReLU r 1 1 x y 0=1 -23300=1,1\n",
            "t.param:4: parameter 0 stands here twice");
    refused("a huge list", HEAD "ReLU r 1 1 x y -23300=2000000000,1\n",
            "t.param:4: parameter 0: 1 elements, expected as many as it says, 2000000000");
    refused("a list of words", HEAD "ReLU r 1 1 x y -23300=2,1,b\n", "t.param:4: parameter 0: a");
    refused("a cycle", HEAD "ReLU r 1 1 y x1\nReLU s 1 1 x1 y\n",
            "t.param:4: layer 'r' (ReLU): reads blob 'y' before line 5 makes it: a cycle");
    refused("a missing blob", HEAD "ReLU r 1 1 nowhere y\n",
            "t.param:4: layer 'r' (ReLU): reads blob 'nowhere', which no layer makes");
    refused("one blob twice", HEAD "ReLU r 1 1 x x\n",
            "t.param:4: layer 'r' (ReLU): makes blob 'x', which line 3 has made");
    refused("one layer twice", HEAD "ReLU x 1 1 x y\n",
            "t.param:4: layer 'x' (ReLU): line 3 has a layer of that name");
    refused("an input without a size", "7767517\n1 1\nInput x 0 1 x\n",
            "t.param:3: layer 'x' (Input): its size is not in the file: give it as w=");
    refused("a negative size", "7767517\n1 1\nInput x 0 1 x 0=-4\n",
            "t.param:3: layer 'x' (Input): dimension 0 is -4");
    refused("sizes that overflow",
            "7767517\n2 2\nInput x 0 1 x 0=4000000000 1=4000000000\n"
            "ReLU r 1 1 x y\n",
            "t.param:3: layer 'x' (Input): the number of elements overflows 64 bits");
    refused("a layer without inputs", HEAD "ReLU r 0 1 y\n",
            "t.param:4: layer 'r' (ReLU): 0 inputs and 1 outputs");
    refused("too many dimensions", HEAD "ReLU r 1 1 x y -23330=4,5,1,1,1\n",
            "t.param:4: layer 'r' (ReLU): the shape of output 0 is malformed");
}

/* --- counts, constants, bound inputs --- */

static void notices(void)
{
    char *said;
    size_t length;
    FILE *stream = memory_stream(&said, &length);
    struct network *network = parse("7767517\n9 9\nInput x 0 1 x 0=4\n"
                                    "ReLU r 1 1 x y -23330=4,1,5,1,1\n",
                                    &plain, stream);

    memory_stream_close(stream);
    ok(network != NULL, "read");
    is_text(said,
            "t.param: warning: line 2 says 9 layers and 9 blobs, the file holds 2 and 2\n"
            "t.param: 1 shapes that the file states are not what the layers' parameters give; "
            "the file's are taken\n",
            "what is odd is said");
    free(said);
    network_free(network);
}

static void bindings(void)
{
    static const char text[] = "7767517\n3 3\nInput x 0 1 x\n"
                               "MemoryData m 0 1 m 0=6 1=4 2=3\n"
                               "ReLU r 1 1 m n\n"
                               "BinaryOp b 2 1 x n y -23330=4,3,1,1,1\n";
    struct network *network =
        parse(text, &(struct ncnn_options){.dtype = DTYPE_F32, .w = 6, .h = 4, .c = 3}, NULL);

    if (!ok(network != NULL, "the input's size is given (%s)", error.text))
        return;
    is_int((int64_t)network->n_ops, 1, "what only reads constants is folded");
    is_int(value_elements(&network->value[network->op[0].output[0]]), 72,
           "the file's shapes do not hold then");
    ok(network->value[network->op[0].input[1]].role == VALUE_CONSTANT, "a folded constant");
    network_free(network);
}

/* A file of TEXT with the parameters GIVEN is refused with MESSAGE.  */
static void file_refused(const char *text, const char *given, const char *message)
{
    char *path = memory_printf("t_ncnn_refused_%ld.param", (long)getpid());
    char *spec = memory_printf("%s:%s", path, given);
    FILE *out = fopen(path, "w");
    struct network *network;

    if (out != NULL) {
        fputs(text, out);
        fclose(out);
    }
    network = network_from(spec, &error);
    ok(network == NULL && strstr(error.text, message) != NULL, "%s: %s", given, error.text);
    network_free(network);
    unlink(path);
    free(spec);
    free(path);
}

static void given(void)
{
    /* A few bytes ask for as many operators as there are groups.  */
    file_refused("7767517\n2 2\nInput x 0 1 x 0=1 1=1 2=2000000000\n"
                 "ConvolutionDepthWise c 1 1 x y 0=1000000000 1=1 7=1000000000\n",
                 "grouped=expand", "grouped=expand: more than 100000 groups");
    file_refused("7767517\n2 2\nInput x 0 1 x 0=4 1=4 2=3\nReLU r 1 1 x y\n", "batch=8",
                 "batch=8: ncnn's blobs have no batch");
    file_refused("7767517\n2 2\nInput x 0 1 x\nReLU r 1 1 x y\n", "batch=1",
                 "its size is not in the file: give it as w=, h= and c=");
}

/* --- the networks of the ncnn project --- */

static const struct file_figures files[] = {
    {"alexnet.param", {13, 5035040, 2323200, 1161600, 2}, {13, 5035040, 2323200, 1161600, 2}},
    {"efficientnet_b0.param",
     {223, 81864448, 9633792, 4816896, 4},
     {173, 61731328, 9633792, 4816896, 4}},
    {"googlenet.param", {119, 41638496, 4816896, 3211264, 5}, {83, 26736224, 4816896, 3211264, 5}},
    {"mobilenet.param", {29, 20178848, 4816896, 3211264, 2}, {29, 20178848, 4816896, 3211264, 2}},
    {"mobilenet_ssd.param",
     {113, 50684892, 15120000, 5760000, 25},
     {69, 37755840, 8640000, 5760000, 19}},
    {"mobilenet_v2.param",
     {85, 30923808, 6021120, 4816896, 3},
     {65, 29192736, 6021120, 4816896, 3}},
    {"nanodet_m.param", {203, 62512000, 3072000, 2457600, 7}, {154, 43804800, 3072000, 2457600, 6}},
    {"resnet18.param", {56, 24993696, 4014080, 3211264, 3}, {40, 17567648, 4014080, 3211264, 3}},
    {"shufflenet_v2.param",
     {123, 18988736, 1505280, 1204224, 3},
     {117, 17295296, 1505280, 1204224, 3}},
    {"squeezenet.param", {54, 20478624, 4071680, 3268864, 3}, {38, 18923168, 4071680, 3268864, 3}},
    {"vgg16.param", {21, 60348320, 25690112, 12845056, 2}, {21, 60348320, 25690112, 12845056, 2}},
    {"yolov4-tiny.param",
     {51, 62383308, 11075584, 5537792, 4},
     {35, 46116044, 11075584, 5537792, 4}},
};

#define FILE_COUNT (sizeof files / sizeof files[0])

/* FROM without the shapes of its outputs, as file TO.  */
static bool strip_shapes(const char *from, const char *to)
{
    char *text, *at;
    size_t length;
    FILE *out;

    if (!file_read(from, 1 << 20, &text, &length, &error))
        return false;
    while ((at = strstr(text, " -23330=")) != NULL) {
        char *end = at + 1 + strcspn(at + 1, " \n");

        memmove(at, end, strlen(end) + 1);
    }
    out = fopen(to, "w");
    if (out != NULL) {
        fputs(text, out);
        fclose(out);
    }
    free(text);
    return out != NULL;
}

/* The shapes in the files are an oracle for those that we work out.  */
static void without_shapes(void)
{
    char *path = memory_printf("t_ncnn_%ld.param", (long)getpid());

    for (size_t i = 0; i < FILE_COUNT; i++) {
        char *file = memory_printf("ncnn/%s", files[i].file);

        if (!tap_skip_without(1, file)) {
            char *from = memory_printf("%s/%s", tap_data(), file);

            if (!strip_shapes(from, path) || !figures_are(path, &files[i].off))
                ok(false, "%s: its shapes, worked out (%s)", files[i].file, error.text);
            free(from);
        }
        free(file);
    }
    unlink(path);
    free(path);
}

int main(void)
{
    figures();
    operators();
    windows();
    views();
    products();
    bad_files();
    notices();
    bindings();
    given();
    figures_of_files("ncnn", files, FILE_COUNT);
    without_shapes();
    return tap_done();
}
