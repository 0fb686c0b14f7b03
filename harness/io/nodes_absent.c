/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In place of nodes_hwloc.c where libhwloc is not there.  */
#include <config.h>

#include "harness/io/nodes.h"

bool nodes_find(struct placement_spot *spot, size_t count)
{
    (void)spot;
    (void)count;
    return false;
}

bool nodes_interleave(const cpu_set_t *processors)
{
    (void)processors;
    return false;
}
