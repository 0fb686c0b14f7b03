/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact searches asked one capacity after the other: what they say is compared with
 * an optimum that is known from elsewhere.  */
#ifndef ARENABENCH_TESTS_ORACLES_EVERY_CAPACITY_H
#define ARENABENCH_TESTS_ORACLES_EVERY_CAPACITY_H

#include <stdbool.h>
#include <stdint.h>

struct instance;
struct section_options;

/* Which techniques: a search for packings, and one that refutes.  */
extern const struct section_options finding, refuting;

/* Whether the search by sections, at every capacity from the load to OPTIMUM and down
 * again, says what is true, with a valid packing where there is one, and the windows
 * never say more.  */
bool sections_right(const struct instance *instance, int64_t optimum,
                    const struct section_options *options);

/* The same for the disjunctive search, one byte above the optimum too.
 * Buffers may have several pieces.  */
bool orders_right(const struct instance *instance, int64_t optimum);

/* All of these.  */
bool every_search_right(const struct instance *instance, int64_t optimum);

/* How many instances were judged, on how many all searches were right at every capacity,
 * and branch-and-bound proved the optimum; and of how many it is above the load: the
 * others test no refutation.  */
struct capacity_tally {
    int all, right, proven, above;
};

/* branch-and-bound begins without the first plan, which settles most on its own.  */
void capacity_judge(struct capacity_tally *tally, const struct instance *instance, int64_t optimum);

/* Two assertions about WHAT was judged.  */
void capacity_report(const struct capacity_tally *tally, const char *what);

#endif
