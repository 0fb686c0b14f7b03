/* SPDX-License-Identifier: Apache-2.0 */
/* What follows from the bounds of pairs_bounds.h.  Every rule holds in all packings.
 *
 * With side 1 a section is looked at upside down, so each rule has its mirror image.  A
 * task starts at LO or above and ends at HI or below; a set of tasks of a section has a
 * least start, a latest end and a total height.
 *
 * Sum.  x_b >= x_a + d, d >= x_b - x_a, and d_ac >= d_ab + d_bc, where these decide on which
 *   side of a gap a difference lies.
 * Overload.  The tasks that start at FROM or above and end at TO or below are higher together
 *   than TO - FROM: a conflict.
 * Edge.  With task k, which starts at FROM or above, they would be: so k can't be below the
 *   topmost of them, and lies above all of them (edge finding).
 * Pile.  The tasks known to be below k that start at FROM or above need FROM plus their
 *   height: k starts there or above.
 * Not first.  If k were below all tasks of a set, they would end above TO, the latest of their
 *   ends: so k starts no earlier than the first of them ends.
 * Nogood.  All but one literal of a nogood hold: that one does not (pairs_nogoods.h).
 *
 * Sources: Carlier and Pinson 1989; Vilim 2004 (not first, edge finding, detectable precedences,
 * which here are sums, and what follows from precedences, here piles).  */
#ifndef ARENABENCH_PLANNER_DISJUNCTIVE_PAIRS_RULES_H
#define ARENABENCH_PLANNER_DISJUNCTIVE_PAIRS_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "planner/disjunctive/pairs_bounds.h"
#include "planner/disjunctive/pairs_nogoods.h"
#include "planner/disjunctive/pairs_overload.h"

/* A task of the section at hand, on the side at hand.  */
struct pairs_span {
    const struct pairs_task *task;
    int64_t lo, hi, height;
};

/* What has changed in a section.  */
enum pairs_dirt { PAIRS_CLEAN, PAIRS_ORDERS, PAIRS_STARTS };

struct pairs_rules {
    const struct pairs_problem *problem;
    struct pairs_bounds *bounds;
    struct pairs_nogoods *nogoods;
    bool edges, piles, not_first, triangles; /* which rules are used */
    bool aligned;                            /* some alignment counts */
    bool fresh;                              /* nothing has been looked at yet */
    size_t head;                             /* rises before this one have been followed */
    size_t *dirty;                           /* sections to look at */
    size_t dirties;
    enum pairs_dirt *dirt;
    size_t *raises; /* of each bound in one propagation */

    /* So often piles and what is not first raise a start in one propagation, and no more: they
     * may go on raising each other in steps that are small beside the sizes.  Answers are right
     * without them.  */
    uint32_t most_pushes, *pushes; /* of each start */

    struct pairs_span *span;
    size_t *by_lo, *by_hi;     /* which span is next by start, by end */
    struct pairs_span *rising; /* the spans by end */
    int64_t *tallest;          /* height of the tallest one behind rising[i] */

    /* Sums, nogoods and overload are all that is looked at: a propagation takes a tenth of the
     * time, which finds packings sooner and refutes less.  */
    bool light;
    struct pairs_overload overload; /* in use where LIGHT is or was */

    /* One propagation may take long.  WORK counts what is looked at: tasks of sections (where rules
     * compare each two, these) and neighbours of buffers; where it reaches WORK_END, or timer_now()
     * DEADLINE, a propagation is STOPPED.  */
    int64_t work, work_end, clock;
    double deadline;
    bool stopped;
};

void pairs_rules_init(struct pairs_rules *rules, struct pairs_bounds *bounds,
                      struct pairs_nogoods *nogoods);
void pairs_rules_clear(struct pairs_rules *rules);

/* Everything is to be looked at again: after pairs_bounds_reset.  */
void pairs_rules_reset(struct pairs_rules *rules);

/* No rules but sums, nogoods and overload from now on, or all of them again.  */
void pairs_rules_set_light(struct pairs_rules *rules, bool light);

/* Applies the rules to the fixpoint.  False: a conflict, noted in the bounds.  Where it is stopped
 * at a limit, true: nothing is wrong with what was found so far.  If no choice was made yet, the
 * next call goes on from there; else the last level has to be taken back.  */
bool pairs_rules_follow(struct pairs_rules *rules);

/* For it: the rules on the tasks of section S.  With STARTS, some start has changed, else only
 * orders.  */
bool pairs_rules_look_at(struct pairs_rules *rules, size_t s, bool starts);

/* The tasks of section S as spans; returns their number.  */
size_t pairs_rules_collect(const struct pairs_bounds *bounds, size_t s, unsigned side,
                           struct pairs_span *span);

/* The bound that says how far below task J task I is, in section S on SIDE, and what it
 * must be for I to lie below J altogether.  SIZE_MAX: they are of one buffer, and I is
 * below if LEAST <= 0.  I and J count from the section's first.  */
static inline size_t pairs_rules_order(const struct pairs_problem *problem, size_t s, unsigned side,
                                       size_t i, size_t j, int64_t *least)
{
    const struct pairs_task *task = problem->task + problem->start[s];
    size_t count = problem->start[s + 1] - problem->start[s];
    size_t from = problem->from[problem->square[s] + i * count + j];

    *least = pairs_task_hi(&task[i], side) - pairs_task_lo(&task[j], side);
    return from == SIZE_MAX ? SIZE_MAX : (2 * problem->n + from) ^ side;
}

#endif
