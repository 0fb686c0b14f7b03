/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators that run: what ONNX's text says of each, on tensors in memory.
 *
 * Right and simple; the convolutions of networks have kernels that are fast (kernels/).  Nothing
 * here allocates an output or, but for an optimiser's updates (optimise.c), changes an input, and
 * nothing is kept between two calls.  Where an
 * output lies on an input, byte for byte the same place, an operator that computes each element
 * from the elements at its own place (struct op_reuse, lib/graph/network.h) still gives the
 * right answer; no other operator is called so.  */
#ifndef ARENABENCH_RUNTIME_OPERATORS_OPERATOR_H
#define ARENABENCH_RUNTIME_OPERATORS_OPERATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"
#include "lib/graph/computation.h"
#include "lib/graph/network.h"

/* Elements in row-major order, without gaps, aligned to their own size; truth values are bytes of
 * 0 and 1.  */
struct tensor {
    enum dtype dtype;
    int rank;
    int64_t dim[NETWORK_MAX_RANK];
    void *data; /* NULL: only asking */
};

int64_t tensor_elements(const struct tensor *tensor);

/* One use of an operator.  The shapes of outputs are those that inference found; an operator need
 * not check again that they follow from the inputs'.  */
struct call {
    const struct computation *computation;
    size_t inputs, outputs;
    const struct tensor *const *input;  /* NULL: left out */
    const struct tensor *const *output; /* NULL: left out, or there already: not to be written */
    struct error *error;
    int64_t *found; /* where an operator whose length hangs on the elements may say how many it
                     * finds, if that is another length than its output's; NULL: it is an error */
};

struct operator_rule {
    const char *name; /* in the standard set */

    /* Whether this use can be run: types, attributes, versions; false with a reason that goes
     * on from "Conv: ".  Elements are not looked at, and may not be there.  */
    bool (*accepts)(const struct call *call);

    /* Writes the outputs.  False with a reason where the elements do not allow it: an index that
     * is out of range.  */
    bool (*run)(const struct call *call);

    int detail; /* what several rules with one function differ in */
};

/* Each table ends with a NULL name; operators.c joins them.  */
extern const struct operator_rule operators_along[];
extern const struct operator_rule operators_arithmetic[];
extern const struct operator_rule operators_boxes[];
extern const struct operator_rule operators_cast[];
extern const struct operator_rule operators_clip[];
extern const struct operator_rule operators_fill[];
extern const struct operator_rule operators_integer[];
extern const struct operator_rule operators_logic[];
extern const struct operator_rule operators_loss[];
extern const struct operator_rule operators_matrix[];
extern const struct operator_rule operators_move[];
extern const struct operator_rule operators_ngrams[];
extern const struct operator_rule operators_normalise[];
extern const struct operator_rule operators_own[];
extern const struct operator_rule operators_pad[];
extern const struct operator_rule operators_parts[];
extern const struct operator_rule operators_quantize[];
extern const struct operator_rule operators_recurrent[];
extern const struct operator_rule operators_reduce[];
extern const struct operator_rule operators_reshape[];
extern const struct operator_rule operators_resize[];
extern const struct operator_rule operators_rows[];
extern const struct operator_rule operators_scatter[];
extern const struct operator_rule operators_select[];
extern const struct operator_rule operators_signal[];
extern const struct operator_rule operators_softmax[];
extern const struct operator_rule operators_topk[];
extern const struct operator_rule operators_unary[];
extern const struct operator_rule operators_unique[];
extern const struct operator_rule operators_window[];

/* The rule of a computation's operator, or NULL.  */
const struct operator_rule *operator_find(const char *name);

/* Whether the call can be run; what the computation goes on with (`then`) is asked for too.  */
bool operator_accepts(const struct call *call);

/* Runs it, and what it goes on with, which is done in place.  */
bool operator_run(const struct call *call);

/* --- what rules call --- */

/* Input or output I, or NULL.  */
const struct tensor *call_input(const struct call *call, size_t i);
const struct tensor *call_output(const struct call *call, size_t i);

/* The call found FOUND elements, or boxes, and its output has room for another number, ROOM: an
 * error, or, where the call may say so, *call->found, with zeros as output.  */
bool call_found(const struct call *call, int64_t found, int64_t room);

/* The rule of the call's operator.  */
const struct operator_rule *call_rule(const struct call *call);

/* Calls FUNCTION_f32 where DTYPE is that, else FUNCTION_f64; elements go to both as void *.  */
#define CALL_REAL(dtype, function, ...) \
    ((dtype) == DTYPE_F32 ? function##_f32(__VA_ARGS__) : function##_f64(__VA_ARGS__))

/* Axis NUMBER, counted from the end where negative, in [0, rank); -1 where it is none.  */
int call_axis(int64_t number, int rank);

/* The whole numbers of a tensor of type i32 or i64; *COUNT of them, which the caller frees.  */
int64_t *tensor_integers(const struct tensor *tensor, size_t *count);

/* Element I as a number of another type than its own; complex and half types have none.  */
double tensor_real(const struct tensor *tensor, int64_t i);
int64_t tensor_integer(const struct tensor *tensor, int64_t i);

#endif
