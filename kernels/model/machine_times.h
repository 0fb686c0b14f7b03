/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is timed on a processor, before machine_derive makes constants of it: times
 * as the clock gave them, in which others who use the machine can have turned any
 * order about.  */
#ifndef ARENABENCH_KERNELS_MODEL_MACHINE_TIMES_H
#define ARENABENCH_KERNELS_MODEL_MACHINE_TIMES_H

#include <stdbool.h>

#include "kernels/isa.h"
#include "kernels/model/machine.h"
#include "lib/base/error.h"

/* The calls of register tiles: tiles without channels, which only load and store
 * their accumulators, then few and many channels in one tile and in several,
 * with one tap, and with weights that the first-level cache has no room for.  */
enum machine_call {
    MACHINE_ONE_SUM,
    MACHINE_ALL_SUMS,
    MACHINE_FEW,
    MACHINE_MANY,
    MACHINE_FEW_TILES,
    MACHINE_MANY_TILES,
    MACHINE_FEW_TAP,
    MACHINE_MANY_TAP,
    MACHINE_FEW_WIDE,
    MACHINE_MANY_WIDE,
    MACHINE_FEW_TALL,
    MACHINE_MANY_TALL,
    MACHINE_FAR,
    MACHINE_CALLS,
};

/* Their sizes: a tile of the middle of the list, one that is wide and one that is
 * tall.  Many channels are the few and the more together.  */
enum {
    MACHINE_FEW_CHANNELS = 8,
    MACHINE_MORE_CHANNELS = 24,
    MACHINE_TILES = 8, /* where there are several */
    MACHINE_VECTORS = 2,
    MACHINE_WIDTH = 4,
    MACHINE_TAPS = 3,
    MACHINE_WIDE_VECTORS = 1,
    MACHINE_WIDE_WIDTH = 8,
    MACHINE_TALL_VECTORS = 4,
    MACHINE_TALL_WIDTH = 2,
    MACHINE_FAR_BYTES = 192 * 1024, /* of weights, for the second level of cache */
};

/* How many calls a plan makes with one for each block of channels, and with one
 * for each tile.  */
enum { MACHINE_BLOCK_CALLS = 4, MACHINE_TILE_CALLS = 64 };

/* Seconds.  */
struct machine_times {
    double fma_s, latency_s, memory_s;  /* one, as in struct machine */
    double read_s[MACHINE_SIZES];       /* a byte */
    double call_s[MACHINE_CALLS];       /* a whole call */
    double block_calls_s, tile_calls_s; /* the whole plan */
};

/* Times for about SECONDS.  False with a message when threads can't be, or a plan
 * that is timed.  */
bool machine_time(struct machine_times *times, enum isa isa, double seconds, struct error *error);

/* The best time of a plan of a small pointwise layer, all in the first-level cache,
 * with PARAMS for mgemm; timed for SECONDS.  False with a message when there is no
 * such plan.  */
bool machine_time_plan(double *time, enum isa isa, const char *params, double seconds,
                       struct error *error);

#endif
