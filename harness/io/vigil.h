/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A command whose work takes long: the line that it shows on a terminal meanwhile, and the signals
 * that end it.  */
#ifndef ARENABENCH_HARNESS_IO_VIGIL_H
#define ARENABENCH_HARNESS_IO_VIGIL_H

#include <stdbool.h>

#include "harness/io/interrupt.h"
#include "harness/io/status_line.h"
#include "harness/io/watch.h"

/* Shows how far the work is (status_line_show).  Called when the line is due.  */
typedef void vigil_show(void *context, struct status_line *line);

struct vigil {
    struct watch watch; /* for the work, which is to end when a signal was taken */
    struct interrupt interrupt;
    struct status_line line;
    vigil_show *show;
    void *context;
};

/* Begins; false with a message where signals can't be waited for.  VIGIL stays where it is.  */
bool vigil_begin(struct vigil *vigil, vigil_show *show, void *context, struct error *error);

/* Ends, and clears the line.  The exit status: STATUS, or that of the signal that was taken.  */
int vigil_end(struct vigil *vigil, int status);

#endif
