/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the gradient of each operator reads and makes.
 *
 *   convolution, fully connected   weights: input; input: weights
 *   normalisation                  input, scale, saved statistics
 *   relu, relu6, leaky relu,       output
 *     sigmoid, tanh, hard sigmoid
 *   other activations              input
 *   activations with limits        these too
 *   product, matrix product        for each factor the other one
 *   sum, scale, mask               nothing
 *   softmax                        output
 *   max pool, LRN                  input and output
 *   other pools                    nothing
 *   dropout                        mask
 *   gather                         indices
 *   what moves elements            nothing
 *   anything else                  all inputs and outputs
 *
 * beside the gradients of its outputs.  */
#ifndef ARENABENCH_LIB_GRAPH_TRAIN_RULES_H
#define ARENABENCH_LIB_GRAPH_TRAIN_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/graph/network.h"

/* A set of slots; the last bit stands for slot 63 and all after it.  */
typedef uint64_t slot_set;
#define SLOTS_NONE ((slot_set)0)
#define SLOTS_ALL (~SLOTS_NONE)
#define SLOT(i) ((slot_set)1 << (i))

bool slot_in(slot_set set, size_t slot);

/* One operator of the backward pass.  It reads the gradients of all outputs.  */
struct train_step {
    const char *name; /* what follows the name of the forward operator */
    const char *type; /* static text */
    enum op_kind kind;
    slot_set inputs, outputs; /* of the forward operator that it reads */
    slot_set makes;           /* inputs of which it makes the gradient */
    bool replaces;            /* it makes the gradient that the following steps read instead */
    int64_t macs;
};

enum { TRAIN_MAX_STEPS = 3 };

struct train_rule {
    struct train_step step[TRAIN_MAX_STEPS];
    size_t steps;
    slot_set passes; /* inputs whose gradient is that of the outputs, unchanged */
};

/* The rule of operator OP; false where there is none (loops, branches).  */
bool train_rule(const struct network *network, size_t op, struct train_rule *rule);

/* Adds to COPY, an operator of NETWORK that was copied from an inference graph
 * and whose outputs are there, what it does in training beside: it saves
 * statistics, draws a mask.  Its rule means these by the outputs after the first.  What it then
 * computes, it says too.  */
void train_forward(struct network *network, size_t copy);

#endif
