/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers that lie in memories, and others that come and go.  In memories without a limit they have
 * no offsets until all is decided.  */
#ifndef ARENABENCH_PLANNER_LIBRARY_ASSIGN_PLACE_H
#define ARENABENCH_PLANNER_LIBRARY_ASSIGN_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct assign_model;
struct call;

/* What is looked for, and what that may still take.  */
struct assign_search {
    const struct assign_model *model;
    struct call *call;
    int64_t work;    /* placements and choices that are left; less than 1: none */
    double deadline; /* by timer_now */

    /* Until work or time are that far, memories may be placed anew for one more buffer.  */
    int64_t anew_work;
    double anew_until;
};

struct assign_plan {
    size_t *memory; /* SIZE_MAX: in none yet */
    int64_t *offset;
    int64_t *used; /* bytes in use of memory m in section s: used[m * sections + s] */
    int64_t cost;  /* of those that lie somewhere */
    size_t placed;
};

/* With nothing in any memory.  */
void assign_plan_init(struct assign_plan *plan, const struct assign_model *model);
void assign_plan_clear(struct assign_plan *plan);
void assign_plan_copy(struct assign_plan *to, const struct assign_plan *from,
                      const struct assign_model *model);
void assign_plan_empty(struct assign_plan *plan, const struct assign_model *model);

/* Whether work and time are over.  */
bool assign_is_over(const struct assign_search *search);

/* Puts buffer B, which lies nowhere, into memory M: at the lowest gap, or, where ANEW says so and
 * the sums leave room, with all that is in M placed anew.  False when that does not succeed; then
 * nothing has changed.  */
bool assign_put(struct assign_search *search, struct assign_plan *plan, size_t b, size_t m,
                bool anew);
void assign_take(const struct assign_model *model, struct assign_plan *plan, size_t b);

/* Into the cheapest memory that has room and costs less than DEAREST.  */
bool assign_put_cheapest(struct assign_search *search, struct assign_plan *plan, size_t b,
                         int64_t dearest, bool anew);

/* Asks the planner for offsets of all buffers of PLAN in memory M, buffer B (SIZE_MAX: none) with
 * them, by no more than NODES placements and until the call's limit.  False where it finds none
 * within the capacity; then nothing has changed.  */
bool assign_place_anew(struct assign_search *search, struct assign_plan *plan, size_t b, size_t m,
                       int64_t nodes);

#endif
