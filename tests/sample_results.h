/* A small results store whose every statistic is known by hand.  */
#ifndef ARENABENCH_TESTS_SAMPLE_RESULTS_H
#define ARENABENCH_TESTS_SAMPLE_RESULTS_H

#include <stdbool.h>

#include "lib/error.h"

enum sample {
    SAMPLE_USUAL,   /* the table in sample_results.c */
    SAMPLE_SKIPPED, /* the same tasks, every one of them skipped */
    SAMPLE_WRONG,   /* the same, and one bound above a verified peak */
};

/* Makes DIR and DIR/results.db.  */
bool sample_results(const char *dir, enum sample sample, struct error *error);

#endif
