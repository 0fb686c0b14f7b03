/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gradients of operators, for training graphs.
 *
 * The operator `.NAMEGrad` (lib/graph/train_compute.h) has the attributes and the version of NAME.
 * Its inputs are the gradients of NAME's outputs, then NAME's inputs, then NAME's outputs; its
 * outputs are the gradients of NAME's inputs.  Left out is what the training graph does not read or
 * make; a rule asks for what it needs.  */
#ifndef ARENABENCH_RUNTIME_OPERATORS_GRADIENT_H
#define ARENABENCH_RUNTIME_OPERATORS_GRADIENT_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/operators/operator.h"

/* Of a gradient's call: how many inputs and outputs NAME has; the gradient of its output I, its
 * input I and its output I, or NULL.  */
size_t gradient_inputs(const struct call *call);
size_t gradient_outputs(const struct call *call);
const struct tensor *gradient_given(const struct call *call, size_t i);
const struct tensor *gradient_input(const struct call *call, size_t i);
const struct tensor *gradient_output(const struct call *call, size_t i);

/* Sets of NAME's inputs or outputs.  */
#define GRADIENT_NONE 0u
#define GRADIENT_OF(i) (1u << (i))

/* Whether the gradient of output 0 is there, NAME has INPUTS and OUTPUTS at least, the ones in
 * READ and SAVED are there, and all of these and what is made have one real type.  */
bool gradient_accepts(const struct call *call, size_t inputs, size_t outputs, unsigned read,
                      unsigned saved);

/* Whether two tensors have one shape; else a reason.  */
bool gradient_same_shape(const struct call *call, const struct tensor *x, const struct tensor *y);

/* The tables of training graphs: gradients, losses, updates.  */
extern const struct operator_rule operators_gradient_loss[];
extern const struct operator_rule operators_gradient_map[];
extern const struct operator_rule operators_gradient_matrix[];
extern const struct operator_rule operators_gradient_move[];
extern const struct operator_rule operators_gradient_norm[];
extern const struct operator_rule operators_gradient_reduce[];
extern const struct operator_rule operators_gradient_window[];
extern const struct operator_rule operators_optimise[];

/* The rule of NAME in these, or NULL.  */
const struct operator_rule *gradient_find(const char *name);

#endif
