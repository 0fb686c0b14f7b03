/* Is there a packing of buffers of several pieces within a capacity?  Depth-first
 * search over the orders of pairs.  Rectangles are pieces, too: on them it refutes
 * capacities that the search by sections does not (branch-and-bound runs both).
 *
 * The vector of least starts (piece_state.h) respects every order that was decided.  If
 * no two buffers overlap there, it is a packing.  Otherwise a pair lies in one of its
 * gaps, and every packing has it on one side or the other: two branches, each of which
 * raises a least start.  Placing or postponing one buffer at a time, as for rectangles
 * (section_search.h), is no choice here: what lies lowest in one section may
 * be above in another.
 *
 * The pair: of the overlapping ones the one with the least room on its better
 * side, divided by how often it and its buffers have failed.  After a growing number of
 * failures the search begins anew and keeps these weights.
 *
 * Source: this project; deciding orders by their room is the heuristic of precedence
 * constraint posting (Smith and Cheng 1993).  */
#ifndef ARENABENCH_SOLVERS_COMMON_PIECE_SEARCH_H
#define ARENABENCH_SOLVERS_COMMON_PIECE_SEARCH_H

#include <stdint.h>

#include "solvers/common/piece_state.h"

enum piece_result {
    PIECES_PACKED,  /* state.least are the offsets, in units */
    PIECES_REFUTED, /* there is no packing within the capacity */
    PIECES_STOPPED, /* a limit was reached: nothing is known */
};

struct piece_node {
    size_t mark; /* before the choice */
    size_t pair, gap;
    bool above;  /* the side it is on */
    bool second; /* the other side is refuted */
};

struct piece_search {
    struct piece_state state;
    struct piece_node *node; /* the path from the root; no deeper than there are gaps */
    size_t depth;
    int64_t failures; /* allowed before the next restart at this capacity */
    int64_t nodes;    /* choices so far, of all runs */
};

/* PLAIN as in piece_state.h.  */
void piece_search_init(struct piece_search *search, const struct piece_problem *problem,
                       bool plain);
void piece_search_clear(struct piece_search *search);

/* Searches until it is decided, NODES choices were made, or timer_now() passes DEADLINE.
 * Begins anew each time, with the weights of the runs before and, at the same
 * capacity, as rare restarts as the last.  */
enum piece_result piece_search_run(struct piece_search *search, int64_t capacity, int64_t nodes,
                                   double deadline);

/* For searches with a plan of their own.  The gap to decide next: false when the least
 * starts are a packing.  */
bool piece_search_choose(const struct piece_state *state, struct piece_node *choice);

#endif
