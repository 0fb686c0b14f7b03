/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `conv` shows on a terminal while it runs, and the signals that end it.  */
#ifndef ARENABENCH_HARNESS_CLI_CONV_STATUS_H
#define ARENABENCH_HARNESS_CLI_CONV_STATUS_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/io/interrupt.h"
#include "harness/io/status_line.h"
#include "harness/io/watch.h"
#include "harness/timing/conv_bench.h"
#include "kernels/layer.h"

struct conv_status {
    struct interrupt interrupt;
    struct status_line line;
    struct watch watch;
    struct conv_moment moment;
    const struct layer *layer;
    size_t begun, layers;
    const char *what; /* is tried side by side: "kernel" or "setting" */
};

/* Looks on from now on at a run of LAYERS layers, STATUS->watch for sessions and tuners;
 * signals are the caller's.  */
void conv_status_start(struct conv_status *status, size_t layers);
/* The next layer.  */
void conv_status_layer(struct conv_status *status, const struct layer *layer);
/* ALL kernels or settings are to be tried on it; 0: as many as will be said.  */
void conv_status_contest(struct conv_status *status, const char *what, size_t all);

#endif
