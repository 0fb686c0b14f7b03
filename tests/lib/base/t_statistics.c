/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statistics against values worked out by hand, and the bootstrap interval
 * against its limit for large samples.  */
#include <config.h>

#include "lib/base/statistics.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/memory.h"
#include "tests/support/tap.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static bool near(double got, double want)
{
    if (fabs(got - want) <= 1e-12 * (1.0 + fabs(want)))
        return true;
    tap_diag("got %.17g, want %.17g", got, want);
    return false;
}

static void centre(void)
{
    const double odd[] = {9, 1, 4}, even[] = {7, 1, 3, 5}, one[] = {6.5};
    const double three_times[] = {1, 3, 9};
    const double zeros[] = {0, 0, 0};

    ok(near(statistics_median(odd, COUNT(odd)), 4), "median of an odd count is the middle value");
    ok(near(statistics_median(even, COUNT(even)), 4), "median of an even count lies between");
    ok(near(statistics_median(one, 1), 6.5), "median of one value");
    ok(odd[0] == 9 && odd[1] == 1, "the sample is left as it was");

    /* (1 x 3 x 9)^(1/3) = 3.  With shift 1: (2 x 4 x 10)^(1/3) - 1.  */
    ok(near(statistics_shifted_geometric_mean(three_times, 3, 0), 3), "geometric mean");
    ok(near(statistics_shifted_geometric_mean(three_times, 3, 1), cbrt(80) - 1),
       "shifted geometric mean");
    ok(near(statistics_shifted_geometric_mean(zeros, 3, 10), 0),
       "a shift makes values of 0 harmless");
}

static void quantiles(void)
{
    /* Type 7: position p (n - 1) in 10, 20, 30, 40.  */
    const double value[] = {40, 10, 30, 20};

    ok(near(statistics_quantile(value, 4, 0), 10), "quantile 0 is the smallest");
    ok(near(statistics_quantile(value, 4, 1), 40), "quantile 1 is the largest");
    ok(near(statistics_quantile(value, 4, 0.25), 17.5), "lower quartile at position 0.75");
    ok(near(statistics_quantile(value, 4, 0.9), 37), "quantile 0.9 at position 2.7");
}

static void bootstrap(void)
{
    enum { N = 400 };
    const double same[] = {2.5, 2.5, 2.5, 2.5}, pair[] = {0, 1};
    double *coins = memory_alloc(N, sizeof *coins);
    struct interval a, b;

    a = statistics_bootstrap_mean(same, COUNT(same), 100, 1);
    ok(near(a.low, 2.5) && near(a.high, 2.5), "equal values have an interval of no width");

    /* Resampled means of {0, 1} are 0, 1/2 and 1 with chances 1/4, 1/2, 1/4.  */
    a = statistics_bootstrap_mean(pair, 2, 1000, 1);
    ok(near(a.low, 0) && near(a.high, 1), "the interval of 0, 1 is all of [0, 1]");

    /* 400 fair coins: the mean's standard error is 1/40, so the interval tends
     * to 0.5 -+ 1.96/40 = [0.451, 0.549].  */
    for (size_t i = 0; i < N; i++)
        coins[i] = (double)(i % 2);
    a = statistics_bootstrap_mean(coins, N, 2000, 7);
    ok(fabs(a.low - 0.451) < 0.006 && fabs(a.high - 0.549) < 0.006,
       "400 coins: [%.3f, %.3f] is near [0.451, 0.549]", a.low, a.high);
    b = statistics_bootstrap_mean(coins, N, 2000, 7);
    ok(a.low == b.low && a.high == b.high, "the same seed gives the same interval");
    for (size_t i = 0; i < N; i++)
        coins[i] = i < N / 2 ? 1 : 0;
    b = statistics_bootstrap_mean(coins, N, 2000, 7);
    ok(a.low == b.low && a.high == b.high, "the order of the values does not matter");

    /* Of 0, 1, ..., 398 the median of a resample is below x where most draws
     * are: its ranks tend to 199 -+ 1.96 sqrt(399) / 2.  */
    for (size_t i = 0; i < N - 1; i++)
        coins[i] = (double)i;
    a = statistics_bootstrap_median(coins, N - 1, 2000, 7);
    ok(fabs(a.low - 179.4) < 3.0 && fabs(a.high - 218.6) < 3.0,
       "the median of 399 numbers: [%.1f, %.1f] is near [179.4, 218.6]", a.low, a.high);
    coins[0] = -1e9;
    b = statistics_bootstrap_median(coins, N - 1, 2000, 7);
    ok(a.low == b.low && a.high == b.high, "one that is far off does not move it");
    free(coins);
}

