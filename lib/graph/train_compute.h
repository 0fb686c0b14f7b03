/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the operators of a training graph compute, for those who run it (lib/graph/computation.h).
 * No standard set has them, so their names begin with a dot.
 *
 *   .NAMEGrad            the gradient of operator NAME (or .NAME), whose version and attributes it
 *                        has.  Inputs: the gradients of NAME's outputs, NAME's inputs, NAME's
 *                        outputs; outputs: the gradients of NAME's inputs.  What the gradient does
 *                        not read or make is left out, as are the gradients of outputs that have
 *                        none.  Of a concatenation or split there is an attribute `elements`: how
 *                        many each part has.
 *   .BatchNormalization, .LayerNormalization
 *                        input, scale, shift -> output, means, 1 / deviations: by the statistics
 *                        of the input itself
 *   .CrossEntropyLoss    scores, labels -> the mean loss, the logarithms of the softmax along
 *                        attribute `axis`
 *   .LikelihoodLoss      probabilities, labels -> the mean loss
 *   .Sgd, .Momentum, .Adam
 *                        weight, gradient, state -> a token without elements; they write weight
 *                        and state where these are.  Attributes `rate`, `momentum`, `beta1`,
 *                        `beta2`, `epsilon`.
 *
 * A loss's gradient is that of the sum of all losses, so it reads no gradient: it would be 1.  */
#ifndef ARENABENCH_LIB_GRAPH_TRAIN_COMPUTE_H
#define ARENABENCH_LIB_GRAPH_TRAIN_COMPUTE_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/graph/train.h"

struct computation;
struct network_op;

/* Each returns a new computation, NULL where nothing says what the forward operator computes.  */

/* Of a normalisation in training, whose outputs after the first are its statistics, from the one of
 * inference.  */
struct computation *train_compute_norm(const struct computation *inference);

/* The classes of LIKELIHOOD's probabilities, or else of scores, are dimension AXIS.  */
struct computation *train_compute_loss(bool likelihood, int axis);

/* The gradient of LOSS, whose operator reads what it saved, or the probabilities, and the labels.
 */
struct computation *train_compute_loss_gradient(const struct computation *loss);

struct computation *train_compute_update(enum optimizer optimizer);

/* Where a gradient's operator has what it reads and makes: for each slot of the forward operator
 * the slot of its own, or NETWORK_NONE.  */
struct train_places {
    size_t inputs, outputs; /* of the forward operator */
    size_t *gradient;       /* of each output */
    size_t *input, *output; /* themselves */
    size_t *made;           /* gradient of each input */
};

/* The gradient of what FORWARD computes.  NULL too if PLACES has gradients made of inputs that
 * FORWARD does not name.  */
struct computation *train_compute_gradient(const struct computation *forward,
                                           const struct train_places *places);

/* Whether OP writes its input SLOT where it is: a weight, or an optimiser's state.  */
bool train_updates(const struct network_op *op, size_t slot);
bool train_is_state(const struct network_op *op, size_t slot);

#endif
