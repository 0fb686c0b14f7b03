/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several contestants on one instance, and what their runs say about one
 * another.  */
#ifndef ARENABENCH_HARNESS_RUN_COMPARISON_H
#define ARENABENCH_HARNESS_RUN_COMPARISON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/run/contestants.h"
#include "harness/run/runner.h"
#include "lib/base/error.h"
#include "lib/problem/plan.h"

struct instance;
struct watch;

struct comparison_row {
    bool missing; /* it has not ended; after all: its turn came only after an interrupt; skipped */
    enum outcome outcome;
    bool has_plan;       /* a verified one */
    int64_t peak;        /* of that plan */
    int64_t load;        /* of the instance that the peak is of; 0: skipped */
    int64_t lower_bound; /* the best that any contestant proved; 0: skipped */
    bool rounded;        /* by the planner's own rule: its bound and peak are of another instance */
    double time_s;       /* wall clock of solve() */
    char reason[sizeof((struct run_result *)0)->reason];
};

/* How far a comparison is.  */
struct comparison_view {
    size_t started;    /* contestants, those that have ended too */
    const char *label; /* of the first of those that run; NULL: none */
    bool has_plan;
    int64_t peak;        /* of the best plan so far of the instance itself */
    int64_t lower_bound; /* the best so far: the load, or what a contestant says it has proved */
};

struct comparison {
    /* What is to be done.  */
    const struct instance *instance;
    const struct contestants *contestants;
    struct run_limits limits;
    uint32_t seed;
    const struct watch *watch; /* NULL: nobody */

    struct comparison_view view; /* whenever the watch looks */

    /* Filled in by comparison_run.  */
    struct comparison_row *row; /* one a contestant; as they have ended when the watch looks,
                                   without what they say about one another */
    int64_t bound;              /* the best lower bound */
    size_t prover;              /* who proved it; SIZE_MAX: it is the load */
    bool proven;                /* some verified peak equals it: it is the optimum */
};

/* Runs the contestants, JOBS at a time, and applies the best bound to all of
 * them.  A bound above another contestant's verified peak makes the one who
 * claims it invalid.  Those that are at work when the watch ends it have rows like
 * those that are cut by their limit.  A process of ours that a signal has stopped is killed
 * when the time of who it runs is over; that one's row is `crashed`.  False with a message
 * when nothing could be run.  */
bool comparison_run(struct comparison *comparison, int64_t jobs, struct error *error);
void comparison_clear(struct comparison *comparison);

#endif
