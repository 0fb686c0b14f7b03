/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "kernels/mgemm/mgemm_kept.h"

#include <stddef.h>

ISA_TABLE(sets, mgemm_kept_set);

mgemm_function *mgemm_kept_edge(enum isa isa, enum mgemm_form form, enum mgemm_edge edge,
                                int64_t vectors, int64_t width)
{
    if (!mgemm_keeps(form))
        return NULL;
    return sets[isa]->edge[form == MGEMM_KEEP_2][edge][vectors - 1][width - 1];
}
