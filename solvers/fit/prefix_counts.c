/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "solvers/fit/prefix_counts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"

void prefix_counts_init(struct prefix_counts *counts, size_t limit)
{
    counts->limit = limit;
    counts->count = memory_zalloc(limit + 1, sizeof *counts->count);
}

void prefix_counts_reset(struct prefix_counts *counts)
{
    memset(counts->count, 0, (counts->limit + 1) * sizeof *counts->count);
}

void prefix_counts_clear(struct prefix_counts *counts)
{
    free(counts->count);
}

void prefix_counts_add(struct prefix_counts *counts, size_t number)
{
    assert(number < counts->limit);
    for (size_t i = number + 1; i <= counts->limit; i += i & -i)
        counts->count[i]++;
}

size_t prefix_counts_before(const struct prefix_counts *counts, size_t number)
{
    size_t sum = 0;

    assert(number <= counts->limit);
    for (size_t i = number; i > 0; i -= i & -i)
        sum += counts->count[i];
    return sum;
}
