/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The real ONNX files: figures that were worked out without this project, from
 * the files as protoc prints them and the shapes that ONNX's own library
 * infers.  And the ResNet-50 among them against the one that is built in.  */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/graph/control.h"
#include "lib/graph/network.h"
#include "lib/lifetimes/origin.h"
#include "lib/problem/instance.h"
#include "tests/support/figures.h"
#include "tests/support/instances.h"
#include "tests/support/tap.h"
#include "workloads/readers/onnx/file/model.h"

/* The instance that SPEC, a file with parameters, names, or NULL where the file is
 * missing or bad.  */
static struct instance *real_instance(const char *spec)
{
    char *file = memory_printf("%.*s", (int)strcspn(spec, ":"), spec);
    char *full = memory_printf("data:%s", spec);
    bool skipped = tap_skip_without(1, file);
    struct instance *instance = NULL;
    struct error error = {""};

    if (!skipped) {
        instance = instance_from(full, &error);
        ok(instance != NULL, "%s %s", full, error.text);
    }
    free(file);
    free(full);
    return instance;
}

static void check_figures(void)
{
    static const struct {
        const char *spec;
        struct figures figures;
        int64_t steps;
    } table[] = {
        {"onnx/light_bvlc_alexnet.onnx", {23, 7198624, 2239488, 1119744, 2}, 24},
        {"onnx/light_bvlc_alexnet.onnx:alias=on", {20, 7128992, 2239488, 1119744, 2}, 24},
        {"onnx/light_inception_v2.onnx", {370, 84539936, 6422528, 3211264, 5}, 371},
        {"onnx/light_inception_v2.onnx:alias=on", {369, 84535840, 6422528, 3211264, 5}, 371},
        {"onnx/light_resnet50.onnx", {175, 150247328, 9633792, 3211264, 3}, 176},
        {"onnx/light_resnet50.onnx:alias=on", {174, 150239136, 9633792, 3211264, 3}, 176},
        {"onnx/light_shufflenet.onnx", {202, 57067872, 3110912, 1404928, 3}, 203},
        {"onnx/light_shufflenet.onnx:alias=on", {169, 46792160, 3110912, 1404928, 3}, 203},
        {"onnx/light_squeezenet.onnx", {65, 28187616, 6308352, 3154176, 3}, 66},
        {"onnx/light_squeezenet.onnx:alias=on", {64, 27841504, 6308352, 3154176, 3}, 66},
        /* One operator each, whose results are the network's outputs.  */
        {"onnx-control/test_if.onnx", {0, 0, 0, 0, 0}, 1},
        {"onnx-control/test_lstm_defaults.onnx", {0, 0, 0, 0, 0}, 1},
    };

    const struct error none = {""};

    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct instance *instance = real_instance(table[i].spec);

        if (instance == NULL)
            continue;
        figures_match(table[i].spec, instance, &none, &table[i].figures);
        if (instance->origin != NULL) /* a network with branches has none */
            is_int((int64_t)instance->origin->network->n_ops, table[i].steps, "steps");
        instance_free(instance);
    }
}

/* The loops among them: the sum and running sums of a vector's first elements,
 * and of a matrix's rows.  What their bodies need is the business of lib/lifetimes/loops.h.  */
static void loops(void)
{
    static const struct {
        const char *file;
        int64_t trips, inside, outputs;
    } table[] = {
        {"onnx-control/test_loop11.onnx", 5, 7, 2},
        {"onnx-control/test_scan9_sum.onnx", 3, 2, 2},
    };

    for (size_t i = 0; i < 2; i++) {
        struct error error = {""};
        struct network *network;
        char *spec;

        if (tap_skip_without(1, table[i].file))
            continue;
        spec = memory_printf("data:%s", table[i].file);
        network = network_from(spec, &error);
        ok(network != NULL, "%s %s", spec, error.text);
        free(spec);
        if (network == NULL)
            continue;
        is_int((int64_t)network->n_ops, 1, "one operator");
        is_int(network->op[0].control->trips, table[i].trips, "iterations");
        is_int((int64_t)network->op[0].control->body[0].network->n_ops, table[i].inside,
               "operators in its body, constants folded");
        is_int((int64_t)network->op[0].outputs, table[i].outputs, "results");
        network_free(network);
    }
}

