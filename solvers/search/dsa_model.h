/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact integer model of dynamic storage allocation, for branch and bound.
 *
 * A buffer consists of pieces: rectangles of steps and bytes that do not overlap;
 * usually one, [lo, hi) = [0, s).  Columns, in this order: the peak H, an offset
 * x_a for each buffer, and for each two pieces i < j of different buffers a, b
 * that are alive at a common step a binary y_ij: 1 when piece i is below piece j.
 * So two buffers of several pieces may interlock.  Bytes count in units, the
 * greatest number that divides all sizes, lo and hi and fits all alignments: some
 * optimal plan has every offset at a multiple of it, because buffers pushed down
 * as far as they go rest on sums of such numbers rounded up to alignments.
 *
 * Rows for a pair (U = the upper bound on H):
 *     x_a + hi_i <= x_b + lo_j + U (1 - y_ij)
 *     x_b + hi_j <= x_a + lo_i + U y_ij
 * With DSA_CLIQUE also, for every maximal set Q of pieces alive at one step and
 * each i in Q, h being hi - lo:
 *     x_a + lo_i >= sum over j in Q of h_j [j below i]
 *     H >= x_a + hi_i + sum over j in Q of h_j [j above i]
 * where the order of pieces of one buffer is known.  DSA_BIG_M has
 * H >= x_a + s_a in their place (the other has it for buffers whose last bytes no piece
 * uses), and nothing else differs: both forms get the
 * bounds on H and the fixed binaries below.
 *
 * Symmetry.  Of buffers that are equal rectangles with equal alignment (twins)
 * the earlier one is below.  A plan can be flipped upside down, so one more
 * binary can be fixed; not where an alignment counts or some buffer is no
 * rectangle, and only between two buffers that have no twins, because flipping
 * turns the order of twins around.  */
#ifndef ARENABENCH_SOLVERS_SEARCH_DSA_MODEL_H
#define ARENABENCH_SOLVERS_SEARCH_DSA_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct instance;
struct milp;

enum dsa_form { DSA_CLIQUE, DSA_BIG_M };

struct dsa_model;

/* Builds the model with LOW <= H <= HIGH, in units.  The instance has to
 * outlive it.  NULL when timer_now() passes DEADLINE first.  */
struct dsa_model *dsa_model_new(const struct instance *instance, enum dsa_form form, int64_t low,
                                int64_t high, double deadline);
void dsa_model_free(struct dsa_model *model);

/* Names the columns for a file: `peak`, `offset_ID` and `below_ID_ID` (1: the first is
 * below the second; where a buffer has several pieces its ID is followed by .0, .1, ...),
 * with '_' for characters of ids that formats do not allow.  The objective becomes bytes.  */
void dsa_model_name(struct dsa_model *model);

struct milp *dsa_model_milp(struct dsa_model *model);

/* The offset of a buffer, in units, in a solution of a relaxation.  */
double dsa_model_relaxed_offset(const struct dsa_model *model, const double *value, size_t b);

/* The solution of the model that a plan is: OFFSET in bytes.  Where the plan
 * has twins or the flipped pair the other way round, the fixed binaries are
 * not respected.  */
void dsa_model_solution(const struct dsa_model *model, const int64_t *offset, double *value);

/* From a solution's binaries alone, in whole numbers: the lowest offsets, in
 * bytes, that have every pair the way round that its binary says.  False when
 * they contradict one another.  */
bool dsa_model_offsets(const struct dsa_model *model, const double *value, int64_t *offset);

#endif
