/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of known optima and brackets, results/reference/optima.csv: what our own runs
 * have proven of an instance, which reports use and no solver may read.
 *
 *     checksum,name,lower,upper,lower_by,upper_by
 *     06e1c9b1bd4e2e52,gadget:repeat=1,5,5,branch-and-bound,glpk
 *
 * CHECKSUM is instance_checksum's.  NAME is the workload with ';' for its commas, empty
 * for a file.  LOWER is a proven lower bound on every peak and UPPER a verified peak, in
 * bytes; where they are equal the optimum is known.  LOWER_BY is `load` where that is
 * the bound, and `certificate` where a certificate of it has been checked (optima_certify.h).  An
 * entry only ever gets better: its lower bound never falls and its upper bound never rises, and
 * bounds that cross are an error.  */
#ifndef ARENABENCH_HARNESS_STORE_OPTIMA_H
#define ARENABENCH_HARNESS_STORE_OPTIMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/base/error.h"

struct store;

#define OPTIMA_BY_CERTIFICATE "certificate"

struct optimum {
    uint64_t checksum;
    char *name;
    int64_t lower, upper;
    char *lower_by, *upper_by;
};

struct optima {
    size_t count, capacity;
    struct optimum *row; /* by checksum */
};

/* Reads a whole table; the caller clears it.  On failure there is nothing to clear.  */
bool optima_read(struct optima *optima, FILE *in, const char *path, struct error *error);
/* The same of the file at PATH; ABSENT: where there is none, the table is empty.  */
bool optima_open(struct optima *optima, const char *path, bool absent, struct error *error);
void optima_clear(struct optima *optima);

/* By name, then checksum.  False on an output error.  */
bool optima_write(FILE *out, const struct optima *optima);
/* The same into the file at PATH, in place of what is there.  */
bool optima_save(const struct optima *optima, const char *path, struct error *error);

const struct optimum *optima_find(const struct optima *optima, uint64_t checksum);

/* Takes over the better bounds of NEW, whose texts are copied; adds it where the instance
 * is not known yet.  False when the bounds contradict what is known; nothing changes
 * then.  */
bool optima_merge(struct optima *optima, const struct optimum *new, struct error *error);

/* Merges what the runs in STORE, which a report has opened, have proven.  */
bool optima_merge_store(struct optima *optima, struct store *store, struct error *error);

/* The table of the project, in the temporary table known (checksum text, lower, upper) of
 * STORE; an empty one where the file is not there.  */
bool optima_add_known(struct store *store, struct error *error);

#endif
