/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What TensorFlow Lite's operators are, and the shapes that they make.
 *
 * A file has the shapes of all its tensors.  They are only worked out for a model
 * whose inputs are given another size, and where the file leaves them open.  */
#ifndef ARENABENCH_WORKLOADS_READERS_TFLITE_OPS_H
#define ARENABENCH_WORKLOADS_READERS_TFLITE_OPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"
#include "lib/graph/conv_shape.h"
#include "lib/graph/network.h"
#include "workloads/readers/shapes.h"
#include "workloads/readers/tflite/model.h"

/* One operator at work.  */
struct tflite_work {
    struct tflite_model *model;
    const struct tflite_graph *graph;
    const struct tflite_operator *op;
    const struct shape *shape; /* of each tensor of the graph, as far as it is known */
    struct shape *out;         /* op->output.count of them */
    struct conv_shape conv;    /* n = 0: none */
    int64_t macs;
    bool slice; /* out[0] is the slice of input 0 that starts at START */
    int64_t start[NETWORK_MAX_RANK];
    struct error *error;
};

struct tflite_op {
    const char *name; /* "CONV_2D" */
    const char *word; /* for people: "conv" */
    enum op_kind kind;
    /* Fills in OUT (and CONV and MACS); NULL: shapes cannot be worked out.  Inputs
     * below INPUTS are there.  */
    bool (*infer)(struct tflite_work *work);
    size_t inputs;
    int activation; /* the option with the fused activation; -1: none */
    enum tflite_op_flag {
        TFLITE_WEIGHTS = 1, /* its constant inputs are trained */
        TFLITE_STAYS = 2,   /* not a constant even if all its inputs are */
        TFLITE_STATIC = 4,  /* a constant whatever its inputs are: it reads their shapes */
        TFLITE_CALLS = 8,   /* runs other sub-graphs */
    } flags;
};

/* Never NULL: what is not known has the name "unknown".  */
const struct tflite_op *tflite_op_find(int32_t code);

/* "relu" for a fused ActivationFunctionType; NULL for none.  */
const char *tflite_activation(int type);

/* --- for the functions that infer --- */

/* The tensor of input INDEX, and its shape, or NULL where it is left out.  */
const struct tflite_tensor *tflite_input(const struct tflite_work *work, size_t index);
const struct shape *tflite_in(const struct tflite_work *work, size_t index);

/* Whole numbers of constant input INDEX, at most MOST of them.  False with a
 * message where it is no constant of INT32 or INT64.  */
bool tflite_numbers(struct tflite_work *work, size_t index, int64_t *number, size_t most,
                    size_t *count);

/* Options: number, byte and list.  */
bool tflite_option(struct tflite_work *work, size_t field, int64_t *value);
bool tflite_option_byte(struct tflite_work *work, size_t field, int *value);
bool tflite_option_list(struct tflite_work *work, size_t field, int64_t *number, size_t most,
                        size_t *count);

/* Convolutions, pools and products (windows.c).  */
bool tflite_batch_matmul(struct tflite_work *work);
bool tflite_conv(struct tflite_work *work);
bool tflite_depthwise(struct tflite_work *work);
bool tflite_fully_connected(struct tflite_work *work);
bool tflite_pool(struct tflite_work *work);
bool tflite_transpose_conv(struct tflite_work *work);

/* Other shapes, other sizes (views.c).  */
bool tflite_arg(struct tflite_work *work);
bool tflite_concat(struct tflite_work *work);
bool tflite_depth_to_space(struct tflite_work *work);
bool tflite_expand_dims(struct tflite_work *work);
bool tflite_gather(struct tflite_work *work);
bool tflite_pack(struct tflite_work *work);
bool tflite_pad(struct tflite_work *work);
bool tflite_reduce(struct tflite_work *work);
bool tflite_reshape(struct tflite_work *work);
bool tflite_resize(struct tflite_work *work);
bool tflite_shape(struct tflite_work *work);
bool tflite_slice(struct tflite_work *work);
bool tflite_space_to_depth(struct tflite_work *work);
bool tflite_split(struct tflite_work *work);
bool tflite_split_v(struct tflite_work *work);
bool tflite_squeeze(struct tflite_work *work);
bool tflite_strided_slice(struct tflite_work *work);
bool tflite_tile(struct tflite_work *work);
bool tflite_transpose(struct tflite_work *work);
bool tflite_unpack(struct tflite_work *work);

#endif
