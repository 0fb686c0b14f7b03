/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "workloads/workload.h"

#include "lib/graph/fuse.h"
#include "lib/graph/network.h"
#include "lib/graph/train.h"
#include "lib/lifetimes/loops.h"
#include "lib/lifetimes/order.h"

const struct param network_common_params[] = {
    {"batch", PARAM_INT, "1", NULL, 1, PARAM_NO_LIMIT,
     "How many images, or sequences, go through the network at a time."},
    {"size", PARAM_INT, "0", NULL, 0, 1 << 20,
     "Height and width of the input in pixels; 0 stands for the size that the network is known "
     "for."},
    NETWORK_DTYPE_PARAM,
    PARAM_END,
};

const struct param rewrite_params[] = {
    PARAM_ENUM("fuse", "none",
               "What is merged into the layers before it, as runtimes do, so that its values need "
               "no memory: nothing, batch normalisations (bn), activations as well (all).",
               {"none", FUSE_NONE}, {"bn", FUSE_BN}, {"all", FUSE_ALL}),
    PARAM_ENUM("grouped", "keep",
               "Whether a grouped convolution is one operator, or is split into one for each of "
               "its groups.",
               {"keep", GROUPED_KEEP}, {"expand", GROUPED_EXPAND}),
    PARAM_ENUM("train", "off",
               "Adds a step of training with this optimiser: values live until the backward pass "
               "has read them.",
               {"off", OPTIMIZER_NONE}, {"sgd", OPTIMIZER_SGD}, {"momentum", OPTIMIZER_MOMENTUM},
               {"adam", OPTIMIZER_ADAM}),
    PARAM_ENUM("update", "end",
               "With train=, when a weight is updated: after the backward pass, or as soon as its "
               "gradient is there, which ends the gradient's life earlier.",
               {"end", UPDATE_END}, {"ready", UPDATE_READY}),
    {"checkpoint", PARAM_TEXT, "off", NULL, 0, 0,
     "With train=, trades time for memory: segments of so many operators (a number, or sqrt of "
     "them) are run again in the backward pass instead of keeping their values."},
    PARAM_END,
};

const struct param network_head_params[] = {
    PARAM_ENUM("head", "logits",
               "What the network ends with: the last layer's values, or a softmax of them.",
               {"logits", HEAD_LOGITS}, {"softmax", HEAD_SOFTMAX}),
    PARAM_END,
};

const struct param lifetime_params[] = {
    PARAM_ENUM("io", "none",
               "Which of the network's inputs and outputs are planned too, beside the values in "
               "between; often these are memory of the caller, which is why none is the default.",
               {"none", IO_NONE}, {"inputs", IO_INPUTS}, {"outputs", IO_OUTPUTS},
               {"both", IO_BOTH}),
    PARAM_ENUM("weights", "off",
               "Whether weights and other constants are planned too: on, for the whole run; fetch, "
               "weights and statistics from when a copy engine has begun to fetch them until their "
               "operator has run.",
               {"off", WEIGHTS_OFF}, {"on", WEIGHTS_ON}, {"fetch", WEIGHTS_FETCH}),
    PARAM_SWITCH("alias", "off",
                 "Whether operators that only hand on their input (a reshape, a flatten) share its "
                 "memory instead of making a copy."),
    PARAM_ENUM("inplace", "off",
               "Whether an operator may write its output over an input that nobody reads "
               "afterwards, and by whose rule: MegEngine's or NNC's.",
               {"off", INPLACE_OFF}, {"megengine", INPLACE_MEGENGINE}, {"nnc", INPLACE_NNC}),
    PARAM_ENUM("concat", "copy",
               "Whether a concatenation copies its parts, or these are written into their place in "
               "it from the start, so that nothing is copied.",
               {"copy", CONCAT_COPY}, {"place", CONCAT_PLACE}),
    PARAM_ENUM(
        "order", "file",
        "The order in which operators run, which decides how long values live: the file's, depth "
        "or breadth first, by layers, greedily by size, or with the smallest load there is.",
        {"file", ORDER_FILE}, {"dfs", ORDER_DFS}, {"bfs", ORDER_BFS}, {"layers", ORDER_LAYERS},
        {"greedy", ORDER_GREEDY}, {"optimal", ORDER_OPTIMAL}),
    {"groups", PARAM_INT, "0", NULL, 0, PARAM_NO_LIMIT,
     "Into how many groups each layer of independent operators is cut; those of a group share a "
     "step, as if they ran at once. 0 gives each operator a step of its own."},
    {"streams", PARAM_TEXT, "0", NULL, 0, 0,
     "On how many streams the operators run, by list scheduling with the model of time of "
     "`schedule`; those of two streams run as they come, but for the values that they hand on. "
     "branches gives each branch a stream of its own. 0 is one clock, in the order of order=."},
    {"times", PARAM_TEXT, "", NULL, 0, 0,
     "With streams=: a CSV file with measured times, columns operator and time_s, that list "
     "scheduling takes in place of the model's."},
    {"ahead", PARAM_INT, "1", NULL, 0, 1 << 20,
     "With weights=fetch and streams=: how many operators the copy engine, a stream of its own, is "
     "ahead of the one that runs."},
    PARAM_ENUM("loops", "copy",
               "How a loop hands a value to its next iteration: by a copy, through shared memory "
               "where lifetimes allow it, or by unrolling its body until nothing is copied.",
               {"copy", LOOPS_COPY}, {"coalloc", LOOPS_COALLOC}, {"unroll", LOOPS_UNROLL}),
    {"unroll", PARAM_INT, "0", NULL, 0, 1 << 16,
     "With loops=unroll, how many iterations are unrolled; 0 is as many as it takes to copy "
     "nothing."},
    PARAM_ENUM("subgraphs", "flat",
               "Whether the values inside a loop are planned together with those around it, each "
               "loop first by itself, whose buffers are then planned with what is around, or each "
               "loop as one buffer.",
               {"flat", SUBGRAPHS_FLAT}, {"buffers", SUBGRAPHS_BUFFERS},
               {"block", SUBGRAPHS_BLOCK}),
    {"workspace", PARAM_TEXT, "none", NULL, 0, 0,
     "Whose memory beside input, weights and output convolutions take while they run: none, im2col "
     "(columns of one image), winograd (tiles of F(4 x 4, 3 x 3)), or a kernel (list kernels), "
     "which is asked."},
    {"alignment", PARAM_BYTES, "1", NULL, 1, 1 << 20,
     "Offsets of all buffers are multiples of so many bytes."},
    PARAM_ENUM("align", "instance",
               "Whose rounding holds: alignment= for all planners alike, or for each what it "
               "rounds to in the runtime that ships it.",
               {"instance", ALIGN_INSTANCE}, {"native", ALIGN_NATIVE}),
    PARAM_END,
};
