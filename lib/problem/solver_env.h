/* SPDX-License-Identifier: Apache-2.0 */
/* What a solver is given beside the instance: parameters, limits, and whom it tells. */
#ifndef ARENABENCH_LIB_PROBLEM_SOLVER_ENV_H
#define ARENABENCH_LIB_PROBLEM_SOLVER_ENV_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct params;
struct plan;
struct proof_sink;
struct search_statistics;

struct solver_env {
    const struct params *params;
    uint32_t seed;        /* 1 .. 2^32-1 */
    int64_t work_limit;   /* nodes or iterations; 0: none */
    double time_limit;    /* seconds of wall clock from the call; 0: none */
    int64_t memory_limit; /* bytes; 0: none */
    double cpu_limit;     /* seconds of processor time; 0: none */
    int64_t goal;         /* bytes: a peak that is low enough, if above the load; 0: the load is */

    bool follow; /* the plan that the planner is given is one of much the same instance, and guides
                  * its search from the beginning */

    /* Stream a complete plan (offsets and peak filled in) or a proven lower
     * bound while the search goes on.  Cheap; call them at each improvement.
     * Either may be NULL.  */
    void (*incumbent)(void *context, const struct plan *plan);
    void (*bound)(void *context, int64_t lower_bound);
    void *context;

    /* Whoever writes 0 into this file is in the control group of the run, where programs that a
     * solver starts belong (harness/run/cgroup.h).  NULL: there is none.  */
    const char *enter;

    struct search_statistics *statistics; /* a search adds what it counted; NULL: nobody asks */

    /* Where a search that can write certificates (lib/judge/certificate.h) writes one of each
     * bound it proves, the last one behind the others, and what is none behind that: an empty file
     * that can be cut.  It proves then by what it can write alone.  NULL: nobody asks.  */
    FILE *proof;

    /* The same for the planner, which writes no files (planner/disjunctive/proof_sink.h).  */
    const struct proof_sink *sink;
};

/* When a search has to end for ENV's time limit, by timer_now; INFINITY: there is none.  */
double solver_deadline(const struct solver_env *env);

/* Streams PLAN, if anybody listens.  */
void solver_stream(const struct solver_env *env, const struct plan *plan);

/* Copies TRIAL to PLAN and streams it where its peak is lower, and says whether it is.  */
bool solver_offer(const struct solver_env *env, const struct plan *trial, struct plan *plan);

#endif
