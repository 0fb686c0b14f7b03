/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The largest of many errors, for a bound that all of them keep.  */
#ifndef ARENABENCH_TESTS_SUPPORT_WORST_H
#define ARENABENCH_TESTS_SUPPORT_WORST_H

#include <math.h>

/* The larger one.  A NaN, what nobody wrote or nobody could, is larger than all others: fmax would
 * forget it.  */
static inline double worst_of_two(double a, double b)
{
    return isnan(a) || a >= b ? a : b;
}

#endif
