/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several memories between which buffers move: what a compiler does that fetches a value before it
 * is used and evicts it after.
 *
 * A buffer's life is a chain of accesses.  Each is made in one memory, and after it, until the
 * next, copies of the buffer are held in one memory or several: a *choice* says which.  The rest
 * follows from it.  All copies are made in the step of an access, before it or after it, and cost
 * the bytes that they read and write; where a copy comes from and where it goes to are both in use
 * during that step.  After an access that writes, only the copy that it wrote is worth anything;
 * until then a copy that was made once is not made again.  A *stay* is a time without a break in
 * one memory: it has one offset.
 *
 * In one step copies come from where the buffer was held before it, or from where the access was
 * made.  */
#ifndef ARENABENCH_MEMORIES_MOVES_H
#define ARENABENCH_MEMORIES_MOVES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"
#include "memories/accesses.h"

struct split;
struct split_problem;

struct moves_problem {
    const struct split_problem *split; /* somebody else's: instance, memories, who may lie where */
    struct accesses accesses;
};

/* One an access: the memory in which it is made, and those (bits) in which the buffer is held
 * afterwards.  None is needed where the buffer's life ends with the step.  */
struct move_choice {
    size_t *used;
    uint32_t *held;
};

/* Bytes of BUFFER in MEMORY during [begin, end).  */
struct move_stay {
    size_t buffer, memory;
    int64_t begin, end, offset;
};

/* A copy of the buffer of ACCESS that is made at its step.  */
struct move_copy {
    size_t buffer, access;
    bool after; /* the access */
    size_t from, to;
};

struct move_plan {
    size_t *used; /* the memory of each access */
    size_t stays, stay_room;
    struct move_stay *stay; /* by buffer, memory, begin */
    size_t copies, copy_room;
    struct move_copy *copy; /* by access, those before it first */
    int64_t copied;         /* bytes */
    int64_t cost;           /* SPLIT_NEVER: there is no plan */
};

/* SPLIT stays the caller's, and has to outlive it.  False where accesses have no steps, or sums of
 * costs do not fit.  */
bool moves_problem_init(struct moves_problem *problem, const struct split_problem *split,
                        struct error *error);
void moves_problem_clear(struct moves_problem *problem);

size_t moves_accesses(const struct moves_problem *problem);

/* What access A of a buffer costs in memory M, and copying buffer B.  */
int64_t moves_access_cost(const struct moves_problem *problem, size_t a, size_t m);
int64_t moves_copy_cost(const struct moves_problem *problem, size_t b, size_t from, size_t to);

/* Whether buffer B may lie in memory M.  */
bool moves_allowed(const struct moves_problem *problem, size_t b, size_t m);

void move_choice_init(struct move_choice *choice, const struct moves_problem *problem);
void move_choice_clear(struct move_choice *choice);

/* Each buffer is where SPLIT, a whole one, has it.  */
void move_choice_stay(struct move_choice *choice, const struct moves_problem *problem,
                      const struct split *split);

void move_plan_init(struct move_plan *plan, const struct moves_problem *problem);
void move_plan_clear(struct move_plan *plan);

/* What follows from CHOICE: all but offsets.  */
void move_plan_derive(struct move_plan *plan, const struct moves_problem *problem,
                      const struct move_choice *choice);

/* The judge, which goes through each buffer's life with the plan's stays and copies, and knows no
 * choice: what is read is there and is not stale, copies come from where they may, stays of one
 * memory are apart, inside and aligned, and the cost is right.  */
bool moves_verify(const struct moves_problem *problem, const struct move_plan *plan,
                  struct error *error);

/* The stays as buffers of an instance, in their order; the caller frees it.  */
struct instance *moves_instance(const struct moves_problem *problem, const struct move_stay *stay,
                                size_t count);

#endif
