/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The zoo against published and independently computed figures.  */
#include <config.h>

#include "workloads/workload.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/graph/network.h"
#include "lib/problem/instance.h"
#include "tests/support/instances.h"
#include "tests/support/tap.h"

#define MIB 1048576.0

/* A number of bytes as MiB with three decimals, as the tables print it.  */
static void is_mib(int64_t bytes, const char *want, const char *spec, const char *what)
{
    char got[32];

    snprintf(got, sizeof got, "%.3f", (double)bytes / MIB);
    is_text(got, want, "%s: %s in MiB", spec, what);
}

/* Intermediate tensors at f32 and batch 1: their number, the sum of their
 * sizes and the load.  Computed independently of this project from the
 * reference implementations' graphs; the loads under fuse=none by hand: two
 * maps of 64 x 112 x 112, three of 256 x 56 x 56, two of 64 x 224 x 224, and
 * in DenseNet three of 224 x 56 x 56 (what the last layer of the first block
 * reads and keeps, normalised, activated).  */
static void tensors(void)
{
    static const struct {
        const char *spec;
        int64_t n;
        const char *sum, *load;
    } row[] = {
        {"mobilenet_v1:head=softmax,fuse=all", 30, "19.248", "4.594"},
        {"mobilenet_v1:head=softmax,fuse=bn", 57, "38.484", "6.125"},
        {"mobilenet_v1:head=softmax,fuse=none", 84, "57.721", "6.125"},
        {"resnet50:fuse=all", 71, "64.225", "9.188"},
        {"resnet50:fuse=bn", 120, "100.879", "9.188"},
        {"resnet50:fuse=none", 173, "143.275", "9.188"},
        {"vgg16:head=softmax,fuse=all", 21, "57.553", "24.500"},
        {"vgg16:head=softmax,fuse=bn", 36, "109.264", "24.500"},
        {"vgg16:head=softmax,fuse=none", 36, "109.264", "24.500"},
        {"googlenet:head=softmax,fuse=all", 83, "25.498", "4.594"},
        {"googlenet:head=softmax,fuse=bn", 140, "37.804", "6.125"},
        {"googlenet:head=softmax,fuse=none", 140, "37.804", "6.125"},
        {"densenet121:fuse=all", 245, "106.809", "6.891"},
        {"densenet121:fuse=bn", 304, "126.332", "6.891"},
        {"densenet121:fuse=none", 425, "186.099", "8.039"},
    };

    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct error error = {""};
        struct instance *instance = instance_from(row[i].spec, &error);

        if (!ok(instance != NULL, "%s builds %s", row[i].spec, error.text))
            continue;
        is_int((int64_t)instance->n, row[i].n, "%s: tensors", row[i].spec);
        is_mib(instance->total, row[i].sum, row[i].spec, "sum");
        is_mib(instance->load, row[i].load, row[i].spec, "load");
        instance_free(instance);
    }
}

/* A number in thousands of millions with DECIMALS decimals.  */
static void is_giga(int64_t number, int decimals, const char *want, const char *spec)
{
    char got[32];

    snprintf(got, sizeof got, "%.*f", decimals, (double)number / 1e9);
    is_text(got, want, "%s: multiply-accumulates, 10^9", spec);
}

/* Trained parameters and multiply-accumulates (of convolutions and fully
 * connected layers) for one image.  Sources:
 *   TV     torchvision's documentation of pre-trained models (num_params and
 *          "GFLOPS", which are multiply-accumulates); inception_v3's
 *          27,161,264 there less the auxiliary classifier, which has two
 *          normalised convolutions, 768 to 128 (1x1) and to 768 (5x5), and
 *          a fully connected layer: 3,326,696
 *   timm   the benchmark table of pytorch-image-models (infer_gmacs)
 *   Keras  model.summary(): trainable parameters
 *   paper  MobileNets, table 8 (569 million multiply-adds); its 1001st class
 *          adds 1024 weights and a bias to Keras' 1000
 *   HF     the transformers library's num_parameters() of bert-base-uncased and
 *          gpt2; two classes add 2 * 768 weights and two biases to the former
 *   MobileBERT   Sun et al., ACL 2020, table of BERT models: 22.5 * 10^9
 *          operations for 128 tokens, two a multiply-accumulate
 *   gpt2   291,648,307,200 operations forward for 1024 tokens, two a multiply-
 *          accumulate: the count that goes with the nanoGPT project
 *   YOLO   yolov3-tiny: the 35,434,956 bytes of yolov3-tiny.weights are a head of
 *          20 and 8,858,734 floats, of which 6368 are running means and
 *          variances; 5.56 * 10^9 operations in the table on the authors' page.
 *          yolov4-tiny: trainable parameters of its Keras port; "Total BFLOPS
 *          6.910" of darknet, less 0.003 for the pools
 *   U-Net  model.summary() of Keras models after the paper's figure 1; its
 *          work worked out from that figure, by hand
 *   LM     by hand, for 35 words: 10,000 x 650 for the words, (4 or 3) 650 gates of
 *          1300 inputs and a bias a layer, (650 + 1) 10,000 for the scores
 *   BVLC   the weights in bvlc_googlenet.caffemodel without the auxiliary
 *          heads; netscope's summary of that model has 1.6 * 10^9 (the rows
 *          of the paper's own table follow below)  */