/* These files are for one image each.  With a batch of 8 each buffer is eight times as large, and
 * lives as long.  */
static void batches(void)
{
    static const char *const file[] = {
        "onnx/light_bvlc_alexnet.onnx", "onnx/light_inception_v2.onnx", "onnx/light_resnet50.onnx",
        "onnx/light_shufflenet.onnx",   "onnx/light_squeezenet.onnx",
    };

    for (size_t i = 0; i < sizeof file / sizeof file[0]; i++) {
        char *batch = memory_printf("%s:batch=8", file[i]);
        struct instance *one = real_instance(file[i]);
        struct instance *eight = one != NULL ? real_instance(batch) : NULL;
        bool as_large = eight != NULL && eight->n == one->n;

        for (size_t b = 0; as_large && b < one->n; b++)
            as_large = eight->buffer[b].size == 8 * one->buffer[b].size &&
                       eight->buffer[b].begin == one->buffer[b].begin &&
                       eight->buffer[b].end == one->buffer[b].end;
        if (one != NULL)
            ok(as_large, "%s: each buffer eight times as large", batch);
        instance_free(one);
        instance_free(eight);
        free(batch);
    }
}

/* --- models that npm packages ship --- */

/* Operators of TYPE.  */
static int64_t count_ops(const struct network *network, const char *type)
{
    int64_t count = 0;

    for (size_t o = 0; o < network->n_ops; o++)
        count += strcmp(network->op[o].type, type) == 0;
    return count;
}

/* Elements of the network's output I.  */
static int64_t output_elements(const struct network *network, size_t i)
{
    for (size_t v = 0; v < network->n_values; v++)
        if (network->value[v].output && i-- == 0)
            return value_elements(&network->value[v]);
    return -1;
}

/* The network of FILE with the parameters GIVEN, or NULL with a message.  */
static struct network *npm_network(const char *file, const char *given, struct error *error)
{
    char *spec = memory_printf("data:%s:%s", file, given);
    struct network *network = network_from(spec, error);

    free(spec);
    return network;
}

static void refuses(const char *file, const char *given, const char *message)
{
    struct error error = {""};
    struct network *network = npm_network(file, given, &error);

    ok(network == NULL && strstr(error.text, message) != NULL, "%s", error.text);
    network_free(network);
}

/* Silero's detection of voice, which has a network for each rate: a Fourier transform whose window
 * is half of the samples and moves by half of that, four convolutions, a recurrent cell, a
 * convolution.  Its frames are the samples and an eighth of them mirrored.  */
static void voice(void)
{
    static const char *const file = "npm/silero_vad_v5.onnx";
    static const struct {
        const char *given;
        int64_t batch, window;
    } cases[] = {
        {"sr=16000,input.0=1,input.1=512,state.1=1", 1, 256},
        {"sr=16000,batch=3,input.1=512,state.1=3", 3, 256},
        {"sr=8000,input.0=1,input.1=256,state.1=1", 1, 128},
    };

    if (tap_skip_without(1, file))
        return;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct error error = {""};
        struct network *network = npm_network(file, cases[i].given, &error);

        if (!ok(network != NULL, "%s %s", cases[i].given, error.text))
            continue;
        is_int(count_ops(network, "if"), 0, "no branch is left");
        is_int(count_ops(network, "conv"), 6, "convolutions of one rate");
        is_int(count_ops(network, "lstm"), 1, "its recurrent cell");
        is_int(value_elements(&network->value[network->op[2].output[0]]),
               cases[i].batch * (cases[i].window + 2) * 3, "real and imaginary parts of 3 frames");
        is_int(output_elements(network, 0), cases[i].batch, "a probability for each");
        is_int(output_elements(network, 1), cases[i].batch * 2 * 128, "the state");
        network_free(network);
    }
    refuses(file, "sr=16000,state.1=1", "input.0, input.1: give each a number, as in ");
    refuses(file, "sr=16000,state.1=1", ":sr=16000,state.1=1,input.0=1,input.1=1");
    refuses(file, "input.0=1,input.1=512,state.1=1", "values that can be given: sr");
}

