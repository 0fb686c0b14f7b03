/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A neural network: a DAG of operators over values (tensors).
 *
 * The order in which operators were added is the file order.  Shapes and
 * element types are complete; weights are values too.  */
#ifndef ARENABENCH_LIB_GRAPH_NETWORK_H
#define ARENABENCH_LIB_GRAPH_NETWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"
#include "lib/graph/conv_shape.h"

#define NETWORK_MAX_RANK 8
#define NETWORK_NONE SIZE_MAX

enum dtype {
    DTYPE_F32,
    DTYPE_F16,
    DTYPE_I8,
    DTYPE_U8,
    DTYPE_I16,
    DTYPE_I32,
    DTYPE_I64,
    DTYPE_F64,
    DTYPE_BOOL,
    DTYPE_BF16,
    DTYPE_U16,
    DTYPE_U32,
    DTYPE_U64,
    DTYPE_C64, /* complex: two F32 */
    DTYPE_C128,
};

enum op_kind {
    OP_CONV, /* convolution; a fully connected layer is OP_LINEAR */
    OP_LINEAR,
    OP_BATCH_NORM,  /* inference form: scale and shift a channel */
    OP_ACTIVATION,  /* elementwise, one input, no weights: ReLU, sigmoid, ... */
    OP_ELEMENTWISE, /* elementwise of several inputs: add, multiply, ... */
    OP_POOL,        /* max or average pooling, global too */
    OP_LRN,         /* local response normalisation */
    OP_SOFTMAX,
    OP_CONCAT,
    OP_SPLIT,  /* several outputs */
    OP_ALIAS,  /* pure alias: reshape, flatten, squeeze, identity, inference dropout */
    OP_LOOP,   /* runs a sub-graph once an iteration */
    OP_BRANCH, /* runs one of several sub-graphs */
    OP_OTHER,  /* anything else that computes */
};

enum value_role {
    VALUE_ACTIVATION, /* made by an operator */
    VALUE_INPUT,      /* network input */
    VALUE_WEIGHT,     /* trained parameter */
    VALUE_STATISTIC,  /* stored with the weights but not trained: running mean and variance */
    VALUE_CONSTANT,   /* other constants */
};

struct computation;
struct elements;

struct value {
    char *name;
    enum value_role role;
    enum dtype dtype;
    int rank;
    int64_t dim[NETWORK_MAX_RANK];
    size_t producer;           /* operator, or NETWORK_NONE */
    bool output;               /* network output */
    bool optional;             /* an output that nobody has to read (a mask, saved statistics) */
    bool workspace;            /* memory that its operator works in (lib/graph/workspace.h) */
    struct elements *elements; /* of a stored one, for runs; NULL: unknown (lib/graph/elements.h) */
    size_t readers;            /* number of (operator, input slot) pairs that read it */
    size_t *reader;            /* operators, ascending; one entry a slot */
    size_t reader_capacity;    /* private */
};

/* What an operator's output may do with an input's memory, for the passes that
 * decide what shares (lib/lifetimes/inplace.h).  These are facts of the operator alone,
 * whoever else reads the input; lib/graph/reuse.h finds most of them.
 *
 *   forward    the output is bytes [offset, offset + size of the output) of the
 *              input, unchanged: reshape, identity, a contiguous slice
 *   overwrite  the operator may write its output over the same bytes: each
 *              element depends on nothing but elements at its own place
 *   place      the input is bytes [offset, offset + size of the input) of the
 *              output, unchanged: a part of a concatenation  */
enum reuse { REUSE_NONE, REUSE_FORWARD, REUSE_OVERWRITE, REUSE_PLACE };

struct op_reuse {
    enum reuse kind;
    size_t input;   /* slot */
    size_t output;  /* slot */
    int64_t offset; /* bytes within the larger of the two: see above */
};

struct network_op {
    char *name;
    enum op_kind kind;
    const char *type; /* word for people: "conv", "relu", "max_pool"; static text */
    size_t inputs;
    size_t *input; /* values, weights included */
    size_t outputs;
    size_t *output;
    size_t output_capacity; /* private */
    struct conv_shape conv; /* OP_CONV only; n = 0: not a plain two-dimensional one */
    bool channels_last;     /* OP_CONV only: input and output are N x H x W x C */
    const char *activation; /* type of the activation fused into it, or NULL; static text */
    int64_t macs; /* multiply-accumulates, 0 where that means nothing; its bodies' apart */
    size_t reuses;
    struct op_reuse *reuse;
    size_t reuse_capacity; /* private */
    struct control
        *control; /* OP_LOOP and OP_BRANCH, else NULL: what it runs (lib/graph/control.h) */
    struct computation *computation; /* for runs; NULL: unknown (lib/graph/computation.h) */
};

