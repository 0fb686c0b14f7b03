/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statistics over samples of doubles, each with a name that tables can print.
 *
 * A sample is sorted before anything is added up, so that a result does not
 * depend on the order of the values.  COUNT is at least 1.  */
#ifndef ARENABENCH_LIB_BASE_STATISTICS_H
#define ARENABENCH_LIB_BASE_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The middle value, or the mean of the two in the middle.  */
double statistics_median(const double *value, size_t count);

/* Linear interpolation between order statistics (type 7 of Hyndman and Fan,
 * 1996); 0 <= P <= 1.  */
double statistics_quantile(const double *value, size_t count, double p);

/* exp(mean(log(value + shift))) - shift; every value + shift is above 0.  The
 * shift keeps values near 0 from ruling the mean: it has to be stated beside
 * the number.  */
double statistics_shifted_geometric_mean(const double *value, size_t count, double shift);

struct interval {
    double low, high;
};

/* The 95 % percentile bootstrap interval of the mean: RESAMPLES samples of
 * COUNT values, drawn with replacement by lib/rng from SEED.  */
struct interval statistics_bootstrap_mean(const double *value, size_t count, size_t resamples,
                                          uint32_t seed);
/* The same of the median.  */
struct interval statistics_bootstrap_median(const double *value, size_t count, size_t resamples,
                                            uint32_t seed);

/* The distribution-free 95 % interval of the median, between two order
 * statistics: of COUNT values the k-th from either end, with the largest k for
 * which a binomial variable of COUNT halves is below k with probability 0.025 at
 * most.  False with fewer than 6 values, which have none.  */
bool statistics_median_interval(const double *value, size_t count, struct interval *interval);

/* Spearman's rank correlation of pairs, ties at their mean rank; 0 where one
 * side is constant.  */
double statistics_spearman(const double *x, const double *y, size_t count);

/* Its 95 % interval by Fisher's transformation with the variance 1.06 / (n - 3)
 * (Fieller, Hartley and Pearson, Biometrika 44, 1957); -1 to 1 below 4 pairs.  */
struct interval statistics_spearman_interval(double correlation, size_t count);

/* The exponent b of y = a x^b by least squares on logarithms, with its 95 % interval
 * (Student's distribution; endless below 3 points).  X and Y are above 0; NaN where
 * all x are equal.  */
double statistics_exponent(const double *x, const double *y, size_t count,
                           struct interval *interval);

#endif
