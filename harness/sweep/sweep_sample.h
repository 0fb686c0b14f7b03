/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sweep of tasks that a store has, drawn at random, to see whether the same comes out again.  */
#ifndef ARENABENCH_HARNESS_SWEEP_SWEEP_SAMPLE_H
#define ARENABENCH_HARNESS_SWEEP_SWEEP_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/sweep/experiment_set.h"
#include "lib/base/error.h"

struct store;
struct sweep;

/* Why a task is not drawn, or why it could be.  */
enum sample_fate {
    SAMPLE_ELIGIBLE,
    SAMPLE_ABSENT,  /* its solver, kernel or instance is not here */
    SAMPLE_CUT,     /* a limit of time or memory cut it */
    SAMPLE_VERSION, /* another version of its solver ran it */
    SAMPLE_KERNEL,  /* it is a kernel's, whose results are times */
    SAMPLE_FATES
};

struct sample {
    double share;     /* of the eligible tasks; above 0, at most 1 */
    uint32_t seed;    /* which of them; above 0 */
    bool any_version; /* those of another version are eligible, too */
    /* What comes of that.  */
    size_t count[SAMPLE_FATES];
    size_t drawn;              /* a task whose instance is not here has been drawn, too */
    struct error absence;      /* why the latest absent one is not here */
    struct experiment_set set; /* what the sweep runs, and on what */
};

/* Makes SWEEP, which takes JOBS tasks at a time, of a share of the tasks that an experiment in
 * STORE has (of its full size, where that has been run), each once, with solver, parameters, seed
 * and limits as its row has them; runs of networks take few rounds.  The sweep is cleared before
 * SAMPLE, both after a failure too.  False with a message.  */
bool sweep_plan_sample(struct sweep *sweep, struct sample *sample, struct store *store, int jobs,
                       struct error *error);
void sample_clear(struct sample *sample);

#endif
