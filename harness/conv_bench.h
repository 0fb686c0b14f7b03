/* Convolution kernels side by side on one layer, in interleaved rounds.  */
#ifndef ARENABENCH_HARNESS_CONV_BENCH_H
#define ARENABENCH_HARNESS_CONV_BENCH_H

#include <stddef.h>

#include "harness/conv_session.h"

struct conv_result {
    struct conv_facts facts;
    double time_s; /* median of the rounds */
    double peak;   /* operations a second of the probe, median of the same rounds */
    double *round; /* seconds, one a round; the caller frees it */
};

/* Starts every contestant on SHAPE, then times each for about a millisecond in
 * turn, ROUNDS times, a probe of the peak beside each instruction set.
 * RESULT[i] is contestant i's; its round is NULL where nothing was timed.  */
void conv_bench(const struct conv_contestant *contestant, size_t count,
                const struct conv_shape *shape, int rounds, struct conv_result *result);

#endif
