/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether planners give the offsets that the same planners in the plainest way
 * give, buffer for buffer.  */
#ifndef ARENABENCH_TESTS_SUPPORT_SAME_PLANS_H
#define ARENABENCH_TESTS_SUPPORT_SAME_PLANS_H

#include <stdbool.h>
#include <stddef.h>

struct instance;
struct plan;

/* Whether FAST, which WHAT made, has the offsets and the peak of PLAIN; where not, the log says so.
 */
bool same_plan(const char *what, const struct instance *instance, const struct plan *fast,
               const struct plan *plain);

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
