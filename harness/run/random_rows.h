/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random instances on which planners may part: what their orders and gaps hang on.  */
#ifndef ARENABENCH_HARNESS_RUN_RANDOM_ROWS_H
#define ARENABENCH_HARNESS_RUN_RANDOM_ROWS_H

#include <stdint.h>

struct instance;
struct rng;

struct random_rows {
    int64_t buffers;   /* the most in an instance, at least 1 */
    int64_t alignment; /* the largest, at least 1: none above it is drawn */
};

/* The instance number INDEX of a run.  Every second one has its rows by begin, the others
 * in any order; in each eight, two have one alignment for all and one a mixture of powers of
 * two.  Sizes are up to 3, 8, 100, 100,000 or 10,000,000, in one of four instances each
 * buffer's own bound, and there may be few steps, so that equal keys are frequent.
 * Sealed; the caller frees it.  */
struct instance *random_rows_draw(const struct random_rows *rows, struct rng *rng, int64_t index);

#endif
