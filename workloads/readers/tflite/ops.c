/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "workloads/readers/tflite/ops.h"

#include <inttypes.h>

/* --- what all use --- */

static int32_t tensor_at(const struct tflite_work *work, const struct flatbuffer_vector *list,
                         size_t index)
{
    return index < list->count ? flatbuffer_int_at(&work->model->buffer, list, index) : TFLITE_NONE;
}

const struct tflite_tensor *tflite_input(const struct tflite_work *work, size_t index)
{
    int32_t tensor = tensor_at(work, &work->op->input, index);

    return tensor == TFLITE_NONE ? NULL : &work->graph->tensor[tensor];
}

const struct shape *tflite_in(const struct tflite_work *work, size_t index)
{
    int32_t tensor = tensor_at(work, &work->op->input, index);

    return tensor == TFLITE_NONE ? NULL : &work->shape[tensor];
}

static const struct shape *stored_out(const struct tflite_work *work, size_t index)
{
    int32_t tensor = tensor_at(work, &work->op->output, index);

    return tensor == TFLITE_NONE ? NULL : &work->graph->tensor[tensor].shape;
}

bool tflite_numbers(struct tflite_work *work, size_t index, int64_t *number, size_t most,
                    size_t *count)
{
    const struct tflite_tensor *tensor = tflite_input(work, index);
    const struct flatbuffer *buffer = &work->model->buffer;
    size_t width = tensor != NULL && tensor->type == TFLITE_INT64 ? 8 : 4;

    if (tensor == NULL || (tensor->type != TFLITE_INT32 && tensor->type != TFLITE_INT64) ||
        (tensor->data.count == 0 && tensor->shape.rank > 0 && tensor->shape.dim[0] != 0))
        return error_set(work->error, "input %zu: expected constant whole numbers", index);
    *count = tensor->data.count / width;
    if (*count > most)
        return error_set(work->error, "input %zu: %zu numbers, expected at most %zu", index, *count,
                         most);
    for (size_t i = 0; i < *count; i++) {
        size_t at = tensor->data.at + i * width;
        uint64_t bits = flatbuffer_u32(buffer, at);

        if (width == 8)
            bits |= (uint64_t)flatbuffer_u32(buffer, at + 4) << 32;
        else if (bits > INT32_MAX)
            bits |= UINT64_MAX << 32;
        number[i] = bits <= INT64_MAX ? (int64_t)bits : -(int64_t)(UINT64_MAX - bits) - 1;
    }
    return true;
}

bool tflite_option(struct tflite_work *work, size_t field, int64_t *value)
{
    int32_t number;

    /* Dilations are the only numbers whose default is not 0.  */
    if (!flatbuffer_int(&work->model->buffer, &work->op->options, field, 0, &number))
        return false;
    *value = number;
    return true;
}

bool tflite_option_byte(struct tflite_work *work, size_t field, int *value)
{
    return flatbuffer_byte(&work->model->buffer, &work->op->options, field, 0, value);
}

bool tflite_option_list(struct tflite_work *work, size_t field, int64_t *number, size_t most,
                        size_t *count)
{
    struct flatbuffer_vector list;

    if (!flatbuffer_vector(&work->model->buffer, &work->op->options, field, 4, &list))
        return false;
    if (list.count > most)
        return error_set(work->error, "%zu numbers, expected at most %zu", list.count, most);
    for (size_t i = 0; i < list.count; i++)
        number[i] = flatbuffer_int_at(&work->model->buffer, &list, i);
    *count = list.count;
    return true;
}

const char *tflite_activation(int type)
{
    static const char *const word[] = {NULL, "relu", "relu_n1_to_1", "relu6", "tanh", "sign_bit"};

    return type >= 0 && (size_t)type < sizeof word / sizeof word[0] ? word[type] : NULL;
}

/* --- shapes of the simplest operators --- */

static bool same(struct tflite_work *work)
{
    for (size_t i = 0; i < work->op->output.count; i++)
        work->out[i] = *tflite_in(work, 0);
    return true;
}

static bool binary(struct tflite_work *work)
{
    return shape_broadcast(tflite_in(work, 0), tflite_in(work, 1), &work->out[0], work->error);
}

/* A recurrent layer over a sequence: the width of its rows stays the file's.  */
static bool sequence(struct tflite_work *work)
{
    const struct shape *stored = stored_out(work, 0);

    if (stored == NULL || stored->rank != 3 || tflite_in(work, 0)->rank != 3)
        return error_set(work->error, "expected 3 dimensions of input and output");
    work->out[0] = *tflite_in(work, 0);
    work->out[0].dim[2] = stored->dim[2];
    return true;
}