static void work(void)
{
    static const struct {
        const char *name;
        int64_t parameters; /* and their source: */
        int decimals;
        const char *macs; /* and their source */
    } row[] = {
        {"alexnet", 61100840, 3, "0.714"},                /* TV, TV */
        {"vgg16", 138357544, 3, "15.470"},                /* TV, TV */
        {"vgg19", 143667240, 3, "19.632"},                /* TV, TV */
        {"resnet18", 11689512, 3, "1.814"},               /* TV, TV */
        {"resnet34", 21797672, 3, "3.664"},               /* TV, TV */
        {"resnet50", 25557032, 3, "4.089"},               /* TV, TV */
        {"resnet101", 44549160, 3, "7.801"},              /* TV, TV */
        {"resnet152", 60192808, 3, "11.514"},             /* TV, TV */
        {"resnext50_32x4d", 25028904, 3, "4.230"},        /* TV, TV */
        {"googlenet", 6998552, 1, "1.6"},                 /* BVLC, BVLC */
        {"inception_v3", 27161264 - 3326696, 3, "5.713"}, /* TV, TV */
        {"mobilenet_v1", 4231976 + 1025, 3, "0.569"},     /* Keras and paper, paper */
        {"mobilenet_v2", 3504872, 3, "0.301"},            /* TV, TV */
        {"xception", 22855952, 1, "8.4"},                 /* Keras, timm */
        {"densenet121", 7978856, 3, "2.834"},             /* TV, TV */
        {"squeezenet1_0", 1248424, 3, "0.819"},           /* TV, TV */
        {"squeezenet1_1", 1235496, 3, "0.349"},           /* TV, TV */
        {"efficientnet_b0", 5288548, 3, "0.386"},         /* TV, TV */
        {"mobilenet_v3_large", 5483032, 3, "0.217"},      /* TV, TV */
        {"mobilenet_v3_small", 2542856, 3, "0.057"},      /* TV, TV */
        {"shufflenet_v2_x1_0", 2278604, 3, "0.145"},      /* TV, TV */
        {"vit_b_16", 86567656, 3, "17.564"},              /* TV, TV */
        {"resnet50_two_streams", 25557032, 3, "8.178"},   /* TV, TV: two images */
        {"yolov3-tiny", 8858734 - 6368, 2, "2.78"},       /* YOLO, YOLO */
        {"yolov4-tiny", 6056606, 2, "3.45"},              /* YOLO, YOLO */
        {"unet", 31030658, 3, "150.428"},                 /* U-Net, U-Net */
        {"bert_base", 109482240 + 1538, 1, "11.2"},       /* HF and 2 classes, MobileBERT */
        {"gpt2:seq=1024", 124439808, 6, "145.824154"},    /* HF, below */
        {"lstm_lm", 19775200, 4, "0.4641"},               /* LM, LM */
        {"gru_lm", 18083900, 4, "0.4049"},                /* LM, LM */
    };
    size_t models = 0;

    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct error error = {""};
        struct network *network = network_from(row[i].name, &error);

        if (!ok(network != NULL, "%s builds %s", row[i].name, error.text))
            continue;
        is_int(network_parameters(network), row[i].parameters, "%s: parameters", row[i].name);
        is_giga(network_macs(network), row[i].decimals, row[i].macs, row[i].name);
        network_free(network);
    }
    for (size_t f = 0; network_registry[f] != NULL; f++)
        for (size_t m = 0; network_registry[f]->model[m].name != NULL; m++)
            models++;
    is_int((int64_t)models, (int64_t)(sizeof row / sizeof row[0]), "no network without figures");
}

