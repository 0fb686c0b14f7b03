/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A step for every operator.  */
#ifndef ARENABENCH_LIB_GRAPH_SCHEDULE_H
#define ARENABENCH_LIB_GRAPH_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"

struct network;

struct schedule {
    size_t n;      /* operators of the network */
    int64_t *step; /* step of each operator; operators may share one */
    int64_t steps; /* steps are 0 .. steps-1 */
    bool serial;   /* no two operators share a step */
};

/* File order: one operator a step.  The caller frees it.  */
struct schedule *schedule_file_order(const struct network *network);
void schedule_free(struct schedule *schedule);

/* The operators by step, those of one step in file order.  The caller frees it.  */
size_t *schedule_sequence(const struct schedule *schedule);

/* The operators by step, those of one step by falling SECONDS (no NaN), equal ones in file order.
 * The caller frees it.  */
size_t *schedule_longest_first(const struct schedule *schedule, const double *seconds);

/* No operator runs before one that makes its input (the same step is allowed
 * only for independent operators).  */
bool schedule_check(const struct schedule *schedule, const struct network *network,
                    struct error *error);

#endif
