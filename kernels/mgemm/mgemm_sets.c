/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "kernels/mgemm/mgemm_sets.h"

#include <stddef.h>

ISA_TABLE(sets, mgemm_set);

const struct mgemm_set *mgemm_set(enum isa isa)
{
    return sets[isa];
}

int mgemm_widest(const struct mgemm_set *set, enum mgemm_form form, int rows, int vectors)
{
    int width = MGEMM_MAX_WIDTH;

    while (width > 0 && set->tile[form][rows - 1][vectors - 1][width - 1] == NULL)
        width--;
    return width;
}
