/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs of planners as a CSV file, so that a results folder can be compared with what another one
 * had without that folder: results/reference/runs.csv.
 *
 *     experiment,workload,solver,seed,repetition,outcome,checksum,peak,bound
 *     batch,resnet18:batch=8;fuse=all,greedy-by-size,1,1,optimal,06e1c9b1bd4e2e52,25690112,25690112
 *     exact,tight:seed=3,glpk,1,1,cut,8f14e45fceea167a,,
 *
 * Texts have ';' for ',', and %XX for ';', '%', control characters and blanks at their ends.
 * CHECKSUM is the instance's.  PEAK and BOUND are empty where there is none.  The outcome `cut` is
 * of a run that a limit ended: what it found is not reproducible and does not stand there.  Rows
 * are in the order of their first five columns, which no two have in common.  */
#ifndef ARENABENCH_HARNESS_STORE_RUN_TABLE_H
#define ARENABENCH_HARNESS_STORE_RUN_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/base/error.h"

/* The outcome of a run that a limit ended.  */
#define RUN_CUT "cut"

/* No peak, no bound.  */
enum { RUN_NONE = -1 };

struct run {
    char *experiment, *workload, *solver;
    int64_t seed, repetition;
    char *outcome;
    char checksum[17];
    int64_t peak, bound; /* RUN_NONE: there is none */
    size_t line;         /* where it was read */
};

struct run_table {
    size_t count, capacity;
    struct run *row;
};

/* Reads a whole table.  On failure there is nothing to clear.  */
bool run_table_read(struct run_table *table, FILE *in, const char *path, struct error *error);
void run_table_clear(struct run_table *table);

/* Adds a copy of RUN.  */
void run_table_add(struct run_table *table, const struct run *run);

/* Sorts TABLE and writes it.  What went wrong shows when OUT is closed.  */
void run_table_write(FILE *out, struct run_table *table);

#endif
