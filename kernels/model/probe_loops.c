/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The probes' loops of one instruction set.  Compiled once for each.  */
#include <config.h>

#include "kernels/mgemm/vector.h"
#include "kernels/model/probe_set.h"

/* More chains than the processors' latency x units; with two operands they fit
 * into the registers, 16 or AArch64's 32.  */
#ifdef __aarch64__
enum { CHAINS = 24, UNROLLED = PROBE_MULTIPLY_ADDS / CHAINS, READS = 8 };
#else
enum { CHAINS = 12, UNROLLED = PROBE_MULTIPLY_ADDS / CHAINS, READS = 8 };
#endif

INLINE float add_lanes(vec value)
{
    float sum = 0.0F;

    for (int i = 0; i < KERNEL_VECTOR; i++)
        sum += value[i];
    return sum;
}

/* One instruction that waits for the one before it in its chain.  AArch64's
 * adds into the register of the addend: with the sum as a factor each would need
 * a move.  There A is pinned, or one product would do for all chains.  */
INLINE void add_link(vec *sum, vec *a, vec b)
{
#ifdef __aarch64__
    VEC_PIN(*a);
    *sum += *a * b;
#else
    *sum = *sum * *a + b;
#endif
}

static float multiply_add(int64_t rounds)
{
    vec sum[CHAINS], a = vec_broadcast(0.5F), b = vec_broadcast(0.25F), all = {0};

#pragma GCC unroll 24
    for (int i = 0; i < CHAINS; i++)
        sum[i] = vec_broadcast((float)i);
    for (int64_t round = 0; round < rounds; round++) {
        VEC_PIN(a); /* nothing here is known before it runs */
#pragma GCC unroll 2
        for (int k = 0; k < UNROLLED; k++)
#pragma GCC unroll 24
            for (int i = 0; i < CHAINS; i++)
                add_link(&sum[i], &a, b);
    }
#pragma GCC unroll 24
    for (int i = 0; i < CHAINS; i++)
        all += sum[i];
    return add_lanes(all);
}

static float chain(int64_t rounds)
{
    vec sum = {0}, a = vec_broadcast(0.5F), b = vec_broadcast(0.25F);

    for (int64_t round = 0; round < rounds; round++) {
#pragma GCC unroll 24
        for (int k = 0; k < PROBE_MULTIPLY_ADDS; k++) {
            VEC_PIN(a); /* the product is worked out each time */
            sum += a * b;
        }
    }
    return add_lanes(sum);
}

static float memory_chain(int64_t rounds)
{
    float memory[KERNEL_VECTOR] = {0.0F}, *at = memory;
    vec a = vec_broadcast(0.5F), b = vec_broadcast(0.25F);

    for (int64_t round = 0; round < rounds; round++) {
#pragma GCC unroll 24
        for (int k = 0; k < PROBE_MULTIPLY_ADDS; k++) {
            vec_store(at, vec_load(at) + a * b);
            __asm__ volatile("" : "+r"(at) : : "memory"); /* it really goes through memory */
            VEC_PIN(a);
        }
    }
    return add_lanes(vec_load(at));
}

static float read_floats(const float *from, int64_t floats)
{
    vec sum[READS] = {{0}}, all = {0};

    for (int64_t at = 0; at < floats; at += READS * KERNEL_VECTOR) {
#pragma GCC unroll 8
        for (int i = 0; i < READS; i++)
            sum[i] += vec_load(from + at + i * KERNEL_VECTOR);
    }
#pragma GCC unroll 8
    for (int i = 0; i < READS; i++)
        all += sum[i];
    return add_lanes(all);
}

const struct probe_set KERNEL_NAME(probe_set) = {multiply_add, chain, memory_chain, read_floats,
                                                 KERNEL_VECTOR};
