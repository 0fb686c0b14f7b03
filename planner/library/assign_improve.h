/* SPDX-License-Identifier: Apache-2.0 */
/* Assignments that are found fast, and what makes them better.  */
#ifndef ARENABENCH_PLANNER_LIBRARY_ASSIGN_IMPROVE_H
#define ARENABENCH_PLANNER_LIBRARY_ASSIGN_IMPROVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct assign_plan;
struct assign_prices;
struct assign_search;
struct small_rng;

/* The order in which buffers look for room: those with one memory first, then by what they save in
 * their cheapest memory against their dearest, for each byte and section that they take, or with
 * PRICES (else NULL) for what they pay there.  With RNG (else NULL) each number is up to doubled.
 * Ties by index.  The caller frees it.  */
size_t *assign_order(const struct assign_search *search, const struct assign_prices *prices,
                     struct small_rng *rng);

/* Each buffer in turn goes to the cheapest memory where it can be placed beside those before it,
 * and where there is none, to where others can make room.  False when a buffer lies nowhere at the
 * end.  */
bool assign_in_order(struct assign_search *search, const size_t *order, struct assign_plan *plan);

/* Buffer B to memory M, and those in its way there that cost least elsewhere.  False when
 * that does not succeed; then PLAN is anything.  */
bool assign_move(struct assign_search *search, struct assign_plan *plan, size_t b, size_t m);

/* Moves that make BEST, which is whole, cheaper, until there is none or a limit.  TRIED is room. */
void assign_improve(struct assign_search *search, const size_t *order, struct assign_plan *best,
                    struct assign_plan *tried);

#endif
