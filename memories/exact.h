/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The least cost of a split, by logic-based Benders decomposition (Hooker and Ottosson,
 * Logic-based Benders decomposition, 2003).
 *
 * The master is unsplittable flow on a path, an integer program: each buffer has one memory, and at
 * each step the bytes in a memory fit.  What it chooses for a memory goes to the exact planner.  If
 * all fit, the split costs least.  If not, a small set of buffers that can't be together is found
 * by leaving out stretches of time, then buffer by buffer, and the master learns that one of them
 * has to be elsewhere; the same where a buffer gives way to one that lives as long and is as large.
 * A limit leaves a bracket.  */
#ifndef ARENABENCH_MEMORIES_EXACT_H
#define ARENABENCH_MEMORIES_EXACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "memories/heuristics.h"
#include "memories/split.h"

/* Buffers that can't be in memory M together while it has CAPACITY bytes or less.  */
struct split_cut {
    size_t m, count;
    int64_t capacity;
    size_t *buffer;
};

/* What is known, for one capacity after another: a cut holds for each that is no larger.  */
struct split_cuts {
    size_t count, room;
    struct split_cut *cut;
};

void split_cuts_clear(struct split_cuts *cuts);
/* Copies BUFFER[0..count).  */
void split_cuts_add(struct split_cuts *cuts, size_t m, int64_t capacity, const size_t *buffer,
                    size_t count);

enum split_outcome {
    SPLIT_OPTIMAL,    /* proven */
    SPLIT_FEASIBLE,   /* a limit ended it */
    SPLIT_INFEASIBLE, /* proven: the buffers do not fit */
    SPLIT_UNKNOWN,    /* a limit ended it without a split */
};

struct split_result {
    enum split_outcome outcome;
    int64_t bound; /* no split costs less */
    int64_t
        flow_bound;   /* nor than this: the optimum where only sums have to fit, or a bound of it */
    bool flow_proven; /* flow_bound is that optimum */
    size_t asked;     /* sets that the planner was asked about */
    /* Of planners that move buffers: what that costs, beside the split, and the least it could.  */
    int64_t moves_cost, moves_bound;
};

/* SPLIT receives the best split (its memories are SIZE_MAX where there is none), and may hold one
 * already.  CUTS begins as zeros, and may be from larger capacities of the same memories.  */
struct split_result split_solve(const struct split_problem *problem,
                                const struct split_limits *limits, struct split_cuts *cuts,
                                struct split *split);

/* A lower bound of the cost: the relaxation of the master.  VALUE, when not NULL, receives how much
 * of each buffer is in its cheapest memory.  False when it has no solution, or none was found.  */
bool split_relax(const struct split_problem *problem, double deadline, int64_t *bound,
                 double *value);

/* Why nothing fits, for people: a buffer that fits nowhere, or a step at which all together do not;
 * else, with CUTS that refuted it, a set that can't be together.  The caller frees it.  */
char *split_why_not(const struct split_problem *problem, const struct split_cuts *cuts);

#endif