/* PaddleOCR's finder of text, whose result is as large as the image, and which way up text is.  */
static void text_in_images(void)
{
    static const struct {
        const char *file, *given;
        int64_t elements;
    } cases[] = {
        {"npm/ch_PP-OCRv4_det_infer.onnx", "batch=2,x.2=96,x.3=160", 2 * 96 * 160},
        {"npm/ch_PP-OCRv4_det_infer.onnx",
         "p2o.DynamicDimension.0=1,p2o.DynamicDimension.1=640,p2o.DynamicDimension.2=640",
         640 * 640},
        {"npm/ch_ppocr_mobile_v2.0_cls_infer.onnx", "batch=5,x.2=48,x.3=192", 5 * 2},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct error error = {""};
        struct network *network;

        if (tap_skip_without(1, cases[i].file))
            continue;
        network = npm_network(cases[i].file, cases[i].given, &error);
        if (ok(network != NULL, "%s %s", cases[i].given, error.text))
            is_int(output_elements(network, 0), cases[i].elements, "its result");
        network_free(network);
    }
}

/* The step of the file's Reshape, which the built-in network does not have.  */
static int64_t reshape_step(const struct instance *instance)
{
    for (size_t o = 0; o < instance->origin->network->n_ops; o++)
        if (strcmp(instance->origin->network->op[o].type, "reshape") == 0)
            return (int64_t)o;
    return INT64_MAX;
}

static void same_buffers(const struct instance *file, const struct instance *built)
{
    int64_t reshape = reshape_step(file);
    bool sizes = file->n == built->n, lifetimes = sizes;

    for (size_t i = 0; i < built->n && sizes; i++) {
        const struct buffer *a = &file->buffer[i], *b = &built->buffer[i];

        sizes = a->size == b->size;
        lifetimes = lifetimes && a->begin - (a->begin > reshape) == b->begin &&
                    a->end - (a->end > reshape) == b->end;
    }
    ok(sizes, "the same sequence of sizes");
    ok(lifetimes, "the same lifetimes");
    is_int(file->load, built->load, "the same load");
    is_int(file->width, built->width, "the same width");
}

static void resnet50(void)
{
    static const char *const fuse[] = {"none", "bn", "all"};

    if (tap_skip_without(1, "onnx/light_resnet50.onnx"))
        return;
    for (size_t i = 0; i < 3; i++) {
        char *first = memory_printf("data:onnx/light_resnet50.onnx:fuse=%s,alias=on", fuse[i]);
        char *second = memory_printf("resnet50:head=softmax,fuse=%s,alias=on", fuse[i]);
        struct instance *file = instance_of(first), *built = instance_of(second);

        same_buffers(file, built);
        is_int(network_macs(file->origin->network), network_macs(built->origin->network),
               "the same multiply-accumulates");
        is_int(network_parameters(file->origin->network),
               network_parameters(built->origin->network), "the same parameters");
        instance_free(file);
        instance_free(built);
        free(first);
        free(second);
    }
}

int main(void)
{
    if (!onnx_available()) {
        tap_skip(1, "built without protobuf-c and onnx.proto");
        return tap_done();
    }
    check_figures();
    loops();
    batches();
    voice();
    text_in_images();
    resnet50();
    return tap_done();
}
