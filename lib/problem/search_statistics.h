/* SPDX-License-Identifier: Apache-2.0 */
/* What searches count: one table, which `list statistics` and `solve --statistics` show.
 *
 * A search counts in fields of its own and adds them up when it ends: sums over its parts,
 * its capacities and its threads.  0 is as good as not counted.  */
#ifndef ARENABENCH_LIB_PROBLEM_SEARCH_STATISTICS_H
#define ARENABENCH_LIB_PROBLEM_SEARCH_STATISTICS_H

#include <stdint.h>

/* Rows: constant, name, unit, title.  Those of the library are members of struct
 * arenaplan_statistics (planner/arenaplan.h), too.  */
#define SEARCH_STATISTICS_OF_LIBRARY(ROW)                                                        \
    /* by sections; minimalloc's search too, as far as it has these */                           \
    ROW(PLACEMENTS, placements, "buffers", "placed by searches by sections, and with evictions") \
    ROW(CONFLICTS, conflicts, "states", "that these searches refuted")                           \
    ROW(RESTARTS, restarts, "runs", "that began anew at the same capacity")                      \
    ROW(NOGOODS, nogoods, "nogoods", "learned from conflicts")                                   \
    ROW(NOGOOD_HITS, nogood_hits, "states", "that a nogood learned before refuted")              \
    ROW(CAPACITIES, capacities, "questions", "whether there is a packing within one")            \
    /* the planner section-first */                                                              \
    ROW(DIVES, dives, "dives", "searches and staged dives of the planner")                       \
    ROW(DIVE_PLACEMENTS, dive_placements, "buffers", "placed by dives")                          \
    ROW(DIVE_FAILURES, dive_failures, "states", "in which a dive was stuck")                     \
    /* the disjunctive search */                                                                 \
    ROW(PAIR_CHOICES, pair_choices, "orders", "of pairs that were chosen")                       \
    ROW(PAIR_CONFLICTS, pair_conflicts, "conflicts", "of the disjunctive search")                \
    ROW(PAIR_RESTARTS, pair_restarts, "runs", "over orders that began anew")                     \
    ROW(PAIR_NOGOODS, pair_nogoods, "nogoods", "learned from conflicts of orders")
#define SEARCH_STATISTICS_OF_OTHERS(ROW)                                   \
    /* integer models */                                                   \
    ROW(MODEL_ROWS, model_rows, "rows", "of the integer models")           \
    ROW(MODEL_COLUMNS, model_columns, "columns", "of the integer models")  \
    ROW(TREE_NODES, tree_nodes, "nodes", "of search trees")                \
    /* heuristics that go on */                                            \
    ROW(DECODINGS, decodings, "orders", "of all buffers that were placed") \
    ROW(BOXINGS, boxings, "boxings", "of all buffers")                     \
    ROW(EVICTIONS, evictions, "buffers", "taken out again to make room")

enum search_statistic {
#define SEARCH_STATISTIC(constant, ...) STATISTIC_##constant,
    SEARCH_STATISTICS_OF_LIBRARY(SEARCH_STATISTIC) SEARCH_STATISTICS_OF_OTHERS(SEARCH_STATISTIC)
#undef SEARCH_STATISTIC
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
