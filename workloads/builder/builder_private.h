/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the builder share.  */
#ifndef ARENABENCH_WORKLOADS_BUILDER_BUILDER_PRIVATE_H
#define ARENABENCH_WORKLOADS_BUILDER_BUILDER_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"
#include "lib/graph/computation.h"
#include "lib/graph/network.h"

#define BUILDER_MAX_DEPTH 8

struct builder {
    struct network *network;
    enum dtype dtype;
    struct error error; /* empty: none yet */
    char prefix[128];   /* what is pushed, joined */
    size_t length[BUILDER_MAX_DEPTH];
    size_t depth;
    size_t shared_from, shared_to; /* part of the prefix that stored values do without */
};

/* Whether an error is remembered; nothing may be added then.  */
bool builder_failed(const struct builder *b);

/* Valid until something is added.  */
const struct value *builder_value(const struct builder *b, size_t x);

/* The operator that makes VALUE.  */
struct network_op *builder_maker(const struct builder *b, size_t value);

/* A stored value NAME.WHAT.  */
size_t builder_add_stored(struct builder *b, const char *name, const char *what,
                          enum value_role role, int rank, const int64_t *dim);

/* An operator with one output, both called NAME, and what follows from its kind
 * (lib/graph/reuse.h); returns the output.  */
size_t builder_add_op(struct builder *b, const char *name, enum op_kind kind, const char *type,
                      const size_t *input, size_t inputs, int rank, const int64_t *dim);

/* An operator of one input whose output has the input's shape.  */
size_t builder_add_same(struct builder *b, const char *name, enum op_kind kind, const char *type,
                        size_t x);

/* What the operator that makes VALUE computes, by its name in VERSION of ONNX's set, or, with a dot
 * before it, among our own (runtime/operators/own.c), whose version is 1.  The caller adds
 * attributes.  */
struct computation *builder_computes(struct builder *b, size_t value, const char *name,
                                     int64_t version);

/* Whether X has four dimensions; remembers an error of operator NAME if not.  */
bool builder_is_image(struct builder *b, const char *name, size_t x);

#endif
