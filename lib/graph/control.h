/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators that run sub-graphs: loops and branches.
 *
 * A sub-graph (a body) is a network of its own, owned by the operator.  It
 * sees nothing of the network around it but what its inputs bring in, so every
 * capture is written down as an input of the operator.
 *
 *   loop     one body, run once an iteration.  ONNX's Loop and Scan, and a
 *            while loop "(while (c) { y = f(x, w) })(x <= y)": x is carried, y
 *            its next value, w a capture.
 *   branch   two bodies or more, of which one is run.
 *
 * A body's inputs are its values of role VALUE_INPUT, each entered exactly
 * once; the values that leave it or are carried on are marked as its outputs.
 * Weights that a body has to itself are values of the body.  */
#ifndef ARENABENCH_LIB_GRAPH_CONTROL_H
#define ARENABENCH_LIB_GRAPH_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"

struct network;
struct network_op;

/* Bodies inside bodies: at most so many levels, the network itself being 0.  */
#define CONTROL_MAX_DEPTH 16

/* Where an input of a body comes from.  */
enum entry {
    ENTRY_CAPTURE, /* input SLOT of the operator, the same in every iteration */
    ENTRY_CARRIED, /* input SLOT in the first iteration, NEXT of the one before in the others */
    ENTRY_SLICE,   /* one slice an iteration of input SLOT, along AXIS */
    ENTRY_COUNTER, /* the loop itself makes it: the number of the iteration */
};

struct body_input {
    enum entry kind;
    size_t value; /* of the body */
    size_t slot;  /* of the operator's inputs.  NETWORK_NONE: what starts a carried value is known
                     to the loop itself (a condition that is true); always so for a counter */
    size_t next;  /* ENTRY_CARRIED: value of the body with the same shape and type.  It may be an
                     input of the body too, the same one or another */
    int axis;     /* ENTRY_SLICE: dimension of the operator's input; slices are of length 1, with
                     or without that dimension */
    bool reverse; /* ENTRY_SLICE: the last slice first */
};

/* What an output of the operator is.  */
enum leave {
    LEAVE_LAST,  /* VALUE as it is after the last iteration, or after the branch */
    LEAVE_STACK, /* loops: VALUE of every iteration, one after the other along AXIS */
};

struct body_output {
    enum leave kind;
    size_t value; /* of the body */
    size_t slot;  /* of the operator's outputs: each is given exactly once by each body */
    int axis;     /* LEAVE_STACK: dimension of the operator's output */
    bool reverse; /* LEAVE_STACK: the first iteration's last */
};

struct body {
    struct network *network;
    size_t inputs, outputs;
    struct body_input *input;
    struct body_output *output;
};

/* Inputs of the operator that enter no body (a trip count, a condition) are
 * read once, before the first iteration.  */
struct control {
    bool loop;     /* else a branch */
    int64_t trips; /* loops: iterations, at least 1.  Readers bind what only the run would tell */
    bool may_stop; /* loops: TRIPS is only the most, a condition may end the loop after any one */
    size_t bodies;
    struct body *body;
};

/* A control of so many bodies, to be filled in; the bodies' networks are
 * NULL.  For a branch, TRIPS is 1.  */
struct control *control_new(bool loop, int64_t trips, size_t bodies);
void control_free(struct control *control); /* with the bodies' networks; accepts NULL */
struct control *control_copy(const struct control *control);

/* BODY takes over NETWORK.  Values that are carried on or leave are marked as
 * outputs of the body.  */
void body_set_network(struct body *body, struct network *network);
void body_add_input(struct body *body, struct body_input input);
void body_add_output(struct body *body, struct body_output output);

/* Checks all that the comments above say, and the bodies' networks: shapes of
 * what enters and leaves, outputs given once, depth.  network_check calls it
 * for each operator with a control.  DEPTH is that of NETWORK.  */
bool control_check(const struct network *network, const struct network_op *op, int depth,
                   struct error *error);

/* A pass that rebuilds a network and frees the old one: what was value v is MAP[v], if it stays. */
typedef struct network *network_rebuild(struct network *network, const void *context, size_t *map);

/* Has each body of NETWORK's operators rebuilt.  */
void network_replace_bodies(struct network *network, network_rebuild *rebuild, const void *context);

/* Multiply-accumulates of all iterations (of the most costly branch), and
 * parameters of the bodies; false when they overflow.  */
bool control_macs(const struct control *control, int64_t *macs);
bool control_parameters(const struct control *control, int64_t *parameters);

#endif
