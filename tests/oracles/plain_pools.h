/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Planners that reuse whole places or lines, written down as they were published:
 * lists, recursion, scans of everything.  */
#ifndef ARENABENCH_TESTS_ORACLES_PLAIN_POOLS_H
#define ARENABENCH_TESTS_ORACLES_PLAIN_POOLS_H

struct instance;
struct plan;

/* Each fills in offsets and peak.  */
void plain_relax(const struct instance *instance, struct plan *plan);    /* one pool */
void plain_inductor(const struct instance *instance, struct plan *plan); /* O(n^3) and worse */
void plain_sekiyama(const struct instance *instance, struct plan *plan); /* O(n^2) */

/* *COLOURS: how many were needed.  O(n^3 levels).  */
void plain_kierstead(const struct instance *instance, struct plan *plan, int *colours);

#endif
