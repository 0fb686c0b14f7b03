/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a sweep of runs writes into the store.  */
#ifndef ARENABENCH_HARNESS_STORE_STORE_EXECUTION_H
#define ARENABENCH_HARNESS_STORE_STORE_EXECUTION_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/store/store.h"

/* A row of execution.  NAN and STORE_NULL: missing, as all is that only a run that was timed
 * has.  */
struct store_execution {
    const char *kernels; /* name of the convolutions' kernel, or none */
    const char *isa;
    int64_t threads;
    bool groups;                  /* the threads take the operators of a step, not parts of one */
    int64_t rounds;               /* that were timed */
    struct store_doubles round_s; /* what each took, one after the other */
    double low_s, high_s;         /* 95 % interval of their median */
    double serial_s; /* with groups: one operator after the other, median, same process */
    double
        modelled_speed_up; /* with groups: S(G) of the time model from the operators' times then */
    int64_t arena_bytes;   /* of the planned arena */
    int64_t own_bytes;     /* of values that the plan does not count */
    int64_t stored_bytes;  /* weights as the network has them */
    int64_t packed_bytes;  /* weights as the kernels have them */
    int64_t scratch_bytes; /* for changes of layout, beside the arena */
    int64_t workspace_bytes; /* the kernels' own, beside both */
    int64_t resident_bytes;  /* the most that the process had in memory */
    int64_t copied_bytes;    /* a round: struct run_facts */
    int64_t operators, idle; /* all, and those of them with nothing to do */
    int64_t on_kernel, other_convolutions;
    int64_t same_as_plain; /* 1: byte for byte the outputs of a run without an arena; else 0 */
};

/* The row of a run that was not timed, to be filled in; texts are NULL.  */
extern const struct store_execution store_execution_missing;

#endif
