/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One run of a solver inside the test program.  */
#ifndef ARENABENCH_TESTS_SUPPORT_RUN_SOLVER_H
#define ARENABENCH_TESTS_SUPPORT_RUN_SOLVER_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/problem/plan.h"
#include "lib/problem/search_statistics.h"

struct instance;

/* SPEC is a solver's name, then perhaps a colon and its parameters.  The plan has
 * passed the verifier; one that has not, and a name or a parameter that does not
 * exist, ends the program.  The caller frees it.  */
struct plan *solver_plan(const char *spec, const struct instance *instance, uint32_t seed);

/* The peak of that plan, with seed 1.  */
int64_t run_solver_peak(const char *spec, const struct instance *instance);

/* Limits of a run; 0: none.  */
struct solver_limits {
    uint32_t seed;
    int64_t work;
    double seconds;
};

/* What a run came to, as the test has seen it.  */
struct solver_run {
    enum outcome outcome;
    int64_t peak, bound, nodes;
    uint64_t offsets; /* a checksum of the plan */
    bool valid;       /* the verifier takes the plan; if not, the log says why */
    int incumbents;
    bool streamed; /* there were some, valid and ever better, the last as good as the plan,
                      and bounds, if any, ever larger */
    int64_t first_peak, last_bound; /* of what was streamed; -1: nothing was */
    char note[240];
    struct search_statistics statistics;
};

/* A run of SPEC whose plan may be bad; it is left in PLAN, an empty one of INSTANCE.  */
struct solver_run solver_run_into(const char *spec, const struct instance *instance,
                                  const struct solver_limits *limits, struct plan *plan);

/* The same without the plan, with limits in placements or iterations only; 0: none.  */
struct solver_run solver_run(const char *spec, const struct instance *instance, uint32_t seed,
                             int64_t work);

/* Whether RUN ended with a valid plan and a proof that OPTIMUM is the optimum.  */
bool solver_run_proves(const struct solver_run *run, int64_t optimum);

/* Whether the solver takes INSTANCE.  */
bool solver_applies(const char *spec, const struct instance *instance);

#endif
