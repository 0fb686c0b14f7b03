/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs that are held against each other: of one network in a planned arena and with each value in
 * memory of its own, which have to give the same, and of its form in double (wide.h), which they
 * have to be near.  */
#ifndef ARENABENCH_RUNTIME_COMPARE_H
#define ARENABENCH_RUNTIME_COMPARE_H

#include "lib/base/error.h"

struct instance;
struct network;
struct plan;
struct run_memory;
struct run_options;
struct schedule;

/* Runs NETWORK, as for run_new, once on the inputs of inputs.h, with each value in memory of its
 * own.  The memory with what came out, which the caller frees; NULL with a message.  */
struct run_memory *run_apart(const struct network *network, const struct schedule *schedule,
                             const struct run_options *options, struct error *error);

/* The same for the network of INSTANCE, which has an origin, where PLAN puts its values.  */
struct run_memory *run_planned(const struct instance *instance, const struct plan *plan,
                               const struct run_options *options, struct error *error);

/* The name of the first output of NETWORK that is not byte for byte the same in both, which is the
 * network's; NULL: all are.  */
const char *run_differs(const struct network *network, const struct run_memory *a,
                        const struct run_memory *b);

/* How far NARROW, a run of NETWORK, is from WIDE, one of its widened form: the largest difference
 * of an element of an output, as a share of the largest magnitude in that output; the largest over
 * all outputs.  NaN where one has a NaN and the other not; outputs that are no reals count as 1
 * where they differ.  */
double run_distance(const struct network *network, const struct run_memory *narrow,
                    const struct run_memory *wide);

/* What that distance is held to: the sum over the operators, those of a loop in each iteration, of
 * u (4 + sqrt(n)), u = 2^-24, n the terms of a sum in it.  Rounding errors of a sum of n terms grow
 * like sqrt(n) u if they are independent (Higham and Mary, "A new approach to probabilistic
 * rounding error analysis", SIAM J. Sci. Comput. 41, 2019), the few beside a sum add up, and so do
 * at most those of layers that keep the magnitude of what flows through.  Places in an image that
 * were worked out have their errors times its length.  It is no theorem for networks whose layers
 * amplify.  */
double run_distance_bound(const struct network *network);

#endif
