/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether a pool's buffers fit while some of the pairs that cost something may not overlap, and, if
 * not, which few of these pairs are to blame.  The exact planner answers.  */
#ifndef ARENABENCH_HAZARDS_ORACLE_H
#define ARENABENCH_HAZARDS_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hazards/part.h"

struct cores;

enum oracle_answer { ORACLE_FITS, ORACLE_NEVER, ORACLE_UNKNOWN };

struct oracle {
    const struct hazard_part *part;
    double deadline; /* by timer_now */
    int64_t work;    /* placements and choices for a question; 0: no limit */
    size_t asked;
};

/* Whether all fits with the pairs HARD[i] (by part.cost) as if they were apart; OFFSET, by nodes,
 * receives a plan that does.  NEVER is proven.  */
enum oracle_answer oracle_ask(struct oracle *oracle, const bool *hard, int64_t *offset);

/* The least peak with no pair hard: a plan of the least that was found, and what none is below.
 * False: not even a plan was found.  */
bool oracle_peak(struct oracle *oracle, int64_t *offset, int64_t *peak, int64_t *bound);

/* The same question as oracle_ask; where the answer is NEVER, HARD keeps only pairs that don't fit
 * together either: a core, of which none could be left out within the limits.  */
enum oracle_answer oracle_core(struct oracle *oracle, bool *hard, int64_t *offset);

/* Adds a core for each clique that it finds of buffers that conflict or are hard and that is larger
 * than the capacity, and returns how many.  Asks nobody.  */
size_t oracle_cliques(const struct oracle *oracle, const bool *hard, struct cores *cores);

#endif
