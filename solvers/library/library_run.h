/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Solvers that are the library (planner/arenaplan.h), called as any caller would.  */
#ifndef ARENABENCH_SOLVERS_LIBRARY_LIBRARY_RUN_H
#define ARENABENCH_SOLVERS_LIBRARY_LIBRARY_RUN_H

#include "lib/problem/plan.h"
#include "planner/arenaplan.h"
#include "planner/library/prove_with.h"

struct instance;
struct solver_env;

/* Plans INSTANCE with OPTIONS' limits; or, where EXTRAS is not NULL, proves, with these, whose sink
 * is not looked at.  Seed, certificates, statistics, and who is told, are ENV's.  Fills in PLAN.
 * OUTCOME_TIMEOUT: the seconds in OPTIONS are over.  */
enum outcome library_run(const struct instance *instance, const struct solver_env *env,
                         const struct arenaplan_options *options, const struct prove_extras *extras,
                         struct plan *plan);

#endif
