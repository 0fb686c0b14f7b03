/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `conv` shows on a terminal while it runs, and the signals that end it.  */
#ifndef ARENABENCH_HARNESS_CLI_CONV_STATUS_H
#define ARENABENCH_HARNESS_CLI_CONV_STATUS_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/io/vigil.h"
#include "harness/timing/conv_bench.h"
#include "kernels/layer.h"

struct conv_status {
    struct vigil vigil;
    struct conv_moment moment;
    const struct layer *layer;
    size_t begun, layers;
    const char *what; /* is tried side by side: "kernel" or "setting" */
};

/* Begins the vigil over a run of LAYERS layers, whose watch is for sessions and tuners; false as
 * vigil_begin.  */
bool conv_status_begin(struct conv_status *status, size_t layers, struct error *error);
/* The next layer.  */
void conv_status_layer(struct conv_status *status, const struct layer *layer);
/* ALL kernels or settings are to be tried on it; 0: as many as will be said.  */
void conv_status_contest(struct conv_status *status, const char *what, size_t all);

#endif
