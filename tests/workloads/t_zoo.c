/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parameters of the zoo's networks do, on every network.  */
#include <config.h>

#include "workloads/workload.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/graph/fuse.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/lifetimes/lifetimes.h"
#include "lib/lifetimes/origin.h"
#include "lib/problem/instance.h"
#include "tests/support/instances.h"
#include "tests/support/tap.h"
#include "workloads/builder/builder.h"

static struct network *network_with(const char *name, const char *params, struct error *error)
{
    char *spec = memory_printf("%s%s%s", name, params[0] == '\0' ? "" : ":", params);
    struct network *network = network_from(spec, error);

    free(spec);
    return network;
}

static struct instance *instance_with(const char *name, const char *params)
{
    struct error error = {""};
    struct network *network = network_with(name, params, &error);
    struct lifetime_options options = {.io = IO_BOTH, .weights = true};

    if (network == NULL)
        tap_diag("%s:%s: %s", name, params, error.text);
    return network == NULL
               ? NULL
               : lifetimes_instance(network, schedule_file_order(network), &options, &error);
}

/* Every combination of the options that change the graph.  */
static void combinations(const char *name)
{
    static const char *const fuse[] = {"none", "bn", "all"};
    static const char *const rest[] = {"grouped=keep,head=logits", "grouped=keep,head=softmax",
                                       "grouped=expand,head=logits", "grouped=expand,head=softmax"};
    int64_t macs = 0;

    for (size_t r = 0; r < sizeof rest / sizeof rest[0]; r++) {
        size_t ops = SIZE_MAX;

        for (size_t f = 0; f < sizeof fuse / sizeof fuse[0]; f++) {
            char *params = memory_printf("fuse=%s,%s", fuse[f], rest[r]);
            struct error error = {""};
            struct network *network = network_with(name, params, &error);
            struct instance *instance = instance_with(name, params);

            ok(network != NULL && network_check(network, &error), "%s:%s is a network", name,
               params);
            ok(instance != NULL && instance->load > 0 && instance->load <= instance->total &&
                   instance->width <= (int64_t)instance->n && !instance->shapes,
               "%s:%s is an instance", name, params);
            ok(network->n_ops <= ops, "%s:%s: fusing more leaves no more operators", name, params);
            ops = network->n_ops;
            if (macs == 0)
                macs = network_macs(network);
            is_int(network_macs(network), macs, "%s:%s: work stays", name, params);
            network_free(network);
            instance_free(instance);
            free(params);
        }
    }
}

/* Sizes of the buffers of two instances: SCALE times as large where SCALES.
 * Token ids have an element type of their own.  */
static bool scaled(const struct instance *one, const struct instance *many, int64_t factor,
                   int64_t divisor, bool weights)
{
    const struct network *network = one->origin->network;

    if (one->n != many->n)
        return false;
    for (size_t b = 0; b < one->n; b++) {
        const struct value *value = &network->value[one->origin->value[b]];
        bool scales = weights ? value->dtype == DTYPE_F32
                              : value->role == VALUE_INPUT || value->role == VALUE_ACTIVATION;

        if (many->buffer[b].size * divisor != one->buffer[b].size * (scales ? factor : divisor) ||
            many->buffer[b].begin != one->buffer[b].begin ||
            many->buffer[b].end != one->buffer[b].end)
            return false;
    }
    return true;
}

static void scaling(const char *name)
{
    struct instance *one = instance_with(name, ""), *batch = instance_with(name, "batch=7");
    struct instance *half = instance_with(name, "dtype=f16"),
                    *byte = instance_with(name, "dtype=i8");

    ok(scaled(one, batch, 7, 1, false), "%s: a batch of 7 scales all but the weights", name);
    ok(scaled(one, half, 1, 2, true), "%s: f16 halves every buffer", name);
    ok(scaled(one, byte, 1, 4, true), "%s: i8 quarters every buffer", name);
    instance_free(one);
    instance_free(batch);
    instance_free(half);
    instance_free(byte);
}

/* What a network says that needs more than a large enough image: resolutions
 * that halve evenly, or no image at all.  */
static bool choosy(const char *message)
{
    return strstr(message, "cannot be joined") != NULL || strstr(message, "patches") != NULL ||
           strstr(message, "halves it") != NULL || strstr(message, "no images") != NULL;
}

/* Small sizes are refused by name; from the first that is taken on, all are,
 * but for choosy networks.  */
static void sizes(const char *name)
{
    const int step = tap_tier(9, 1);
    struct network *network;
    struct error error = {""};
    bool taken = false, sound = true;

    for (int size = 1; size <= 160; size += step) {
        char *params = memory_printf("size=%d", size);

        network = network_with(name, params, &error);
        sound = sound && (network != NULL ||
                          (strstr(error.text, params) != NULL && (!taken || choosy(error.text))));
        taken = taken || network != NULL;
        network_free(network);
        free(params);
    }
    ok(sound, "%s: sizes that are too small are refused by name", name);
    network = network_with(name, "size=0", &error);
    ok(network != NULL, "%s: size=0 is the usual one", name);
    network_free(network);
}

