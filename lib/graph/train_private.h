/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of lib/graph/train.h share.  */
#ifndef ARENABENCH_LIB_GRAPH_TRAIN_PRIVATE_H
#define ARENABENCH_LIB_GRAPH_TRAIN_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/graph/network.h"
#include "lib/graph/train.h"
#include "lib/graph/train_rules.h"

struct training {
    const struct network *old; /* the forward pass as it was */
    struct network *network;   /* what it becomes */
    const struct train_options *options;
    size_t *stored;   /* copy of each value that no operator makes */
    size_t *at;       /* copy of each operator: the last one made */
    size_t *slot;     /* which of its operator's outputs a value is */
    bool *needed;     /* a weight, or made of one: it has a gradient */
    size_t *gradient; /* of each old value, as far as it is known, or NETWORK_NONE */
    size_t *parts;    /* gradients of a value that were made so far */
    size_t *segment;  /* of each operator, ascending */
    size_t segments;
    bool *kept; /* values that the backward pass finds where they are */
};

/* --- train_state.c --- */

/* Old value V as it can be read now.  */
size_t training_now(const struct training *training, size_t v);

/* Copies operator O, which then reads what can be read now, as NAME; its first
 * copy's outputs have the old names, others NAME's.  */
void training_copy(struct training *training, size_t o, const char *name);

/* Whether the gradient STEP of operator O, whose outputs have gradients, is to be
 * done: some input has a gradient.  */
bool training_wants(const struct training *training, size_t o, const struct train_step *step);

/* --- train_describe.c --- */

/* Says what operator GRADIENT, the gradient STEP of operator O, computes; it and what it makes are
 * there.  */
void training_describe(struct training *training, size_t o, const struct train_step *step,
                       size_t gradient);

/* --- train_segments.c --- */

/* Cuts the operators into segments and says which values are kept.  */
void training_cut(struct training *training);

/* Makes again what the backward pass of the segment that ends with operator LAST
 * reads and was not kept.  */
void training_again(struct training *training, size_t last);

#endif
