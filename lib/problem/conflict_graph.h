/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who conflicts with whom, as a matrix of bits, and cliques in it.  Nodes are numbered by
 * descending size, so the lowest bit of a set is its largest node.  */
#ifndef ARENABENCH_LIB_PROBLEM_CONFLICT_GRAPH_H
#define ARENABENCH_LIB_PROBLEM_CONFLICT_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/problem/conflicts.h"

struct conflict_graph {
    const struct instance *instance;
    size_t n, words;             /* 64 nodes a word */
    size_t *node_of, *buffer_of; /* buffer -> node and back */
    size_t *group;               /* of a node: the first buffer that it is together with */
    uint64_t *row;               /* of a node: those that it conflicts with */
    uint64_t *open;              /* of a node: those of them that it meets at no step yet */
    bool exclusive;              /* some pair takes a conflict away */

    /* The axis of the instance: its distinct begins, ascending, and one behind them.  */
    size_t steps;
    int64_t *step;
};

/* Of PLAIN and the pairs, which are checked: false with a message as conflicts_apply says, and then
 * there is nothing to clear.  All conflicts are open that no step of a clock that stays whole
 * holds.  */
bool conflict_graph_init(struct conflict_graph *graph, const struct instance *plain,
                         const struct conflict_pair *pair, size_t count, struct error *error);
void conflict_graph_clear(struct conflict_graph *graph);

static inline uint64_t *conflict_row(const struct conflict_graph *graph, const uint64_t *matrix,
                                     size_t node)
{
    return (uint64_t *)matrix + node * graph->words;
}

static inline bool conflict_bit(const uint64_t *set, size_t node)
{
    return (set[node / 64] >> node % 64 & 1) != 0;
}

/* The lowest node of SET from FROM on; SIZE_MAX: none.  */
size_t conflict_next(const struct conflict_graph *graph, const uint64_t *set, size_t from);

/* Fills in ALIVE, as many words as a row, with the nodes that live at STEP of the axis.  */
void conflict_alive(const struct conflict_graph *graph, size_t step, uint64_t *alive);

/* Leaves in ALIVE a clique of it, the largest nodes first, whose conflicts are open no more.
 * Nodes that are together count as if they conflicted.  */
void conflict_keep(struct conflict_graph *graph, uint64_t *alive);

/* A clique with an open conflict, in MEMBER, which has room for all nodes: no conflict of it is
 * open then.  It takes in larger nodes without open conflicts only where its bytes exceed MOST,
 * which grows to that.  Returns its size; 0: nothing is open.  */
size_t conflict_clique(struct conflict_graph *graph, size_t *member, int64_t *most);

#endif
