/* The run in double that a run in single precision is held against.  */
#ifndef ARENABENCH_RUNTIME_WIDE_H
#define ARENABENCH_RUNTIME_WIDE_H

#include <stddef.h>

struct network;
struct run_memory;

/* NETWORK with f64 wherever it has f32, stored values included.  The caller frees it.  */
struct network *network_widened(const struct network *network);

/* How far NARROW, a run of NETWORK, is from WIDE, one of its widened form: the largest difference
 * of an element of an output, as a share of the largest magnitude in that output; the largest over
 * all outputs.  NaN where one has a NaN and the other not; outputs that are no reals count as 1
 * where they differ.  */
double run_distance(const struct network *network, const struct run_memory *narrow,
                    const struct run_memory *wide);

/* What that distance is held to: the sum over the operators of u sqrt(n), u = 2^-24, n the terms of
 * a sum in it.  Rounding errors of a sum of n terms grow like sqrt(n) u if they are independent
 * (Higham and Mary, "A new approach to probabilistic rounding error analysis", SIAM J. Sci. Comput.
 * 41, 2019), and layers that keep the magnitude of what flows through add them up at most.  It is
 * no theorem for networks whose layers amplify.  */
double run_distance_bound(const struct network *network);

#endif
