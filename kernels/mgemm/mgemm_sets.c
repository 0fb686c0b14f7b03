/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "kernels/mgemm/mgemm_sets.h"

#include <stddef.h>

#ifdef HAVE_X86_KERNELS
extern const struct mgemm_set mgemm_set_avx2, mgemm_set_avx512;
#endif
extern const struct mgemm_set mgemm_set_generic;

const struct mgemm_set *mgemm_set(enum isa isa)
{
    static const struct mgemm_set *const sets[ISA_COUNT] = {
        [ISA_GENERIC] = &mgemm_set_generic,
#ifdef HAVE_X86_KERNELS
        [ISA_AVX2] = &mgemm_set_avx2,
        [ISA_AVX512] = &mgemm_set_avx512,
#endif
    };

    return sets[isa];
}

int mgemm_widest(const struct mgemm_set *set, enum mgemm_form form, int rows, int vectors)
{
    int width = MGEMM_MAX_WIDTH;

    while (width > 0 && set->tile[form][rows - 1][vectors - 1][width - 1] == NULL)
        width--;
    return width;
}
