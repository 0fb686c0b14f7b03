/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MiniMalloc's search: is there a packing within a capacity?
 *
 * Depth first, from the bottom up.  A node has the buffers of one partition, a stretch
 * of the time axis, that are not placed yet, and for each the least offset that those
 * placed below it leave.  A child places one of them there.  The rules, each of
 * which can be switched off:
 *
 * - canonical_only: offsets do not fall along a branch, ties go up in the static
 *   order, so that each packing is met once.
 * - dynamic_ordering: children by least offset, not by the static order.
 * - check_dominance: no child at H or above, the least end of a buffer that is left:
 *   that one would fit below it and can go first.
 * - section_inference: a section whose floor (the top of what is placed in it) and
 *   whose buffers left over do not fit under the capacity ends a branch.
 * - unallocated_floor: the floor is at least the least offset of those left over.
 * - monotonic_floor: and at least the offset just given, as no later one is lower.
 * - hatless_pruning: a child that no buffer left over overlaps can't be what makes its
 *   branch fail, so its siblings fail too.
 * - dynamic_decomposition: where no buffer left over crosses from one section to
 *   the next, a partition falls into two, each solved afresh, with a static order
 *   by the totals that its sections have then.
 * - static_preordering: a static order by keys, not by index.
 *
 * And one that is not MiniMalloc's:
 *
 * - interchangeable: of interchangeable buffers (minimalloc_twins) the earlier one is placed
 *   first.  They have equal keys, so that is the static order too.
 *
 * Source: Moffitt, "MiniMalloc: A Lightweight Memory Allocator for
 * Hardware-Accelerated Machine Learning" (ASPLOS 2023).  */
#ifndef ARENABENCH_SOLVERS_MINIMALLOC_MINIMALLOC_SEARCH_H
#define ARENABENCH_SOLVERS_MINIMALLOC_MINIMALLOC_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct minimalloc_problem;
struct search_statistics;

struct minimalloc_switches {
    bool canonical_only, section_inference, dynamic_ordering, check_dominance, unallocated_floor,
        static_preordering, dynamic_decomposition, monotonic_floor, hatless_pruning,
        interchangeable;
};

enum minimalloc_result {
    MINIMALLOC_FOUND,      /* within the capacity */
    MINIMALLOC_INFEASIBLE, /* nothing is left to try */
    MINIMALLOC_STOPPED,    /* a limit was reached: nothing is known */
};

struct minimalloc_trail; /* an old value */
struct minimalloc_frame; /* a node, or the parts that one has fallen into */

struct minimalloc_search {
    const struct minimalloc_problem *problem;
    struct minimalloc_switches switches;
    int64_t *offset; /* of each buffer: where it is, or the least that is left for it */
    int64_t nodes, placements, failures; /* of all calls */

    bool hatless;   /* siblings of hatless buffers are left out */
    uint32_t *twin; /* minimalloc_twins; NULL: not looked at */

    int64_t capacity; /* what follows belongs to a call */
    const char *order;
    bool *placed;
    uint32_t *stack; /* those placed, the last one on top */
    size_t n_stack;
    int64_t *floor, *total; /* of each section: see above; bytes of those left over */
    int64_t *cut;           /* cut[s]: how many left over cross from section s to s + 1 */
    uint32_t *raised;       /* sections to look at, and whether they are listed: */
    bool *listed;
    size_t n_raised;
    struct minimalloc_trail *trail;
    size_t n_trail, trail_capacity;
    struct minimalloc_frame *frame;
    size_t frames, frame_capacity;
    uint32_t *pool; /* lists of the frames, the last one's on top */
    size_t in_pool, pool_capacity;
};

/* PROBLEM has to outlive SEARCH.  */
void minimalloc_search_init(struct minimalloc_search *search,
                            const struct minimalloc_problem *problem,
                            struct minimalloc_switches switches);

/* Adds what SEARCH has counted to SUM (NULL: nobody asks).  */
void minimalloc_search_clear(struct minimalloc_search *search, struct search_statistics *sum);

/* Looks for a packing within CAPACITY with the static order ORDER, letters of
 * MINIMALLOC_ORDER_LETTERS, until NODES nodes more are counted or the clock shows
 * DEADLINE.  Depth costs memory, not stack.  */
enum minimalloc_result minimalloc_search_run(struct minimalloc_search *search, int64_t capacity,
                                             const char *order, int64_t nodes, double deadline);

#endif
