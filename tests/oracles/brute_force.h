/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The optimum of tiny instances by exhaustive search: the oracle for exact
 * solvers and for the golden gap gadgets.  It shares nothing with them.  */
#ifndef ARENABENCH_TESTS_ORACLES_BRUTE_FORCE_H
#define ARENABENCH_TESTS_ORACLES_BRUTE_FORCE_H

#include <stdint.h>

struct instance;

/* The least peak of any plan, alignments respected.  Buffers count as their
 * bounding rectangles.  Practical up to about 10 buffers; at most 16.  */
int64_t brute_force_optimum(const struct instance *instance);

#endif
