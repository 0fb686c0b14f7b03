/* SPDX-License-Identifier: Apache-2.0 */
/* Is there a packing of buffers within a capacity?  A disjunctive search: over the orders of pairs
 * that learns.  Buffers may consist of several pieces (pairs_problem.h); on rectangles it refutes
 * capacities that the search by sections leaves open (branch-and-bound runs both).
 *
 * The vector of least starts (pairs_bounds.h) respects every order that was decided.  If
 * no two buffers overlap there, it is a packing.  Otherwise a pair lies in one of its gaps,
 * and every packing has it on one side or the other: one is chosen, and the rules say what
 * follows (pairs_rules.h).
 *
 * A conflict is a set of literals that hold and can't hold together.  The one that was made
 * true last is replaced by its reason (pairs_reasons.h) until a single one is of the last
 * level: what is left is a nogood.  The search goes back to where all its other literals hold,
 * and that one is refuted there, for ever.  Pairs that take part in conflicts gain
 * weight.  After a number of conflicts by Luby's sequence it begins anew, with weights
 * and nogoods as they are, and with each pair on the side where it was last.
 *
 * Sources: clause learning (Marques-Silva and Sakallah 1999; Moskewicz et al. 2001) with
 * lazily explained bounds (Ohrimenko, Stuckey and Codish 2009); this project for the rest.  */
#ifndef ARENABENCH_PLANNER_DISJUNCTIVE_PAIRS_SEARCH_H
#define ARENABENCH_PLANNER_DISJUNCTIVE_PAIRS_SEARCH_H

#include <stdint.h>

#include "planner/disjunctive/pairs_bounds.h"
#include "planner/disjunctive/pairs_nogoods.h"
#include "planner/disjunctive/pairs_rules.h"
#include "planner/disjunctive/pairs_trace.h"

struct pairs_log;
struct search_statistics;

enum pairs_result {
    PAIRS_PACKED,  /* search.start are the offsets, in units */
    PAIRS_REFUTED, /* there is no packing within the capacity */
    PAIRS_STOPPED, /* a limit was reached: nothing is known */
};

struct pairs_search {
    const struct pairs_problem *problem;
    struct pairs_bounds bounds;
    struct pairs_nogoods nogoods;
    struct pairs_rules rules;
    struct pairs_trace trace;
    struct pairs_literals learned;
    int64_t capacity; /* of the nogoods; -1: none */
    int64_t refuted;  /* this capacity is, and all below */

    /* What is assumed of a packing, as it could be arranged so: of equal buffers the earlier
     * one is lower, and one of two is below the other, or else the packing is turned upside
     * down (MIRROR).  */
    bool mirror;

    /* Nogoods are of differences alone, each of which decides on a gap: there are only so many,
     * however large the sizes, where a start could be excluded value by value.  */
    bool orders_only;
    struct pairs_literals assumed;
    signed char *side; /* of each gap on which it was last: 1 above, -1 below */
    uint64_t restarts;
    size_t most_nogoods;
    int64_t *start; /* of the last packing */
    int64_t nodes;  /* choices so far, of all runs */
    int64_t conflicts;
    struct {
        int64_t restarts, nogoods;
    } counted;             /* of all runs, for statistics */
    struct pairs_log *log; /* NULL: nobody asks */
};

void pairs_search_init(struct pairs_search *search, const struct pairs_problem *problem);
void pairs_search_clear(struct pairs_search *search);

/* Before the first run: what is learned goes to LOG, so that nogoods of one capacity are not
 * used at another.  */
void pairs_search_log(struct pairs_search *search, struct pairs_log *log);

/* Adds what was counted in all runs to SUM, or to nothing if that is NULL.  */
void pairs_search_count(const struct pairs_search *search, struct search_statistics *sum);

/* Searches until it is decided, NODES choices were made, or timer_now() passes DEADLINE.
 * Goes on with the nogoods of the run before, if the capacity is not larger, and where that stopped
 * within a propagation (rules.work_end), if it is the same.  */
enum pairs_result pairs_search_run(struct pairs_search *search, int64_t capacity, int64_t nodes,
                                   double deadline);

#endif
