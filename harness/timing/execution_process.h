/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An execution in a process of its own, so that a hang or a crash is an outcome.  */
#ifndef ARENABENCH_HARNESS_TIMING_EXECUTION_PROCESS_H
#define ARENABENCH_HARNESS_TIMING_EXECUTION_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/timing/execution.h"
#include "lib/problem/plan.h"

struct run_limits;

/* What is known of an execution when its process has ended; units as in struct execution.  */
struct execution_result {
    enum outcome outcome; /* OUTCOME_MEASURED; OUTCOME_INVALID: an output differs from that of the
                             plain run; else as any process ends */
    char reason[256];     /* why it is not measured */

    /* The rest where it was timed: measured or invalid.  */
    int64_t arena_bytes, own_bytes, stored_bytes, resident_bytes;
    struct run_facts facts;
    bool same_as_plain;
    size_t rounds;
    double *round; /* seconds of each; NULL: none */

    /* With request->options.groups; else NAN.  Before the groups, the same network is run on one
     * thread, one operator after the other, as often.  */
    double serial_s;          /* the median of that */
    double modelled_speed_up; /* S(G) of the time model (lib/lifetimes/time_model.h) from its
                                 operators' medians, for that many threads, with the barriers of the
                                 stated machine */
};

/* Never fails.  With one thread the process is pinned to the last processor that it may use, as
 * kernels are (conv_bench.h).  The time limit is that of all rounds and of the plain run.  The
 * caller clears RESULT.  */
void execution_in_process(const struct execution_request *request, const struct run_limits *limits,
                          struct execution_result *result);
void execution_result_clear(struct execution_result *result);

#endif
