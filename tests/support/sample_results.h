/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small results store whose every statistic is known by hand.  */
#ifndef ARENABENCH_TESTS_SUPPORT_SAMPLE_RESULTS_H
#define ARENABENCH_TESTS_SUPPORT_SAMPLE_RESULTS_H

#include <stdbool.h>

#include "lib/base/error.h"

enum sample {
    SAMPLE_USUAL,   /* the table in sample_results.c */
    SAMPLE_SKIPPED, /* the same tasks, every one of them skipped */
    SAMPLE_WRONG,   /* the same, and one bound above a verified peak */
    /* The same by two sweeps: of gap all but the last by the first of them, of the others
     * all by the second. */
    SAMPLE_BUILDS,   /* of a build each, the second with changes that are in no commit */
    SAMPLE_MACHINES, /* on a machine each, too */
};

/* Makes DIR and DIR/results.db.  */
bool sample_results(const char *dir, enum sample sample, struct error *error);

#endif
