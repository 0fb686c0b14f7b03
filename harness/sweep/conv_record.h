/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run of a sweep's kernels: what its files share (sweep_conv.c times,
 * sweep_final.c times the best again, conv_record.c writes into the store).  */
#ifndef ARENABENCH_HARNESS_SWEEP_CONV_RECORD_H
#define ARENABENCH_HARNESS_SWEEP_CONV_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/io/interrupt.h"
#include "harness/io/progress.h"
#include "harness/sweep/sweep.h"
#include "harness/timing/conv_bench.h"
#include "kernels/model/machine.h"
#include "kernels/model/tune.h"
#include "lib/base/statistics.h"

struct conv_run {
    struct sweep *sweep;
    const struct experiment *experiment;
    const struct experiment_set *set;
    struct error *error;
    struct progress progress;
    struct interrupt interrupt;
    struct conv_sessions *sessions;
    struct conv_session *reference; /* re-timed throughout, always the same layer */
    struct machine machine[ISA_COUNT];
    struct tune_list ranked[ISA_COUNT]; /* of the layer before */
    size_t ranked_workload[ISA_COUNT];
    double start; /* by timer_now */
    struct sweep_clock clock;
};

/* A task that is prepared and timed.  */
struct conv_lane {
    size_t task;
    char *params; /* what the kernel is given; NULL: nothing was found */
    struct conv_session *session;
    int slot;
    int64_t repeats;
    struct conv_facts facts;
    size_t turns;
    double *turn, *at_s; /* room for the most turns */
    bool out;            /* is timed no more */
    bool settled;
    struct interval interval; /* of the median, once there are enough turns */
    double peak, reference;   /* medians of the turns of the probe and the reference */
    double began;
};

/* Writes the rows of the experiment's layers and of their uses, and the
 * processor's constants.  */
bool conv_record_layers(struct conv_run *run);
bool conv_record_machine(struct conv_run *run, enum isa isa);

/* Writes the task of LANE with all its turns.  */
bool conv_record_lane(struct conv_run *run, const struct conv_lane *lane);

/* The final of a layer, when some of its tasks are FRESH or there has been none: its best settings,
 * what was chosen for it, and the libraries once more, all in the same interleaved rounds.  */
bool sweep_final(struct conv_run *run, size_t workload, enum isa isa, int threads, bool fresh);

/* As sweep_run, of an experiment of kernels.  */
bool sweep_run_layers(struct sweep *sweep, size_t experiment, int *signal, struct error *error);

#endif
