/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a sweep of kernels writes into the store.  */
#ifndef ARENABENCH_HARNESS_STORE_STORE_CONV_H
#define ARENABENCH_HARNESS_STORE_STORE_CONV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/store/store.h"
#include "kernels/kernel.h"
#include "lib/base/statistics.h"

/* What is in a row of conv when a kernel's task ends; store_put_final adds to it.  NAN and
 * STORE_NULL: missing.  */
struct store_conv {
    const char *isa;
    int64_t threads;
    const char *role;       /* setting: parameters given; chosen: by the kernel itself; model:
                               by the predictor; peer */
    int64_t rank;           /* model: from 1 */
    const char *run_params; /* what the kernel was given in the end */
    struct conv_choice choice;
    int64_t workspace_bytes, packed_bytes;
    double pack_s, max_error;
    int64_t compared;
    int64_t rounds;                     /* turns that were timed */
    struct store_doubles turn_s;        /* what one run took in each */
    struct store_doubles turn_at_s;     /* when each began */
    double low_s, high_s;               /* 95 % interval of their median */
    bool settled;                       /* it is as narrow as wanted */
    double peak_flops;                  /* of the probe, median of the same rounds */
    double reference_s;                 /* of the reference kernel, the same */
    double model_m;                     /* memory operations a multiply-accumulate: the paper's */
    double model_exact;                 /* the same with halo and stride */
    double predicted_s;                 /* by the predictor */
    int64_t registers, spilled, chains; /* of the widest tile that is called */
    double counted_m; /* model_exact's inputs and weights, counted in the emitted loop */
};

/* The part that a task had in a final.  */
struct store_final {
    int64_t task;
    const double *turn;
    size_t turns;
    double median;
    struct interval interval; /* of the median */
};

/* Writes the parts of one final, all or none of them, in place of older ones.  */
bool store_put_final(struct store *store, const struct store_final *final, size_t count,
                     struct error *error);

struct store_layer_use {
    int64_t workload;
    const char *network;
    int64_t uses;
};

/* Replaces the uses of an experiment's layers.  */
bool store_put_layer_uses(struct store *store, const char *experiment, const char *size,
                          const struct store_layer_use *use, size_t count, struct error *error);

struct store_constant {
    const char *name;
    double value;
};

/* Writes constants of the processor, of the sweep that records.  */
bool store_put_constants(struct store *store, const char *isa,
                         const struct store_constant *constant, size_t count, struct error *error);

#endif