/* By their codes.  Fused activations: the number of the field in the
 * operator's options.  */
static const struct tflite_op ops[] = {
    [0] = {"ADD", "add", OP_ELEMENTWISE, binary, 2, 0, 0},
    [1] = {"AVERAGE_POOL_2D", "avg_pool", OP_POOL, tflite_pool, 1, 5, 0},
    [2] = {"CONCATENATION", "concat", OP_CONCAT, tflite_concat, 1, 1, 0},
    [3] = {"CONV_2D", "conv", OP_CONV, tflite_conv, 2, 3, TFLITE_WEIGHTS},
    [4] = {"DEPTHWISE_CONV_2D", "conv", OP_CONV, tflite_depthwise, 2, 4, TFLITE_WEIGHTS},
    [5] = {"DEPTH_TO_SPACE", "depth_to_space", OP_OTHER, tflite_depth_to_space, 1, -1, 0},
    [6] = {"DEQUANTIZE", "dequantize", OP_OTHER, same, 1, -1, 0},
    [7] = {"EMBEDDING_LOOKUP", "embedding", OP_OTHER, NULL, 0, -1, TFLITE_WEIGHTS},
    [8] = {"FLOOR", "floor", OP_ACTIVATION, same, 1, -1, 0},
    [9] = {"FULLY_CONNECTED", "linear", OP_LINEAR, tflite_fully_connected, 2, 0, TFLITE_WEIGHTS},
    [11] = {"L2_NORMALIZATION", "l2_norm", OP_OTHER, same, 1, 0, 0},
    [12] = {"L2_POOL_2D", "l2_pool", OP_POOL, tflite_pool, 1, 5, 0},
    [13] = {"LOCAL_RESPONSE_NORMALIZATION", "lrn", OP_LRN, same, 1, -1, 0},
    [14] = {"LOGISTIC", "sigmoid", OP_ACTIVATION, same, 1, -1, 0},
    [16] = {"LSTM", "lstm", OP_OTHER, NULL, 0, -1, TFLITE_WEIGHTS},
    [17] = {"MAX_POOL_2D", "max_pool", OP_POOL, tflite_pool, 1, 5, 0},
    [18] = {"MUL", "mul", OP_ELEMENTWISE, binary, 2, 0, 0},
    [19] = {"RELU", "relu", OP_ACTIVATION, same, 1, -1, 0},
    [20] = {"RELU_N1_TO_1", "relu_n1_to_1", OP_ACTIVATION, same, 1, -1, 0},
    [21] = {"RELU6", "relu6", OP_ACTIVATION, same, 1, -1, 0},
    [22] = {"RESHAPE", "reshape", OP_ALIAS, tflite_reshape, 1, -1, 0},
    [23] = {"RESIZE_BILINEAR", "resize", OP_OTHER, tflite_resize, 2, -1, 0},
    [24] = {"RNN", "rnn", OP_OTHER, NULL, 0, -1, TFLITE_WEIGHTS},
    [25] = {"SOFTMAX", "softmax", OP_SOFTMAX, same, 1, -1, 0},
    [26] = {"SPACE_TO_DEPTH", "space_to_depth", OP_OTHER, tflite_space_to_depth, 1, -1, 0},
    [27] = {"SVDF", "svdf", OP_OTHER, NULL, 0, -1, TFLITE_WEIGHTS},
    [28] = {"TANH", "tanh", OP_ACTIVATION, same, 1, -1, 0},
    [31] = {"CALL", "call", OP_OTHER, NULL, 0, -1, TFLITE_STAYS | TFLITE_CALLS},
    [32] = {"CUSTOM", "custom", OP_OTHER, NULL, 0, -1, TFLITE_STAYS},
    [34] = {"PAD", "pad", OP_OTHER, tflite_pad, 2, -1, 0},
    [35] = {"UNIDIRECTIONAL_SEQUENCE_RNN", "rnn", OP_OTHER, sequence, 1, -1, TFLITE_WEIGHTS},
    [36] = {"GATHER", "gather", OP_OTHER, tflite_gather, 2, -1, 0},
    [37] = {"BATCH_TO_SPACE_ND", "batch_to_space", OP_OTHER, NULL, 0, -1, 0},
    [38] = {"SPACE_TO_BATCH_ND", "space_to_batch", OP_OTHER, NULL, 0, -1, 0},
    [39] = {"TRANSPOSE", "transpose", OP_OTHER, tflite_transpose, 2, -1, 0},
    [40] = {"MEAN", "mean", OP_OTHER, tflite_reduce, 2, -1, 0},
    [41] = {"SUB", "sub", OP_ELEMENTWISE, binary, 2, 0, 0},
    [42] = {"DIV", "div", OP_ELEMENTWISE, binary, 2, 0, 0},
    [43] = {"SQUEEZE", "squeeze", OP_ALIAS, tflite_squeeze, 1, -1, 0},
    [44] = {"UNIDIRECTIONAL_SEQUENCE_LSTM", "lstm", OP_OTHER, sequence, 1, -1, TFLITE_WEIGHTS},
    [45] = {"STRIDED_SLICE", "slice", OP_OTHER, tflite_strided_slice, 4, -1, 0},
    [46] = {"BIDIRECTIONAL_SEQUENCE_RNN", "rnn", OP_OTHER, NULL, 0, -1, TFLITE_WEIGHTS},
    [47] = {"EXP", "exp", OP_ACTIVATION, same, 1, -1, 0},
    [48] = {"TOPK_V2", "top_k", OP_OTHER, NULL, 0, -1, 0},
    [49] = {"SPLIT", "split", OP_SPLIT, tflite_split, 2, -1, 0},
    [50] = {"LOG_SOFTMAX", "log_softmax", OP_SOFTMAX, same, 1, -1, 0},
    [52] = {"BIDIRECTIONAL_SEQUENCE_LSTM", "lstm", OP_OTHER, NULL, 0, -1, TFLITE_WEIGHTS},
    [53] = {"CAST", "cast", OP_OTHER, same, 1, -1, 0},
    [54] = {"PRELU", "prelu", OP_OTHER, same, 1, -1, TFLITE_WEIGHTS},
    [55] = {"MAXIMUM", "max", OP_ELEMENTWISE, binary, 2, -1, 0},
    [56] = {"ARG_MAX", "arg_max", OP_OTHER, tflite_arg, 2, -1, 0},
    [57] = {"MINIMUM", "min", OP_ELEMENTWISE, binary, 2, -1, 0},
    [58] = {"LESS", "less", OP_OTHER, binary, 2, -1, 0},
    [59] = {"NEG", "neg", OP_ACTIVATION, same, 1, -1, 0},
    [60] = {"PADV2", "pad", OP_OTHER, tflite_pad, 2, -1, 0},
    [61] = {"GREATER", "greater", OP_OTHER, binary, 2, -1, 0},
    [62] = {"GREATER_EQUAL", "greater_equal", OP_OTHER, binary, 2, -1, 0},
    [63] = {"LESS_EQUAL", "less_equal", OP_OTHER, binary, 2, -1, 0},
    [64] = {"SELECT", "select", OP_OTHER, NULL, 0, -1, 0},
    [65] = {"SLICE", "slice", OP_OTHER, tflite_slice, 3, -1, 0},
    [66] = {"SIN", "sin", OP_ACTIVATION, same, 1, -1, 0},
    [67] = {"TRANSPOSE_CONV", "deconv", OP_OTHER, tflite_transpose_conv, 3, 3, TFLITE_WEIGHTS},
    [68] = {"SPARSE_TO_DENSE", "sparse_to_dense", OP_OTHER, NULL, 0, -1, 0},
    [69] = {"TILE", "tile", OP_OTHER, tflite_tile, 2, -1, 0},
    [70] = {"EXPAND_DIMS", "expand_dims", OP_ALIAS, tflite_expand_dims, 2, -1, 0},
    [71] = {"EQUAL", "equal", OP_OTHER, binary, 2, -1, 0},
    [72] = {"NOT_EQUAL", "not_equal", OP_OTHER, binary, 2, -1, 0},
    [73] = {"LOG", "log", OP_ACTIVATION, same, 1, -1, 0},
    [74] = {"SUM", "sum", OP_OTHER, tflite_reduce, 2, -1, 0},
    [75] = {"SQRT", "sqrt", OP_ACTIVATION, same, 1, -1, 0},
    [76] = {"RSQRT", "rsqrt", OP_ACTIVATION, same, 1, -1, 0},
    [77] = {"SHAPE", "shape", OP_OTHER, tflite_shape, 1, -1, TFLITE_STATIC},
    [78] = {"POW", "pow", OP_ELEMENTWISE, binary, 2, -1, 0},
    [79] = {"ARG_MIN", "arg_min", OP_OTHER, tflite_arg, 2, -1, 0},
    [80] = {"FAKE_QUANT", "fake_quant", OP_OTHER, same, 1, -1, 0},
    [81] = {"REDUCE_PROD", "reduce_prod", OP_OTHER, tflite_reduce, 2, -1, 0},
    [82] = {"REDUCE_MAX", "reduce_max", OP_OTHER, tflite_reduce, 2, -1, 0},
    [83] = {"PACK", "pack", OP_OTHER, tflite_pack, 1, -1, 0},
    [84] = {"LOGICAL_OR", "or", OP_ELEMENTWISE, binary, 2, -1, 0},
    [85] = {"ONE_HOT", "one_hot", OP_OTHER, NULL, 0, -1, 0},
    [86] = {"LOGICAL_AND", "and", OP_ELEMENTWISE, binary, 2, -1, 0},
    [87] = {"LOGICAL_NOT", "not", OP_ACTIVATION, same, 1, -1, 0},
    [88] = {"UNPACK", "unpack", OP_SPLIT, tflite_unpack, 1, -1, 0},
    [89] = {"REDUCE_MIN", "reduce_min", OP_OTHER, tflite_reduce, 2, -1, 0},
    [90] = {"FLOOR_DIV", "floor_div", OP_ELEMENTWISE, binary, 2, -1, 0},
    [91] = {"REDUCE_ANY", "reduce_any", OP_OTHER, tflite_reduce, 2, -1, 0},
    [92] = {"SQUARE", "square", OP_ACTIVATION, same, 1, -1, 0},
    [93] = {"ZEROS_LIKE", "zeros_like", OP_OTHER, same, 1, -1, TFLITE_STATIC},
    [94] = {"FILL", "fill", OP_OTHER, NULL, 0, -1, 0},
    [95] = {"FLOOR_MOD", "floor_mod", OP_ELEMENTWISE, binary, 2, -1, 0},
    [96] = {"RANGE", "range", OP_OTHER, NULL, 0, -1, 0},
    [97] = {"RESIZE_NEAREST_NEIGHBOR", "resize", OP_OTHER, tflite_resize, 2, -1, 0},
    [98] = {"LEAKY_RELU", "leaky_relu", OP_ACTIVATION, same, 1, -1, 0},
    [99] = {"SQUARED_DIFFERENCE", "squared_difference", OP_ELEMENTWISE, binary, 2, -1, 0},
    [100] = {"MIRROR_PAD", "pad", OP_OTHER, tflite_pad, 2, -1, 0},
    [101] = {"ABS", "abs", OP_ACTIVATION, same, 1, -1, 0},
    [102] = {"SPLIT_V", "split", OP_SPLIT, tflite_split_v, 3, -1, 0},
    [103] = {"UNIQUE", "unique", OP_OTHER, NULL, 0, -1, 0},
    [104] = {"CEIL", "ceil", OP_ACTIVATION, same, 1, -1, 0},
    [105] = {"REVERSE_V2", "reverse", OP_OTHER, same, 1, -1, 0},
    [106] = {"ADD_N", "add_n", OP_ELEMENTWISE, same, 1, -1, 0},
    [107] = {"GATHER_ND", "gather_nd", OP_OTHER, NULL, 0, -1, 0},
    [108] = {"COS", "cos", OP_ACTIVATION, same, 1, -1, 0},
    [109] = {"WHERE", "where", OP_OTHER, NULL, 0, -1, 0},
    [110] = {"RANK", "rank", OP_OTHER, NULL, 0, -1, TFLITE_STATIC},
    [111] = {"ELU", "elu", OP_ACTIVATION, same, 1, -1, 0},
    [112] = {"REVERSE_SEQUENCE", "reverse_sequence", OP_OTHER, same, 1, -1, 0},
    [113] = {"MATRIX_DIAG", "matrix_diag", OP_OTHER, NULL, 0, -1, 0},
    [114] = {"QUANTIZE", "quantize", OP_OTHER, same, 1, -1, 0},
    [115] = {"MATRIX_SET_DIAG", "matrix_set_diag", OP_OTHER, same, 1, -1, 0},
    [116] = {"ROUND", "round", OP_ACTIVATION, same, 1, -1, 0},
    [117] = {"HARD_SWISH", "hard_swish", OP_ACTIVATION, same, 1, -1, 0},
    [118] = {"IF", "if", OP_OTHER, NULL, 0, -1, TFLITE_STAYS | TFLITE_CALLS},
    [119] = {"WHILE", "while", OP_OTHER, NULL, 0, -1, TFLITE_STAYS | TFLITE_CALLS},
    [120] = {"NON_MAX_SUPPRESSION_V4", "non_max_suppression", OP_OTHER, NULL, 0, -1, 0},
    [121] = {"NON_MAX_SUPPRESSION_V5", "non_max_suppression", OP_OTHER, NULL, 0, -1, 0},
    [122] = {"SCATTER_ND", "scatter_nd", OP_OTHER, NULL, 0, -1, 0},
    [123] = {"SELECT_V2", "select", OP_OTHER, NULL, 0, -1, 0},
    [124] = {"DENSIFY", "densify", OP_OTHER, same, 1, -1, 0},
    [125] = {"SEGMENT_SUM", "segment_sum", OP_OTHER, NULL, 0, -1, 0},
    [126] = {"BATCH_MATMUL", "matmul", OP_OTHER, tflite_batch_matmul, 2, -1, TFLITE_WEIGHTS},
    [128] = {"CUMSUM", "cumsum", OP_OTHER, same, 1, -1, 0},
    [129] = {"CALL_ONCE", "call_once", OP_OTHER, NULL, 0, -1, TFLITE_STAYS | TFLITE_CALLS},
    [130] = {"BROADCAST_TO", "broadcast", OP_OTHER, NULL, 0, -1, 0},
    [131] = {"RFFT2D", "rfft2d", OP_OTHER, NULL, 0, -1, 0},
    [132] = {"CONV_3D", "conv_3d", OP_OTHER, NULL, 0, 4, TFLITE_WEIGHTS},
    [136] = {"HASHTABLE", "hashtable", OP_OTHER, NULL, 0, -1, TFLITE_STAYS},
    [137] = {"HASHTABLE_FIND", "hashtable_find", OP_OTHER, NULL, 0, -1, TFLITE_STAYS},
    [138] = {"HASHTABLE_IMPORT", "hashtable_import", OP_OTHER, NULL, 0, -1, TFLITE_STAYS},
    [139] = {"HASHTABLE_SIZE", "hashtable_size", OP_OTHER, NULL, 0, -1, TFLITE_STAYS},
    [140] = {"REDUCE_ALL", "reduce_all", OP_OTHER, tflite_reduce, 2, -1, 0},
    [141] = {"CONV_3D_TRANSPOSE", "deconv_3d", OP_OTHER, NULL, 0, 4, TFLITE_WEIGHTS},
    [142] = {"VAR_HANDLE", "var_handle", OP_OTHER, NULL, 0, -1, TFLITE_STAYS},
    [143] = {"READ_VARIABLE", "read_variable", OP_OTHER, NULL, 0, -1, TFLITE_STAYS},
    [144] = {"ASSIGN_VARIABLE", "assign_variable", OP_OTHER, NULL, 0, -1, TFLITE_STAYS},
    [145] = {"BROADCAST_ARGS", "broadcast_args", OP_OTHER, NULL, 0, -1, 0},
    [146] = {"RANDOM_STANDARD_NORMAL", "random", OP_OTHER, NULL, 0, -1, TFLITE_STAYS},
    [147] = {"BUCKETIZE", "bucketize", OP_OTHER, same, 1, -1, 0},
    [148] = {"RANDOM_UNIFORM", "random", OP_OTHER, NULL, 0, -1, TFLITE_STAYS},
    [149] = {"MULTINOMIAL", "random", OP_OTHER, NULL, 0, -1, TFLITE_STAYS},
    [150] = {"GELU", "gelu", OP_ACTIVATION, same, 1, -1, 0},
    [151] = {"DYNAMIC_UPDATE_SLICE", "update_slice", OP_OTHER, same, 1, -1, 0},
    [152] = {"RELU_0_TO_1", "relu_0_to_1", OP_ACTIVATION, same, 1, -1, 0},
    [156] = {"ATAN2", "atan2", OP_ELEMENTWISE, binary, 2, -1, 0},
    [158] = {"SIGN", "sign", OP_ACTIVATION, same, 1, -1, 0},
    [160] = {"BITWISE_XOR", "xor", OP_ELEMENTWISE, binary, 2, -1, 0},
    [161] = {"RIGHT_SHIFT", "right_shift", OP_ELEMENTWISE, binary, 2, -1, 0},
};

const struct tflite_op *tflite_op_find(int32_t code)
{
    static const struct tflite_op unknown = {"unknown", "other", OP_OTHER,    NULL,
                                             0,         -1,      TFLITE_STAYS};

    if (code < 0 || (size_t)code >= sizeof ops / sizeof ops[0] || ops[code].name == NULL)
        return &unknown;
    return &ops[code];
}
