/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Planners that do the same many times over, and can only stop in between: none begins that would
 * end after the time limit if it took as long as the longest before.  */
#ifndef ARENABENCH_SOLVERS_FIT_TURNS_H
#define ARENABENCH_SOLVERS_FIT_TURNS_H

#include <math.h>
#include <stdbool.h>

#include "lib/base/timer.h"
#include "lib/problem/solver_env.h"

struct turns {
    double deadline; /* by timer_now; INFINITY: none */
    double began;    /* the turn that goes on; 0: none has begun */
    double longest;  /* seconds */
};

static inline struct turns turns_under(const struct solver_env *env)
{
    return (struct turns){.deadline =
                              env->time_limit > 0.0 ? timer_now() + env->time_limit : INFINITY};
}

/* The turn that goes on ends.  Whether there is time for another one, which begins then; the
 * first always may.  */
static inline bool turns_next(struct turns *turns)
{
    const double now = timer_now();
    const bool first = turns->began == 0.0;

    if (!first)
        turns->longest = fmax(turns->longest, now - turns->began);
    turns->began = now;
    return first || now + turns->longest < turns->deadline;
}

#endif
