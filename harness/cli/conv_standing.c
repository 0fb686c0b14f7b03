/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/cli/conv_standing.h"

void conv_standings(const struct conv_contestant *contestant, const struct conv_result *result,
                    size_t count, int rounds, struct conv_standing *standing)
{
    size_t known = 0, first = count, meeting = 0;

    for (size_t i = 0; i < count; i++) {
        standing[i] = (struct conv_standing){.fastest = ""};
        if (result[i].round == NULL)
            continue;
        standing[i].known =
            statistics_median_interval(result[i].round, (size_t)rounds, &standing[i].interval);
        if (!standing[i].known || contestant[i].kernel->multiplies_less)
            continue;
        known++;
        if (first == count || result[i].time_s < result[first].time_s)
            first = i;
    }
    for (size_t i = 0; first < count && i < count; i++) {
        if (!standing[i].known)
            continue;
        if (contestant[i].kernel->multiplies_less) {
            standing[i].direct = result[first].time_s / result[i].time_s;
        } else if (known > 1 && standing[i].interval.low <= standing[first].interval.high) {
            standing[i].fastest = "tied";
            meeting++;
        }
    }
    if (meeting == 1)
        standing[first].fastest = "alone";
}

/* What holds on any machine comes before what may have happened on this one.  */
const char *conv_share_reason(const struct conv_kernel *kernel, const struct conv_result *result,
                              double share, double effective)
{
    if (share <= 1.0)
        return NULL;
    if (kernel->multiplies_less)
        return "it can use Winograd's algorithm, which multiplies less than the definition, and"
               " operations are counted by the definition";
    if (effective <= 1.0)
        return "operations on padding are counted, but were skipped (effective_share is without)";
    if (effective > 1.4)
        return "no clock rises so far: it may use wider vectors than this instruction set's";
    if (result->disturbed > 0)
        return "the peak's own measurement was disturbed: something else ran on this machine";
    return "the clock rose after the peak was measured";
}
