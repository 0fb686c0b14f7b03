/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The published planners, written down as they were published: arrays and
 * loops, no shared machinery.  The solvers have to give the same offsets.  */
#ifndef ARENABENCH_TESTS_ORACLES_REFERENCE_PLANNERS_H
#define ARENABENCH_TESTS_ORACLES_REFERENCE_PLANNERS_H

#include <stddef.h>

struct instance;
struct plan;

/* Each fills in offsets and peak.  O(n^2), path-cover with choice=best too.  */
void reference_duration_size(const struct instance *instance, struct plan *plan);
void reference_duration_size_begin(const struct instance *instance, struct plan *plan);
void reference_duration_size_end(const struct instance *instance, struct plan *plan);
void reference_greedy_by_size(const struct instance *instance, struct plan *plan);
void reference_first_fit_by_size(const struct instance *instance, struct plan *plan);

/* CHOICE is an index in "first|last|best".  */
void reference_path_cover(const struct instance *instance, size_t choice, struct plan *plan);

#endif
