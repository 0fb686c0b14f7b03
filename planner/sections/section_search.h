/* SPDX-License-Identifier: Apache-2.0 */
/* Is there a packing within a capacity?  Depth-first search that chooses a section
 * first, then a member to be its lowest, which is placed or postponed.
 *
 * Among the sections with a member that can start below H, the least end of all
 * unplaced buffers, the one with the fewest members that can be its lowest,
 * divided by its weight, is taken, and there the member with the least start,
 * ties to the longest lifetime.  It is placed at its least start; if that is
 * refuted, it starts at the least end of its unplaced neighbours or later.
 *
 * Why that is complete: in the completion with the least sum of offsets, if the
 * chosen c starts at its least start, no unplaced neighbour lies below it, because
 * each ends at H or above.  Otherwise c rests on an unplaced neighbour, so it
 * starts at the least of their ends or later, which is above its least start.
 * Hatless: when no unplaced neighbour can start below the end of c, c can slide
 * down to its least start in any completion, so that failure refutes the node.
 *
 * After a number of failures by Luby's sequence the search begins anew and keeps its
 * weights.
 *
 * With learning, every conflict is traced back to a nogood (section_explain.h), which
 * is used in three ways.  If it does not need the buffer that was placed last, nor
 * what followed, it refutes the node above too, and so on: the search jumps back.  It
 * is the reason of the postponement otherwise.  And it goes to a database, which
 * refutes other states that contain it.  When the root is refuted, its nogood is a
 * set of buffers that can't be packed by themselves.
 *
 * The sections fall apart into parts where no unplaced buffer is in two neighbouring
 * ones; a part is finished before the next is begun, so that what is refuted in one
 * never costs a search of another: its nogood jumps back over that.  */
#ifndef ARENABENCH_PLANNER_SECTIONS_SECTION_SEARCH_H
#define ARENABENCH_PLANNER_SECTIONS_SECTION_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "planner/sections/section_choice.h"
#include "planner/sections/section_explain.h"
#include "planner/sections/section_nogoods.h"
#include "planner/sections/section_state.h"

struct search_statistics;

enum search_result {
    SEARCH_SOLVED,  /* state.start are the offsets */
    SEARCH_REFUTED, /* there is no packing within the capacity */
    SEARCH_STOPPED, /* a limit was reached: nothing is known */
};

/* What a search learns.  */
struct section_learning {
    struct section_explainer explainer;
    struct section_nogoods nogoods;
    struct section_nogood nogood; /* of the state that was refuted last; of the root in the end */
};

/* Which techniques are used; all can be left out alone.  */
struct section_options {
    bool not_first, subsets; /* section_rules.h */
    bool parts, restarts;
    bool learning;
    size_t nogoods; /* in the database */
};

struct section_search {
    struct section_state state;
    struct section_learning *learning; /* NULL: none */
    struct section_options options;
    struct search_node *node; /* the path from the root */
    size_t depth;             /* its length, where a run without restarts was stopped */
    int64_t stopped_at;       /* the capacity that it was stopped at; -1: it was not */
    bool broken_off;          /* stopped where it can't go on */
    int64_t nodes;            /* placements so far, of all runs */
    uint64_t restarts;        /* of all runs */
    struct {
        int64_t conflicts, restarts, nogoods, nogood_hits;
    } counted; /* of all runs, for statistics */
};

/* SEED perturbs the weights at the start by up to 1 %.  */
void section_search_init(struct section_search *search, const struct section_classes *problem,
                         const struct section_options *options, uint32_t seed);
void section_search_clear(struct section_search *search);

/* Adds what was counted in all runs to SUM, or to nothing if that is NULL.  */
void section_search_count(const struct section_search *search, struct search_statistics *sum);

/* Searches until it is decided, NODES placements were made, or timer_now() passes
 * DEADLINE.  Without restarts, a run that was stopped goes on where it was if the next
 * one has the same capacity.  */
enum search_result section_search_run(struct section_search *search, int64_t capacity,
                                      int64_t nodes, double deadline);

#endif
