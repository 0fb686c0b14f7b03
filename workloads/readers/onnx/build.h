/* From an unpacked ONNX model to a network: what the files of the builder
 * share.  */
#ifndef ARENABENCH_WORKLOADS_READERS_ONNX_BUILD_H
#define ARENABENCH_WORKLOADS_READERS_ONNX_BUILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"
#include "lib/base/params.h"
#include "lib/graph/network.h"
#include "workloads/readers/onnx/infer.h"
#include "workloads/readers/onnx/model.h"
#include "workloads/readers/onnx/names.h"

/* Inference takes at most this many bytes for each byte of the file, and these
 * more, beside the network itself.  */
#define ONNX_BUILD_MULTIPLE 64
#define ONNX_BUILD_SPARE (1 << 20)

/* The graph that is being built, within those around it.  */
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

struct onnx_build {
    const char *path;
    const struct onnx_model *model;
    const struct params *params;
    bool *bound;        /* whether a parameter has bound a dimension */
    const char *leader; /* dimension that `batch` binds although it is called so, or NULL */
    struct onnx_scope *scope;
    size_t controls;     /* operators with sub-graphs that were begun */
    struct error *error; /* empty while all is well */
    size_t budget;       /* bytes that may still be taken */
    size_t blocks, block_capacity;
    void **block;
};

/* Zeroed memory that lives as long as BUILD; NULL with a message when the
 * file has used up its share.  */
void *onnx_take(struct onnx_build *build, size_t count, size_t size);

/* --- dimensions (bind.c) --- */

/* Sets up BUILD for the parameters that bind dimensions.  */
void onnx_bind_begin(struct onnx_build *build);
/* Refuses parameters that bind nothing.  */
bool onnx_bind_end(struct onnx_build *build);

/* The whole number that parameter NAME gives; false: it is not given.  */
bool onnx_bound(struct onnx_build *build, const char *name, int64_t *result);

/* Type and shape that INFO declares, all of it, or false; with MUST there is a
 * message then.  */
bool onnx_declared(struct onnx_build *build, const struct onnx_info *info, bool must,
                   struct shape *shape, enum dtype *dtype);

/* --- graphs (build.c) --- */

/* A scope for GRAPH below the current one, which it becomes; its network is
 * new, or, if INLINED, its parent's.  */
struct onnx_scope *onnx_scope_enter(struct onnx_build *build, const struct onnx_graph *graph,
                                    bool inlined);
/* Goes back to the scope around; the network stays the caller's.  */
void onnx_scope_leave(struct onnx_build *build);

/* Adds input I of the scope's graph, as a network input.  */
bool onnx_add_input(struct onnx_build *build, size_t i, const struct shape *shape, enum dtype dtype,
                    struct onnx_value **value);

/* Adds the nodes of the scope's graph; its inputs are there already.  */
bool onnx_add_nodes(struct onnx_build *build);

/* After all nodes and outputs: decides what only the readers of a value tell.  */
void onnx_settle(struct network *network);

/* Output I of the scope's graph, or NULL with a message.  */
struct onnx_value *onnx_output(struct onnx_build *build, size_t i);

/* VALUE of the current scope as a value of its network, to which it is added if
 * it is a constant or comes from around.  ROLE is that of a constant.  */
size_t onnx_materialize(struct onnx_build *build, struct onnx_value *value, enum value_role role);

/* Binds NAME in the current scope to VALUE; false with a message if the name
 * is taken.  */
bool onnx_define(struct onnx_build *build, const char *name, struct onnx_value *value);

#endif
