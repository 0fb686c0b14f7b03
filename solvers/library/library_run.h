/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Solvers that are the library (planner/arenaplan.h), called as any caller would.  */
#ifndef ARENABENCH_SOLVERS_LIBRARY_LIBRARY_RUN_H
#define ARENABENCH_SOLVERS_LIBRARY_LIBRARY_RUN_H

#include "lib/problem/plan.h"
#include "planner/arenaplan.h"

struct instance;
struct solver_env;

enum library_layer { LIBRARY_PLAN, LIBRARY_PROVE };

/* Plans INSTANCE with OPTIONS' limits and techniques; seed, certificates, statistics, and who is
 * told, are ENV's.  Fills in PLAN.  OUTCOME_TIMEOUT: the seconds in OPTIONS are over.  */
enum outcome library_run(const struct instance *instance, const struct solver_env *env,
                         enum library_layer layer, const struct arenaplan_options *options,
                         struct plan *plan);

#endif
