/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A planner on an instance whose sub-graphs are planned apart (subgraphs=buffers).
 *
 * As ccv does it: the planner gets the buffers of each sub-graph by themselves, the innermost
 * first.  Each buffer of that plan (an object, a separate allocation, or the one arena) becomes
 * a tensor of what is around: of its size, in use while the sub-graph runs, and also as long as
 * one of its tensors is in use outside (a value from around the loop that shares memory with a
 * carried one).  So the planner that was asked for places all of them, and what comes
 * of it is a plan of the instance itself.  */
#ifndef ARENABENCH_HARNESS_RUN_NESTED_H
#define ARENABENCH_HARNESS_RUN_NESTED_H

#include "lib/problem/plan.h"

struct instance;
struct nest;
struct solver;
struct solver_env;

/* Like solver->solve for INSTANCE, whose nest is NEST.  Each call has an equal share of the time
 * limit and the whole work limit; nothing is streamed.  No bound comes of it: what is best for the
 * parts need not be best for the whole.  */
enum outcome nested_solve(const struct solver *solver, const struct instance *instance,
                          const struct nest *nest, const struct solver_env *env, struct plan *plan);

#endif
