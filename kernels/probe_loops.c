/* The probes' loops of one instruction set.  Compiled once for each.  */
#include <config.h>

#include "kernels/probe_set.h"
#include "kernels/vector.h"

/* More chains than any processor's latency x units; with two operands they
 * fit into 16 registers.  */
enum { CHAINS = 12, UNROLLED = PROBE_MULTIPLY_ADDS / CHAINS, READS = 8 };

INLINE float add_lanes(vec value)
{
    float sum = 0.0F;

    for (int i = 0; i < KERNEL_VECTOR; i++)
        sum += value[i];
    return sum;
}

static float multiply_add(int64_t rounds)
{
    vec sum[CHAINS], a = vec_broadcast(0.5F), b = vec_broadcast(0.25F), all = {0};

#pragma GCC unroll 12
    for (int i = 0; i < CHAINS; i++)
        sum[i] = vec_broadcast((float)i);
    for (int64_t round = 0; round < rounds; round++) {
        VEC_PIN(a); /* nothing here is known before it runs */
#pragma GCC unroll 2
        for (int k = 0; k < UNROLLED; k++)
#pragma GCC unroll 12
            for (int i = 0; i < CHAINS; i++)
                sum[i] = sum[i] * a + b;
    }
#pragma GCC unroll 12
    for (int i = 0; i < CHAINS; i++)
        all += sum[i];
    return add_lanes(all);
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

const struct probe_set KERNEL_NAME(probe_set) = {multiply_add, read_floats, KERNEL_VECTOR};
