/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans of three buffers, for solvers that tests make up.  */
#ifndef ARENABENCH_TESTS_SUPPORT_THREE_BUFFERS_H
#define ARENABENCH_TESTS_SUPPORT_THREE_BUFFERS_H

#include <stdint.h>

#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "lib/problem/solver_env.h"

/* The first buffer at 0, the others at B and C.  */
static inline enum outcome place_three(struct plan *plan, int64_t b, int64_t c, int64_t peak)
{
    plan->offset[1] = b;
    plan->offset[2] = c;
    plan->peak = peak;
    return OUTCOME_FEASIBLE;
}

static inline enum outcome solve_22(const struct instance *instance, const struct solver_env *env,
                                    struct plan *plan)
{
    (void)instance;
    (void)env;
    return place_three(plan, 10, 17, 22);
}

#endif
