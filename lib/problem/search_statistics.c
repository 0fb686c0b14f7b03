/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "lib/problem/search_statistics.h"

#include <stddef.h>

const struct search_statistic_row search_statistic_table[STATISTICS] = {
    [STATISTIC_PLACEMENTS] = {"placements", "buffers",
                              "placed by searches by sections, and with evictions"},
    [STATISTIC_CONFLICTS] = {"conflicts", "states", "that these searches refuted"},
    [STATISTIC_RESTARTS] = {"restarts", "runs", "that began anew at the same capacity"},
    [STATISTIC_NOGOODS] = {"nogoods", "nogoods", "learned from conflicts"},
    [STATISTIC_NOGOOD_HITS] = {"nogood-hits", "states", "that a nogood learned before refuted"},
    [STATISTIC_MEMO_HITS] = {"memo-hits", "states", "found among those refuted before"},
    [STATISTIC_WINDOWS] = {"windows", "windows", "of time that were searched"},
    [STATISTIC_CAPACITIES] = {"capacities", "questions", "whether there is a packing within one"},
    [STATISTIC_DIVES] = {"dives", "dives", "searches and staged dives of the planner"},
    [STATISTIC_DIVE_PLACEMENTS] = {"dive-placements", "buffers", "placed by dives"},
    [STATISTIC_DIVE_FAILURES] = {"dive-failures", "states", "in which a dive was stuck"},
    [STATISTIC_PAIR_CHOICES] = {"pair-choices", "orders", "of pairs that were chosen"},
    [STATISTIC_PAIR_CONFLICTS] = {"pair-conflicts", "conflicts", "of orders of pairs"},
    [STATISTIC_PAIR_RESTARTS] = {"pair-restarts", "runs", "over orders that began anew"},
    [STATISTIC_PAIR_NOGOODS] = {"pair-nogoods", "nogoods", "learned from conflicts of orders"},
    [STATISTIC_MODEL_ROWS] = {"model-rows", "rows", "of the integer models"},
    [STATISTIC_MODEL_COLUMNS] = {"model-columns", "columns", "of the integer models"},
    [STATISTIC_TREE_NODES] = {"tree-nodes", "nodes", "of search trees"},
    [STATISTIC_DECODINGS] = {"decodings", "orders", "of all buffers that were placed"},
    [STATISTIC_BOXINGS] = {"boxings", "boxings", "of all buffers"},
    [STATISTIC_EVICTIONS] = {"evictions", "buffers", "taken out again to make room"},
};

void search_statistics_add(struct search_statistics *sum, enum search_statistic which,
                           int64_t amount)
{
    if (sum != NULL)
        sum->count[which] += amount;
}

void search_statistics_join(struct search_statistics *sum, const struct search_statistics *more)
{
    for (size_t s = 0; s < STATISTICS; s++)
        search_statistics_add(sum, (enum search_statistic)s, more->count[s]);
}
