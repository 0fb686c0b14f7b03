/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "workloads/mobile.h"

size_t mobile_unit(struct builder *b, const char *name, size_t x, int64_t channels,
                   const char *type, struct window window)
{
    x = builder_conv_window(b, name, x, channels, window);
    builder_push(b, "%s_", name);
    x = builder_batch_norm(b, "bn", x);
    if (type != NULL)
        x = builder_activation(b, "act", type, x);
    builder_pop(b);
    return x;
}

size_t mobile_squeeze_excite(struct builder *b, size_t x, int64_t squeezed, const char *inner,
                             const char *outer)
{
    int64_t channels = builder_dim(b, x, 1);
    size_t weight;

    builder_push(b, "se.");
    weight = builder_global_avg_pool(b, "pool", x);
    weight = builder_conv(b, "fc1", weight, squeezed, .r = 1, .bias = true);
    weight = builder_activation(b, "act1", inner, weight);
    weight = builder_conv(b, "fc2", weight, channels, .r = 1, .bias = true);
    weight = builder_activation(b, "act2", outer, weight);
    x = builder_mul(b, "mul", x, weight);
    builder_pop(b);
    return x;
}
