/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A network that runs while its buffers move between memories.  */
#ifndef ARENABENCH_HARNESS_CLI_RUN_MOVES_H
#define ARENABENCH_HARNESS_CLI_RUN_MOVES_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/cli/run_memories.h"
#include "memories/moves.h"
#include "runtime/run.h"

/* The plan, and the run's hooks that keep it.  */
struct run_moves {
    const struct run_split *split;
    const struct instance *instance;
    struct moves_problem problem;
    struct move_plan plan;
    struct run_hooks hooks;
    size_t *arena; /* where buffers begin, for places */
    int64_t *offset, *bytes;
    struct run_places places;
};

/* A plan with moves beside SPLIT, which is whole and has to outlive MOVES, found in SECONDS.
 * Returns STATUS_DONE, and the caller clears MOVES, or a status after a message: where a step has
 * several operators, or buffers are no rectangles or stored from the start.  */
int run_moves_make(struct run_moves *moves, const struct run_split *split, double seconds);
void run_moves_clear(struct run_moves *moves);

/* A row a memory: what was counted in EXECUTION.  */
struct table *run_moves_table(const struct run_moves *moves, const struct execution *execution);

/* Whether what was counted costs what the plan says; else a message.  */
bool run_moves_agrees(const struct run_moves *moves, const struct execution *execution);

#endif
