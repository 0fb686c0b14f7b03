#include <config.h>

#include "solvers/common/order.h"

#include <stdlib.h>

#include "lib/instance.h"

uint64_t lifetime_length(const struct buffer *buffer)
{
    return (uint64_t)buffer->end - (uint64_t)buffer->begin;
}

static int compare_keys(const void *a, const void *b)
{
    const struct order_key *x = a, *y = b;

    if (x->major != y->major)
        return x->major < y->major ? -1 : 1;
    if (x->minor != y->minor)
        return x->minor < y->minor ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

void order_sort(struct order_key *key, size_t count)
{
    qsort(key, count, sizeof *key, compare_keys);
}
