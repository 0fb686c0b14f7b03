/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One pool of a problem, as searches see it: the pools have nothing to do with one another.  */
#ifndef ARENABENCH_HAZARDS_PART_H
#define ARENABENCH_HAZARDS_PART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hazards/problem.h"

/* Of an arc: the two may not overlap at all.  */
#define HAZARD_HARD INT64_MAX

/* From one node to another.  Only buffers that are together have heights other than their sizes:
 * what of a node conflicts with what of the other one.  */
struct hazard_arc {
    size_t other;
    int64_t own, its; /* bytes from either's offset */
    int64_t cost;     /* where they overlap; HAZARD_HARD */
    size_t pair;      /* in part.cost; SIZE_MAX where it is hard */
};

/* Buffers that are together, or one, or a range that nobody may use.  */
struct hazard_node {
    int64_t size, alignment;
    int64_t fixed;          /* offset; -1: none */
    int64_t begin;          /* when it first lives */
    size_t first_arc, arcs; /* in part.arc: with each node one hard one at most, before its costs */
};

struct hazard_part {
    /* The pool's buffers, then its reserved ranges, which are fixed and apart from all.  */
    struct instance *plain;
    size_t *buffer; /* which of the problem's buffers each of the first is */
    size_t own;     /* their number */
    size_t n_pairs;
    struct conflict_pair *pair; /* of PLAIN */
    size_t *cost_of_pair;       /* of one that is exclusive, in COST; SIZE_MAX: it costs nothing */
    size_t n_costs;
    struct reuse_cost *cost; /* of PLAIN: above 0, a < b, each two once, none that conflict */
    int64_t capacity;
    enum hazard_objective objective;

    size_t nodes;
    size_t *node_of; /* of a buffer of PLAIN; nodes by their first buffer */
    struct hazard_node *node;
    struct hazard_arc *arc;
};

/* The pairs, with those costs that HARD marks (NULL: none) as pairs that are apart: *COUNT of them,
 * which the caller frees.  */
struct conflict_pair *hazard_part_pairs(const struct hazard_part *part, const bool *hard,
                                        size_t *count);

/* Pool P of PROBLEM; false with a message where pairs contradict each other.  The caller clears
 * it.  */
bool hazard_part_init(struct hazard_part *part, const struct hazard_problem *problem, size_t p,
                      struct error *error);
void hazard_part_clear(struct hazard_part *part);

/* Whether the two of cost I share bytes, and so pay; OFFSET by nodes, both of which have one.  */
bool hazard_part_pays(const struct hazard_part *part, size_t i, const int64_t *offset);

/* The cost of a plan, OFFSET by nodes.  O(costs).  */
int64_t hazard_part_cost(const struct hazard_part *part, const int64_t *offset);

#endif
