/* SPDX-License-Identifier: Apache-2.0 */
/* Refuting a capacity by a time window: the problem clipped to a range of its
 * sections is a relaxation, so what can't be packed there can't be packed at all.
 *
 * Buffers that span a window are cut out of it and the capacity is lowered by their
 * sizes: nothing lies beside them, so the rest can be pushed together.  */
#ifndef ARENABENCH_PLANNER_SECTIONS_SECTION_WINDOWS_H
#define ARENABENCH_PLANNER_SECTIONS_SECTION_WINDOWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/problem/search_statistics.h"

struct section_options;
struct section_problem;

struct section_windows {
    const struct section_problem *problem;
    const struct section_options *options; /* of the searches */
    bool full_width;                       /* spanning buffers are cut out */
    size_t memo_bytes;                     /* of one window's search */
    uint32_t seed;
    int64_t nodes; /* placements so far */
    struct search_statistics statistics;

    /* Windows that begin at section s or before, and end before feasible[s], have a
     * packing within feasible_capacity.  */
    size_t *feasible;
    int64_t feasible_capacity;

    int64_t capacity; /* the one asked about last; -1: none */
    size_t from, width;
    int64_t each;         /* the limit of each window of this pass */
    int64_t nodes_before; /* placements before this pass */

    size_t last_from, last_to; /* the window that refuted last; equal: none */
    int64_t last_nodes;        /* what that took */
    bool retried;              /* at this capacity */
    size_t *map;               /* scratch */
};

/* OPTIONS have to stay.  */
void section_windows_init(struct section_windows *windows, const struct section_problem *problem,
                          const struct section_options *options, bool full_width, size_t memo_bytes,
                          uint32_t seed);
void section_windows_clear(struct section_windows *windows);

/* Whether a window refutes CAPACITY, after about NODES placements, at most MOST.  First
 * the window that refuted last is tried, then windows of 2 to 8 sections, then ever wider
 * ones by a quarter, at every quarter of their width; when all were tried, again with a
 * higher limit for each.  Another call with the same capacity goes on where this one
 * ended.  False too when timer_now() passes DEADLINE.  */
bool section_windows_refute(struct section_windows *windows, int64_t capacity, int64_t nodes,
                            int64_t most, double deadline);

#endif
