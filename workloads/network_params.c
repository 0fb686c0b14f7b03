#include <config.h>

#include "workloads/workload.h"

#include "lib/graph/fuse.h"
#include "lib/graph/network.h"
#include "lib/graph/train.h"
#include "lib/lifetimes/loops.h"
#include "lib/lifetimes/order.h"

const struct param network_common_params[] = {
    {"batch", PARAM_INT, "1", NULL, 1, PARAM_NO_LIMIT, "images at a time"},
    {"size", PARAM_INT, "0", NULL, 0, 1 << 20, "input height and width, pixels; 0: the usual one"},
    NETWORK_DTYPE_PARAM,
    PARAM_END,
};

const struct param rewrite_params[] = {
    PARAM_ENUM("fuse", "none", "batch normalisations folded; activations fused as well",
               {"none", FUSE_NONE}, {"bn", FUSE_BN}, {"all", FUSE_ALL}),
    PARAM_ENUM("grouped", "keep",
               "grouped convolutions as one operator, or split into their groups",
               {"keep", GROUPED_KEEP}, {"expand", GROUPED_EXPAND}),
    PARAM_ENUM("train", "off", "a step of training instead of inference, with this optimiser",
               {"off", OPTIMIZER_NONE}, {"sgd", OPTIMIZER_SGD}, {"momentum", OPTIMIZER_MOMENTUM},
               {"adam", OPTIMIZER_ADAM}),
    PARAM_ENUM("update", "end",
               "a weight is updated after the backward pass, or when its gradient is there",
               {"end", UPDATE_END}, {"ready", UPDATE_READY}),
    {"checkpoint", PARAM_TEXT, "off", NULL, 0, 0,
     "segments of so many operators are run again in the backward pass; sqrt; off"},
    PARAM_END,
};

const struct param network_head_params[] = {
    PARAM_ENUM("head", "logits", "what the network ends with", {"logits", HEAD_LOGITS},
               {"softmax", HEAD_SOFTMAX}),
    PARAM_END,
};

const struct param lifetime_params[] = {
    PARAM_ENUM("io", "none", "network inputs and outputs that count beside the intermediates",
               {"none", IO_NONE}, {"inputs", IO_INPUTS}, {"outputs", IO_OUTPUTS},
               {"both", IO_BOTH}),
    PARAM_SWITCH("weights", "off", "whether weights count"),
    PARAM_SWITCH("alias", "off", "whether pure aliases share their input's buffer"),
    PARAM_ENUM("inplace", "off", "whose rule says which operators overwrite their input",
               {"off", INPLACE_OFF}, {"megengine", INPLACE_MEGENGINE}, {"nnc", INPLACE_NNC}),
    PARAM_ENUM("concat", "copy", "whether parts of a concatenation lie in it from the start",
               {"copy", CONCAT_COPY}, {"place", CONCAT_PLACE}),
    PARAM_ENUM("order", "file", "the order in which operators run", {"file", ORDER_FILE},
               {"dfs", ORDER_DFS}, {"bfs", ORDER_BFS}, {"layers", ORDER_LAYERS},
               {"greedy", ORDER_GREEDY}, {"optimal", ORDER_OPTIMAL}),
    {"groups", PARAM_INT, "0", NULL, 0, PARAM_NO_LIMIT,
     "groups that a layer is cut into, whose operators share a step; 0: a step an operator"},
    PARAM_ENUM(
        "loops", "copy",
        "carried values of loops: copied, sharing memory where lifetimes allow it, bodies unrolled",
        {"copy", LOOPS_COPY}, {"coalloc", LOOPS_COALLOC}, {"unroll", LOOPS_UNROLL}),
    {"unroll", PARAM_INT, "0", NULL, 0, 1 << 16,
     "with loops=unroll, how often bodies are; 0: as often as it takes to copy nothing"},
    PARAM_ENUM("subgraphs", "flat",
               "loops planned with what is around them, first by themselves, or as one buffer each",
               {"flat", SUBGRAPHS_FLAT}, {"buffers", SUBGRAPHS_BUFFERS},
               {"block", SUBGRAPHS_BLOCK}),
    {"alignment", PARAM_INT, "1", NULL, 1, 1 << 20, "of every buffer, bytes"},
    PARAM_ENUM("align", "instance",
               "whose alignment holds: the instance's, or what each planner rounds where it ships",
               {"instance", ALIGN_INSTANCE}, {"native", ALIGN_NATIVE}),
    PARAM_END,
};