/* Stored beside the parameters: Keras' non-trainable ones, model.summary().  */
static void statistics(void)
{
    static const struct {
        const char *name;
        int64_t elements;
    } row[] = {{"mobilenet_v1", 21888}, {"xception", 54528}};

    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct network *network = network_of(row[i].name);
        int64_t elements = 0;

        for (size_t v = 0; v < network->n_values; v++)
            if (network->value[v].role == VALUE_STATISTIC)
                elements += value_elements(&network->value[v]);
        is_int(elements, row[i].elements, "%s: running means and variances", row[i].name);
        network_free(network);
    }
}

/* Multiply-accumulates of GoogLeNet by row, in millions: table 1 of the paper,
 * column "ops".  Its first convolution and module 5a are left out, because
 * what the table prints for them does not follow from its own channels.  */
static void googlenet_rows(void)
{
    static const struct {
        const char *prefix;
        double millions;
    } row[] = {
        {"conv2/", 360},        {"inception_3a/", 128}, {"inception_3b/", 304},
        {"inception_4a/", 73},  {"inception_4b/", 88},  {"inception_4c/", 100},
        {"inception_4d/", 119}, {"inception_4e/", 170}, {"inception_5b/", 71},
        {"loss3/", 1},
    };
    struct network *network = network_of("googlenet");

    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        double macs = 0;

        for (size_t o = 0; o < network->n_ops; o++)
            if (strncmp(network->op[o].name, row[i].prefix, strlen(row[i].prefix)) == 0)
                macs += (double)network->op[o].macs;
        ok(fabs(macs / 1e6 - row[i].millions) < 1, "googlenet: %s has %.1f of %.0f million",
           row[i].prefix, macs / 1e6, row[i].millions);
    }
    network_free(network);
}

/* Feature memory as the convnet-burden project publishes it (README, column
 * "feature memory", whole MB that are MiB): all that is computed or read,
 * input and output included, with activations in place.  Its ResNets have the
 * paper's strides and its AlexNet 227 x 227 pixels and two towers.  Printed
 * figures are met within 1 % or half a unit.  */
static void features(void)
{
    static const struct {
        const char *spec;
        double mib;
    } row[] = {
        {"vgg16:head=softmax", 58},
        {"vgg19:head=softmax", 63},
        {"googlenet:head=softmax", 26},
        {"resnet50:head=softmax,stride=1x1", 103},
        {"resnet101:head=softmax,stride=1x1", 155},
        {"resnet152:head=softmax,stride=1x1", 219},
        {"resnext50_32x4d:head=softmax", 132},
        {"densenet121", 126},
        {"resnet18", 23},
        {"resnet34", 35},
        {"alexnet:head=softmax", 3},
        {"squeezenet1_0", 30},
        {"squeezenet1_1", 17},
    };

    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct network *network = network_of(row[i].spec);
        double mib = 0;

        for (size_t v = 0; v < network->n_values; v++) {
            const struct value *value = &network->value[v];
            bool computed = value->role == VALUE_ACTIVATION &&
                            network->op[value->producer].kind != OP_ACTIVATION;

            if (computed || value->role == VALUE_INPUT)
                mib += (double)value_bytes(value) / MIB;
        }
        ok(fabs(mib - row[i].mib) <= fmax(0.5, row[i].mib / 100), "%s: %.3f of %.0f MiB",
           row[i].spec, mib, row[i].mib);
        network_free(network);
    }
}

/* Lee and Pisarchyk, "Optimizing TensorFlow Lite runtime memory", TensorFlow
 * blog, 2020, figure 1: MobileNet v2's 65 intermediate tensors take about 26
 * MB.  */
static void mobilenet_v2(void)
{
    struct instance *instance = instance_of("mobilenet_v2:head=softmax,fuse=all");

    is_int((int64_t)instance->n, 65, "mobilenet_v2: tensors");
    is_int(lround((double)instance->total / MIB), 26, "mobilenet_v2: their sum in MiB");
    instance_free(instance);
}

int main(void)
{
    tensors();
    work();
    statistics();
    googlenet_rows();
    features();
    mobilenet_v2();
    return tap_done();
}
