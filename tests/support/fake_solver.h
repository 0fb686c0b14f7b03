/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Solvers of the tests' own.  */
#ifndef ARENABENCH_TESTS_SUPPORT_FAKE_SOLVER_H
#define ARENABENCH_TESTS_SUPPORT_FAKE_SOLVER_H

#include "solvers/solver.h"

#define FAKE_UNUSED __attribute__((unused))

typedef enum outcome solve_function(const struct instance *instance, const struct solver_env *env,
                                    struct plan *plan);

/* The head of a solver's function NAME, which uses what it wants of its arguments.  */
#define FAKE_SOLVE(name)                                                  \
    static enum outcome name(const struct instance *instance FAKE_UNUSED, \
                             const struct solver_env *env FAKE_UNUSED,    \
                             struct plan *plan FAKE_UNUSED)

#endif
