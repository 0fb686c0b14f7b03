/* SPDX-License-Identifier: Apache-2.0 */
/* In which order a planner gets the intervals of an instance, one at a time.  */
#ifndef ARENABENCH_LIB_PROBLEM_INTERVALS_H
#define ARENABENCH_LIB_PROBLEM_INTERVALS_H

#include <stddef.h>

struct instance;

/* The number of each piece, from 0: that of its file (instance.number); of a network by
 * begin, then end, as MegEngine sorts its chunks before it adds them (seq_mem_opt.cpp); else as
 * the pieces stand.  Equal ones as they stand.  The caller frees it.  */
size_t *intervals_number(const struct instance *instance);

#endif
