/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instances some of whose buffers have fixed offsets.  */
#ifndef ARENABENCH_TESTS_SUPPORT_FIXED_CASE_H
#define ARENABENCH_TESTS_SUPPORT_FIXED_CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct instance;
struct plan;
struct rng;

/* Whether two fixed buffers of INSTANCE, which need not be sealed, share a step and a byte: from
 * the definition, piece by piece.  */
bool fixed_case_overlaps(const struct instance *instance);

/* Fixes up to MOST buffers of INSTANCE, which is not sealed, at offsets up to HIGH, drawn anew
 * where one would overlap.  */
void fixed_case_fix(struct rng *rng, struct instance *instance, size_t most, int64_t high);

/* The buffers of INSTANCE, which are rectangles without fixed offsets, of which one in two to
 * six is fixed where it lies in PLAN, and perhaps one somewhere else.  Sealed; the caller frees
 * it.  Unlike offsets that are drawn, these leave the optimum near the load.  */
struct instance *fixed_case_of_plan(struct rng *rng, const struct instance *instance,
                                    const struct plan *plan);

/* INSTANCE with one of its fixed buffers, *MOVED, fixed elsewhere or nowhere; NULL where that would
 * overlap.  Sealed; the caller frees it.  */
struct instance *fixed_case_moved(struct rng *rng, const struct instance *instance, size_t *moved);

/* Two to seven buffers within 5 steps, up to 4 bytes high, one to three of them fixed and the
 * others with alignments up to 3; with PIECES of up to three pieces and 3 bytes, and five buffers
 * at most.  Small enough for piece_case_optimum.  Sealed; the caller frees it.  */
struct instance *fixed_case_random(struct rng *rng, bool pieces);

#endif
