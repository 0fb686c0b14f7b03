/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tiles that keep their inputs across three taps, where the first pixel misses the first tap,
 * the last pixel the last one, or both, as at the padding of a row.  mgemm_sets.h has those that
 * all taps hit; all others reload.  */
#ifndef ARENABENCH_KERNELS_MGEMM_MGEMM_KEPT_H
#define ARENABENCH_KERNELS_MGEMM_MGEMM_KEPT_H

#include "kernels/mgemm/mgemm_sets.h"

enum { MGEMM_KEPT_FORMS = 2 };

/* Of one instruction set: for MGEMM_KEEP and MGEMM_KEEP_2, and each edge; NULL: there is none. They
 * do calls of whole blocks of channels.  */
struct mgemm_kept_set {
    mgemm_function *edge[MGEMM_KEPT_FORMS][MGEMM_EDGES][MGEMM_MAX_VECTORS][MGEMM_MAX_WIDTH];
};

/* NULL where FORM keeps no inputs or no tile of one row has that edge.  */
mgemm_function *mgemm_kept_edge(enum isa isa, enum mgemm_form form, enum mgemm_edge edge,
                                int64_t vectors, int64_t width);

#endif
