/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A network that runs with one arena for each of several memories.  */
#ifndef ARENABENCH_HARNESS_CLI_RUN_MEMORIES_H
#define ARENABENCH_HARNESS_CLI_RUN_MEMORIES_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/cli/memory_input.h"
#include "harness/io/table.h"
#include "runtime/memory.h"

struct execution;
struct instance;

/* A split of INSTANCE, and the arenas that it makes.  */
struct run_split {
    struct split_input input;
    int64_t *bytes; /* of each memory's part */
    struct run_places places;
};

/* The split in the file PATH, which has to be valid; NULL: the least that is found in SECONDS.
 * Returns STATUS_DONE, and the caller clears SPLIT, or a status after a message.  */
int run_split_make(struct run_split *split, const struct memory_wish *wish,
                   const struct instance *instance, const char *path, double seconds);
void run_split_clear(struct run_split *split);

/* A row a memory: what was counted in EXECUTION, a run with the places of SPLIT.  */
struct table *run_split_table(const struct run_split *split, const struct execution *execution);

/* Whether that is what the model says; else a message.  */
bool run_split_agrees(const struct run_split *split, const struct execution *execution);

#endif
