/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a sweep of planners for several memories writes into the store.  */
#ifndef ARENABENCH_HARNESS_STORE_STORE_SPLIT_H
#define ARENABENCH_HARNESS_STORE_STORE_SPLIT_H

#include <stdint.h>

/* A row of split.  NAN and STORE_NULL: missing.  */
struct store_split {
    const char *memories; /* as the experiment has them */
    int64_t capacity;     /* bytes of the first one, for this instance */
    double cost;          /* of the bytes that are read and written */
    double lower_bound;   /* that an exact planner proved */
    double flow_bound;    /* likewise, where only sums have to fit: the optimum of that */
    double outside; /* share of the bytes that are read and written outside of the first one */
};

#endif
