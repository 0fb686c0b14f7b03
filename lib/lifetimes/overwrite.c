/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/lifetimes/overwrite.h"

void overwrite_choose(struct overwrite_interval *interval, const struct overwrite_wish *wish,
                      size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct overwrite_interval *src = &interval[wish[i].src], *dest = &interval[wish[i].dest];
        size_t before = dest->src;

        if (src->begin != dest->end - 1 || src->dest != SIZE_MAX)
            continue;
        if (before != SIZE_MAX && src->size <= interval[before].size)
            continue;
        if (before != SIZE_MAX) {
            interval[before].dest = SIZE_MAX;
            interval[before].offset = 0;
        }
        dest->src = wish[i].src;
        src->dest = wish[i].dest;
        src->offset = wish[i].offset;
    }
}
