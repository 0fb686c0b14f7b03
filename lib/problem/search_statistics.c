/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "lib/problem/search_statistics.h"

#include <stddef.h>

#define TABLE_ROW(constant, name, unit, title) [STATISTIC_##constant] = {#name, unit, title},

const struct search_statistic_row search_statistic_table[STATISTICS] = {
    SEARCH_STATISTICS_OF_LIBRARY(TABLE_ROW) SEARCH_STATISTICS_OF_OTHERS(TABLE_ROW)};

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
