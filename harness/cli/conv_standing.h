/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the rounds of a layer's kernels say of each other, and of the peak.  */
#ifndef ARENABENCH_HARNESS_CLI_CONV_STANDING_H
#define ARENABENCH_HARNESS_CLI_CONV_STANDING_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/timing/conv_bench.h"
#include "lib/base/statistics.h"

struct conv_standing {
    bool known;               /* there are rounds enough for an interval */
    struct interval interval; /* 95 % of the median time, seconds */
    /* Among kernels that multiply as the definition does: alone: its interval is below all others;
     * tied: it meets that of the fastest, so which of them is faster these rounds don't say; "":
     * slower, or not known.  */
    const char *fastest;
    double direct; /* of one that multiplies less: times as fast as the fastest of those; 0: there
                    * is none */
};

/* STANDING[i] is that of CONTESTANT[i] with RESULT[i], of ROUNDS rounds each.  */
void conv_standings(const struct conv_contestant *contestant, const struct conv_result *result,
                    size_t count, int rounds, struct conv_standing *standing);

/* Why KERNEL's RESULT is above the peak that was measured: SHARE of it, EFFECTIVE without taps on
 * padding; NULL where it is not.  */
const char *conv_share_reason(const struct conv_kernel *kernel, const struct conv_result *result,
                              double share, double effective);

#endif
