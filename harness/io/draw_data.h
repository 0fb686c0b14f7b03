/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What plots/plan.gp draws: a plan as time x address.  */
#ifndef ARENABENCH_HARNESS_IO_DRAW_DATA_H
#define ARENABENCH_HARNESS_IO_DRAW_DATA_H

#include <stdbool.h>

#include "lib/base/error.h"

struct instance;
struct plan;

/* Writes into FOLDER
 *
 *   plan-arrays.gp  texts and numbers of the picture as a whole
 *   plan.csv        the rectangles that buffers cover, each byte of a step once
 *   plan-edges.csv  their outlines, an edge a row; kind 1 is where a piece begins
 *                   inside the one that it overwrites, kind 0 everything else
 *   plan-labels.csv the largest rectangle of each buffer that has room for its id
 */
bool draw_write_data(const char *folder, const struct instance *instance, const struct plan *plan,
                     struct error *error);

#endif
