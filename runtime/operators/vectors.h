/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instruction sets beyond the compiler's own, for what is compiled once more for each: functions in
 * tables of VECTOR_SETS, of vectors of 16, 32 and 64 bytes.  */
#ifndef ARENABENCH_RUNTIME_OPERATORS_VECTORS_H
#define ARENABENCH_RUNTIME_OPERATORS_VECTORS_H

#ifdef HAVE_X86_KERNELS
#define VECTOR_SETS 3
#define VECTORS_32 __attribute__((target("avx2,fma")))
#define VECTORS_64 __attribute__((target("avx512f")))
#else
#define VECTOR_SETS 1
#endif

/* How many of the sets the processor has.  */
static inline int vector_sets(void)
{
#ifdef HAVE_X86_KERNELS
    if (__builtin_cpu_supports("avx512f"))
        return 3;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return 2;
#endif
    return 1;
}

#endif
