/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vectors of KERNEL_VECTOR floats in the compiler's own notation: the one
 * place that differs between instruction sets.  For files that are compiled
 * once for each of them, with -DKERNEL_ISA=name -DKERNEL_VECTOR=length.  */
#ifndef ARENABENCH_KERNELS_MGEMM_VECTOR_H
#define ARENABENCH_KERNELS_MGEMM_VECTOR_H

#include <stdint.h>

#ifdef __SSE__
#include <immintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline))

/* name_avx2 and so on.  */
#define KERNEL_PASTE_(name, isa) name##_##isa
#define KERNEL_PASTE(name, isa) KERNEL_PASTE_(name, isa)
#define KERNEL_NAME(name) KERNEL_PASTE(name, KERNEL_ISA)

typedef float vec __attribute__((vector_size(4 * KERNEL_VECTOR)));
typedef int32_t mask __attribute__((vector_size(4 * KERNEL_VECTOR)));
/* In memory, at any address of a float.  */
typedef float vec_memory __attribute__((vector_size(4 * KERNEL_VECTOR), aligned(4), may_alias));

INLINE vec vec_load(const float *from)
{
    return *(const vec_memory *)from;
}

INLINE void vec_store(float *to, vec value)
{
    *(vec_memory *)to = value;
}

INLINE vec vec_broadcast(float value)
{
    return value - (vec){0}; /* no operation: x - 0 is x for every x */
}

/* *SUM += A * B, and the sum stays in its register: for straight code, where the
 * compiler would give it another one at each step.  */
INLINE void vec_add_product(vec *sum, vec a, vec b)
{
#if KERNEL_VECTOR == 8 && defined __FMA__
    __asm__("vfmadd231ps %2, %1, %0" : "+x"(*sum) : "x"(a), "x"(b));
#elif KERNEL_VECTOR == 16 && defined __AVX512F__
    __asm__("vfmadd231ps %2, %1, %0" : "+v"(*sum) : "v"(a), "v"(b));
#else
    *sum += a * b;
#endif
}

/* 0 for what is below 0; NaN stays.  GCC 12 does not see that the general form
 * is one instruction.  */
INLINE vec vec_relu(vec value)
{
#if KERNEL_VECTOR == 16 && defined __AVX512F__
    return (vec)_mm512_max_ps(_mm512_setzero_ps(), (__m512)value);
#elif KERNEL_VECTOR == 8 && defined __AVX__
    return (vec)_mm256_max_ps(_mm256_setzero_ps(), (__m256)value);
#elif KERNEL_VECTOR == 4 && defined __SSE__
    return (vec)_mm_max_ps(_mm_setzero_ps(), (__m128)value);
#else
    return (vec)((mask)value & ~(value < (vec){0}));
#endif
}

/* Lane by lane one of A, or of B: LANE is its place there, of B with the bits KERNEL_VECTOR and
 * INT32_MIN as well, of which each instruction set looks at one.  */
INLINE vec vec_pick(vec a, vec b, mask lane)
{
#if KERNEL_VECTOR == 16 && defined __AVX512F__
    return (vec)_mm512_permutex2var_ps((__m512)a, (__m512i)lane, (__m512)b);
#elif KERNEL_VECTOR == 8 && defined __AVX2__
    return (vec)_mm256_blendv_ps(_mm256_permutevar8x32_ps((__m256)a, (__m256i)lane),
                                 _mm256_permutevar8x32_ps((__m256)b, (__m256i)lane), (__m256)lane);
#else
    return __builtin_shuffle(a, b, lane);
#endif
}

/* The compiler must have the value in a register here, and must not know where
 * it came from: else it may read it from memory again for each use.  */
#if defined __x86_64__ || defined __i386__
#define VEC_PIN(value) __asm__("" : "+v"(value))
#elif defined __aarch64__
#define VEC_PIN(value) __asm__("" : "+w"(value))
#else
#define VEC_PIN(value) ((void)0)
#endif

/* Makes the compiler forget what it knows about a pointer: addresses worked
 * out from it earlier do not stay in registers meanwhile, and loads through it
 * are not those of a moment ago.  */
#define POINTER_FORGET(pointer) __asm__ volatile("" : "+r"(pointer))

#endif
