/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An instance as callers of the library (planner/arenaplan.h) give it.  */
#ifndef ARENABENCH_SOLVERS_LIBRARY_CALLERS_PROBLEM_H
#define ARENABENCH_SOLVERS_LIBRARY_CALLERS_PROBLEM_H

#include "planner/arenaplan.h"

struct instance;

struct callers_problem {
    struct arenaplan_problem problem;
    struct arenaplan_buffer *buffer; /* buffer b of the instance */
    struct arenaplan_piece *piece;
};

/* INSTANCE has to be sealed, and can go afterwards.  Its empty buffers are left out; pieces that
 * overlap are cut into such as do not.  */
void callers_problem_init(struct callers_problem *given, const struct instance *instance);
void callers_problem_clear(struct callers_problem *given);

#endif