static void test_median_interval(void)
{
    const double value[] = {9, 1, 8, 2, 7, 3, 6, 4, 5, 10};
    struct interval interval;

    ok(!statistics_median_interval(value, 5, &interval), "five values have no 95 %% interval");
    ok(statistics_median_interval(value, 6, &interval) && interval.low == 1 && interval.high == 9,
       "six: from the least to the greatest (2/64 lie outside)");
    /* P(B(10, 1/2) <= 1) = 11/1024 is below 0.025, P(B <= 2) = 56/1024 is not.  */
    ok(statistics_median_interval(value, 10, &interval) && interval.low == 2 && interval.high == 9,
       "ten: the second from either end");
}

static void test_spearman(void)
{
    const double x[] = {1, 2, 3, 4, 5}, falling[] = {50, 40, 3, 2, 1}, flat[] = {7, 7, 7, 7, 7};
    /* Ranks 1 2.5 2.5 4 5 against 1 to 5: by hand 9.5 / sqrt(10 x 9.5).  */
    const double tied[] = {0, 6, 6, 7, 9};
    struct interval interval;

    ok(fabs(statistics_spearman(x, falling, 5) + 1) < 1e-12, "falling");
    ok(fabs(statistics_spearman(x, tied, 5) - 9.5 / sqrt(95.0)) < 1e-12, "with a tie");
    ok(statistics_spearman(x, flat, 5) == 0, "a constant has none");
    interval = statistics_spearman_interval(0.5, 53);
    ok(fabs(atanh(interval.high) - atanh(0.5) - 1.959963984540054 * sqrt(1.06 / 50)) < 1e-12 &&
           fabs(atanh(interval.low) + atanh(interval.high) - 2 * atanh(0.5)) < 1e-12,
       "its interval: %.3f to %.3f", interval.low, interval.high);
    interval = statistics_spearman_interval(0.5, 3);
    ok(interval.low == -1 && interval.high == 1, "too few pairs");
}

/* Logarithms 0, 1, 2 and 0, 2, 3: slope 3/2, residuals -1/6, 1/3, -1/6, so its
 * variance is (1/6) / 2, and t(0.975) with one degree of freedom is 12.7062.  */
static void test_exponent(void)
{
    const double x[] = {1, M_E, M_E * M_E}, y[] = {1, M_E * M_E, M_E * M_E * M_E};
    const double cube[] = {5, 5 * M_E * M_E * M_E, 5 * pow(M_E, 6)};
    struct interval interval;

    ok(fabs(statistics_exponent(x, y, 3, &interval) - 1.5) < 1e-12, "an exponent");
    ok(fabs(interval.high - 1.5 - 12.7062 * sqrt(1.0 / 12)) < 1e-4 &&
           fabs(interval.low + interval.high - 3) < 1e-12,
       "its interval: %g to %g", interval.low, interval.high);
    ok(fabs(statistics_exponent(x, cube, 3, &interval) - 3) < 1e-12 &&
           interval.high - interval.low < 1e-6,
       "a pure power");
    statistics_exponent(x, y, 2, &interval);
    ok(isinf(interval.low) && isinf(interval.high), "two points tell no interval");
}

int main(void)
{
    centre();
    quantiles();
    bootstrap();
    test_median_interval();
    test_spearman();
    test_exponent();
    return tap_done();
}
