/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The convolution in the plainest way, in double precision, one output at a
 * time: what every kernel is compared with.  */
#ifndef ARENABENCH_KERNELS_REFERENCE_H
#define ARENABENCH_KERNELS_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/graph/conv_shape.h"

struct reference_point {
    double value;
    double bound; /* on the distance of a float32 result from value */
};

/* The output at (n, k, p, q).  INPUT is NCHW, FILTER is K-C-R-S, BIAS one value
 * a channel or NULL.
 *
 * The bound holds for a sum of float32 products in any order, with or without
 * fused multiply-adds: n terms and the bias make at most n + 1 roundings in
 * each term's way, so |error| <= gamma (|bias| + sum |input x filter|) with
 * gamma = (n + 1) u / (1 - (n + 1) u) and u = 2^-24 (Higham, "Accuracy and
 * Stability of Numerical Algorithms", section 3.1), plus what underflow of each product may lose.
 * ReLU never makes a distance larger.  */
struct reference_point reference_output(const struct conv_shape *shape, const float *input,
                                        const float *filter, const float *bias, bool relu,
                                        int64_t n, int64_t k, int64_t p, int64_t q);

#endif
