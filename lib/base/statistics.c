/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/base/statistics.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fit.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"

static double *sorted_copy(const double *value, size_t count)
{
    double *copy = memory_copy(value, count, sizeof *copy);

    gsl_sort(copy, 1, count);
    return copy;
}

double statistics_quantile(const double *value, size_t count, double p)
{
    double *sorted = sorted_copy(value, count), quantile;

    assert(count > 0 && p >= 0.0 && p <= 1.0);
    quantile = gsl_stats_quantile_from_sorted_data(sorted, 1, count, p);
    free(sorted);
    return quantile;
}

double statistics_median(const double *value, size_t count)
{
    return statistics_quantile(value, count, 0.5);
}

double statistics_shifted_geometric_mean(const double *value, size_t count, double shift)
{
    double *logs = sorted_copy(value, count);
    double mean;

    for (size_t i = 0; i < count; i++)
        logs[i] = log(logs[i] + shift);
    mean = gsl_stats_mean(logs, 1, count);
    free(logs);
    return exp(mean) - shift;
}

/* Both are given a sample that may be put in order.  */
static double resample_mean(double *value, size_t count)
{
    double sum = 0.0;

    for (size_t i = 0; i < count; i++)
        sum += value[i];
    return sum / (double)count;
}

static double resample_median(double *value, size_t count)
{
    gsl_sort(value, 1, count);
    return gsl_stats_median_from_sorted_data(value, 1, count);
}

static struct interval bootstrap(double (*statistic)(double *value, size_t count),
                                 const double *value, size_t count, size_t resamples, uint32_t seed)
{
    double *sorted = sorted_copy(value, count), *drawn = memory_alloc(count, sizeof *drawn);
    double *results = memory_alloc(resamples, sizeof *results);
    struct rng *rng = rng_new(seed);
    struct interval interval;

    for (size_t i = 0; i < resamples; i++) {
        for (size_t j = 0; j < count; j++)
            drawn[j] = sorted[rng_range(rng, 0, (int64_t)count - 1)];
        results[i] = statistic(drawn, count);
    }
    gsl_sort(results, 1, resamples);
    interval.low = gsl_stats_quantile_from_sorted_data(results, 1, resamples, 0.025);
    interval.high = gsl_stats_quantile_from_sorted_data(results, 1, resamples, 0.975);
    rng_free(rng);
    free(results);
    free(drawn);
    free(sorted);
    return interval;
}

struct interval statistics_bootstrap_mean(const double *value, size_t count, size_t resamples,
                                          uint32_t seed)
{
    return bootstrap(resample_mean, value, count, resamples, seed);
}

struct interval statistics_bootstrap_median(const double *value, size_t count, size_t resamples,
                                            uint32_t seed)
{
    return bootstrap(resample_median, value, count, resamples, seed);
}

bool statistics_median_interval(const double *value, size_t count, struct interval *interval)
{
    size_t k = 0;
    double *sorted;

    while (2 * k < count && gsl_cdf_binomial_P((unsigned)k, 0.5, (unsigned)count) <= 0.025)
        k++;
    if (k == 0)
        return false;
    sorted = sorted_copy(value, count);
    interval->low = sorted[k - 1];
    interval->high = sorted[count - k];
    free(sorted);
    return true;
}

double statistics_spearman(const double *x, const double *y, size_t count)
{
    double *work = memory_alloc(2 * count, sizeof *work);
    double result = count < 2 ? 0.0 : gsl_stats_spearman(x, 1, y, 1, count, work);

    free(work);
    return isfinite(result) ? result : 0.0;
}

struct interval statistics_spearman_interval(double correlation, size_t count)
{
    const double half = count < 4 ? INFINITY : 1.959963984540054 * sqrt(1.06 / ((double)count - 3));
    const double z = atanh(fmin(fmax(correlation, -1.0), 1.0));

    return (struct interval){tanh(z - half), tanh(z + half)};
}

double statistics_exponent(const double *x, const double *y, size_t count,
                           struct interval *interval)
{
    double *log_x = memory_alloc(count, sizeof *log_x), *log_y = memory_alloc(count, sizeof *log_y);
    double constant, slope, variance, correlated, unused, squares, half = INFINITY;

    for (size_t i = 0; i < count; i++) {
        log_x[i] = log(x[i]);
        log_y[i] = log(y[i]);
    }
    gsl_fit_linear(log_x, 1, log_y, 1, count, &constant, &slope, &unused, &correlated, &variance,
                   &squares);
    free(log_x);
    free(log_y);
    if (count > 2)
        half = gsl_cdf_tdist_Pinv(0.975, (double)count - 2) * sqrt(variance);
    *interval = (struct interval){slope - half, slope + half};
    return slope;
}
