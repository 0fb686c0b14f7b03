/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A network that is run for real, timed and held against what it should give.  */
#ifndef ARENABENCH_HARNESS_TIMING_EXECUTION_H
#define ARENABENCH_HARNESS_TIMING_EXECUTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"
#include "runtime/run.h"
#include "runtime/traffic.h"

struct elements;
struct instance;
struct plan;
struct run_places;

/* Without a number of rounds: no more than so many.  */
enum { EXECUTION_MOST_ROUNDS = 1000 };

struct execution_request {
    const struct instance *instance; /* of workload_runnable */
    const struct plan *plan;         /* a valid one of it; or */
    const struct run_places *places; /* several arenas; NULL: the plan's */
    struct run_options options;
    int64_t rounds; /* 0: as many as fill a second, at least 7 */
    bool wide;      /* run it in double as well */
};

struct execution {
    struct run_facts facts;
    int64_t arena_bytes;    /* of all arenas */
    int64_t own_bytes;      /* of values that the plan does not count: inputs, those of bodies */
    int64_t stored_bytes;   /* weights as the network has them */
    int64_t resident_bytes; /* the most that the process had in memory while it ran; 0: unknown */

    /* Of a run with places, counted in one round; one an arena.  */
    struct run_traffic traffic;

    struct run_operator *how; /* one an operator, in the network's order */

    size_t rounds, operators;
    double *round; /* seconds of each */
    double *each;  /* of each operator, in the network's order, a row a round */

    size_t values;
    struct elements **output; /* what came out, one a value of the network; NULL: no output */

    /* The same run with every value in memory of its own; NULL: all outputs are the same, byte for
     * byte.  Else the output that is not, the network's.  */
    const char *differs;
    bool wide;              /* it was run in double as well */
    double distance, bound; /* runtime/compare.h; distance without that: NaN */
};

/* Runs it.  One untimed round comes first, and before each round the inputs are written, which is
 * not timed either.  The caller clears EXECUTION; on failure there is nothing to clear.  */
bool execution_make(struct execution *execution, const struct execution_request *request,
                    struct error *error);
void execution_clear(struct execution *execution);

/* Whether the outputs are those of the plain run, and, with the run in double, as near to those of
 * it as the bound says, with NaN where and only where it has NaN; else what is wrong.  */
bool execution_right(const struct execution *execution, struct error *error);

/* What operator O took in each round, for statistics; the caller frees it.  */
double *execution_operator(const struct execution *execution, size_t o);

#endif
