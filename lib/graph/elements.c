/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/graph/elements.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"

struct elements *elements_new(size_t bytes)
{
    struct elements *elements = memory_zalloc(1, sizeof *elements);

    elements->holders = 1;
    elements->bytes = bytes;
    elements->data = memory_aligned(64, bytes);
    memset(elements->data, 0, bytes);
    return elements;
}

struct elements *elements_hold(struct elements *elements)
{
    if (elements != NULL)
        elements->holders++;
    return elements;
}

void elements_release(struct elements *elements)
{
    if (elements == NULL || --elements->holders > 0)
        return;
    free(elements->data);
    free(elements);
}
