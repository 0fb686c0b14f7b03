/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nodes: their inputs, rules and outputs.  */
#ifndef ARENABENCH_WORKLOADS_READERS_ONNX_NODE_H
#define ARENABENCH_WORKLOADS_READERS_ONNX_NODE_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/graph/control.h"
#include "workloads/readers/onnx/rules/infer.h"
#include "workloads/readers/onnx/scope.h"

/* A node that is being built: what its rule sees, and what no rule knows.  */
struct onnx_job {
    struct onnx_build *build;
    size_t number; /* of this one among all, from 1 */
    struct onnx_op op;
    bool inlined;            /* all that there is to add has been added */
    struct control *control; /* Loop, Scan, If: slots are the node's until it is finished */
    size_t captures, capacity;
    struct onnx_value **capture; /* values around the node that its bodies read, each once */
};

/* An operator with sub-graphs, which it builds; it fills in job->op as the
 * rules of others do.  */
struct onnx_control_rule {
    const char *name, *word;
    enum op_kind kind;
    bool (*build)(struct onnx_job *job);
};

/* Says at which node the build's error is.  Returns false.  */
bool onnx_at_node(struct onnx_build *build, const struct onnx_node *node);

/* Whether NODE's operator is one of the standard set.  */
bool onnx_is_standard(const struct onnx_node *node);

/* Adds the nodes of the scope's graph; its inputs are there already.  */
bool onnx_add_nodes(struct onnx_build *build);

/* After all nodes and outputs: decides what only the readers of a value tell.  */
void onnx_settle(struct network *network);

#endif
