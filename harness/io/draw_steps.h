/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A page that places the buffers of plans one after the other (plots/steps.html).  */
#ifndef ARENABENCH_HARNESS_IO_DRAW_STEPS_H
#define ARENABENCH_HARNESS_IO_DRAW_STEPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "harness/io/draw_data.h"
#include "harness/io/draw_pieces.h"
#include "lib/base/error.h"

/* Writes the page of COUNT plans of INSTANCE, whose buffers come in ORDER, to OUT.  False with a
 * message where the page as it is installed can't be read.  */
bool draw_write_steps(FILE *out, const struct instance *instance, const struct drawn_plan *drawn,
                      size_t count, enum draw_order order, struct error *error);

#endif
