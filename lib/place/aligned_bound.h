/* SPDX-License-Identifier: Apache-2.0 */
/* A lower bound on all peaks where alignments count: how high the buffers of a section, that are
 * all alive together, have to be stacked.
 *
 *   a, b: 3 high, alignment 4      a a a . b b b c c      9, where the load is 8
 *   c:    2 high, alignment 1
 *
 * Put in the order in which they lie in a plan, each at the least multiple of its alignment that
 * is not below the end of the one before, they end no higher than they do there.  The least end of
 * all orders is found by dynamic programming: a lower stack of the same buffers is never worse to
 * go on from, so the least end of each set of them is enough.  Of a section with more than 16 the
 * ones with the coarsest alignments are stacked alone.
 *
 * Besides, for each of the 64 coarsest alignments A of a section: those whose alignment is a
 * multiple of it take multiples of it, all but the topmost one.
 *
 * Source: this project.  */
#ifndef ARENABENCH_LIB_PLACE_ALIGNED_BOUND_H
#define ARENABENCH_LIB_PLACE_ALIGNED_BOUND_H

#include <stdint.h>

struct instance;

/* Bytes that no plan of INSTANCE gets below, at least its load.  Of buffers of several pieces each
 * is looked at alone, with what alignment its buffer gives it.  Goes on from WORK sets at most, or
 * until DEADLINE by timer_now, sections first that promise most; a bound in any case.  Only the
 * load where no alignment counts, or with more than a million incidences of pieces and sections. */
int64_t aligned_bound(const struct instance *instance, int64_t work, double deadline);

#endif
