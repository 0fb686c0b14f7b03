/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the machine can do at most: multiply-adds and reading, measured.  */
#ifndef ARENABENCH_KERNELS_MODEL_PROBE_H
#define ARENABENCH_KERNELS_MODEL_PROBE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/isa.h"

struct pool;

/* Floating-point operations a second (an FMA is two) of all threads of POOL,
 * from independent chains of multiply-adds in registers, over about SECONDS.  */
double probe_flops(enum isa isa, struct pool *pool, double seconds);

/* Seconds of one multiply-add that waits for the one before it: for its sum in
 * a register, or in memory where a compiler keeps what has no register.  The
 * quickest of many short runs within SECONDS.  */
double probe_latency(enum isa isa, bool memory, double seconds);

/* Bytes a second that one thread reads from a buffer of BYTES, again and again
 * over about SECONDS.  */
double probe_read(enum isa isa, int64_t bytes, double seconds);

#endif
