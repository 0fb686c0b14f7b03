/* SPDX-License-Identifier: Apache-2.0 */
/* The best plan so far of a planner that makes one after the other: what is better is taken over
 * and told.  */
#ifndef ARENABENCH_PLANNER_DIVES_INCUMBENT_H
#define ARENABENCH_PLANNER_DIVES_INCUMBENT_H

#include <stdbool.h>
#include <stdint.h>

struct instance;
struct plan;
struct solver_env;

/* Sums of a few larger numbers have no room: nothing is searched then.  */
#define INCUMBENT_MOST_TOTAL (INT64_MAX / 16)

struct incumbent {
    const struct instance *instance;
    const struct solver_env *env; /* its incumbent() is told; limits are not looked at */
    struct plan *plan;            /* the best so far, if one is GIVEN */
    struct plan *trial;           /* what may be better: to be filled in before it is taken */
    bool given;
    int64_t unit; /* bytes */
    int64_t goal; /* bytes: a peak that is low enough */
    double deadline;
};

/* PLAN is the caller's, and holds one already if it is GIVEN; limits are UNIT, GOAL, DEADLINE.  */
struct incumbent incumbent_of(const struct instance *instance, const struct solver_env *env,
                              double deadline, bool given, struct plan *plan);
void incumbent_clear(struct incumbent *incumbent);

/* Takes over the trial if that is better.  */
void incumbent_take(struct incumbent *incumbent);

/* The same of a packing: START of all buffers, in units.  */
void incumbent_take_packing(struct incumbent *incumbent, const int64_t *start);

/* A greedy plan, which always comes, and the best of all for which there is time in that SHARE of
 * what is left.  */
void incumbent_take_greedy(struct incumbent *incumbent);
void incumbent_compare_greedy(struct incumbent *incumbent, double share);

/* Whether there is a plan, and one that is low enough.  */
bool incumbent_is_done(const struct incumbent *incumbent);

/* What the next packing has to be below, in units; there is a plan.  */
int64_t incumbent_upper(const struct incumbent *incumbent);

/* Whether numbers are too large for a search.  */
bool incumbent_is_huge(const struct instance *instance);

#endif
