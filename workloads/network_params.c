#include <config.h>

#include "workloads/workload.h"

#include <stddef.h>

/* The order of the choices is that of enum dtype, enum fuse, enum
 * io_count and enum order.  */
const struct param network_common_params[] = {
    {"batch", PARAM_INT, "1", NULL, 1, PARAM_NO_LIMIT, "images at a time"},
    {"size", PARAM_INT, "0", NULL, 0, 1 << 20, "input height and width, pixels; 0: the usual one"},
    {"dtype", PARAM_CHOICE, "f32", "f32|f16|i8", 0, 0, "element type of all values"},
    PARAM_END,
};

const struct param rewrite_params[] = {
    {"fuse", PARAM_CHOICE, "none", "none|bn|all", 0, 0,
     "batch normalisations folded; activations fused as well"},
    {"grouped", PARAM_CHOICE, "keep", "keep|expand", 0, 0,
     "grouped convolutions as one operator, or split into their groups"},
    {"train", PARAM_CHOICE, "off", "off|sgd|momentum|adam", 0, 0,
     "a step of training instead of inference, with this optimiser"},
    {"update", PARAM_CHOICE, "end", "end|ready", 0, 0,
     "a weight is updated after the backward pass, or when its gradient is there"},
    {"checkpoint", PARAM_TEXT, "off", NULL, 0, 0,
     "segments of so many operators are run again in the backward pass; sqrt; off"},
    PARAM_END,
};

const struct param network_head_params[] = {
    {"head", PARAM_CHOICE, "logits", "logits|softmax", 0, 0, "what the network ends with"},
    PARAM_END,
};

const struct param lifetime_params[] = {
    {"io", PARAM_CHOICE, "none", "none|inputs|outputs|both", 0, 0,
     "network inputs and outputs that count beside the intermediates"},
    {"weights", PARAM_CHOICE, "off", "off|on", 0, 0, "whether weights count"},
    {"alias", PARAM_CHOICE, "off", "off|on", 0, 0,
     "whether pure aliases share their input's buffer"},
    {"inplace", PARAM_CHOICE, "off", "off|megengine|nnc", 0, 0,
     "whose rule says which operators overwrite their input"},
    {"concat", PARAM_CHOICE, "copy", "copy|place", 0, 0,
     "whether parts of a concatenation lie in it from the start"},
    {"order", PARAM_CHOICE, "file", "file|dfs|bfs|layers|greedy|optimal", 0, 0,
     "the order in which operators run"},
    {"groups", PARAM_INT, "0", NULL, 0, PARAM_NO_LIMIT,
     "groups that a layer is cut into, whose operators share a step; 0: a step an operator"},
    {"loops", PARAM_CHOICE, "copy", "copy|coalloc|unroll", 0, 0,
     "carried values of loops: copied, sharing memory where lifetimes allow it, bodies unrolled"},
    {"unroll", PARAM_INT, "0", NULL, 0, 1 << 16,
     "with loops=unroll, how often bodies are; 0: as often as it takes to copy nothing"},
    {"subgraphs", PARAM_CHOICE, "flat", "flat|block", 0, 0,
     "loops planned with what is around them, or each as one buffer"},
    {"alignment", PARAM_INT, "1", NULL, 1, 1 << 20, "of every buffer, bytes"},
    {"align", PARAM_CHOICE, "instance", "instance|native", 0, 0,
     "whose alignment holds: the instance's, or what each planner rounds where it ships"},
    PARAM_END,
};
