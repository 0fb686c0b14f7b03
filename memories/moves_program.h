/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What no plan with moves can be below: moves as an integer program in which the bytes in use at
 * each step have to fit, but nobody asks for offsets.
 *
 * Binary columns of each access and memory: it is made there, the buffer is held there afterwards,
 * it takes room there at that step; and of each pair of memories a copy before, and one after.  */
#ifndef ARENABENCH_MEMORIES_MOVES_PROGRAM_H
#define ARENABENCH_MEMORIES_MOVES_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "memories/master.h"
#include "memories/moves.h"

/* A bound that takes no program: at each step by itself, the bytes that do not fit into a memory
 * are read and written in the next cheapest one, those first that pay least for a byte.  */
int64_t moves_step_bound(const struct moves_problem *problem);

/* Solves it, as an integer program or relaxed.  BOUND (thousandths) is the caller's from before,
 * and rises to what is proven.  MASTER_OPTIMAL, not relaxed: CHOICE is one that the bound is the
 * cost of.  MASTER_LIMIT: time was over, or the program is too large.  */
enum master_result moves_program_solve(const struct moves_problem *problem, bool relaxed,
                                       double deadline, int64_t *bound, struct move_choice *choice);

#endif
