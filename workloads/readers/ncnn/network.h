/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the layers of an ncnn .param file to a network.
 *
 * Layers are operators in file order; `Input` and `MemoryData` make network
 * inputs and constants, and layers that only read constants are folded into
 * constants.  Blobs that nobody reads are the network's outputs, as in ncnn.
 * Images are 1 x C x H x W.  */
#ifndef ARENABENCH_WORKLOADS_READERS_NCNN_NETWORK_H
#define ARENABENCH_WORKLOADS_READERS_NCNN_NETWORK_H

#include <stdint.h>
#include <stdio.h>

#include "lib/base/error.h"
#include "lib/graph/network.h"
#include "workloads/readers/ncnn/param.h"

struct ncnn_options {
    enum dtype dtype; /* of every blob */
    int64_t w, h, c;  /* of the inputs, 0: as in the file */
};

/* The network, checked, or NULL.  Shapes that the file states are taken; where
 * they differ from what the layer's parameters give, NOTICES hears of it.  Inputs of
 * another size than the file's make all shapes be worked out anew.  */
struct network *ncnn_network(const struct ncnn_model *model, const char *name,
                             const struct ncnn_options *options, FILE *notices,
                             struct error *error);

#endif
