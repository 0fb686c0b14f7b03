/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A convolution of a network on a kernel, planned and packed once, before the run; and a fully
 * connected layer, or a product with a stored matrix, as one: with a filter of one tap, each row a
 * pixel.  */
#ifndef ARENABENCH_RUNTIME_CONVOLUTION_H
#define ARENABENCH_RUNTIME_CONVOLUTION_H

#include <stdbool.h>

#include "kernels/kernel.h"
#include "lib/base/error.h"

struct network;
struct network_op;

struct convolution {
    struct conv_plan plan;
    float *packed; /* weights and bias, as the kernel wants them */
    bool relu;     /* the kernel does that too */
    bool matrix;   /* rows of a matrix are its pixels: one behind the other, outside the run */
};

/* Whether OP is one that kernels are asked for.  */
bool convolution_is(const struct network *network, const struct network_op *op);

/* Whether OP, such a one whose weights have elements, runs on KERNEL; REQUEST has instruction set,
 * threads and pool.  False with the reason: it is left to the operators then.  The caller clears
 * CONVOLUTION if it is true.  */
bool convolution_make(struct convolution *convolution, const struct conv_kernel *kernel,
                      const struct conv_request *request, const struct network *network,
                      const struct network_op *op, struct error *error);
void convolution_clear(struct convolution *convolution);

/* Input and output in the layouts of the plan.  */
void convolution_run(const struct convolution *convolution, const float *input, float *output);

#endif
