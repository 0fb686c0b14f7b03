/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What each type of ncnn layer makes: the shapes of its outputs, the weights
 * that it stores and the work that it does.
 *
 * Shapes have the outermost dimension first: channels, (depth,) height, width.
 * The numbers of the parameters are those of ncnn's list of operators.  */
#ifndef ARENABENCH_WORKLOADS_READERS_NCNN_LAYERS_H
#define ARENABENCH_WORKLOADS_READERS_NCNN_LAYERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"
#include "lib/graph/conv_shape.h"
#include "lib/graph/network.h"
#include "workloads/readers/ncnn/param.h"
#include "workloads/readers/shapes.h"

#define NCNN_MAX_STORED 8 /* weights of one layer */
#define NCNN_REST (-233)  /* what parameters say for "all that is left" */

struct ncnn_stored {
    const char *what; /* "weight" */
    enum value_role role;
    struct shape shape;
};

/* One layer at work: what is known goes in, what follows from it comes out.  */
struct ncnn_work {
    const struct ncnn_model *model;
    const struct ncnn_layer *layer;
    const struct shape *in; /* layer->inputs of them */
    struct error *error;

    struct shape *out; /* layer->outputs of them */
    enum op_kind kind; /* as in the table; a layer may change it */
    const char *type;
    const char *activation; /* fused into it, or NULL */
    struct conv_shape conv; /* n = 0: none */
    int64_t macs;
    size_t n_stored;
    struct ncnn_stored stored[NCNN_MAX_STORED];
    bool slice;                      /* out[0] is the slice of in[0] that starts at START */
    int64_t start[NETWORK_MAX_RANK]; /* of in[0]'s dimensions */
    bool open;                       /* the parameters do not tell the shapes */
    bool bound;                      /* they only tell the largest shapes that there can be */
    bool bad;                        /* a parameter has no value of its kind: number BAD_KEY */
    int64_t bad_key;
};

struct ncnn_type {
    const char *name; /* "Convolution" */
    const char *word; /* for people: "conv" */
    enum op_kind kind;
    /* Fills in OUT and the rest; false with a message.  Only called for layers
     * with at least INPUTS inputs and one output, each input having from LEAST to
     * MOST dimensions.  */
    bool (*infer)(struct ncnn_work *work);
    size_t inputs;
    int least, most;
};

/* Sorted by name.  */
const struct ncnn_type *ncnn_type_find(const char *name);

/* Parameters; one of the wrong kind sets BAD.  */
int64_t ncnn_int(struct ncnn_work *work, int64_t key, int64_t fallback);
double ncnn_real(struct ncnn_work *work, int64_t key, double fallback);
/* A list: its length, and element INDEX below it.  */
size_t ncnn_length(const struct ncnn_work *work, int64_t key);
int64_t ncnn_element(struct ncnn_work *work, int64_t key, size_t index);

/* Notes weights of the given dimensions; false when there are too many
 * elements or a dimension is negative.  */
bool ncnn_store(struct ncnn_work *work, const char *what, enum value_role role, int rank,
                const int64_t *dim);

/* An image's dimensions; what it has not is 1.  */
struct ncnn_image {
    int64_t c, h, w;
};
struct ncnn_image ncnn_image(const struct shape *shape);
struct shape ncnn_image_shape(int64_t c, int64_t h, int64_t w);

/* The layers of windows.c (convolutions, pools), views.c (slices,
 * reshapes, permutations) and products.c (matrix products, recurrent layers).  */
bool ncnn_conv(struct ncnn_work *work);
bool ncnn_conv_depthwise(struct ncnn_work *work);
bool ncnn_conv1d(struct ncnn_work *work);
bool ncnn_conv1d_depthwise(struct ncnn_work *work);
bool ncnn_deconv(struct ncnn_work *work);
bool ncnn_deconv_depthwise(struct ncnn_work *work);
bool ncnn_pool(struct ncnn_work *work);
bool ncnn_pool1d(struct ncnn_work *work);
bool ncnn_roi(struct ncnn_work *work);

bool ncnn_concat(struct ncnn_work *work);
bool ncnn_crop(struct ncnn_work *work);
bool ncnn_expand_dims(struct ncnn_work *work);
bool ncnn_flatten(struct ncnn_work *work);
bool ncnn_interp(struct ncnn_work *work);
bool ncnn_padding(struct ncnn_work *work);
bool ncnn_permute(struct ncnn_work *work);
bool ncnn_pixel_shuffle(struct ncnn_work *work);
bool ncnn_reorg(struct ncnn_work *work);
bool ncnn_reshape(struct ncnn_work *work);
bool ncnn_slice(struct ncnn_work *work);
bool ncnn_squeeze(struct ncnn_work *work);
bool ncnn_tile(struct ncnn_work *work);

bool ncnn_attention(struct ncnn_work *work);
bool ncnn_embed(struct ncnn_work *work);
bool ncnn_gemm(struct ncnn_work *work);
bool ncnn_gru(struct ncnn_work *work);
bool ncnn_inner_product(struct ncnn_work *work);
bool ncnn_lstm(struct ncnn_work *work);
bool ncnn_matmul(struct ncnn_work *work);
bool ncnn_rnn(struct ncnn_work *work);

/* The fused activation in parameter KEY.  */
bool ncnn_activation(struct ncnn_work *work, int64_t key);

#endif
