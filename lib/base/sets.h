/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Disjoint sets: ROOT[i] is another member of i's set, or i where it stands for all of them.  */
#ifndef ARENABENCH_LIB_BASE_SETS_H
#define ARENABENCH_LIB_BASE_SETS_H

#include <stddef.h>

/* Who stands for the set of I.  Halves the way there.  */
static inline size_t sets_root(size_t *root, size_t i)
{
    while (root[i] != i)
        i = root[i] = root[root[i]];
    return i;
}

#endif
