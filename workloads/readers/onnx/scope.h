/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The graphs of a model that are being built, one within the other: the network
 * that each adds to, and what its names stand for.  */
#ifndef ARENABENCH_WORKLOADS_READERS_ONNX_SCOPE_H
#define ARENABENCH_WORKLOADS_READERS_ONNX_SCOPE_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/error.h"
#include "lib/base/params.h"
#include "lib/graph/network.h"
#include "workloads/readers/onnx/file/model.h"
#include "workloads/readers/onnx/names.h"
#include "workloads/readers/onnx/rules/value.h"

struct onnx_control_rule;

struct onnx_scope {
    struct onnx_scope *parent; /* NULL: the model's own graph */
    bool inlined;              /* adds to its parent's network */
    const struct onnx_graph *graph;
    struct network *network;
    struct names values;                  /* struct onnx_value, by the file's names */
    struct names declared;                /* struct onnx_info: what the file says of types */
    struct names *op_names, *value_names; /* taken in the network */
    size_t captures, capture_capacity;
    struct onnx_value **capture; /* values of a body that come from around it, in order of use */
};

/* What a run alone knows, and nobody gives (lengths.h).  */
struct onnx_open_length {
    const char *name;
    int64_t limit; /* or ONNX_NO_LIMIT */
};

struct onnx_open_lengths {
    size_t count, capacity;
    struct onnx_open_length *length;
    const struct onnx_node *node; /* the first of them, and its message */
    char *message;
};

struct onnx_build {
    const char *path;
    const struct onnx_model *model;
    const struct params *params;
    struct names stored;     /* the initializers' names */
    bool *bound;             /* whether a parameter was of use */
    const char *leader;      /* dimension that `batch` binds although it is called so, or NULL */
    bool fixed_leader;       /* `batch` binds the first dimensions, which the file fixes */
    struct onnx_batch batch; /* which fixed first dimension became which */
    bool resized;            /* a parameter gives another dimension than the file */
    bool undecided;          /* what is wrong may hang on the value of an input */
    int64_t lengths;         /* the most that `lengths` gives; 0: it is not given */
    struct onnx_open_lengths open;
    struct onnx_scope *scope; /* the graph that is being built */
    size_t jobs;              /* nodes that were begun */
    bool runnable;            /* for a run: with elements and computations (compute.h) */
    int64_t folded;           /* bytes of elements that nodes on constants read and made for it */
    /* The operators with sub-graphs; ends with a NULL name.  */
    const struct onnx_control_rule *control_rules;
    struct onnx_budget budget;
    struct error *error; /* the budget's: empty while all is well */
};

/* A scope for GRAPH below the current one, which it becomes; its network is
 * new, or, if INLINED, its parent's.  */
struct onnx_scope *onnx_scope_enter(struct onnx_build *build, const struct onnx_graph *graph,
                                    bool inlined);
/* Goes back to the scope around; the network stays the caller's.  */
void onnx_scope_leave(struct onnx_build *build);

/* Binds NAME in the current scope to VALUE; false with a message if the name
 * is taken.  */
bool onnx_define(struct onnx_build *build, const char *name, struct onnx_value *value);

/* A value of the current scope or of those around it, or NULL.  */
struct onnx_value *onnx_look_up(struct onnx_build *build, const char *name);

/* Output I of the scope's graph, or NULL with a message.  */
struct onnx_value *onnx_output(struct onnx_build *build, size_t i);

/* Names that are not taken in the network; the caller frees them and adds
 * them to the scope's names once they are.  */
char *onnx_op_name(const struct onnx_scope *scope, const char *wanted);
char *onnx_value_name(const struct onnx_scope *scope, const char *wanted);

/* VALUE of the current scope as a value of its network, to which it is added if
 * it is a constant or comes from around.  ROLE is that of a constant.  */
size_t onnx_materialize(struct onnx_build *build, struct onnx_value *value, enum value_role role);

/* The initializers of the scope's graph, as constants.  */
bool onnx_add_initializers(struct onnx_build *build);

/* Adds input I of the scope's graph, as a network input.  */
bool onnx_add_input(struct onnx_build *build, size_t i, const struct shape *shape, enum dtype dtype,
                    struct onnx_value **value);

#endif
