/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "lib/problem/nest.h"

#include <string.h>

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

struct nest *nest_copy(const struct nest *nest)
{
    struct nest *copy;

    if (nest == NULL)
        return NULL;
    copy = nest_new(nest->parts, nest->n);
    for (size_t p = 0; p < nest->parts; p++) {
        copy->part[p] = nest->part[p];
        copy->part[p].path = memory_strdup(nest->part[p].path);
    }
    memcpy(copy->home, nest->home, nest->n * sizeof *copy->home);
    return copy;
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
