/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Greedy placement in the plainest way, for tests that compare a planner with
 * what its publication says: an order, then for each buffer a scan over all that
 * was placed before.  */
#ifndef ARENABENCH_TESTS_ORACLES_PLAIN_PLANNERS_H
#define ARENABENCH_TESTS_ORACLES_PLAIN_PLANNERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct instance;
struct plan;

/* The times at which buffers begin and end, ascending, each once; *COUNT of them.  The caller frees
 * them.  */
int64_t *plain_times(const struct instance *instance, size_t *count);

/* True when buffer A comes strictly before buffer B in the planner's order.  */
typedef bool plain_before(const struct instance *instance, size_t a, size_t b);

/* The buffers in input order (REVERSED: the last one first), then sorted stably
 * by BEFORE, which may be NULL.  The caller frees it.  */
size_t *plain_order(const struct instance *instance, plain_before *before, bool reversed);

/* The orders that many planners share; each leaves ties.  */
bool plain_larger(const struct instance *instance, size_t a, size_t b);
bool plain_larger_then_longer(const struct instance *instance, size_t a, size_t b);
bool plain_longer_then_larger(const struct instance *instance, size_t a, size_t b);
bool plain_earlier(const struct instance *instance, size_t a, size_t b);

/* Where buffer B goes.  PLACED[0..count) are the buffers that were placed before
 * and live at a common step, by ascending offset; of equal offsets the one that
 * was placed first comes first.  */
typedef int64_t plain_fit(const struct instance *instance, const struct plan *plan,
                          const size_t *placed, size_t count, size_t b);

/* The gap scan: gaps are measured from the placed buffer's own aligned start.
 * Best: the smallest gap that is large enough, the lowest of equal ones; first:
 * the lowest that is large enough; top: no gap.  */
plain_fit plain_best, plain_first, plain_top;

/* Places the buffers in the order ORDER[0..n); fills in offsets and peak.
 * O(n^2).  plan->peak holds the peak so far when FIT is called.  */
void plain_place(const struct instance *instance, const size_t *order, plain_fit *fit,
                 struct plan *plan);

#endif
