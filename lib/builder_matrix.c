#include <config.h>

#include "lib/builder.h"

#include "lib/builder_private.h"
#include "lib/checked.h"

size_t builder_linear(struct builder *b, const char *name, size_t x, int64_t k)
{
    int64_t n, in = 1, macs;
    size_t input[3] = {x}, value;
    bool fits = true;

    if (builder_failed(b))
        return NETWORK_NONE;
    n = builder_dim(b, x, 0);
    for (int i = 1; i < builder_value(b, x)->rank; i++)
        fits = fits && checked_mul(in, builder_dim(b, x, i), &in);
    if (!fits || !checked_mul(n, in, &macs) || !checked_mul(macs, k, &macs)) {
        builder_fail(b, "%s%s: its multiply-accumulates overflow 64 bits", b->prefix, name);
        return NETWORK_NONE;
    }
    input[1] = builder_add_stored(b, name, "weight", VALUE_WEIGHT, 2, (const int64_t[]){k, in});
    input[2] = builder_add_stored(b, name, "bias", VALUE_WEIGHT, 1, &k);
    value = builder_add_op(b, name, OP_LINEAR, "linear", input, 3, 2, (const int64_t[]){n, k});
    builder_maker(b, value)->macs = macs;
    return value;
}
