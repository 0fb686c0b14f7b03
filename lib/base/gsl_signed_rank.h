/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Wilcoxon's signed-rank test: whether paired differences lie to one side of 0
 * more than chance would have it (Biometrics Bulletin 1, 1945).  */
#ifndef ARENABENCH_LIB_BASE_GSL_SIGNED_RANK_H
#define ARENABENCH_LIB_BASE_GSL_SIGNED_RANK_H

#include <stddef.h>

/* Up to so many differences other than 0 the distribution is counted.  */
#define SIGNED_RANK_COUNTED 50

/* The two-sided p-value of the COUNT differences.  Those of 0 are left out, as Wilcoxon has it;
 * equal sizes have their mean rank.  The p-value is exact, ties or not, where no more than
 * SIGNED_RANK_COUNTED remain: all 2^n signs of these ranks are counted.  Beyond it is that of the
 * normal distribution with the ranks' own variance (which corrects for ties) and a correction for
 * continuity.  1 where nothing remains.  */
double signed_rank_p(const double *difference, size_t count);

#endif
