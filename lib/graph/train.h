/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Training graphs: a network's forward pass, a loss, the backward pass in
 * reverse file order and an optimiser, as one network in the order of a step of
 * training.  Every pass, order and planner applies to it as to any other.
 *
 *   Gradients.  Each operator's gradient reads what it needs of the forward
 *   pass and no more (lib/graph/train_rules.h).  A value with several readers has
 *   their gradients added, each as soon as there is one to add it to.  A weight's
 *   gradient comes before its operator's gradient of the input.  Where a gradient
 *   is the same as another (both inputs of an addition), they are one value.
 *
 *   Loss.  For each output of the network that weights lead to, an operator with
 *   the output and its labels as inputs: cross entropy over the classes, which
 *   are dimension 1, or the last of three (tokens).  It stands for any loss that
 *   needs a prediction and a target.  It saves logarithms of probabilities for
 *   its gradient, unless the network ends with a softmax.  The sum is the only
 *   output of the training graph.
 *
 *   Optimiser.  One operator a weight reads the weight, its gradient and its
 *   state and writes weight and state where they are; its own output is a token
 *   of size 0.  State is stored as running means are: VALUE_STATISTIC.
 *
 *   Checkpointing (Chen, Xu, Zhang and Guestrin, "Training deep nets with
 *   sublinear memory cost", arXiv:1604.06174, 2016).  The operators in file order
 *   are cut into segments.  What is read in a later segment is kept; all else is
 *   dropped after the segment's forward pass, and what its backward pass needs
 *   is made again before that.  The last segment drops nothing.  A segment ends
 *   at the first place, after k operators at least, where only one value goes
 *   on (on a chain everywhere, in a residual network between blocks), and where
 *   there is none, after 2 k operators, with all that goes on kept.  */
#ifndef ARENABENCH_LIB_GRAPH_TRAIN_H
#define ARENABENCH_LIB_GRAPH_TRAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/error.h"

struct network;

enum optimizer {
    OPTIMIZER_SGD,      /* no state */
    OPTIMIZER_MOMENTUM, /* one value of the weight's shape */
    OPTIMIZER_ADAM,     /* two */
    OPTIMIZER_NONE      /* no training: not for network_train */
};

#define TRAIN_SEGMENT_SQRT INT64_C(-1)

struct train_options {
    enum optimizer optimizer;
    bool eager;      /* a weight is updated when its gradient is there, not after all are */
    int64_t segment; /* k of checkpointing; 0: none; TRAIN_SEGMENT_SQRT: the square root of
                        the number of operators, rounded up */
};

/* Takes over NETWORK, which has passed network_check.  NULL with a message when
 * it has nothing to train or a loop in the way.  */
struct network *network_train(struct network *network, const struct train_options *options,
                              struct error *error);

#endif