struct network {
    char *name;
    size_t n_ops, ops_capacity;
    struct network_op *op;
    size_t n_values, values_capacity;
    struct value *value;
};

struct control;

struct network *network_new(const char *name);
void network_free(struct network *network); /* with the operators' bodies */

/* A copy with the same indices, bodies included.  */
struct network *network_copy(const struct network *network);

/* Adds a value without a producer; copies NAME and DIM.  Returns its index.  */
size_t network_add_value(struct network *network, const char *name, enum value_role role,
                         enum dtype dtype, int rank, const int64_t *dim);

/* Adds an operator that reads INPUT[0..inputs); outputs follow with
 * network_add_output.  Returns its index.  */
size_t network_add_op(struct network *network, const char *name, enum op_kind kind,
                      const char *type, const size_t *input, size_t inputs);
size_t network_add_output(struct network *network, size_t op, const char *name, enum dtype dtype,
                          int rank, const int64_t *dim);

/* A fact that is there already is not added again.  */
void network_add_reuse(struct network *network, size_t op, struct op_reuse reuse);
void network_mark_output(struct network *network, size_t value);

/* Operator OP, an OP_LOOP or OP_BRANCH, takes over CONTROL.  */
void network_set_control(struct network *network, size_t op, struct control *control);

/* Operator OP takes over COMPUTATION, VALUE one hold of ELEMENTS; what was there is let go.  */
void network_set_computation(struct network *network, size_t op, struct computation *computation);
void network_set_elements(struct network *network, size_t value, struct elements *elements);

/* For passes that rebuild a network.  A copied value has no producer and no
 * readers yet.  A copied operator keeps everything but its inputs, which are
 * those given, and its outputs, which follow.  Both return the index.  */
size_t network_copy_value(struct network *network, const struct value *value);
size_t network_copy_op(struct network *network, const struct network_op *op, const size_t *input,
                       size_t inputs);

/* Copies the values of OLD that no operator makes, but not those that only
 * operators o with GONE[o] read; MAP[v] becomes the copy of value v.  */
void network_copy_stored(struct network *network, const struct network *old, const bool *gone,
                         size_t *map);

/* Adds VALUE as an output of OP, called NAME.  */
size_t network_copy_output(struct network *network, size_t op, const struct value *value,
                           const char *name);

/* Makes the names of operators, and of values, unique (lib/base/names.h).  */
void network_make_names_unique(struct network *network);

/* Checks shapes, sizes (products that fit), unique names within operators and
 * values, file order being topological, and that there is an output; the same
 * of all bodies, and what enters and leaves them.  */
bool network_check(const struct network *network, struct error *error);

/* The same for a network that is a body, DEPTH levels down.  */
bool network_check_body(const struct network *network, int depth, struct error *error);

/* The dimension of input and output in which OP, an OP_CONV, has its channels.  */
int network_channel_axis(const struct network *network, const struct network_op *op);

size_t dtype_size(enum dtype dtype); /* bytes */
bool dtype_is_real(enum dtype dtype);
const char *dtype_name(enum dtype dtype); /* "f32" */

/* Whether they have the same element type and dimensions.  */
bool value_same_type(const struct value *x, const struct value *y);

/* Elements and bytes of a value; network_check has made sure they fit.  */
int64_t value_elements(const struct value *value);
int64_t value_bytes(const struct value *value);
/* The bytes of one that nobody has checked; false where they do not fit in 64 bits.  */
bool value_measure(const struct value *value, int64_t *bytes);

/* Of the whole network, the bodies times their iterations (lib/graph/control.h).  */
int64_t network_macs(const struct network *network);
int64_t network_parameters(const struct network *network); /* elements of VALUE_WEIGHT */

/* The same where it is not known yet that the sums fit: false when they do not.  */
bool network_sum_macs(const struct network *network, int64_t *macs);
bool network_sum_parameters(const struct network *network, int64_t *parameters);

#endif
