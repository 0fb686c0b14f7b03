/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tiny instances of buffers of several pieces, and their optimum from all plans.  */
#ifndef ARENABENCH_TESTS_SUPPORT_PIECE_CASE_H
#define ARENABENCH_TESTS_SUPPORT_PIECE_CASE_H

#include <stdint.h>

struct instance;
struct rng;

/* The least peak of all plans, by trying every aligned offset of every buffer, or
 * the one that is fixed.  */
int64_t piece_case_optimum(const struct instance *instance);

/* Two to four buffers of up to three pieces on a grid of 4 steps x 3 bytes, in any shape,
 * one in four with alignment 2.  Sealed; the caller frees it.  */
struct instance *piece_case_random(struct rng *rng);

#endif
