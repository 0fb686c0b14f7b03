/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Planners for several memories, by name: ours, those that compilers ship, and the exact method. */
#ifndef ARENABENCH_MEMORIES_SPLITTER_H
#define ARENABENCH_MEMORIES_SPLITTER_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/error.h"
#include "memories/exact.h"

enum splitter_kind {
    SPLITTER_HEURISTIC,
    SPLITTER_SHIPPED, /* a heuristic that a compiler has, as it is there */
    SPLITTER_EXACT,
    SPLITTER_MOVES, /* beside its split, the least of the exact one, it has a plan with moves */
};

struct splitter {
    const char *name;
    const char *title;
    const char *source;
    enum splitter_kind kind;
    /* SPLIT, which holds nothing yet, receives a memory and an offset for each buffer; with its
     * cost.  False with REASON where it has none; then its cost is SPLIT_NEVER.  Heuristics ask no
     * bound.  A shipped planner's split may be wrong (split_verify).  */
    bool (*solve)(const struct split_problem *problem, const struct split_limits *limits,
                  struct split *split, struct split_result *result, struct error *reason);
};

/* In the order in which they are listed.  */
extern const struct splitter *const splitters[];
extern const size_t splitter_count;

/* All of them, and a checksum of what makes them, written by the build.  */
struct splitter_set {
    const struct splitter *const *splitter;
    const size_t *count;
};
struct splitter_set_entry {
    const struct splitter_set *set;
    const char *checksum;
};
extern const struct splitter_set_entry splitter_set_registry[];

/* NULL: there is none of that name.  */
const struct splitter *splitter_find(const char *name);
/* The same with a message then, MORE at its end.  */
const struct splitter *splitter_named(const char *name, const char *more, struct error *error);

/* "heuristic", "shipped", "exact" or "moves".  */
const char *splitter_kind_name(enum splitter_kind kind);

/* Runs SPLITTER and judges what it gives: RESULT has SPLIT_FEASIBLE, or what an exact one proved,
 * and a bound of 0 where nothing was proven; of one with moves, the bound of splits.  False with
 * REASON where there is no valid split. INVALID, not NULL, says whether there is one that the judge
 * refused.  */
bool splitter_run(const struct splitter *splitter, const struct split_problem *problem,
                  const struct split_limits *limits, struct split *split,
                  struct split_result *result, bool *invalid, struct error *reason);

/* The shipped ones, each in a file of its own.  */
extern const struct splitter splitter_tvm_size, splitter_tvm_size_upstream, splitter_tvm_conflicts,
    splitter_tvm_conflicts_upstream, splitter_tvm_hill_climb, splitter_executorch, splitter_vela;

#endif
