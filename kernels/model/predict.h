/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Predicts how long a dense mGEMM plan runs, to rank plans before any is timed.
 *
 * Memory operations alone (model.h) do not rank tiles on real processors.  This
 * adds what decides beside them: multiply-adds in chains that wait for each
 * other, loads over the load ports, accumulators that have no register, the
 * cost of a call and of each tile on the widths that the row is really cut
 * into, the columns that miss a tap, channels that fill up a vector, and what
 * each loop level reads from which level of cache.  The processor's constants
 * come from machine.h.  */
#ifndef ARENABENCH_KERNELS_MODEL_PREDICT_H
#define ARENABENCH_KERNELS_MODEL_PREDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/kernel.h"
#include "kernels/mgemm/mgemm_sets.h"
#include "kernels/model/machine.h"
#include "kernels/model/model.h"

/* A tile and the source form it is written in (mgemm_tile.h).  */
struct predict_tile {
    enum mgemm_form form;
    int64_t rows, vectors, width, taps; /* taps: of a filter row, in this call */
    int64_t stride;
    bool window; /* inputs that taps share pass through as many registers as pixels */
};

struct predict_cost {
    int64_t registers;    /* that the form wants */
    int64_t spilled;      /* of them, what the machine lacks */
    int64_t chains;       /* independent sums under way */
    int64_t loads;        /* vectors and broadcasts for all taps, without spills */
    int64_t instructions; /* for all taps, with loops and spills */
    int64_t broadcasts;   /* for all taps */
    double seconds;       /* one input channel of one filter row */
};

/* Registers: accumulators, and of weights and pixels the fewer ones, of the
 * others one at a time.  Kept inputs need width + taps - 1 and a weight instead,
 * kept weights taps x vectors and an input, a window one for each pixel and a
 * weight.  A product that is not fused with
 * its sum needs one more.  (What GCC 12 makes of the list agrees: the inner loops
 * of all AVX2 and AVX-512 tiles touch the stack exactly where this exceeds the
 * registers.)
 *
 * Seconds: the most of
 *     multiply-adds   taps x sums x fma_s,
 *     waiting         taps x latency_s, or memory_s where sums are in memory,
 *     loads           loads x load_s + taps x spilled x accumulator_s,
 *     instructions    instructions x issue_s + broadcasts x broadcast_s.
 *
 * Instructions: where a product is not fused with its sum the processor has two
 * of them for a multiply-add, two for a broadcast, and a copy of the factor that
 * the product would overwrite, but for its last use.  */
struct predict_cost predict_tile(const struct machine *machine, const struct predict_tile *tile);

struct prediction {
    double seconds;           /* a run of the plan */
    double multiply_add_s;    /* its multiply-adds at the peak, one thread */
    double core_s;            /* in the tiles, without waiting for caches, one thread */
    double overhead_s;        /* in calls and tiles' ends, one thread */
    struct predict_cost tile; /* the widest one that is called */
    struct model_cost ops;    /* model_exact of the requested tile */
};

/* False when PLAN is not a dense mGEMM plan.  */
bool predict_plan(const struct conv_plan *plan, const struct machine *machine,
                  struct prediction *prediction);

/* For sorting: negative when A should be quicker.  Equal seconds: fewer memory
 * operations; then 0, and the caller goes by its own order.  */
int predict_compare(const struct prediction *a, const struct prediction *b);

#endif
