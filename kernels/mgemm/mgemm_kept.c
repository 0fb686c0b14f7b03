/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "kernels/mgemm/mgemm_kept.h"

#include <stddef.h>

#ifdef HAVE_X86_KERNELS
extern const struct mgemm_kept_set mgemm_kept_set_avx2, mgemm_kept_set_avx512;
#endif
extern const struct mgemm_kept_set mgemm_kept_set_generic;

mgemm_function *mgemm_kept_edge(enum isa isa, enum mgemm_form form, enum mgemm_edge edge,
                                int64_t vectors, int64_t width)
{
    static const struct mgemm_kept_set *const sets[ISA_COUNT] = {
        [ISA_GENERIC] = &mgemm_kept_set_generic,
#ifdef HAVE_X86_KERNELS
        [ISA_AVX2] = &mgemm_kept_set_avx2,
        [ISA_AVX512] = &mgemm_kept_set_avx512,
#endif
    };

    if ((form != MGEMM_KEEP && form != MGEMM_KEEP_2) ||
        (edge != MGEMM_FIRST_PIXEL && edge != MGEMM_LAST_PIXEL))
        return NULL;
    return sets[isa]->edge[form == MGEMM_KEEP_2][edge == MGEMM_LAST_PIXEL][vectors - 1][width - 1];
}
