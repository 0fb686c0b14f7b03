/* The search over orders of pairs (planner/pairs/pairs_search.h) as a part of section-first, for
 * buffers of several pieces: where there is no slack it finds in a few conflicts what dives
 * do not.  It has the few rules that packings are found by (`light` of pairs_rules.h), and looks at
 * two capacities: the least one, for ever, and by a search of its own one below the best peak,
 * which is aimed lower after each packing and higher after each slice of work without one.  */
#ifndef ARENABENCH_PLANNER_DIVES_SHAPE_PAIRS_H
#define ARENABENCH_PLANNER_DIVES_SHAPE_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "planner/pairs/pairs_search.h"

struct instance;
struct search_statistics;
struct shape_sections;

struct shape_pairs {
    struct pairs_problem *problem; /* NULL: not begun */
    struct pairs_search least, below;
    int64_t gain, asked;  /* what is asked for below the best peak; -1: anew */
    int64_t nodes;        /* work so far, in placements */
    double work_a_node;   /* work of a propagation (pairs_rules.h) for a placement */
    const int64_t *start; /* of the last packing, in units */
};

/* What it takes to begin with SHAPES, in placements; INT64_MAX: there are too many pairs.  */
int64_t shape_pairs_cost(const struct shape_sections *shapes);

/* Makes the pairs of INSTANCE, whose SHAPES are, in UNITs.  GAIN is what is first asked for below
 * the best peak.  */
void shape_pairs_init(struct shape_pairs *pairs, const struct instance *instance, int64_t unit,
                      const struct shape_sections *shapes, int64_t gain);
void shape_pairs_clear(struct shape_pairs *pairs);

/* A slice of work of NODES placements, or until DEADLINE: at CAPACITY, unless that is refuted.
 * True: pairs->start is a packing.  */
bool shape_pairs_ask(struct shape_pairs *pairs, int64_t capacity, int64_t nodes, double deadline);

/* The same below UPPER, and above CAPACITY.  */
bool shape_pairs_ask_below(struct shape_pairs *pairs, int64_t capacity, int64_t upper,
                           int64_t nodes, double deadline);

/* Adds what was counted to SUM, or to nothing if that is NULL.  */
void shape_pairs_count(const struct shape_pairs *pairs, struct search_statistics *sum);

#endif
