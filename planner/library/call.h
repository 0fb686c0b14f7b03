/* SPDX-License-Identifier: Apache-2.0 */
/* One call of the library: what was asked for, the memory that it has, what comes of it.  */
#ifndef ARENABENCH_PLANNER_LIBRARY_CALL_H
#define ARENABENCH_PLANNER_LIBRARY_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/memory_scope.h"
#include "lib/problem/search_statistics.h"
#include "lib/problem/solver_env.h"
#include "planner/arenaplan.h"
#include "planner/library/prepare.h"
#include "planner/library/prove_with.h"
#include "planner/library/watch.h"

struct fault;
struct plan;

struct call {
    const struct arenaplan_problem *problem; /* the caller's; from call_run on OWN_PROBLEM */
    struct arenaplan_problem own_problem;    /* with the caller's buffers, or a copy */
    struct prove_extras extras;              /* of prove and fits */
    struct arenaplan_options options;
    int64_t *offset; /* the caller's: written when all else is done */
    struct arenaplan_result result;

    int64_t capacity; /* a peak that is low enough; -1: none is */
    struct memory_pool pool;
    struct watch watch;
    struct search_statistics counted;

    /* By call_prepare, in the scope. */
    struct prepared prepared;
    struct solver_env env; /* for the planner, whose better plans and bounds go to the caller */
    struct plan *plan;
    int64_t *told;                 /* offsets in the caller's order, where he wants to see them */
    int64_t told_peak, told_bound; /* the last ones */
};

/* Runs WORK(CALL) in a scope, unless something is wrong with structs and options; CALL has problem,
 * extras, offset and capacity.  OPTIONS and RESULT may be NULL.  Returns the status.  */
enum arenaplan_status call_run(struct call *call, const struct arenaplan_options *options,
                               struct arenaplan_result *result, void (*work)(void *call));

/* The end of a call in which FAULT is wrong, before there is a scope.  */
enum arenaplan_status call_refuse(struct call *call, enum arenaplan_fault fault,
                                  struct arenaplan_result *result);

/* Makes FAULT the result; returns false.  */
bool call_blame(struct call *call, const struct fault *fault);

/* Checks the problem, in the scope.  False: it is none, and the result says so.  */
bool call_check(struct call *call);

/* Checks the problem, and fills in what is said above.  False: it is none, and the result says
 * so.  */
bool call_prepare(struct call *call);

/* The end of WORK: call->plan, whose bound is proven for sure, is what there is.  Gives the
 * status, and the offsets where the status is one with offsets.  */
void call_take_plan(struct call *call);

/* The end of WORK without any plan.  */
void call_fail(struct call *call, enum arenaplan_status status);

#endif
