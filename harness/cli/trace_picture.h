/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What plots/trace.gp draws: bytes in use and addresses over the events of a recording.  */
#ifndef ARENABENCH_HARNESS_CLI_TRACE_PICTURE_H
#define ARENABENCH_HARNESS_CLI_TRACE_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/base/error.h"

struct plan;
struct trace;

struct trace_picture {
    const struct trace *trace;
    size_t pool;
    const struct plan *recorded; /* closed */
    const char *title;
    const char *planner; /* who made the best plan; NULL: there is none */
    int64_t best;        /* its peak */
};

/* Draws it on OUT in FORMAT; false with a message.  */
bool trace_picture_draw(const struct trace_picture *picture, const char *format, FILE *out,
                        struct error *error);

#endif
