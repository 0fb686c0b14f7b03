/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stores for tests of merging: of sweeps that record some of the tasks of one experiment.  */
#ifndef ARENABENCH_TESTS_HARNESS_STORE_MERGE_PARTS_H
#define ARENABENCH_TESTS_HARNESS_STORE_MERGE_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct merge;

enum { TASKS = 36 };

/* Which tasks a sweep records, and how it differs from the others.  A third of the tasks each are
 * plans, runs and kernels.  */
struct part {
    int sweep;           /* its number: machine, date; when its tasks ended */
    bool has[TASKS];     /* which tasks it runs */
    int64_t more;        /* on the peak of the first that it has */
    const char *outcome; /* of the first; NULL: as usual */
    const char *build;   /* of all its tasks; NULL: as usual */
    const char *definition;
    bool bounds_unknown;
    int64_t w;
    double fact;
};

/* Without tasks, and with all.  */
struct part part_usual(int sweep);
struct part part_with_all(int sweep);

/* Makes the store DIR of what the COUNT PARTS record, one after the other.  */
void parts_fill(const char *dir, const struct part *part, int count);

/* Forgets what DIR holds; what all folders here do.  */
void parts_drop(const char *dir);
void parts_drop_all(void);

/* How many entries the working folder has.  */
int64_t parts_entries(void);

/* Merges COUNT stores into OUT, judged by nobody; the caller clears MERGE.  */
bool parts_merge(const char *out, const char *const *dir, size_t count, bool newest,
                 struct merge *merge, struct error *error);
/* The same where only its numbers matter: MERGE is cleared.  */
bool parts_merge_once(const char *out, const char *const *dir, size_t count, bool newest,
                      struct merge *merge, struct error *error);
/* The same of a merge into "out" that has to succeed.  */
struct merge parts_merged(const char *const *dir, size_t count, const char *what);

#endif
