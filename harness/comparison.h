/* Several contestants on one instance, and what their runs say about one
 * another.  */
#ifndef ARENABENCH_HARNESS_COMPARISON_H
#define ARENABENCH_HARNESS_COMPARISON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/contestants.h"
#include "harness/runner.h"
#include "lib/error.h"
#include "lib/plan.h"

struct instance;

struct comparison_row {
    enum outcome outcome;
    bool has_plan;       /* a verified one */
    int64_t peak;        /* of that plan */
    int64_t load;        /* of the instance that the peak is of; 0: skipped */
    int64_t lower_bound; /* the best that any contestant proved; 0: skipped */
    bool rounded;        /* by the planner's own rule: its bound and peak are of another instance */
    double time_s;       /* wall clock of solve() */
    char reason[sizeof((struct run_result *)0)->reason];
};

struct comparison {
    /* What is to be done.  */
    const struct instance *instance;
    const struct contestants *contestants;
    struct run_limits limits;
    uint32_t seed;

    /* Filled in by comparison_run.  */
    struct comparison_row *row; /* one a contestant */
    int64_t bound;              /* the best lower bound */
    size_t prover;              /* who proved it; SIZE_MAX: it is the load */
    bool proven;                /* some verified peak equals it: it is the optimum */
};

/* Runs the contestants, JOBS at a time, and applies the best bound to all of
 * them.  A bound above another contestant's verified peak makes the one who
 * claims it invalid.  False with a message when nothing could be run.  Progress
 * goes to standard error where that is a terminal.  */
bool comparison_run(struct comparison *comparison, int64_t jobs, struct error *error);
void comparison_clear(struct comparison *comparison);

#endif
