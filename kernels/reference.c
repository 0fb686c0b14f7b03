/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "kernels/reference.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

struct reference_point reference_output(const struct conv_shape *shape, const float *input,
                                        const float *filter, const float *bias, bool relu,
                                        int64_t n, int64_t k, int64_t p, int64_t q)
{
    const int64_t channels = shape->c / shape->groups;
    const int64_t first = k / (shape->k / shape->groups) * channels;
    double sum = bias != NULL ? (double)bias[k] : 0.0, total = fabs(sum), terms = 1.0, gamma;

    for (int64_t c = 0; c < channels; c++)
        for (int64_t r = 0; r < shape->r; r++)
            for (int64_t s = 0; s < shape->s; s++) {
                int64_t y = p * shape->stride_h - shape->pad_top + r * shape->dilation_h;
                int64_t x = q * shape->stride_w - shape->pad_left + s * shape->dilation_w;
                double product;

                if (y < 0 || y >= shape->h || x < 0 || x >= shape->w)
                    continue;
                product =
                    (double)input[((n * shape->c + first + c) * shape->h + y) * shape->w + x] *
                    (double)filter[((k * channels + c) * shape->r + r) * shape->s + s];
                sum += product;
                total += fabs(product);
                terms += 1.0;
            }
    gamma = terms * 0x1p-24 / (1.0 - terms * 0x1p-24);
    return (struct reference_point){relu && sum < 0.0 ? 0.0 : sum,
                                    gamma * total + terms * (double)FLT_MIN};
}
