/* SPDX-License-Identifier: Apache-2.0 */
/* The disjunctive search (planner/disjunctive/pairs_search.h) as a part of section-first, in
 * turn with dives: for buffers of several pieces and for alignments, where it finds what dives do
 * not. It has the few rules that packings are found by (`light` of pairs_rules.h), and looks at two
 * capacities: the least one, for ever, and by a search of its own one below the best peak, which
 * is aimed lower after each packing and higher after some conflicts without one.  */
#ifndef ARENABENCH_PLANNER_DIVES_PAIR_TURNS_H
#define ARENABENCH_PLANNER_DIVES_PAIR_TURNS_H

#include <stdbool.h>
#include <stdint.h>

#include "planner/disjunctive/pairs_search.h"

struct instance;
struct search_statistics;

struct pair_turns {
    const struct instance *instance;
    int64_t unit;
    int64_t overlaps;              /* pairs of buffers that are alive together */
    struct pairs_problem *problem; /* NULL: not begun */
    struct pairs_search least, below;
    int64_t gain, asked;  /* what is asked for below the best peak; -1: anew */
    int64_t conflicts;    /* before it was */
    int64_t cost;         /* to begin with, in placements; INT64_MAX: it never is */
    int64_t nodes;        /* work so far, in placements */
    double work_a_node;   /* work of a propagation (pairs_rules.h) for a placement */
    const int64_t *start; /* of the last packing, in units */
    double begun;         /* when the dives have, by timer_now */
};

/* For INSTANCE in UNITs, beside dives of which a placement takes as long as WORK_A_NEIGHBOUR of
 * work for each neighbour.  Only measures: O(n log n).  */
void pair_turns_init(struct pair_turns *turns, const struct instance *instance, int64_t unit,
                     double work_a_neighbour);
void pair_turns_clear(struct pair_turns *turns);

/* The same for others that count their work so: the search is never begun.  */
void pair_turns_measure(struct pair_turns *turns, const struct instance *instance, int64_t unit,
                        double work_a_neighbour);

/* Whether there are turns: begins with them once the dives have had so many times the placements,
 * SPENT, and if as many are LEFT and as much time until DEADLINE as has passed.  GAIN is what is
 * asked for first below the best peak.  */
bool pair_turns_begin(struct pair_turns *turns, int64_t spent, int64_t left, double deadline,
                      int64_t gain);

/* A turn of NODES placements, or until DEADLINE: at CAPACITY, unless that is refuted.  True:
 * turns->start is a packing.  */
bool pair_turns_ask(struct pair_turns *turns, int64_t capacity, int64_t nodes, double deadline);

/* The same below UPPER, and above CAPACITY.  */
bool pair_turns_ask_below(struct pair_turns *turns, int64_t capacity, int64_t upper, int64_t nodes,
                          double deadline);

/* Adds what was counted to SUM, or to nothing if that is NULL.  */
void pair_turns_count(const struct pair_turns *turns, struct search_statistics *sum);

#endif