static void is_refused(const char *name, const char *params, const char *what)
{
    struct error error = {""};
    struct network *network = network_with(name, params, &error);

    ok(network == NULL && strstr(error.text, what) != NULL, "%s:%s: %s", name, params, error.text);
    network_free(network);
}

static void refusals(void)
{
    struct error error = {""};
    struct network *network;

    is_refused("vgg16", "size=256",
               "vgg16: size=256: 8 x 8 before the classifier, which takes 7 x 7");
    is_refused("vgg19", "size=223", "6 x 6 before the classifier, which takes 7 x 7");
    is_refused("alexnet", "size=256", "7 x 7 before the classifier, which takes 6 x 6");
    is_refused("resnet50", "size=-1", "size=-1");
    is_refused("resnet50", "batch=0", "batch=0");
    is_refused("resnet50", "batch=4000000000000000", "overflows");
    is_refused("vgg16", "batch=3,size=9", "vgg16: batch=3,size=9: block4_pool");
    is_refused("resnet50", "stride=2x2", "3x3|1x1");
    is_refused("inception_v3", "size=74", "size=74");
    is_refused("unet", "size=570", "unet: size=570: 279 x 279 before a pool, which halves it");
    is_refused("yolov3-tiny", "size=400", "cannot be joined");
    is_refused("vit_b_16", "size=225", "patches of 16 x 16");
    is_refused("gpt2", "size=224", "gpt2: size=224: it reads no images, but seq tokens");
    is_refused("gpt2", "seq=1025", "gpt2: seq=1025: wpe_add: there are positions for 1024");
    is_refused("bert_base", "batch=2,seq=513", "bert_base: batch=2,seq=513");
    is_refused("bert_base", "batch=4000000000000000", "overflows");
    is_refused("resnet50_two_streams", "batch=8000000000000000000", "overflows");
    /* 224 is what VGG takes, and what gives the same number of rows.  */
    network = network_with("vgg16", "size=230", &error);
    ok(network != NULL, "vgg16 takes 230, whose last row and column fall away");
    network_free(network);
}

/* Grouped convolutions: 16 blocks of ResNeXt, each one operator or 34.  */
static void groups(void)
{
    struct error error = {""};
    struct network *keep = network_with("resnext50_32x4d", "fuse=all", &error);
    struct network *expand = network_with("resnext50_32x4d", "fuse=all,grouped=expand", &error);
    struct network *depthwise = network_with("mobilenet_v2", "fuse=all,grouped=expand", &error);
    struct network *plain = network_with("mobilenet_v2", "fuse=all", &error);

    is_int((int64_t)(expand->n_ops - keep->n_ops), 16 * 33, "resnext50_32x4d, expanded");
    is_int(network_parameters(expand), network_parameters(keep), "with the same parameters");
    is_int((int64_t)depthwise->n_ops, (int64_t)plain->n_ops, "depthwise ones stay");
    network_free(keep);
    network_free(expand);
    network_free(depthwise);
    network_free(plain);
}

/* A chain with skips of 20,000 operators: no pass may be quadratic in them.
 * (Nothing is timed; a quadratic pass would be felt in the test's run.)  */
static void large(void)
{
    const int blocks = tap_tier(500, 5000);
    struct builder *b = builder_new("large", DTYPE_F32);
    size_t x = builder_input(b, "x", 4, (const int64_t[]){1, 4, 8, 8});
    struct lifetime_options options = {.io = IO_NONE, .alias = true};
    struct network *network;
    struct instance *instance;
    struct error error = {""};

    for (int i = 0; i < blocks; i++) {
        size_t y;

        builder_push(b, "%d.", i);
        y = builder_conv(b, "conv", x, 4, .r = 3, .pad = 1);
        y = builder_batch_norm(b, "bn", y);
        y = builder_add(b, "add", y, x);
        x = builder_relu(b, "relu", y);
        builder_pop(b);
    }
    builder_output(b, x);
    network = network_fuse(builder_finish(b, &error), FUSE_ALL);
    is_int((int64_t)network->n_ops, 2 * blocks, "two fused operators a block");
    instance = lifetimes_instance(network, schedule_file_order(network), &options, &error);
    is_int((int64_t)instance->n, 2 * blocks - 1, "and their tensors");
    is_int(instance->load, 3 * 4 * 64 * 4, "what a block reads, makes and keeps");
    instance_free(instance);
}

int main(void)
{
    for (size_t f = 0; network_registry[f] != NULL; f++)
        for (size_t m = 0; network_registry[f]->model[m].name != NULL; m++) {
            combinations(network_registry[f]->model[m].name);
            scaling(network_registry[f]->model[m].name);
            sizes(network_registry[f]->model[m].name);
        }
    refusals();
    groups();
    large();
    return tap_done();
}
