/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/base/gsl_signed_rank.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

#include "lib/base/memory.h"

/* The ranks of SIZE, which is in order, twice as large: a mean rank is a whole number or
 * halfway between two.  */
static void rank_twice(const double *size, size_t count, size_t *rank)
{
    size_t end;

    for (size_t start = 0; start < count; start = end) {
        for (end = start + 1; end < count && !(size[end] > size[start]);)
            end++;
        for (size_t i = start; i < end; i++)
            rank[i] = start + 1 + end;
    }
}

/* The share of all signs of the ranks whose positive ones sum to no more than LEAST.  The
 * number of signs for each sum is counted rank by rank; up to 2^53 it is exact.  */
static double counted_share(const size_t *rank, size_t count, size_t least)
{
    double *ways = memory_zalloc(least + 1, sizeof *ways), sum = 0.0;

    ways[0] = 1.0;
    for (size_t i = 0; i < count; i++)
        for (size_t total = least; total + 1 > rank[i]; total--)
            ways[total] += ways[total - rank[i]];
    for (size_t total = 0; total <= least; total++)
        sum += ways[total];
    free(ways);
    return ldexp(sum, -(int)count);
}

/* The same of a normal variable with the mean and the variance of that sum.  */
static double normal_share(const size_t *rank, size_t count, size_t least)
{
    double mean = 0.0, variance = 0.0;

    for (size_t i = 0; i < count; i++) {
        const double half = (double)rank[i] / 4;

        mean += half;
        variance += half * half;
    }
    return gsl_cdf_gaussian_P(fmin((double)least / 2 + 0.5 - mean, 0.0), sqrt(variance));
}

double signed_rank_p(const double *difference, size_t count)
{
    double *size = memory_alloc(count, sizeof *size), *sign = memory_alloc(count, sizeof *sign);
    size_t *rank = memory_alloc(count, sizeof *rank);
    size_t left = 0, sum[2] = {0, 0}, least;
    double share;

    for (size_t i = 0; i < count; i++)
        if (difference[i] < 0 || difference[i] > 0) {
            size[left] = fabs(difference[i]);
            sign[left++] = difference[i];
        }
    if (left > 0)
        gsl_sort2(size, 1, sign, 1, left);
    rank_twice(size, left, rank);
    for (size_t i = 0; i < left; i++)
        sum[sign[i] > 0] += rank[i];
    least = sum[0] < sum[1] ? sum[0] : sum[1];
    share = left > SIGNED_RANK_COUNTED ? normal_share(rank, left, least)
                                       : counted_share(rank, left, least);
    free(rank);
    free(sign);
    free(size);
    return fmin(1.0, 2.0 * share);
}
