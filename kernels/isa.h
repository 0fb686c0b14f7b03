/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The instruction sets that kernels are compiled for, and which of them the
 * machine has.  */
#ifndef ARENABENCH_KERNELS_ISA_H
#define ARENABENCH_KERNELS_ISA_H

#include <stdbool.h>

#include "lib/base/error.h"

enum isa {
    ISA_GENERIC, /* vectors of 4: SSE2, NEON, or whatever the compiler makes of them */
    ISA_AVX2,    /* AVX2 and FMA: vectors of 8 */
    ISA_AVX512,  /* AVX-512F: vectors of 16 */
    ISA_COUNT,
};

#define ISA_ALL ((1U << ISA_COUNT) - 1)

/* TABLE, by enum isa, of what is compiled once for each: struct KIND as KIND_generic and so on.  */
#ifdef HAVE_X86_KERNELS
#define ISA_TABLE(table, kind)                                           \
    extern const struct kind kind##_generic, kind##_avx2, kind##_avx512; \
    static const struct kind *const table[ISA_COUNT] = {                 \
        [ISA_GENERIC] = &kind##_generic, [ISA_AVX2] = &kind##_avx2, [ISA_AVX512] = &kind##_avx512}
#else
#define ISA_TABLE(table, kind)               \
    extern const struct kind kind##_generic; \
    static const struct kind *const table[ISA_COUNT] = {[ISA_GENERIC] = &kind##_generic}
#endif

const char *isa_name(enum isa isa); /* "generic", "avx2", "avx512" */
int isa_vector(enum isa isa);       /* floats in a vector */
int isa_registers(enum isa isa);    /* that hold vectors */
bool isa_fused(enum isa isa);       /* multiply and add are one instruction */

/* The kernels were built for it and the processor has it.  */
bool isa_available(enum isa isa);

/* Finds what TEXT names.  An instruction set that the machine lacks is an
 * error; "best" is the best one that it has.  */
bool isa_parse(const char *text, enum isa *isa, struct error *error);

/* What runs when nobody asked for something else: ARENABENCH_ISA from the
 * environment, else the best.  */
bool isa_default(enum isa *isa, struct error *error);

#endif
