/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An experiment without a file: planners on instances that a command line names.  */
#ifndef ARENABENCH_HARNESS_SWEEP_EXPERIMENT_ADHOC_H
#define ARENABENCH_HARNESS_SWEEP_EXPERIMENT_ADHOC_H

#include <stdint.h>

#include "harness/io/expand.h"
#include "lib/base/error.h"

struct experiment;

struct experiment_adhoc {
    const char *name;
    const struct text_list *solvers; /* lists, as contestants_add_list takes them */
    char *const *workload;           /* networks, generators and files, with braces */
    int workloads;
    double time_s;       /* limit of a task; 0: none */
    double cpu_s;        /* the same of processor time */
    int64_t seeds;       /* 1 to this one, for solvers that draw numbers */
    int64_t repetitions; /* of each task */
};

/* The experiment, with a quick size and all figures that can show it; the caller frees it with
 * experiment_free.  NULL with a message.  */
struct experiment *experiment_adhoc(const struct experiment_adhoc *request, struct error *error);

#endif
