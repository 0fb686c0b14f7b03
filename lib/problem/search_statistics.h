/* SPDX-License-Identifier: Apache-2.0 */
/* What searches count: one table, which `list statistics` and `solve --statistics` show.
 *
 * A search counts in fields of its own and adds them up when it ends: sums over its parts,
 * its capacities and its threads.  0 is as good as not counted.  */
#ifndef ARENABENCH_LIB_PROBLEM_SEARCH_STATISTICS_H
#define ARENABENCH_LIB_PROBLEM_SEARCH_STATISTICS_H

#include <stdint.h>

enum search_statistic {
    /* by sections; minimalloc's search too, as far as it has these */
    STATISTIC_PLACEMENTS,
    STATISTIC_CONFLICTS,
    STATISTIC_RESTARTS,
    STATISTIC_NOGOODS,
    STATISTIC_NOGOOD_HITS,
    STATISTIC_MEMO_HITS,
    STATISTIC_WINDOWS,
    STATISTIC_CAPACITIES,
    /* the planner section-first */
    STATISTIC_DIVES,
    STATISTIC_DIVE_PLACEMENTS,
    STATISTIC_DIVE_FAILURES,
    /* over orders of pairs */
    STATISTIC_PAIR_CHOICES,
    STATISTIC_PAIR_CONFLICTS,
    STATISTIC_PAIR_RESTARTS,
    STATISTIC_PAIR_NOGOODS,
    /* integer models */
    STATISTIC_MODEL_ROWS,
    STATISTIC_MODEL_COLUMNS,
    STATISTIC_TREE_NODES,
    /* heuristics that go on */
    STATISTIC_DECODINGS,
    STATISTIC_BOXINGS,
    STATISTIC_EVICTIONS,
    STATISTICS /* how many there are */
};

struct search_statistic_row {
    const char *name, *unit, *title;
};
extern const struct search_statistic_row search_statistic_table[STATISTICS];

struct search_statistics {
    int64_t count[STATISTICS];
};

/* Adds AMOUNT to SUM; NULL: nobody asks.  */
void search_statistics_add(struct search_statistics *sum, enum search_statistic which,
                           int64_t amount);

/* Adds all of MORE to SUM, or to nothing if that is NULL.  */
void search_statistics_join(struct search_statistics *sum, const struct search_statistics *more);

#endif
