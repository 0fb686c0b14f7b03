/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random problems with hazards, and who conflicts in them by the definition alone.  */
#ifndef ARENABENCH_TESTS_SUPPORT_HAZARD_CASE_H
#define ARENABENCH_TESTS_SUPPORT_HAZARD_CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hazards/planners.h"
#include "hazards/problem.h"

struct rng;

enum { MOST = 9 };

/* Who may not share a byte, and what is paid where two do.  */
struct truth {
    size_t n;
    bool hard[MOST][MOST];
    size_t group[MOST]; /* the first of those that a buffer is together with */
    int64_t cost[MOST][MOST];
};

/* Of a problem with at most MOST buffers.  */
void find_truth(struct truth *truth, const struct hazard_problem *problem);

/* What a random problem may have, as bits.  */
enum { TOGETHER = 1, EXCLUSIVE = 2, APART = 4, FIXED = 8, RESERVED = 16, POOLS = 32, COSTS = 64 };

/* One of N buffers; the caller clears it.  */
void draw_problem(struct hazard_problem *problem, struct rng *rng, size_t n, unsigned features);

void add_pair(struct hazard_problem *problem, enum conflict_kind kind, size_t a, size_t b);

/* COUNT pools without a limit.  */
void add_pools(struct hazard_problem *problem, size_t count);

/* The end of what is reserved in pool P, 0 where nothing is.  */
int64_t reserved_end(const struct hazard_problem *problem, size_t p);

/* By planner NAME; false after a comment in the log where the judge refuses what it says.  */
bool plan_by(const struct hazard_problem *problem, const char *name,
             const struct hazard_limits *limits, struct hazard_answer *answer);

/* What hazard_json_write writes; the caller frees it.  */
char *hazard_text(const struct hazard_problem *problem);

/* Calls VISIT with the path of each JSON file in FOLDER and in what is below it, by name.  */
void visit_json(const char *folder, void (*visit)(const char *path, void *context), void *context);

/* The problem, and what a planner said, in the log.  */
void show_problem(const struct hazard_problem *problem, const struct hazard_answer *answer);

#endif
