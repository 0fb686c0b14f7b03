/* SPDX-License-Identifier: Apache-2.0 */
/* Nogoods of literals (pairs_bounds.h): sets of which no packing within the capacity, or
 * within a smaller one, satisfies all.  Two literals that do not hold are watched; when one
 * comes to hold and no third one is open, the other is refuted.  */
#ifndef ARENABENCH_PLANNER_DISJUNCTIVE_PAIRS_NOGOODS_H
#define ARENABENCH_PLANNER_DISJUNCTIVE_PAIRS_NOGOODS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "planner/disjunctive/pairs_bounds.h"

struct pairs_log;

struct pairs_nogood {
    size_t first, n; /* literal[first..first + n); the first two are watched */
    double activity; /* how often it was of use, lately */
    size_t name;     /* in a log (pairs_log.h) */
};

struct pairs_watch {
    size_t nogood;
    int64_t least;
};

struct pairs_watches {
    struct pairs_watch *watch;
    size_t n, capacity;
};

struct pairs_nogoods {
    size_t bounds; /* how many there are */
    struct pairs_literal *literal;
    size_t literals, literal_capacity;
    struct pairs_nogood *nogood;
    size_t n, capacity;
    struct pairs_watches *watches; /* by the bound of the literal */
    double increment;
};

void pairs_nogoods_init(struct pairs_nogoods *nogoods, size_t bounds);
void pairs_nogoods_clear(struct pairs_nogoods *nogoods);

/* Forgets all of them.  */
void pairs_nogoods_reset(struct pairs_nogoods *nogoods);

/* LITERALS, at least two, the first two to be watched; returns its number.  */
size_t pairs_nogoods_add(struct pairs_nogoods *nogoods, const struct pairs_literals *literals);

/* Nogood K was of use.  */
void pairs_nogoods_bump(struct pairs_nogoods *nogoods, size_t k);

/* Forgets half of those that are of more than two literals, the least active ones first, and
 * says so to LOG, if it is not NULL.  Only while no rise has a nogood as its reason.  */
void pairs_nogoods_reduce(struct pairs_nogoods *nogoods, struct pairs_log *log);

/* What follows from rise R of BOUNDS.  False: a conflict.  */
bool pairs_nogoods_follow(struct pairs_nogoods *nogoods, struct pairs_bounds *bounds, size_t r);

#endif
