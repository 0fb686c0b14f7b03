/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the bench of the kernels measures, and what it concludes.  */
#ifndef ARENABENCH_TESTS_BENCH_BENCH_KERNELS_H
#define ARENABENCH_TESTS_BENCH_BENCH_KERNELS_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/timing/conv_bench.h"
#include "kernels/layer.h"
#include "kernels/model/machine.h"
#include "lib/base/statistics.h"

enum { BENCH_MOST = 12 }; /* contestants */

/* Rates are operations a second, 0 where there is none.  */
struct bench_row {
    const char *list;
    enum isa isa;
    char *name;
    struct conv_shape shape;
    double rate[BENCH_MOST];  /* of each contestant; the first is mgemm as tuned */
    double ratio[BENCH_MOST]; /* the first's rate over this one's: median of the rounds */
    struct interval interval[BENCH_MOST];
    double peak, taps; /* the probe's rate; share of the taps that hit real input */
    double sgemm;      /* OpenBLAS's product of the same size, share of the peak */
    double roof;       /* of a depthwise layer: operations a second that caches allow */
    double spread;     /* of the first's rounds: (90 % - 10 %) / median */
    int rounds;        /* that count */
    int disturbed;     /* of them, those with the probe more than 15 % under its median */
    int repeated;      /* races that were thrown away because that were too many */
    double regret;     /* of the model's own choice against a sweep; < 0: not swept */
    bool workspace;    /* the first needs some */
};

struct bench {
    const struct conv_kernel *kernel[BENCH_MOST]; /* of the contestants */
    const char *name[BENCH_MOST];
    size_t count;
    bool sweeps; /* the parameters come from sweeps where these do not take long */
    struct bench_row *row;
    size_t rows, capacity;
};

/* The contestant of that name; 0: there is none.  */
size_t bench_find(const struct bench *bench, const char *name);

/* Prints which goals the rows of ISA meet.  */
void bench_goals(const struct bench *bench, enum isa isa);

/* All threads against one, interleaved, on LAYERS of at least 10 ms a thread.  */
void bench_threads(struct conv_sessions *sessions, enum isa isa, const struct layer_list *layers);

#endif
