/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A problem of moves between two memories.  */
#ifndef ARENABENCH_TESTS_SUPPORT_MOVE_TRIAL_H
#define ARENABENCH_TESTS_SUPPORT_MOVE_TRIAL_H

#include "memories/memory.h"
#include "memories/moves_solve.h"
#include "memories/split.h"

/* It, and what is made of it.  */
struct trial {
    struct memories memories;
    struct split_problem split_problem;
    struct moves_problem problem;
    struct split split;
    struct move_plan plan;
    struct moves_result result;
};

/* Of INSTANCE, with the memories that FAST and SLOW describe.  */
void trial_begin(struct trial *trial, const struct instance *instance, const char *fast,
                 const char *slow);

/* In place of the accesses that it has.  */
void trial_accesses(struct trial *trial, const size_t *first, size_t buffers,
                    const struct access *access);

/* Solves it beside the least split, whose costs are those of the accesses.  */
void trial_solve(struct trial *trial, double seconds);

void trial_end(struct trial *trial);

#endif
