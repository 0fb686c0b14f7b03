/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory that convolutions ask for beside input, weights and output: the columns of im2col,
 * the transformed tiles of Winograd's algorithm, the scratchpad of a library.
 *
 * In a network it is a value, an output of the convolution that nobody reads.  So the rules of
 * lifetimes (lib/lifetimes/lifetimes.h) have it in memory in that operator's step and in no
 * other, orders weigh it, and the replay writes it while inputs and output have to stay.  */
#ifndef ARENABENCH_LIB_GRAPH_WORKSPACE_H
#define ARENABENCH_LIB_GRAPH_WORKSPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"
#include "lib/graph/conv_shape.h"

struct network;

/* Workspaces begin at a multiple of so many bytes, whatever else is aligned: at a cache line,
 * which is a whole vector of every instruction set.  */
#define WORKSPACE_ALIGNMENT 64

/* What METHOD asks for to compute COUNT convolutions of f32, each alone and one after another:
 * BYTES[i] for SHAPE[i], which is checked, or -1 where METHOD does not do it; REASON then says
 * why, of the first of those.  False with a message where there is no such METHOD.  */
typedef bool workspace_ask(const char *method, const struct conv_shape *shape, size_t count,
                           int64_t *bytes, struct error *reason, struct error *error);

/* The methods that need no library: two formulas.
 *
 *   im2col     the inputs of all output pixels, C / groups x R x S x P x Q floats, for one image
 *              and one group at a time; none where the input serves as it is, as for a filter
 *              of one pixel with stride 1
 *   winograd   F(4 x 4, 3 x 3) of Lavin and Gray (CVPR 2016), one image at a time: tiles of 6 x 6
 *              of the transformed input and of the products, 36 x (C + K) x ceil(P / 4) x
 *              ceil(Q / 4) floats; the filters are transformed before.  For filters of 3 x 3 with
 *              stride 1, without dilation, in one group.  */
workspace_ask workspace_formula;

/* Whether METHOD is one of the two.  */
bool workspace_is_formula(const char *method);

struct workspace_count {
    size_t convolutions; /* in the network and its bodies */
    size_t refused;      /* of these: METHOD does not do them, so they get none */
    struct error first;  /* the first of those, and why */
};

/* Adds what METHOD, as ASK knows it, asks for to all convolutions of NETWORK and of its bodies.
 * False with a message, and nothing added, where ASK fails.  */
bool workspace_add(struct network *network, const char *method, workspace_ask *ask,
                   struct workspace_count *count, struct error *error);

#endif
