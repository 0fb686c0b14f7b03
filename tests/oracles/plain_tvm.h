/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TVM's planners written down as they were published: conflict lists, sorted
 * vectors, the C library's rand_r.  */
#ifndef ARENABENCH_TESTS_ORACLES_PLAIN_TVM_H
#define ARENABENCH_TESTS_ORACLES_PLAIN_TVM_H

#include <stdint.h>

struct instance;
struct plan;

/* Each fills in offsets and peak.  O(n^2).  */
void plain_tvm_size(const struct instance *instance, struct plan *plan);
void plain_tvm_conflicts(const struct instance *instance, struct plan *plan);

/* The plan that was accepted last.  *BEST becomes the least peak of an attempt
 * that was accepted, *FIRST that of the first attempt.  */
void plain_tvm_hill_climb(const struct instance *instance, int attempts, unsigned seed,
                          struct plan *plan, int64_t *first, int64_t *best);

#endif
