/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all networks of the zoo share: the common parameters, applied.
 *
 *     size_t x = zoo_begin(&zoo, "vgg16", 224, params);
 *     ... layers, with zoo.builder ...
 *     return zoo_end(&zoo, x, error);  */
#ifndef ARENABENCH_WORKLOADS_ZOO_H
#define ARENABENCH_WORKLOADS_ZOO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"
#include "lib/base/params.h"
#include "workloads/builder/builder.h"

struct network;

struct zoo {
    struct builder *builder;
    const struct params *params;
    const char *name;
    const char *measure; /* the parameter that size comes from: "size" or "seq" */
    int64_t size;        /* input height and width; or the number of tokens */
    bool reshape;        /* the softmax head reshapes the classifier's output first */
};

/* Starts a network with an input of three channels; SIZE is its usual height
 * and width.  Returns the input.  */
size_t zoo_begin(struct zoo *zoo, const char *name, int64_t size, const struct params *params);

/* The same with so many CHANNELS, and BATCHES times the batch.  */
size_t zoo_begin_image(struct zoo *zoo, const char *name, int64_t batches, int64_t channels,
                       int64_t size, const struct params *params);

/* Starts a network of tokens, of which its parameter seq says the number; the
 * inputs follow.  It takes no size.  */
void zoo_begin_text(struct zoo *zoo, const char *name, const struct params *params);

/* A convolution R x R with bias that keeps the resolution, and its activation,
 * relu_NAME: the block of the Caffe era.  */
size_t zoo_conv_relu(struct builder *b, const char *name, size_t x, int64_t channels, int64_t r);

/* Refuses, at the end, sizes that do not give SIDE x SIDE at X, which goes to
 * a classifier whose weights are made for that.  */
void zoo_classifier_takes(struct zoo *zoo, size_t x, int64_t side);

/* Adds the head to the classifier's output LOGITS, and finishes, fuses and
 * expands the network; NULL with a message when the size did not fit.  */
struct network *zoo_end(struct zoo *zoo, size_t logits, struct error *error);

/* The same for a detector with COUNT maps as outputs; its head is not a
 * softmax but a logistic function of each.  */
struct network *zoo_end_detector(struct zoo *zoo, const size_t *map, size_t count,
                                 struct error *error);

#endif
