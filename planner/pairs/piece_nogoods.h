/* Nogoods of literals (piece_bounds.h): sets of which no packing within the capacity, or
 * within a smaller one, satisfies all.  Two literals that do not hold are watched; when one
 * comes to hold and no third one is open, the other is refuted.  */
#ifndef ARENABENCH_PLANNER_PAIRS_PIECE_NOGOODS_H
#define ARENABENCH_PLANNER_PAIRS_PIECE_NOGOODS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "planner/pairs/piece_bounds.h"

struct piece_nogood {
    size_t first, n; /* literal[first..first + n); the first two are watched */
    double activity; /* how often it was of use, lately */
};

struct piece_watch {
    size_t nogood;
    int64_t least;
};

struct piece_watches {
    struct piece_watch *watch;
    size_t n, capacity;
};

struct piece_nogoods {
    size_t bounds; /* how many there are */
    struct piece_literal *literal;
    size_t literals, literal_capacity;
    struct piece_nogood *nogood;
    size_t n, capacity;
    struct piece_watches *watches; /* by the bound of the literal */
    double increment;
};

void piece_nogoods_init(struct piece_nogoods *nogoods, size_t bounds);
void piece_nogoods_clear(struct piece_nogoods *nogoods);

/* Forgets all of them.  */
void piece_nogoods_reset(struct piece_nogoods *nogoods);

/* LITERALS, at least two, the first two to be watched; returns its number.  */
size_t piece_nogoods_add(struct piece_nogoods *nogoods, const struct piece_literals *literals);

/* Nogood K was of use.  */
void piece_nogoods_bump(struct piece_nogoods *nogoods, size_t k);

/* Forgets half of those that are of more than two literals, the least active ones first.  Only
 * while no rise has a nogood as its reason.  */
void piece_nogoods_reduce(struct piece_nogoods *nogoods);

/* What follows from rise R of BOUNDS.  False: a conflict.  */
bool piece_nogoods_follow(struct piece_nogoods *nogoods, struct piece_bounds *bounds, size_t r);

#endif
