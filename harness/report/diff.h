/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two results folders, or files of runs, run by run: what got better, worse, new or is gone.  */
#ifndef ARENABENCH_HARNESS_REPORT_DIFF_H
#define ARENABENCH_HARNESS_REPORT_DIFF_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/store/rows.h"
#include "lib/base/error.h"

/* Runs are the same one where experiment, workload, contestant with parameters, seed and
 * repetition are; only experiments that both folders have are compared.  A network that is run
 * counts as its planner's run, with kernel and threads behind the planner's name, its peak being
 * what it took beside weights: arena, scratch and workspace.  Either may be a file of runs
 * (harness/store/run_table.h), which has no times: where it says that a limit cut a run, that one
 * is not compared.
 *
 * CHANGES has a row for each run that differs:
 *   change       worse, better (peaks; a plan that is there no more or now), outcome (another
 *                one, the same peak), worse-in-time, better-in-time, outcome-in-time (the same
 *                where a time limit cut one of them, which need not mean anything), bound (the
 *                same, another lower bound), instance (the label now stands for other buffers,
 *                nothing is compared), new, gone
 *   experiment, workload, solver, seed, repetition
 *   old_outcome, outcome, old_peak, peak, old_bound, bound   "" where there is none
 *
 * TIMES has a row for each contestant with runs that ended by themselves in both:
 *   solver, runs, ratio, low, high   new time over old one: geometric mean over runs with its
 *                                    95 % bootstrap interval
 *   verdict                          faster, slower, or "" where the interval has 1 inside, or
 *                                    fewer than six runs say anything
 *
 * VALUES has a row for each value that must not hang on time and differs, of runs in both that no
 * limit cut (files have none, which is an error):
 *   task         the number in the old store
 *   workload, solver, seed, repetition
 *   what         instance (with both checksums; nothing else is compared then); a column of the
 *                run's workload, task, plan or execution; a fact of the workload; what the search
 *                counted; the first offset of a buffer or improvement that is another one
 *   then, now
 *
 * ONLY names experiments that one folder alone has: experiment, folder (old or new).  */
struct diff {
    struct rows changes, times, values, only;
    char *summary;    /* "12 runs in both, 10 of them the same, 1 worse, 1 new" */
    size_t compared;  /* runs */
    size_t bad;       /* rows of worse, outcome and gone */
    size_t differ;    /* rows of CHANGES that no limit explains */
    bool one_machine; /* else times say little */
    size_t values_same, values_differ, values_cut; /* tasks of the old store */
};

struct store;

/* Compares NEW with OLD, also their VALUES where these are wanted.  The caller clears DIFF, after a
 * failure too.  */
bool diff_results(struct diff *diff, const char *old, const char *new, bool values,
                  struct error *error);
/* The same for NEW, a store that has run some of OLD's tasks again: values alone.  */
bool diff_again(struct diff *diff, const char *old, struct store *new, struct error *error);
void diff_clear(struct diff *diff);

/* The part of diff_values.c: STORE has the table `pair` of runs, whose rows are in the schemas
 * `old` and SCHEMA.  */
bool diff_values(struct diff *diff, struct store *store, const char *schema, struct error *error);

#endif
