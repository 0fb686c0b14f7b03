/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether planners give the offsets that the same planners in the plainest way
 * give, buffer for buffer.  */
#ifndef ARENABENCH_TESTS_SUPPORT_SAME_PLANS_H
#define ARENABENCH_TESTS_SUPPORT_SAME_PLANS_H

#include <stddef.h>

struct instance;
struct plan;

struct plain_pair {
    const char *spec; /* solver and parameters */
    void (*plain)(const struct instance *instance, struct plan *plan);

    /* Buffers that the plain one is given at most, for the time that it takes, in the
     * large random instance and in the real ones.  */
    size_t large, real;
};

/* Thousands of small random instances of all kinds, a large one, and the instances
 * that are here.  What a planner refuses is left out.  PAIR ends with a NULL
 * spec.  */
void same_plans(const struct plain_pair *pair);

#endif
