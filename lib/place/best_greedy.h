/* SPDX-License-Identifier: Apache-2.0 */
/* Greedy plans: what every search begins with.  Each buffer is put down once, in an order by sizes
 * and lifetimes.  */
#ifndef ARENABENCH_LIB_PLACE_BEST_GREEDY_H
#define ARENABENCH_LIB_PLACE_BEST_GREEDY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/place/orders.h"

struct instance;
struct plan;
struct work_limit;

/* What a plan that has to be made may take before the clock is asked: no more than sorting does, or
 * little more.  */
struct work_limit greedy_limit(const struct instance *instance, double deadline);

/* Whether all sizes are equal, and the peak that greedy_first gives then (but for alignments) the
 * load.  */
bool greedy_is_equal(const struct instance *instance);

/* A plan in O(n log n), whatever DEADLINE (by timer_now; INFINITY: none) says: first-fit-by-size if
 * that takes as little, or is done until then; else rows of buffers that follow one another or, up
 * to some ten thousand buffers, a stack with the longest lives first, whichever is lower.  Where
 * all sizes are equal rows: of equal alignments, too, no plan has a lower peak.  */
void greedy_first(const struct instance *instance, double deadline, struct plan *plan);

/* Fills in PLAN with the best of greedy_first and of all others that there is time for until
 * DEADLINE, in a number of looks that suits the number of buffers: with some thousands all of them.
 * PART and PARTS are those of time_parts: each part takes the plan that suits it best.  Ends as
 * soon as the peak is the load.  */
void best_greedy(const struct instance *instance, const size_t *part, size_t parts, double deadline,
                 struct plan *plan);

/* The same of parts that it finds itself.  */
void best_greedy_of_all(const struct instance *instance, double deadline, struct plan *plan);

/* The same for a search, in that SHARE of the time that is left until DEADLINE; if that is short,
 * rows and stacks come before what takes longer.  False, without a plan, where none is left.  */
bool best_greedy_in_share(const struct instance *instance, double share, double deadline,
                          struct plan *plan);

/* These others one at a time: how many there are, and plan NUMBER, from 0, that of
 * first-fit-by-size.  False: LIMIT (NULL: none) was not enough, and what PLAN holds is none.  */
size_t greedy_plans(void);
bool greedy_plan(const struct instance *instance, size_t number, struct work_limit *limit,
                 struct plan *plan);

#endif
