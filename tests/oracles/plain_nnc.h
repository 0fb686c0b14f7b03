/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NNC's planner written down as it was published, by the steps of the schedule: a matrix of
 * flows, and every edge of it tried for every candidate.  */
#ifndef ARENABENCH_TESTS_ORACLES_PLAIN_NNC_H
#define ARENABENCH_TESTS_ORACLES_PLAIN_NNC_H

struct instance;
struct plan;

/* Each fills in offsets and peak, its buffers stacked in the order in which they began.
 * Today's rule, O(n^4), and the one with tuples, O(n^5).  */
void plain_nnc_size(const struct instance *instance, struct plan *plan);
void plain_nnc_tuples(const struct instance *instance, struct plan *plan);

#endif
