/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A builder with which a network reads like its paper:
 *
 *     x = builder_conv(b, "conv1", x, 64, .r = 7, .stride = 2, .pad = 3);
 *     x = builder_batch_norm(b, "bn1", x);
 *     x = builder_relu(b, "relu1", x);
 *     x = builder_max_pool(b, "pool1", x, .r = 3, .stride = 2, .pad = 1);
 *
 * Images are N x C x H x W.  An operator's only output has the operator's
 * name; weights are values called NAME.weight, NAME.bias and so on.  The first
 * error (a shape that does not fit) is remembered, what follows it does
 * nothing, and builder_finish reports it: callers check once, at the end.  */
#ifndef ARENABENCH_WORKLOADS_BUILDER_BUILDER_H
#define ARENABENCH_WORKLOADS_BUILDER_BUILDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"
#include "lib/graph/network.h"

struct builder;

/* DTYPE is the element type of every value, weights included.  */
struct builder *builder_new(const char *name, enum dtype dtype);

/* The network, checked, or NULL with the first error.  Frees the builder.  */
struct network *builder_finish(struct builder *b, struct error *error);

/* Remembers an error of the caller's own, unless there is one already.  */
void builder_fail(struct builder *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What is pushed stands before the names of all that is added until it is
 * popped; it ends with its own separator ("layer1.0.").  Nests.  */
void builder_push(struct builder *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void builder_pop(struct builder *b);

/* The same for operators only: stored values are called what they would be
 * without it, and one that is there already is shared.  Does not nest.  */
void builder_push_shared(struct builder *b, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The window of a convolution or a pool.  What is left out is 0, which stands
 * for the usual.  */
struct window {
    int64_t r, s;         /* height and width; s = 0: square */
    int64_t stride;       /* both ways; 0: 1 */
    int64_t pad;          /* on each of the four sides */
    int64_t pad_h, pad_w; /* further rows above and below, columns left and right */
    bool same;            /* pad so that the output is the input / stride, rounded up */
    bool ceil;            /* pools: the last window may hang over the edge, as in Caffe */
    int64_t groups;       /* convolutions; 0: 1 */
    bool bias;            /* convolutions */
};

size_t builder_input(struct builder *b, const char *name, int rank, const int64_t *dim);

/* Marks an output of the network.  */
void builder_output(struct builder *b, size_t x);

/* Each returns the value that the operator makes.  K output channels.  */
size_t builder_conv_window(struct builder *b, const char *name, size_t x, int64_t k,
                           struct window window);
size_t builder_max_pool_window(struct builder *b, const char *name, size_t x, struct window window);
size_t builder_avg_pool_window(struct builder *b, const char *name, size_t x, struct window window);
#define builder_conv(b, name, x, k, ...) \
    builder_conv_window(b, name, x, k, (struct window){__VA_ARGS__})
#define builder_max_pool(b, name, x, ...) \
    builder_max_pool_window(b, name, x, (struct window){__VA_ARGS__})
#define builder_avg_pool(b, name, x, ...) \
    builder_avg_pool_window(b, name, x, (struct window){__VA_ARGS__})

/* One group a channel, no bias.  */
#define builder_depthwise(b, name, x, ...)                \
    builder_conv_window(b, name, x, builder_dim(b, x, 1), \
                        (struct window){.groups = builder_dim(b, x, 1), __VA_ARGS__})

size_t builder_global_avg_pool(struct builder *b, const char *name, size_t x);

/* A fully connected layer with bias on all that an element of the batch has.  */
size_t builder_linear(struct builder *b, const char *name, size_t x, int64_t k);

size_t builder_batch_norm(struct builder *b, const char *name, size_t x);

/* Elementwise with one input and no weights.  TYPE is static text: "relu",
 * "relu6", "leaky_relu", "sigmoid", "tanh", "hard_sigmoid", "hard_swish",
 * "swish", "gelu".  */
size_t builder_activation(struct builder *b, const char *name, const char *type, size_t x);
size_t builder_relu(struct builder *b, const char *name, size_t x);
size_t builder_relu6(struct builder *b, const char *name, size_t x);
size_t builder_lrn(struct builder *b, const char *name, size_t x);
size_t builder_softmax(struct builder *b, const char *name, size_t x);

/* Elementwise; where shapes differ, a dimension that is 1 or missing in front
 * is repeated.  */
size_t builder_add(struct builder *b, const char *name, size_t x, size_t y);
size_t builder_mul(struct builder *b, const char *name, size_t x, size_t y);

/* FACTOR times X plus OFFSET; and X, whose last two dimensions are tokens, with minus infinity
 * where a token would see a later one.  */
size_t builder_scale(struct builder *b, const char *name, size_t x, double factor, double offset);
size_t builder_causal_mask(struct builder *b, const char *name, size_t x);

/* Joins COUNT values along dimension 1 (channels), or along AXIS.  */
size_t builder_concat(struct builder *b, const char *name, const size_t *x, size_t count);
size_t builder_concat_axis(struct builder *b, const char *name, int axis, const size_t *x,
                           size_t count);

/* Cuts X along AXIS into COUNT equal values NAME.0, NAME.1, ...: PART.  */
void builder_split(struct builder *b, const char *name, size_t x, int axis, size_t *part,
                   size_t count);

/* [begin, begin + length) of AXIS; and the H x W pixels in the middle.  */
size_t builder_slice(struct builder *b, const char *name, size_t x, int axis, int64_t begin,
                     int64_t length);
size_t builder_crop(struct builder *b, const char *name, size_t x, int64_t h, int64_t w);

/* Dimension i becomes what dimension AXIS[i] was.  */
size_t builder_transpose(struct builder *b, const char *name, size_t x, const int *axis);

/* Channel shuffle: GROUPS x n channels become n x GROUPS, through a transpose
 * between two reshapes.  */
size_t builder_shuffle(struct builder *b, const char *name, size_t x, int64_t groups);

/* X, whose first dimension is 1, COUNT times.  */
size_t builder_expand(struct builder *b, const char *name, size_t x, int64_t count);

/* A transposed convolution R x R with stride R and bias.  */
size_t builder_conv_transpose(struct builder *b, const char *name, size_t x, int64_t k, int64_t r);

/* Each pixel becomes FACTOR x FACTOR (nearest neighbour).  */
size_t builder_upsample(struct builder *b, const char *name, size_t x, int64_t factor);

/* Matrices are the last two dimensions, rows the last one.  A stored weight
 * NAME, for several operators.  */
size_t builder_weight(struct builder *b, const char *name, int rank, const int64_t *dim);

/* A fully connected layer with bias on each row; or with WEIGHT, K x rows, and
 * no bias.  */
size_t builder_dense(struct builder *b, const char *name, size_t x, int64_t k);
size_t builder_dense_with(struct builder *b, const char *name, size_t x, size_t weight);

/* X times Y (its matrices TRANSPOSED), of the same rank.  */
size_t builder_matmul(struct builder *b, const char *name, size_t x, size_t y, bool transposed);
size_t builder_layer_norm(struct builder *b, const char *name, size_t x);

/* A network input of LENGTH token ids (64-bit) an element of the batch; the
 * rows of TABLE that IDS name; and X, batch x tokens x channels, with row i of
 * TABLE added to token i.  */
size_t builder_tokens(struct builder *b, const char *name, int64_t batch, int64_t length);
size_t builder_embedding(struct builder *b, const char *name, size_t ids, size_t table);
size_t builder_add_positions(struct builder *b, const char *name, size_t x, size_t table);

/* A pure alias with a shape of as many elements.  */
size_t builder_reshape(struct builder *b, const char *name, size_t x, int rank, const int64_t *dim);

/* A recurrent cell as one operator, its weights one matrix and a bias for each of
 * GATES gates: from X and COUNT states, all batch x units, STATE[0] being the
 * hidden one, it makes COUNT next states NAME.0, NAME.1, ...  TYPE is static text.  */
void builder_cell(struct builder *b, const char *name, const char *type, int64_t gates, size_t x,
                  const size_t *state, size_t count, size_t *next);

/* A loop NAME of TRIPS iterations (lib/graph/control.h):
 *
 *     loop = builder_loop_begin(b, "loop", 35);
 *     body = builder_loop_body(loop);
 *     x = builder_loop_slice(loop, "x", sequence);
 *     h = builder_loop_carry(loop, "h", zeros);
 *     next = ... with body ...
 *     builder_loop_next(loop, h, next);
 *     builder_loop_stack(loop, next);
 *     builder_loop_end(loop, output);
 *
 * builder_loop_body is a builder of its own; what enters gives values of it, what
 * leaves takes them.  The loop is over with builder_loop_end, which frees it.  */
struct builder_loop;
struct builder_loop *builder_loop_begin(struct builder *b, const char *name, int64_t trips);
struct builder *builder_loop_body(struct builder_loop *loop);

/* One slice of X along its first dimension, without that dimension; a carried value
 * that begins as FIRST.  */
size_t builder_loop_slice(struct builder_loop *loop, const char *name, size_t x);
size_t builder_loop_carry(struct builder_loop *loop, const char *name, size_t first);

/* CARRIED <= NEXT, once for each carried value.  */
void builder_loop_next(struct builder_loop *loop, size_t carried, size_t next);

/* X of the last iteration, or of all, stacked along a new first dimension, is
 * the next output.  */
void builder_loop_last(struct builder_loop *loop, size_t x);
void builder_loop_stack(struct builder_loop *loop, size_t x);

/* OUTPUT[i]: what left, in the order of the calls; NETWORK_NONE after an error.  */
void builder_loop_end(struct builder_loop *loop, size_t *output);

/* Dimension I of X; 1 after an error.  */
int64_t builder_dim(const struct builder *b, size_t x, int i);

#endif
