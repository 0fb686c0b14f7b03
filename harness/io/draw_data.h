/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What plots/plan.gp draws: plans as time x address, side by side.  */
#ifndef ARENABENCH_HARNESS_IO_DRAW_DATA_H
#define ARENABENCH_HARNESS_IO_DRAW_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/io/draw_pieces.h"
#include "lib/base/error.h"

struct instance;
struct plan;

/* A plan, and what people call it: its planner, or its file; or the part of one that lies in a
 * memory.  */
struct drawn_plan {
    const struct plan *plan;
    const char *name;
    const bool *within; /* which buffers lie there; NULL: the plan is one of all in one arena */
    int64_t capacity;   /* of the memory; INT64_MAX: there is no limit */
};

/* Writes into FOLDER, of COUNT plans of INSTANCE, `panel` being which, from 1,
 *
 *   plan-arrays.gp  texts and numbers of the picture as a whole, and of each panel; of memories
 *                   each panel has a height and a unit of its own
 *   plan.csv        the rectangles that buffers cover, each byte of a step once
 *   plan-edges.csv  their outlines, an edge a row; kind 1 is where a piece begins
 *                   inside the one that it overwrites, kind 0 everything else
 *   plan-labels.csv the largest rectangle of each buffer that has room for its id, or, where an
 *                   ORDER is asked for, its number there, from 1
 */
bool draw_write_data(const char *folder, const struct instance *instance,
                     const struct drawn_plan *drawn, size_t count, enum draw_order order,
                     struct error *error);

#endif
