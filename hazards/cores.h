/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cores, and the cheapest set that has a pair of each: the master of exact.h.  */
#ifndef ARENABENCH_HAZARDS_CORES_H
#define ARENABENCH_HAZARDS_CORES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hazards/part.h"

/* Pairs, by part.cost, of which LEAST or more pay.  */
struct core {
    size_t *pair, count;
    size_t least;
};

struct cores {
    const struct hazard_part *part;
    struct core *core;
    size_t count, room;
};

void cores_clear(struct cores *cores);

/* The pairs that HARD marks, which are copied: one of them pays.  */
void cores_add(struct cores *cores, const bool *hard);

/* The same of COUNT buffers of the part's, any two of which conflict or pay where they overlap, and
 * which are larger than the capacity in all.  Those without which as many pairs pay are left out.
 * How many pay is by Caro and Wei: where each buffer overlaps d of the others, some of the buffers
 * overlap none of these and have sum(size / (d + 1)) bytes or more, which has to fit.  MEMBER is
 * put into another order.  */
void cores_add_clique(struct cores *cores, size_t *member, size_t count);

/* A set of pairs that hits each core, in PAYS; BOUND: no such set is cheaper.  False: DEADLINE (by
 * timer_now) or GLPK ended it before there was one, and PAYS is as it was.  *BEST: it is the
 * cheapest.  */
bool cores_hit(const struct cores *cores, double deadline, bool *pays, int64_t *bound, bool *best);

#endif
