/* SPDX-License-Identifier: Apache-2.0 */
/* A lower bound on what an assignment costs: by Lagrangian relaxation of the capacities.
 *
 * Each memory has a price of a byte in each section.  A buffer that pays what it costs and the
 * prices of its bytes goes to the memory where that is least; what all pay so, less the prices of
 * the rooms there are (assign_room.h), is no more than the cost of any assignment whose sums of
 * bytes fit (Fisher, The Lagrangian relaxation method for solving integer programming problems,
 * Management Science 27, 1981).  Prices are moved along the subgradient, the bytes that are too
 * much.  No linear program is needed, and at best the bound is that of the one over the sums of
 * bytes, or as the rooms are less than the capacities, a better one.  */
#ifndef ARENABENCH_PLANNER_LIBRARY_ASSIGN_BOUND_H
#define ARENABENCH_PLANNER_LIBRARY_ASSIGN_BOUND_H

#include <stddef.h>
#include <stdint.h>

struct assign_model;
struct assign_search;

struct assign_prices {
    const struct assign_model *model;
    int64_t bound;      /* of the cost; proven */
    double best;        /* the same before it was rounded; prices are those of it */
    int64_t *room;      /* of each section (assign_room.h), once it is needed */
    int64_t *price;     /* of a byte of memory m in section s: price[m * sections + s] */
    double unit;        /* of prices */
    int64_t most_price; /* so that sums of prices are exact as doubles */
};

/* Allocates, in the scope of the call (lib/base/memory_scope.h), which frees it.  The bound is the
 * sum of the cheapest.  */
void assign_prices_init(struct assign_prices *prices, const struct assign_model *model);

/* Moves prices until the bound is COST, that of an assignment or what none exceeds, or no longer
 * rises, or a limit.  */
void assign_prices_raise(struct assign_prices *prices, struct assign_search *search, int64_t cost);

/* What buffer B pays for its bytes in memory M.  */
double assign_prices_of(const struct assign_prices *prices, size_t b, size_t m);

#endif
