/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What plans of the suite are worth: which are as good as the best known, how far the others are
 * above it, and how long they took.  */
#ifndef ARENABENCH_HARNESS_SUITE_SUITE_SCORE_H
#define ARENABENCH_HARNESS_SUITE_SUITE_SCORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/base/error.h"

struct suite;

/* The shift of the geometric mean of times, in seconds.  */
#define SUITE_SHIFT_S 0.1

/* One entry's plan.  */
struct suite_run {
    bool has_plan; /* a valid one; its peak stands beside */
    bool refused;  /* one that is malformed or not valid, for the reason beside */
    int64_t peak;
    double time_s; /* NAN: nobody said */
    char reason[1024];
};

/* What a set of entries comes to.  A plan is solved when its peak is at most the best known and,
 * where its time is known, that is within the limit.  */
struct suite_score {
    size_t instances, plans, refused, solved;
    size_t better;     /* plans whose peak is below the best known */
    double gap, worst; /* mean and largest of peak / best known - 1 over the plans; NAN: no plan */
    double time_s;     /* shifted geometric mean over the instances, those that are not solved at
                          the limit; NAN where the time of a plan is not known */
    double par2_s;     /* mean, those that are not solved at twice the limit; NAN likewise */
};

/* The score of RUN[0..suite->count) on the entries of CLASS_NAME (NULL: all) under LIMIT_S.  */
struct suite_score suite_score(const struct suite *suite, const struct suite_run *run,
                               const char *class_name, double limit_s);

/* Reads times, `name,time_s` with a row for an instance of SUITE at most once, into RUN; other
 * names are an error.  Nothing is changed on failure.  */
bool suite_read_times(const struct suite *suite, FILE *in, const char *path, struct suite_run *run,
                      struct error *error);
/* The same file; what has no time is left out.  False on an output error.  */
bool suite_write_times(const struct suite *suite, const struct suite_run *run, FILE *out);

#endif
