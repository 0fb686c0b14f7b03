/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values as far as inference knows them: type, shape, and the elements of small
 * constants.  */
#ifndef ARENABENCH_WORKLOADS_READERS_ONNX_RULES_VALUE_H
#define ARENABENCH_WORKLOADS_READERS_ONNX_RULES_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"
#include "lib/graph/elements.h"
#include "lib/graph/network.h"
#include "runtime/operators/operator.h"
#include "workloads/readers/onnx/file/model.h"
#include "workloads/readers/onnx/rules/budget.h"
#include "workloads/readers/shapes.h"

/* Elements of constants are known up to this many: those of shapes, not those
 * of weights.  */
#define ONNX_FOLD_LIMIT 256

/* The first dimension of the inputs: in the file, and as it was given.  Both 0: as in the file.  */
struct onnx_batch {
    int64_t from, to;
};

struct onnx_value {
    const char *name; /* the file's; may be empty for inputs of bodies */
    struct shape shape;
    enum dtype dtype;
    bool constant;
    bool made;                 /* a constant that was not stored as such: Constant, folded */
    struct elements *elements; /* constants: what they hold; NULL: not known, or not asked for */
    const struct onnx_tensor *tensor; /* constants that the file stores, or NULL */
    const struct onnx_value *base;    /* an integer that is another one ... */
    int64_t shift;                    /* ... plus this */

    /* What who builds the network notes, and no rule looks at.  */
    size_t index;             /* in the network; NETWORK_NONE: a constant that nothing read */
    struct onnx_value *outer; /* what a value of a body stands for, or NULL */
    size_t captor;            /* number of the last node whose bodies captured it, and ... */
    size_t capture;           /* ... its number there */
};

/* A stored tensor's elements, as the machine has them; the caller's hold.  NULL with a message
 * where the file does not have them.  */
struct elements *onnx_tensor_elements(const struct onnx_tensor *tensor, enum dtype dtype,
                                      int64_t count, struct error *error);

/* What TENSOR is, and how many elements it has; false with a message where it can be no value.  */
bool onnx_tensor_shape(const struct onnx_tensor *tensor, struct shape *shape, enum dtype *dtype,
                       int64_t *elements, struct error *error);

/* VALUE becomes the constant that TENSOR holds, with its elements if they are few.  The message has
 * no place.  */
bool onnx_constant(struct onnx_budget *budget, const struct onnx_tensor *tensor,
                   struct onnx_value *value);

/* VALUE as operators see it, without data where its elements are not known.  */
struct tensor onnx_as_tensor(const struct onnx_value *value);

/* Whether the elements of VALUE (or NULL) are known numbers: whole ones or truth values, or reals
 * too.  */
bool onnx_has_integers(const struct onnx_value *value);
bool onnx_has_numbers(const struct onnx_value *value);

/* Whether VALUE (or NULL) is a single one of these, which then is *NUMBER.  */
bool onnx_integer(const struct onnx_value *value, int64_t *number);
bool onnx_number(const struct onnx_value *value, double *number);

/* Whether B is A plus *DISTANCE in every run.  */
bool onnx_moved(const struct onnx_value *a, const struct onnx_value *b, int64_t *distance);

/* Counts the elements of a value, whose bytes have to fit too.  */
bool onnx_elements(const struct shape *shape, enum dtype dtype, int64_t *elements,
                   struct error *error);

/* False where a type of elements has no fixed size.  */
bool onnx_dtype(int element, enum dtype *dtype);

/* The error that it has none.  Returns false.  */
bool onnx_unsized(int64_t element, struct error *error);

#endif
