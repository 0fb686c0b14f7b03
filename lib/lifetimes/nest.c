/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/lifetimes/nest.h"

#include "lib/base/memory.h"

struct nest *nest_new(size_t parts, size_t n)
{
    struct nest *nest = memory_zalloc(1, sizeof *nest);

    nest->parts = parts;
    nest->part = memory_zalloc(parts, sizeof *nest->part);
    nest->n = n;
    nest->home = memory_alloc(n, sizeof *nest->home);
    for (size_t b = 0; b < n; b++)
        nest->home[b] = NEST_NONE;
    return nest;
}

void nest_free(struct nest *nest)
{
    if (nest == NULL)
        return;
    for (size_t p = 0; p < nest->parts; p++)
        memory_free(nest->part[p].path);
    memory_free(nest->part);
    memory_free(nest->home);
    memory_free(nest);
}

size_t nest_common(const struct nest *nest, size_t a, size_t b)
{
    /* A part comes after what it is in, and no part is NEST_NONE, which is in nothing.  */
    while (a != b && a != NEST_NONE && b != NEST_NONE)
        if (a > b)
            a = nest->part[a].around;
        else
            b = nest->part[b].around;
    return a == b ? a : NEST_NONE;
}
